"""The running table: host, lobby, menus, overlays, safe mode.

A lost device pauses the match only when the host reads its report; moves may arrive until then. A disk error ends
the referee but not the match, which resumes from memory.
"""

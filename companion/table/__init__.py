"""The table that stands there: host, lobby, menus, overlays, safe mode."""

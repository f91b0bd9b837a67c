"""The table that stands there: host, lobby, menus, overlays, safe mode.

Why it is as it is:

* The screen says that the match waits when it does, not when a device knows that it is gone: the device's
  thread knows it before the host has heard the report, and until then a move may still be made.
* A disk that refuses ends the referee, not the match. The match in memory is what was acknowledged; it goes
  on from there with its record, or without one if the house says so.
"""

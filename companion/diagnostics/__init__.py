"""Finds out whether all works: doctor, guided check, service, logbook, failures.

* The display's loop feeds the watchdog while the host and all threads that read devices have heartbeats
  (`core/heartbeat.py`).
* The table runs without root. It creates a file; a systemd unit waits for it and switches off or restarts.
* The log omits the texts of unexpected errors, which could quote a card. Library handlers do not, so it has custom
  ones.
"""

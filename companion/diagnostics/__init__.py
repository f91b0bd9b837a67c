"""Whether all works: doctor, guided check, service, logbook, failures.

Why it is as it is:

* The watchdog is fed by the display's loop, and only while everybody beats. The host and each thread that
  reads devices has a heartbeat (`core/heartbeat.py`), which it shows at least every four seconds; what is
  unplugged is not waited for.
* The table may not do what only root may. It lays a file into its runtime folder, and a unit of systemd that
  waits for it switches off or starts again: no capability, no bus, nothing to configure.
* A log never quotes the text of an error that nobody foresaw: it could be a card. Traceback and type tell
  where. Handlers of libraries also send journald that text and the arguments, so the log has its own.
"""

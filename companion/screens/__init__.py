"""Screens that cover the table: help, settings, past matches, replay, statistics, self-test, new pods.

* Many records are read in small pieces on the host's clock, without a thread, so presses are handled in between.
* A replay shows only the public view of each position, even of a finished match.
"""

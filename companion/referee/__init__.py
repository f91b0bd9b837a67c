"""Turns signals into durable moves: debouncing, calls, verdicts, pacing, journal. Knows no game and no device.

Its promises (docs/fairness.md lists the cases):

* A verdict waits until no earlier call can still arrive: the slowest device's delay plus the tie margin, at most 60
  milliseconds unless a device asks for more. A later report that would have counted is announced, never dropped.
* Reports that wait to be handled count, so a press does not miss its window behind a slow commit.
* A press is too early only if it certainly was. Just after a verdict it belongs to the judged card.
* The timestamp, not the report, decides whether a press was made before, in or after a pause or an undo.
"""

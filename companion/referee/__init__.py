"""From signals to durable moves: debounce, calls, arbiter, pacing, journal. It knows no game and no device.

Why it is as it is:

* A race has a number. While it stays, a move such as a chip for a false start leaves the open call as it is.
* Verdicts wait for what may still arrive: the slowest source's delay plus the tie margin, at most 60 ms. A
  report that comes later and would have counted is told (`late_report`), never silently dropped.
* A flush also looks into the inbox. Reports that are not handled yet count, so a press that waits behind a slow
  commit does not miss its window. Hearing a signal twice changes nothing.
* A level reading proves something only later, when every edge stamped before the reading must have been reported.
  Until then its edge may be on its way.
* A press is too early only if it certainly was, whenever it is reported. Just after a verdict it belongs to the
  judged card.
* The timestamp also decides the position. A press from before a pause counts, even if it is reported during the
  pause. A press from a pause does not count, even if it is reported later. A press from before an undo is not meant
  for the position after it.
* Presses that wait for a call are handled by their timestamps. But no key waits for other presses: it acts at once,
  and docs/fairness.md says what the order of reports decides.
* A discarded glitch leaves the line as it was, so a stray edge cannot cost a player the next press.
"""

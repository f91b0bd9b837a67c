"""From signals to durable moves: debounce, calls, arbiter, pacing, journal. It knows no game and no device.

Why it is as it is:

* A race has a number. While it stays, a move such as a chip for a false start leaves the open call as it is.
* Verdicts wait for what may still arrive: the slowest source's delay plus the tie margin, at most 60 ms. A
  report that comes later and would have counted is told (`late_report`), never silently dropped.
* A flush looks into the inbox too. What was reported and not handled yet counts, so a press that waits behind
  a slow commit does not miss its window. To hear a signal twice changes nothing.
* A level that is read proves something only later, when every edge stamped before the reading must have been
  reported: before that its edge may be on its way.
* A press is too early only when it surely was, whenever it is reported; soon after a verdict it was meant for
  the card that was judged.
* Where a press counts is told by its stamp, too: before a pause it counts, also when it is reported in that; in a
  pause it does not, also when it is reported after that; and before an undo it is not meant for what that leads to.
* What waits for a call is done by its stamps. But no key waits to hear what else was pressed: it acts at once, and
  docs/fairness.md says what its report decides.
* A discarded glitch leaves the line as it was, so a stray edge cannot cost a player the press that follows
  it.
"""

"""One match at one table: the session, its presenters, robots and lessons.

* A reveal is one frame; lamps, sounds and robots wait until it was seen. Keys pressed before it do not count.
* In games with secrets only a lock ends a reminder: the times of keys would show how long a secret is.
* A wrong move is entered again in the position before it: a list of corrections would reveal the hand.
* While a call is open, no frame shows that somebody has pressed.
* Presenters get a `Moment`, a read-only snapshot, so they cannot change a match.
"""

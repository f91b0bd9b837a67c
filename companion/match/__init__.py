"""One match at one table: the session, its presenters, robots and lessons.

Why it is as it is:

* A reveal is one frame. Its step is durable, then the drum rolls over the position before it. One frame shows
  everything that was secret, and lamps, sounds and robots wait until that frame was seen. Keys do not wait: a key
  pressed after the flip counts at once and ends the hold. A key pressed before it cannot be meant for it and does
  not count.
* A reminder knows only positions. In a game with secrets only a lock ends it, not a key: the time of the keys
  would tell how long a secret is.
* A wrong move is keyed again. A correction of a secret has no list to choose from, which would tell the hand: its
  owner keys it in the position before it.
* A photo finish names early presses. Everybody at the table sees a buzzer being pressed, the press is in the
  public evidence of the verdict, and only games without secrets have calls. Before the card is turned the strip
  says at once that it was too early. A press that is reported later is told when the call is over: while a race is
  open, no frame tells of a press.
* A photo finish never covers a card that somebody has to look at. It is on the strips until the answer, over the
  scene before the next card, which waits for it, and always in the pause menu.
* Sounds have one table and one rank (`sounds.py`): one picture plays only its most important clip. A reveal has
  its own clip, before those of its consequences.
* A lesson is a normal match with a strict console, which refuses every move but the one that is due. That follows
  from the written line and the moves made, so undo and simultaneous bids need no special case. Its dealer has no
  seed, and robots do the rest. A robot that ties with a person uses the timestamp of that person's press.
* Presenters get a `Moment`, a flat value of the session, so they cannot change a match.
"""

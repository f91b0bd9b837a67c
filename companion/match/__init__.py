"""One match at one table: the session, what its seats and the centre are told, reveal, photo finish, sounds,
robots, lessons.

Why it is as it is:

* A reveal is one frame. Its step is durable, then the drum rolls over the position before it; one frame shows
  all that was secret, and lamps, sounds and robots wait until that frame was seen. Keys do not wait: what is
  pressed after the flip is taken at once and ends the hold. What was pressed before it cannot have been meant
  for it and is not taken.
* A reminder knows positions only. In a game with secrets no key ends it, only a lock: when a secret was typed
  would tell how long it is.
* What is keyed wrongly is keyed again. A correction of a secret has no list to choose from, which would tell
  a hand: its owner keys it as the table stood then.
* A photo finish names who pressed too early. A press of a buzzer is seen by everybody at the table, it is in
  the public evidence of the verdict, and only games without secrets have calls; whether it was too early is
  told to its seat at once, and to all when the call is over.
* A photo finish never covers a card that somebody has to look at: it is on the strips until the answer, over
  the scene before the next card, which waits for it, and in the menu of a pause at any time.
* Sounds have one table and one rank (`sounds.py`): of all that one picture shows the most important is
  heard, so that nothing piles up, and a reveal has its own clip, before what follows from it.
* A lesson is a usual match with a strict console. It wraps the game's: a move that is not the due one is no
  move. What is due follows from the written line and the moves made, so undo and simultaneous bids need no
  care of their own; its dealer has no seed, and robots do the rest. Who shall tie with a person is stamped
  with that person's press.
"""

"""What every room speaks, pure: moves, events, signals, matches, records, the contract of a game, the dealer.

Why it is as it is:

* A match is its moves. State, views, undo, evidence and result are derived. A state is a value, so undo is a
  shorter list, a correction a replay, and a test can compare positions.
* Legality has one place. In a rules module each verb has one function that lists its legal arguments; `legal`
  and `apply` both ask it.
* Legal moves are sequences that are asked, not lists that are built. A hand in Büro Crazy has thousands of
  bids and the stairs a hundred million placements; `core/choices.py` counts, searches and picks among them. A
  placement that keeps the rules is drawn by its number, each equally likely, without one being made that has
  to be thrown away.
* Chance is a move of the TABLE. `rules.draws` names the equally likely ones; a dealer picks by (seed, number
  of draws so far), so undo is never a re-roll. A real card is the same move keyed in.
* A time-out is a move of the TABLE. How long limits are at a table (`[pace] timers`) is the referee's alone:
  it is in no record, and a replay needs no clock. A limit on the display is a second picture of the strips,
  unlit, that covers the first from both ends; the layout of a strip need not know of it.
* The seed is in the journal from the start, readable by its owner only, since a resumed match must go on
  dealing. Public logs show `??` until the match is over; its SHA-256 is announced at the start.
* A secret leaves by one door. A move of the rules' `SECRETS` is a SecretMove, however it was made; `released`
  says what it makes public, and the conformance suite plays twins of a match that differ in a secret until
  then. What a seat types is kept by the referee per seat, survives the moves of others while `Stage.keying`
  stays, and is shown on its own screen only.
* A kind of event is declared once (`kinds.py` beside a game's rules, `referee/events.py`): its facts, its sentence,
  its tone and its task. Code that reads an event asks which kind its `data` are; JSON has them by name.
* Who handles a game without knowing which has opaque types. `Game`, `Rules`, `Console` without parameters are
  those of an unknown game; each game's own modules are checked with its own states, boxes, rulings and views.
* Evidence is a value. An entry's comment is read into it once, in the record's parser; printed, it is the comment.
"""

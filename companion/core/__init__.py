"""The vocabulary of the program, without devices: moves, matches, records, the interface of a game, the dealer.

Design decisions:

* A match is its list of moves; position, views, undo, evidence and result are derived.
* One function per verb lists its legal arguments, for both `legal` and `apply`. Long lists are lazy.
* Chance and timeouts are moves of the TABLE, so a replay needs no clock and an undo does not draw anew.
* A record has its seed from the start, for its owner only; its SHA-256 is announced. Public logs show `??` until
  the end.
* A move with a verb of `SECRETS` is a `SecretMove`; `released` says what it makes public.
* Each kind of event is declared once (`kinds.py` of a game, `referee/events.py`).
"""

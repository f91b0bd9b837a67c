"""Driftwood's console: the buzzer calls; at the rocks a digit, then `#` locks the throw and `*` takes it back."""

from collections.abc import Mapping
from typing import Final

from companion.core.console import BACK, BUZZ, Call, Deal, Keyed, Lamp, Limit, Race, Stage, no_effect
from companion.core.move import TABLE, Move, Seat, SecretMove, each_seat
from companion.core.text import Text, msg

from .rules import Phase, View

PAUSE_MS: Final = 1500  # before the sea brings a find

LOCK: Final = "#"

_BUZZER: Final = frozenset({BUZZ})


def stage(view: View) -> Stage:
    if view.phase == Phase.SEA:
        return Stage(deal=Deal(PAUSE_MS, early_controls=_BUZZER))
    if view.phase == Phase.BEACH:
        race = Race(view.turn, each_seat(len(view.points)), _BUZZER, view.rulings.tie_margin_ms)
        return Stage(race=race, limit=Limit(view.rulings.ebb_s * 1000, Move(TABLE, "ebb")))
    return Stage(keying=view.turn if view.phase == Phase.ROCKS else None)


def called(view: View, winners: tuple[Call, ...]) -> Move:
    """Return the move of a verdict: one call was first, or several tied."""
    seats = tuple(sorted(call.seat for call in winners))
    return Move(TABLE, "tie" if len(seats) > 1 else "call", seats)


early: Final = no_effect  # a press before the find is visible costs nothing


def key(view: View, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
    """Return what a key means: a seat's throw, the house's draw, or why neither."""
    if seat == TABLE:
        finds = len(view.box.finds)
        drawn = view.phase == Phase.SEA and key in map(str, range(1, finds + 1))
        return Keyed(move=Move(TABLE, "wash", (int(key) - 1,))) if drawn else Keyed(why=msg("1 to {n}", n=finds))
    if view.phase != Phase.ROCKS:
        return Keyed(why=prompt(view))
    if view.locked[seat]:
        return Keyed(move=Move(seat, "retract")) if key == BACK else Keyed(why=prompt(view))
    return _throw_key(view, seat, key, entries.get(seat, ""))


def _throw_key(view: View, seat: Seat, key: str, entry: str) -> Keyed:
    if key in map(str, range(view.stones[seat] + 1)):
        return Keyed(key)  # another digit replaces the first one
    if key == BACK and entry:
        return Keyed()
    if key == LOCK and entry:
        return Keyed(move=SecretMove(seat, "throw", (int(entry),)))
    return Keyed(entry, why=_stones(view, seat))


def house(view: View, control: str) -> Move | None:
    """Return what a house control means: skip gives a find back to the sea."""
    return Move(TABLE, "ebb") if control == "skip" and view.phase == Phase.BEACH else None


def keys_for(view: View, move: Move) -> tuple[str, ...]:
    return (str(move.args[0]), LOCK) if move.verb == "throw" else (BACK,)


def prompt(view: View) -> Text:
    if view.phase == Phase.SEA:
        return msg("Watch the sea")
    if view.phase == Phase.BEACH:
        return msg("The first buzzer has it")
    if view.phase == Phase.OVER:
        return msg("The bag is empty")
    if view.you is not None and view.locked[view.you]:
        return msg("Locked; * takes it back")
    return msg("How many stones?") if view.you is None else _stones(view, view.you)


def _stones(view: View, seat: Seat) -> Text:
    return msg("0 to {n} stones, then #", n=view.stones[seat])


def private(view: View, entry: str) -> Text | None:
    """Return how many stones the reader has and throws."""
    if view.you is None or view.phase != Phase.ROCKS:
        return None
    thrown = (entry or "?") if view.throw is None else view.throw
    return msg("{thrown} of {n} stone", "{thrown} of {n} stones", thrown=thrown, n=view.stones[view.you])


def lamps(view: View) -> tuple[Lamp, ...]:
    """Return all lamps. At the rocks one blinks until the throw is locked."""
    if view.phase != Phase.ROCKS:
        return (Lamp.OFF,) * len(view.points)
    return tuple(Lamp.ON if locked else Lamp.BLINK for locked in view.locked)

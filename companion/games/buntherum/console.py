"""Buntherum's console: the buzzer calls, then 1 to 6 name the row and 0 is "impossible"."""

from collections.abc import Mapping
from typing import Final

from companion.core.console import BACK, BUZZ, Call, Deal, Keyed, Lamp, Limit, Race, Stage
from companion.core.move import TABLE, Move, Seat
from companion.core.text import Text, msg, seat_name
from companion.games.buntherum.rules import NOBODY, SIDES, UNKNOWN, Phase, Rulings, View, sides_laid

FIRST_CARD_MS: Final = 500
NEXT_CARD_MS: Final = 1000
"""The pause before a card is turned; set-up and first card together take as long as any later card."""

GIVE_UP: Final = "*"
"""The key by which a seat gives a card up; when all who may call have, it is skipped (BH-A11)."""

ROW_KEYS: Final = "0123456"


def stage(view: View) -> Stage:
    """Say what the referee waits for."""
    rulings = view.rulings
    if view.phase == Phase.SETUP:
        return Stage(deal=Deal(FIRST_CARD_MS, together=True))
    if view.phase == Phase.READY:
        pause_ms = NEXT_CARD_MS if view.turn else FIRST_CARD_MS
        return Stage(deal=Deal(pause_ms, early_controls=_call_controls(rulings)))
    if view.phase == Phase.OPEN:
        race = Race(view.turn, view.callers, _call_controls(rulings), rulings.tie_margin_ms)
        skip = Limit(rulings.nobody_after_s * 1000, Move(TABLE, "nobody"))
        return Stage(race=race, limit=skip if rulings.nobody_after_s else None)
    if view.phase == Phase.LOCKED:
        return Stage(limit=Limit(rulings.declare_s * 1000, Move(TABLE, "late")))
    return Stage()


def _call_controls(rulings: Rulings) -> frozenset[str]:
    return frozenset(ROW_KEYS) if rulings.call_input == "direct" else frozenset({BUZZ})


def called(view: View, winners: tuple[Call, ...]) -> Move:
    """Return the move of a verdict: one caller, with the row in the direct variant, or a tie."""
    if len(winners) > 1:
        return Move(TABLE, "tie", tuple(sorted(call.seat for call in winners)))
    call = winners[0]
    if view.rulings.call_input == "direct":
        return Move(TABLE, "call", (call.seat, int(call.control)))
    return Move(TABLE, "call", (call.seat,))


def early(view: View, seat: Seat) -> Move | None:
    """Return the chip for a press before the card, where the rulings give one: one a card (BH-A14)."""
    due = view.rulings.early_buzz == "chip" and view.phase in {Phase.READY, Phase.OPEN}
    return Move(TABLE, "early", (seat,)) if due and seat in view.callers and seat not in view.early else None


def key(view: View, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
    """Return what a key means: the caller's row, a card given up, or the card that the house names."""
    if seat == TABLE:
        return _card_key(view, entries.get(TABLE, "") + key)
    if view.phase == Phase.LOCKED and seat == view.caller and key in ROW_KEYS:
        return Keyed(move=Move(seat, "declare", (int(key),)))
    if view.phase == Phase.OPEN and seat in view.callers and key == GIVE_UP:
        given_up = {other for other, entry in entries.items() if entry == GIVE_UP} | {seat}
        return Keyed(GIVE_UP, Move(TABLE, "nobody") if given_up >= set(view.callers) else None)
    return Keyed(entries.get(seat, ""), accepted=False)


def _card_key(view: View, typed: str) -> Keyed:
    """Two keys of the house name a card: its object, then its colour, each 1 to 8 in the order of the legend.

    In the set-up first one key, for who is the youngest, and then each starter, from side 1 on.
    """
    if typed[-1] == BACK and len(typed) > 1:
        return Keyed("")
    setting_up = view.phase == Phase.SETUP
    if setting_up and view.flipper == NOBODY:
        youngest = typed in map(str, range(1, len(view.piles) + 1))
        return Keyed(move=Move(TABLE, "youngest", (int(typed) - 1,))) if youngest else Keyed(accepted=False)
    legends = (view.box.objects, view.box.colours)
    wanted = setting_up or (view.card == UNKNOWN and view.phase in {Phase.LOCKED, Phase.JUDGE})
    digit = typed[-1]
    if not wanted or not digit.isdecimal() or not 1 <= int(digit) <= len(legends[len(typed) - 1]):
        return Keyed(typed[:-1], accepted=False)
    if len(typed) == 1:
        return Keyed(typed)
    thing, colour = (int(digit) - 1 for digit in typed)
    card = colour * len(view.box.objects) + thing
    if setting_up:
        return Keyed(move=Move(TABLE, "starter", (sides_laid(view.rows) + 1, card)))
    return Keyed(move=Move(TABLE, "card", (card,)))


def house(view: View, control: str) -> Move | None:
    """Return what a control of the house means: ok turns a real card, skip, right, wrong."""
    if control == "ok" and view.phase == Phase.READY:
        return Move(TABLE, "flip", (UNKNOWN,))
    if control == "skip" and view.phase == Phase.OPEN:
        return Move(TABLE, "nobody")
    if control in {"right", "wrong"} and view.phase == Phase.JUDGE:
        return Move(TABLE, "judge", (int(control == "right"),))
    return None


def keys_for(view: View, move: Move) -> tuple[str, ...]:
    """Return the key of a declaration."""
    return (str(move.args[0]),) if move.verb == "declare" else ()


def prompt(view: View) -> Text:
    """Say what the reader may do now; without a hint, and without telling who has pressed already."""
    you = view.you
    if view.phase == Phase.OVER:
        return msg("The match is over")
    if view.phase == Phase.SETUP:
        return _setup_prompt(view)
    if view.phase == Phase.LOCKED:
        if you == view.caller:
            return msg("Your row: 1 to {sides}, 0 for impossible", sides=SIDES)
        return msg("{seat} has the call", seat=seat_name(view.caller))
    if view.phase == Phase.JUDGE:
        if you is not None:
            return msg("The house judges")
        if view.card == UNKNOWN:
            return msg("House: object, colour; or right or wrong")
        return msg("House: right or wrong?")
    if view.phase == Phase.READY and you == view.flipper:
        return msg("You turn the next card")  # even if you were eliminated by the last one (BH-A7)
    if you is not None and you in view.gone:
        return msg("You are out of this match")
    if you is not None and you not in view.callers:
        return msg("A tie is played off: wait")
    if view.phase == Phase.READY:
        return msg("{seat} turns the next card", seat=seat_name(view.flipper))
    if view.rulings.call_input == "direct":
        return msg("First key counts: 1 to {sides}, 0 for impossible", sides=SIDES)
    return msg("First buzzer counts")


def _setup_prompt(view: View) -> Text:
    """Say what the house keys first: the youngest, then each starter."""
    if view.flipper == NOBODY:
        return msg("Who is the youngest? House: 1 to {seats}", seats=len(view.piles))
    return msg("Starter of side {side}. House: object, colour", side=sides_laid(view.rows) + 1)


def private(_view: View, _entry: str) -> Text | None:
    """Say nothing: no seat has a secret, and one key is a whole move."""
    return None


def lamps(view: View) -> tuple[Lamp, ...]:
    """Return each seat's lamp: on for the caller, blinking for those who play a tie off."""
    seats = range(len(view.piles))
    if view.phase in {Phase.LOCKED, Phase.JUDGE}:
        return tuple(Lamp.ON if seat == view.caller else Lamp.OFF for seat in seats)
    if view.phase == Phase.OVER:
        return (Lamp.OFF,) * len(view.piles)
    return tuple(Lamp.BLINK if view.tie_break and seat in view.callers else Lamp.OFF for seat in seats)

"""Buntherum's console: the buzzer calls, 1 to 6 name the row, 0 means "impossible"."""

from collections.abc import Mapping
from itertools import product
from typing import Final

from companion.core.console import (
    BACK,
    BUZZ,
    Call,
    Code,
    Deal,
    HouseEntry,
    Keyed,
    Lamp,
    Limit,
    PlayerPrompt,
    Race,
    Stage,
    no_effect,
    seat_codes,
)
from companion.core.handicaps import handicaps
from companion.core.key_question import KeyQuestion
from companion.core.move import TABLE, Move, Seat, each_seat
from companion.core.text import Text, msg, seat_name
from companion.games.buntherum.rules import NOBODY, SIDES, UNKNOWN, Phase, Rulings, View, keyed, sides_laid
from companion.games.buntherum.rules.words import word

FIRST_CARD_MS: Final = 500
NEXT_CARD_MS: Final = 1000
"""Pauses before the dealer turns a card. Set-up and first card together last as long as a later card."""

ARM_MS: Final = 1000
"""How long after a shown verdict the next real card may be called, unless its turner presses earlier (BH-A26)."""

LEAST_MS: Final = 900
"""The minimum time for the row: people need 0.5 to 0.9 s from the buzzer to the key (BH-A20)."""

SHARE_PERCENT: Final = 50
"""The time for the row, in percent of the time from the card's appearance to the call (BH-A20)."""

GIVE_UP: Final = "*"
"""The key that gives a card up. The card is skipped when all callers have given up (BH-A11)."""

READ: Final = "B"
"""The house's key for naming an unread card of a row (BH-A27)."""

ROW_KEYS: Final = "0123456"


def stage(view: View) -> Stage:
    return _stage(view)._replace(out=view.gone)


def _stage(view: View) -> Stage:
    rulings = view.rulings
    keying = view.turn if view.card == UNKNOWN else None  # what the house has typed of a card outlives the call
    if view.phase == Phase.SETUP:
        lie = Limit(0, Move(TABLE, "laid")) if view.flipper != NOBODY and not keyed(rulings) else None
        return Stage(deal=Deal(FIRST_CARD_MS, together=True, player_prompt=_asked(view), by_itself=lie))
    if view.phase == Phase.READY:
        return Stage(deal=_next_card(view))
    if view.phase == Phase.OPEN:
        later_ms = handicaps(rulings, len(view.piles))  # BH-A29
        apart_ms = later_ms if any(later_ms) else ()
        race = Race(view.turn, view.callers, _call_controls(rulings), rulings.tie_margin_ms, apart_ms)
        # Nobody reports when a real card is turned, so its time cannot be limited.
        timed = rulings.nobody_after_s and not view.armed
        skip = Limit(rulings.nobody_after_s * 1000, Move(TABLE, "nobody"))
        # Players need not give a card up again when it is named, or when somebody pays for an early press.
        return Stage(race=race, limit=skip if timed else None, keying=view.turn)
    if view.phase == Phase.LOCKED:
        # With `at_once` nobody knows how long a real card has been open.
        share_percent = 0 if view.card == UNKNOWN and rulings.open == "at_once" else SHARE_PERCENT
        late = Limit(int(rulings.declare_s * 1000), Move(TABLE, "late"), LEAST_MS, share_percent)
        return Stage(limit=late, keying=keying)
    return Stage(keying=keying)


def _next_card(view: View) -> Deal:
    controls = _call_controls(view.rulings)
    real, dealt = msg("Last card laid? Press # and turn the next"), msg("Turn the next card: buzzer or #")
    player_prompt = PlayerPrompt(_turners(view), real, offer=dealt)
    at_once = Limit(ARM_MS, Move(TABLE, "flip", (UNKNOWN,)))
    return Deal(
        NEXT_CARD_MS if view.turn else FIRST_CARD_MS,
        early_controls=controls,
        player_prompt=player_prompt,
        by_itself=at_once if view.rulings.open == "at_once" else None,
    )


def _asked(view: View) -> PlayerPrompt | None:
    if view.flipper != NOBODY:
        return None
    offer = msg("Who is youngest? Press your buzzer or # (ok: draw lots)")
    seats = each_seat(len(view.piles))
    return PlayerPrompt(seats, msg("Who is youngest? Press your buzzer or #"), said="first", lot="lot", offer=offer)


def _turners(view: View) -> tuple[Seat, ...]:
    """Return the seat that turns the next card; if it is eliminated, also the next active seat (BH-A7)."""
    if view.flipper not in view.gone:
        return (view.flipper,)
    order = each_seat(len(view.piles))
    after = (*order[view.flipper :], *order[: view.flipper])
    return (view.flipper, next(seat for seat in after if seat not in view.gone))


def _call_controls(rulings: Rulings) -> frozenset[str]:
    return frozenset(ROW_KEYS) if rulings.call_input == "direct" else frozenset({BUZZ})


def called(view: View, winners: tuple[Call, ...]) -> Move:
    if len(winners) > 1:
        return Move(TABLE, "tie", tuple(sorted(call.seat for call in winners)))
    call = winners[0]
    if view.rulings.call_input == "direct":
        return Move(TABLE, "call", (call.seat, int(call.control)))
    return Move(TABLE, "call", (call.seat,))


def early(view: View, seat: Seat) -> Move | None:
    """Return the chip for a press before the card (BH-A14). A seat pays at most one per card."""
    due = view.rulings.early_buzz == "chip" and view.phase in {Phase.READY, Phase.OPEN}
    return Move(TABLE, "early", (seat,)) if due and seat in view.callers and seat not in view.early else None


def key(view: View, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
    if seat == TABLE:
        return _house_key(view, entries.get(TABLE, ""), key)
    if view.phase == Phase.LOCKED and seat == view.caller and key in ROW_KEYS:
        return Keyed(move=Move(seat, "declare", (int(key),)))
    if view.phase == Phase.OPEN and seat in view.callers and key == GIVE_UP:
        given_up = {other for other, entry in entries.items() if entry == GIVE_UP} | {seat}
        return Keyed(GIVE_UP, Move(TABLE, "nobody") if given_up >= set(view.callers) else None)
    return Keyed(entries.get(seat, ""), why=_refused(view, seat))


def _refused(view: View, seat: Seat) -> Text:
    if view.phase == Phase.SETUP:
        return msg("Wait for the first card")
    if view.phase == Phase.LOCKED and seat == view.caller:
        return msg("Rows are 1 to {sides}; 0 means impossible", sides=SIDES)
    if view.phase == Phase.LOCKED:
        return msg("{seat} has the call: only the first counts", seat=seat_name(view.caller))
    if view.phase == Phase.JUDGE:
        return msg("The house judges")
    if seat not in view.callers:
        return _waits(view, seat)
    if view.phase == Phase.READY:
        return msg("The card is not visible yet")
    if view.rulings.call_input == "direct":
        return msg("Your row: 1 to {sides}, 0 for impossible; *: give up", sides=SIDES)
    return msg("Buzz first, then the row; *: give up")


def _house_key(view: View, entry: str, key: str) -> Keyed:
    if key == BACK and entry:
        return Keyed()
    if view.phase != Phase.SETUP:
        if not keyed(view.rulings):
            return Keyed(why=msg("Cards are not entered here: the house judges"))
        reads = (entry or key)[0] == READ
        if reads and not _unread_rows(view):
            return Keyed(why=msg("All cards in the rows are known"))
        if not reads and view.card != UNKNOWN:
            return Keyed(entry, why=msg("No card to name now"))
    read = _house_question(view).read(entry, key)
    return Keyed(entry, why=read) if isinstance(read, Text) else read


def _house_question(view: View) -> KeyQuestion:
    """Return the question that the house's keys answer.

    During set-up: who is youngest, then each starter. Later: the open card, or READ, a row and its unread card.
    """
    setting_up, seats = view.phase == Phase.SETUP, len(view.piles)
    if setting_up and view.flipper == NOBODY:
        youngest = {str(seat + 1): Move(TABLE, "youngest", (seat,)) for seat in range(seats)}
        no_seat = msg("Press the youngest player's seat: 1 to {seats}", seats=seats)
        return KeyQuestion(_setup_prompt(view), youngest, lambda _: no_seat)
    objects, colours, unread = len(view.box.objects), len(view.box.colours), _unread_rows(view)
    cards = {f"{card % objects + 1}{card // objects + 1}": card for card in range(objects * colours)}

    def why(keys: str) -> Text:
        if not setting_up and keys[0] == READ:
            if len(keys) == 2:
                return msg("Rows with unread cards: {rows}", rows=", ".join(map(str, unread)))
            keys = keys[2:]
        if len(keys) == 1:
            return msg("Objects are 1 to {most}", most=objects)
        return msg("Colours are 1 to {most}", most=colours)

    if setting_up:
        side = sides_laid(view.rows) + 1
        starters = {keys: Move(TABLE, "starter", (side, card)) for keys, card in cards.items()}
        return KeyQuestion(_setup_prompt(view), starters, why)
    names = {keys: Move(TABLE, "card", (card,)) for keys, card in cards.items()}
    for row, (keys, card) in product(unread, cards.items()):
        names[f"{READ}{row}{keys}"] = Move(TABLE, "read", (row, card))
    return KeyQuestion(msg("House: object, colour of the card"), names, why)


def _unread_rows(view: View) -> list[int]:
    return [row for row, cards in enumerate(view.rows, 1) if UNKNOWN in cards]


def house_entry(view: View, entry: str) -> HouseEntry | None:
    if view.phase == Phase.SETUP:
        if view.flipper == NOBODY:
            return HouseEntry(_setup_prompt(view), seat_codes(each_seat(len(view.piles))))
        return _naming(view, entry) if keyed(view.rulings) else None
    if view.phase == Phase.READY:
        if view.rulings.open == "at_once" and keyed(view.rulings):
            return _at_hand(view)
        due = view.rulings.open == "ok"
        return HouseEntry(msg("House: ok when the card is turned"), (Code("ok", msg("Next card")),), due=due)
    if entry[:1] == READ:
        return _reading(view, entry)
    is_named = view.card == UNKNOWN and keyed(view.rulings)
    if view.phase == Phase.OPEN:
        return _open_entry(view, entry) if is_named else _skipping(due=view.card == UNKNOWN and not view.armed)
    if view.phase == Phase.LOCKED:
        return _naming(view, entry) if is_named else None
    if view.phase == Phase.JUDGE:
        if is_named:
            return _naming(view, entry)._replace(task=prompt(view))
        return HouseEntry(prompt(view), (Code("right", msg("Right")), Code("wrong", msg("Wrong"))))
    return None


def _open_entry(view: View, entry: str) -> HouseEntry:
    if view.armed or entry:
        return _at_hand(view, entry)
    waits = _skipping(due=True)
    return waits._replace(codes=(*_naming(view, "").codes, Code("skip")))


def _at_hand(view: View, entry: str = "") -> HouseEntry:
    """Return how to name a real card before it is turned, so that players can read the legend."""
    return _naming(view, entry)._replace(due=False, at_hand=True)


def _skipping(*, due: bool) -> HouseEntry:
    skip = Code("skip", msg("Nobody wants the card"))
    return HouseEntry(msg("Does nobody want it? House: skip"), (skip,), due=due)


def _reading(view: View, entry: str) -> HouseEntry:
    if entry == READ:
        rows = tuple(Code(str(row)) for row in _unread_rows(view))
        return HouseEntry(msg("Which row has the unread card?"), rows, due=False)
    return _naming(view, entry[2:])._replace(due=False)


def _naming(view: View, entry: str) -> HouseEntry:
    task, objects, colours = _house_question(view).prompt, view.box.objects, view.box.colours
    if not entry:
        things = (Code(str(key), word(thing), thing) for key, thing in enumerate(objects, 1))
        return HouseEntry(task, tuple(things))
    thing = objects[int(entry[0]) - 1]
    codes = (Code(str(key), word(colour), thing, colour) for key, colour in enumerate(colours, 1))
    return HouseEntry(task, tuple(codes), msg("{object}, which colour?", object=word(thing)))


def house(view: View, control: str) -> Move | None:
    if control == "ok" and view.phase == Phase.READY:
        return Move(TABLE, "flip", (UNKNOWN,))
    if control == "skip" and view.phase == Phase.OPEN:
        return Move(TABLE, "nobody")
    if control in {"right", "wrong"} and view.phase == Phase.JUDGE:
        return Move(TABLE, "judge", (int(control == "right"),))
    return None


def keys_for(view: View, move: Move) -> tuple[str, ...]:
    return (str(move.args[0]),) if move.verb == "declare" else ()


def prompt(view: View) -> Text:
    """Return what the reader may do, without hints and without revealing who has pressed."""
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
        if view.card == UNKNOWN and keyed(view.rulings):
            return msg("House: object, colour; or right or wrong")
        return msg("House: right or wrong?")
    turns = you == view.flipper and (view.phase == Phase.READY or view.armed)
    if turns and (view.phase == Phase.READY or you not in view.callers):
        return msg("You turn the next card")  # even if the last card eliminated you (BH-A7)
    if you is not None and you not in view.callers:
        return _waits(view, you)
    if view.phase == Phase.READY:
        return msg("{seat} turns the next card", seat=seat_name(view.flipper))
    return _call_prompt(view, turns=turns)


def _call_prompt(view: View, *, turns: bool) -> Text:
    calls = msg("First buzzer counts")
    if view.rulings.call_input == "direct":
        calls = msg("First key counts: 1 to {sides}, 0 for impossible", sides=SIDES)
    if view.armed and view.you is None and keyed(view.rulings):
        return msg("{calls}. House: object, colour", calls=calls)
    return msg("You turn the next card. {calls}", calls=calls) if turns else calls


def _waits(view: View, you: Seat) -> Text:
    if you in view.gone:
        return msg("You are out of this match")
    if you in view.late:
        return msg("You named no row: the others play on")
    return msg("Wait: the others play off a tie")


def _setup_prompt(view: View) -> Text:
    if view.flipper == NOBODY:
        if view.you is not None:
            return msg("The youngest turns the first card")
        return msg("Who is youngest? House: 1 to {seats}", seats=len(view.piles))
    return msg("Starter of side {side}. House: object, colour", side=sides_laid(view.rows) + 1)


private: Final = no_effect  # nothing is secret, and every key is a complete move


def lamps(view: View) -> tuple[Lamp, ...]:
    """Return the lamps: on for the caller, blinking for a tie-break."""
    seats = range(len(view.piles))
    if view.phase in {Phase.LOCKED, Phase.JUDGE}:
        return tuple(Lamp.ON if seat == view.caller else Lamp.OFF for seat in seats)
    if view.phase == Phase.OVER:
        return (Lamp.OFF,) * len(view.piles)
    return tuple(Lamp.BLINK if view.tied and seat in view.callers else Lamp.OFF for seat in seats)

"""Böse Buben's console: a card and its lane, the targets of an action, yes or no to a purchase."""

from collections.abc import Mapping
from typing import Final, NoReturn

from companion.core.console import BACK, BUZZ, Call, Deal, Keyed, Lamp, Stage
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.core.text import Text, msg, seat_name
from companion.games.boese_buben.rules import BUY, FREE, LEAVE, Phase, View
from companion.games.boese_buben.rules.cards import CARDS, NAMES, Action, card_text

FIRST_MS: Final = 500
"""The pause before it is drawn who begins."""

TEXT_KEY: Final = "A"
"""Behind a value: the copy with the action text."""

NONE_KEY: Final = "0"
"""Declines an action, as the buzzer does; no lane, place or seat has this number."""

_ANSWERS: Final = {"0": LEAVE, "1": BUY, "2": FREE, BUZZ: BUY}
"""What keys answer; the buzzer says yes."""

_DUE: Final = {Phase.TURN, Phase.ACTION, Phase.MC, Phase.BRIBERY}
"""The phases in which a seat has to do something."""


def stage(view: View) -> Stage:
    """Say what the referee waits for: a draw before the first race, else keys."""
    return Stage(deal=Deal(FIRST_MS, together=True) if view.phase == Phase.SETUP else None)


def called(view: View, winners: tuple[Call, ...]) -> NoReturn:
    """Raise NotImplementedError: this game has no races to a call."""
    raise NotImplementedError("nobody calls in Böse Buben")


def early(view: View, seat: Seat) -> Move | None:
    """Return None: no press is too early here."""
    return None


def action_of(view: View) -> Action:
    """Return what stands on the card placed last, whose text is used now."""
    return view.box.actions[view.last % CARDS]


def key(view: View, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
    """Return what a key means: one step of an entry, or the move that it completes.

    A complete entry is a move even when the rules refuse it, because they say why.
    """
    entry = entries.get(seat, "")
    if key == BACK and entry:
        return Keyed(entry[:-1])
    keyed = None
    if seat == view.mover:
        keyed = _setup_key(view, key) if seat == TABLE else _seat_key(view, seat, entry + key)
    return keyed or Keyed(entry, accepted=False)


def _setup_key(view: View, key: str) -> Keyed | None:
    """The house keys which seat begins."""
    first = _digit(key, len(view.counts))
    return Keyed(move=Move(TABLE, "first", (first - 1,))) if first else None


def _seat_key(view: View, seat: Seat, typed: str) -> Keyed | None:
    """Return what a seat has typed so far, or its move; None when the last key does not fit."""
    if view.phase == Phase.TURN:
        return _play_key(view, seat, typed)
    if view.phase == Phase.BRIBERY:
        fits = typed in _ANSWERS and (typed != "2" or view.free == seat)
        return Keyed(move=SecretMove(seat, "answer", (_ANSWERS[typed],))) if fits else None
    if typed in {NONE_KEY, BUZZ}:
        return Keyed(move=Move(seat, "decline"))
    if view.phase == Phase.MC:
        return _move_mc_key(view, seat, typed)
    return {
        Action.AUSTAUSCH: _exchange_key,
        Action.RAUSWURF: _eject_key,
        Action.RAENGELEI: _reorder_key,
    }[action_of(view)](view, seat, typed)


def _play_key(view: View, seat: Seat, typed: str) -> Keyed | None:
    """A value, the text key for the copy with the text, and the lane."""
    name = typed[0] + "a" * (TEXT_KEY in typed)
    if name not in NAMES:
        return None
    if len(typed) == 1 or typed[1:] == TEXT_KEY:
        return Keyed(typed)
    lane = _digit(typed[-1], len(view.tracks))
    if not lane:
        return None
    index = NAMES.index(name)
    if view.rulings.variant == "basic" and TEXT_KEY not in typed:
        index = _any_copy(view, seat, index)
    return Keyed(move=Move(seat, "play", (index, lane)))


def _any_copy(view: View, seat: Seat, index: int) -> int:
    """Return the plain copy, or the other when only that is in hand: in the basic game both are the same."""
    other = NAMES.index(f"{NAMES[index]}a") if f"{NAMES[index]}a" in NAMES else index
    held = {card % CARDS for card in view.hand}
    return other if index not in held and other in held else index


def _exchange_key(view: View, seat: Seat, typed: str) -> Keyed | None:
    """Lane and place of one card, then of the other, in either order."""
    if not _are_spots(view, typed):
        return None
    if len(typed) < 4:
        return Keyed(typed)
    one, other = sorted((typed[:2], typed[2:]))
    return Keyed(move=Move(seat, "exchange", tuple(map(int, one + other))))


def _eject_key(view: View, seat: Seat, typed: str) -> Keyed | None:
    """Lane and place of a card."""
    if not _are_spots(view, typed):
        return None
    return Keyed(typed) if len(typed) < 2 else Keyed(move=Move(seat, "eject", (int(typed[0]), int(typed[1]))))


def _are_spots(view: View, typed: str) -> bool:
    """Tell whether these are lanes and places at which cards lie."""
    places = typed[1::2] + "1"  # a lane whose place is not typed yet has to have a first one
    for lane, place in zip(typed[::2], places, strict=False):
        number = _digit(lane, len(view.tracks))
        if not number or not _digit(place, len(view.tracks[number - 1])):
            return False
    return True


def _reorder_key(view: View, seat: Seat, typed: str) -> Keyed | None:
    """A lane, and all its places in their new order."""
    lane, order = _digit(typed[0], len(view.tracks)), typed[1:]
    if not lane:
        return None
    cards = len(view.tracks[lane - 1])
    if cards < 2 or len(set(order)) < len(order) or not all(_digit(place, cards) for place in order):
        return None
    if len(order) < cards:
        return Keyed(typed)
    return Keyed(move=Move(seat, "reorder", tuple(map(int, typed))))


def _move_mc_key(view: View, seat: Seat, typed: str) -> Keyed | None:
    """The seat that gives a master of ceremonies away, and the seat that gets it."""
    seats = len(view.counts)
    if not _digit(typed[-1], seats) or typed[1:] == typed[:1]:
        return None
    if len(typed) < 2:
        return Keyed(typed)
    return Keyed(move=Move(seat, "move_mc", (int(typed[0]) - 1, int(typed[1]) - 1)))


def _digit(key: str, most: int) -> int:
    """Return the number from 1 to `most` that a key is, 0 for another key."""
    return int(key) if key.isdecimal() and 1 <= int(key) <= most else 0


def house(view: View, control: str) -> Move | None:
    """Return None: the house has keys here, but no control means a move."""
    return None


def keys_for(view: View, move: Move) -> tuple[str, ...]:
    """Return the keys of a seat's move."""
    if move.verb == "play":
        return (*NAMES[move.args[0]].upper(), str(move.args[1]))
    if move.verb == "decline":
        return (NONE_KEY,)
    if move.verb == "move_mc":
        return tuple(str(seat + 1) for seat in move.args)
    return tuple(map(str, move.args))  # an answer's number is its key


def prompt(view: View) -> Text:
    """Say what the reader may do now, or for whom everybody waits."""
    if view.phase == Phase.OVER:
        return msg("The match is over")
    if view.phase == Phase.SETUP:
        return msg("Who begins? House: 1 to {seats}", seats=len(view.counts))
    if view.you == view.mover:
        return _own_prompt(view)
    who = seat_name(view.mover)
    if view.phase == Phase.TURN:
        return msg("{seat} places a card", seat=who)
    if view.phase == Phase.BRIBERY:
        return msg("{seat}: buy {card} back for {price}?", seat=who, card=card_text(view.card), price=view.price)
    if view.phase == Phase.MC:
        return msg("{seat} may move an MC card", seat=who)
    return msg("{seat} may use the {card}", seat=who, card=card_text(view.last))


_ACTION_PROMPTS: Final = {
    Action.AUSTAUSCH: msg("Swap lane place, lane place; 0 no"),
    Action.RAUSWURF: msg("Throw a 5 or 6: lane place; 0 no"),
    Action.RAENGELEI: msg("Lane, places in new order; 0 no"),
}


def _own_prompt(view: View) -> Text:
    if view.phase == Phase.TURN:
        if view.rulings.variant == "action":
            return msg("Card 0-6, A: text, lane 1-{lanes}", lanes=len(view.tracks))
        return msg("Card 0-6, lane 1-{lanes}", lanes=len(view.tracks))
    if view.phase == Phase.MC:
        return msg("MC card: from, to; 0 no")
    if view.phase == Phase.BRIBERY:
        asked = {"card": card_text(view.card), "price": view.price}
        if not view.price:
            return msg("Take the {card} back? 1 yes, 0 no", **asked)
        if view.free == view.you:
            return msg("Buy {card} back? 1 for {price}, 2 free, 0 no", **asked)
        return msg("Buy {card} back for {price}? 1 yes, 0 no", **asked)
    return _ACTION_PROMPTS[action_of(view)]


def private(view: View, entry: str) -> Text | None:
    """Say what a seat has typed, else what it owns: ducats and hand."""
    if view.purse is None or view.phase == Phase.OVER:
        return None
    ducats = msg("{n} ducat", "{n} ducats", n=view.purse)
    if entry:
        return msg("{ducats}; typed: {entry}", ducats=ducats, entry=entry)
    if view.phase == Phase.BRIBERY and view.you == view.mover and view.purse < view.price:
        return msg("{ducats}: not enough", ducats=ducats)
    hand = sorted(map(card_text, view.hand))
    return msg("{ducats}; {hand}", ducats=ducats, hand=" ".join(hand) or "–")


def lamps(view: View) -> tuple[Lamp, ...]:
    """Return each seat's lamp: on for whoever has to do something."""
    due = view.mover if view.phase in _DUE else None
    return tuple(Lamp.ON if seat == due else Lamp.OFF for seat in range(len(view.counts)))

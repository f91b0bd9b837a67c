"""Böse Buben's console: a card and its lane, the targets of an action, yes or no to a purchase."""

from collections.abc import Mapping
from typing import Final

from companion.core.console import (
    BACK,
    BUZZ,
    NOTHING_TYPED,
    Deal,
    HouseEntry,
    Keyed,
    Lamp,
    Stage,
    digits_of,
    no_effect,
    seat_codes,
)
from companion.core.move import TABLE, Move, Seat, SecretMove, each_seat
from companion.core.text import Text, msg, seat_name
from companion.games.boese_buben.own import (
    TEXT_KEY,
    free_of_all,
    offered,
    own_of,
    price_of,
    price_of_all,
    typed_cards,
)
from companion.games.boese_buben.rules import BUY, FREE, LEAVE, Phase, View
from companion.games.boese_buben.rules.cards import CARDS, NAMES, Action, Card, card_text
from companion.games.boese_buben.rules.reasons import (
    NO_FREE,
    NO_MUD,
    NO_RACE,
    OTHER_SEAT,
    no_card,
    no_lane,
    no_mud,
    no_seat,
    not_the_turn,
    too_dear,
    too_few,
)
from companion.games.boese_buben.text import COLOURS

FIRST_MS: Final = 500
"""The pause before it is drawn who begins."""

NONE_KEY: Final = "0"
"""Declines an action, as the buzzer of a script does; no lane, place or seat has this number."""

YES_KEY: Final = "1"
FREE_KEY: Final = "2"
"""Answer in the bribery, as does NONE_KEY; the buzzer of a script says yes."""

ALL_KEY: Final = "A"
NO_MORE_KEY: Final = "B"
"""Answer for all own cards that are left in a penalty zone."""

PLAIN_KEY: Final = "#"
"""Behind value and lane where it is asked which copy was laid: the one without a text."""

MUD_KEY: Final = "A"
"""Behind a lane: its mud, where an Austausch reaches there."""

_DUE: Final = {Phase.TURN, Phase.ACTION, Phase.MC, Phase.BRIBERY}
"""The phases in which a seat has to do something."""


def stage(view: View) -> Stage:
    """Say what the referee waits for: a draw before the first race, else keys.

    What is keyed for all own cards of a penalty zone stays until that zone is done.
    """
    if view.phase == Phase.SETUP:
        return Stage(deal=Deal(FIRST_MS, together=True))
    zone = view.race * (len(view.tracks) + 1) + view.asked[0]
    return Stage(keying=zone if view.phase == Phase.BRIBERY else None)


# Nobody calls here, and the house has keys, but no control that means a move.
called: Final = no_effect
early: Final = no_effect
house: Final = no_effect


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
    read = _not_due(view) if seat != view.mover else _read(view, seat, entry, key)
    if isinstance(read, Keyed):
        return read
    if isinstance(read, Move):
        return Keyed(move=read)
    if isinstance(read, Text):
        return Keyed(entry, why=read)
    return Keyed(read)


Read = str | Move | Keyed | Text
"""What keys mean: an entry that goes on, the move or moves that it makes, or why the last key does not fit."""


def _not_due(view: View) -> Text:
    """Say to a seat that has nothing to do whom everybody waits for."""
    if view.phase == Phase.OVER:
        return msg("the match is over")
    return NO_RACE if view.phase == Phase.SETUP else not_the_turn(view.mover)[1]


def _read(view: View, seat: Seat, entry: str, key: str) -> Read:
    """Return what a key means behind an entry, to the seat that is due."""
    if key == BACK:
        return NOTHING_TYPED
    if view.phase == Phase.SETUP:
        first, seats = _digit(key), len(view.counts)
        return Move(TABLE, "first", (first - 1,)) if 1 <= first <= seats else no_seat(key, seats)[1]
    if view.phase == Phase.BRIBERY:
        return _answer(view, seat, key)
    if view.phase != Phase.TURN and not entry and key in {NONE_KEY, BUZZ}:
        return Move(seat, "decline")
    if key == BUZZ:
        return msg("the buzzer means nothing here")
    if view.phase == Phase.TURN:
        return _play(view, seat, entry + key)
    if view.phase == Phase.MC:
        return _move_mc(view, seat, entry + key)
    return {Action.AUSTAUSCH: _exchange, Action.RAUSWURF: _eject, Action.RAENGELEI: _reorder}[action_of(view)](
        view, seat, entry + key
    )


def _answer(view: View, seat: Seat, key: str) -> Read:
    """Yes, no, or a card for nothing where there is a right to it; yes or no to all own cards of the zone."""
    if key == FREE_KEY and view.free != seat:
        return NO_FREE
    if key in {ALL_KEY, NO_MORE_KEY} and len(offered(view)) > 1:
        if key == ALL_KEY and view.purse is not None and view.purse < price_of_all(view):
            return too_dear(view.purse)  # bought in part, it would tell who has no more (BB-A13)
        first, *others = (_said(view, seat, key, card) for card in offered(view))
        return Keyed(key, first, then=tuple(others))
    if key in {YES_KEY, FREE_KEY, NONE_KEY, BUZZ}:
        return _said(view, seat, key, view.card)
    return msg("key {key} answers nothing: 1 is yes, 0 is no", key=key)


def _said(view: View, seat: Seat, key: str, card: Card) -> Move:
    """Return what a key says of a card: a right to one for nothing is never spent on what costs nothing."""
    for_nothing = view.free == seat and view.rulings.kostenlos == "all"
    if key in {NONE_KEY, NO_MORE_KEY}:
        said = LEAVE
    elif key == FREE_KEY or for_nothing or (key == ALL_KEY and card == free_of_all(view)):
        said = FREE if view.box.goblins[card % CARDS] else BUY
    else:
        said = BUY
    return SecretMove(seat, "answer", (said,))


def _play(view: View, seat: Seat, typed: str) -> Read:
    """A value, the text key for the copy with the text, the lane; in the basic game perhaps which copy it is."""
    number, behind = typed[0], typed[1:]
    if number not in NAMES:
        return msg("card {key}: the cards are 0 to 6", key=number)
    if not behind:
        return typed
    if behind[0] == TEXT_KEY:
        if f"{number}a" not in NAMES:
            return msg("no {card} has a text: key it without A", card=number)
        return _lane_of(view, seat, f"{number}a", behind[1:], typed)
    if behind[1:]:
        return _copy_of(seat, number, behind)
    if view.rulings.variant == "basic" and 1 <= _digit(behind) <= len(view.tracks):
        if _is_asked_which(view, number):
            return typed
        number = _any_copy(view, number)
    return _lane_of(view, seat, number, behind, typed)


def _lane_of(view: View, seat: Seat, name: str, lane: str, typed: str) -> Read:
    """The lane of a card whose name is complete."""
    if not lane:
        return typed
    if not 1 <= _digit(lane) <= len(view.tracks):
        return no_lane(lane, len(view.tracks))[1]
    return Move(seat, "play", (NAMES.index(name), _digit(lane)))


def _copy_of(seat: Seat, number: str, behind: str) -> Read:
    """Which of two copies was laid, behind its lane."""
    lane, copy = behind[0], behind[1]
    if copy not in {TEXT_KEY, PLAIN_KEY}:
        return msg("key {key} names no copy: A has the text, # none", key=copy)
    name = f"{number}a" if copy == TEXT_KEY else number
    return Move(seat, "play", (NAMES.index(name), _digit(lane)))


def which_copy(number: str) -> Text:
    """Ask which of two copies was laid."""
    return msg("Which {card}? A: with the text, #: plain", card=number)


def _copies(view: View, number: str) -> tuple[int, ...]:
    """Return the indexes of a value that the reader holds."""
    held = {card % CARDS for card in view.hand}
    return tuple(index for index in range(CARDS) if NAMES[index][0] == number and index in held)


def _is_asked_which(view: View, number: str) -> bool:
    """Tell whether the reader holds two copies of a value that differ in their price: then it matters which."""
    return len({view.box.goblins[index] for index in _copies(view, number)}) > 1


def _any_copy(view: View, number: str) -> str:
    """Return the plain copy, or the other when only that is in hand: in the basic game both are the same."""
    held = _copies(view, number)
    return NAMES[held[0]] if held else number


def _exchange(view: View, seat: Seat, typed: str) -> Read:
    """Lane and place of one card, then of the other, in either order."""
    spots = _spots(view, typed, mud=view.rulings.austausch_mud)
    if isinstance(spots, Text):
        return spots
    return typed if len(spots) < 2 else Move(seat, "exchange", sum(sorted(spots), ()))


def _eject(view: View, seat: Seat, typed: str) -> Read:
    """Lane and place of a card."""
    spots = _spots(view, typed, mud=False)
    if isinstance(spots, Text):
        return spots
    lane = _digit(typed[0])
    if not any(move.verb == "eject" and move.args[0] == lane for move in view.moves):
        return msg("in lane {lane} there is no 5 and no 6", lane=lane)
    return Move(seat, "eject", spots[0]) if spots else typed


def _spots(view: View, typed: str, *, mud: bool) -> list[tuple[int, ...]] | Text:
    """Return the lanes and places that are complete, or why these are none at which cards lie."""
    spots: list[tuple[int, ...]] = []
    rest = typed
    while rest:
        lane, in_mud = _digit(rest[0]), rest[1:2] == MUD_KEY
        if not 1 <= lane <= len(view.tracks):
            return no_lane(rest[0], len(view.tracks))[1]
        if in_mud and not mud:
            return NO_MUD
        place, rest = rest[1 + in_mud : 2 + in_mud], rest[2 + in_mud :]
        # A lane whose place is not typed yet has to have a first one.
        if place and not place.isdecimal():
            return _no_number(place)
        number = int(place or 1)
        if in_mud:
            missing = no_mud(view.zones, lane, number)
        elif place or not (mud and view.zones[lane - 1]):
            missing = no_card("BB-R31", view.tracks, lane, number)
        else:
            missing = None
        if missing:
            return missing[1]
        if place:
            spots.append((lane, -number if in_mud else number))
    return spots


def _no_number(key: str) -> Text:
    return msg("key {key} is no number: behind a lane comes a place", key=key)


def _reorder(view: View, seat: Seat, typed: str) -> Read:
    """A lane, and all its places in their new order."""
    lane, order = _digit(typed[0]), typed[1:]
    if not 1 <= lane <= len(view.tracks):
        return no_lane(typed[0], len(view.tracks))[1]
    cards = len(view.tracks[lane - 1])
    if cards < 2:
        return too_few(lane, cards)
    if order and not order[-1].isdecimal():
        return _no_number(order[-1])
    missing = no_card("BB-R33", view.tracks, lane, int(order[-1])) if order else None
    if missing:
        return missing[1]
    if order[-1:] and order[-1] in order[:-1]:
        return msg("place {place} is named already", place=order[-1])
    return typed if len(order) < cards else Move(seat, "reorder", tuple(map(int, typed)))


def _move_mc(view: View, seat: Seat, typed: str) -> Read:
    """The seat that gives a master of ceremonies away, and the seat that gets it."""
    seats = len(view.counts)
    if not 1 <= _digit(typed[-1]) <= seats:
        return no_seat(typed[-1], seats)[1]
    if typed[1:] == typed[:1]:
        return OTHER_SEAT
    return typed if len(typed) < 2 else Move(seat, "move_mc", (int(typed[0]) - 1, int(typed[1]) - 1))


def _digit(key: str) -> int:
    """Return the number that a key is, 0 for another key."""
    return int(key) if key.isdecimal() else 0


def house_entry(view: View, entry: str) -> HouseEntry | None:
    """Return what the house keys: who begins."""
    if view.phase != Phase.SETUP:
        return None
    return HouseEntry(prompt(view), seat_codes(each_seat(len(view.counts)), "goblin", COLOURS))


def keys_for(view: View, move: Move) -> tuple[str, ...]:
    """Return the keys of a seat's move."""
    if move.verb == "play":
        name, lane = NAMES[move.args[0]], str(move.args[1])
        asked = view.rulings.variant == "basic" and name in "123456" and _is_asked_which(view, name)
        return (name, lane, PLAIN_KEY) if asked else (*name.upper(), lane)
    if move.verb == "exchange":
        spots = zip(move.args[::2], move.args[1::2], strict=True)
        return tuple("".join(f"{lane}{MUD_KEY * (place < 0)}{abs(place)}" for lane, place in spots))
    if move.verb == "answer" and view.price == 0:
        return (NONE_KEY,) if move.args == (LEAVE,) else (YES_KEY,)
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
        if view.you is not None:
            return msg("Who begins?")  # a lot says it, or the house, which has a place of its own
        return msg("Who begins? House: 1 to {seats}", seats=len(view.counts))
    if view.you == view.mover:
        return _own_prompt(view)
    who = seat_name(view.mover)
    if view.phase == Phase.TURN:
        return msg("{seat} places a card", seat=who)
    if view.phase == Phase.BRIBERY:
        return msg(
            "{seat}: buy card {card} back, price {price}?", seat=who, card=card_text(view.card), price=view.price
        )
    if view.phase == Phase.MC:
        return msg("{seat} may move an MC card", seat=who)
    if action_of(view) == Action.RAUSWURF and view.rulings.rauswurf == "must":
        return msg("{seat} has to use the text on card {card}", seat=who, card=card_text(view.last))
    return msg("{seat} may use the text on card {card}", seat=who, card=card_text(view.last))


def _action_prompt(view: View, you: Seat) -> Text:
    action, every = action_of(view), range(1, len(view.tracks) + 1)
    lanes = digits_of([lane for lane in every if not isinstance(_read(view, you, "", str(lane)), Text)])
    if action == Action.RAUSWURF:
        if view.rulings.rauswurf == "must":
            return msg("Five or six out: lane {digits}, place", digits=lanes)
        return msg("Five or six out: lane {digits}, place; 0: no", digits=lanes)
    if action == Action.RAENGELEI:
        return msg("New order: lane {digits}, then places; 0: no", digits=lanes)
    if view.rulings.austausch_mud and any(view.zones):
        return msg("Swap two: lane {digits}, A mud, place; 0: no", digits=lanes)
    return msg("Swap two, each: lane {digits}, place; 0: no", digits=lanes)


def _own_prompt(view: View) -> Text:
    if view.phase == Phase.TURN:
        if view.rulings.variant == "action":
            return msg("Card 0-6 (then A: with its text), lane 1-{lanes}", lanes=len(view.tracks))
        if any(_is_asked_which(view, number) for number in NAMES):
            return msg("Card 0-6, lane 1-{lanes}; then A: text, #: plain", lanes=len(view.tracks))
        return msg("Card 0-6, then lane 1-{lanes}", lanes=len(view.tracks))
    if view.phase == Phase.MC:
        return msg("MC card: who gives, who gets, 1-{seats}; 0: no", seats=len(view.counts))
    if view.phase == Phase.BRIBERY:
        asked = {"card": card_text(view.card), "price": view.price}
        if len(offered(view)) > 1:
            if view.free == view.you:
                free = free_of_all(view)
                if free is None:
                    return msg("Buy {card}: 1 pay {price}, 2 free, 0 no, A all, B none", **asked)
                asked["dearest"] = card_text(free)
                return msg("Buy {card}: 1 pay {price}, 2 free, 0 no, A all ({dearest} free), B none", **asked)
            return msg("Card {card}, price {price}: 1 buy, 0 no, A all, B none", **asked)
        if not view.price and view.free == view.you:
            return msg("Card {card} back for nothing? 1, 2: yes, 0: no", **asked)
        if not view.price:
            return msg("Take card {card} back for nothing? 1: yes, 0: no", **asked)
        if view.free == view.you:
            return msg("Buy card {card} back? 1: pay {price}, 2: free, 0: no", **asked)
        return msg("Buy card {card} back, price {price}? 1: yes, 0: no", **asked)
    return _action_prompt(view, view.mover)


def typed(view: View, entry: str) -> Text | None:
    """Say what a seat has typed, or what that leaves open."""
    if view.phase == Phase.TURN and entry[1:].isdecimal():
        return which_copy(entry[0])
    return msg("Typed: {entry}", entry=entry) if entry else None


def private(view: View, entry: str) -> Text | None:
    """Say what a seat owns, ducats and hand, as it will be without the card that it has typed."""
    if view.purse is None or view.phase == Phase.OVER:
        return None
    ducats = msg("{n} ducat", "{n} ducats", n=view.purse)
    if view.phase == Phase.BRIBERY and view.you == view.mover and view.purse < view.price:
        return msg("{ducats}: not enough", ducats=ducats)
    if view.phase == Phase.BRIBERY and view.you == view.mover and len(offered(view)) > 1:
        prices = (f"{card_text(card)}: {price_of(view, card)}" for card in offered(view))
        return msg("{ducats}; {hand}", ducats=ducats, hand=", ".join(prices))
    hand = sorted(map(card_text, view.hand))
    if view.phase == Phase.TURN:
        for card in typed_cards(view, entry)[:1]:
            hand.remove(card_text(card))
    return msg("{ducats}; {hand}", ducats=ducats, hand=" ".join(hand) or "–")


own: Final = own_of


def lamps(view: View) -> tuple[Lamp, ...]:
    """Return each seat's lamp: on for whoever has to do something."""
    due = view.mover if view.phase in _DUE else None
    return tuple(Lamp.ON if seat == due else Lamp.OFF for seat in range(len(view.counts)))

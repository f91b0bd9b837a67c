"""Why a move is refused, and what is allowed instead."""

from typing import Final

from companion.core.choices import Args
from companion.core.move import Seat
from companion.core.text import Text, msg, seat_name
from companion.core.verbs import Reason
from companion.games.boese_buben.rules.cards import (
    CARDS,
    NAMES,
    VALUES,
    Tracks,
    card_text,
    lying,
    owner,
    value,
)
from companion.games.boese_buben.rules.components import BUY, FREE, Phase, State, action_of
from companion.games.boese_buben.rules.turn import must_throw

Why = tuple[str, Text]
"""A rule paragraph and its explanation."""

# --- Things that do not exist -----------------------------------------------------------------------------


def no_seat(number: int | str, seats: int) -> Why:
    """Return why a seat does not exist. `number` counts from 1, or is a wrong key."""
    return "BB-R4", msg("{number} is not a seat: the seats are 1 to {seats}", number=number, seats=seats)


def no_lane(lane: int | str, lanes: int) -> Why:
    return "BB-R2", msg("{lane} is not a lane: the lanes are 1 to {lanes}", lane=lane, lanes=lanes)


def no_card(rule: str, tracks: Tracks, lane: int, place: int) -> Why | None:
    """Return the reason if a place of a track is empty."""
    if not 1 <= lane <= len(tracks):
        return no_lane(lane, len(tracks))
    cards = len(tracks[lane - 1])
    if 1 <= place <= cards:
        return None
    if not cards:
        return rule, msg("lane {lane} is empty", lane=lane)
    return rule, msg(
        "no place {place}: lane {lane} has {n} card",
        "no place {place}: lane {lane} has {n} cards",
        place=place,
        lane=lane,
        n=cards,
    )


def no_mud(zones: Tracks, lane: int, place: int) -> Why | None:
    if not 1 <= lane <= len(zones):
        return no_lane(lane, len(zones))
    cards = len(zones[lane - 1])
    if 1 <= place <= cards:
        return None
    if not cards:
        return "BB-A23", msg("the mud of lane {lane} is empty", lane=lane)
    return "BB-A23", msg(
        "no place {place}: the mud of lane {lane} has {n} card",
        "no place {place}: the mud of lane {lane} has {n} cards",
        place=place,
        lane=lane,
        n=cards,
    )


# --- Whose turn it is -------------------------------------------------------------------------------------

_FIRST: Final[dict[str, Reason]] = {
    Phase.TURN: msg("first play a card: you must if you can"),
    Phase.ACTION: msg("first use your card's action or skip it"),
    Phase.MC: msg("first move an MC card or skip the action"),
    Phase.BRIBERY: ("BB-R18", msg("first say whether you buy your card back")),
}


_MUST_THROW: Final = ("BB-A19", msg("you must throw out a 5 or a 6"))


NO_RACE: Final = msg("first choose who begins")


def not_due(state: State, seat: Seat, _: Args) -> Reason:
    if state.phase == Phase.SETUP:
        return "BB-R4", NO_RACE
    if seat != state.mover:
        return not_the_turn(state.mover)
    if must_throw(state.phase, action_of(state), state.terms.rulings):
        return _MUST_THROW
    return _FIRST[state.phase]


def not_the_turn(mover: Seat) -> Why:
    return "BB-R4", msg("it's {seat}'s turn", seat=seat_name(mover))


# --- Wrong arguments --------------------------------------------------------------------------------------


def no_first(state: State, _: Seat, args: Args) -> Reason:
    return no_seat(args[0] + 1 if args else 0, state.terms.seats)


def no_play(state: State, seat: Seat, args: Args) -> Reason:
    if len(args) != 2:
        return "BB-R5", msg("name a card and its lane")
    index, lane = args
    if not 1 <= lane <= len(state.tracks):
        return no_lane(lane, len(state.tracks))
    if not 0 <= index < CARDS:
        return "BB-R1", msg("there is no such card")
    if not state.hands[seat] >> index & 1:
        return "BB-R5", msg("you do not hold the {card}", card=NAMES[index])
    track, number = state.tracks[lane - 1], VALUES[index]
    if number not in map(value, track):
        return "BB-A2", msg("a {value} is already in the mud of lane {lane}", lane=lane, value=number)
    falling = len(track) == state.terms.box.track_limit and value(track[0]) == number
    return "BB-R7" if falling else "BB-R6", msg("lane {lane} already has a {value}", lane=lane, value=number)


def no_exchange(state: State, _: Seat, args: Args) -> Reason:
    if len(args) != 4:
        return "BB-R31", msg("name two cards, each by lane and place")
    one, other = args[:2], args[2:]
    for lane, place in (one, other):
        if place < 0 and not state.terms.rulings.austausch_mud:
            return "BB-A23", NO_MUD
        missing = no_card("BB-R31", state.tracks, lane, place) if place > 0 else no_mud(state.zones, lane, -place)
        if missing:
            return missing
    if one == other:
        return "BB-R31", msg("that is the same card twice: name two cards")
    card, rival = (lying(state.tracks, state.zones, spot) for spot in (one, other))
    if value(card) != value(rival):
        return "BB-R31", msg(
            "a {one} and a {other}: only equal numbers can be swapped", one=card_text(card), other=card_text(rival)
        )
    if owner(card) == owner(rival):
        whose = seat_name(owner(card))
        return "BB-R31", msg("both cards are {seat}'s: swap cards of two players", seat=whose)
    return "BB-R31", msg("name the card of the upper lane first")


NO_MUD: Final = msg("cards in the mud cannot be swapped")


def no_eject(state: State, _: Seat, args: Args) -> Reason:
    if len(args) != 2:
        return "BB-R32", msg("name one card by lane and place")
    lane, place = args
    card = no_card("BB-R32", state.tracks, lane, place)
    if card:
        return card
    lies = card_text(state.tracks[lane - 1][place - 1])
    return "BB-R32", msg("that is a {card}: only a 5 or a 6 can be thrown out", card=lies)


def no_reorder(state: State, _: Seat, args: Args) -> Reason:
    lane, order = (args[0] if args else 0), args[1:]
    if not 1 <= lane <= len(state.tracks):
        return no_lane(lane, len(state.tracks))
    cards = len(state.tracks[lane - 1])
    if cards < 2:
        return "BB-R33", too_few(lane, cards)
    if sorted(order) != list(range(1, cards + 1)):
        return "BB-R33", msg("lane {lane}: name each place from 1 to {places} once", lane=lane, places=cards)
    return "BB-R33", msg("lane {lane} is already in this order", lane=lane)


def too_few(lane: int, cards: int) -> Text:
    return msg(
        "lane {lane} has {n} card: nothing to reorder",
        "lane {lane} has {n} cards: nothing to reorder",
        lane=lane,
        n=cards,
    )


def no_decline(state: State, _: Seat, __: Args) -> Reason:
    if must_throw(state.phase, action_of(state), state.terms.rulings):
        return _MUST_THROW
    return "BB-R28", msg("to skip an action, name nothing else")


def no_mc(state: State, _: Seat, args: Args) -> Reason:
    if len(args) != 2:
        return "BB-R30", msg("name two seats: who gives the MC card, who gets it")
    giver, taker = args
    for seat in args:
        if not 0 <= seat < state.terms.seats:
            return no_seat(seat + 1, state.terms.seats)
    if giver == taker:
        return "BB-R30", OTHER_SEAT
    return "BB-R30", msg("{seat} has no MC card", seat=seat_name(giver))


OTHER_SEAT: Final = msg("an MC card must go to another seat")


def no_answer(state: State, seat: Seat, args: Args) -> Reason:
    """Return why this is not an answer. Only the owner may read it."""
    if args == (FREE,):
        return NO_FREE if state.books.free != seat else msg("a zero is free anyway: 0 leaves it, 1 takes it")
    if args != (BUY,):
        return msg("0 leaves the card, 1 buys it back")
    if state.books.free == seat and state.terms.rulings.kostenlos == "all":
        return msg("all your cards are free now: 0 leaves this one, 2 takes it")
    return too_dear(state.books.purses[seat])


def too_dear(ducats: int) -> Text:
    return msg("You have {n} ducat: not enough. 0: no", "You have {n} ducats: not enough. 0: no", n=ducats)


NO_FREE: Final = msg("you have no free card now")

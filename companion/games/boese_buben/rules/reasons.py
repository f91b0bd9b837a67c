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
    return "BB-R4", msg("seat {number}: the seats are 1 to {seats}", number=number, seats=seats)


def no_lane(lane: int | str, lanes: int) -> Why:
    return "BB-R2", msg("lane {lane}: the lanes are 1 to {lanes}", lane=lane, lanes=lanes)


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
        "place {place}: lane {lane} has {n} card",
        "place {place}: lane {lane} has {n} cards",
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
        "place {place}: the mud of lane {lane} has {n} card",
        "place {place}: the mud of lane {lane} has {n} cards",
        place=place,
        lane=lane,
        n=cards,
    )


# --- Whose turn it is -------------------------------------------------------------------------------------

_FIRST: Final[dict[str, Reason]] = {
    Phase.TURN: msg("first lay a card: nobody passes who can lay one"),
    Phase.ACTION: msg("first use the text of your card, or leave it"),
    Phase.MC: msg("first move an MC card, or leave it"),
    Phase.BRIBERY: ("BB-R18", msg("first answer whether you buy your card back")),
}


_MUST_THROW: Final = ("BB-A19", msg("here a 5 or a 6 has to be thrown out"))


NO_RACE: Final = msg("first it is said who begins")


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
        return "BB-R5", msg("a card and its lane are named")
    index, lane = args
    if not 1 <= lane <= len(state.tracks):
        return no_lane(lane, len(state.tracks))
    if not 0 <= index < CARDS:
        return "BB-R1", msg("there is no such card")
    if not state.hands[seat] >> index & 1:
        return "BB-R5", msg("you do not hold the {card}", card=NAMES[index])
    track, number = state.tracks[lane - 1], VALUES[index]
    if number not in map(value, track):
        return "BB-A2", msg("a {value} lies in the mud of lane {lane}", lane=lane, value=number)
    falling = len(track) == state.terms.box.track_limit and value(track[0]) == number
    return "BB-R7" if falling else "BB-R6", msg("lane {lane} shows a {value} already", lane=lane, value=number)


def no_exchange(state: State, _: Seat, args: Args) -> Reason:
    if len(args) != 4:
        return "BB-R31", msg("two cards are named, each by its lane and its place")
    one, other = args[:2], args[2:]
    for lane, place in (one, other):
        if place < 0 and not state.terms.rulings.austausch_mud:
            return "BB-A23", NO_MUD
        missing = no_card("BB-R31", state.tracks, lane, place) if place > 0 else no_mud(state.zones, lane, -place)
        if missing:
            return missing
    if one == other:
        return "BB-R31", msg("this is one card: name another one, too")
    card, rival = (lying(state.tracks, state.zones, spot) for spot in (one, other))
    if value(card) != value(rival):
        return "BB-R31", msg(
            "a {one} and a {other}: only equal numbers are swapped", one=card_text(card), other=card_text(rival)
        )
    if owner(card) == owner(rival):
        whose = seat_name(owner(card))
        return "BB-R31", msg("both are of {seat}: swap cards of two players", seat=whose)
    return "BB-R31", msg("the card of the upper lane is named first")


NO_MUD: Final = msg("cards in the mud are not swapped here")


def no_eject(state: State, _: Seat, args: Args) -> Reason:
    if len(args) != 2:
        return "BB-R32", msg("one card is named, by its lane and its place")
    lane, place = args
    card = no_card("BB-R32", state.tracks, lane, place)
    if card:
        return card
    lies = card_text(state.tracks[lane - 1][place - 1])
    return "BB-R32", msg("a {card} lies there: only a 5 or a 6 is thrown out", card=lies)


def no_reorder(state: State, _: Seat, args: Args) -> Reason:
    lane, order = (args[0] if args else 0), args[1:]
    if not 1 <= lane <= len(state.tracks):
        return no_lane(lane, len(state.tracks))
    cards = len(state.tracks[lane - 1])
    if cards < 2:
        return "BB-R33", too_few(lane, cards)
    if sorted(order) != list(range(1, cards + 1)):
        return "BB-R33", msg("lane {lane}: name each of its places 1 to {places} once", lane=lane, places=cards)
    return "BB-R33", msg("lane {lane} lies in this order already", lane=lane)


def too_few(lane: int, cards: int) -> Text:
    return msg(
        "lane {lane} has {n} card to put in order", "lane {lane} has {n} cards to put in order", lane=lane, n=cards
    )


def no_decline(state: State, _: Seat, __: Args) -> Reason:
    if must_throw(state.phase, action_of(state), state.terms.rulings):
        return _MUST_THROW
    return "BB-R28", msg("nothing is named when an action is left")


def no_mc(state: State, _: Seat, args: Args) -> Reason:
    if len(args) != 2:
        return "BB-R30", msg("who gives an MC card, who gets it: two seats")
    giver, taker = args
    for seat in args:
        if not 0 <= seat < state.terms.seats:
            return no_seat(seat + 1, state.terms.seats)
    if giver == taker:
        return "BB-R30", OTHER_SEAT
    return "BB-R30", msg("{seat} has no MC card", seat=seat_name(giver))


OTHER_SEAT: Final = msg("an MC card goes to another seat")


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


NO_FREE: Final = msg("you have no right to a free card now")

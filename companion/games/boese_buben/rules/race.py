"""A race from its first turn to its last prize, and on to the next (BB-R9 to BB-R17, BB-R21, BB-R23)."""

from collections.abc import Sequence
from functools import cache

from companion.core.choices import Args
from companion.core.event import Event, event
from companion.core.move import Move, Seat, each_seat
from companion.games.boese_buben.rules import kinds
from companion.games.boese_buben.rules.cards import (
    CARDS,
    NO_CARD,
    NOBODY,
    Action,
    lane_result,
    owner,
)
from companion.games.boese_buben.rules.choices import can_place
from companion.games.boese_buben.rules.components import NOT_ASKED, Books, Phase, State, Told, with_added
from companion.games.boese_buben.rules.end import end_match

# --- A turn (BB-R5 to BB-R9) ----------------------------------------------------------------------------


def next_turn(state: State, events: list[Event]) -> Told:
    """Give the turn to the next seat."""
    return give_turn(state, Seat(state.mover + 1), events)


def give_turn(state: State, first: Seat, events: list[Event]) -> Told:
    """Give the turn to the first seat clockwise that can place a card (BB-R4); the others skip (BB-R9, BB-A1)."""
    terms, books, _, _, last, tracks, zones, hands, asked = state
    for step in range(terms.seats):
        seat = Seat((first + step) % terms.seats)
        if can_place(hands[seat], tracks):
            if step:
                events += [event(kinds.Skips(), Seat((first + before) % terms.seats)) for before in range(step)]
            return State(terms, books, Phase.TURN, seat, last, tracks, zones, hands, asked), events
    return end_race(state, NOBODY, events)  # BB-R12, BB-A6


# --- The end of a race (BB-R10 to BB-R12, BB-R29, BB-R30) -----------------------------------------------


def end_race(state: State, ender: Seat, events: list[Event]) -> Told:
    books, terms = state.books, state.terms
    if ender == NOBODY:
        return score_race(state, [*events, event(kinds.EarlyEnd(race=books.race))])  # BB-A5, BB-A28
    mc = with_added(books.mc, ender, 1)  # BB-R11
    events += [event(kinds.RaceEnd(race=books.race), ender), event(kinds.Mc(cards=mc[ender]), ender)]
    action = terms.actions[state.last % CARDS]
    free = ender if action == Action.KOSTENLOS and books.race < terms.box.races else NOBODY  # BB-A26
    if free != NOBODY:
        events.append(event(kinds.FreeRight(cards=terms.rulings.kostenlos), ender))
    state = state._replace(books=books._replace(mc=mc, free=free))
    if action == Action.SCHIEBUNG:
        return state._replace(phase=Phase.MC, mover=ender), events  # BB-A27
    return score_race(state, events)


def mc_moves(state: State) -> Sequence[Move]:
    seats = each_seat(state.terms.seats)
    moves = [
        Move(state.mover, "move_mc", (giver, taker))
        for giver in seats
        for taker in seats
        if state.books.mc[giver] and taker != giver
    ]
    return [*moves, Move(state.mover, "decline")]


def apply_move_mc(state: State, args: Args) -> Told:
    giver, taker = map(Seat, args)
    mc = with_added(with_added(state.books.mc, giver, -1), taker, 1)
    moved = event(kinds.McMoved(source=giver, seats=(taker,), cards=mc[taker]), state.mover)
    return score_race(state._replace(books=state.books._replace(mc=mc)), [moved])


# --- Scoring (BB-R13 to BB-R17) -------------------------------------------------------------------------


def score_race(state: State, events: list[Event]) -> Told:
    books, prize = state.books, state.terms.box.lane_prize
    results = tuple(lane_result(track, state.terms.rulings.monochrome_lane) for track in state.tracks)
    purses = books.purses
    for lane, (winner, why) in enumerate(results, 1):
        if winner == NOBODY:
            events.append(_lane_told(lane, None, why, 0))
            continue
        events.append(_lane_told(lane, winner, why, prize))
        purses = with_added(purses, winner, prize)
    paid = sum(purses) - sum(books.purses)
    after = books._replace(purses=purses, bank=books.bank - paid, results=results)
    events += bank_warning(books, after)
    state = state._replace(books=after)
    if books.race < state.terms.box.races:
        return ask_owner(state, 1, 1, events)
    return end_match(state, events)  # BB-R22


@cache
def _lane_told(lane: int, winner: Seat | None, why: str, ducats: int) -> Event:
    return event(kinds.Lane(lane=lane, why=why, ducats=ducats), winner)


def bank_warning(before: Books, after: Books) -> list[Event]:
    return [event(kinds.BankEmpty())] if before.bank >= 0 > after.bank else []  # BB-A33


# --- Bribery (BB-R18 to BB-R22) -------------------------------------------------------------------------


def ask_owner(state: State, lane: int, place: int, events: list[Event]) -> Told:
    """Ask for the next penalty card, from this one on: lanes from the top, oldest card first (BB-A12)."""
    terms, books, _, _, last, tracks, zones, hands, _ = state
    for later in range(lane, len(zones) + 1):
        zone = zones[later - 1]
        if place <= len(zone):
            seat, asked = owner(zone[place - 1]), (later, place)
            return State(terms, books, Phase.BRIBERY, seat, last, tracks, zones, hands, asked), events
        place = 1
    return _next_race(state, events)


# --- The next race, and the end (BB-R23 to BB-R27) ------------------------------------------------------


def _next_race(state: State, events: list[Event]) -> Told:
    books, seats = state.books, state.terms.seats
    left = sum(state.zones, ())
    if left:
        events.append(event(kinds.Removed(cards=len(left))))  # BB-R21
    last = owner(state.last)
    if state.last == NO_CARD or state.terms.rulings.next_start == "after_starter":
        last = books.starter  # BB-A16
    state = state._replace(
        books=books._replace(free=NOBODY, out=books.out + left), zones=((),) * len(state.zones), asked=NOT_ASKED
    )
    return begin_race(state, Seat((last + 1) % seats), events)


def begin_race(state: State, starter: Seat, events: list[Event]) -> Told:
    # BB-R23: the tracks stay as they are, nobody gets new cards. BB-A7: perhaps nobody can place one.
    books = state.books._replace(race=state.books.race + 1, starter=starter)
    events.append(event(kinds.Race(race=books.race), starter))
    return give_turn(state._replace(books=books, last=NO_CARD), starter, events)

"""A race: turns, end, scoring and the start of the next one (BB-R9 to BB-R17, BB-R21, BB-R23)."""

from typing import Final

from companion.core.choices import Args, Choices
from companion.core.move import Seat, each_seat, with_added
from companion.core.verbs import Told, tell
from companion.games.boese_buben.rules import kinds
from companion.games.boese_buben.rules.cards import (
    CARDS,
    NO_CARD,
    NOBODY,
    Action,
    Tracks,
    lane_result,
    owner,
)
from companion.games.boese_buben.rules.choices import can_place
from companion.games.boese_buben.rules.components import (
    BRIBERY,
    NOT_ASKED,
    TURN,
    Books,
    Phase,
    State,
    asked_card,
    barring,
)
from companion.games.boese_buben.rules.end import end_match

# --- A turn (BB-R5 to BB-R9) ----------------------------------------------------------------------------


def next_turn(state: State, told: Told) -> State:
    return give_turn(state, state.mover + 1, told)


def give_turn(state: State, first: int, told: Told) -> State:
    """Give the turn to the first seat from `first` on that can place a card (BB-R4); else end the race."""
    lanes, seats = barring(state.terms.rulings, state.tracks, state.zones), state.terms.seats
    for step in range(seats):
        seat = (first + step) % seats
        if can_place(state.hands[seat], lanes):
            for skipped in range(first, first + step):
                tell(told, kinds.Skips, Seat(skipped % seats))  # BB-R9, BB-A1
            return state._replace(phase=TURN, mover=Seat(seat))
    return end_race(state, NOBODY, told)  # BB-R12, BB-A6


# --- The end of a race (BB-R10 to BB-R12, BB-R29, BB-R30) -----------------------------------------------


def end_race(state: State, ender: Seat, told: Told) -> State:
    """End the race. `ender` gets an MC card unless it is NOBODY."""
    books, terms = state.books, state.terms
    if ender == NOBODY:
        tell(told, kinds.EarlyEnd, race=books.race)
        return score_race(state, told)  # BB-A5, BB-A28
    mc = with_added(books.mc, ender, 1)  # BB-R11
    action = terms.actions[state.last % CARDS]
    free = ender if action == Action.KOSTENLOS and books.race < terms.box.races else NOBODY  # BB-A26
    tell(told, kinds.RaceEnd, ender, race=books.race)
    tell(told, kinds.Mc, ender, cards=mc[ender])
    if free != NOBODY:
        tell(told, kinds.FreeRight, ender, cards=terms.rulings.kostenlos)
    state = state._replace(books=books._replace(mc=mc, free=free))
    if action == Action.SCHIEBUNG:
        return state._replace(phase=Phase.MC, mover=ender)  # BB-A27
    return score_race(state, told)


def mc_moves(state: State, _: Seat) -> Choices:
    seats = each_seat(state.terms.seats)
    return [(giver, taker) for giver in seats for taker in seats if state.books.mc[giver] and taker != giver]


def apply_move_mc(state: State, seat: Seat, args: Args, told: Told) -> State:
    giver, taker = map(Seat, args)
    mc = with_added(with_added(state.books.mc, giver, -1), taker, 1)
    tell(told, kinds.McMoved, seat, source=giver, seats=(taker,), cards=mc[taker])
    return score_race(state._replace(books=state.books._replace(mc=mc)), told)


# --- Scoring (BB-R13 to BB-R17) -------------------------------------------------------------------------


def score_race(state: State, told: Told) -> State:
    """Pay for the lanes, then begin the bribery or end the match."""
    terms, books = state.terms, state.books
    prize = terms.box.lane_prize
    results = tuple([lane_result(track, terms.rulings.monochrome_lane) for track in state.tracks])
    purses, paid = list(books.purses), 0
    for lane, (winner, why) in enumerate(results, 1):
        won = 0 if winner == NOBODY else prize
        if won:
            purses[winner] += prize
            paid += prize
        tell(told, kinds.Lane, None if winner == NOBODY else winner, lane, why, won)
    after = books._replace(purses=tuple(purses), bank=books.bank - paid, results=results)
    warn_of_bank(books, after, told)
    scored = state._replace(books=after, phase=BRIBERY, mover=NOBODY)
    if books.race < terms.box.races:
        return ask_owner(scored, FIRST, told)
    return end_match(scored, told)  # BB-R22


def warn_of_bank(before: Books, after: Books, told: Told) -> None:
    if before.bank >= 0 > after.bank:
        tell(told, kinds.BankEmpty)  # BB-A33


# --- Bribery (BB-R18 to BB-R22) -------------------------------------------------------------------------

FIRST: Final = (1, 1)


def ask_owner(state: State, start: tuple[int, int], told: Told) -> State:
    """Ask about the next penalty card from `start` on, or begin the next race."""
    asked = next_asked(state.zones, start)
    if asked == NOT_ASKED:
        return next_race(state, told)
    return state._replace(mover=owner(asked_card(state.zones, asked)), asked=asked)


def next_asked(zones: Tracks, start: tuple[int, int]) -> tuple[int, int]:
    """Return the (lane, place) of the next penalty card: top lane first, oldest card first (BB-A12)."""
    lane, place = start
    if place <= len(zones[lane - 1]):
        return start
    for later in range(lane, len(zones)):
        if zones[later]:
            return later + 1, 1
    return NOT_ASKED


# --- The next race (BB-R23, BB-R24) ---------------------------------------------------------------------


def next_race(state: State, told: Told) -> State:
    last = owner(state.last)
    if state.last == NO_CARD or state.terms.rulings.next_start == "after_starter":
        last = state.books.starter  # BB-A16
    return begin_race(state, Seat((last + 1) % state.terms.seats), told)


def begin_race(state: State, starter: Seat, told: Told) -> State:
    # BB-R23: tracks and hands stay as they are. BB-A7: it is possible that nobody can place a card.
    books, left = state.books, sum(state.zones, ())
    books = books._replace(race=books.race + 1, starter=starter, free=NOBODY, out=books.out + left)
    if left:
        tell(told, kinds.Removed, cards=len(left))  # BB-R21
    tell(told, kinds.Race, starter, race=books.race)
    zones = ((),) * len(state.zones)
    return give_turn(state._replace(books=books, last=NO_CARD, zones=zones, asked=NOT_ASKED), starter, told)

"""A turn: a card is turned, called for, declared and judged (BH-R6 to BH-R15)."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from companion.core.event import Event, event
from companion.core.move import TABLE, Seat
from companion.games.buntherum.rules import kinds
from companion.games.buntherum.rules.components import (
    NO_CARD,
    NOBODY,
    SIDES,
    UNKNOWN,
    Card,
    Phase,
    State,
    callers,
    card_name,
    draw_pile,
    fits,
    laid,
    with_added,
    without_unseen,
)
from companion.games.buntherum.rules.end import end_match


def top_known(state: State) -> Card:
    """Return the next card when everybody has seen it go under the draw pile, else UNKNOWN."""
    if state.source == TABLE and not state.fresh and state.under:
        return state.under[0]
    return UNKNOWN


def apply_flip(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    card, top = args[0], top_known(state)
    if top != UNKNOWN and card == UNKNOWN:
        # A known card that is turned unread may be any again: it has to be named or judged like any other.
        state = state._replace(unseen=tuple(sorted((*state.unseen, top))))
    elif top == UNKNOWN and card != UNKNOWN:
        state = without_unseen(state, card)
    if state.source != TABLE:
        state = state._replace(piles=with_added(state.piles, state.source, -1))
    elif state.fresh:
        state = state._replace(fresh=state.fresh - 1)
    else:
        state = state._replace(under=state.under[1:])
    state = state._replace(phase=Phase.OPEN, card=card, turn=state.turn + 1)
    shown = event(kinds.Flip(card=card_name(state, card), source=state.source, seats=callers(state)), state.flipper)
    return state, [shown]


def apply_early(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    # BH-A14: at most one chip a card, or a nervous hand would be out before it has played.
    seat, due = Seat(args[0]), state.source
    state, events = _chip(state._replace(early=(*state.early, seat)), seat)
    events.insert(0, event(kinds.Early(), seat))
    if state.group and not callers(state):
        state = state._replace(group=())
    if state.phase != Phase.READY or seat not in state.gone:
        return state, events
    if state.source == TABLE and not draw_pile(state):
        return end_match(state, "empty_pile", events)  # BH-A10: the pile that was due left with its owner
    if state.source != due:
        events.append(turn_next(state))
    return state, events


def apply_call(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    caller = Seat(args[0])
    state = state._replace(phase=Phase.LOCKED, caller=caller)
    events = [_plain(kinds.Call, caller)]
    if len(args) == 1:
        return state, events
    state, judged = apply_declare(state, args[1:])
    return state, events + judged


def apply_tie(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    # BH-R15, BH-A15: the flipper stays if uninvolved; else the next uninvolved seat; else the flipper again.
    tied = tuple(map(Seat, args))
    order = [Seat((state.flipper + step) % state.seats) for step in range(state.seats)]
    free = [seat for seat in order if seat not in tied and seat not in state.gone]
    flipper = free[0] if free else state.flipper
    state, under = _card_under(state)
    state, turn = _ready(state, flipper, TABLE, group=tied)
    return state, [event(kinds.Tie(seats=tied)), *under, *turn]


def apply_nobody(state: State, _: tuple[int, ...]) -> tuple[State, list[Event]]:
    state, under = _card_under(state)
    state, turn = _ready(state, state.flipper, TABLE)
    return state, [event(kinds.Nobody()), *under, *turn]


def apply_late(state: State, _: tuple[int, ...]) -> tuple[State, list[Event]]:
    # BH-A20
    late = event(kinds.Late(), state.caller)
    if state.rulings.late_declare == "skip":
        state, under = _card_under(state)
        state, turn = _ready(state, state.flipper, TABLE)
        return state, [late, *under, *turn]
    state, events = _wrong(state)
    return state, [late, *events]


def apply_declare(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    said = args[0]
    state = state._replace(said=said)
    declared = _declared(said, state.caller)
    verdict = _judged(state)
    if verdict is None:
        return state._replace(phase=Phase.JUDGE), [declared]
    state, events = _right(state) if verdict else _wrong(state)
    return state, [declared, *events]


def apply_card(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    state = without_unseen(state, args[0])._replace(card=args[0])
    events = [event(kinds.Card(card=card_name(state, args[0])))]
    verdict = _judged(state) if state.phase == Phase.JUDGE else None
    if verdict is None:
        return state, events
    state, judged = _right(state) if verdict else _wrong(state)
    return state, events + judged


def apply_judge(state: State, args: tuple[int, ...]) -> tuple[State, list[Event]]:
    return _right(state) if args[0] else _wrong(state)


def _judged(state: State) -> bool | None:
    """Tell whether the declaration is true; None when unknown cards leave that to the house."""
    if state.said:
        return fits(state, state.card, state.said)
    answers = [fits(state, state.card, row) for row in range(1, SIDES + 1)]
    if True in answers:
        return False  # BH-R14
    return None if None in answers else True  # BH-R12


def _right(state: State) -> tuple[State, list[Event]]:
    # BH-R9, BH-R12: who is right turns the top card of the own pile; BH-R16: unless it is the last one.
    seat = state.caller
    events = [_plain(kinds.Right, seat)]
    if row := state.said:
        card = state.card
        state = laid(state, row - 1, card)._replace(card=NO_CARD)
        events.append(event(kinds.Placed(card=card_name(state, card), row=row), seat))
    else:
        state, under = _card_under(state)
        events += under
    if state.rulings.last_card == "turn_wins" and state.piles[seat] == 1:
        return end_match(state, "last_card", events)
    if not state.piles[seat]:
        return end_match(state, "last_placed", events)  # BH-A1: it was turned before, and had to be placed
    state, turn = _ready(state, seat, seat)
    return state, events + turn


def _wrong(state: State) -> tuple[State, list[Event]]:
    # BH-R10, BH-R14, BH-A6: a chip, and the same seat turns the next card of the draw pile.
    seat = state.caller
    state, under = _card_under(state)
    state, chip = _chip(state, seat)
    events = [_plain(kinds.Wrong, seat), *under, *chip]
    if state.phase == Phase.OVER:
        return state, events
    state, turn = _ready(state, seat, TABLE)
    return state, events + turn


def _card_under(state: State) -> tuple[State, list[Event]]:
    card = state.card
    state = state._replace(under=(*state.under, card), card=NO_CARD)
    return state, [_under(card_name(state, card))]


def _chip(state: State, seat: Seat) -> tuple[State, list[Event]]:
    state = state._replace(chips=with_added(state.chips, seat, 1))
    events = [event(kinds.Chip(chips=state.chips[seat]), seat)]
    if state.chips[seat] < state.box.chips_out:
        return state, events
    # BH-R11, BH-A8: out of the game, the cards set aside, the chips back in the supply.
    events.append(event(kinds.Eliminated(cards=state.piles[seat]), seat))
    state = state._replace(
        gone=(*state.gone, seat),
        chips=with_added(state.chips, seat, -state.chips[seat]),
        aside=state.aside + state.piles[seat],
        piles=with_added(state.piles, seat, -state.piles[seat]),
        source=TABLE if state.source == seat else state.source,
    )
    if len(state.gone) == state.seats - 1:
        return end_match(state, "last_standing", events)  # BH-A9
    return state, events


def _ready(state: State, flipper: Seat, source: Seat, group: tuple[Seat, ...] = ()) -> tuple[State, list[Event]]:
    state = state._replace(
        phase=Phase.READY, flipper=flipper, source=source, group=group, early=(), caller=NOBODY, said=None
    )
    if source == TABLE and not draw_pile(state):
        return end_match(state, "empty_pile", [])  # BH-A10
    return state, [turn_next(state)]


def turn_next(state: State) -> Event:
    return _next(state.flipper, state.source, callers(state))


# --- Events of every turn: there are few different ones, so each is built once ------------------------------


@cache
def _plain(kind: Callable[[], NamedTuple], seat: Seat) -> Event:
    return event(kind(), seat)


@cache
def _declared(row: int, seat: Seat) -> Event:
    return event(kinds.Declare(row=row), seat)


@cache
def _under(card: str) -> Event:
    return event(kinds.Under(card=card))


@cache
def _next(flipper: Seat, source: Seat, seats: tuple[Seat, ...]) -> Event:
    return event(kinds.Next(source=source, seats=seats), flipper)

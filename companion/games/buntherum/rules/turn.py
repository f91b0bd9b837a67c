"""A turn: a card is turned, called, declared and judged (BH-R6 to BH-R15)."""

from functools import cache

from companion.core.choices import Args
from companion.core.event import event
from companion.core.move import TABLE, Move, Seat, each_seat, with_added
from companion.core.verbs import Told, tell
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
    card_text,
    draw_pile,
    fits,
    keyed,
    laid,
    named_in,
    without,
)
from companion.games.buntherum.rules.end import end_match


def top_known(state: State) -> Card:
    """Return the next card if everybody saw it go under the draw pile, else UNKNOWN."""
    if state.source == TABLE and not state.fresh and state.under:
        return state.under[0]
    return UNKNOWN


def apply_flip(state: State, _: Seat, args: Args, told: Told) -> State:
    card, top = args[0], top_known(state)
    unseen, fresh, under, piles, source = state.unseen, state.fresh, state.under, state.piles, state.source
    if top != UNKNOWN and card == UNKNOWN:
        # A known card that is turned unread becomes unseen again; it must be named or judged like any other.
        unseen = tuple(sorted((*unseen, top)))
    elif top == UNKNOWN and card != UNKNOWN:
        unseen = without(unseen, card)
    if source != TABLE:
        piles = with_added(piles, source, -1)
    elif fresh:
        fresh -= 1
    else:
        under = under[1:]
    if told is not None:
        shown = kinds.Flip(card=card_text(state.box, card), source=source, seats=callers(state))
        told.append(event(shown, state.flipper))
    return state._replace(
        turn=state.turn + 1, unseen=unseen, fresh=fresh, piles=piles, phase=Phase.OPEN, under=under, card=card
    )


def apply_early(state: State, _: Seat, args: Args, told: Told) -> State:
    # BH-A14: at most one chip per card, so that nervous hands are not eliminated before they play.
    seat, due = Seat(args[0]), state.source
    tell(told, kinds.Early, seat)
    state = _chip(state._replace(early=(*state.early, seat)), seat, told)
    # If all tied seats are eliminated before the card is open, everybody may call it.
    if state.phase == Phase.READY and set(state.group) <= set(state.gone):
        state = state._replace(group=())
    if state.phase == Phase.OPEN and not callers(state):
        return apply_nobody(state, TABLE, (), told)  # the others are eliminated or were late
    if state.phase != Phase.READY or seat not in state.gone:
        return state
    if state.source == TABLE and not draw_pile(state):
        return end_match(state, "empty_pile", told)  # BH-A10: the pile that was due was set aside with its owner
    if state.source != due:
        tell_next(state, told)
    return state


def apply_call(state: State, _: Seat, args: Args, told: Told) -> State:
    caller = Seat(args[0])
    tell(told, kinds.Call, caller)
    state = state._replace(phase=Phase.LOCKED, caller=caller)
    if len(args) == 1:
        return state
    return (apply_declare if len(args) == 2 else apply_judge)(state, caller, args[1:], told)


def apply_tie(state: State, _: Seat, args: Args, told: Told) -> State:
    tied = tuple(map(Seat, args))
    tell(told, kinds.Tie, seats=tied)
    _tell_under(state, told)
    return _next_card(state, _uninvolved(state.seats, state.gone, state.flipper, tied), TABLE, told, group=tied)


@cache
def _uninvolved(seats: int, gone: tuple[Seat, ...], flipper: Seat, tied: tuple[Seat, ...]) -> Seat:
    # BH-R15, BH-A15: the flipper if not tied, else the next seat that is not tied, else the flipper again.
    order = each_seat(seats)[flipper:] + each_seat(seats)[:flipper]
    return next((seat for seat in order if seat not in tied and seat not in gone), flipper)


def apply_nobody(state: State, _: Seat, __: Args, told: Told) -> State:
    tell(told, kinds.Nobody)
    _tell_under(state, told)
    return _next_card(state, state.flipper, TABLE, told)


def apply_late(state: State, _: Seat, __: Args, told: Told) -> State:
    # BH-A20
    tell(told, kinds.Late, state.caller)
    if state.rulings.late_declare == "chip":
        return _wrong(state, told)
    if state.rulings.late_declare == "reopen":
        again = state._replace(phase=Phase.OPEN, caller=NOBODY, late=(*state.late, state.caller))
        if others := callers(again):
            tell(told, kinds.Reopen, seats=others)
            return again
    _tell_under(state, told)
    return _next_card(state, state.flipper, TABLE, told)


def apply_declare(state: State, seat: Seat, args: Args, told: Told) -> State:
    said = args[0]
    tell(told, kinds.Declare, seat, said)
    return _judge(state, said, _is_right(state, said), told)


def overruled(state: State, move: Move, *, right: bool) -> Move | None:
    """Return the move by which the house reverses a verdict; None if it would not change.

    BH-R9: the declaration stays, and the move records that the house judged it.
    """
    was = _verdict(state, move)
    if was is None or was is right:
        return None
    if move.verb == "call":
        return Move(TABLE, "call", (*move.args[:2], int(right)))
    return Move(TABLE, "judge", (int(right),) if state.phase == Phase.JUDGE else (move.args[0], int(right)))


def in_place(move: Move) -> bool:
    """Return True if a move has a verdict of the house in place of the companion's."""
    return len(move.args) == {"judge": 2, "call": 3}.get(move.verb)


def _verdict(state: State, move: Move) -> bool | None:
    """Return the verdict of a legal move, if any."""
    verb, args = move.verb, move.args
    if verb == "judge" or in_place(move):
        return bool(args[-1])
    if verb == "declare" or (verb == "call" and len(args) == 2):
        return _is_right(state, args[-1])
    if state.said is None or verb not in {"card", "read"}:
        return None
    return _is_right((_with_card if verb == "card" else _with_read)(state, args), state.said)


def apply_card(state: State, _: Seat, args: Args, told: Told) -> State:
    card = args[0]
    tell(told, kinds.Card, card=card_text(state.box, card))
    state = _with_card(state, args)
    return state if state.said is None else _judge(state, state.said, _is_right(state, state.said), told)


def apply_read(state: State, _: Seat, args: Args, told: Told) -> State:
    row, card = args
    tell(told, kinds.Read, row=row, card=card_text(state.box, card))
    state = _with_read(state, args)
    return state if state.said is None else _judge(state, state.said, _is_right(state, state.said), told)


def _with_card(state: State, args: Args) -> State:
    return state._replace(unseen=without(state.unseen, args[0]), card=args[0])


def _with_read(state: State, args: Args) -> State:
    row, card = args
    return named_in(state, row - 1, card)._replace(unseen=without(state.unseen, card))


def apply_judge(state: State, _: Seat, args: Args, told: Told) -> State:
    said = state.said
    if state.phase == Phase.LOCKED:  # BH-R9: in place of the companion
        said = args[0]
        tell(told, kinds.Declare, state.caller, row=said)
    assert said is not None
    return _judge(state, said, bool(args[-1]), told)


def _is_right(state: State, said: int) -> bool | None:
    """Return whether a declaration is right; None if the house must judge."""
    if state.card == UNKNOWN and not keyed(state.rulings):
        return None  # BH-A27: rows are not tracked, not even their lengths
    if said:
        return fits(state, state.card, said)
    answers = [fits(state, state.card, row) for row in range(1, SIDES + 1)]
    if True in answers:
        return False  # BH-R14
    return None if None in answers else True  # BH-R12


def _judge(state: State, said: int, right: bool | None, told: Told) -> State:
    if right is None:
        return state._replace(phase=Phase.JUDGE, said=said)
    return _right(state, said, told) if right else _wrong(state, told)


def _right(state: State, said: int, told: Told) -> State:
    # BH-R9, BH-R12: a right caller turns the top card of their pile; BH-R16: unless it is the last one.
    seat, card = state.caller, state.card
    tell(told, kinds.Right, seat)
    if not said:
        _tell_under(state, told)
    else:
        tell(told, kinds.Placed, seat, card=card_text(state.box, card), row=said)
        state = laid(state, said - 1, card)._replace(card=NO_CARD)
    if state.rulings.last_card == "turn_wins" and state.piles[seat] == 1:
        return end_match(_without_card(state), "last_card", told)
    if not state.piles[seat]:
        # BH-A1: it was turned before and had to be placed
        return end_match(_without_card(state), "last_placed", told)
    return _next_card(state, seat, seat, told)


def _wrong(state: State, told: Told) -> State:
    # BH-R10, BH-R14, BH-A6: a chip, and the same seat turns the next card of the draw pile.
    seat = state.caller
    tell(told, kinds.Wrong, seat)
    _tell_under(state, told)
    state = _chip(state, seat, told)
    if state.phase == Phase.OVER:
        return _without_card(state)
    return _next_card(state, seat, TABLE, told)


def _chip(state: State, seat: Seat, told: Told) -> State:
    chips = state.chips[seat] + 1
    tell(told, kinds.Chip, seat, chips=chips)
    if chips < state.box.chips_out:
        return state._replace(chips=with_added(state.chips, seat, 1))
    # BH-R11, BH-A8: eliminated, cards set aside, chips back in the supply.
    tell(told, kinds.Eliminated, seat, cards=state.piles[seat])
    state = state._replace(
        gone=(*state.gone, seat),
        chips=with_added(state.chips, seat, 1 - chips),
        aside=state.aside + state.piles[seat],
        piles=with_added(state.piles, seat, -state.piles[seat]),
        source=TABLE if state.source == seat else state.source,
    )
    if len(state.gone) == state.seats - 1:
        return end_match(state, "last_standing", told)  # BH-A9
    return state


def _without_card(state: State) -> State:
    under = state.under if state.card == NO_CARD else (*state.under, state.card)
    return state._replace(under=under, card=NO_CARD)


def _next_card(state: State, flipper: Seat, source: Seat, told: Told, group: tuple[Seat, ...] = ()) -> State:
    """Let `flipper` turn the next card. An open card goes under the draw pile."""
    state = _without_card(state)._replace(
        phase=Phase.READY, flipper=flipper, source=source, group=group, early=(), late=(), caller=NOBODY, said=None
    )
    tell_next(state, told)
    return state


def tell_next(state: State, told: Told) -> None:
    if told is not None:
        told.append(event(kinds.Next(state.source, callers(state)), state.flipper))


def _tell_under(state: State, told: Told) -> None:
    if told is not None:
        told.append(event(kinds.Under(card_text(state.box, state.card))))

"""Laws checked after every move of any other game."""

from companion.core.event import Event
from companion.core.move import Move
from companion.games.any import rules
from companion.games.any.rules import Phase, State
from tests.games.contract import is_sound

_SCORING = {"right", "wrong", "late", "call", "flag", "number", "lock", "add", "take"}


def check(before: State, move: Move, after: State, events: tuple[Event, ...]) -> None:
    """Raise AssertionError unless the move keeps AN-P3, AN-P4 and AN-P5."""
    is_sound("Any other game", after, events)
    p3_points_change_only_by_answers_wins_bids_and_the_house(before, move, after)
    p4_no_second_is_lost(before, move, after)
    p5_who_is_locked_out_neither_calls_nor_wins(before, move, events)


def p3_points_change_only_by_answers_wins_bids_and_the_house(before: State, move: Move, after: State) -> None:
    changed = {seat for seat in before.seats if before.points[seat] != after.points[seat]}
    assert not changed or move.verb in _SCORING
    if move.verb in {"right", "wrong", "late"}:
        assert changed <= {before.caller}
    if move.verb in {"add", "take", "call"}:
        assert changed <= {move.args[0]}
    if move.verb == "lock":
        assert not changed or before.bids.count(None) == 1


def p4_no_second_is_lost(before: State, move: Move, after: State) -> None:
    if before.phase != Phase.CLOCK or after.phase != Phase.CLOCK or before.number != after.number:
        return
    used = {"pass": move.args[-1:], "flag": (before.rest_ms[before.caller],)}.get(move.verb, (0,))[0]
    if before.round.clock == "hourglass":
        assert sum(after.rest_ms) == sum(before.rest_ms)
    elif before.round.clock == "sudden_death":
        assert sum(after.rest_ms) == sum(before.rest_ms) - used
    assert min(after.rest_ms) >= 0


def p5_who_is_locked_out_neither_calls_nor_wins(before: State, move: Move, events: tuple[Event, ...]) -> None:
    if move.verb == "call":
        assert move.args[0] not in before.locked
    won = {event.seat for event in events if event.kind in {"right", "won"}}
    assert not won & set(before.locked)
    assert rules.outcome(before) is None

"""Laws checked after every move of Buntherum."""

from collections import Counter

from companion.core.event import Event
from companion.core.move import Move
from companion.games.buntherum import rules
from companion.games.buntherum.rules import NO_CARD, UNKNOWN, Phase, State, draw_pile
from tests.games.buntherum.bh_table import row_words
from tests.games.contract import is_sound


def check(before: State, move: Move, after: State, events: tuple[Event, ...]) -> None:
    """Raise AssertionError unless the move keeps BH-P1, BH-P2 and BH-P5."""
    is_sound("Buntherum", after, events)
    p1_all_cards_are_somewhere(after)
    if not rules.in_place(move):  # the house may overrule (BH-R9)
        p2_no_object_and_no_colour_comes_twice_into_any_row(before, after)
    p5_who_is_out_does_not_call(before, move)


def p1_all_cards_are_somewhere(state: State) -> None:
    is_open = state.card != NO_CARD
    on_the_table = sum(map(len, state.rows)) + is_open
    assert on_the_table + draw_pile(state) + sum(state.piles) + state.aside == len(state.box.deck)
    if state.phase != Phase.OVER:
        assert is_open == (state.phase in {Phase.OPEN, Phase.LOCKED, Phase.JUDGE})
    shown = [*(one for row in state.rows for one in row), *state.under, *([state.card] if is_open else [])]
    read = [one for one in shown if one != UNKNOWN]
    assert sorted([*read, *state.unseen]) == sorted(state.box.deck)


def p2_no_object_and_no_colour_comes_twice_into_any_row(before: State, after: State) -> None:
    was, now = (tuple(tuple(one for one in row if one != UNKNOWN) for row in at.rows) for at in (before, after))
    for row in range(1, 7):
        shown, words = (row_words(at.box, at.rulings, read, row) for at, read in ((before, was), (after, now)))
        come = Counter(words) - Counter(shown)
        assert set(come.values()) <= {1}
        assert not come.keys() & set(shown)
        assert now[row - 1] == was[row - 1] or len(now[row - 1]) <= 8 - after.rulings.printed_counts


def p5_who_is_out_does_not_call(before: State, move: Move) -> None:
    if move.verb == "call":
        assert move.args[0] in rules.active(before)

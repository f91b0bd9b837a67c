"""What any rules keep under arbitrary moves, for the properties of each game."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from companion.core.errors import IllegalMove
from companion.core.move import Move
from companion.core.rules import Rules, State

of_whole_matches = settings(max_examples=settings.default.max_examples // 4)
"""For what is looked at in each position of a random match: one has a hundred."""


def any_moves(verbs: tuple[str, ...], numbers: st.SearchStrategy[int]) -> st.SearchStrategy[Move]:
    """Return moves of any seat, verb and arguments, mostly such as the game knows."""
    verb = st.sampled_from(verbs) | st.text(max_size=5)
    return st.builds(Move, st.integers(-3, 6), verb, st.lists(numbers, max_size=7).map(tuple))


def accepted(rules: Rules, state: State, move: Move, letters: str) -> bool:
    """Tell whether a move is accepted; a refusal names seat and paragraph, and changes nothing."""
    before, refusal = hash(state), None
    try:
        rules.apply(state, move)
    except IllegalMove as found:
        refusal = found
    assert hash(state) == before
    if refusal:
        assert refusal.seat == move.seat
        assert refusal.rule.startswith(f"{letters}-")
        assert str(refusal)
    return refusal is None


def changed(data: Any, move: Move, verbs: tuple[str, ...], numbers: st.SearchStrategy[int]) -> Move:
    """Return a move that differs a little from one that is legal."""
    place = data.draw(st.integers(0, len(move.args)))
    number = data.draw(numbers)
    return data.draw(
        st.sampled_from(
            [
                move._replace(seat=data.draw(st.integers(-2, 5))),
                move._replace(verb=data.draw(st.sampled_from(verbs))),
                move._replace(args=move.args[:-1]),
                move._replace(args=move.args[::-1]),
                move._replace(args=(*move.args, number)),
                move._replace(args=(*move.args[:place], number, *move.args[place + 1 :])),
            ]
        )
    )

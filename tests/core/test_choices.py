"""Lazy lists of legal moves."""

from hypothesis import given
from hypothesis import strategies as st

from companion.core.choices import ONE, Moves, Singles, joined, kept_moves
from companion.core.move import Move, SecretMove

NUMBERS = st.lists(st.integers(-2, 9), max_size=5, unique=True)
PARTS = st.lists(st.tuples(st.sampled_from("abc"), NUMBERS), max_size=4, unique_by=lambda part: part[0])


@given(NUMBERS, st.integers(-12, 12), st.slices(6))
def test_singles_behave_like_a_list_of_tuples(numbers: list[int], number: int, some: slice) -> None:
    singles, plain = Singles(tuple(numbers)), [(number,) for number in numbers]
    assert (len(singles), list(singles), list(singles[some])) == (len(plain), plain, plain[some])
    assert [singles[place] for place in range(len(plain))] == plain
    assert ((number,) in singles) == (number in numbers)
    assert number not in singles
    assert (number, number) not in singles


@given(PARTS, st.integers(-25, 25), st.slices(8))
def test_moves_behave_like_a_list(parts: list[tuple[str, list[int]]], place: int, some: slice) -> None:
    moves = joined([Moves(2, verb, Singles(tuple(numbers))) for verb, numbers in parts])
    plain = [Move(2, verb, (number,)) for verb, numbers in parts for number in numbers]
    assert (len(moves), list(moves), list(moves[some])) == (len(plain), plain, plain[some])
    assert bool(moves) == bool(plain)
    for sequence in (moves, plain):
        try:
            found = sequence[place]
        except IndexError:
            found = None
        assert found == (plain[place] if -len(plain) <= place < len(plain) else None)


@given(PARTS, st.integers(-2, 9), st.sampled_from("abcd"), st.sampled_from([1, 2]))
def test_membership_matches_the_listed_moves(
    parts: list[tuple[str, list[int]]], number: int, verb: str, seat: int
) -> None:
    moves = joined([Moves(2, verb, Singles(tuple(numbers))) for verb, numbers in parts])
    move = Move(seat, verb, (number,))
    assert (move in moves) == (move in list(moves))
    assert "nonsense" not in moves


def test_verb_without_numbers_has_one_move() -> None:
    assert list(Moves(0, "pass", ONE)) == [Move(0, "pass")]


@given(PARTS)
def test_lazy_and_kept_moves_are_equal(parts: list[tuple[str, list[int]]]) -> None:
    lazy, kept = (
        joined([make(2, verb, tuple(Singles(tuple(numbers))), Move) for verb, numbers in parts])
        for make in (Moves, kept_moves)
    )
    assert list(lazy) == list(kept)
    assert (len(lazy), bool(lazy)) == (len(kept), bool(kept))


def test_moves_have_the_requested_class() -> None:
    choices = ((1,), (2,))
    for moves in (Moves(0, "hide", choices, SecretMove), kept_moves(0, "hide", choices, SecretMove)):
        assert {type(move) for move in moves} == {SecretMove}
        assert Move(0, "hide", (2,)) in moves

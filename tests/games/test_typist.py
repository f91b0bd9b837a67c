"""A robot types its decisions on its keypad."""

import random
from itertools import pairwise
from typing import Any

import pytest

from companion.core.match import Match
from companion.core.move import Move, SecretMove
from companion.games.typist import Typist
from tests.sealed import SEALED


class Always:
    def __init__(self, move: Move | None) -> None:
        self.move = move

    def decide(self, view: object, seat: int, luck: object) -> Move | None:
        return self.move


def typist(move: Move | None) -> Typist:
    return Typist(Always(move), SEALED.console, think_ms=500, key_ms=100)


VIEW: Any = Match(SEALED, ("Ann", "Bob")).view(0)


def test_keys_of_a_move_follow_at_intervals() -> None:
    first, second = typist(Move(0, "commit", (2,))).acts(VIEW, 0, random.Random(7))
    assert (first.control, second.control) == ("2", "#")
    assert 500_000_000 <= first.delay_ns <= 1_000_000_000
    assert second.delay_ns - first.delay_ns == 100_000_000


class Keys:
    """A console whose moves have as many keys as their argument."""

    @staticmethod
    def keys_for(view: object, move: Move) -> tuple[str, ...]:
        return ("1",) * move.args[0]


def test_last_secret_key_does_not_reveal_key_count() -> None:
    console: Any = Keys
    ends = set()
    for count in (1, 2, 6, 23, 100):
        bid = Typist(Always(SecretMove(0, "commit", (count,))), console, think_ms=500, key_ms=100)
        delays = [act.delay_ns for act in bid.acts(VIEW, 0, random.Random(7))]
        assert len(delays) == count
        assert all(one < next_one for one, next_one in pairwise([0, *delays]))
        ends.add(delays[-1])
    (end_ns,) = ends
    assert 500_000_000 <= end_ns <= 1_000_000_000


def test_waiting_robot_presses_nothing() -> None:
    assert list(typist(None).acts(VIEW, 0, random.Random(7))) == []


def test_move_without_keys_raises_value_error() -> None:
    class Mute:
        keys_for = staticmethod(lambda view, move: ())

    mute: Any = Mute()
    with pytest.raises(ValueError, match="no keys for SecretMove"):
        Typist(Always(SecretMove(0, "commit", (2,))), mute).acts(VIEW, 0, random.Random(7))

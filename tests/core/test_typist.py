"""A robot that decides types its move on its keypad, and nothing when it waits."""

import random
from typing import Any

import pytest
from sealed import SEALED

from companion.core.match import Match
from companion.core.move import Move, SecretMove
from companion.core.typist import Typist


class Always:
    def __init__(self, move: Move | None) -> None:
        self.move = move

    def decide(self, view: object, seat: int, luck: object) -> Move | None:
        return self.move


def typist(move: Move | None) -> Typist:
    return Typist(Always(move), SEALED.console, think_ms=500, key_ms=100)


VIEW: Any = Match(SEALED, ("Ann", "Bob")).view(0)


def test_the_keys_of_the_move_come_one_after_the_other() -> None:
    first, second = typist(SecretMove(0, "commit", (2,))).acts(VIEW, 0, random.Random(7))
    assert (first.control, second.control) == ("2", "#")
    assert 500_000_000 <= first.delay_ns <= 1_000_000_000
    assert second.delay_ns - first.delay_ns == 100_000_000


def test_who_waits_presses_nothing() -> None:
    assert list(typist(None).acts(VIEW, 0, random.Random(7))) == []


def test_a_move_without_keys_is_a_mistake_of_the_game() -> None:
    class Mute:
        keys_for = staticmethod(lambda view, move: ())

    mute: Any = Mute()
    with pytest.raises(ValueError, match="no keys for SecretMove"):
        Typist(Always(SecretMove(0, "commit", (2,))), mute).acts(VIEW, 0, random.Random(7))

"""The guesser plays any game to its end, and its timing hides the number of keys."""

from dataclasses import dataclass
from random import Random

import pytest

from companion.core.console import BUZZ, Keyed, Race, Stage
from companion.core.match import SEED_TAG, Match
from companion.core.move import Move
from companion.games.guesser import Guesser
from companion.match.virtual_table import VirtualTable
from tests.sealed import SEALED, Console


@pytest.mark.parametrize("seed", range(5))
def test_guesser_finishes_whole_matches(seed: int) -> None:
    match = Match(SEALED, ("A", "B", "C"), tags={SEED_TAG: str(seed)})
    table = VirtualTable(match)
    table.seat_robots([Guesser(SEALED.console)] * 3, str(seed))
    table.start()
    table.run()
    assert match.outcome


@dataclass(frozen=True)
class Digits:
    """A console on which `count` keys make a move."""

    count: int
    race: Race | None = None

    def stage(self, view: None) -> Stage:
        return Stage(race=self.race)

    def key(self, view: None, seat: int, key: str, entries: dict[int, str]) -> Keyed:
        typed = entries.get(seat, "") + key
        return Keyed(typed, Move(seat, "number") if len(typed) == self.count else None)


def test_last_key_time_does_not_reveal_key_count() -> None:
    ends = []
    for count in (1, 2, 9):
        acts = Guesser(Digits(count), fastest_ms=300, slowest_ms=301).acts(None, 0, Random(1))
        assert len(acts) == count
        times = [act.delay_ns for act in acts]
        assert times == sorted(times)
        assert times[0] >= 0
        ends.append(times[-1])
    assert max(ends) - min(ends) <= 1_000_000  # the range from fastest_ms to slowest_ms


def test_guesser_calls_only_when_it_may() -> None:
    console = Digits(99, Race(1, (1,), frozenset({BUZZ}), 1))
    assert [act.control for act in Guesser(console).acts(None, 1, Random(1))] == [BUZZ]
    assert [act.control for act in Guesser(Digits(999)).acts(None, 1, Random(1))] == []


def test_guesser_does_not_retract_a_locked_bid() -> None:
    match = Match(SEALED, ("A", "B"))
    match.push(SEALED.rules.legal(match.state, 0)[1])
    assert Guesser(Console()).acts(match.view(0), 0, Random(1)) == []

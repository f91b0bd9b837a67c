"""Each level of robot usually beats the one below; a beginner beats the easy one."""

from math import sqrt

import pytest

from companion.games import load
from companion.match.new_match import NAMES
from companion.match.simulation import Simulation, run
from tests.games.beginners import BEGINNERS


def odds(name: str, one: str, others: str, matches: int) -> float:
    """Return `one`'s share of wins, as the odds of two players."""
    game = load(name)
    game = game._replace(bots={**game.bots, "beginner": BEGINNERS[name]})
    rivals = min(game.rules.SEATS) - 1
    plan = Simulation(game, NAMES[: rivals + 1], (one, *[others] * rivals), game.rulings(), "strength")
    *_, tally = run(plan, matches)
    won = float(tally.kinds.get(one, 0))
    return won / (won + (matches - won) / rivals)


@pytest.mark.soak
@pytest.mark.parametrize("name", BEGINNERS)
@pytest.mark.parametrize(
    ("one", "other", "least", "most"),
    [("beginner", "easy", 0.6, 0.75), ("middle", "easy", 0.7, 0.85), ("strong", "middle", 0.7, 0.85)],
)
def test_stronger_player_wins_most_matches(soak_count, name, one, other, least, most) -> None:
    matches = max(40, soak_count(2_000))
    spread = 1 / sqrt(matches)  # half of a 95 % interval
    assert least - spread <= odds(name, one, other, matches) <= most + spread

"""A press before finding the row pays nothing, and a caller who found it is in time (BH-A20)."""

import pytest

from companion.games import load
from companion.match.simulation import Simulation, run
from tests.attacks.blind_presses import Blind, Model, Player, all_eyes, ruled

GAME = load("buntherum")
EYES = all_eyes()


def test_blind_press_wins_no_more_at_the_table() -> None:
    """A fixed limit of 2 s let it win 9 of 10 matches."""
    quick = EYES["people, quick"]
    game = GAME._replace(bots={"blind": Player(quick, 0.5), "equal": Player(quick)})
    plan = Simulation(game, ("Anna", "Ben", "Cleo"), ("blind", "equal", "equal"), GAME.rulings(), "blind")
    *_, tally = run(plan, 30)
    assert tally.kinds.get("blind", 0) <= 15


@pytest.mark.parametrize(
    ("eyes", "seats", "blind"),
    [
        ("people, quick", 3, Blind(0.5)),
        ("people, quick", 5, Blind(0.5, chips=1)),
        ("people, slow", 4, Blind(3.0)),
        ("middle", 2, Blind(2.0)),
        ("strong", 3, Blind(2.5)),
    ],
)
@pytest.mark.parametrize("declare_s", [1, 5])
def test_blind_press_wins_its_fair_share(eyes: str, seats: int, blind: Blind, declare_s: float) -> None:
    matches = 300
    share = Model(seats, EYES[eyes], ruled(declare_s), blind).share(matches, "test")
    spread = 2 * (share * (1 - share) / matches) ** 0.5
    assert share <= 1 / seats + 0.05 + spread


@pytest.mark.parametrize("eyes", EYES)
def test_player_who_found_the_row_is_in_time(eyes: str) -> None:
    model = Model(3, EYES[eyes], ruled(1))
    model.share(50, "test")
    assert model.calls > 500
    assert model.late < model.calls / 100


def test_fixed_limit_of_two_seconds_rewards_blind_presses() -> None:
    model = Model(5, EYES["people, quick"], lambda _: 2.0, Blind(0.1))
    assert model.share(100, "test") > 0.6

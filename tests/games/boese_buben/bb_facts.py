"""Facts about Böse Buben for tests of all games."""

from typing import Any

from companion.core.move import TABLE
from companion.games.boese_buben.rules import Phase
from tests.of_games import Facts


def moments(view: Any, seat: int) -> tuple[str, ...]:
    if seat == TABLE:
        return ("house: the start",)
    named = {
        Phase.TURN: "your turn",
        Phase.ACTION: "an action of yours",
        Phase.MC: "a Schiebung of yours",
        Phase.BRIBERY: "a card of yours is for sale",
    }
    return (named[view.phase],)


FACTS = Facts(
    matches=90,
    longest=120,
    edges=range(14),
    prompt=65,
    witnessed={"refused", "too soon", "impatient", "stepped back"},
    moments=moments,
    key_matches=20,
    odd=(
        ("races = 4", "races = 2"),
        ("lane_prize = 3", "lane_prize = 17"),
        ("mc_cost = [0, 1, 3, 5, 8]", "mc_cost = [0, 11, 23]"),
        ("track_limit = 3", "track_limit = 4"),
        ("penalty_limit = 4", "penalty_limit = 6"),
    ),
    odd_says=(
        "Only the 4 newest cards stay",
        "After 2 races, the most ducats win",
        "When a lane has 5 cards",
        "6 cards in the mud of one lane",
        "Each lane pays 17 ducats",
        "11, 23 for one, two and so on",
    ),
    same_rows=2,
    seldom={"handicap", "bank_empty"},
)

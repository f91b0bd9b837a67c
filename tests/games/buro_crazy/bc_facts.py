"""Facts about Büro Crazy for the tests of all games."""

from typing import Any

from companion.core.move import TABLE
from companion.games.buro_crazy.console import may_bid, may_report
from companion.games.buro_crazy.rules.components import Phase, by_total
from tests.of_games import Facts


def moments(view: Any, seat: int) -> tuple[str, ...]:
    if seat == TABLE:
        named = {Phase.SETUP: "house: the start", Phase.COIN: "house: a coin decides"}
        return (named.get(view.phase, "house: the cards on the roof"),)
    if view.phase is Phase.SETUP:
        return ("before the figures stand",)
    if may_bid(view, seat):
        return ("you bid points" if by_total(view.rulings) else "you bid",)
    return ("the roof" if may_report(view, seat) else "your bid is locked",)


FACTS = Facts(
    matches=120,
    longest=60,
    edges=(8, 10, 20, 150, 151, 152, 1140, 1141),
    prompt=60,
    witnessed={"refused", "too soon", "impatient", "asked again"},
    moments=moments,
    key_matches=12,
    odd=(
        ("ground = 60, first = 40, second = 20", "ground = 51, first = 42, second = 33"),
        ("piles = 9", "piles = 13"),
        ("boss = 3, challenger = 2, semifinalist = 1", "boss = 6, challenger = 5, semifinalist = 0"),
        ("forfeit = 10", "forfeit = 14"),
    ),
    odd_says=(
        "pays 14 points",
        "to 51, 42, then 33 points",
        "dealt into 13 piles",
        "6 for the boss, 5 for the challenger",
        "0 for each semi-finalist",
    ),
    silent=lambda happened: happened.kind == "loss" and not happened.facts["due"],
)

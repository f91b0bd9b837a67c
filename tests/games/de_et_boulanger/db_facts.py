"""Facts about Dé et Boulanger for tests of all games."""

from typing import Any

from companion.core.event import Event
from companion.core.move import TABLE
from companion.games.de_et_boulanger.rules.components import NOBODY, Phase
from tests.of_games import Facts


def moments(view: Any, seat: int) -> tuple[str, ...]:
    if seat == TABLE:
        return ("house: a die is due",)
    if view.phase in {Phase.START, Phase.SALE}:
        return ("your die",)
    if view.phase == Phase.MOVE and view.turn != NOBODY:
        return "your turn", "after your roll" if view.die else "before your roll"
    return ({Phase.SETUP: "set-up", Phase.PRODUCE: "baking", Phase.MOVE: "the errand"}[view.phase],)


def silent(happened: Event) -> bool:
    """Return True for a step inside a walk: only its destination is narrated."""
    return happened.kind == "step" and happened.facts["at"] == "plain" and happened.facts["steps"] > 0


FACTS = Facts(
    matches=40,
    longest=400,
    edges=range(122),
    prompt=60,
    witnessed={"refused", "too soon", "impatient", "stepped back", "confirmed"},
    moments=moments,
    key_matches=9,
    odd=(
        ("rounds = 5\n", "rounds = 3\n"),
        ("rolls_per_round = 5", "rolls_per_round = 4"),
        ("load_limit = 6", "load_limit = 8"),
        ("home_bonus = 2", "home_bonus = 15"),
        ("flour = 1\nbutter = 1\nwater = 0", "flour = 7\nbutter = 9\nwater = 1"),
        ("bread = 10\ncroissant = 8", "bread = 31\ncroissant = 1"),
        ("flour = 3\nwater = 2\nbutter = 0", "flour = 0\nwater = 0\nbutter = 12"),
        (', "incident"]', ', "incident", [9, 9]]'),
    ),
    odd_says=(
        "After 3 rounds, the most sous",
        "order of the 7 tiles",
        "You carry at most 8 tokens",
        "Flour at a mill: 7 sous. Butter at a farm: 9 sous.",
        "Water at the fountain: 1 sou.",
        "You roll 4 times a round",
        "last roll: 15 sous",
        "12 butter. It sells for 31 sous.",
        "1 flour, 1 water, 2 butter. It sells for 1 sou.",
    ),
    seldom={"handicap"},
    silent=silent,
)

"""Facts about any other game for the tests of all games."""

from typing import Any

from companion.core.move import TABLE
from companion.games.any.rules import Phase
from tests.of_games import Facts

_SEAT = {
    Phase.OPEN: "the buzzers are open",
    Phase.ANSWER: "you have asked and somebody answers",
    Phase.SEALED: "a secret number",
    Phase.CLOCK: "your clock runs",
    Phase.READY: "a round begins",
}


def moments(view: Any, seat: int) -> tuple[str, ...]:
    if seat == TABLE:
        numbered = view.phase in {Phase.LOTS, Phase.NUMBER}
        return ("house: points", *(("house: a number is due",) if numbered else ()))
    return (_SEAT[view.phase],)


FACTS = Facts(
    matches=60,
    longest=80,
    edges=(9, 27, 99, 100, 101, 999, 1000, 9_999),
    prompt=65,
    witnessed={"refused"},
    moments=moments,
    key_matches=30,
    odd=(("times = 10", "times = 7"),),
    odd_says=(),
    races=True,
    silent=lambda happened: happened.kind == "pass",  # the clocks show it
)

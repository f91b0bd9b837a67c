"""Facts about Buntherum for the tests of all games."""

from typing import Any

from companion.core.move import TABLE
from companion.games.buntherum.rules import Phase
from tests.of_games import Facts


def moments(view: Any, seat: int) -> tuple[str, ...]:
    if seat == TABLE:
        return ("house: the start" if view.phase == Phase.SETUP else "house: a card is open or called",)
    direct = " with `call_input=direct`" if view.rulings.call_input == "direct" else ""
    return ({Phase.LOCKED: "you have the call", Phase.OPEN: f"a card is open{direct}"}[view.phase],)


FACTS = Facts(
    matches=90,
    longest=80,
    edges=range(64),
    prompt=65,
    witnessed={"refused"},  # calls race, so no key is too fast
    moments=moments,
    key_matches=12,
    odd=(("chips_out = 3", "chips_out = 6"),),
    odd_says=("With 6 you are out",),
    races=True,
    seldom={"lot"},
    silent=lambda happened: happened.kind == "next",  # the prompt says it
    nameless={"right", "wrong", "placed"},
)

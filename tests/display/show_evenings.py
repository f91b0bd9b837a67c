"""Frames with real pieces: entries of the house, and piece tasks."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import pytest

from companion.core.console import BUZZ
from companion.display.frame import Frame, Play
from tests.evenings import ASKED, Evening
from tests.host_bench import Bench

SEATS: Final = (4,)

ENOUGH: Final = 150
"""Presses that show all kinds of answers."""

STANDING: Final = 5
"""Figures on the stairs before the press that is shown."""

CAPTIONS: Final = {
    "buntherum_house": "Buntherum: the house keys a starter, its object and then its colour.",
    "buntherum_order": "Buntherum: where the card goes, and which pile is next.",
    "buro_crazy_house": "Büro Crazy: press the buzzer to put the next figure on the stairs.",
    "buro_crazy_order": "Büro Crazy: after a reveal each strip says what to move.",
    "boese_buben_order": "Böse Buben: the player who pushed a card out moves it into the mud.",
    "de_et_boulanger_order": "Dé et Boulanger: players move their pieces before the match goes on.",
}


def _evening(folder: Path, game: str, seats: int) -> Iterator[tuple[str, Frame]]:
    bench = Bench(folder / game, game=game, deal="table", by_hand=True)
    for place in range(seats):
        bench.press(place, BUZZ)
    bench.press(0, "#", "1")
    evening, seen, ordered = Evening(bench, lambda _: look()), list[Frame](), list[Frame]()

    def look() -> None:
        seen.append(bench.frame)
        if evening.ordered():
            ordered.append(bench.frame)

    evening.play(ENOUGH)
    keyed = (
        each for each in seen if isinstance(each.screen, Play) and each.screen.house and each.screen.house.keyed
    )
    if house := next(islice(keyed, STANDING if game == "buro_crazy" else 0, None), None):
        yield f"{game}_house", house
    yield f"{game}_order", ordered[-1]


def frames(folder: Path, seats: int) -> dict[str, Frame]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder / "data"))
        return dict(frame for game in ASKED for frame in _evening(folder, game, seats))

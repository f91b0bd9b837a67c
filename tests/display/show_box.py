"""Frames of the editor for custom boxes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from companion.display.frame import Frame
from tests.display.gallery import Table

SEATS: Final = (4,)

CAPTIONS: Final = {
    "sections": "A box of one's own in the making: one line leads to each part, and says what differs.",
    "side": "Buntherum: what is on a side of the hexagon.",
    "cards": "Buntherum: how often each card is there, on a field of all of them.",
    "text": "Böse Buben: which text is on a card.",
    "price": "Böse Buben: a number that is not allowed was keyed, and why it is not.",
    "board": "Dé et Boulanger: the board, square by square; what is wrong with it until now is said.",
    "kitchen": "Büro Crazy: a number is keyed.",
}


def _boxes(folder: Path) -> Iterator[tuple[str, Frame]]:
    table = Table(folder).press("menu").menu("Custom box").press("2", "1", *"####", "1")
    yield "side", table.frame
    yield "sections", table.press("2", "menu").frame
    yield "cards", table.press("2", "2", *"88550").frame
    table = Table(folder).press("menu").menu("Custom box").press("1")
    yield "text", table.press("1", *"########").frame
    yield "price", table.press("menu", "2", "1", "2", "#").frame
    table = Table(folder).press("menu").menu("Custom box").press("4")
    yield "board", table.press("1", "#", "1", "3", "#", *"44445").frame
    table = Table(folder).press("menu").menu("Custom box").press("3")
    yield "kitchen", table.press("2", *"####", "9").frame


def frames(folder: Path, seats: int) -> dict[str, Frame]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder / "data"))
        return dict(_boxes(folder))

"""Frames of the editor for custom boxes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from companion.display.frame import Frame
from tests.display.gallery import Table

SEATS: Final = (4,)

CAPTIONS: Final = {
    "sections": "A custom box: one line for each part, with its changes.",
    "side": "Buntherum: the object on a side of the hexagon.",
    "cards": "Buntherum: the copies of each card.",
    "text": "Böse Buben: the text on a card.",
    "price": "Böse Buben: a number was refused, with the reason.",
    "board": "Dé et Boulanger: the board, square by square, with its first mistake.",
    "kitchen": "Büro Crazy: keying a number.",
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

"""Frames in high contrast and large text, one of each game."""

from pathlib import Path
from typing import Final

from companion.display.frame import Frame, Look
from companion.referee.input_gate import READ_NS
from tests.display import show_bb, show_db, show_moments
from tests.display.gallery import Frames, Table, fill, flip, new

SEATS: Final = (4,)

CONTRAST, LARGE, BOTH = Look(high_contrast=True), Look(large_text=True), Look(True, True)

CAPTIONS: Final = {
    "contrast_buntherum": "High contrast: black ground, white text, pieces with rims.",
    "large_buro_crazy": "Large text: names, notes and menus.",
    "contrast_boese_buben": "High contrast in a game with a dark ground.",
    "both_menu": "Both in the menu of a pause.",
    "both_de_et_boulanger": "Both in a game with many small things.",
}


def _bids(folder: Path, seats: int) -> Frame:
    match = show_moments.duel(seats)
    table = Table(folder, match).wait(READ_NS)
    one, other = match.state.duel
    table.press("5", "2", "#", place=one).press("4", "4", "1", "#", place=other)
    return table.wait(show_moments.MS * 700).wait(show_moments.MS * 3_000).frame


def _race(folder: Path, seats: int) -> Frame:
    wanted = show_bb._in_basic(seats)["late"]
    return Table(folder, show_bb.played(seats, "basic", wanted, "late")).frame


def _square(folder: Path, seats: int) -> Frame:
    return Table(folder, show_db.come_to(seats, show_db._several_in_the_fountain)).frame


def frames(folder: Path, seats: int) -> Frames:
    calls = Table(folder / "calls", flip(fill(new(seats), 3, 8)))
    shown = {
        "contrast_buntherum": (calls.frame, CONTRAST),
        "large_buro_crazy": (_bids(folder / "bids", seats), LARGE),
        "contrast_boese_buben": (_race(folder / "race", seats), CONTRAST),
        "both_menu": (calls.press("pause").frame, BOTH),
        "both_de_et_boulanger": (_square(folder / "square", seats), BOTH),
    }
    return {name: frame._replace(look=look) for name, (frame, look) in shown.items()}

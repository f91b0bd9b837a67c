"""Buntherum's frames: set-up, every phase, every verdict, and the end."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.core.match import Match
from companion.core.move import TABLE, Move
from companion.display.frame import Frame
from companion.games.buntherum.rules import IMPOSSIBLE, UNKNOWN, Phase
from tests.display import gallery
from tests.display.gallery import answer, be_wrong, call, fill, flip, new

SEATS: Final = (2, 5)

CAPTIONS: Final = {
    "setup": "Real cards: a starter goes to each side of the hexagon.",
    "setup_half": "Three of six starters are there.",
    "ready": "Between two cards: an arrow shows who turns the next one.",
    "ready_from_draw_pile": "After a wrong call the next card comes from the draw pile.",
    "open_first": "The first card is open: the first buzzer counts.",
    "open": "A card is open in the middle of the game.",
    "open_direct": "Direct calls: the first key counts instead of a buzzer.",
    "open_long": "In long rows cards get smaller, but not the open one.",
    "locked": "The first caller has to key the row.",
    "unread": "A real card that the companion does not know.",
    "judge": "The caller named a row; the house judges.",
    "judge_impossible": "The caller said that no row fits.",
    "named": "A player keys for the house: after the object, the colours to choose from.",
    "refused": "The house's key was refused, with the reason.",
    "house_list": "The house's controls as a list, for a table without buttons.",
    "armed": "Real cards: the next one may be called when it is turned.",
    "tie": "A tie: two calls that cannot be told apart.",
    "tie_open": "The play-off: only these two may call.",
    "right": "Right: the card is in its row.",
    "wrong": "Wrong: a red chip, and the card goes under the draw pile.",
    "over": "A player has one card left, and wins.",
    "eliminated": "Three red chips put a player out; the others go on.",
}


def frames(folder: Path, seats: int) -> dict[str, Frame]:
    shown = {name: gallery.Table(folder / name, match).frame for name, match in _positions(seats)}
    return shown | dict(_keyed(folder, seats)) | dict(_verdicts(folder, seats))


def _positions(seats: int) -> Iterator[tuple[str, Match]]:
    yield "setup", new(seats, deal="table", laid=False)
    yield "setup_half", half_laid(seats)
    yield "ready", fill(new(seats), 3, 8)
    yield "ready_from_draw_pile", be_wrong(fill(new(seats), 3, 8), 1, 1)
    yield "open_first", flip(new(seats))
    yield "open", flip(fill(new(seats), 3, 8))
    yield "open_direct", flip(new(seats, call_input="direct"))
    yield "open_long", flip(fill(new(seats), 7))
    yield "locked", call(flip(fill(new(seats), 3, 8)), seats - 1)
    yield "armed", unread(seats)
    yield "unread", call(unread(seats), 1)
    yield "judge", call(unread(seats), 1, 3)
    yield "judge_impossible", call(unread(seats), 1, IMPOSSIBLE)
    yield "tie", tied(seats)
    yield "tie_open", flip(tied(seats))
    if seats > 2:
        yield "eliminated", flip(be_wrong(be_wrong(be_wrong(new(seats), 0, 2), 2, 1), 1, 3))


def _keyed(folder: Path, seats: int) -> Iterator[tuple[str, Frame]]:
    """Yield what a lent keypad shows."""
    table = gallery.Table(folder / "keyed", call(unread(seats), 1, 3)).press("D", "7", place=1)
    yield "named", table.frame
    yield "refused", table.press("9", place=1).frame
    yield "house_list", table.press("A", place=1).frame


def _verdicts(folder: Path, seats: int) -> Iterator[tuple[str, Frame]]:
    """Yield the results of the caller's keys."""
    for right in (True, False):
        match = call(flip(fill(new(seats), 3, 8)), 0)
        table = gallery.Table(folder / f"told {right}", match).press(str(answer(match, right=right)), place=0)
        yield "right" if right else "wrong", next(f for f in table.frames if any(side.tone for side in f.sides))
    match = call(gallery.nearly_won(seats), 0)
    yield "over", gallery.Table(folder / "over", match).press(str(answer(match, right=True)), place=0).plays[-1]


def half_laid(seats: int) -> Match:
    match = new(seats, deal="table", laid=False)
    for _ in range(3):
        choices = match.game.rules.draws(match.state)
        match.push(choices[len(choices) // 3])
    assert match.state.phase == Phase.SETUP
    return match


def unread(seats: int) -> Match:
    match = new(seats, deal="table")
    match.push(Move(TABLE, "flip", (UNKNOWN,)))
    return match


def tied(seats: int) -> Match:
    match = flip(fill(new(seats), 3, 8))
    match.push(Move(TABLE, "tie", (0, 1)))
    return match

"""Tables that are played by hand, moves of Buntherum, and drawing.

The clock of a table's host runs only when told to. Positions are reached by moves, never by inventing a view.
"""

import re
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

import pygame
import pytest

from companion.config.sections import JournalOptions, Seats
from companion.config.table_file import TableConfig
from companion.core.clock import VirtualClock
from companion.core.console import BUZZ, Lamp
from companion.core.game import Game
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat
from companion.core.place import HOUSE, Place
from companion.core.signal import PC, Signal
from companion.core.text import with_names
from companion.display import scenes, screens
from companion.display.canvas import Canvas, Placed
from companion.display.frame import Frame, Look, Menu, Play, Side
from companion.display.geometry import ScreenGeometry
from companion.display.layout import Layout
from companion.display.motion import Flight
from companion.games import all_games, load
from companion.games.buntherum.rules import SIDES, Phase, State, fits
from companion.match.new_match import new_match
from companion.match.seating import Sitter, Wanted
from companion.screens.overlays import MenuOverlay
from companion.table.host import Host
from companion.testing.playout import random_move

SEATS: Final = (2, 3, 5)
ALL_SIZES: Final = ((800, 480), (1024, 600), (720, 1280), (1280, 720))

WIDE: Final = ALL_SIZES[0]
LYING: Final = tuple((size, 0) for size in ALL_SIZES)

every_size = pytest.mark.parametrize("size", ALL_SIZES, ids=lambda size: "{}x{}".format(*size))

GLASSES: Final = (*((size, 0) for size in ALL_SIZES), *((size, 1) for size in ALL_SIZES if max(size) < 1280))
"""Every display as it lies, and the two smaller ones turned."""

NAMES: Final = ("Bo", "Maximilienne", "Cleo", "Alexandre", "Eva")
"""The long names get the shortest strips."""

STEP_NS: Final = 100_000_000
"""Longer than a bounce, shorter than any timeout in a match."""

READ_NS: Final = 500_000_000
"""The time after which a question counts as read."""

Frames = dict[str, Frame]
Thing = TypeVar("Thing")


class StillClock(VirtualClock):
    """A virtual clock for a host."""

    def act_due(self) -> None:
        while (due := self.next_ns()) is not None and due <= self.now_ns():
            self.act()


class Table:
    """A host that is played by hand; `frames` are all that it sent."""

    def __init__(self, folder: Path, match: Match | None = None, journal: str | None = None) -> None:
        self.frames: list[Frame] = []
        self.clock = StillClock(STEP_NS)
        config = TableConfig(
            seats=Seats(NAMES), journal=JournalOptions(str(folder) if journal is None else journal)
        )
        sitters = [Sitter(name) for name in match.names] if match else []
        wanted = Wanted(sitters, match=match)
        self.host = Host(all_games(), config, self.clock, self.frames.append, wanted, settle_ns=0)
        weakref.finalize(self, self.host.close)  # hundreds of records must not stay open
        self.host.start()
        session = self.host.session
        if session and session.referee.dealer is None:
            session.piece_tasks.all_done()  # the pieces lie there already
        self._see()

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def press(self, *controls: str, place: Place = HOUSE) -> "Table":
        """Press and release controls one after the other."""
        for control in controls:
            read_ns = READ_NS if isinstance(self.frame.screen, Play) else STEP_NS
            for pressed, after_ns in ((True, read_ns), (False, STEP_NS)):
                self.clock.jump(self.clock.now_ns() + after_ns)
                self._hear(Signal(PC, place, control, self.clock.now_ns(), 0, self.clock.now_ns(), pressed))
        return self

    def hold(self, control: str, place: Place = HOUSE) -> "Table":
        """Press a control without releasing it."""
        self.clock.jump(self.clock.now_ns() + STEP_NS)
        self._hear(Signal(PC, place, control, self.clock.now_ns(), 2_000_000, self.clock.now_ns()))
        return self

    def wait(self, for_ns: int) -> "Table":
        self.clock.jump(self.clock.now_ns() + for_ns)
        self.host.tick(self.clock.now_ns())
        self._see()
        return self

    @property
    def items(self) -> tuple[str, ...]:
        assert isinstance(self.frame.screen, Menu)
        return self.frame.screen.items

    @property
    def plays(self) -> list[Frame]:
        return [frame for frame in self.frames if isinstance(frame.screen, Play)]

    def menu(self, word: str) -> "Table":
        """Choose the menu line that begins with an English word, in any language."""
        overlay = self.host.frames.overlays.top
        assert isinstance(overlay, MenuOverlay)
        labels = [item.label.render(NullTranslations()) for item in overlay.choice.items]
        return self.press(str(next(number for number, label in enumerate(labels, 1) if label.startswith(word))))

    def _hear(self, signal: Signal) -> None:
        if signal.pressed or signal.control == BUZZ:
            self.host.signal(signal)
            self.host.tick(self.clock.now_ns())
            self._see()

    def _see(self) -> None:
        """Report the newest frame as visible, which opens a race."""
        visible = self.host.frames.shown(self.frame, self.clock.now_ns())
        if visible:
            self.host.signal(visible)


# --- Moves ------------------------------------------------------------------------------------------------


def new(seats: int, *, deal: str = "pi", hands: int = 0, laid: bool = True, **rulings: object) -> Match:
    """Return a match with its starters laid; `hands` replaces the cards per seat."""
    game = load("buntherum")
    chosen = game.rulings(**rulings)
    match = new_match(game, NAMES[:seats], rulings=chosen, deal=deal, seed="gallery")
    if hands:
        text = re.sub(rf"^{seats} = \d+$", f"{seats} = {hands}", game.box_text, flags=re.MULTILINE)
        match = Match(game, NAMES[:seats], rulings=chosen, box_text=text, tags=match.tags)
    match.push(Move(TABLE, "youngest", (0,)))
    while laid and match.state.phase == Phase.SETUP:
        choices = game.rules.draws(match.state)
        match.push(choices[len(choices) * 5 // 8])
    return match


def fitting(match: Match, card: int) -> list[int]:
    """Return the rows 1..6 that the card fits."""
    return [row for row in range(1, SIDES + 1) if fits(match.state, card, row)]


def flip(match: Match, into: int | None = None) -> Match:
    """Turn the next card that fits row `into`, or any row. Raise LookupError."""
    for move in match.game.rules.draws(match.state):
        rows = fitting(match, move.args[0])
        if into in rows or (into is None and rows):
            match.push(move)
            return match
    raise LookupError("no card fits")


def call(match: Match, seat: Seat, said: int | None = None) -> Match:
    """Give a seat the call, and declare row `said`, or impossible (0)."""
    match.push(Move(TABLE, "call", (seat,)))
    if said is not None:
        match.push(Move(seat, "declare", (said,)))
    return match


def answer(match: Match, *, right: bool) -> int:
    """Return a right or a wrong declaration for the open card."""
    rows = fitting(match, match.state.card)
    if right:
        return rows[0]
    return next(row for row in range(1, SIDES + 1) if row not in rows)


def be_right(match: Match, seat: Seat, times: int = 1) -> Match:
    for _ in range(times):
        call(flip(match), seat, answer(match, right=True))
    return match


def be_wrong(match: Match, seat: Seat, times: int) -> Match:
    for _ in range(times):
        call(flip(match), seat, answer(match, right=False))
    return match


def fill(match: Match, length: int, cards: int = 100) -> Match:
    """Let the seats in turn be right and fill the rows, until the match is nearly over."""
    for number in range(cards):
        seat = number % len(match.names)
        row = _row_to_fill(match, length)
        if row is None or match.state.piles[seat] == 1:
            break
        call(flip(match, row), seat, row)
    return match


def _row_to_fill(match: Match, length: int) -> int | None:
    state: State = match.state
    cards = [move.args[0] for move in match.game.rules.draws(state)]
    for row in range(1, SIDES + 1):
        if len(state.rows[row - 1]) < length and any(fits(state, card, row) for card in cards):
            return row
    return None


def nearly_won(seats: int) -> Match:
    match = new(seats)
    return flip(be_right(match, 0, match.state.piles[0] - 1))


# --- Positions of a game ----------------------------------------------------------------------------------


def played(game: Game, seats: int, seed: int, **rulings: Any) -> Iterator[Any]:
    rules, pick = game.rules, Random(seed).randrange
    state = rules.setup(game.read_box(game.box_text, ""), game.rulings(**rulings), seats)
    yield state
    while rules.to_act(state):
        state = rules.apply(state, random_move(rules, state, pick))
        yield state


def spread(phases: Iterable[Sequence[Thing]], shown: int) -> list[Thing]:
    """Return `shown` positions of each phase, from first to last."""
    return [states[place * (len(states) - 1) // (shown - 1)] for states in phases for place in range(shown)]


def frame_of(game: Game, seen_by: Callable[[Seat | None], Any], seats: int, reader: Seat | None = None) -> Frame:
    """Return the frame of a position; `seen_by` returns its view."""
    lamps = game.console.lamps(seen_by(None))
    names = NAMES[:seats]
    prompts = [str(with_names(game.console.prompt(seen_by(Seat(seat))), names)) for seat in range(seats)]
    sides = (Side(name, prompts[seat], lamps[seat] != Lamp.OFF, Seat(seat)) for seat, name in enumerate(names))
    return Frame(0, Play(game.scene, seen_by(reader)), tuple(sides))


def flown(before: Frame, after: Frame, size: tuple[int, int] = WIDE, turn: int = 0) -> tuple[Layout, list[Flight]]:
    """Return the layout, and the flights between two frames."""
    plan = screens.plan_of(size, after, ScreenGeometry(turn=turn))
    return plan, list(scenes.scene_of(after.screen.scene).flights(plan, before.screen, after.screen, Look()))


# --- As pictures ------------------------------------------------------------------------------------------


_PLACED: dict[tuple[Frame, tuple[int, int], int], list[Placed]] = {}


def placed(frame: Frame, size: tuple[int, int], turn: int = 0) -> list[Placed]:
    """Return what a frame places on a display, cached."""
    if (frame, size, turn) not in _PLACED:
        drawn(frame, size, turn)
    return _PLACED[frame, size, turn]


@cache
def pixels(frame: Frame, size: tuple[int, int]) -> int:
    """Return a digest of a frame's pixels, cached."""
    return hash(pygame.image.tobytes(drawn(frame, size).surface, "RGB"))


def drawn(frame: Frame, size: tuple[int, int], turn: int = 0) -> Canvas:
    canvas = Canvas(pygame.Surface(size, 0, 32))
    screens.draw(canvas, frame, ScreenGeometry(turn=turn))
    _PLACED[frame, size, turn] = canvas.placed
    return canvas

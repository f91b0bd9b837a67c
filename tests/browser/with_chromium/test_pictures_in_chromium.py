"""The hand and what is typed as pictures, on real pages of real matches: large, covered, read aloud, one-handed."""

import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import LANDSCAPE, PORTRAIT, Phone, wait_for
from painted_table import PaintedTable

from companion.core.match import Match
from companion.core.move import Seat
from companion.games import load
from companion.games.boese_buben.rules import Phase as BuddiesPhase
from companion.games.buro_crazy.rules.components import Phase as OfficePhase
from companion.match.begin import NAMES, new_match
from companion.testing.playout import random_move

SHOTS = Path(__file__).parents[3] / "build" / "browser"
"""Where the pictures of the last run are, to be looked at."""

READ_NS = 500_000_000
"""What is keyed sooner than anybody reads the question is not taken."""

SEES = "document.getElementById('screen').classList.contains('drawn')"
HELD = "document.getElementById('held').textContent"
SOURCE = "document.getElementById('picture').src"
FITS = """[...document.querySelectorAll("button, #lines, #picture:not([hidden])")].every((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
        && one.scrollWidth <= one.clientWidth + 1;
})"""
SHARP = """(() => {
    const shown = document.getElementById("picture");
    const { width, height } = shown.getBoundingClientRect();
    const share = Math.min(width / shown.naturalWidth, height / shown.naturalHeight) * devicePixelRatio;
    return { share, area: shown.naturalWidth * shown.naturalHeight };
})()"""


@pytest.fixture(autouse=True)
def _nobody_sees_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def reached(name: str, seats: int, due: Callable[[Any], bool]) -> Match:
    """Return a random match, played until something is due."""
    game = load(name)
    match, luck = new_match(game, NAMES[:seats], seed="phones"), random.Random("phones")
    while not due(match.state):
        match.push(random_move(game.rules, match.state, luck.randrange))
    return match


def a_hand() -> tuple[Match, Seat]:
    """Return a race of Böse Buben in which a seat with a full hand places a card."""
    match = reached("boese_buben", 3, lambda state: state.phase == BuddiesPhase.TURN)
    return match, match.state.mover


def a_duel() -> tuple[Match, Seat]:
    """Return a duel of Büro Crazy in which nobody has bid."""
    match = reached("buro_crazy", 3, lambda state: state.phase == OfficePhase.BID)
    return match, match.state.duel[0]


class Seated:
    """Pages of the first seats of a match, of which one is looked at."""

    def __init__(
        self, folder: Path, made: tuple[Match, Seat], language: str, size: tuple[int, int], **look: Any
    ) -> None:
        self.match, self.seat = made
        self.table = PaintedTable(folder, [language] * 5, **look)
        addresses = self.table.invite(len(self.match.names))
        self.phone = Phone(addresses[self.seat], size)
        self.phone.sits()
        self.table.play(self.match)
        wait_for(lambda: self.phone.of(SEES), "the picture")
        read_ns = time.monotonic_ns() + READ_NS
        wait_for(lambda: time.monotonic_ns() > read_ns, "reading")

    def close(self) -> None:
        self.phone.__exit__()
        self.table.__exit__()

    def typed(self, keys: str) -> None:
        """Key something; return when another picture shows it."""
        for key in keys:
            before = self.phone.of(SOURCE)
            self.phone.press(key)
            try:
                wait_for(lambda: self.phone.of(SOURCE) != before, f"what is typed: {key}")  # noqa: B023
            except AssertionError:
                self.phone.photograph(SHOTS / "failed.png")
                print(self.phone.lines, self.phone.of(HELD), self.table.host.session.referee.pauses)
                raise
        wait_for(lambda: self.phone.of("document.getElementById('picture').complete"), "the picture")


Sits = Callable[..., Seated]


@pytest.fixture
def sits(tmp_path: Path) -> Iterator[Sits]:
    opened: list[Seated] = []

    def sit(
        made: tuple[Match, Seat], language: str = "en", size: tuple[int, int] = PORTRAIT, **look: Any
    ) -> Seated:
        opened.append(Seated(tmp_path / str(len(opened)), made, language, size, **look))
        return opened[-1]

    yield sit
    for each in opened:
        each.close()


def test_a_hand_of_buddies_upright(sits: Sits) -> None:
    seated = sits(a_hand())
    seated.typed("3")
    phone = seated.phone
    phone.photograph(SHOTS / "hand-en-portrait.png")
    assert phone.of(FITS)
    sharp = phone.of(SHARP)
    print(sharp)
    assert phone.complaints() == []


def test_others(sits: Sits) -> None:
    seated = sits(a_hand(), "fr", LANDSCAPE)
    seated.typed("3")
    seated.phone.photograph(SHOTS / "hand-fr-landscape.png")
    assert seated.phone.of(FITS)
    seated = sits(a_duel(), "fr", PORTRAIT)
    seated.typed("135")
    seated.phone.photograph(SHOTS / "bid-fr-portrait.png")
    assert seated.phone.of(FITS)
    seated = sits(a_duel(), "en", LANDSCAPE, contrast="high", text="large")
    seated.typed("135")
    seated.phone.press("#")
    seated.phone.photograph(SHOTS / "bid-en-landscape.png")
    assert seated.phone.of(FITS)

"""Makes the pictures of docs/play.md and the README from the running program.

Needs Xvfb, xdotool and ImageMagick: `.venv/bin/python docs/make_pictures.py`. It plays a match on a screen that
nobody sees, with real keys, and takes a picture whenever the program has got where the text is about. The cards
are others each time; look at the pictures before you commit them.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.core.errors import CompanionError
from companion.core.match import Match
from companion.display import virtual_seats
from companion.games import all_games
from companion.games.buntherum.rules import Phase, State
from companion.records.history import records
from companion.referee.journal import open_record
from companion.table.match_menus import VERDICT_NS

PICTURES = Path(__file__).parent / "pictures"
WIDTH_PX = 1000
MOST_BYTES = 150_000
PATIENCE_S = 400.0
PERSON = 0
PLAY = ("play", "--virtual", "--bots", "person,easy,easy")

DEMOS = {"boese_buben": 22, "buro_crazy": 20, "de_et_boulanger": 140}
"""The games that robots play for a picture, and after how many moves it is taken at the earliest."""


class Stage:
    """The program on a screen of its own, hands for it, a camera, and its newest record."""

    def __init__(self, home: Path) -> None:
        size = "{}x{}x24".format(*virtual_seats.WINDOW)
        reader, writer = os.pipe()
        self._screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", size], pass_fds=(writer,), stderr=subprocess.DEVNULL
        )
        os.close(writer)
        with os.fdopen(reader) as numbers:
            display = f":{numbers.readline().strip()}"
        self._environ = os.environ | {"DISPLAY": display, "XDG_DATA_HOME": str(home), "LC_ALL": "C.UTF-8"}
        self._folder = home / "companion" / "matches"
        self._program: subprocess.Popen[bytes] | None = None

    def start(self, *words: str) -> None:
        """Start the program and wait until it shows something."""
        self._program = subprocess.Popen([sys.executable, "-m", "companion", *words], env=self._environ)
        while len(set(self._pixels()[::101])) < 2:  # as long as it takes on a machine that does other things, too
            time.sleep(0.2)
        time.sleep(1)
        self._still()

    def kill(self) -> None:
        """End the program as a power cut does."""
        if self._program:
            self._program.kill()
            self._program.wait()

    def close(self) -> None:
        """End the program and the screen."""
        self.kill()
        self._screen.terminate()
        self._screen.wait()

    def key(self, *names: str) -> None:
        """Press keys."""
        subprocess.run(["xdotool", "key", *names], env=self._environ, check=True)

    def step(self, *names: str) -> None:
        """Press keys one after the other, each when the screen stands still."""
        for name in names:
            self.key(name)
            time.sleep(0.2)
            self._still()

    def click(self, place: int, control: str) -> None:
        """Click on something."""
        targets = {(one.place, one.control): one.rect.center for one in virtual_seats.targets(5)}
        x, y = map(str, targets[place, control])
        subprocess.run(["xdotool", "mousemove", x, y, "click", "1"], env=self._environ, check=True)
        time.sleep(0.3)

    def match(self) -> Match | None:
        """Return the match of the newest record, as far as it is written."""
        with suppress(CompanionError, IndexError):
            return open_record(records(self._folder)[-1], all_games()).match
        return None

    def wait_for(self, reached: Callable[[Match], object], act: Callable[[], None] = lambda: None) -> Match:
        """Do `act` until the match is where it should be; return it."""
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            match = self.match()
            if match and reached(match):
                return match
            act()
            time.sleep(0.03)
        raise TimeoutError("the match does not get there")

    def take(self, name: str) -> None:
        """Take a picture of the window, small enough for a page."""
        path = PICTURES / f"{name}.png"
        raw = self._camera()
        small = ("-resize", f"{WIDTH_PX}x", "+dither", "-colors", "128", "-strip")
        best = ("-define", "png:compression-level=9", "-define", "png:compression-filter=0")
        subprocess.run(["convert", "png:-", *small, *best, f"PNG8:{path}"], input=raw, check=True)
        size = path.stat().st_size
        sys.stdout.write(f"{path.relative_to(PICTURES.parents[1])}: {size / 1000:.0f} kB\n")
        if size > MOST_BYTES:
            raise ValueError(f"{path} has {size} bytes; at most {MOST_BYTES} are wanted")

    def _camera(self) -> bytes:
        return subprocess.run(
            ["import", "-window", "root", "png:-"], env=self._environ, check=True, capture_output=True
        ).stdout

    def _still(self) -> None:
        before = b""
        while (now := self._pixels()) != before:
            before = now

    def _pixels(self) -> bytes:
        return subprocess.run(
            ["import", "-window", "root", "rgb:-"], env=self._environ, check=True, capture_output=True
        ).stdout


def wrong(state: State) -> str:
    """Return the key of a row that does not take the open card."""
    names = state.box.names
    card = set(names[state.card].split())
    rows = enumerate(zip(state.rows, state.box.printed, strict=True), 1)
    shown = {
        number: {word for each in (*row, side) for word in names[each].split()} for number, (row, side) in rows
    }
    return str(next((row for row, words in shown.items() if words & card), 0))


def turning(stage: Stage, reached: Callable[[Match], object]) -> Match:
    """Have the house draw lots for the youngest and turn each card, until the match is where it should be."""

    pressed = -1

    def act() -> None:
        nonlocal pressed
        match = stage.match()
        if match and match.length != pressed and match.state.phase in {Phase.SETUP, Phase.READY}:
            pressed = match.length  # once is enough: a second press would be refused, and told
            stage.key("F5")

    return stage.wait_for(reached, act)


def call(stage: Stage) -> Match:
    """Press the person's buzzer whenever a card is open, until the person has the call."""

    def has_it(match: Match) -> bool:
        state = match.state
        if state.phase == Phase.OPEN:
            stage.key("z")
        return bool(state.phase == Phase.LOCKED and state.caller == PERSON)

    return turning(stage, has_it)


def shoot(stage: Stage) -> None:
    """Play, and take the pictures in the order of docs/play.md; the one of the hints first, which Esc ends."""
    stage.start(*PLAY)
    stage.step("z", "Return", "2")
    stage.key("1")
    call(stage)
    time.sleep(0.1)
    stage.take("first_match")
    stage.step("Escape")
    stage.kill()
    stage.start(*PLAY)
    stage.step("z", "Return")  # it was interrupted, and is left for later
    stage.take("attract")
    stage.step("z")
    stage.take("join")
    stage.step("Return")
    stage.take("game")
    stage.step("2", "t", "t", "t")
    stage.take("rulings")
    stage.key("1")
    turning(stage, lambda match: match.state.phase == Phase.OPEN)
    time.sleep(0.2)
    stage.take("open")
    match = call(stage)
    time.sleep(0.1)
    stage.take("locked")
    stage.key(wrong(match.state))
    stage.wait_for(lambda match: match.state.phase == Phase.READY)
    time.sleep(0.1)
    stage.take("verdict")
    stage.step("Escape")
    stage.take("pause")
    stage.step("z")
    stage.take("undo")
    stage.step("Escape")
    stage.click(1, "fault unplug")
    stage.take("unplugged")
    stage.click(1, "fault unplug")
    turning(stage, lambda match: match.state.turn >= 8)
    stage.kill()
    stage.start(*PLAY)
    stage.take("resume")
    stage.step("1")
    stage.key("1")
    turning(stage, lambda match: match.outcome)
    time.sleep(VERDICT_NS / 1e9 + 0.5)  # the last verdict is held first
    stage.take("result")


def shoot_demos(stage: Stage) -> None:
    """Take a picture of each game that robots play, when somebody has locked a bid where there are bids."""
    for game, moves in DEMOS.items():
        stage.kill()
        stage.start("demo", game, "--seed", "7")
        stage.wait_for(lambda match, game=game, least=moves: _worth_a_picture(match, game, least))  # type: ignore[misc]
        time.sleep(0.2)
        stage.take(game)


def _worth_a_picture(match: Match, game: str, least: int) -> bool:
    if match.game.name != game or match.length < least:
        return False
    return game != "buro_crazy" or bool(match.view().locked and match.view().last)


def main() -> None:
    """Make all pictures."""
    gone = [tool for tool in ("Xvfb", "xdotool", "import", "convert") if not shutil.which(tool)]
    if gone:
        sys.exit(f"not installed: {', '.join(gone)} (Debian: apt install xvfb xdotool imagemagick)")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        stage = Stage(Path(home))
        try:
            shoot(stage)
            shoot_demos(stage)
        finally:
            stage.close()


if __name__ == "__main__":
    main()

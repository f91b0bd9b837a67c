"""The window as a person has it: the real program under Xvfb, with nothing but real keys, clicks and signals."""

import ctypes
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

import pytest
from running import COMMAND, environment

from companion.core.console import BUZZ
from companion.core.match import Match
from companion.display import virtual_seats
from companion.games import all_games
from companion.games.buntherum.rules import Phase, State
from companion.history import records
from companion.referee.journal import Opened, open_record


def missing() -> str:
    """Say why this cannot run here; empty when it can."""
    if not sys.platform.startswith("linux"):
        return "Xvfb is for Linux"
    gone = [tool for tool in ("Xvfb", "xdotool") if not shutil.which(tool)]
    return f"needs {' and '.join(gone)} (Debian: apt install xvfb xdotool)" if gone else ""


pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

PATIENCE_S = 30.0
"""How long anything may take on a machine that is busy with something else."""

PERSON = 0
CLIENT_MESSAGE = 33
BUNTHERUM = ("buntherum", "person,human-slow,human-slow")
"""The game, and who sits at which seat."""


def eventually(reached: Callable[[], Any], what: str, seconds: float = PATIENCE_S, pause_s: float = 0.02) -> Any:
    """Wait until something is so and return it."""
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s:
        found = reached()
        if found:
            return found
        time.sleep(pause_s)
    raise AssertionError(f"not within {seconds:.0f} s: {what}")


class Screen:
    """An X server without a screen; what it shows can be read from its frame buffer."""

    def __init__(self, folder: Path) -> None:
        wide, high = virtual_seats.WINDOW
        reader, writer = os.pipe()
        self._buffer = folder / "Xvfb_screen0"
        size = f"{wide}x{high}x24"
        options = ("-displayfd", str(writer), "-screen", "0", size, "-nolisten", "tcp", "-fbdir", str(folder))
        self._server = subprocess.Popen(
            ["Xvfb", *options], pass_fds=(writer,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(writer)
        with os.fdopen(reader) as numbers:
            self.display = f":{numbers.readline().strip()}"

    def pixels(self) -> bytes:
        """Return the picture without the mouse, 4 bytes each pixel: blue, green, red, nothing."""
        data = self._buffer.read_bytes()
        fields = struct.unpack(">25I", data[:100])
        return data[fields[0] + 12 * fields[19] :]

    def lit(self, x: int, y: int) -> bool:
        """Tell whether a pixel has the yellow of what is lit."""
        place = (y * virtual_seats.WINDOW[0] + x) * 4
        blue, green, red = self.pixels()[place : place + 3]
        return bool(red > 200 and green > 150 and blue < 120)

    def still(self) -> bytes:
        """Return the picture as soon as it stands still."""
        return eventually(self._same_twice, "the picture stands still")

    def _same_twice(self) -> bytes | None:
        once = self.pixels()
        time.sleep(0.1)
        return once if once == self.pixels() else None

    def do(self, *words: object) -> None:
        """Let xdotool press keys or move and click the mouse."""
        environ = os.environ | {"DISPLAY": self.display}
        subprocess.run(["xdotool", *map(str, words)], env=environ, check=True, timeout=PATIENCE_S)

    def close(self) -> None:
        self._server.terminate()
        self._server.wait(PATIENCE_S)


class Table:
    """The running program, its keys, its mouse and its newest record."""

    def __init__(self, screen: Screen, home: Path, played: tuple[str, str] = BUNTHERUM) -> None:
        self.screen = screen
        self.home = home
        game, bots = played
        environ = environment(home) | {"DISPLAY": screen.display, "SDL_VIDEODRIVER": "x11"}
        self._errors = (home / "errors.txt").open("w+")
        self.process = subprocess.Popen(
            [*COMMAND, "play", game, "--virtual", "--bots", bots],
            cwd=home,
            env=environ,
            stdout=self._errors,
            stderr=self._errors,
        )
        self._targets = {(one.place, one.control): one.rect.center for one in virtual_seats.targets(5)}
        self._clicks = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE_S)
        self._errors.close()

    def said(self) -> str:
        return (self.home / "errors.txt").read_text()

    def key(self, *names: str) -> None:
        self.screen.do("key", *names)

    def click(self, control: str, place: int = PERSON) -> None:
        x, y = self._targets[place, control]
        self.screen.do("mousemove", x, y, "click", 1)

    def act(self, control: str) -> None:
        """Press a control of the person's: by turns with a key and with the mouse."""
        self._clicks += 1
        if self._clicks % 4 < 2:
            self.click(control)
        else:
            self.key({BUZZ: "z"}.get(control, control))

    def and_see(self, act: Callable[[], None]) -> None:
        """Do something in a menu, and wait until the screen has answered."""
        before = self.screen.still()
        act()
        eventually(lambda: self.screen.pixels() != before, "the screen answers")
        self.screen.still()

    @property
    def folder(self) -> Path:
        return self.home / "data" / "companion" / "matches"

    def opened(self) -> Opened:
        return open_record(records(self.folder)[-1], all_games())

    @property
    def match(self) -> Match:
        """The match as far as it is in the journal; a line that is being written is left out."""
        return self.opened().match

    def wait_for(self, reached: Callable[[Match], Any], what: str, seconds: float = PATIENCE_S) -> Match:
        def look() -> Match | None:
            assert self.process.poll() is None, self.said()
            match = self.match
            return match if reached(match) else None

        return eventually(look, what, seconds)

    def ready(self) -> None:
        """Wait until the program shows something and stands still."""
        eventually(lambda: self.process.poll() is not None or any(self.screen.pixels()[::997]), "a first frame")
        assert self.process.poll() is None, self.said()
        self.screen.still()

    def begin(self) -> Match:
        """Sit down and start a match; return it when the first card is open."""
        self.sit()
        return self.wait_for(lambda match: match.state.phase == Phase.OPEN, "the first card")

    def sit(self) -> None:
        """Sit down and start a match by default rulings."""
        self.ready()
        self.and_see(lambda: self.key("z"))  # sits down
        self.and_see(lambda: self.key("Return"))  # all sit
        self.key("Return")  # starts
        eventually(lambda: records(self.folder), "a record")

    def end(self, number: signal.Signals) -> None:
        self.process.send_signal(number)
        self.process.wait(PATIENCE_S)


def right(state: State) -> int:
    """Return a right call of the open card: the first row that fits, 0 for impossible."""
    names = state.box.names
    card = set(names[state.card].split())
    for side, row in enumerate(state.rows):
        shown = {word for each in (*row, state.box.printed[side]) for word in names[each].split()}
        if not shown & card:
            return side + 1
    return 0


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    folder = tmp_path / "screen"
    folder.mkdir()
    one = Screen(folder)
    yield one
    one.close()


def calls(match: Match, seat: int) -> int:
    return sum(move.verb == "call" and move.args[0] == seat for move in match.moves)


def take_part(table: Table, seconds: float) -> Match:
    """Call and key the right row, as fast as keys and clicks go, until the match is over."""
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s:
        match = table.match
        state = match.state
        if match.outcome:
            return match
        if state.phase == Phase.OPEN:
            table.act(BUZZ)
            length = match.length
            deadline_s = time.monotonic() + 0.4
            while table.match.length == length and time.monotonic() < deadline_s:
                time.sleep(0.01)
        elif state.phase == Phase.LOCKED and state.caller == PERSON:
            table.act(str(right(state)))
            table.wait_for(
                lambda now, length=match.length: now.length > length or now.state.phase != Phase.LOCKED, "a verdict"
            )
        else:
            time.sleep(0.02)
    raise AssertionError(f"the match was not over within {seconds:.0f} s")


def test_a_match_from_attract_to_result(screen: Screen, tmp_path: Path) -> None:
    with Table(screen, tmp_path) as table:
        match = table.begin()
        names = match.names
        assert len(names) == 3

        # A pause: the robots stop, an undo is offered with what it takes back, and done.
        def called() -> Match | None:
            if table.match.state.phase == Phase.OPEN:
                table.key("z")
            now = table.match
            return now if now.state.phase == Phase.LOCKED and now.state.caller == PERSON else None

        match = eventually(called, "the person has the call", pause_s=0.2)
        table.key("9")  # no row: refused, and said in private
        table.key("0" if right(match.state) else "1")  # wrong
        table.wait_for(lambda now: now.state.chips[PERSON] == 1, "a chip")
        table.and_see(lambda: table.key("Escape"))
        length = len(table.match.entries)
        table.and_see(lambda: table.key("2"))  # undo: back to the call
        match = table.wait_for(lambda now: len(now.entries) > length, "an undo")
        assert match.entries[-1].kind == "undo"
        paused = len(match.entries)
        time.sleep(1.5)
        assert len(table.match.entries) == paused
        table.and_see(lambda: table.key("1"))  # go on
        match = take_part(table, 80)
        assert match.outcome
        assert calls(match, PERSON) >= 4  # some by key, some by click
        assert table.opened().damage is None
        table.screen.still()
        table.end(signal.SIGTERM)
        assert table.process.returncode == 0
        assert table.said() == ""


def test_killed_in_a_match_it_goes_on_where_it_was(screen: Screen, tmp_path: Path) -> None:
    with Table(screen, tmp_path) as table:
        table.begin()
        table.wait_for(lambda now: now.state.turn >= 2, "two cards", 60)
        table.end(signal.SIGKILL)
        match = table.match
        entries, path = len(match.entries), records(table.folder)[-1]
        kept = path.read_bytes()
    with Table(screen, tmp_path) as table:
        table.ready()
        assert path.read_bytes() == kept
        table.and_see(lambda: table.key("1"))  # go on with it
        assert len(table.match.entries) == entries  # paused
        table.key("1")
        again = table.wait_for(lambda now: len(now.entries) > entries + 2, "the match goes on", 60)
        assert again.entries[:entries] == match.entries
        assert again.names == match.names
        assert records(table.folder) == [path]


FIRST_MOVES = [
    # The game and who plays; when the person may act; the keys pressed; the move that they make.
    ("buro_crazy", "person,planner,planner", lambda view: PERSON in view.duel, "5 1 Return", "1 commit 20 1"),
    (
        "boese_buben",
        "person,planner",
        lambda view: view.mover == PERSON,
        "1 F1 BackSpace {lane}",
        "1 play 1 {lane}",
    ),
    ("de_et_boulanger", "person,planner", lambda view: True, "F1 3 1 2 4 5 6", "1 tiles 3 1 2 4 5 6"),
]


@pytest.mark.parametrize(
    ("game", "who", "due", "keys", "move"), FIRST_MOVES, ids=[first[0] for first in FIRST_MOVES]
)
def test_a_person_plays_among_robots(
    game: str, who: str, due: Callable[[Any], bool], keys: str, move: str, screen: Screen, tmp_path: Path
) -> None:
    with Table(screen, tmp_path, (game, who)) as table:
        table.sit()
        match = table.wait_for(lambda match: due(match.view()), "the person may act", 60)
        # The robot may have begun, and the same value does not go to its lane.
        lane = next((number for number, track in enumerate(getattr(match.view(), "tracks", ()), 1) if not track), 0)
        for key in keys.format(lane=lane).split():
            table.key(key)
        made = move.format(lane=lane)
        table.wait_for(lambda match: made in [entry.move for entry in match.entries], made)
        table.end(signal.SIGTERM)
        assert table.process.returncode == 0
        assert table.said() == ""


class ClientMessage(ctypes.Structure):
    """Xlib's XClientMessageEvent, as long as any XEvent."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("message_type", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
        ("rest", ctypes.c_long * 16),
    )


def close_window(table: Table) -> None:
    """Close the window as a window manager does: Xvfb has none, and xdotool cannot."""
    environ = os.environ | {"DISPLAY": table.screen.display}
    search = ["xdotool", "search", "--class", "."]  # the only window
    found = subprocess.run(search, env=environ, check=True, capture_output=True)
    xlib = ctypes.CDLL("libX11.so.6")  # xdotool needs it too
    xlib.XOpenDisplay.restype = ctypes.c_void_p
    xlib.XInternAtom.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int)
    xlib.XInternAtom.restype = ctypes.c_ulong
    event = ctypes.POINTER(ClientMessage)
    xlib.XSendEvent.argtypes = (ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_long, event)
    xlib.XCloseDisplay.argtypes = (ctypes.c_void_p,)
    display = xlib.XOpenDisplay(table.screen.display.encode())
    protocols, delete = (xlib.XInternAtom(display, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
    window = int(found.stdout.split()[-1])
    message = ClientMessage(CLIENT_MESSAGE, 0, 1, display, window, protocols, 32, (delete, 0, 0, 0, 0))
    xlib.XSendEvent(display, window, 0, 0, ctypes.byref(message))
    xlib.XCloseDisplay(display)


@pytest.mark.parametrize("how", ["SIGTERM", "window"])
def test_ended_politely_the_record_is_whole(screen: Screen, tmp_path: Path, how: str) -> None:
    with Table(screen, tmp_path) as table:
        table.begin()
        if how == "SIGTERM":
            table.end(signal.SIGTERM)
        else:
            close_window(table)
            table.process.wait(PATIENCE_S)
        assert table.process.returncode == 0
        assert table.said() == ""
        opened = table.opened()
        assert opened.damage is None
        assert opened.match.length > 7
        assert opened.match.outcome is None

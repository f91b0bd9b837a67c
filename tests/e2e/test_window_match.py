"""The program's window under Xvfb with real keys, clicks and signals."""

import ctypes
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.core.console import BUZZ
from companion.core.match import Match
from companion.games.buntherum.rules import Phase, State
from companion.records.history import records
from tests.e2e.pc import PATIENCE_S, PERSON, Screen, Table, eventually, needs_a_screen, soon

pytestmark = needs_a_screen

CLIENT_MESSAGE = 33
KEYCODE_OF_Z = "52"

BUNTHERUM = ("buntherum", "--bots", "person,easy,easy")


def begin(table: Table) -> Match:
    """Start a match as the youngest; return it at the first card."""
    sit(table)
    buzz_until(table, lambda match: match.length, "the youngest")
    table.wait_for(lambda match: match.state.phase != Phase.SETUP, "the set-up")
    return buzz_until(table, lambda match: match.state.phase != Phase.READY, "the first card")


def buzz_until(table: Table, reached: Callable[[Match], Any], what: str) -> Match:
    """Press the buzzer repeatedly until it has an effect."""

    def pressed() -> Match | None:
        table.key("z")
        return table.match if soon(lambda: bool(reached(table.match))) else None

    return eventually(pressed, what)


def sit(table: Table) -> None:
    table.ready()
    table.and_see(lambda: table.key("z"))  # sits down
    table.and_see(lambda: table.key("Return"))  # all sit
    table.key("Return")  # starts
    eventually(lambda: records(table.folder), "a record")


def right(state: State) -> int:
    """Return the first row that fits the open card, or 0."""
    names = state.box.names
    card = set(names[state.card].split())
    for side, row in enumerate(state.rows):
        shown = {word for each in (*row, state.box.printed[side]) for word in names[each].split()}
        if not shown & card:
            return side + 1
    return 0


def turns(match: Match) -> bool:
    return match.state.phase == Phase.READY and match.state.flipper == PERSON


def with_turns(table: Table, reached: Callable[[Match], bool], what: str) -> Match:
    """Wait for robots, turning the person's cards meanwhile."""

    def come(now: Match) -> bool:
        if turns(now):
            table.key("z")
            soon(lambda: not turns(table.match))
        return reached(now)

    return table.wait_for(come, what, 60)


def calls(match: Match, seat: int) -> int:
    return sum(move.verb == "call" and move.args[0] == seat for move in match.moves)


class Hands:
    """Presses the person's controls by key and mouse alternately."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.presses = 0

    def act(self, control: str) -> None:
        self.presses += 1
        if self.presses % 4 < 2:
            self.table.click(control)
        else:
            self.table.key({BUZZ: "z"}.get(control, control))


def take_part(table: Table, times: int, seconds: float) -> Match:
    """Call and enter right rows until the person was first `times` times."""
    hands = Hands(table)
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s:
        match = table.match
        state = match.state
        if match.outcome or (calls(match, PERSON) >= times and state.phase == Phase.READY):
            return match
        if state.phase == Phase.OPEN or turns(match):
            hands.act(BUZZ)
            length = match.length
            deadline_s = time.monotonic() + 0.4
            while table.match.length == length and time.monotonic() < deadline_s:
                time.sleep(0.01)
        elif state.phase == Phase.LOCKED and state.caller == PERSON:
            hands.act(str(right(state)))
            table.wait_for(
                lambda now, length=match.length: now.length > length or now.state.phase != Phase.LOCKED, "a verdict"
            )
        else:
            time.sleep(0.02)
    raise AssertionError(f"the person was not first {times} times within {seconds:.0f} s")


def test_pause_undo_and_calls_accept_keys_and_clicks(screen: Screen, tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text(
        '[pace]\ntimers = "off"\n', "utf-8"
    )  # on a busy machine the row decides the chip, not the time
    with Table(screen, tmp_path, *BUNTHERUM, "--table", str(config)) as table:
        match = begin(table)
        names = match.names
        assert len(names) == 3

        # A pause: the robots stop, and an undo is offered and done.
        def called() -> Match | None:
            if table.match.state.phase == Phase.OPEN or turns(table.match):
                table.key("z")
            now = table.match
            return now if now.state.phase == Phase.LOCKED and now.state.caller == PERSON else None

        match = eventually(called, "the person has the call", pause_s=0.2)
        table.key("9")  # invalid row: refused in private
        table.key("0" if right(match.state) else "1")  # wrong
        table.wait_for(lambda now: now.state.chips[PERSON] == 1, "a chip")
        table.and_see(lambda: table.key("Escape"))
        length = len(table.match.entries)
        table.key("2")  # undo: back to the call
        match = table.wait_for(lambda now: len(now.entries) > length, "an undo")
        assert match.entries[-1].kind == "undo"
        paused = len(match.entries)
        time.sleep(1.5)
        assert len(table.match.entries) == paused
        table.and_see(lambda: table.key("1"))  # continue
        match = take_part(table, 4, 80)
        assert calls(match, PERSON) >= 4  # both by key and by click
        table.screen.still()
        table.end(signal.SIGTERM)
        assert table.process.returncode == 0
        assert table.said() == ""
        assert table.opened().damage is None
        assert table.match.outcome is None


def test_killed_match_resumes_where_it_was(screen: Screen, tmp_path: Path) -> None:
    with Table(screen, tmp_path, *BUNTHERUM) as table:
        begin(table)
        with_turns(table, lambda now: now.state.turn >= 2, "two cards")
        table.end(signal.SIGKILL)
        match = table.match
        entries, path = len(match.entries), records(table.folder)[-1]
        kept = path.read_bytes()
    with Table(screen, tmp_path, *BUNTHERUM) as table:
        table.ready()
        assert path.read_bytes() == kept
        table.and_see(lambda: table.key("1"))  # resume
        assert len(table.match.entries) == entries  # paused
        table.key("1")
        again = with_turns(table, lambda now: len(now.entries) > entries + 2, "the match goes on")
        assert again.entries[:entries] == match.entries
        assert again.names == match.names
        assert records(table.folder) == [path]


class ClientMessage(ctypes.Structure):
    """Xlib's XClientMessageEvent, with an XEvent's size."""

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
    """Close the window as a window manager does; Xvfb runs without one."""
    environ = os.environ | {"DISPLAY": table.screen.display}
    search = ["xdotool", "search", "--class", "."]  # the only window
    found = subprocess.run(search, env=environ, check=True, capture_output=True)
    xlib = ctypes.CDLL("libX11.so.6")  # also needed by xdotool
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


def test_closed_window_leaves_an_intact_record(screen: Screen, tmp_path: Path) -> None:
    with Table(screen, tmp_path, *BUNTHERUM) as table:
        begin(table)
        close_window(table)
        table.process.wait(PATIENCE_S)
        assert table.process.returncode == 0
        assert table.said() == ""
        opened = table.opened()
        assert opened.damage is None
        assert opened.match.length > 7
        assert opened.match.outcome is None


@pytest.mark.skipif(not shutil.which("setxkbmap"), reason="needs setxkbmap (Debian: apt install x11-xkb-utils)")
@pytest.mark.parametrize("layout", ["ru", "gr", "il", "ara"])
def test_buzzer_works_without_latin_letters(screen: Screen, tmp_path: Path, layout: str) -> None:
    with Table(screen, tmp_path, *BUNTHERUM) as table:
        table.ready()
        environ = os.environ | {"DISPLAY": screen.display}
        subprocess.run(["setxkbmap", layout], env=environ, check=True, timeout=PATIENCE_S)
        table.and_see(lambda: table.key(KEYCODE_OF_Z))  # sits down

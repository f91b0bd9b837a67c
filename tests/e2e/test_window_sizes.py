"""The virtual table's window on screens of every size."""

import json
import os
import subprocess
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import pytest

from companion.display.table_plan import TablePlan, table_plan
from tests.e2e.pc import Screen, Table, eventually, needs_a_screen

pytestmark = needs_a_screen

SIZES = ((800, 480), (1366, 768), (1920, 1080), (720, 1280))


@pytest.fixture(params=SIZES, ids=lambda size: "{}x{}".format(*size))
def desktop(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Screen]:
    folder = tmp_path / "screen"
    folder.mkdir()
    one = Screen(folder, request.param)
    yield one
    one.close()


class PlacedTable(Table):
    """A table whose window can be moved and resized."""

    def __init__(self, screen: Screen, home: Path) -> None:
        (home / "state" / "companion").mkdir(parents=True, exist_ok=True)
        super().__init__(screen, home)

    def asked(self, *words: str) -> str:
        environ = os.environ | {"DISPLAY": self.screen.display}
        command = ["xdotool", *words]
        return subprocess.run(command, env=environ, check=True, capture_output=True, text=True).stdout

    @cached_property
    def window(self) -> str:
        return self.asked("search", "--class", ".").split()[-1]  # the only window

    def place(self) -> tuple[int, ...]:
        told = self.asked("getwindowgeometry", "--shell", self.window)
        values = dict(line.split("=") for line in told.split())
        return tuple(int(values[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))

    def click_buzzer(self, place: int, plan: TablePlan, corner: tuple[int, ...]) -> None:
        x, y = plan.seats[place].buzzer.center
        self.screen.do("mousemove", corner[0] + x, corner[1] + y, "click", 1)


def sits_down(table: PlacedTable, place: int) -> None:
    left, top, *size = table.place()
    plan = table_plan((size[0], size[1]))
    display = plan.display.move(left, top)
    table.screen.still()
    before = table.screen.part(display)
    table.click_buzzer(place, plan, (left, top))
    eventually(lambda: table.screen.part(display) != before, "the display answers")
    table.screen.still()


def test_window_fits_resizes_fills_and_is_remembered(desktop: Screen, tmp_path: Path) -> None:
    whole = (0, 0, *desktop.size)
    with PlacedTable(desktop, tmp_path) as table:
        table.ready()
        left, top, wide, high = table.place()
        assert left >= 0
        assert top >= 0
        assert left + wide <= desktop.size[0]
        assert top + high <= desktop.size[1]
        sits_down(table, 0)
        if (wide, high) == desktop.size:  # a small screen is filled at once
            table.key("F11")
            eventually(lambda: table.place() != whole, "a window")
        table.asked("windowsize", table.window, "640", "460")
        eventually(lambda: table.place()[2:] == (640, 460), "a smaller window")
        sits_down(table, 1)
        table.key("alt+Return")
        eventually(lambda: table.place() == whole, "the whole screen")
        sits_down(table, 2)
        table.screen.still()
        shown = desktop.pixels()
        table.asked("windowunmap", "--sync", table.window)
        eventually(lambda: desktop.pixels() != shown, "the window is gone")
        table.asked("windowmap", table.window)
        eventually(lambda: desktop.pixels() == shown, "the same picture again")
        table.process.terminate()
        table.process.wait(30)
        assert table.said() == ""
    kept = json.loads((tmp_path / "state" / "companion" / "window.json").read_text("utf-8"))
    assert kept == {"size": [640, 460], "full": True}
    with PlacedTable(desktop, tmp_path) as table:
        table.ready()
        assert table.place() == whole

"""The end of a match: ranks, and the winner's lamp."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.config.table_file import TableConfig
from companion.core.console import Lamp
from companion.core.place import HOUSE
from companion.display.frame import CELEBRATION_NS
from tests.host_bench import Bench, ended, entries

SECONDS = CELEBRATION_NS / 1e9


def over(folder: Path, *, motion: bool = True) -> Bench:
    """Return a finished match of two people that Ben has won."""
    config = TableConfig()
    bench = Bench(folder, config=replace(config, display=replace(config.display, motion=motion)))
    bench.play((0, 1))
    for _ in range(2):
        bench.call(0, bench.wrong())
        bench.next_card()
    bench.call(0, bench.wrong())
    ended(bench)
    return bench


def test_strips_and_private_screens_show_the_ranks(tmp_path: Path) -> None:
    bench = over(tmp_path)
    assert [(side.note, side.tone, side.lit) for side in bench.frame.sides] == [
        ("2nd", "", False),
        ("You won!", "good", False),
    ]
    assert [panel.lines[0] for panel in bench.frame.panels[:2]] == ["2nd", "You won!"]


@pytest.mark.parametrize(("motion", "lamp"), [(True, Lamp.BLINK), (False, Lamp.ON)])
def test_winners_lamp_celebrates_for_some_seconds(tmp_path: Path, motion: bool, lamp: Lamp) -> None:
    bench = over(tmp_path, motion=motion)
    assert bench.screen.celebrates
    assert bench.lamps[:2] == [Lamp.OFF, lamp]
    bench.wait(SECONDS - 0.1)
    assert bench.lamps[1] == lamp
    bench.wait(0.2)
    assert bench.lamps[:2] == [Lamp.OFF, Lamp.OFF]


def test_press_during_the_celebration_starts_a_rematch(tmp_path: Path) -> None:
    bench = over(tmp_path)
    bench.hand(1, "1")
    assert len(bench.records) == 2
    assert Lamp.BLINK not in bench.lamps


def test_undo_ends_the_celebration(tmp_path: Path) -> None:
    bench = over(tmp_path)
    before = entries(bench)
    bench.house("undo")
    assert bench.lamps[1] == Lamp.OFF
    bench.press(HOUSE, "ok")
    assert entries(bench) == [*before, "undo 1"]
    assert bench.lamps[:2] == [Lamp.ON, Lamp.OFF]
    bench.wait(2 * SECONDS)
    assert bench.lamps[:2] == [Lamp.ON, Lamp.OFF]

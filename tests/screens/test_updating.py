"""Updating from a USB stick: the offer, the progress, and failures."""

from pathlib import Path

import pytest

from companion.core.console import BUZZ
from companion.core.place import HOUSE
from companion.core.text import Text, msg
from companion.diagnostics.service import ServiceError
from companion.screens.updating import ANSWER_NS
from companion.table.system import System
from companion.updates.offers import Offer, Progress
from tests.host_bench import Bench

S = 1_000_000_000
OFFER = Offer("0.2.0+g0000000002", "/dev/sda1", "new.release")
REFUSED = OFFER._replace(version="", why=msg("no release in {opt}: run the installer first", opt="/opt"))


class Sticks:
    """A fake of the root service."""

    def __init__(self) -> None:
        self.there: Offer | None = None
        self.told: Progress | None = None
        self.asked = 0
        self.refuses = False

    def ask(self) -> None:
        if self.refuses:
            raise ServiceError(
                msg("The system could not be asked to do this: {path}: {why}", path="/run", why="no")
            )
        self.asked += 1

    def offer(self) -> Offer | None:
        return self.there

    def progress(self) -> Progress | None:
        return self.told


@pytest.fixture
def sticks() -> Sticks:
    return Sticks()


@pytest.fixture
def bench(tmp_path: Path, sticks: Sticks) -> Bench:
    return Bench(tmp_path, system=System(offers=sticks))


def plugged(bench: Bench, sticks: Sticks, offer: Offer = OFFER) -> None:
    sticks.there = offer
    bench.wait(2)


def updating(bench: Bench, sticks: Sticks) -> None:
    plugged(bench, sticks)
    bench.take("Yes")


def test_each_plugged_stick_is_offered_once(bench: Bench, sticks: Sticks) -> None:
    plugged(bench, sticks)
    assert bench.menu.title == "Update the table to 0.2.0+g0000000002?"
    bench.take("No")
    bench.wait(10)
    assert bench.poster.title == "The table companion"
    sticks.there = None
    bench.wait(2)
    plugged(bench, sticks)
    assert bench.menu.title.startswith("Update the table")


def test_match_is_not_interrupted_by_an_offer(bench: Bench, sticks: Sticks) -> None:
    bench.play()
    before = bench.frame.screen
    plugged(bench, sticks)
    assert type(bench.frame.screen) is type(before)
    bench.press(HOUSE, "menu")
    assert not [line for line in bench.menu.items if "Update" in line]


def test_joining_is_not_interrupted_by_an_offer(bench: Bench, sticks: Sticks) -> None:
    bench.press(0, BUZZ)
    plugged(bench, sticks)
    assert bench.poster.title == "Who plays?"


def test_menu_lists_the_update(bench: Bench, sticks: Sticks) -> None:
    bench.press(0, "0")
    assert not [line for line in bench.menu.items if "Update" in line]
    bench.press(0, "*")
    plugged(bench, sticks)
    bench.take("No")
    bench.press(0, "0")
    bench.take("Update to 0.2.0+g0000000002")
    assert bench.menu.title == "Update the table to 0.2.0+g0000000002?"
    bench.take("Yes")
    assert sticks.asked == 1


def test_refused_release_says_why(bench: Bench, sticks: Sticks) -> None:
    plugged(bench, sticks, REFUSED)
    assert bench.poster.title == "This release cannot be installed"
    assert bench.poster.lines == ("no release in /opt: run the installer first",)
    bench.press(0, "#")
    assert bench.poster.title == "The table companion"
    assert sticks.asked == 0


def test_progress_is_shown_and_keys_are_ignored(bench: Bench, sticks: Sticks) -> None:
    updating(bench, sticks)
    assert sticks.asked == 1
    assert bench.poster.title == "The table is updating"
    assert "power cut" in bench.poster.hint
    sticks.told = Progress(bench.clock.t_ns, 40, Text("installing"))
    bench.wait(2)
    assert bench.poster.lines == ("40%", "installing")
    bench.press(0, "*", BUZZ, "0")
    bench.press(HOUSE, "menu", "undo")
    assert bench.poster.title == "The table is updating"


def test_failure_of_an_earlier_update_is_not_shown(bench: Bench, sticks: Sticks) -> None:
    sticks.told = Progress(bench.clock.t_ns - 1, 100, Text("an old failure"), failed=True)
    updating(bench, sticks)
    bench.wait(2)
    assert bench.poster.title == "The table is updating"


def test_failed_update_says_why_and_play_continues(bench: Bench, sticks: Sticks) -> None:
    updating(bench, sticks)
    sticks.told = Progress(bench.clock.t_ns, 100, Text("the disk is full"), failed=True)
    bench.wait(2)
    assert bench.poster.lines == ("The update failed, and the table is unchanged: the disk is full",)
    bench.press(0, "#")
    assert bench.poster.title == "The table companion"
    bench.press(0, BUZZ)
    assert bench.poster.title == "Who plays?"


def test_missing_update_service_is_named(bench: Bench, sticks: Sticks) -> None:
    updating(bench, sticks)
    bench.wait(ANSWER_NS / S + 2)
    assert "companion-update.path" in bench.poster.lines[0]
    bench.press(0, "#")
    assert bench.poster.title == "The table companion"


def test_stalled_update_gives_up_after_fifteen_minutes(bench: Bench, sticks: Sticks) -> None:
    updating(bench, sticks)
    sticks.told = Progress(bench.clock.t_ns, 40, Text("installing"))
    bench.wait(14 * 60)
    assert bench.poster.lines == ("40%", "installing")
    bench.wait(2 * 60)
    assert bench.poster.lines[0].endswith("no progress for 15 minutes")
    bench.press(0, "#")
    assert bench.poster.title == "The table companion"


def test_refused_request_is_reported(bench: Bench, sticks: Sticks) -> None:
    sticks.refuses = True
    updating(bench, sticks)
    assert "The system could not be asked" in bench.poster.lines[0]

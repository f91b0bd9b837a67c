"""Tests which source reads the buzzers."""

import errno
import importlib.util
import os
import sys
import tomllib
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from companion.core.install import install_command
from companion.devices.buzzers import choice, gpiod_lines
from companion.devices.buzzers.choice import KINDS, board_for, choose, open_buzzers
from companion.devices.buzzers.watch import Buzzers
from companion.devices.chips import Chip, ChipLine
from companion.devices.errors import DeviceError
from companion.devices.lines import SOURCES, BuzzerWiring
from companion.devices.pins import Board
from tests.gpio_fakes import FakeLines, Reports

CHIP = Chip(Path("/dev/gpiochip0"), "pinctrl-bcm2711", 58)


@pytest.fixture
def installed(monkeypatch):
    """Return a function that makes only the named modules appear installed."""

    def install(*names, gpiod_has=("request_lines",)):
        found = importlib.util.find_spec
        monkeypatch.setattr(
            importlib.util,
            "find_spec",
            lambda name, *_: (name in names or None) if name in {"gpiod", "lgpio", "RPi"} else found(name, *_),
        )
        gpiod = ModuleType("gpiod")
        vars(gpiod).update(dict.fromkeys(gpiod_has))
        monkeypatch.setitem(sys.modules, "gpiod", gpiod)

    return install


@pytest.mark.parametrize(
    ("modules", "taken", "notice"),
    [
        (("gpiod", "lgpio", "RPi"), "gpiod", None),
        (("gpiod",), "gpiod", None),
        (
            ("lgpio", "RPi"),
            "lgpio",
            "by lgpio, which tells presses 1 ms apart. Better: gpiod is not installed",
        ),
        (("RPi",), "rpigpio", "by rpigpio, which tells presses 10 ms apart. Better: gpiod is not installed"),
    ],
)
def test_best_source_is_chosen_and_weaker_ones_announced(installed, modules, taken, notice):
    installed(*modules)
    kind, told = choose("auto")
    assert kind.name == taken
    assert (told is None) if notice is None else (notice in str(told))


def test_gpiod_version_1_is_not_used(installed):
    """Debian bookworm's python3-libgpiod."""
    installed("gpiod", "lgpio", gpiod_has=("Chip", "LINE_REQ_DIR_IN"))
    kind, told = choose("auto")
    assert kind.name == "lgpio"
    assert f"this gpiod is the old version 1: {install_command('pi')}" in str(told)
    with pytest.raises(DeviceError, match="old version 1"):
        choose("gpiod")


def test_mock_is_used_only_on_request(installed):
    installed()
    with pytest.raises(DeviceError) as caught:
        choose("auto")
    assert str(caught.value) == (
        f"nothing here can read buzzers. gpiod is not installed: {install_command('pi')}. Without a "
        "Raspberry Pi try `companion play --virtual`"
    )
    kind, told = choose("mock")
    assert kind.name == "mock"
    assert str(told) == "The buzzers are a mock: nothing is wired to them"


@pytest.mark.parametrize("asked", ["gpiod", "lgpio", "rpigpio"])
def test_configured_source_is_never_replaced(installed, asked):
    installed(*{"gpiod", "lgpio", "RPi"} - {KINDS[asked].module})
    with pytest.raises(DeviceError, match=rf"^{KINDS[asked].module} is not installed: .* install "):
        choose(asked)


@pytest.mark.parametrize(("asked", "ms"), [("lgpio", "1"), ("rpigpio", "10")])
def test_weaker_source_is_announced_even_if_configured(installed, asked, ms):
    installed("gpiod", "lgpio", "RPi")
    kind, told = choose(asked)
    assert kind.name == asked
    assert str(told).endswith(f"which tells presses {ms} ms apart")


def test_sources_are_listed_best_first():
    assert ("auto", *KINDS) == SOURCES
    sure = [kind.uncertainty_ns for kind in KINDS.values() if kind.name != "mock"]
    assert sure == sorted(sure)


# --- Opening ----------------------------------------------------------------------------------------------


def test_mock_needs_no_chip(clock):
    board = board_for(KINDS["mock"], BuzzerWiring())
    heard = Reports()
    buzzers = open_buzzers(KINDS["mock"], board, BuzzerWiring(pins=(17, 27)), heard, clock)
    board.factory.pin(27).drive_low()
    assert [(signal.source, signal.place) for signal in heard.all] == [("mock", 1)]
    buzzers.close()
    board.close()


def test_other_sources_use_the_configured_chip(monkeypatch):
    asked = []
    monkeypatch.setattr(choice, "find_chip", lambda label: asked.append(label) or CHIP)
    assert board_for(KINDS["lgpio"], BuzzerWiring(chip="mine")).chip == CHIP
    assert asked == ["mine"]


@pytest.fixture
def gpiod_board(monkeypatch):
    """Return a board, and settings for its fake request."""
    does = SimpleNamespace(error=None, taken={})

    def request(chip, wiring):
        if does.error:
            raise does.error
        return FakeLines()

    monkeypatch.setattr(gpiod_lines, "request", request)
    monkeypatch.setattr(choice, "read_line", lambda chip, pin: ChipLine(f"GPIO{pin}", does.taken.get(pin)))
    return Board(CHIP, lambda chip: None), does


def open_gpiod(board, clock, pins=(17, 27)) -> Buzzers:
    return open_buzzers(KINDS["gpiod"], board, BuzzerWiring(pins=pins), Reports(), clock)


def test_gpiod_source_opens(gpiod_board, clock):
    buzzers = open_gpiod(gpiod_board[0], clock)
    assert buzzers.settle_ns == gpiod_lines.SETTLE_NS
    buzzers.close()


def refusal(number):
    return OSError(number, os.strerror(number))


def test_busy_line_is_named_with_its_holder(gpiod_board, clock):
    board, does = gpiod_board
    does.error, does.taken = refusal(errno.EBUSY), {27: "quizbox", 5: "other"}
    with pytest.raises(DeviceError) as caught:
        open_gpiod(board, clock)
    assert str(caught.value) == (
        "[buzzers] seat 2, line 27 (quizbox): taken by another program. End it; `companion doctor` says which"
    )


@pytest.mark.parametrize(
    ("number", "why"), [(errno.EACCES, "no permission"), (errno.EBUSY, "taken by another program")]
)
def test_failed_request_names_the_chip(gpiod_board, clock, number, why):
    board, does = gpiod_board
    does.error = refusal(number)
    with pytest.raises(DeviceError, match=rf"^/dev/gpiochip0 \(pinctrl-bcm2711\): {why}"):
        open_gpiod(board, clock)


def test_line_beyond_the_chip_is_named(gpiod_board, clock):
    with pytest.raises(DeviceError, match=r"seat 2, line 58: pinctrl-bcm2711 has the lines 0 to 57"):
        open_gpiod(gpiod_board[0], clock, pins=(57, 58))


# --- Packages ---------------------------------------------------------------------------------------------


def test_packages_exclude_versions_known_to_fail():
    """lgpio 0.0.0.2 installs but does nothing; RPi.GPIO and its shim exclude each other; a PC needs neither."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert [each for each in project["dependencies"] if "gpio" in each.lower()] == ["gpiozero>=2.0.1"]
    [lgpio] = [each for each in extras["pi"] if each.startswith("lgpio")]
    assert lgpio.startswith("lgpio>=0.2.2.0;")
    assert "python_version < '3.13'" in lgpio
    [gpiod] = [each for each in extras["pi"] if each.startswith("gpiod")]
    assert gpiod.startswith("gpiod>=2")
    with_rpi = {name for name, wanted in extras.items() if any(each.lower().startswith("rpi") for each in wanted)}
    assert with_rpi == {"rpigpio", "rpi-lgpio"}
    assert not any("gpio" in each.lower() for each in extras["test"])

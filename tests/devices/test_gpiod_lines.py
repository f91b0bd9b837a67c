"""Tests buzzers on one request of gpiod: timestamps, lost edges, failures."""

import enum
import sys
import threading
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.signal import MERGED
from companion.devices.buzzers import gpiod_lines
from companion.devices.buzzers.gpiod_lines import BUFFER, GAP_MOST_NS, UNCERTAINTY_NS, GpiodLines, edge
from companion.devices.buzzers.source import Edge
from companion.devices.chips import Chip
from companion.devices.lines import BuzzerWiring
from tests.gpio_fakes import MS, PATIENCE_S, FakeLines, Reports, open_files

PINS = (17, 27, 22)


@pytest.fixture
def lines():
    return FakeLines()


@pytest.fixture
def failures():
    return Reports()


@pytest.fixture
def source(lines, heard, failures):
    source = GpiodLines(lines, BuzzerWiring(pins=PINS), heard, failures)
    yield source
    source.close()


# --- Edges ------------------------------------------------------------------------------------------------


def test_edges_arrive_with_the_kernels_timestamps(source, lines, heard):
    lines.move(27, True, 5000 * MS)
    lines.move(27, False, 5080 * MS)
    assert heard.wait(2) == [
        Edge(1, 5000 * MS, UNCERTAINTY_NS, True),
        Edge(1, 5080 * MS, UNCERTAINTY_NS, False),
    ]


def test_drain_reports_edges_still_in_the_kernel(source, lines, heard):
    lines.move(17, True, 5000 * MS, wakes=False)
    lines.move(22, True, 5001 * MS, wakes=False)
    source.drain()
    assert [report.place for report in heard.all] == [0, 2]
    source.drain()
    assert len(heard.all) == 2


def test_drain_stops_after_one_buffer(source, lines, heard):
    for number in range(BUFFER + 5):
        lines.move(17, number % 2 == 0, number, wakes=False)
    source.drain()
    assert len(heard.all) == BUFFER


def test_drain_waits_for_the_reader_to_report(lines, failures):
    reading, go_on, heard = threading.Event(), threading.Event(), []

    def report(edge):
        reading.set()
        assert go_on.wait(PATIENCE_S)
        heard.append(edge)

    source = GpiodLines(lines, BuzzerWiring(pins=PINS), report, failures)
    lines.move(17, True, 5000 * MS)
    assert reading.wait(PATIENCE_S)
    seen = []

    def drain():
        source.drain()
        seen.extend(heard)

    drainer = threading.Thread(target=drain)
    drainer.start()
    go_on.set()
    drainer.join(PATIENCE_S)
    assert [edge.place for edge in seen] == [0]
    source.close()


def test_levels_are_by_place(source, lines):
    lines.levels[22] = True
    assert source.levels() == {0: False, 1: False, 2: True}


# --- Lost edges -------------------------------------------------------------------------------------------


def test_gap_in_line_numbers_marks_lost_edges(source, lines, heard):
    lines.move(17, True, 5000 * MS)
    lines.move(17, False, 5004 * MS, lost=3)
    lines.move(17, True, 5005 * MS)
    lines.move(27, True, 5006 * MS)
    assert heard.wait(4) == [
        Edge(0, 5000 * MS, UNCERTAINTY_NS, True),
        Edge(0, 5002 * MS, 2 * MS + UNCERTAINTY_NS, False, (MERGED,)),
        Edge(0, 5005 * MS, UNCERTAINTY_NS, True),
        Edge(1, 5006 * MS, UNCERTAINTY_NS, True),
    ]


def test_first_edge_may_follow_lost_ones(source, lines, heard):
    lines.move(17, True, 5000 * MS, lost=1)
    [first] = heard.wait(1)
    assert first == Edge(0, 5000 * MS - GAP_MOST_NS, GAP_MOST_NS + UNCERTAINTY_NS, True, (MERGED,))


@given(st.integers(0, 60 * MS), st.integers(2, 9), st.floats(0, 1))
def test_lost_change_is_within_the_uncertainty(apart_ns, number, when):
    stamp_ns = 9000 * MS + apart_ns
    told = edge(0, True, 1 + number, stamp_ns, (1, 9000 * MS))
    earliest_ns = max(9000 * MS, stamp_ns - 2 * GAP_MOST_NS)  # a longer pause is not a bounce
    changed_ns = earliest_ns + round(when * (stamp_ns - earliest_ns))
    assert told.t_ns - told.uncertainty_ns <= changed_ns <= told.t_ns + told.uncertainty_ns
    assert 9000 * MS <= told.t_ns <= stamp_ns


# --- Closing ----------------------------------------------------------------------------------------------


def test_lost_chip_is_reported_once(lines, heard, failures):
    source = GpiodLines(lines, BuzzerWiring(pins=PINS), heard, failures)
    lines.unplug()
    [error] = failures.wait(1)
    assert isinstance(error, OSError)
    source.close()
    assert len(failures.all) == 1


def test_error_in_a_report_is_passed_on(lines, failures):
    def report(edge):
        raise RuntimeError("full")

    source = GpiodLines(lines, BuzzerWiring(pins=PINS), report, failures)
    lines.move(17, True, 5000 * MS)
    assert str(failures.wait(1)[0]) == "full"
    source.close()


def test_closing_releases_lines_files_and_threads(lines, heard, failures):
    before = open_files()
    threads = threading.active_count()
    source = GpiodLines(lines, BuzzerWiring(pins=PINS), heard, failures)
    source.close()
    source.close()
    assert lines.released
    assert open_files() == before - 2
    assert threading.active_count() == threads
    lines.move(17, True, 5000 * MS, wakes=False)
    source.drain()
    assert (heard.all, failures.all) == ([], [])


def test_reader_thread_itself_may_close(lines, failures):
    ended = threading.Event()

    def report(edge):
        raise RuntimeError

    def failed(error):
        source.close()
        ended.set()

    source = GpiodLines(lines, BuzzerWiring(pins=PINS), report, failed)
    lines.move(17, True, 5000 * MS)
    assert ended.wait(PATIENCE_S)
    assert lines.released


# --- The request ------------------------------------------------------------------------------------------


@pytest.fixture
def gpiod(monkeypatch):
    module, line = ModuleType("gpiod"), ModuleType("gpiod.line")
    for name, words in {
        "Bias": ("PULL_UP", "PULL_DOWN", "DISABLED"),
        "Direction": ("INPUT",),
        "Edge": ("BOTH", "NONE"),
        "Clock": ("MONOTONIC",),
    }.items():
        setattr(line, name, enum.Enum(name, words))
    module.line, module.asked = line, []
    module.LineSettings = SimpleNamespace
    module.request_lines = lambda path, config, **options: module.asked.append((path, config, options))
    monkeypatch.setitem(sys.modules, "gpiod", module)
    monkeypatch.setitem(sys.modules, "gpiod.line", line)
    return module


CHIP = Chip(Path("/dev/gpiochip0"), "pinctrl-bcm2711", 58)


def test_one_request_holds_all_lines_without_debounce(gpiod):
    gpiod_lines.request(CHIP, BuzzerWiring(pins=PINS))
    [(path, config, options)] = gpiod.asked
    assert path == "/dev/gpiochip0"
    assert options == {"consumer": "companion buzzers", "event_buffer_size": 1024}
    [(pins, settings)] = config.items()
    assert pins == PINS
    assert settings.edge_detection is gpiod.line.Edge.BOTH
    assert settings.event_clock is gpiod.line.Clock.MONOTONIC
    assert settings.direction is gpiod.line.Direction.INPUT
    assert not hasattr(settings, "debounce_period")


@pytest.mark.parametrize(("pull", "bias"), [("up", "PULL_UP"), ("down", "PULL_DOWN"), ("none", "DISABLED")])
def test_configured_pull_is_requested(gpiod, pull, bias):
    gpiod_lines.request(CHIP, BuzzerWiring(pins=PINS, pull=pull))
    [(_, config, _)] = gpiod.asked
    assert config[PINS].bias.name == bias


@pytest.mark.parametrize("active_low", [True, False])
@pytest.mark.parametrize("normally_closed", [True, False])
def test_active_means_pressed(gpiod, active_low, normally_closed):
    gpiod_lines.request(CHIP, BuzzerWiring(active_low=active_low, normally_closed=normally_closed, pins=PINS))
    [(_, config, _)] = gpiod.asked
    assert config[PINS].active_low is (active_low is not normally_closed)


def test_deaf_line_has_no_edges_others_stay(gpiod, source, lines):
    both, none = gpiod.line.Edge.BOTH, gpiod.line.Edge.NONE

    def edges():
        return {pin: settings.edge_detection for pins, settings in lines.settings.items() for pin in pins}

    source.deafen(1)
    assert edges() == {17: both, 27: none, 22: both}
    source.deafen(0)
    assert edges() == {17: none, 27: none, 22: both}
    source.listen(1)
    assert edges() == {17: none, 27: both, 22: both}
    source.listen(0)
    assert list(lines.settings) == [PINS]

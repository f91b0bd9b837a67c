"""Tests the jig and its sheet."""

import pytest

from companion.core.signal import UNPLUG
from companion.core.text import msg
from companion.devices.findings import Finding, Severity
from companion.diagnostics.guided_check import WIGGLE_NS
from companion.diagnostics.part_findings import sheet
from tests.diagnostics.test_guided_check import BARE, PODS, WIRING, Table


def jigged(wiring=PODS, **does):
    table = Table(wiring, jig=True)
    table.screen_places = tuple(table.places) if wiring is PODS else ()
    table.does = does
    return table


@pytest.fixture
def table():
    return jigged()


def test_jig_tests_all_parts_seat_by_seat(table):
    found = table.run()
    assert list(found) == [
        f"{part} of seat {seat}"
        for seat in (1, 2)
        for part in ("buzzer", "lamp", "the keypad", "private screen", "cable")
    ]
    assert {finding.severity for finding in found.values()} == {Severity.OK}
    assert table.said == [(0, "#" * 16, "8" * 16), (0, "", ""), (1, "#" * 16, "8" * 16), (1, "", "")]


def test_every_key_is_requested_and_dead_one_named(table):
    def all_but_seven():
        title = table.posters[-1][1].title
        keys = title.split(": ")[1].split()
        left = [key for key in keys if key != "7"]
        for place, key in ((0, left[0]), (1, "7")) if left else ():
            table.key(place, key)

    table.does = {"Press each key of the keypad of seat 1": all_but_seven}
    found = table.run()
    keypad = found["the keypad of seat 1"]
    assert (keypad.severity, str(keypad.found)) == (Severity.BAD, "no signal: 7")
    assert found["the keypad of seat 2"].severity is Severity.OK


def test_contact_heard_while_moving_the_cable_fails(table):
    table.does = {"Move the cable of seat 1": lambda: (table.press(0), table.press(1))}
    cable = table.run()["cable of seat 1"]
    assert (cable.severity, str(cable.found)) == (Severity.BAD, "2 false presses")


def test_pod_lost_while_moving_the_cable_fails(table):
    table.does = {"Move the cable of seat 2": lambda: table.at(500, lambda: table.hear(1, UNPLUG, "pod"))}
    found = table.run()
    assert str(found["cable of seat 2"].found) == "it disconnected while it was moved"
    assert found["cable of seat 1"].severity is Severity.OK


def test_cable_is_moved_for_ten_seconds():
    table = jigged(BARE)
    table.run()
    times = [at_ns for at_ns, poster, *_ in table.posters if poster.title.startswith("Move the cable")]
    after = [at_ns for at_ns, *_ in table.posters if at_ns > times[0]]
    assert after[0] - times[0] == WIGGLE_NS


def test_unconfirmed_screen_fails_with_its_remedy(table):
    table.does = {"private screen of seat 1": lambda: None}
    screen = table.run()["private screen of seat 1"]
    assert screen.severity is Severity.BAD
    assert "four wires" in str(screen.remedy)


def test_wired_seats_come_before_the_house():
    table = jigged(WIRING)
    found = list(table.run())
    assert found[:3] == ["buzzer of seat 1", "lamp of seat 1", "cable of seat 1"]
    assert found[-2:] == ["button ok", "button undo"]


@pytest.mark.parametrize(
    ("severity", "word"), [(Severity.OK, "pass"), (Severity.BAD, "FAIL"), (Severity.SKIPPED, "not tested")]
)
def test_sheet_has_a_line_for_each_part(severity, word):
    printed = sheet([Finding(msg("cable of seat {n}", n=1), severity, msg("not moved"))])
    (line,) = [line for line in printed.splitlines() if "cable of seat 1" in line]
    assert line.split("]")[0].strip("[ ") == word
    assert printed.rstrip().endswith("____")

"""Tests that the boards match tables, drawings, firmware and parts."""

import csv
import re
from collections import Counter
from typing import Any

import pytest

from companion.devices.lines import BuzzerWiring
from tests.hardware.said import (
    FIVE_VOLTS,
    GPIO_OF_HEADER,
    GROUNDS,
    HARDWARE,
    NET_OF_USE,
    README,
    SEATS,
    boards,
    drawing,
    guide,
    joined,
    label,
    parts,
    times,
    two_ended,
    wires,
    wiring,
)


def test_board_uses_the_lines_of_the_table() -> None:
    header = boards().HEADER
    found = {use: GPIO_OF_HEADER[header[net]] for use, net in NET_OF_USE.items()}
    assert found == {str(use): line for use, line in wiring("classic").lines}
    [ribbon] = [each for each in boards().BASE.components if each.name == "J1"]
    for pin, net in ribbon.nets.items():
        if net == "GND":
            assert int(pin) in GROUNDS
        elif net == "+5V":
            assert int(pin) in FIVE_VOLTS
        elif net == "+3V3":
            assert int(pin) in {1, 17}
        else:
            assert header[net] == int(pin)
    assert sum(net == "GND" for net in ribbon.nets.values()) >= 3, "an ampere each, half of one for the display"


def test_drawings_name_the_nets_of_the_boards() -> None:
    for build, name, board in (("classic", "wiring.yml", boards().BASE), ("full", "pod.yml", boards().POD)):
        nets = {f"{each.name}.{pin}": net for each in board.components for pin, net in each.nets.items()}
        said = drawing(build, name)["connectors"]["Board"]
        ways = {pin: label for pin, label in zip(said["pins"], said["pinlabels"], strict=True) if "." in pin}
        assert ways == {pin: nets[pin] for pin in ways}
        plugs = {each.name for each in board.components if re.match(r"J\d", each.name)}
        named = {re.split(r"[.,]", part)[0].strip() for pin in said["pins"] for part in pin.split(", ")}
        assert named == plugs, "each connector of the board is drawn"


def test_drawing_connects_each_seat_to_its_socket() -> None:
    found = {end: through[-1] for end, *through in wires("classic") if end[0] == "Board"}
    for n in SEATS:
        assert [found["Board", f"J{n + 1}.{way}"] for way in (1, 2, 3)] == [(f"Seat {n}", end) for end in "TRS"]
        assert label("classic", f"Seat {n}", "T") == "buzzer"
        assert label("classic", f"Seat {n}", "R") == "lamp"
    assert found["Board", "J7.2"] == ("Siren", 2)
    for number, control in enumerate(wiring("classic").controls, 1):
        assert found["Board", f"J8.{number}"] == (f"House {control}", 1)


def test_five_volts_leave_the_base_for_lamps_only() -> None:
    for (name, way), *_, (last, _end) in wires("classic"):
        if name == "Board" and "." in way and label("classic", "Board", way) == "+5V":
            assert last in {"Display", "Siren"}
    board = boards().BASE
    [driver] = [each for each in board.components if each.name == "U1"]
    assert driver.nets["9"] == "+5V", "illuminated domes want 5 V"
    for seat in SEATS:
        [resistor] = [each for each in board.components if f"DRIVE{seat}" in each.nets.values() and each != driver]
        assert (resistor.value, resistor.nets["2"]) == ("220", f"RING{seat}")


def test_no_plug_fits_a_socket_of_another_use() -> None:
    for board in (boards().BASE, boards().POD):
        uses: dict[str, set[str]] = {}
        for each in board.components:
            if "JST" in each.kind.part:
                uses.setdefault(each.kind.part, set()).add(re.sub(r"\d", "", each.value))
        assert len(uses) >= 2
        assert all(len(use) == 1 for use in uses.values()), uses
        loose = {each.value for each in board.components if "Pin header" in each.kind.part}
        assert loose <= {"Keypad", "Screen"}, "5 V is on keyed sockets only"


@pytest.mark.parametrize("seat", SEATS)
def test_each_seats_lines_are_protected(seat: int) -> None:
    board, nets = boards().BASE, joined(boards().BASE)
    contact, ring = f"CONTACT{seat}", f"RING{seat}"
    assert {frozenset({contact, "GND"}), frozenset({ring, "GND"})} <= two_ended(board, "D") & two_ended(board, "C")
    assert {frozenset({f"BUZZER{seat}", contact}), frozenset({f"DRIVE{seat}", ring})} <= two_ended(board, "R")
    assert {name for name, _ in nets[contact]} >= {"RN1", f"J{seat + 1}"}, "a pull-up on the socket's side"
    assert {name for name, _ in nets[f"LAMP{seat}"]} == {
        "J1",
        "U1",
        "RN2",
        *(each.name for each in board.components if each.name[0] == "T" and each.value == f"LAMP{seat}"),
    }
    inputs, outputs = ([pin for name, pin in nets[f"{net}{seat}"] if name == "U1"] for net in ("LAMP", "DRIVE"))
    assert int(inputs[0]) + int(outputs[0]) == 19, "input n and output n of a TBD62783"
    assert wiring("classic").of(BuzzerWiring).pull == "none"


@pytest.mark.parametrize("net", ["OK", "UNDO", "PAUSE", "SKIP"])
def test_house_buttons_are_protected_like_seats(net: str) -> None:
    board, nets = boards().BASE, joined(boards().BASE)
    button = f"BUTTON_{net}"
    assert frozenset({button, "GND"}) in two_ended(board, "D") & two_ended(board, "C")
    assert frozenset({net, button}) in two_ended(board, "R")
    assert {name[0] for name, _ in nets[net]} == {"J", "R", "T"}, "behind its resistor only"
    assert {name for name, _ in nets[button]} >= {"RN1", "J8"}


def test_siren_has_its_transistor_and_diode() -> None:
    assert frozenset({"SIREN", "BASE"}) in two_ended(boards().BASE, "R")
    assert frozenset({"+5V", "SIREN-"}) in two_ended(boards().BASE, "D")
    [driver] = [each for each in boards().BASE.components if each.name == "Q1"]
    assert driver.nets == {"1": "SIREN-", "2": "BASE", "3": "GND"}


def test_each_line_of_a_board_has_test_pad() -> None:
    for board, lines in ((boards().BASE, boards().HEADER), (boards().POD, boards().PICO)):
        pads = {each.nets["1"] for each in board.components if each.name.startswith("TP")}
        assert pads == {*lines, "+3V3", "+5V", "GND"}


@pytest.mark.parametrize(("build", "name"), [("classic", "base"), ("full", "pod")])
def test_board_parts_are_in_the_parts_list(build: str, name: str) -> None:
    listed = {row["part"]: row for row in parts(build)}
    with (HARDWARE / "boards" / f"{name}-parts.csv").open(encoding="utf-8", newline="") as file:
        counted = Counter()
        for row in csv.DictReader(file):
            counted[row["part"]] += int(row["quantity"])
            for source in (row["number"], row["second source"]):
                assert re.fullmatch(r"\S+( \S+)* [\w/.-]*\d[\w/.-]*", source), row
                assert "series" not in source
    for part, quantity in counted.items():
        also = {
            "1 kilohm resistor": "1 kilohm resistor of house and siren",
            "100 nF capacitor": "100 nF capacitor of house and chip",
            "P4KE6.8A diode": "P4KE6.8A diode of the house",
        }
        rows_of = [listed[each] for each in (part, also.get(part, "")) if each in listed]
        seats = 5 if build == "classic" else 1
        bought = sum(int(row["quantity"]) * times(row["per"], seats) for row in rows_of)
        assert bought == quantity or (part == "Pin header 1 x 40" and bought == 1), (part, bought, quantity)


def test_every_connector_has_its_mate() -> None:
    mates = {
        "Box header 2 x 20": "GPIO ribbon 40 ways 20 cm",
        **{f"JST XH header of {ways} ways": f"JST XH lead of {ways} ways" for ways in (2, 3, 4, 5)},
        "Socket strip 1 x 20": "Raspberry Pi Pico",
        "3.5 mm stereo socket": "3.5 mm stereo cable 3 m",
    }
    for build in ("classic", "full"):
        bought = {row["part"]: float(row["quantity"]) * times(row["per"], 5) for row in parts(build)}
        for part, mate in mates.items():
            if part in bought:
                ends = 2 if part in {"Socket strip 1 x 20", "3.5 mm stereo socket"} else 1
                assert bought[part] == ends * bought[mate], (build, part)
    assert "tail of eight ways and a socket of 2.54 mm" in str(parts("full"))
    strips = [each for each in boards().POD.components if each.kind.part == "Pin header 1 x 40"]
    assert sorted(len(each.nets) for each in strips) == [4, 8], "keypad and screen"


def test_guides_warn_of_different_transistor_pinout() -> None:
    for build in ("classic", "full"):
        assert "any small NPN" not in str(parts(build)) + guide(build)
        assert "2N3904 has them the other way round" in str(parts(build))


MINUTES_A_JOINT = 2


def test_hours_in_the_overview_follow_from_joints() -> None:
    said = r"\| none \| (\d+) on the base board, (\d+) in the base, (\d+) a buzzer \| (\d+) a pod \|"
    base, inside, buzzer, pod = (int(number) for number in re.search(said, README).groups())
    on_boards = [
        sum(pin_count(each) for each in board.components if each.kind.part)
        for board in (boards().BASE, boards().POD)
    ]
    house_siren_display, leads_of_a_pod = 8 + 2 + 2, 2 * 2
    assert [base, inside, pod] == [on_boards[0], house_siren_display, on_boards[1] + leads_of_a_pod]
    classic = (base + inside + 4 * buzzer) * MINUTES_A_JOINT / 60 + 4
    full = 4 * pod * MINUTES_A_JOINT / 60 + 3.5
    assert f"a beginner's hours, for four seats | 0.5 | 1 | {classic:.0f} | {full:.0f} |" in README
    assert "two minutes a joint" in README
    assert "four hours at the classic table and three and a half at the full one" in " ".join(README.split())


def pin_count(component: Any) -> int:
    """Return the number of legs, connected or not."""
    ways = re.search(r"1x(\d+)|02x(20)", component.kind.symbol)
    if ways:
        return int(ways[1] or 40)
    return 18 if component.name.startswith("U") else len(component.nets)

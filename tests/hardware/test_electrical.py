"""Tests that the lines of hardware/lines.csv stay within the chips' limits."""

import csv
from functools import cache
from pathlib import Path

import pytest

from tests.hardware.said import (
    GPIO_OF_HEADER,
    HARDWARE,
    NET_OF_USE,
    boards,
    guide,
    parts,
    pod_pins,
    times,
    wires,
    wiring,
)

SUPPLY_V = 3.3
DIODE_V = 0.7
"""Base to emitter, and a chip's clamp."""
LINE_MA = {"pi": 16, "pico": 12}
"""By the data sheets; a Pico's lines start at 4 mA."""
ALL_MA = {"pi": 50, "pico": 50}
PULL_OHM = {"pi": (33_000, 73_000), "pico": (50_000, 80_000)}
"""The chips' pull resistors, least and most."""
LOW_V = 0.8
"""What counts as low for a Pi and a Pico."""
GATE_LOW_V = 0.6
"""The same for a TBD62783."""
HIGH_V = 2.0
PULLED_UP_AT_BOOT = {"pi": range(9), "pico": range(0)}

Line = dict[str, str]


@cache
def lines() -> tuple[Line, ...]:
    with (HARDWARE / "lines.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def number(line: Line, key: str) -> float:
    return float(line[key] or 0)


def current_ma(line: Line) -> float:
    """Return the maximum current in operation."""
    chip, series = line["chip"], number(line, "series_ohm")
    if line["load"] == "base":
        held = SUPPLY_V / number(line, "pull_ohm")
        return ((SUPPLY_V - DIODE_V) / series + held) * 1000
    if line["load"] == "gate":
        return SUPPLY_V / number(line, "pull_ohm") * 1000
    if line["load"] == "key":
        return SUPPLY_V / PULL_OHM[chip][0] * 1000
    if line["load"] == "bus":
        return 3.0
    assert line["load"] == "contact"
    return SUPPLY_V / 1e6 * 1000  # an input takes a microampere; the pull-up's current flows through the contact


def at_boot_v(line: Line, ohm: float) -> float:
    """Return the level of an undriven line that the chip pulls with `ohm`."""
    inner = SUPPLY_V if line["boot"] == "up" else 0.0
    outer = number(line, "pull_ohm")
    if not outer:
        return inner
    return (inner * outer + number(line, "pull_to") * ohm) / (outer + ohm)


def names(line: Line) -> str:
    return f"{line['chip']} {line['gpio']} {line['use']}"


@pytest.mark.parametrize("line", lines(), ids=names)
def test_lines_current_is_within_half_its_limit(line: Line) -> None:
    assert 0 < current_ma(line) <= LINE_MA[line["chip"]] / 2, "half of what it may, for parts that differ"


@pytest.mark.parametrize("chip", ["pi", "pico"])
def test_all_lines_together_are_within_the_limit(chip: str) -> None:
    assert sum(current_ma(line) for line in lines() if line["chip"] == chip) <= ALL_MA[chip] / 2


@pytest.mark.parametrize("line", [line for line in lines() if line["load"] in {"gate", "base"}], ids=names)
def test_lamps_and_siren_are_off_at_boot(line: Line) -> None:
    for ohm in PULL_OHM[line["chip"]]:
        assert at_boot_v(line, ohm) < (GATE_LOW_V if line["load"] == "gate" else DIODE_V)


@pytest.mark.parametrize("line", [line for line in lines() if line["load"] == "contact"], ids=names)
def test_closed_contact_differs_from_an_open_one(line: Line) -> None:
    closed = current_ma(line) / 1000 * number(line, "series_ohm")
    assert closed < LOW_V
    # Even against the chip's pull-down, which is active until the program runs.
    assert all(at_boot_v(line, ohm) > HIGH_V for ohm in PULL_OHM[line["chip"]])
    assert SUPPLY_V / number(line, "pull_ohm") * 1000 >= 1, "a micro switch wants a milliampere"


@pytest.mark.parametrize("line", lines(), ids=names)
def test_lines_boot_state_matches_the_data_sheet(line: Line) -> None:
    assert (line["boot"] == "up") == (int(line["gpio"]) in PULLED_UP_AT_BOOT[line["chip"]])


def test_every_line_of_table_and_firmware_is_listed() -> None:
    found = {line["use"]: int(line["gpio"]) for line in lines() if line["chip"] == "pi"}
    assert found == {str(use): gpio for use, gpio in wiring("classic").lines}
    pins = pod_pins()
    uses: dict[str, list[int]] = {}
    for line in (line for line in lines() if line["chip"] == "pico"):
        uses.setdefault(line["use"], []).append(int(line["gpio"]))
    for use, gpios in uses.items():
        value = getattr(pins, use)
        assert gpios == list(value if isinstance(value, tuple) else (value,))
    assert set(uses) == {"ROWS", "COLUMNS", "BUZZER", "LAMP", "SDA", "SCL"}


def ohms(text: str) -> float:
    value = text.rpartition(" x ")[2]
    return float(value.removesuffix("k")) * (1000 if value.endswith("k") else 1)


def resistors(board: object) -> dict[frozenset[str], float]:
    """Return the ohms between two nets."""
    found = {}
    for each in board.components:  # type: ignore[attr-defined]
        if each.name.startswith("RN"):
            found |= {
                frozenset({each.nets["1"], net}): ohms(each.value) for pin, net in each.nets.items() if pin != "1"
            }
        elif each.name.startswith("R"):
            found[frozenset(each.nets.values())] = ohms(each.value)
    return found


@pytest.mark.parametrize(
    "line", [line for line in lines() if line["load"] in {"contact", "gate", "base"}], ids=names
)
def test_board_has_the_resistors_of_the_list(line: Line) -> None:
    pi = line["chip"] == "pi"
    found = resistors(boards().BASE if pi else boards().POD)
    net = NET_OF_USE[line["use"]] if pi else line["use"]
    series = number(line, "series_ohm")
    button = net.replace("BUZZER", "CONTACT") if "BUZZER" in net else f"BUTTON_{net}"
    behind = {"contact": button, "base": "BASE"}.get(line["load"], net)
    if series:
        assert found[frozenset({net, behind})] == series
    rail = "+3V3" if number(line, "pull_to") else "GND"
    pulled = behind if line["load"] == "contact" and series else net
    assert found[frozenset({pulled, rail})] == number(line, "pull_ohm")


def test_spark_is_clamped_before_the_chip() -> None:
    clamped_v = 10.5  # P4KE6.8A at its full pulse of 38 A
    through_ma = (clamped_v - SUPPLY_V - DIODE_V) / 1000 * 1000
    assert through_ma < 10, "what a line's own diodes stand for a moment"


def test_lamp_that_touches_its_contact_harms_nothing() -> None:
    assert (5 - SUPPLY_V - DIODE_V) / (220 + 1000) * 1000 < 1, "into the line's own diode"
    assert 5**2 / 220 < 0.25, "watts in a resistor whose lamp is shorted"


# --- USB and supply ---------------------------------------------------------------------------------------

PI_SOCKETS = 4
HUB_SOCKETS = 4
PI_4_USB_MA = 1200
PI_5_USB_MA = 600
"""With a supply of 3 A."""
SOCKET_MA = 500
DRAWS_MA = {"pad": 100, "pod": 80, "keyboard": 100, "hub": 100, "screen": 100}
PI_4_MA = 1250
DISPLAY_MA = 450
SUPPLY_MA = 3000


def plugged(build: str, seats: int) -> list[str]:
    if build == "no-solder":
        return ["pad"] * (seats + 1) + ["keyboard", "screen"]
    return ["pad"] if build == "classic" else ["pod"] * seats + ["keyboard"]


def hubs(build: str, seats: int) -> int:
    return sum(
        int(row["quantity"]) * times(row["per"], seats)
        for row in parts(build)
        if "USB hub with 4 sockets" in row["part"]
    )


@pytest.mark.parametrize("build", ["no-solder", "classic", "full"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_sockets_and_current_suffice_for_each_build(build: str, seats: int) -> None:
    count = hubs(build, seats)
    sockets = PI_SOCKETS - count + HUB_SOCKETS * count
    assert len(plugged(build, seats)) <= sockets
    if count:
        assert len(plugged(build, seats)) > sockets - HUB_SOCKETS + 1, "no hub more than is needed"
    usb = sum(DRAWS_MA[each] for each in plugged(build, seats)) + count * DRAWS_MA["hub"]
    assert usb <= PI_4_USB_MA
    own_display = 0 if build == "no-solder" else DISPLAY_MA
    assert PI_4_MA + own_display + usb <= SUPPLY_MA


def test_hubs_load_is_within_its_sockets_limit() -> None:
    for build, thing in (("no-solder", "pad"), ("full", "pod")):
        load: dict[str, int] = {}
        for (first, _), *_, (last, _) in wires(build):
            if "ub" in first:
                load[first] = (
                    load.get(first, DRAWS_MA["hub"]) + DRAWS_MA["keyboard" if last == "Keyboard" else thing]
                )
        assert load
        assert max(load.values()) <= SOCKET_MA, load


def test_hub_does_not_power_the_pi_backwards() -> None:
    for build in ("no-solder", "full"):
        rows_of = [row for row in parts(build) if "hub" in row["part"].lower() and row["per"] != "seat"]
        assert rows_of
        assert not any("powered" in row["part"].lower() for row in rows_of)
        assert "backwards" in guide(build)


def test_parts_list_names_the_pi_5_supply() -> None:
    worst = sum(DRAWS_MA[each] for each in plugged("no-solder", 5)) + 2 * DRAWS_MA["hub"]
    assert worst > PI_5_USB_MA
    for build in ("no-solder", "classic", "full"):
        [pi] = [row for row in parts(build) if row["part"] == "Raspberry Pi 4"]
        assert "Pi 5 wants its own supply of 5 A" in pi["note"]


def test_wiring_page_drives_siren_by_a_transistor() -> None:
    page = (Path(__file__).parents[2] / "docs" / "wiring.md").read_text("utf-8")
    [siren] = [part for part in page.split("\n* ") if part.startswith("**Siren**")]
    for needed in ("BC337", "1 kilohm", "10 kilohm", "1N4148", "always behind a transistor"):
        assert needed in " ".join(siren.split())
    assert GPIO_OF_HEADER[12] == 18

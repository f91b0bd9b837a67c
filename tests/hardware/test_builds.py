"""hardware/: what one of wiring, table.toml, parts list and guide names the others have; no picture is stale."""

import csv
import importlib.util
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from babel.messages.pofile import read_po

from companion.config.table_file import parse_config
from companion.devices.keypads.usb_pads import PadWiring
from companion.devices.wiring import Wiring
from companion.games import all_games
from companion.match.seating import NAME_KEY, Seating, Sitter

ROOT = Path(__file__).parents[2]
HARDWARE = ROOT / "hardware"
README = (HARDWARE / "README.md").read_text("utf-8")
BUILDS = ("no-solder", "classic", "full")
SEATS = range(1, 6)

GPIO_OF_HEADER = {
    **{
        3: 2,
        5: 3,
        7: 4,
        8: 14,
        10: 15,
        11: 17,
        12: 18,
        13: 27,
        15: 22,
        16: 23,
        18: 24,
        19: 10,
        21: 9,
        22: 25,
        23: 11,
    },
    **{24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21},
}
"""Of every Raspberry Pi with 40 pins."""

GROUNDS = {6, 9, 14, 20, 25, 30, 34, 39}
FIVE_VOLTS = {2, 4}
NOT_FREE = {0, 1, 2, 3, 14, 15}
"""The identification of boards on the header, the I2C bus of displays, the serial console."""

GPIO_OF_PICO = {
    **dict(enumerate((0, 1, None, 2, 3, 4, 5, None, 6, 7, 8, 9, None, 10, 11, 12, 13, None, 14, 15), 1)),
    **dict(enumerate((16, 17, None, 18, 19, 20, 21, None, 22, None, 26, 27, None, 28), 21)),
}


# --- What the files say -----------------------------------------------------------------------------------


@cache
def parts(build: str) -> tuple[dict[str, str], ...]:
    with (HARDWARE / build / "parts.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


@cache
def drawing(build: str, name: str = "wiring.yml") -> dict[str, Any]:
    return yaml.safe_load((HARDWARE / build / name).read_text("utf-8"))


def drawings(build: str) -> list[str]:
    return sorted(path.name for path in (HARDWARE / build).glob("*.yml"))


@cache
def guide(build: str) -> str:
    return (HARDWARE / build / "guide.md").read_text("utf-8")


def wiring(build: str) -> Wiring:
    path = HARDWARE / build / "table.toml"
    return parse_config(path.read_text("utf-8"), str(path), all_games()).wiring


def ends(cells: Any) -> list[Any]:
    """Return the pins of one place of a connection, with ranges such as 1-3 counted out."""
    found: list[Any] = []
    for cell in cells if isinstance(cells, list) else [cells]:
        numbers = re.fullmatch(r"(\d+)-(\d+)", str(cell))
        found += range(int(numbers[1]), int(numbers[2]) + 1) if numbers else [cell]
    return found


def wires(build: str, name: str = "wiring.yml") -> Iterator[list[tuple[str, Any]]]:
    """Return each wire with all it goes through: the name of a connector or cable, and the pin of it."""
    for chain in drawing(build, name)["connections"]:
        columns = [[(part, end) for part, cells in place.items() for end in ends(cells)] for place in chain]
        assert len({len(column) for column in columns}) == 1, chain
        yield from map(list, zip(*columns, strict=True))


def label(build: str, connector: str, pin: Any, name: str = "wiring.yml") -> str:
    """Return what a drawing writes at a pin."""
    said = drawing(build, name)["connectors"][connector]
    labels = said.get("pinlabels", [])
    pins = said.get("pins", list(range(1, len(labels) + 1)))
    return str(labels[pins.index(pin)]) if labels else str(pin)


def from_pi(build: str) -> dict[Any, list[tuple[str, Any]]]:
    """Return what each pin of the Pi goes through."""
    return {wire[0][1]: wire[1:] for wire in wires(build) if wire[0][0] == "Pi"}


def rows(text: str, first: str) -> list[list[str]]:
    """Return the cells of the table whose heading begins so."""
    [table] = re.findall(rf"^\| {re.escape(first)} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|\n").split("|")] for line in table.splitlines()]


# --- Parts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("build", BUILDS)
def test_what_is_drawn_is_a_part_and_the_other_way_round(build: str) -> None:
    listed = {(row["part"], row["drawn_in"]) for row in parts(build) if row["drawn_in"]}
    assert {name for _, name in listed} == set(drawings(build))
    for name in drawings(build):
        said = drawing(build, name)
        drawn = [*said["connectors"].values(), *said["cables"].values()]
        types = {each["type"] for each in drawn if "type" in each}
        assert types <= {row["part"] for row in parts(build)}, name
        notes = " ".join(str(each.get("notes", "")) for each in drawn)
        for part in (part for part, where in listed if where == name):
            value = re.match(r"\d+ (?:kil)?ohm", part)
            assert part in types or (value and value[0] in notes), part


@pytest.mark.parametrize("build", BUILDS)
def test_the_guide_uses_every_part(build: str) -> None:
    said = " ".join(guide(build).split())
    assert [row["part"] for row in parts(build) if row["part"] not in said] == []


@pytest.mark.parametrize("build", BUILDS)
def test_the_guide_says_how_much_filament_the_list_has(build: str) -> None:
    said = re.findall(r"([\d.]+) kg", guide(build))
    assert set(said) == {row["quantity"] for row in parts(build) if row["part"].startswith("Filament")}


@pytest.mark.parametrize("build", BUILDS)
def test_a_part_has_all_that_a_buyer_asks(build: str) -> None:
    names = [row["part"] for row in parts(build)]
    assert len(names) == len(set(names))
    for row in parts(build):
        assert row["function"], row
        assert row["per"] in {"seat", "table"}, row
        assert float(row["quantity"]) > 0, row
        assert re.fullmatch(r"\d+\.\d\d", row["price_eur"]), row


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_sum_in_the_overview_is_that_of_the_parts(build: str, seats: int) -> None:
    [said] = re.findall(rf"for {seats} seats \| (\d+) \| (\d+) \| (\d+) \|", README)
    cost = sum(
        float(row["price_eur"]) * float(row["quantity"]) * (seats if row["per"] == "seat" else 1)
        for row in parts(build)
    )
    assert int(said[BUILDS.index(build)]) == round(cost)


def test_what_each_seat_has_is_drawn_for_each_seat() -> None:
    drawn = {build: Counter(each["type"] for each in drawing(build)["connectors"].values()) for build in BUILDS}
    assert drawn["no-solder"]["USB number pad"] == len(SEATS)
    assert drawn["classic"]["3.5 mm stereo socket"] == len(SEATS)
    assert drawn["classic"]["16 mm push button"] == len(wiring("classic").controls)
    assert drawn["full"]["Raspberry Pi Pico"] == len(SEATS)


# --- Tables -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("build", BUILDS)
def test_every_table_is_one_for_five(build: str) -> None:
    path = HARDWARE / build / "table.toml"
    config = parse_config(path.read_text("utf-8"), str(path), all_games())
    assert len(config.seats.names) == len(SEATS)
    assert f"--table hardware/{build}/table.toml" in guide(build)


def test_no_line_is_one_that_a_pi_needs_itself() -> None:
    assert {line for _, line in wiring("classic").lines} & NOT_FREE == set()


@pytest.mark.parametrize("build", ["no-solder", "full"])
def test_builds_without_wires_wire_nothing(build: str) -> None:
    assert wiring(build).lines == []


# --- The classic build ------------------------------------------------------------------------------------


def test_every_pin_of_the_header_is_what_its_label_says() -> None:
    said = drawing("classic")["connectors"]["Pi"]
    for pin, name in zip(said["pins"], said["pinlabels"], strict=True):
        if name == "GND":
            assert pin in GROUNDS
        elif name == "5 V":
            assert pin in FIVE_VOLTS
        elif name:
            assert name == f"GPIO{GPIO_OF_HEADER[pin]}"


def test_the_wiring_is_the_table() -> None:
    place = {
        **{f"[buzzers] seat {n}": [(f"Board {n}", 1), (f"Seat {n}", "T")] for n in SEATS},
        **{f"[lamps] seat {n}": [(f"Board {n}", 2), (f"Seat {n}", "R")] for n in SEATS},
        "[lamps] siren": [("Siren driver", "B")],
        **{f"[house] {control}": [(f"House {control}", 1)] for control in wiring("classic").controls},
    }
    cables = drawing("classic")["cables"]
    found = {}
    for pin, through in from_pi("classic").items():
        if label("classic", "Pi", pin).startswith("GPIO"):
            found[GPIO_OF_HEADER[pin]] = [step for step in through if step[0] not in cables]
    assert found == {line: place[str(use)] for use, line in wiring("classic").lines}


def test_no_pin_is_used_twice_but_the_ground_of_the_house() -> None:
    used = Counter(pin for wire in wires("classic") for name, pin in wire if name == "Pi")
    assert {pin for pin, times in used.items() if times > 1} == {39}
    assert set(used) == set(drawing("classic")["connectors"]["Pi"]["pins"])


def test_grounds_and_five_volts_go_where_they_may() -> None:
    for pin, through in from_pi("classic").items():
        name = label("classic", "Pi", pin)
        last, end = through[-1]
        if name == "5 V":
            assert last in {"Display", "Siren driver"}, "no 5 V leaves the base"
        if name == "GND" and last != "Siren driver":
            assert label("classic", last, end) == "GND"


def test_the_guide_names_every_ground_and_both_five_volts() -> None:
    said = " ".join(guide("classic").split())
    found = {through[-1]: pin for pin, through in from_pi("classic").items()}
    seats = [found[f"Seat {n}", "S"] for n in SEATS]
    assert f"Ground of seats 1 to 5 is at pins {', '.join(map(str, seats[:-1]))} and {seats[-1]}," in said
    assert f"that of the siren at {found['Siren driver', 'E']}," in said
    assert f"that of the house at {found['House skip', 2]}, that of the display at {found['Display', 2]}." in said
    assert f"5 V of the display is at pin {found['Display', 1]}," in said
    assert f"that of the siren at pin {found['Siren driver', '5V']}." in said


@pytest.mark.parametrize("seat", SEATS)
def test_a_seat_has_its_resistors(seat: int) -> None:
    board = drawing("classic")["connectors"][f"Board {seat}"]
    assert board["pinlabels"] == [f"RB{seat}", f"RL{seat}", "GND"]
    assert board["notes"] == f"RB{seat} 1 kilohm, RL{seat} 330 ohm"
    assert label("classic", f"Seat {seat}", "T") == "buzzer"
    assert label("classic", f"Seat {seat}", "R") == "lamp"


def test_the_buzzers_box_continues_the_socket() -> None:
    reached = {wire[0]: wire[-1] for wire in wires("classic", "buzzer.yml") if wire[0][0] == "Base"}
    assert reached == {("Base", contact): ("Box", contact) for contact in "TRS"}
    inside = {
        (label("classic", *wire[0], "buzzer.yml"), label("classic", *wire[-1], "buzzer.yml"))
        for wire in wires("classic", "buzzer.yml")
        if wire[0][0] == "Box"
    }
    assert inside == {("buzzer", "NO"), ("GND", "COM"), ("lamp", "anode"), ("GND", "cathode")}


def test_the_guide_of_the_classic_build_has_every_line() -> None:
    uses = {
        **{f"buzzer of seat {n}": f"[buzzers] seat {n}" for n in SEATS},
        **{f"lamp of seat {n}": f"[lamps] seat {n}" for n in SEATS},
        "siren": "[lamps] siren",
        **{f"house: {control}": f"[house] {control}" for control in wiring("classic").controls},
    }
    said = {uses[row[0]]: int(row[1]) for row in rows(guide("classic"), "for")}
    assert said == {str(use): line for use, line in wiring("classic").lines}
    for name, gpio, pin, through, _ in rows(guide("classic"), "for"):
        assert GPIO_OF_HEADER[int(pin)] == int(gpio), name
        boards = [step for step in from_pi("classic")[int(pin)] if step[0].startswith("Board")]
        assert [label("classic", *step) for step in boards] == ([through[:3]] if boards else []), name


def test_table_and_guide_name_the_same_pins_of_the_header() -> None:
    text = (HARDWARE / "classic" / "table.toml").read_text("utf-8")
    for line in text.splitlines():
        numbers, _, comment = line.partition("#")
        if "header pin" in comment:
            gpio = [int(number) for number in re.findall(r"\d+", numbers)]
            pins = [int(number) for number in re.findall(r"\d+", comment)]
            assert [GPIO_OF_HEADER[pin] for pin in pins] == gpio, line


def test_the_resistors_do_what_the_guide_says() -> None:
    assert round((3.3 - 2.0) / 330 * 1000) == 4
    assert "gets 4 mA through its 330 ohm resistor" in guide("classic")
    pulled_up_ohm = 47_000
    assert f"{3.3 * 1000 / (pulled_up_ohm + 1000):.2f} V" in guide("classic")


# --- The others -------------------------------------------------------------------------------------------


def sockets() -> dict[str, str]:
    """Return the socket of each number pad of the drawing, as a path of the USB."""
    found = {}
    for wire in wires("no-solder"):
        (first, socket), (last, place) = wire[0], wire[-1]
        if place.startswith("seat") or last == "House pad":
            number = socket.split()[-1]
            found[place] = f"usb-0000:01:00.0-1.{f'1.{number}' if first == 'Hub' else number}"
    return found


def test_number_pads_are_where_they_are_drawn() -> None:
    pads = wiring("no-solder").of(PadWiring)
    named = {**{f"seat {n}": pad for n, pad in enumerate(pads.seats, 1)}, "house": pads.house}
    assert named == sockets()
    assert {row[0]: row[2].strip("`") for row in rows(guide("no-solder"), "for")} == named


def test_a_pad_alone_sits_down_as_the_guide_says() -> None:
    seating = Seating((None,) * 5, ("Anna",), ()).press(0, NAME_KEY)
    assert seating.places[0] == Sitter("Anna")
    assert "press `/` on your pad" in " ".join(guide("no-solder").split())


@cache
def pod_pins() -> Any:
    spec = importlib.util.spec_from_file_location("pod_pins", HARDWARE / "pod" / "pins.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_pod_is_wired_as_its_firmware_believes() -> None:
    pins = pod_pins()
    wanted = {
        **{("Keypad", n + 1): gpio for n, gpio in enumerate([*pins.ROWS, *pins.COLUMNS])},
        ("Button", 2): pins.BUZZER,
        ("Driver", "B"): pins.LAMP,
        ("Screen", 1): pins.SDA,
        ("Screen", 2): pins.SCL,
    }
    found = {}
    for wire in wires("full", "pod.yml"):
        if ("Pico") in {wire[0][0], wire[-1][0]}:
            (_, pin), other = (wire[0], wire[-1]) if wire[0][0] == "Pico" else (wire[-1], wire[0])
            name = label("full", "Pico", pin, "pod.yml")
            if name.startswith("GPIO"):
                assert name == f"GPIO{GPIO_OF_PICO[pin]}"
                found[other] = GPIO_OF_PICO[pin]
            else:
                assert {"GND": (13, 18, 38), "3.3 V": (36,), "5 V": (40,)}[name].count(pin) == 1
    assert found == wanted


def test_the_guide_of_the_full_build_has_every_pin_of_a_pod() -> None:
    for _, name, gpio, pin, *_ in rows(guide("full"), "for"):
        value = getattr(pod_pins(), name.strip("`"))
        numbers = [int(number) for number in gpio.split(",")]
        assert numbers == list(value if isinstance(value, tuple) else (value,)), name
        assert [GPIO_OF_PICO[int(number)] for number in pin.split(",")] == numbers, name


def test_the_settings_of_the_screen_are_those_of_the_firmware() -> None:
    for name in re.findall(r"^ +([A-Z_]+) = ", guide("full"), re.MULTILINE):
        assert hasattr(pod_pins(), name)


def test_five_volts_reach_only_the_lamp_of_a_pod() -> None:
    reached = {wire[-1] for wire in wires("full", "pod.yml") if wire[0] == ("Pico", 40)}
    assert reached == {("Driver", "5V")}


# --- Guides and pictures ----------------------------------------------------------------------------------


@cache
def sayings() -> list[re.Pattern[str]]:
    """Return all that the program can say, as patterns."""
    [catalogue] = (ROOT / "companion" / "locale" / "fr" / "LC_MESSAGES").glob("*.po")
    with catalogue.open("rb") as file:
        messages = [message.id for message in read_po(file) if message.id]
    texts = [text for each in messages for text in (each if isinstance(each, tuple) else (each,))]
    return [re.compile(re.sub(r"\\\{[^}]*\\\}", ".+", re.escape(text))) for text in texts if len(text) > 5]


SAID = [
    (build, line)
    for build in BUILDS
    for block in re.findall(r"^```text\n(.*?)^```$", guide(build), re.DOTALL | re.MULTILINE)
    for line in block.splitlines()
]


@pytest.mark.parametrize(("build", "line"), SAID)
def test_the_doctor_can_say_what_a_guide_lets_it_say(build: str, line: str) -> None:
    found = line
    if not line.startswith("Nothing"):
        verdict, _, found = re.split(r" {2,}", line, maxsplit=2)
        assert verdict in {"ok", "weak", "skipped"}
    # Nearly everything would fit a pattern that is nothing but names.
    assert any(len(say.pattern.replace(".+", "")) > 6 and say.fullmatch(found) for say in sayings()), found


@pytest.mark.parametrize("page", ["README.md", *(f"{build}/guide.md" for build in BUILDS)])
def test_links_and_pictures_are_there(page: str) -> None:
    text = (HARDWARE / page).read_text("utf-8")
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert links
    assert [link for link in links if not ((HARDWARE / page).parent / link).exists()] == []


@cache
def make() -> Any:
    spec = importlib.util.spec_from_file_location("hardware_make", HARDWARE / "make.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_pi_prepared_by_hand_has_what_the_installer_fetches() -> None:
    installer = (ROOT / "systemd" / "install.sh").read_text("utf-8")
    [needed] = re.findall(r'^PACKAGES="(.*)"$', installer, re.MULTILINE)
    fetched = set(" ".join(re.findall(r"apt install (.*)", README)).split())
    assert set(needed.split()) - {"udev"} <= fetched, "udev is on every Pi"


def test_the_commands_of_the_overview_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"^make ([\w-]+)$", README, re.MULTILINE):
        assert f"\n{target}:" in makefile
    for path in re.findall(r"hardware/[\w/-]+\.(?:yml|scad|toml)", README):
        assert (ROOT / path).is_file(), path
    for scad, settings in make().PRINTED:
        text = (make().ENCLOSURE / f"{scad}.scad").read_text("utf-8")
        assert f'view == "{settings["view"]}"' in text


def test_pictures_show_their_sources_as_they_are() -> None:
    now = {name: make().digest(paths) for name, paths in make().sources().items()}
    assert json.loads((HARDWARE / "rendered.json").read_text("utf-8")) == now, "`make hardware` draws them again"


def test_every_picture_is_made_and_shown() -> None:
    there = {str(path.relative_to(HARDWARE)) for kind in ("*/*.svg", "*/*.png") for path in HARDWARE.glob(kind)}
    assert there == set(make().sources())
    pages = README + "".join(map(guide, BUILDS))
    assert [name for name in there if Path(name).name not in pages] == []


def test_pictures_are_small() -> None:
    sizes = [(HARDWARE / name).stat().st_size for name in make().sources()]
    assert max(sizes) < 160_000
    assert sum(sizes) < 1_500_000


def test_a_missing_tool_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(make().RenderError, match="openscad is not here: apt install openscad"):
        make().openscad()

"""Tests that wirings, tables, parts lists, guides and pictures agree."""

import importlib.util
import json
import re
import sys
import uuid
import zipfile
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

from companion.config.table_file import parse_config
from companion.devices.buttons.buttons import Buttons
from companion.devices.buttons.options import ButtonWiring
from companion.devices.keypads.usb_pads import PadWiring, UsbPads
from companion.devices.phones.options import PhoneOptions
from companion.games import all_games
from companion.match.seating import NAME_KEY, Seating, Sitter
from tests.hardware.said import (
    BUILDS,
    GPIO_OF_HEADER,
    GPIO_OF_PICO,
    HARDWARE,
    NET_OF_USE,
    NOT_FREE,
    README,
    ROOT,
    SEATS,
    boards,
    drawing,
    drawings,
    guide,
    joined,
    label,
    parts,
    pod_pins,
    rows,
    times,
    wires,
    wiring,
)

# --- Parts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("build", BUILDS)
def test_drawings_and_parts_list_name_the_same_parts(build: str) -> None:
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
def test_guide_uses_every_part(build: str) -> None:
    said = " ".join(guide(build).split())
    assert [row["part"] for row in parts(build) if row["part"] not in said] == []


@pytest.mark.parametrize("build", BUILDS)
def test_guide_and_parts_list_agree_on_filament(build: str) -> None:
    said = re.findall(r"([\d.]+) kg", guide(build))
    assert set(said) == {row["quantity"] for row in parts(build) if row["part"].startswith("Filament")}


@pytest.mark.parametrize("build", BUILDS)
def test_each_part_has_function_quantity_and_price(build: str) -> None:
    names = [row["part"] for row in parts(build)]
    assert len(names) == len(set(names))
    for row in parts(build):
        assert row["function"], row
        assert row["per"] in {"seat", "table", "table of 4", "table of 5"}, row
        assert float(row["quantity"]) > 0, row
        assert re.fullmatch(r"\d+\.\d\d", row["price_eur"]), row


SOCKETS_OF_A_PI = 4


def cost_eur(build: str, seats: int, chosen: tuple[str, ...] = ()) -> float:
    """Return what a table costs, or only some of its parts."""
    rows = [row for row in parts(build) if not chosen or row["part"] in chosen]
    return sum(float(row["price_eur"]) * float(row["quantity"]) * times(row["per"], seats) for row in rows)


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_costs_in_the_overview_match_the_parts(build: str, seats: int) -> None:
    [said] = re.findall(rf"for {seats} seats" + r" \| (\d+)" * 4 + r" \|", README)
    assert int(said[BUILDS.index(build)]) == round(cost_eur(build, seats))


def test_overview_has_the_cost_of_secret_bids() -> None:
    [said] = re.findall(r"with secret bids \| the same \| the same \| (\d+), (\d+), (\d+), (\d+) with pads", README)
    pads, hub = ("USB number pad", "USB extension 2 m"), ("USB hub with 4 sockets",)
    for seats, euros in zip((2, 3, 4, 5), said, strict=True):
        full = seats + 1 > SOCKETS_OF_A_PI
        added = cost_eur("no-solder", seats, pads) + (cost_eur("no-solder", seats, hub) if full else 0)
        assert int(euros) == round(cost_eur("classic", seats) + added)


def test_parts_per_seat_are_drawn_for_each_seat() -> None:
    drawn = {
        build: Counter(each["type"] for each in drawing(build)["connectors"].values())
        for build in BUILDS
        if drawings(build)
    }
    assert drawn["no-solder"]["USB number pad"] == len(SEATS)
    assert drawn["classic"]["3.5 mm stereo socket"] == len(SEATS)
    assert drawn["classic"]["16 mm push button"] == len(wiring("classic").controls)
    assert drawn["full"]["Raspberry Pi Pico"] == len(SEATS)


# --- Tables -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("build", BUILDS)
def test_each_table_has_five_seats(build: str) -> None:
    path = HARDWARE / build / "table.toml"
    config = parse_config(path.read_text("utf-8"), str(path), all_games())
    assert len(config.seats.names) == len(SEATS)
    assert f"--table hardware/{build}/table.toml" in guide(build)


def test_no_line_is_reserved_by_the_pi() -> None:
    assert {line for _, line in wiring("classic").lines} & NOT_FREE == set()


@pytest.mark.parametrize("build", ["nothing-to-build", "no-solder", "full"])
def test_builds_without_lines_wire_none(build: str) -> None:
    assert wiring(build).lines == []


# --- The classic build ------------------------------------------------------------------------------------


def test_buzzer_box_continues_its_socket() -> None:
    reached = {wire[0]: wire[-1] for wire in wires("classic", "buzzer.yml") if wire[0][0] == "Base"}
    assert reached == {("Base", contact): ("Box", contact) for contact in "TRS"}
    inside = {
        (label("classic", *wire[0], "buzzer.yml"), label("classic", *wire[-1], "buzzer.yml"))
        for wire in wires("classic", "buzzer.yml")
        if wire[0][0] == "Box"
    }
    assert inside == {("buzzer", "NO"), ("GND", "COM"), ("lamp", "anode"), ("GND", "cathode")}


def test_classic_guide_lists_every_line_and_path() -> None:
    uses = {
        **{f"buzzer of seat {n}": f"[buzzers] seat {n}" for n in SEATS},
        **{f"lamp of seat {n}": f"[lamps] seat {n}" for n in SEATS},
        "siren": "[lamps] siren",
        **{f"house: {control}": f"[house] {control}" for control in wiring("classic").controls},
    }
    said = {uses[row[0]]: int(row[1]) for row in rows(guide("classic"), "for")}
    assert said == {str(use): line for use, line in wiring("classic").lines}
    base = boards().BASE
    for name, gpio, pin, on_board, _ in rows(guide("classic"), "for"):
        assert GPIO_OF_HEADER[int(pin)] == int(gpio), name
        assert boards().HEADER[NET_OF_USE[uses[name]]] == int(pin)
        nets = {NET_OF_USE[uses[name]]}
        for step in on_board.split(", "):
            component, _, way = step.partition(" way ")
            [found] = [each for each in base.components if each.name == component]
            ends = {found.nets[way]} if way else set(found.nets.values())
            assert nets & ends or nets & {net.replace("LAMP", "DRIVE") for net in ends}, (name, step)
            nets = (nets | ends) - {"GND", "+5V", "+3V3"}


def test_table_comments_name_the_right_header_pins() -> None:
    text = (HARDWARE / "classic" / "table.toml").read_text("utf-8")
    for line in text.splitlines():
        numbers, _, comment = line.partition("#")
        if "header pin" in comment:
            gpio = [int(number) for number in re.findall(r"\d+", numbers)]
            pins = [int(number) for number in re.findall(r"\d+", comment)]
            assert [GPIO_OF_HEADER[pin] for pin in pins] == gpio, line


def test_classic_guide_has_right_resistor_currents() -> None:
    assert round((5.0 - 2.0 - 0.2) / 220 * 1000) == 13
    assert "gets 13 mA through its 220 ohm resistor" in guide("classic")
    assert round(3.3 / 2200 * 1000, 1) == 1.5
    assert "1.5 mA keep the contact clean" in guide("classic")
    least_pull_up_ohm = 33_000
    assert f"{3.3 * 4700 / (least_pull_up_ohm + 4700):.2f} V at most" in guide("classic")


# --- The other builds -------------------------------------------------------------------------------------


def sockets() -> dict[str, str]:
    """Return the socket of each pad in the drawing."""
    ports = {"Hub": "hub, ", "Second hub": "second hub, ", "Pi": "Pi, "}
    return {
        "house" if last == "House pad" else place: ports[first] + socket
        for (first, socket), *_, (last, place) in wires("no-solder")
        if place.startswith("seat") or last == "House pad"
    }


def test_number_pads_match_the_drawing_and_guide() -> None:
    assert {row[0]: row[1] for row in rows(guide("no-solder"), "for")} == sockets()


def test_table_without_soldering_names_no_path() -> None:
    assert wiring("no-solder").of(PadWiring) == PadWiring(ask=True)
    assert f"`{UsbPads.whose}`" in guide("no-solder")


def test_controllers_of_the_build_without_building_are_asked_for() -> None:
    assert wiring("nothing-to-build").of(ButtonWiring) == ButtonWiring(ask=True)
    assert wiring("nothing-to-build").of(PhoneOptions).on
    assert f"`{Buttons.whose}`" in guide("nothing-to-build")


def test_number_pad_alone_can_sit_down() -> None:
    seating = Seating((None,) * 5, ("Anna",), ()).press(0, NAME_KEY)
    assert seating.places[0] == Sitter("Anna")
    assert "press `/` on your pad" in " ".join(guide("no-solder").split())


def test_pod_is_wired_as_its_firmware_expects() -> None:
    pins = pod_pins()
    wanted = {
        **{f"KEY{n}": gpio for n, gpio in enumerate([*pins.ROWS, *pins.COLUMNS], 1)},
        **{"BUZZER": pins.BUZZER, "LAMP": pins.LAMP, "SDA": pins.SDA, "SCL": pins.SCL},
    }
    lines = {net: pin for net, pin in boards().PICO.items() if not net.startswith("+")}
    assert {net: GPIO_OF_PICO[pin] for net, pin in lines.items()} == wanted
    assert (boards().PICO["+3V3"], boards().PICO["+5V"]) == (36, 40)
    assert set(boards().PICO_GROUNDS) == {3, 8, 13, 18, 23, 28, 38}
    strips = {each.name: each.nets for each in boards().POD.components}
    for net, pin in boards().PICO.items():
        assert strips["J1"].get(str(pin)) == net or strips["J2"].get(str(41 - pin)) == net


def test_full_guide_lists_every_pin_of_a_pod() -> None:
    for _, name, gpio, pin, *_ in rows(guide("full"), "for"):
        value = getattr(pod_pins(), name.strip("`"))
        numbers = [int(number) for number in gpio.split(",")]
        assert numbers == list(value if isinstance(value, tuple) else (value,)), name
        assert [GPIO_OF_PICO[int(number)] for number in pin.split(",")] == numbers, name


def test_screen_settings_exist_in_the_firmware() -> None:
    for name in re.findall(r"^ +([A-Z_]+) = ", guide("full"), re.MULTILINE):
        assert hasattr(pod_pins(), name)


def test_only_the_pods_lamp_gets_five_volts() -> None:
    assert {name for name, _ in joined(boards().POD)["+5V"]} == {"J2", "J6", "TP14"}
    assert label("full", "Board", "J6.1", "pod.yml") == "+5V"
    assert {wire[-1] for wire in wires("full", "pod.yml") if wire[0] == ("Board", "J6.1")} == {("Lamp", 1)}


# --- Guides and pictures ----------------------------------------------------------------------------------


@cache
def sayings() -> list[re.Pattern[str]]:
    """Return the program's messages as patterns."""
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
def test_doctors_lines_in_guides_exist(build: str, line: str) -> None:
    found = line
    if not line.startswith("Nothing"):
        verdict, _, found = re.split(r" {2,}", line, maxsplit=2)
        assert verdict in {"ok", "weak", "skipped"}
    # Nearly everything fits a pattern made of placeholders only.
    assert any(len(say.pattern.replace(".+", "")) > 6 and say.fullmatch(found) for say in sayings()), found


@pytest.mark.parametrize("page", ["README.md", "boards/README.md", *(f"{build}/guide.md" for build in BUILDS)])
def test_linked_files_exist(page: str) -> None:
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


def test_manual_setup_installs_the_installers_packages() -> None:
    installer = (ROOT / "systemd" / "install.sh").read_text("utf-8")
    [needed] = re.findall(r'^PACKAGES="(.*)"$', installer, re.MULTILINE)
    fetched = set(" ".join(re.findall(r"apt install (.*)", README)).split())
    assert set(needed.split()) - {"udev"} <= fetched, "udev is on every Pi"


def test_commands_and_views_in_the_overview_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"^make ([\w-]+)$", README, re.MULTILINE):
        assert f"\n{target}:" in makefile
    for path in re.findall(r"hardware/[\w/-]+\.(?:yml|scad|toml)", README):
        assert (ROOT / path).is_file(), path
    for part in make().PRINTED:
        text = (make().ENCLOSURE / f"{part.scad}.scad").read_text("utf-8")
        assert f"view == {part.settings['view']}" in text


def test_pictures_are_up_to_date() -> None:
    now = {name: make().digest(paths) for name, paths in make().sources().items()}
    assert json.loads((HARDWARE / "rendered.json").read_text("utf-8")) == now, "`make hardware` draws them again"


def test_every_picture_is_made_and_shown() -> None:
    found = [path for kind in ("*/*.svg", "*/*.png") for path in HARDWARE.glob(kind)]
    there = {str(path.relative_to(HARDWARE)) for path in found if path.parent.name != "boards"}
    assert there == set(make().sources())
    pages = README + "".join(map(guide, BUILDS))
    assert [name for name in there if Path(name).name not in pages] == []


def test_pictures_are_small() -> None:
    sizes = [(HARDWARE / name).stat().st_size for name in make().sources()]
    assert max(sizes) < 160_000
    assert sum(sizes) < 1_500_000


def fake_openscad(folder: Path, body: str) -> None:
    program = folder / "openscad"
    program.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
    program.chmod(0o755)


def write_part(path: Path, facets: str, number: str) -> None:
    """Write a part as OpenSCAD does."""
    lines = "".join(f"  facet normal {each} 0 0\n    outer loop\n    endloop\n  endfacet\n" for each in facets)
    path.with_suffix(".stl").write_text(f"solid OpenSCAD_Model\n{lines}endsolid OpenSCAD_Model\n")
    with zipfile.ZipFile(path.with_suffix(".3mf"), "w") as model:
        model.writestr(make().MESH, f'<object id="1" p:UUID="{number}"><mesh /></object>')


def test_equal_parts_have_equal_files(tmp_path: Path) -> None:
    for name, facets in (("first", "123"), ("second", "312")):
        write_part(tmp_path / name, facets, str(uuid.uuid4()))
        make().settle(tmp_path / f"{name}.stl", tmp_path / f"{name}.3mf")
    for ending in make().FORMATS:
        assert (tmp_path / f"first{ending}").read_bytes() == (tmp_path / f"second{ending}").read_bytes()
    write_part(tmp_path / "as it was", "123", "")
    assert (tmp_path / "first.stl").read_text() == (tmp_path / "as it was.stl").read_text()


def test_every_seat_and_format_is_printed_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_part(tmp_path / "part", "12", str(uuid.uuid4()))
    writes = f'for word; do case $word in *.stl|*.3mf) cp "{tmp_path}/part.${{word##*.}}" "$word";; esac; done'
    fake_openscad(tmp_path, f'{writes}; echo "Simple: yes" >&2')
    monkeypatch.setattr(make(), "tool", lambda name, _: str(tmp_path / name))
    make().print_all(tmp_path / "print")
    made = {path.name for path in (tmp_path / "print").iterdir()}
    assert made == {f"{part.name}{ending}" for part in make().PRINTED for ending in (".stl", ".3mf")}
    assert {f"buzzer-button_60-shell-{seat}.3mf" for seat in SEATS} <= made
    capsys.readouterr()
    fake_openscad(tmp_path, "exit 1")
    make().print_all(tmp_path / "print")
    assert f"{len(make().PRINTED)} of {len(make().PRINTED)} parts" in capsys.readouterr().out


@pytest.mark.parametrize("ends", ["exit 1", 'echo "Simple: no"'])
def test_unfinished_print_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ends: str) -> None:
    fake_openscad(tmp_path, f'for word; do case $word in *.stl|*.3mf) echo half > "$word";; esac; done; {ends}')
    monkeypatch.setattr(make(), "tool", lambda name, _: str(tmp_path / name))
    with pytest.raises(make().RenderError):
        make().print_all(tmp_path / "print")
    assert list((tmp_path / "print").iterdir()) == []


def test_missing_openscad_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(make().RenderError, match="openscad is not here: apt install openscad"):
        make().openscad()

"""import-linter refuses every forbidden import, each planted by these tests.

Most are planted into the import graph; some are written into a copy of the package, in every form of import, to
show that they reach the graph.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from copy import deepcopy
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise, product
from pathlib import Path
from typing import Any, Final

import grimp
import pytest
from importlinter import configuration
from importlinter.application.use_cases import read_user_options
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract
from importlinter.contracts.protected import ProtectedContract

from tests.of_games import LETTERS

ROOT: Final = Path(__file__).parents[1]

HEIGHTS: Final = {
    "core": 0,
    "referee": 1,
    "display": 2,
    "testing": 3,
    "games": 3,
    "devices": 3,
    "config": 4,
    "diagnostics": 5,
    "records": 5,
    "updates": 5,
    "club": 6,
    "match": 7,
    "screens": 8,
    "table": 9,
    "api": 9,
    "cli": 10,
}
"""The height of each room, which imports lower ones only."""

GAMES: Final = tuple(LETTERS)
HARDWARE: Final = ("gpiozero", "gpiod", "lgpio", "serial", "evdev", "aiohttp", "segno", "ifaddr", "paho")
NETWORK: Final = ("socket", "ssl", "http", "urllib", "asyncio", "socketserver", "xmlrpc", "ftplib", "smtplib")
IMPURE: Final = ("random", "secrets", "time", "datetime", "threading", "subprocess", "pygame")
NOTHING_OF: Final = (*IMPURE, *HARDWARE, *NETWORK)

OWNERS: Final = {
    "gpiod": "companion.devices.buzzers",
    "lgpio": "companion.devices.lgpio_library",
    "serial": "companion.devices.pods",
    "aiohttp": "companion.devices.phones.server",
    "segno": "companion.devices.phones.server",
    "ifaddr": "companion.devices.phones.addresses",
    "evdev": "companion.devices.inputs.reader",
}

PARTS: Final = ("console", "text", "bots", "scene", "box", "guide", "map", "lesson")

KINDS: Final = {
    "forbidden": ForbiddenContract,
    "independence": IndependenceContract,
    "layers": LayersContract,
    "protected": ProtectedContract,
}

Plant = tuple[str, str]


class House:
    """The import graph, and the contracts' verdicts on planted imports."""

    def __init__(self) -> None:
        configuration.configure()
        options = read_user_options(str(ROOT / "pyproject.toml"))
        session = options.session_options
        self.graph = grimp.build_graph("companion", include_external_packages=True, cache_dir=None)
        self.contracts = [KINDS[each["type"]](each["name"], session, each) for each in options.contracts_options]

    def planted(self, imports: Iterable[Plant]) -> grimp.ImportGraph:
        graph = deepcopy(self.graph)
        for importer, imported in imports:
            for module in (importer, imported):
                if module not in graph.modules:
                    graph.add_module(module, is_squashed=not module.startswith("companion"))
            graph.add_import(importer=importer, imported=imported)
        return graph

    def refused(self, *chain: str) -> str:
        """Return a contract that a chain of imports breaks, or "", trying the last one first."""
        graph = self.planted(pairwise(chain))
        for contract in self.contracts:
            if not contract.check(deepcopy(graph), verbose=False).kept:
                self.contracts.remove(contract)
                self.contracts.insert(0, contract)
                return contract.name
        return ""

    def overlooked(self, plants: Iterable[Plant]) -> list[Plant]:
        """Return the plants that no contract refuses; there must be plants.

        A contract names every forbidden chain, so it sees all plants at once; one alone in its chain is refused
        alone as well.
        """
        tried = [*plants]
        assert tried
        graph, alone = self.planted(tried), set[Plant]()
        for contract in self.contracts:
            if isinstance(contract, ForbiddenContract):
                told = contract.check(deepcopy(graph), verbose=False).metadata["invalid_chains"]
                for chain in (chain for found in told for chain in found["chains"]):
                    links = {(link["importer"], link["imported"]) for link in chain}.intersection(tried)
                    alone |= links if len(links) == 1 else set()
        return [plant for plant in tried if plant not in alone and not self.refused(*plant)]

    def within(self, name: str) -> list[str]:
        return sorted({name, *self.graph.find_descendants(name)})

    def last(self, name: str) -> str:
        return self.within(name)[-1]

    def pure(self, game: str) -> list[str]:
        """Return a game's rules and the modules of the game below them."""
        rules = f"companion.games.{game}.rules"
        below = self.graph.find_upstream_modules(rules)
        return [rules, *sorted(name for name in below if name.startswith(f"companion.games.{game}."))]


@pytest.fixture(scope="module")
def house() -> House:
    return House()


def room(name: str) -> str:
    return f"companion.{name}"


def test_unchanged_imports_break_no_contract(house: House) -> None:
    assert not house.refused()


def test_every_room_has_its_height(house: House) -> None:
    assert {name.split(".")[1] for name in house.within("companion")[1:]} - {"__main__"} == {*HEIGHTS}


def test_modules_never_import_each_other_in_circles(house: House) -> None:
    """Imports inside functions and for types count as well."""
    there = house.graph.find_modules_directly_imported_by
    graph = {name: there(name) for name in house.within("companion")}
    TopologicalSorter(graph).prepare()  # raises CycleError, which names them
    graph["companion.core.move"] = graph["companion.core.move"] | {"companion.core.match"}
    with pytest.raises(CycleError):
        TopologicalSorter(graph).prepare()


def test_rooms_never_import_upwards_or_sideways(house: House) -> None:
    wrong = [(a, b) for a, b in product(HEIGHTS, repeat=2) if a != b and HEIGHTS[a] <= HEIGHTS[b]]
    assert house.overlooked((house.last(room(a)), house.last(room(b))) for a, b in wrong) == []


def test_unlisted_room_or_module_is_refused(house: House) -> None:
    assert house.overlooked([("companion.cellar", "companion.core.move"), ("companion.loose", "typing")]) == []


def test_package_root_imports_nothing(house: House) -> None:
    assert house.overlooked(("companion", room(name)) for name in HEIGHTS) == []


def test_only_drivers_import_hardware_and_network(house: House) -> None:
    rooms = [name for name in HEIGHTS if name != "devices"]
    assert house.overlooked((house.last(room(a)), library) for a, library in product(rooms, HARDWARE)) == []
    rooms = [name for name in HEIGHTS if name != "diagnostics"]  # it notifies systemd
    assert house.overlooked((house.last(room(a)), library) for a, library in product(rooms, NETWORK)) == []
    others = [name for name in house.within("companion.club") if name != "companion.club.broker"]
    assert house.overlooked(product(others, ("paho", "ssl"))) == []


def test_each_library_is_imported_by_its_driver_only(house: House) -> None:
    def wrong() -> Iterator[Plant]:
        for library, owner in OWNERS.items():
            others = [name for name in house.within("companion.devices") if not name.startswith(owner)]
            yield from ((name, library) for name in others)

    assert house.overlooked(wrong()) == []


def test_only_drawing_modules_import_pygame(house: House) -> None:
    rooms = [name for name in HEIGHTS if name not in {"display", "games", "records", "devices"}]
    wrong = [house.last(room(name)) for name in rooms]
    wrong += [name for name in house.within("companion.records") if name != "companion.records.stats_pictures"]
    wrong += [name for name in house.within("companion.devices") if name != "companion.devices.sound"]
    assert house.overlooked((name, "pygame") for name in wrong) == []


def test_core_and_referee_are_pure(house: House) -> None:
    modules = [*house.within("companion.core"), *house.within("companion.referee")]
    there = house.graph.find_modules_directly_imported_by
    wrong = [(name, impure) for name in modules for impure in IMPURE if impure not in there(name)]
    assert house.overlooked(wrong) == []
    assert house.overlooked(product(("companion.core.match", "companion.referee.referee"), NOTHING_OF)) == []


def test_rules_are_pure(house: House) -> None:
    pure = [name for game in GAMES for name in house.pure(game)]
    assert house.overlooked(product(pure, IMPURE)) == []
    rules = [f"companion.games.{game}.rules" for game in GAMES]
    assert house.overlooked(product(rules, [*NOTHING_OF, "os", "io"])) == []
    assert house.overlooked(product(pure, ["companion.core.clock", "companion.core.inbox"])) == []


def test_rules_import_no_other_part_of_their_game(house: House) -> None:
    def wrong() -> Iterator[Plant]:
        for game in GAMES:
            scenes = [name for name in house.within(f"companion.games.{game}") if ".scene" in name]
            parts = [f"companion.games.{game}.{part}" for part in PARTS]
            yield from product(house.pure(game), {*parts, *scenes})
        rules = [f"companion.games.{game}.rules" for game in GAMES]
        rooms = [house.last(room(name)) for name in HEIGHTS if name not in {"core", "games"}]
        yield from product(rules, [*rooms, "companion.games.guesser", "companion.games.typist"])

    assert house.overlooked(wrong()) == []


def test_only_scenes_of_a_game_draw(house: House) -> None:
    parts = [f"companion.games.{game}.{part}" for game in GAMES for part in PARTS if part != "scene"]
    pure = [name for game in GAMES for name in house.pure(game)]
    shared = ["companion.games", "companion.games.guesser", "companion.games.typist"]
    drawing = ["pygame", "companion.display.canvas"]
    assert house.overlooked(product([*parts, *pure, *shared[1:]], drawing)) == []
    assert house.overlooked([(shared[0], "pygame")]) == []


def test_robots_may_use_modules_shared_by_games(house: House) -> None:
    for shared in ("guesser", "typist"):
        assert not house.refused("companion.games.buntherum.bots", f"companion.games.{shared}")
    assert house.overlooked([("companion.games.buntherum.console", "companion.games.guesser")]) == []


def test_games_import_neither_each_other_nor_the_referee(house: House) -> None:
    pairs = [(a, b) for a, b in product(GAMES, repeat=2) if a != b]
    plants = [
        (f"companion.games.{a}.{mine}", f"companion.games.{b}.{yours}")
        for a, b in pairs
        for mine, yours in (("rules", "rules"), ("console", "text"), ("scene", "scene"))
    ]
    assert house.overlooked(plants) == []
    assert house.overlooked(product(house.within("companion.games"), ["companion.referee.journal"])) == []


def test_devices_and_display_import_no_match(house: House) -> None:
    assert house.overlooked((name, "companion.display.frame") for name in house.within("companion.devices")) == []
    assert house.overlooked((name, "companion.referee.calls") for name in house.within("companion.display")) == []


@pytest.mark.parametrize(
    "chain",
    [
        ("companion.games.buntherum.rules", "companion.games.buntherum.planted", "time"),
        ("companion.games.buntherum.rules", "companion.games.buntherum.planted", "companion.display.canvas"),
        ("companion.games.buntherum.console", "companion.games.buntherum.planted", "pygame"),
        ("companion.games.buro_crazy.bots", "companion.games.typist", "companion.display.frame"),
        ("companion.core.match", "companion.core.planted", "random"),
        ("companion.display.widgets", "companion.display.planted", "companion.referee.calls"),
    ],
    ids=" > ".join,
)
def test_indirect_import_is_refused(house: House, chain: tuple[str, ...]) -> None:
    assert house.refused(*chain)


def test_only_owned_third_party_packages_are_imported(house: House) -> None:
    others = {name for name in house.graph.modules if not name.startswith("companion")} - sys.stdlib_module_names
    assert others == {*HARDWARE, "distributed", "pygame", "tomlkit", "typing_extensions"}  # the last only for mypy


WRITTEN: Final = {
    "core/planted_a.py": "from companion import table",
    "core/planted_b.py": "import companion.table.host as host",
    "core/planted_c.py": "def late():\n    from companion.table.host import Host\n    return Host",
    "core/planted_d.py": "from ..table import host",
    "core/planted_e.py": "import typing\nif typing.TYPE_CHECKING:\n    from companion.table import host",
    "core/planted_f.py": "try:\n    import random\nexcept ImportError:\n    random = None",
    "referee/planted.py": "from companion.display import frame",
    "match/planted.py": "def late():\n    import serial.tools.list_ports as ports\n    return ports",
    "screens/planted.py": "from pygame import Rect",
    "table/planted.py": "from urllib.request import urlopen",
    "cellar/__init__.py": "",
    "loose.py": "",
}
"""Files with imports for a copy of the package."""


def test_written_imports_are_refused(tmp_path: Path) -> None:
    copy = tmp_path / "companion"
    shutil.copytree(ROOT / "companion", copy, ignore=lambda _, names: [n for n in names if n == "locale"])
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for name, text in WRITTEN.items():
        path = copy / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{text}\n", "utf-8")
    told = linted(tmp_path)
    refused = {*re.findall(r"(companion\.\S*planted\w*) -> (\S+)", told)}
    a = "companion.core.planted_"
    assert refused >= {
        (f"{a}a", "companion.table"),
        *((f"{a}{letter}", "companion.table.host") for letter in "bcde"),
        (f"{a}f", "random"),
        ("companion.referee.planted", "companion.display.frame"),
        ("companion.match.planted", "serial"),
        ("companion.screens.planted", "pygame"),
        ("companion.table.planted", "urllib"),
    }
    assert {"companion.cellar", "companion.loose"} <= {*re.findall(r"companion\.\w+", told)}


def linted(folder: Path) -> str:
    environment: dict[str, Any] = {**os.environ, "COLUMNS": "300"}
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout

"""Third-party games are found, and bad ones are reported."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from zipfile import ZipFile

import pytest

from companion.core.plugins import PLUGINS, entry_points_of
from companion.games import GROUP, Found, all_games, by_name, in_folder, installed, load, names, signs_of
from companion.games.guesser import Guesser
from tests.of_games import LETTERS

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
BORROWED = "from companion.games import load\nGAME = load('buntherum')"
PLAIN = """
from dataclasses import dataclass
from companion.games import load
@dataclass(frozen=True)
class Rulings:
    goal: int = 3
GAME = load('buntherum')._replace(name='toy_game', rulings=Rulings)
"""


@pytest.fixture(autouse=True)
def _the_path_stays(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", sys.path.copy())
    yield
    for name in [name for name in sys.modules if name.startswith("toy_")]:
        del sys.modules[name]


def package(folder: Path, name: str, source: str) -> Path:
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text(source, "utf-8")
    return folder


def distribution(folder: Path, *lines: str) -> None:
    """Install a distribution with entry points."""
    info = folder / "toys-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text("\n".join([f"[{GROUP}]", *lines]), "utf-8")
    sys.path.append(str(folder))


def said(found: Iterator[Found]) -> str:
    """Return the error of the only refused game."""
    by_name(found)
    [refused] = PLUGINS.refused
    return str(refused)


def test_folder_of_packages_has_games() -> None:
    [found] = in_folder(EXAMPLES)
    assert (found.game.name, found.where) == ("driftwood", str(EXAMPLES / "driftwood"))
    assert len(list(in_folder(EXAMPLES))) == 1, "a second time as well"


def test_installed_package_has_games(tmp_path: Path) -> None:
    package(tmp_path, "toy_game", BORROWED)
    distribution(tmp_path, "buntherum = toy_game:GAME")
    [found] = installed(entry_points(group=GROUP))
    assert found.game is load("buntherum")
    assert found.where == "toy_game:GAME (toys 1.0)"


def test_duplicate_game_names_are_both_reported() -> None:
    game = load("buntherum")
    both = iter([Found(game, "here"), Found(game, "there")])
    assert said(both) == "two games are called 'buntherum': here, there"


def test_game_without_robots_gets_the_guesser() -> None:
    found = by_name([Found(load("buntherum")._replace(bots={}), "here")])
    assert found["buntherum"].bots == {"easy": Guesser(load("buntherum").console)}


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("", "module 'toy_game' has no attribute 'GAME'"),
        ("import nothing_of_this_name", "No module named 'nothing_of_this_name'"),
        ("GAME =", "invalid syntax (__init__.py, line 1)"),
        ("GAME = open('/no/box.toml')", "[Errno 2] No such file or directory: '/no/box.toml'"),
        ("GAME = 'chess'", "its GAME is 'chess'"),
        (BORROWED, "it is called 'toy_game', its GAME 'buntherum'"),
        (PLAIN, "Rulings.goal is not declared by option()"),
        (
            f"{BORROWED}._replace(name='toy_game', emblem='wrnch')",
            "its emblem is no drawing of assets/pictograms: wrnch; did you mean wrench?",
        ),
        (
            f"{BORROWED}._replace(name='toy_game', scene='toy_scene', emblem='0')",
            "its scene is no module: toy_scene; its emblem is no drawing of assets/pictograms: 0",
        ),
        ("import sys\nsys.exit(0)", "it ends the program (0)"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("{}['GAME']", "KeyError: 'GAME'"),
    ],
)
def test_unusable_game_is_reported_with_its_reason(tmp_path: Path, source: str, why: str) -> None:
    package(tmp_path, "toy_game", source)
    assert said(in_folder(tmp_path)) == f"the game in {tmp_path / 'toy_game'} cannot be used: {why}"


def test_unusable_game_leaves_the_others_usable(tmp_path: Path) -> None:
    package(tmp_path, "toy_game", "raise SystemExit")
    shutil.copytree(EXAMPLES / "driftwood", tmp_path / "driftwood")
    assert list(by_name(in_folder(tmp_path))) == ["driftwood"]


def test_name_is_known_without_loading_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_GAMES", str(tmp_path))
    package(tmp_path, "toy_game", "raise SystemExit")
    assert names() == [*LETTERS, "toy_game"]
    assert "toy_game" not in sys.modules


def test_broken_entry_point_is_reported(tmp_path: Path) -> None:
    distribution(tmp_path, "toy_gone = toy_gone:GAME")
    found = installed(entry_points(group=GROUP))
    assert said(found) == "the game in toy_gone:GAME (toys 1.0) cannot be used: No module named 'toy_gone'"


@pytest.mark.parametrize("where", ["dist-info", "egg-info", "a wheel", "nothing that can be read"])
def test_entry_points_match_importlib_metadata(where: str, tmp_path: Path) -> None:
    about = "Metadata-Version: 2.1\nName: toys\nVersion: 1.0\n"
    points = f"[{GROUP}]\ntoy_gone = toy_gone:GAME\n"
    place = tmp_path
    if where == "a wheel":
        place /= "toys.whl"
        with ZipFile(place, "w") as wheel:
            wheel.writestr("toys-1.0.dist-info/METADATA", about)
            wheel.writestr("toys-1.0.dist-info/entry_points.txt", points)
    elif where == "nothing that can be read":
        (place / "toys-1.0.dist-info" / "entry_points.txt").mkdir(parents=True)
    else:
        info = place / f"toys-1.0.{where}"
        info.mkdir()
        (info / ("METADATA" if where == "dist-info" else "PKG-INFO")).write_text(about, "utf-8")
        (info / "entry_points.txt").write_text(points, "utf-8")
    sys.path.append(str(place))
    found = [point.name for point in entry_points_of(GROUP)]
    assert found == [point.name for point in entry_points(group=GROUP)]
    assert bool(found) is (where != "nothing that can be read")


def test_nameless_package_is_reported_and_hides_none(tmp_path: Path) -> None:
    for number in (1, 2):
        info = tmp_path / f"toy_{number}-1.0.dist-info"
        info.mkdir()
        (info / "entry_points.txt").write_text(f"[{GROUP}]\ntoy_{number} = toy_{number}:GAME\n", "utf-8")
    sys.path.append(str(tmp_path))
    assert entry_points_of(GROUP) == []
    assert str(PLUGINS.refused[0]).endswith("cannot be read: its METADATA has no name")


def test_game_named_like_another_module_is_refused(tmp_path: Path) -> None:
    package(tmp_path, "json", BORROWED)
    assert said(in_folder(tmp_path)).startswith(f"the game in {tmp_path / 'json'} cannot be used: ")


def test_missing_games_folder_is_reported(tmp_path: Path) -> None:
    assert said(in_folder(tmp_path / "gone")) == f"COMPANION_GAMES: {tmp_path / 'gone'} is not a folder"


def test_folder_that_is_itself_a_game_is_reported() -> None:
    folder = EXAMPLES / "driftwood"
    assert said(in_folder(folder)) == (
        f"COMPANION_GAMES: {folder} contains no games; set it to the folder that contains the games' folders"
    )


def test_built_in_games_are_always_found() -> None:
    assert [name for name in all_games() if all_games()[name].scene == f"companion.games.{name}.scene"] == [
        *LETTERS
    ]


def test_signs_come_from_each_game() -> None:
    games = all_games()
    assert games.signs == signs_of(games) == [game.sign for game in games.values()]
    assert signs_of(dict(games)) == games.signs


FIRST_PICTURE = """
import os, sys, pygame
class Shown(pygame.Window):
    def flip(self):
        loaded = [name for name in sys.modules if name.startswith("companion.games.") and name.count(".") > 2]
        os.write(1, ascii(loaded).encode())
        os._exit(0)
pygame.Window = Shown
from companion.cli.commands import main
main(["play", "--virtual"])
"""


def test_first_frame_loads_no_game(tmp_path: Path) -> None:
    environ = os.environ | {"XDG_DATA_HOME": str(tmp_path), "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    done = subprocess.run([sys.executable, "-c", FIRST_PICTURE], env=environ, check=True, capture_output=True)
    assert done.stdout.endswith(b"[]"), done.stdout

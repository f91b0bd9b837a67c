"""The wheel as pip, pipx and uv install it: it plays, opens a window, and what it tells to install is enough."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.core.version import program_version
from tests.e2e.pc import Screen, eventually, needs_a_screen
from tests.running import environment

ROOT = Path(__file__).parents[3]
BIN = Path(sys.executable).parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = Path("/usr/bin/python3")


def ran(*words: object, **environ: str) -> str:
    done = subprocess.run([*map(str, words)], env=os.environ | environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
    return done.stdout


class Installed(NamedTuple):
    """The command, and the variables that its installer was run with."""

    command: Path
    environ: dict[str, str]


def by_pip(python: str, wheel: Path, home: Path) -> Installed:
    ran(python, "-m", "venv", home / "venv")
    ran(home / "venv/bin/python", "-m", "pip", "install", wheel)
    return Installed(home / "venv/bin/companion", {})


def by_pipx(python: str, wheel: Path, home: Path) -> Installed:
    environ = {"PIPX_HOME": str(home / "pipx"), "PIPX_BIN_DIR": str(home / "bin")}
    ran(sys.executable, "-m", "pipx", "install", "--python", python, wheel, **environ)
    return Installed(home / "bin/companion", environ)


def by_uv(python: str, wheel: Path, home: Path) -> Installed:
    environ = {"UV_TOOL_DIR": str(home / "tools"), "UV_TOOL_BIN_DIR": str(home / "bin")}
    ran(BIN / "uv", "tool", "install", "--python", python, wheel, **environ)
    return Installed(home / "bin/companion", environ)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    ran(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
    [path] = folder.iterdir()
    return path


@pytest.fixture(scope="module", params=PYTHONS)
def python(request: pytest.FixtureRequest) -> str:
    found = shutil.which(f"python{request.param}")
    if not found or subprocess.run([found, "-c", "import ensurepip"], check=False, capture_output=True).returncode:
        pytest.skip(f"Python {request.param} is not on the PATH")
    return found


@pytest.fixture(scope="module", params=[by_pip, by_pipx, by_uv], ids=["pip", "pipx", "uv"])
def installed(
    request: pytest.FixtureRequest, python: str, wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installed]:
    way: Callable[[str, Path, Path], Installed] = request.param
    home = tmp_path_factory.mktemp("home")
    yield way(python, wheel, home)
    shutil.rmtree(home)


def test_version_is_the_wheels(installed: Installed) -> None:
    version = program_version().split()[0]
    assert ran(installed.command, "--version").split()[:2] == ["companion", version]


def test_robots_play_a_match(installed: Installed, tmp_path: Path) -> None:
    words = [installed.command, "demo", "buntherum", "--text", "--fast", "--seed", "1"]
    done = subprocess.run(
        words, env=environment(tmp_path), cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    print(done.stdout.rstrip().splitlines()[-1])


@needs_a_screen
def test_window_opens(installed: Installed, tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    environ = environment(tmp_path) | {"DISPLAY": screen.display, "SDL_VIDEODRIVER": "x11"}
    program = subprocess.Popen([installed.command, "play", "--virtual"], env=environ, cwd=tmp_path)
    try:
        eventually(lambda: program.poll() is not None or any(screen.pixels()[::997]), "a first frame", 60)
        assert program.poll() is None
    finally:
        program.terminate()
        program.wait(30)
        screen.close()


# --- What it tells to install -----------------------------------------------------------------------------


def missing(*words: object) -> str:
    """Return what `companion pod flash` tells to type, or "" if nothing is missing."""
    done = subprocess.run([*map(str, words), "pod", "flash"], capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode, done.stdout
    return done.stderr.partition("mpremote is not installed: ")[2].strip()


def type_in(command: str, **environ: str) -> None:
    ran("sh", "-c", command, PATH=f"{BIN}:{os.environ['PATH']}", **environ)


def test_typed_hint_installs_what_was_missing(installed: Installed) -> None:
    told = missing(installed.command)
    print(told)
    type_in(told, **installed.environ)
    assert missing(installed.command) == ""


@pytest.fixture
def clone(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "my clone"
    ran("git", "clone", "--quiet", ROOT, path)
    yield path
    shutil.rmtree(path)


def test_typed_hint_completes_a_clone(clone: Path) -> None:
    ran(sys.executable, "-m", "venv", clone / ".venv")
    ran(clone / ".venv/bin/python", "-m", "pip", "install", "-e", clone)
    told = missing(clone / ".venv/bin/companion")
    print(told)
    type_in(told)
    assert missing(clone / ".venv/bin/companion") == ""


@pytest.mark.skipif(not SYSTEMS.exists(), reason="there is no /usr/bin/python3")
def test_typed_hint_makes_an_environment_beside_the_systems_python(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What the program needs stands for Debian's packages.
    ran(SYSTEMS, "-m", "venv", tmp_path / "venv")
    ran(tmp_path / "venv/bin/python", "-m", "pip", "install", "--target", tmp_path / "packages", clone)
    shutil.rmtree(tmp_path / "packages/companion")
    monkeypatch.setenv("PYTHONPATH", f"{clone}:{tmp_path / 'packages'}")
    told = missing(SYSTEMS, "-m", "companion")
    print(told)
    monkeypatch.delenv("PYTHONPATH")
    type_in(told)
    assert missing(clone / ".venv/bin/companion") == ""

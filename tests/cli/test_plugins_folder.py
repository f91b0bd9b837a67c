"""Plug-ins in the folder that outlives updates: a real wheel, unpacked by pip or copied, and broken ones."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from companion.core.plugins import PLUGINS, installed
from tests.running import companion

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "udp_buzzer"
GOOD = "the driver udp_buzzer of companion-udp-buzzer 1.0, in "


def unpack(wheel: Path, folder: Path) -> None:
    words = ["install", "--quiet", "--no-index", "--no-deps", "--target"]
    subprocess.run([sys.executable, "-m", "pip", *words, folder, wheel], check=True, timeout=120)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example's wheel, as its author makes it."""
    folder = tmp_path_factory.mktemp("wheel")
    [made] = WheelBuilder(str(EXAMPLE)).build(directory=str(folder), versions=["standard"])
    return Path(made)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "state" / "plugins"
    folder.mkdir(parents=True)
    return folder


def doctor(tmp_path: Path, table: str = "") -> str:
    (tmp_path / "table.toml").write_text(table, "utf-8")
    words = ("doctor", "--no-walk", "--table", tmp_path / "table.toml")
    done = companion(tmp_path, *words, STATE_DIRECTORY=str(tmp_path / "state"), COLUMNS="400")
    assert done.returncode in {0, 1}, done.stderr
    return done.stdout


@pytest.mark.parametrize("way", ["unpacked by pip", "copied"])
def test_plug_in_of_the_folder_is_used_and_named(way: str, wheel: Path, folder: Path, tmp_path: Path) -> None:
    if way == "copied":
        shutil.copy(wheel, folder)
    else:
        unpack(wheel, folder)
    found = doctor(tmp_path, "[udp]\nport = 4711\nseats = [1]\n")
    assert GOOD + str(folder) in found
    assert "port 4711" in found, "the driver's own finding"


def test_broken_plug_ins_are_named_and_others_run(wheel: Path, folder: Path, tmp_path: Path) -> None:
    unpack(wheel, folder)
    for name, points in {
        "raises": b"bad = bad:DRIVER",
        "no_text": b"\xff",
        "no_points": b"[companion.games]\n7",
    }.items():
        info = folder / f"{name}-2.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.0\n")
        (info / "entry_points.txt").write_bytes(b"[companion.drivers]\n" + points)
    (folder / "bad.py").write_text("1 / 0\n")
    (folder / "half.whl").write_bytes(wheel.read_bytes()[:500])
    found = doctor(tmp_path)
    assert "the driver bad = bad:DRIVER (raises 2.0) cannot be used: ZeroDivisionError: division by zero" in found
    assert f"a package in {folder} cannot be read: " in found
    assert f"{folder / 'half.whl'}: this wheel is damaged. Copy it again" in found
    assert GOOD in found
    demo = companion(tmp_path, "demo", "--text", "--seed", "7", STATE_DIRECTORY=str(tmp_path / "state"))
    assert demo.returncode == 0


def test_second_version_of_a_plug_in_is_named(wheel: Path, folder: Path, tmp_path: Path) -> None:
    unpack(wheel, folder)
    (folder / "companion_udp_buzzer-1.0.dist-info").rename(folder / "companion_udp_buzzer-2.0.dist-info")
    metadata = folder / "companion_udp_buzzer-2.0.dist-info" / "METADATA"
    metadata.write_text(metadata.read_text().replace("Version: 1.0", "Version: 2.0"))
    shutil.copy(wheel, folder)
    found = doctor(tmp_path)
    assert f"companion-udp-buzzer is there twice: 2.0 in {folder} is used, 1.0 is not. Remove one" in found


def test_folder_that_others_may_write_is_not_used(wheel: Path, folder: Path, tmp_path: Path) -> None:
    unpack(wheel, folder)
    folder.chmod(0o777)
    found = doctor(tmp_path)
    assert GOOD not in found
    assert f"{folder}: no plug-in is used, since others may write there" in found


def test_plug_ins_of_another_user_are_not_used(wheel: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root runs commands, too, but nothing that the table's user wrote."""
    shutil.copy(wheel, folder)
    monkeypatch.setenv("STATE_DIRECTORY", str(folder.parent))
    assert [plugin.name for plugin in installed()] == ["companion-udp-buzzer"]
    if os.geteuid() == 0:
        os.chown(folder, 4711, -1)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert installed() == ()
    assert "others may write there" in str(PLUGINS.refused[0])

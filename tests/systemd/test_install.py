"""Tests what the installer refuses; tests/appliance tests what it changes."""

import os
import subprocess
from pathlib import Path

import pytest

INSTALLER = Path(__file__).parents[2] / "systemd" / "install.sh"

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="to install something needs root")


def refused(*options: str | Path) -> str:
    done = subprocess.run([INSTALLER, *options], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--rot"], "--rot is not understood"),
        (["--wheelhouse"], "--wheelhouse needs a folder"),
        (["--wheelhouse", "/nowhere"], "no such folder"),
        (["--purge"], "--purge goes with --uninstall"),
    ],
)
def test_wrong_option_is_named(options: list[str], told: str) -> None:
    assert told in refused(*options)


def test_help_names_every_option() -> None:
    told = subprocess.run([INSTALLER, "--help"], capture_output=True, text=True, check=True).stdout
    for option in ("--uninstall", "--purge", "--wheelhouse", "--no-apt", "--no-start", "--root"):
        assert option in told


@needs_root
@pytest.mark.parametrize(
    ("release", "told"),
    [
        ("ID=debian\nVERSION_ID=11\n", "12 (bookworm) and 13 (trixie)"),
        ("ID=fedora\nVERSION_ID=40\n", "Debian and Raspberry Pi OS"),
        (None, "there is no /etc/os-release"),
    ],
)
def test_unsupported_system_is_named(tmp_path: Path, release: str | None, told: str) -> None:
    (tmp_path / "etc").mkdir()
    if release is not None:
        (tmp_path / "etc" / "os-release").write_text(release)
    assert told in refused("--root", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["etc"]

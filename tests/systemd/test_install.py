"""The installer on a fresh Debian: twice, and off again without leftovers. Needs root, debootstrap and an archive.

COMPANION_DEBIAN names a folder with such a Debian (the packages of `install.sh` in it), COMPANION_WHEELS one with
the wheels; `make test-appliance` has them. Without them these tests are skipped.
"""

import filecmp
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
DEBIAN, WHEELS = os.environ.get("COMPANION_DEBIAN"), os.environ.get("COMPANION_WHEELS")

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="to install something needs root"),
    pytest.mark.skipif(not (DEBIAN and WHEELS), reason="COMPANION_DEBIAN and COMPANION_WHEELS name no folders"),
]

# The copies that Debian keeps of its own files before it changes them, and what is made at each boot.
NOT_OURS = (
    "etc/passwd-",
    "etc/group-",
    "etc/shadow-",
    "etc/gshadow-",
    "etc/.pwd.lock",
    "run/",
    "var/cache/ldconfig/",
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    assert DEBIAN
    subprocess.run(["cp", "-a", DEBIAN, tmp_path / "root"], check=True)
    return tmp_path / "root"


def install(root: Path, *options: str, expect: int = 0) -> str:
    command = [REPOSITORY / "systemd" / "install.sh", "--root", root, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == expect, done.stdout + done.stderr
    return done.stdout + done.stderr


def installed(root: Path) -> str:
    assert WHEELS
    return install(root, "--no-apt", "--wheelhouse", WHEELS)


def differences(one: Path, other: Path) -> set[str]:
    """Return which files and folders are not the same in two root file systems."""
    found = set()
    for here, there in ((one, other), (other, one)):
        for path in here.rglob("*"):
            name = path.relative_to(here)
            if not str(name).startswith(NOT_OURS) and not _same(path, there / name):
                found.add(str(name))
    return found


def _same(one: Path, other: Path) -> bool:
    if not os.path.lexists(other) or one.lstat().st_mode != other.lstat().st_mode:
        return False
    if one.is_symlink():
        return one.readlink() == other.readlink()
    return not stat.S_ISREG(one.lstat().st_mode) or filecmp.cmp(one, other, shallow=False)


def test_it_is_installed_twice_and_taken_off_without_leftovers(root: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh"
    subprocess.run(["cp", "-a", root, fresh], check=True)
    assert "adding the user companion" in installed(root)
    units = root / "etc/systemd/system/multi-user.target.wants"
    assert (units / "companion.service").is_symlink()
    once = tmp_path / "once"
    subprocess.run(["cp", "-a", root, once], check=True)
    told = installed(root)
    assert "writing" not in told
    assert "adding" not in told
    changed = {name for name in differences(once, root) if not name.startswith("opt/companion/venv")}
    assert changed == set()
    install(root, "--uninstall")
    assert differences(fresh, root) == set()


def test_the_program_that_is_installed_runs_and_has_its_table(root: Path) -> None:
    installed(root)
    done = subprocess.run(
        ["chroot", root, "companion", "config", "check", "/etc/companion/table.toml"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    state = root / "var/lib/companion"
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    assert 'folder = "/var/lib/companion/matches"' in (state / "table.toml").read_text()


def test_what_the_people_made_stays_until_it_is_purged(root: Path) -> None:
    installed(root)
    matches = root / "var/lib/companion/matches"
    matches.mkdir()
    (matches / "2026-01-01-000000-buntherum.record").write_text("a match")
    assert "keeping /var/lib/companion" in install(root, "--uninstall")
    assert list(matches.iterdir())
    assert not (root / "opt/companion").exists()
    install(root, "--uninstall", "--purge")
    assert not (root / "var/lib/companion").exists()


def test_a_system_that_it_cannot_serve_is_named(root: Path, tmp_path: Path) -> None:
    release = root / "etc/os-release"
    release.unlink()
    release.write_text("ID=debian\nVERSION_ID=11\n")
    assert "12 (bookworm) and 13 (trixie)" in install(root, "--no-apt", expect=1)
    release.write_text("ID=fedora\n")
    assert "Debian and Raspberry Pi OS" in install(root, "--no-apt", expect=1)
    shutil.rmtree(root / "etc")
    assert "there is no /etc/os-release" in install(root, "--no-apt", expect=1)


def test_a_package_that_is_missing_is_named(root: Path) -> None:
    subprocess.run(
        ["chroot", root, "dpkg", "--purge", "--force-depends", "libgl1"], check=True, capture_output=True
    )
    assert "libgl1" in install(root, "--no-apt", expect=1)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--rot"], "--rot is not understood"),
        (["--wheelhouse", "/nowhere"], "no such folder"),
        (["--purge"], "--uninstall"),
    ],
)
def test_what_is_typed_wrongly_is_named(root: Path, options: list[str], told: str) -> None:
    assert told in install(root, *options, expect=1)

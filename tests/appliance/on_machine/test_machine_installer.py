"""Tests installing and uninstalling on a fresh Debian."""

import hashlib
import os
import shutil
import stat
import subprocess
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.appliance.disk_images import Images
from tests.kernel.guest_images import CHECKOUT

CACHES = ("__pycache__", "var/cache", "var/log/journal")
"""Their contents may differ."""

BACKUPS = {"etc/passwd-", "etc/group-", "etc/shadow-", "etc/gshadow-"}
"""Backups by Debian's tools for users."""


MADE_ANEW = ("/direct_url.json", ".dist-info/RECORD", ".mo")
"""They differ with pip's source folder or the time of compiling."""


class Entry(NamedTuple):
    kind: str
    mode: int
    owner: tuple[int, int]
    content: str


@pytest.fixture(scope="module")
def fresh(images: Images, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if os.geteuid() != 0:
        pytest.skip("installing needs root")
    tree = tmp_path_factory.mktemp("fresh") / "tree"
    subprocess.run(["unsquashfs", "-quiet", "-no-progress", "-d", tree, images.system], check=True)
    return tree


def listing(root: Path) -> dict[str, Entry]:
    found = {}
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not _is_cache(Path(folder, name).relative_to(root))]
        for name in [*folders, *files]:
            path = Path(folder, name)
            found[str(path.relative_to(root))] = _entry(path)
    return {name: entry for name, entry in found.items() if name not in BACKUPS}


def _is_cache(path: Path) -> bool:
    return path.name == "__pycache__" or str(path) in CACHES


def _entry(path: Path) -> Entry:
    about = path.lstat()
    content = ""
    if stat.S_ISLNK(about.st_mode):
        content = str(path.readlink())
    elif stat.S_ISREG(about.st_mode):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
    kind = stat.filemode(about.st_mode)[0]
    return Entry(kind, stat.S_IMODE(about.st_mode), (about.st_uid, about.st_gid), content)


def installer(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the installer without a network, in a clean environment."""
    return subprocess.run(
        [CHECKOUT / "systemd" / "install.sh", "--root", tree / "root", *words],
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )


def installer_of_its_own(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the installer inside the machine, with the clone in /mnt and wheels in /media."""
    root = tree / "root"
    mounts = {"/dev": "dev", CHECKOUT: "mnt", tree / "wheels": "media"}
    mounted = "".join(f"mount --bind '{what}' '{root / where}' && " for what, where in mounts.items())
    return subprocess.run(
        [
            "unshare",
            "--mount",
            "sh",
            "-c",
            f"{mounted} exec chroot '{root}' /mnt/systemd/install.sh \"$@\"",
            "sh",
            *words,
        ],
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )


def differences(before: dict[str, Entry], after: dict[str, Entry]) -> dict[str, tuple[Entry | None, Entry | None]]:
    return {
        name: (before.get(name), after.get(name))
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    }


def test_reinstall_changes_nothing_and_uninstall_leaves_nothing(fresh: Path) -> None:
    root = fresh / "root"
    before = listing(root)
    install = ("--wheelhouse", "/media", "--no-apt")
    first = installer_of_its_own(fresh, *install)
    assert first.returncode == 0, first.stderr
    installed = listing(root)
    added = differences(before, installed)
    assert {"opt/companion/current", "etc/systemd/system/companion.service"} <= added.keys()

    check = ("chroot", root, "companion", "config", "check", "/etc/companion/table.toml")
    subprocess.run(check, check=True, capture_output=True, timeout=120)
    state = root / "var/lib/companion"
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    assert 'folder = "/var/lib/companion/matches"' in (state / "table.toml").read_text()

    second = installer_of_its_own(fresh, *install)
    assert second.returncode == 0, second.stderr
    assert differences(installed, listing(root)).keys() <= {name for name in added if name.endswith(MADE_ANEW)}
    assert "writing" not in second.stdout

    table, record = state / "table.toml", state / "matches" / "2026-01-01-000000-buntherum.record"
    table.write_text('[seats]\nnames = ["Ada", "Bo"]\n')
    record.parent.mkdir(exist_ok=True)
    record.write_text("a match")
    off = installer_of_its_own(fresh, "--uninstall")
    assert off.returncode == 0, off.stderr
    assert "keeping /var/lib/companion" in off.stdout
    assert "Ada" in table.read_text()
    assert record.exists()
    assert not (root / "opt/companion").exists()

    for _ in range(2):
        off = installer_of_its_own(fresh, "--uninstall", "--purge")
        assert (off.returncode, off.stderr) == (0, "")
        assert differences(before, listing(root)) == {}


def test_symlinks_of_the_tables_user_are_not_followed(fresh: Path) -> None:
    """The user's folder outlives the program."""
    root = fresh / "root"
    before = listing(root)
    install = ("--wheelhouse", str(fresh / "wheels"), "--no-apt")
    assert installer(fresh, *install).returncode == 0
    state = root / "var/lib/companion"
    (state / "plugins").mkdir()
    (state / "plugins" / "own.whl").write_text("a plug-in")
    assert installer(fresh, "--uninstall").returncode == 0

    about = state.stat()
    for name, target in {"table.toml": "/etc/profile.d/own.sh", "groups": "/etc/shadow"}.items():
        (state / name).unlink(missing_ok=True)
        (state / name).symlink_to(target)
        os.chown(state / name, about.st_uid, about.st_gid, follow_symlinks=False)
    installer(fresh, *install)  # may fail: the table's user may not write there
    assert not (root / "etc/profile.d/own.sh").exists()
    off = installer(fresh, "--uninstall", "--purge")
    assert (off.returncode, off.stderr) == (0, "")
    assert differences(before, listing(root)) == {}


def test_wheel_with_other_content_is_not_installed(fresh: Path, tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    shutil.copytree(fresh / "wheels", wheels)
    (wheel,) = wheels.glob("tomlkit-*.whl")
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("tomlkit/more.py", "")
    refused = installer(fresh, "--wheelhouse", str(wheels), "--no-apt")
    assert refused.returncode == 1
    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in refused.stderr
    assert installer(fresh, "--uninstall", "--purge").returncode == 0


def test_missing_package_is_named(fresh: Path) -> None:
    purge = ("chroot", fresh / "root", "dpkg", "--purge", "--force-depends", "libgl1")
    subprocess.run(purge, check=True, capture_output=True)
    refused = installer(fresh, "--wheelhouse", str(fresh / "wheels"), "--no-apt")
    assert (refused.returncode, "libgl1" in refused.stderr) == (1, True)

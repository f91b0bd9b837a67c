"""The package on a bare Debian 12 and 13, from installation to purge; the tests of a Debian are one story."""

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.updates.release_file import write_list
from tests.appliance.on_machine.test_machine_installer import Entry, differences, listing
from tests.deb.debians import TOOLS, Debian, made, package, repacked
from tests.kernel.guest_images import CHECKOUT, packages_for
from tests.updates.release_bench import Made, new_key

OLDER, BY_FILE = "0.0.1+g0000000001", "0.0.2+g0000000002"
SYSTEMD = CHECKOUT / "systemd"
TOML = "/etc/companion/table.toml"
UNITS = ("companion.service", *(f"companion-{name}.path" for name in ("again", "good", "poweroff", "update")))

KEPT_BY_DEBIAN = (
    "var/cache/", "var/log/", "var/lib/apt/", "var/lib/dpkg/", "var/lib/systemd/deb-systemd-helper-enabled",
)  # fmt: skip
"""What apt, dpkg and deb-systemd-helper note of every package."""


class Story(Debian):
    """A Debian on which the older package is installed, then the one that `make deb` has made."""

    def __init__(self, root: Path, shared: Path) -> None:
        super().__init__(root, shared)
        self.before: dict[str, Entry] = {}

    @property
    def current(self) -> str:
        return (self.root / "opt/companion/current").readlink().name

    def enabled(self) -> dict[str, str]:
        said = self.attempt("systemctl", "is-enabled", *UNITS).stdout.split()
        return dict(zip(UNITS, said, strict=True))


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def debian(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    if os.geteuid() != 0:
        pytest.skip("installing needs root")
    if packages := packages_for(TOOLS):
        pytest.skip(f"packages are missing; as root: apt-get install -y {' '.join(packages)}")
    folder = tmp_path_factory.mktemp(request.param)
    root, shared = folder / "root", folder / "shared"
    for each in (root, shared):
        each.mkdir()
    deb = package()
    older = ("-e", "s/^Version: .*/Version: 0.0.1/", "-e", f"s/^name=.*/name={OLDER}/")
    repacked(deb, shared, *older).rename(shared / "older.deb")
    shutil.copy(deb, shared / "newer.deb")
    subprocess.run(["tar", "-xzf", made(request.param, deb), "-C", root], check=True)
    yield Story(root, shared)
    shutil.rmtree(folder)


def test_package_replaces_the_installers_files_offline(debian: Story) -> None:
    debian.before = listing(debian.root)
    for name, place in {"companion.service": "etc/systemd/system", "companion-release": "usr/local/sbin"}.items():
        shutil.copy(SYSTEMD / name, debian.root / place)
    debian.run("systemctl", "enable", "companion.service")
    debian.run("apt-get", "install", "-y", "/mnt/older.deb")
    assert debian.current == OLDER
    assert not (debian.root / "etc/systemd/system/companion.service").exists()
    assert debian.enabled() == dict.fromkeys(UNITS, "enabled")
    units = [path.name for pattern in ("*.service", "*.path") for path in SYSTEMD.glob(pattern)]
    assert debian.run("systemd-analyze", "--man=no", "verify", *units) == ""
    assert debian.run("dpkg", "--verify", "table-companion") == ""
    assert stat.S_IMODE((debian.root / "var/lib/companion").stat().st_mode) == 0o700


def test_clones_installer_refuses_beside_the_package(debian: Story) -> None:
    words = [SYSTEMD / "install.sh", "--root", debian.root]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "apt updates and removes it" in done.stderr


def test_installed_program_plays_a_match(debian: Story) -> None:
    assert debian.run("companion", "--version").startswith("companion ")
    assert debian.as_table("companion", "config", "check", TOML).returncode == 0
    doctor = debian.as_table("companion", "doctor", "--table", TOML).stdout
    assert re.search(r"^ok +records +/var/lib/companion/matches", doctor, re.MULTILINE)
    assert re.search(r"^ok +gpiod ", doctor, re.MULTILINE)
    debian.as_table("mkdir", "-p", "/var/lib/companion/matches")
    record = "/var/lib/companion/matches/2026-01-01-000000-buntherum.record"
    match = debian.as_table("companion", "demo", "buntherum", "--fast", "--seed", "7", "--journal", record)
    assert match.returncode == 0, match.stderr
    assert "buntherum" in debian.as_table("companion", "history", "--table", TOML).stdout


def test_release_file_updates_beside_the_package(debian: Story) -> None:
    made = Made(debian.shared, new_key(debian.shared / "key"))
    folder = debian.root / "usr/lib/table-companion"
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    systems = tuple(f"{python}-{os.uname().machine}" for python in ("cp311", "cp313"))
    made.file(write_list(made.release(BY_FILE, files, systems=systems)), files=files)
    with (debian.root / "etc/companion/allowed_signers").open("a") as signers:
        signers.write(f'companion namespaces="table-companion" {(debian.shared / "key.pub").read_text()}')
    debian.run("companion", "update", "--no-start", "/mnt/made.release")
    assert debian.current == BY_FILE


def test_package_is_refused_during_a_trial(debian: Story) -> None:
    refused = debian.attempt("apt-get", "install", "-y", "/mnt/newer.deb")
    assert refused.returncode
    assert f"release {BY_FILE} is on trial" in refused.stdout + refused.stderr
    kept = debian.run("dpkg-query", "-W", "-f=${Status} ${Version}", "table-companion")
    assert kept == "install ok installed 0.0.1"
    debian.run("companion-release", "good")


def test_upgrade_keeps_what_the_owner_changed(debian: Story) -> None:
    table = debian.root / "var/lib/companion/table.toml"
    table.write_text('[seats]\nnames = ["Ada", "Bo"]\n')
    debian.run("systemctl", "disable", "companion-update.path")
    debian.run("apt-get", "install", "-y", "/mnt/newer.deb")
    assert debian.current not in {OLDER, BY_FILE}
    assert (debian.root / "opt/companion/previous").readlink().name == BY_FILE
    assert "Ada" in table.read_text()
    assert "maker" in (debian.root / "etc/companion/allowed_signers").read_text()
    assert debian.enabled() == dict.fromkeys(UNITS, "enabled") | {"companion-update.path": "disabled"}


def test_reconfiguring_helps_after_a_change_of_python(debian: Story) -> None:
    debian.run("companion-release", "good")
    [libraries] = (debian.root / "opt/companion/current/venv/lib").iterdir()
    libraries.rename(libraries.with_name("python3.9"))
    assert debian.attempt("companion", "--version").returncode
    debian.run("dpkg-reconfigure", "table-companion")
    debian.run("companion", "--version")


def test_remove_keeps_the_matches_and_settings(debian: Story) -> None:
    said = debian.attempt("apt-get", "remove", "-y", "table-companion")
    assert (said.returncode, said.stderr) == (0, "")
    state = debian.root / "var/lib/companion"
    assert "Ada" in (state / "table.toml").read_text()
    assert list((state / "matches").iterdir())
    assert not (debian.root / "opt/companion").exists()
    assert not (debian.root / "usr/bin/companion").is_symlink()


def test_purge_leaves_nothing(debian: Story) -> None:
    said = debian.attempt("apt-get", "purge", "-y", "table-companion")
    assert (said.returncode, said.stderr) == (0, "")
    left = differences(debian.before, listing(debian.root))
    assert {name: each for name, each in left.items() if not name.startswith(KEPT_BY_DEBIAN)} == {}

"""Installs releases side by side and switches between them (docs/appliance.md, "Releases")."""

import fcntl
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from companion.core.text import Text, msg
from companion.updates.release_file import VERSION, OpenRelease, Release, UpdateError, signer_lines

LOCK: Final = "requirements.lock"
GUIDE: Final = "appliance.md"  # besides the wheels

WHOLE: Final = "release.json"  # written last: with it a release is complete

UNPACKED: Final = 7  # size of wheels and installation together, with a margin / size of the wheels

HERE: Final = f"cp{sys.version_info.major}{sys.version_info.minor}-{platform.machine()}"
"""This Python and processor, as lists name them."""

CHOOSERS: Final = ("usr/local/sbin", "usr/sbin")
"""Where companion-release is: of systemd/install.sh, and of the Debian package."""

SYSTEMCTL: Final = ("systemctl", "--quiet")
TABLES: Final = ("companion.service", "companion-safe.service")

Command = Callable[[Sequence[object]], None]
"""Runs a program to its end. Raises UpdateError with its message if it fails."""

OnProgress = Callable[[int, Text], None]
"""Receives the percentage that is done and the next step."""


class Installed(NamedTuple):
    """The installed releases. `trial` counts the current one's starts on trial, None without a trial.

    `failed` is the version that was switched back from.
    """

    current: Release | None
    previous: Release | None
    trial: int | None
    failed: str


def run_command(words: Sequence[object]) -> None:
    """Run a program in a minimal environment, without pip settings. Raises UpdateError if it fails."""
    kept = {"PATH": os.environ.get("PATH", os.defpath), "HOME": "/", "LC_ALL": "C.UTF-8"}
    own = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_CACHE_DIR": "1", "PIP_ROOT_USER_ACTION": "ignore"}
    done = subprocess.run([*map(str, words)], env=kept | own, capture_output=True, text=True, check=False, cwd="/")
    if done.returncode:
        said = (done.stderr or done.stdout).strip().rpartition("\n")[2]
        raise UpdateError(
            msg("{command} failed: {why}", command=Path(str(words[0])).name, why=said.removeprefix("companion: "))
        )


class ReleaseFolder:
    """The releases of this machine, or of another root file system."""

    def __init__(self, root: Path = Path("/"), command: Command = run_command) -> None:
        self.opt = root / "opt/companion"
        self.signers = root / "etc/companion/allowed_signers"
        self._level = root / "etc/companion/system"
        self._root = root
        self._run = command

    # --- Installed releases -------------------------------------------------------------------------------

    def installed(self) -> Installed:
        current, previous = self._at("current"), self._at("previous")
        version, _, tries = self._word("trial").partition(" ")
        on_trial = current is not None and version == current.version
        return Installed(
            current,
            previous if previous != current else None,
            int(tries) if on_trial and tries.isdecimal() else None,
            self._word("failed"),
        )

    def _at(self, link: str) -> Release | None:
        try:
            found = json.loads((self.opt / link / WHOLE).read_text(encoding="utf-8"))
            release = Release(str(found["version"]), str(found["commit"]), int(found["date"]))
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return release if VERSION.fullmatch(release.version) else None

    def _word(self, name: str) -> str:
        with suppress(OSError, UnicodeError):
            return (self.opt / name).read_text(encoding="utf-8").strip()
        return ""

    def signed_by(self) -> list[str]:
        """Return the trusted signers, as in ssh-keygen's format."""
        return signer_lines(self.signers)

    # --- Checks -------------------------------------------------------------------------------------------

    def check(self, release: Release, *, older: bool = False) -> None:
        """Raise UpdateError, with the remedy, if a release must not be installed here."""
        installed = self.installed()
        current = installed.current
        if current is None:
            raise UpdateError(msg("no release in {opt}: run the installer first", opt=self.opt))
        if installed.trial is not None:
            raise UpdateError(
                msg(
                    "{version} is on trial: let the table run for two minutes first, or go back with companion "
                    "update --back",
                    version=current.version,
                )
            )
        if release.version == current.version:
            raise UpdateError(msg("{version} is already running", version=release.version))
        if release.age < current.age and not older:
            raise UpdateError(
                msg(
                    "{version} is older than {current}, which is running; --allow-older installs it anyway",
                    version=release.version,
                    current=current.version,
                )
            )
        if release.system > self.level():
            raise UpdateError(
                msg(
                    "{version} needs a newer system (level {needed}, here {found}): run the installer of that "
                    "version, or write its card",
                    version=release.version,
                    needed=release.system,
                    found=self.level(),
                )
            )
        if HERE not in release.systems:
            raise UpdateError(
                msg(
                    "{version} does not support this machine ({here}), only {systems}",
                    version=release.version,
                    here=HERE,
                    systems=", ".join(release.systems),
                )
            )
        self._check_room(release)

    def level(self) -> int:
        """Return the level of this system's units, device rules and companion-release."""
        with suppress(OSError, ValueError):
            return int(self._level.read_text(encoding="utf-8"))
        return 0

    def _check_room(self, release: Release) -> None:
        needed = UNPACKED * sum(member.size for member in release.members if fits(member.name))
        free = shutil.disk_usage(self.opt).free
        if free < needed:
            raise UpdateError(
                msg(
                    "{opt}: {free} MB are free, {needed} MB are needed; free some space",
                    opt=self.opt,
                    free=free >> 20,
                    needed=(needed >> 20) + 1,
                )
            )

    # --- Changes --------------------------------------------------------------------------------------

    def install(self, opened: OpenRelease, tell: OnProgress) -> None:
        """Install a release beside the running one, durably, and switch to it.

        The previous one is removed first. After an UpdateError, an OSError or a power cut the running one is
        unchanged.
        """
        version = opened.release.version
        os.umask(0o022)  # the table's user reads it
        with self._alone():
            self._choose("clear")
            folder = self.opt / "releases" / version
            try:
                self._lay(folder, opened, tell)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
            tell(95, msg("switching"))
            self._choose("take", version)

    def _lay(self, folder: Path, opened: OpenRelease, tell: OnProgress) -> None:
        wheels, venv = folder / "wheels", folder / "venv"
        wheels.mkdir(parents=True)
        tell(5, msg("checking and unpacking"))
        for _ in opened.unpack(wheels, fits):
            pass
        tell(20, msg("creating the program's folder"))
        self._run([Path(sys.base_prefix, "bin/python3"), "-m", "venv", "--system-site-packages", venv])
        tell(40, msg("installing"))
        pip = [venv / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
        own = [path for path in wheels.glob("*.whl") if path.name.startswith("table_companion-")]
        locked = ["--require-hashes", "--only-binary", ":all:", "--requirement", wheels / LOCK]
        self._run([*pip, "--no-index", "--find-links", wheels, *locked])
        self._run([*pip, "--no-index", "--no-deps", *own])
        table = wheels / "table.toml"
        self._run([venv / "bin/companion", "config", "init", table])  # this also checks that it starts
        kept = table.read_text(encoding="utf-8").replace('#folder = ""', 'folder = "/var/lib/companion/matches"')
        (folder / "table.toml.default").write_text(kept, encoding="utf-8")
        (wheels / GUIDE).rename(folder / GUIDE)
        shutil.rmtree(wheels)
        tell(80, msg("writing everything to the disk"))
        flush(folder)
        told = {name: getattr(opened.release, name) for name in ("version", "commit", "date")}
        draft = folder / f"{WHOLE}.new"
        draft.write_text(json.dumps(told) + "\n", encoding="utf-8")
        flush(folder)
        draft.rename(folder / WHOLE)
        flush(folder)

    def go_back(self) -> None:
        """Switch to the previous release. Raises UpdateError if there is none."""
        with self._alone():
            self._choose("back")

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Lock out other updates. Raises UpdateError during another one, or without a release."""
        try:
            fd = os.open(self.opt, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            raise UpdateError(
                msg("no release is installed here; sudo systemd/install.sh installs the table: docs/appliance.md")
            ) from None
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError:
            raise UpdateError(msg("another update is running; wait until it ends")) from None
        finally:
            os.close(fd)

    def _choose(self, *words: str) -> None:
        of_installer, of_package = (self._root / place / "companion-release" for place in CHOOSERS)
        chooser = of_installer if of_installer.exists() else of_package
        # companion-release learns of another root file system from its environment.
        other = [] if self._root == Path("/") else ["env", f"COMPANION_ROOT={self._root}"]
        self._run([*other, chooser, *words])


def restart_table() -> bool:
    """Restart the table or safe mode with the current release. Return True if it restarts."""
    if subprocess.run([*SYSTEMCTL, "is-active", *TABLES], check=False).returncode:
        return False
    subprocess.run([*SYSTEMCTL, "reset-failed", TABLES[0]], check=False)
    return subprocess.run([*SYSTEMCTL, "--no-block", "restart", TABLES[0]], check=False).returncode == 0


def fits(name: str) -> bool:
    """Return True if a release's file suits this Python and processor."""
    if not name.endswith(".whl"):
        return True
    python, abi, platforms = name.removesuffix(".whl").split("-")[-3:]
    own, machine = HERE.split("-")
    return (abi in {"abi3", "none"} or own in python.split(".")) and (
        platforms == "any" or platforms.endswith(f"_{machine}")
    )


def flush(folder: Path) -> None:
    """Wait until a folder is on the disk. Raises OSError."""
    os.sync()  # all at once: the fsyncs below are quick then, and report errors
    for above, _, files in os.walk(folder):
        for name in ["", *files]:
            path = Path(above, name)
            if path.is_symlink():
                continue
            fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                os.fsync(fd)
            finally:
                os.close(fd)
    fd = os.open(folder.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)

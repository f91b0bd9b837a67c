"""Offers on a stick and the progress of an update: root writes them, the table reads them.

The table can only request what is offered, by a file in its runtime folder.
"""

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from companion.core import limits
from companion.core.text import Text, msg, reason
from companion.updates.release_file import SUFFIX, Release, UpdateError, open_release
from companion.updates.release_folder import Command, OnProgress, ReleaseFolder, run_command

FOLDER: Final = Path("/run/companion-update")
REQUEST: Final = "update"  # requests an update: companion-update.path watches it

_OFFER: Final = "offer-{}.json"  # one for each stick, by device; companion-stick@.service removes it
_PROGRESS: Final = "progress.json"
_STICK: Final = "stick"

_Value = TypeVar("_Value", "Offer", "Progress")


class Offer(NamedTuple):
    """A release on a stick. `why` is the reason why it cannot be installed, None if it can."""

    version: str
    device: str
    name: str
    why: Text | None = None


class Progress(NamedTuple):
    """An update's progress since `since_ns` (monotonic). `what` is the current step, or why it ended."""

    since_ns: int
    percent: int
    what: Text
    failed: bool = False


class Offers:
    """The table's side: reads offers and progress. `ask` asks root to install the offer."""

    def __init__(self, ask: Callable[[], None], folder: Path = FOLDER) -> None:
        self.ask = ask
        self._folder = folder

    def offer(self) -> Offer | None:
        """Return the offer of the stick that was plugged in last, or None."""
        found = (_read(path, Offer, ("why",)) for path in _offers(self._folder))
        return next(filter(None, found), None)

    def progress(self) -> Progress | None:
        return _read(self._folder / _PROGRESS, Progress, ("what",))


# --- Root's side ------------------------------------------------------------------------------------------


def look_at(
    device: Path, releases: ReleaseFolder, folder: Path = FOLDER, command: Command = run_command
) -> Offer | None:
    """Offer the newest release on a stick that can be installed, or say why none can.

    Return None for a stick without a release. Raises UpdateError, OSError.
    """
    with _mounted(device, folder, command) as stick:
        names = [entry.name for entry in islice(os.scandir(stick), limits.STICK_NAMES)]
        found = [_look(stick / name, device, releases) for name in sorted(names) if name.endswith(SUFFIX)]
    if not found:
        return None
    offer, _ = max(found, key=lambda each: (each[0].why is None, each[1].age if each[1] else ([], 0)))
    _write(folder / _OFFER.format(device.name), offer)
    return offer


def install_offered(releases: ReleaseFolder, folder: Path = FOLDER, command: Command = run_command) -> None:
    """Install the offer and report progress. Raises UpdateError and OSError, after reporting them."""
    since_ns = time.monotonic_ns()

    def tell(percent: int, what: Text) -> None:
        _write(folder / _PROGRESS, Progress(since_ns, percent, what))

    tell(0, msg("reading the USB stick"))
    try:
        _install(Offers(lambda: None, folder).offer(), releases, folder, command, tell)
    except (UpdateError, OSError) as error:
        why = error.text if isinstance(error, UpdateError) else Text("{why}", (("why", reason(error)),))
        _write(folder / _PROGRESS, Progress(since_ns, 100, why, failed=True))
        raise
    for path in _offers(folder):  # sticks that are still there were compared with the release before
        path.unlink(missing_ok=True)
    tell(100, msg("the table restarts"))


def _install(
    offer: Offer | None, releases: ReleaseFolder, folder: Path, command: Command, tell: OnProgress
) -> None:
    if offer is None:
        raise UpdateError(msg("the USB stick with the release is gone; plug it in again"))
    with _mounted(Path(offer.device), folder, command) as stick:
        install_file(stick / offer.name, releases, tell)


def install_file(file: Path, releases: ReleaseFolder, tell: OnProgress, *, older: bool = False) -> None:
    """Raises UpdateError, OSError."""
    with open_release(file, releases.signers) as opened:
        releases.check(opened.release, older=older)
        releases.install(opened, tell)


def _look(file: Path, device: Path, releases: ReleaseFolder) -> tuple[Offer, Release | None]:
    release = None
    try:
        with open_release(file, releases.signers) as opened:
            release = opened.release
            releases.check(release)
        why = None
    except UpdateError as error:
        why = error.text
    except OSError as error:
        why = msg("{file}: {why}", file=file.name, why=reason(error))
    return Offer(release.version if release else "", str(device), file.name, why), release


@contextmanager
def _mounted(device: Path, folder: Path, command: Command) -> Iterator[Path]:
    """Mount a stick read-only, so that nothing on it can run."""
    stick = folder / _STICK
    stick.mkdir(0o700, parents=True, exist_ok=True)
    command(["mount", "-t", "vfat,exfat", "-o", "ro,nosuid,nodev,noexec", device, stick])
    try:
        yield stick
    finally:
        command(["umount", stick])


# --- Files ------------------------------------------------------------------------------------------------


def _offers(folder: Path) -> list[Path]:
    """Return the files of all offers, the latest first."""
    found = []
    for path in folder.glob(_OFFER.format("*")):
        with suppress(FileNotFoundError):  # its stick was just unplugged
            found.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(found, reverse=True)]


def _write(path: Path, value: Offer | Progress) -> None:
    fields = {key: _plain(each) if isinstance(each, Text) else each for key, each in value._asdict().items()}
    draft = path.with_name(f"{path.name}.new")
    draft.write_text(json.dumps(fields), encoding="utf-8")
    draft.chmod(0o644)
    draft.rename(path)


def _read(path: Path, kind: type[_Value], texts: tuple[str, ...]) -> _Value | None:
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):  # missing or invalid
        found = json.loads(path.read_text(encoding="utf-8"))
        fields: dict[str, Any] = {
            key: _text(each) if key in texts and each else each for key, each in found.items()
        }
        return kind(**fields)
    return None


def _plain(text: Text) -> dict[str, Any]:
    """Return JSON values, from which a reader can translate the text."""
    values = {
        name: _plain(value) if isinstance(value, Text) else value if isinstance(value, int) else str(value)
        for name, value in text.values
    }
    return {"msgid": text.msgid, "values": values, "plural": text.plural}


def _text(plain: dict[str, Any]) -> Text:
    values = ((name, _text(each) if isinstance(each, dict) else each) for name, each in plain["values"].items())
    return Text(plain["msgid"], tuple(values), plain["plural"])

"""The file of a release: a list of its contents, the list's signature, then the contents.

It is a plain tar: see docs/appliance.md, "What is in an update file".
"""

import hashlib
import json
import re
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO, Final, NamedTuple

from companion.core import limits
from companion.core.errors import CompanionError
from companion.core.files import open_regular
from companion.core.install import apt_command
from companion.core.text import msg

SUFFIX: Final = ".release"
LIST: Final = "manifest.json"
SIGNATURE: Final = "manifest.json.sig"
FORMAT: Final = 1  # the version of this format

NAMESPACE: Final = "table-companion"
IDENTITY: Final = "companion"  # of signatures, in the sense of ssh-keygen(1)

VERSION: Final = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,4}){0,3}\+[gs][0-9a-f]{7,40}", re.ASCII)
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,99}", re.ASCII)
_SHA256: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_PIECE: Final = 1 << 20


class UpdateError(CompanionError):
    """Error raised when a release cannot be read, trusted, installed or restored. Nothing has changed then."""


class Member(NamedTuple):
    """A file in a release."""

    name: str
    size: int
    sha256: str


class Release(NamedTuple):
    """The metadata of a release. `date` is its commit's, in seconds; `system` is the system level it needs.

    `systems` are the Pythons and processors with wheels, such as cp313-aarch64.
    """

    version: str
    commit: str
    date: int
    system: int = 0
    systems: tuple[str, ...] = ()
    members: tuple[Member, ...] = ()

    @property
    def age(self) -> tuple[list[int], int]:
        """The sort key of releases, the older one first."""
        return [int(number) for number in self.version.partition("+")[0].split(".")], self.date


class OpenRelease:
    """An open release whose signature is valid."""

    def __init__(self, path: Path, file: BinaryIO, release: Release) -> None:
        self.release = release
        self._path = path
        self._file = file

    def unpack(self, folder: Path, wanted: Callable[[str], bool]) -> Iterator[Member]:
        """Copy the wanted files into a folder and yield all members. Raises UpdateError for an altered file."""
        for member in self.release.members:
            found = _head(self._path, self._file)
            if (found.name, found.size) != (member.name, member.size):
                raise _bad(self._path, f"{found.name}, {found.size} bytes, in the place of {member.name}")
            with (folder / member.name).open("xb") if wanted(member.name) else _nowhere() as target:
                total = hashlib.sha256()
                for piece in _pieces(self._path, self._file, member.size):
                    total.update(piece)
                    target.write(piece)
            if total.hexdigest() != member.sha256:
                raise UpdateError(
                    msg(
                        "{path}: {name} does not match its signature: it was altered or damaged; download the "
                        "file again",
                        path=self._path,
                        name=member.name,
                    )
                )
            yield member


@contextmanager
def open_release(path: Path, signers: Path) -> Iterator[OpenRelease]:
    """Open a release after checking its signature by one of `signers`. Raises UpdateError, OSError."""
    with open(open_regular(path), "rb") as file:  # noqa: PTH123  pathlib opens no descriptor
        listed = _small(path, file, LIST)
        signature = _small(path, file, SIGNATURE)
        check_signature(path, listed, signature, signers)
        yield OpenRelease(path, file, read_list(path, listed))


def check_signature(path: Path, signed: bytes, signature: bytes, signers: Path) -> None:
    """Raise UpdateError unless one of the signers has signed this."""
    if not signer_lines(signers):
        raise UpdateError(
            msg(
                "no trusted signers in {signers}: add those whose releases this table accepts (docs/appliance.md)",
                signers=signers,
            )
        )
    with NamedTemporaryFile() as file:
        file.write(signature)
        file.flush()
        words = ["ssh-keygen", "-Y", "verify", "-n", NAMESPACE, "-I", IDENTITY, "-f", str(signers), "-s", file.name]
        try:
            done = subprocess.run(words, input=signed, capture_output=True, check=False)
        except FileNotFoundError:
            raise UpdateError(
                msg(
                    "signatures cannot be checked: ssh-keygen is missing; {get}",
                    get=apt_command("openssh-client"),
                )
            ) from None
    if done.returncode:
        why = (done.stderr or done.stdout).decode(errors="replace").strip().rpartition("\n")[2]
        raise UpdateError(
            msg(
                "{path}: not signed by a trusted signer, listed in {signers} ({why})",
                path=path,
                signers=signers,
                why=why,
            )
        )


def signer_lines(signers: Path) -> list[str]:
    try:
        lines = signers.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []
    return [line for line in map(str.strip, lines) if line and not line.startswith("#")]


def read_list(path: Path, data: bytes) -> Release:
    """Parse a list. Raises UpdateError."""
    try:
        found = json.loads(data)
        if found["format"] != FORMAT:
            raise UpdateError(
                msg(
                    "{path}: a release of format {found!r}; this version reads {known}: run the installer, "
                    "or write the new card",
                    path=path,
                    found=found["format"],
                    known=FORMAT,
                )
            )
        files = found["files"]
        members = tuple(Member(str(each["name"]), int(each["size"]), str(each["sha256"])) for each in files)
        systems = tuple(map(str, found["systems"]))
        release = Release(
            str(found["version"]), str(found["commit"]), int(found["date"]), int(found["system"]), systems, members
        )
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
        raise _bad(path, f"{LIST}: {type(error).__name__} {error}") from error
    names = [member.name for member in members]
    if not VERSION.fullmatch(release.version):
        raise _bad(path, f"version {release.version!r}")
    if len(set(names)) < len(names) or not all(
        _NAME.fullmatch(member.name) and member.size >= 0 and _SHA256.fullmatch(member.sha256) for member in members
    ):
        raise _bad(path, LIST)
    if sum(member.size for member in members) > limits.RELEASE_BYTES:
        raise _bad(path, f"> {limits.RELEASE_BYTES} bytes")
    return release


def write_list(release: Release) -> bytes:
    """Return the list of a release. Equal releases have equal lists."""
    files = [member._asdict() for member in release.members]
    found = {"format": FORMAT, **release._asdict(), "files": files}
    del found["members"]
    return (json.dumps(found, indent=1) + "\n").encode()


def _small(path: Path, file: BinaryIO, name: str) -> bytes:
    head = _head(path, file)
    if head.name != name or not 0 < head.size <= limits.RELEASE_LIST_BYTES:
        raise _bad(path, f"{head.name}, {head.size} bytes, in the place of {name}")
    return b"".join(_pieces(path, file, head.size))


def _head(path: Path, file: BinaryIO) -> tarfile.TarInfo:
    """Read a header. Raises UpdateError for folders, links and long names."""
    try:
        head = tarfile.TarInfo.frombuf(file.read(tarfile.BLOCKSIZE), "ascii", "strict")
    except (tarfile.HeaderError, UnicodeError) as error:
        raise _bad(path, str(error)) from error
    if head.type != tarfile.REGTYPE or not _NAME.fullmatch(head.name):
        raise _bad(path, f"{head.name!r}, {head.type!r}")
    return head


def _pieces(path: Path, file: BinaryIO, size: int) -> Iterator[bytes]:
    left = size
    while left:
        piece = file.read(min(left, _PIECE))
        if not piece:
            raise _bad(path, "it is cut off")
        left -= len(piece)
        yield piece
    file.read(-size % tarfile.BLOCKSIZE)


@contextmanager
def _nowhere() -> Iterator[BinaryIO]:
    with Path("/dev/null").open("wb") as file:
        yield file


def _bad(path: Path, why: str) -> UpdateError:
    return UpdateError(msg("{path}: not a release, or a damaged one ({why})", path=path, why=why))

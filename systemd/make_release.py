"""Makes the file of a release, signed: make_release.py KEY. Run it by `make release KEY=...`.

KEY is a private key of ssh, or a public one whose private half an agent has. The same commit gives the same bytes,
but for what the key signs: docs/appliance.md, "Releases".
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
CHECKOUT: Final = HERE.parent
OUT: Final = CHECKOUT / "build" / "release"
sys.path[:0] = [str(HERE / "card"), str(CHECKOUT)]

from wheels import lines  # noqa: E402

from companion.updates.release_file import (  # noqa: E402
    LIST,
    NAMESPACE,
    SIGNATURE,
    SUFFIX,
    Member,
    Release,
    signer_lines,
    write_list,
)
from companion.updates.release_folder import GUIDE, LOCK  # noqa: E402

PYTHONS: Final = ("3.11", "3.13")
"""Those of Debian 12 and 13."""

MACHINES: Final = ("aarch64", "x86_64")
GLIBCS: Final = range(36, 16, -1)
"""Which versions 2.N a wheel may ask for: Debian 12 has 2.36."""


class MakeError(Exception):
    """Raised when a release cannot be made; says what to do."""


def run(*words: object, **environ: str) -> None:
    """Run a program to its end. Raise MakeError if it fails."""
    done = subprocess.run([*map(str, words)], env=os.environ | environ, check=False)
    if done.returncode:
        raise MakeError(f"{Path(str(words[0])).name} failed; its message is above")


def described() -> tuple[str, str, int, list[str]]:
    """Return version, commit and date of this checkout, and the parts of it that are built."""
    script = '. "$1/systemd/source.sh" && describe "$1" && echo $PARTS'
    done = subprocess.run(["sh", "-c", script, "sh", CHECKOUT], capture_output=True, text=True, check=True)
    first, parts = done.stdout.splitlines()
    version, commit, date = first.split()
    return version, commit, int(date), parts.split()


def pip_of(python: Path) -> list[object]:
    """Return how the pip of a Python is called."""
    return [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input"]


def build(parts: Iterable[str], work: Path, date: int) -> None:
    """Build our own wheel as the installer does: by tools of a lock, from a copy."""
    source = work / "source"
    source.mkdir()
    for part in parts:
        path = CHECKOUT / part
        ignored = shutil.ignore_patterns("__pycache__", "*.mo")
        if path.is_dir():
            shutil.copytree(path, source / part, ignore=ignored)
        else:
            shutil.copy(path, source / part)
    if (commit := described()[1]) != "unknown":
        (source / "COMMIT").write_text(f"{commit}\n", encoding="utf-8")
    run(sys.executable, "-m", "venv", work / "build")
    pip = pip_of(work / "build/bin/python")
    run(*pip, "install", "--require-hashes", "--only-binary", ":all:", "-r", HERE / "build.lock")
    own = ["--no-build-isolation", "--no-index", "--no-deps", "--wheel-dir", work / "files"]
    run(*pip, "wheel", *own, source, SOURCE_DATE_EPOCH=str(date))


def fetch(python: str, machine: str, work: Path) -> None:
    """Fetch the wheels of the lock that a Python and a processor want."""
    tag = f"cp{python.replace('.', '')}"
    wanted = work / f"{tag}-{machine}"
    wanted.write_text("".join(f"{line}\n" for line in lines(HERE / LOCK, python, machine)), encoding="utf-8")
    platforms = [f"manylinux_2_{version}_{machine}" for version in GLIBCS] + [f"manylinux2014_{machine}"]
    system = [word for platform in platforms for word in ("--platform", platform)]
    system += ["--python-version", python, "--implementation", "cp", "--abi", tag, "--abi", "abi3", "--abi", "none"]
    how = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--dest", work / "files"]
    run(*pip_of(Path(sys.executable)), "download", *how, *system, "-r", wanted)


def shorten(files: Path) -> None:
    """Leave of what a wheel's name says of its platforms one, where the name is longer than a tar can have."""
    for path in files.glob("*.whl"):
        if len(path.name) > tarfile.LENGTH_NAME:
            front, _, platforms = path.name.rpartition("-")
            path.rename(path.with_name(f"{front}-{platforms.partition('.')[0]}.whl"))


def sign(path: Path, key: str) -> None:
    """Write the signature of a file beside it."""
    done = subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", NAMESPACE, "-f", key, path], check=False)
    if done.returncode:
        raise MakeError(f"{key} could not sign; ssh-keygen's message is above")


def pack(release: Release, work: Path, target: Path) -> None:
    """Write the tar: the list, its signature, the files in the order of the list."""
    draft = target.with_name(f"{target.name}.part")
    names = [LIST, SIGNATURE, *(member.name for member in release.members)]
    with tarfile.open(draft, "w", format=tarfile.USTAR_FORMAT) as tar:
        for name in names:
            path = work / name if name in {LIST, SIGNATURE} else work / "files" / name
            head = tarfile.TarInfo(name)
            head.size, head.mtime, head.mode = path.stat().st_size, release.date, 0o644
            with path.open("rb") as file:
                tar.addfile(head, file)
    draft.rename(target)


def make(key: str, work: Path) -> Path:
    """Make the release of this checkout; return its file."""
    version, commit, date, parts = described()
    say(f"{version}, {commit}")
    build(parts, work, date)
    for python in PYTHONS:
        for machine in MACHINES:
            say(f"fetching what Python {python} on {machine} needs")
            fetch(python, machine, work)
    shorten(work / "files")
    shutil.copy(HERE / LOCK, work / "files")
    shutil.copy(CHECKOUT / "docs" / GUIDE, work / "files")
    members = [
        Member(path.name, path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest())
        for path in sorted((work / "files").iterdir())
    ]
    systems = tuple(f"cp{python.replace('.', '')}-{machine}" for python in PYTHONS for machine in MACHINES)
    level = int((HERE / "level").read_text(encoding="utf-8"))
    release = Release(version, commit, date, level, systems, tuple(members))
    (work / LIST).write_bytes(write_list(release))
    sign(work / LIST, key)
    OUT.mkdir(parents=True, exist_ok=True)
    target = OUT / f"table-companion-{version}{SUFFIX}"
    pack(release, work, target)
    return target


def say(what: str) -> None:
    """Tell whoever waits how far it is."""
    sys.stdout.write(f"release: {what}\n")
    sys.stdout.flush()


def public(key: str) -> str:
    """Return the public half of a key: its kind, and what it is."""
    path = Path(key) if key.endswith(".pub") else Path(f"{key}.pub")
    if not path.is_file():
        raise MakeError(f"{path}: there is no public key beside it; ssh-keygen -y -f {key} > {path} writes it")
    return " ".join(path.read_text(encoding="utf-8").split()[:2])


def say_signer(signer: str) -> None:
    """Print the line that names a signer, unless this checkout has it already."""
    if not any(signer in line for line in signer_lines(HERE / "allowed_signers")):
        say("a table takes it that has this line in /etc/companion/allowed_signers:")
        sys.stdout.write(f'companion namespaces="{NAMESPACE}" {signer}\n')


def main(words: list[str]) -> int:
    """Make a release, say where it is and who takes it; return the exit status."""
    if len(words) != 1 or not words[0]:
        sys.stderr.write(
            "release: with which key? make release KEY=~/.ssh/id_ed25519; ssh-keygen -t ed25519 makes one\n"
        )
        return 2
    try:
        key = str(Path(words[0]).expanduser())
        signer = public(key)
        with tempfile.TemporaryDirectory(prefix="companion-release-") as work:
            target = make(key, Path(work))
    except MakeError as error:
        sys.stderr.write(f"release: {error}\n")
        return 1
    say(f"{target}, {target.stat().st_size >> 20} MB")
    say_signer(signer)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Makes the Debian packages of this checkout, one for each processor: make_deb.py. Run it by `make deb`.

A package has the units and rules where Debian keeps them, and the wheels for the Pythons of Debian 12 and 13. Its
scripts are system.sh, which install.sh runs, too, and what is in deb/. The same commit gives the same bytes.
"""

import gzip
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from make_release import CHECKOUT, GUIDE, HERE, LOCK, PYTHONS, MakeError, build, described, fetch, run, shorten

OUT: Final = CHECKOUT / "build" / "deb"
NAME: Final = "table-companion"
MACHINES: Final = {"aarch64": "arm64", "x86_64": "amd64"}
"""How Debian calls the processors."""

WHEELS: Final = f"usr/lib/{NAME}"
PLACES: Final = {
    "*.service": "usr/lib/systemd/system",
    "*.path": "usr/lib/systemd/system",
    "*.rules": "usr/lib/udev/rules.d",
    "companion.sysusers": "usr/lib/sysusers.d/companion.conf",
    "companion.tmpfiles": "usr/lib/tmpfiles.d/companion.conf",
    "allowed_signers": "etc/companion/allowed_signers",
    "level": "etc/companion/system",
    "companion-release": "usr/sbin/companion-release",
    "../LICENSE": f"usr/share/doc/{NAME}/copyright",
}

MAINTAINER: Final = "The table companion's authors <authors@table-companion.invalid>"

CONTROL: Final = """\
Package: {name}
Version: {number}
Architecture: {machine}
Maintainer: {maintainer}
Section: misc
Priority: optional
Installed-Size: {kib}
Depends: {depends}
Recommends: {recommends}
Description: fair referee for the middle of a real board game table
 Makes this machine boot to a table with buzzers, keypads, lamps and a display.
 It referees board games: who pressed first, who may move, who wins.
 .
 Installing it gives the screen and the keyboard to the table. It was made of
 commit {commit}.
"""

CHANGES: Final = """\
{name} ({number}) stable; urgency=medium

  * Made of commit {commit}.
    Its CHANGELOG.md says what is new.

 -- {maintainer}  {date}
"""


def installer_lists() -> tuple[str, str]:
    """Return the Debian packages that the installer needs, and those that it wishes."""
    text = (HERE / "install.sh").read_text(encoding="utf-8")
    needed, wished = (
        next(line.split('"')[1].split() for line in text.splitlines() if line.startswith(f"{name}="))
        for name in ("PACKAGES", "WISHES")
    )
    pythons = ["python3 (>= 3.11)", "python3 (<< 3.14)"]
    either = "libasound2t64 | libasound2"  # Debian 13, 12
    wanted = [name for name in wished if name not in either]
    return ", ".join([*pythons, *needed[1:], "systemd"]), ", ".join([*wanted, either])


def script(name: str, release: tuple[str, str, int]) -> str:
    """Return a script of the package: what it decides, what install.sh runs too, and its own part."""
    version, commit, date = release
    own = {"root": "", "chooser": "/usr/sbin/companion-release", "wheels": f"/{WHEELS}", "start": "yes"}
    own |= {"name": version, "commit": commit, "date": date}
    decided = "".join(f"{key}={value}\n" for key, value in own.items())
    parts = ((HERE / part).read_text(encoding="utf-8") for part in ("system.sh", f"deb/{name}"))
    return "\n".join(["#!/bin/sh", decided, *parts])


def lay(tree: Path, files: Path, machine: str, release: tuple[str, str, int]) -> None:
    """Lay out a package as dpkg-deb packs it."""
    version, commit, date = release
    for pattern, place in PLACES.items():
        for path in sorted(HERE.glob(pattern)):
            target = tree / place if pattern == path.name or "/" in pattern else tree / place / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    shutil.copytree(files, tree / WHEELS)
    (tree / "usr/bin").mkdir()
    (tree / "usr/bin/companion").symlink_to("/opt/companion/current/venv/bin/companion")
    depends, recommends = installer_lists()
    kib = sum(path.lstat().st_size + 1023 >> 10 for path in tree.rglob("*"))
    fields = {"name": NAME, "number": version.partition("+")[0], "commit": commit, "maintainer": MAINTAINER}
    changes = CHANGES.format(**fields, date=time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(date)))
    (tree / f"usr/share/doc/{NAME}/changelog.gz").write_bytes(gzip.compress(changes.encode(), mtime=0))
    control = tree / "DEBIAN"
    control.mkdir()
    told = CONTROL.format(**fields, machine=MACHINES[machine], kib=kib, depends=depends, recommends=recommends)
    (control / "control").write_text(told, encoding="utf-8")
    conffiles = sorted(f"/{place}\n" for place in PLACES.values() if place.startswith("etc/"))
    (control / "conffiles").write_text("".join(conffiles), encoding="utf-8")
    for path in (HERE / "deb").iterdir():
        (control / path.name).write_text(script(path.name, release), encoding="utf-8")
    programs = {tree / "usr/sbin/companion-release", *(control / path.name for path in (HERE / "deb").iterdir())}
    settle(tree, programs, date)


def settle(tree: Path, programs: Iterable[Path], date: int) -> None:
    """Give all files the same rights and time, whoever makes the package and when."""
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path in programs else 0o644)
        os.utime(path, (date, date), follow_symlinks=False)


def pack(tree: Path, target: Path, date: int) -> None:
    """Pack a package: little, since wheels are packed, and by one thread, since more cut the stream elsewhere."""
    how = ["--root-owner-group", "-Zxz", "-z1", "--threads-max=1"]
    run("dpkg-deb", *how, "--build", tree, target, SOURCE_DATE_EPOCH=str(date))


def make(work: Path, release: tuple[str, str, int], parts: Iterable[str]) -> Iterable[Path]:
    """Make the packages of this checkout; yield their files."""
    version, _, date = release
    build(parts, work, date)
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    for machine, name in MACHINES.items():
        place = work / machine
        shutil.copytree(work / "files", place / "files")
        for python in PYTHONS:
            fetch(python, machine, place)
        shorten(place / "files")
        for path in (HERE / LOCK, CHECKOUT / "docs" / GUIDE):
            shutil.copy(path, place / "files")
        lay(place / "tree", place / "files", machine, release)
        target = OUT / f"{NAME}_{version.partition('+')[0]}_{name}.deb"
        pack(place / "tree", target, date)
        yield target


def main() -> int:
    """Make the packages and say where they are; return the exit status."""
    version, commit, date, parts = described()
    try:
        with tempfile.TemporaryDirectory(prefix="companion-deb-") as work:
            for path in make(Path(work), (version, commit, date), parts):
                sys.stdout.write(f"deb: {path}, {path.stat().st_size >> 20} MB, of {version}\n")
    except MakeError as error:
        sys.stderr.write(f"deb: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

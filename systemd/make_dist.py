"""Gathers what a release hands out in build/dist: make_dist.py [KEY]. Run it by `make dist [KEY=...]`.

The same commit gives the same bytes, except for what the key signs: docs/appliance.md, "Releases".
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import make_deb
import make_release
from make_release import CHECKOUT, MakeError, described, run, sign

OUT: Final = CHECKOUT / "build" / "dist"
sys.path.insert(0, str(CHECKOUT / "hardware"))

from make import FORMATS, PRINTED  # noqa: E402

SUMS: Final = "SHA256SUMS"
BUNDLED: Final = ("3.11", "aarch64")
"""The Python and the processor that need every package of the lock."""

LICENCE: Final = re.compile(r"(.*/)?(licenses/.*[^/]|(LICEN[CS]E|COPYING|NOTICE)[^/]*)(?<!\.py)", re.IGNORECASE)


def clean_commit() -> tuple[str, int]:
    """Return version and date of this checkout. Raise MakeError if it differs from its commit."""
    name, commit, date, _ = described()
    words = ["git", "-C", CHECKOUT, "status", "--porcelain"]
    changed = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    if commit == "unknown" or changed:
        raise MakeError(f"this is not a clean commit; commit or `git stash -u` first:\n{changed}".rstrip())
    say(f"{name}, {commit}")
    return name.partition("+")[0], date


def make_packages(work: Path, date: int) -> None:
    """Build the sdist, and the wheel from it, as somebody without git does."""
    how: list[object] = [sys.executable, "-m", "hatchling", "build", "--directory", OUT]
    build([*how, "--target", "sdist"], CHECKOUT, date)
    [sdist] = OUT.glob("*.tar.gz")
    (work / "sdist").mkdir()
    run("tar", "-xf", sdist, "-C", work / "sdist")
    [source] = (work / "sdist").iterdir()
    build([*how, "--target", "wheel"], source, date)


def build(words: list[object], folder: Path, date: int) -> None:
    environ = os.environ | {"SOURCE_DATE_EPOCH": str(date)}
    done = subprocess.run([*map(str, words)], cwd=folder, env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MakeError(f"the package was not built:\n{done.stdout}{done.stderr}")


def make_parts(stem: str, date: int) -> None:
    """Pack the parts to be printed. Only those that are out of date are made, which takes minutes."""
    if not shutil.which("openscad"):
        raise MakeError("openscad is not here: apt install openscad")
    folder = CHECKOUT / "build" / "print"
    run(sys.executable, CHECKOUT / "hardware/make.py", "--print", folder)
    names = [f"{part.name}{ending}" for part in PRINTED for ending in FORMATS]
    zipped(OUT / f"{stem}-print.zip", {name: (folder / name).read_bytes() for name in names}, date)


def zipped(target: Path, files: dict[str, bytes], date: int) -> None:
    """Write a zip that depends on names, contents and the date in seconds alone."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as zipping:
        for name in sorted(files):
            head = zipfile.ZipInfo(name, time.gmtime(date)[:6])
            head.external_attr = 0o644 << 16
            zipping.writestr(head, files[name], zipfile.ZIP_DEFLATED)


def take_orders(stem: str) -> None:
    """Take the order of each board as the repository has it."""
    for path in sorted((CHECKOUT / "hardware/boards").glob("*-order.zip")):
        shutil.copyfile(path, OUT / f"{stem}-board-{path.name}")


def take_card(stem: str) -> None:
    image = CHECKOUT / "build/card" / f"{stem}-arm64.img.xz"
    made_of = image.with_name(f"{stem}-arm64.commit")
    if not image.is_file() or not made_of.is_file() or made_of.read_text("utf-8").strip() != described()[1]:
        raise MakeError(
            f"{image.relative_to(CHECKOUT)} is not of this commit: sudo make card, then make dist again"
        )
    shutil.copyfile(image, OUT / image.name)


def make_bill(stem: str, work: Path, date: int) -> None:
    """Write the bill of materials (CycloneDX) of the bundled packages, and their licences."""
    (work / "files").mkdir()
    make_release.fetch(*BUNDLED, work)
    run(sys.executable, "-m", "venv", "--without-pip", work / "bundle")
    [site] = (work / "bundle/lib").glob("python3*/site-packages")
    licences = {"table-companion/LICENSE": (CHECKOUT / "LICENSE").read_bytes()}
    for path in sorted((work / "files").glob("*.whl")):
        with zipfile.ZipFile(path) as wheel:
            names = wheel.namelist()
            wheel.extractall(site, [name for name in names if name.partition("/")[0].endswith(".dist-info")])
            package = path.name.partition("-")[0]
            licences |= {f"{package}/{name}": wheel.read(name) for name in names if LICENCE.fullmatch(name)}
    zipped(OUT / f"{stem}-licences.zip", licences, date)
    run(
        *(sys.executable, "-m", "cyclonedx_py", "environment", work / "bundle/bin/python"),
        *("--pyproject", CHECKOUT / "pyproject.toml", "--output-reproducible"),
        *("--output-file", OUT / f"{stem}.cdx.json"),
        SOURCE_DATE_EPOCH=str(date),
    )


def make_notes(version: str) -> None:
    """Cut the section of this version out of the changelog."""
    text = (CHECKOUT / "CHANGELOG.md").read_text("utf-8")
    section = re.search(rf"^## {re.escape(version)}\b(?!\.).*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if not section:
        raise MakeError(f"CHANGELOG.md has no section of {version}: write one under `## {version}, YEAR-MONTH-DAY`")
    (OUT / "RELEASE_NOTES.md").write_text(f"{section[0].strip()}\n", "utf-8")


def make_update(key: str) -> None:
    """Make the file by which tables update themselves."""
    need_key(key)
    with tempfile.TemporaryDirectory(prefix="companion-release-") as work:
        shutil.copy(make_release.make(key, Path(work)), OUT)


def make_debs(work: Path) -> None:
    """Make the Debian packages."""
    if not shutil.which("dpkg-deb"):
        raise MakeError("dpkg-deb is not here: make it on a Debian")
    *release, parts = described()
    work.mkdir()
    for path in make_deb.make(work, tuple(release), parts):
        shutil.copy(path, OUT)


def make_sums() -> None:
    names = sorted(path.name for path in OUT.iterdir())
    lines = (f"{hashlib.sha256((OUT / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
    (OUT / SUMS).write_text("".join(lines), "utf-8")


def sign_sums(key: str) -> None:
    need_key(key)
    sign(OUT / SUMS, key)


def need_key(key: str) -> None:
    if not key:
        raise MakeError("it is signed: make dist KEY=~/.ssh/companion-release; docs/appliance.md makes the key")


def make(key: str, work: Path) -> Iterator[str]:
    """Make everything that can be made here; yield what was left out, why, and what helps."""
    version, date = clean_commit()
    stem = f"table-companion-{version}"
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    make_packages(work, date)
    steps = {
        "update file": lambda: make_update(key),
        "Debian packages": lambda: make_debs(work / "deb"),
        "card image": lambda: take_card(stem),
        "parts to be printed": lambda: make_parts(stem, date),
        "orders of the boards": lambda: take_orders(stem),
        "bill of materials and licences": lambda: make_bill(stem, work, date),
        "release notes": lambda: make_notes(version),
        SUMS: make_sums,
        f"{SUMS}.sig": lambda: sign_sums(key),
    }
    for name, step in steps.items():
        say(name)
        try:
            step()
        except MakeError as error:
            yield f"{name}: {error}"


def say(what: str) -> None:
    sys.stdout.write(f"dist: {what}\n")
    sys.stdout.flush()


def main(words: list[str]) -> int:
    """Make a release's files, list them and what is missing; return the exit status."""
    key = str(Path(words[0]).expanduser()) if words and words[0] else ""
    os.umask(0o022)
    try:
        signer = make_release.public(key) if key else ""
        with tempfile.TemporaryDirectory(prefix="companion-dist-") as work:
            left_out = list(make(key, Path(work)))
    except MakeError as error:
        sys.stderr.write(f"dist: {error}\n")
        return 1
    say(f"in {OUT}:")
    for path in sorted(OUT.iterdir()):
        say(f"  {path.name}, {path.stat().st_size / 1e6:.1f} MB")
    for each in left_out:
        say(f"left out: {each}")
    if signer:
        make_release.say_signer(signer)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

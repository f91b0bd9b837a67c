"""Counts the instructions of typical work on an emulated aarch64, and converts them to times at 1 GHz.

The instructions per cycle of a Pi Zero 2 are assumed.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Final

from benchmarks.display import BARE, OURS

ROOT: Final = Path(__file__).parents[2]
OUT: Final = ROOT / "build" / "arm64"
DEBIAN: Final = OUT / "debian"
PLUGIN: Final = OUT / "count.so"
PACKAGES: Final = OUT / "packages"
PLATFORMS: Final = ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64")

NEEDED: Final = {"qemu-aarch64": "qemu-user", "cc": "gcc"}

A_CYCLE: Final = 0.7
"""Assumed instructions per cycle."""

HERTZ: Final = 1e9


def main() -> None:
    missing = " ".join(package for program, package in NEEDED.items() if not shutil.which(program))
    if missing:
        raise SystemExit(f"bench-arm64: packages are missing; as root: apt-get install -y {missing}")
    if not (DEBIAN / ".made").exists():
        raise SystemExit("bench-arm64: there is no Debian of test-arm64; as root: tests/arm64/newcomer.sh true")
    _install()
    print(f"{'':46} {'median':>10} {'most':>10}  million instructions; ms at 1 GHz, {A_CYCLE} a cycle")
    for name, code in (("bare window", BARE), ("program", OURS)):
        _run("-c", code)  # this run writes the bytecode
        _tell(f"start to first picture, {name}", _counts(_run("-c", code)[1])[-1:])
    names, said = _run("-m", "benchmarks.instructions.works")
    counts = _counts(said)
    works: defaultdict[str, list[int]] = defaultdict(list)
    for name, begun, ended in zip(names, counts[0:-1:2], counts[1:-1:2], strict=True):
        works[name].append(ended - begun)
    nothing = statistics.median(works.pop("nothing"))
    works.pop("", None)
    for name, found in works.items():
        _tell(name, [count - round(nothing) for count in found])


def _install() -> None:
    flags = ("-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC")
    subprocess.run(["cc", *flags, "-o", PLUGIN, Path(__file__).with_name("count.c")], check=True)
    if PACKAGES.exists():
        return
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheels = OUT / "wheels"
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", wheels, ROOT], check=True)
    of_it = [f"--platform={platform}" for platform in PLATFORMS]
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    subprocess.run(
        [*pip, "install", "--target", PACKAGES, "--only-binary=:all:", "--python-version=3.13", *of_it,
         "--no-deps", *wheels.glob("*.whl"), *needed],
        check=True,
    )  # fmt: skip


def _run(*arguments: str) -> tuple[list[str], str]:
    """Return the lines of Python and the output of the plug-in."""
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(OUT / "home"),
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(PACKAGES),
        "PYTHONPYCACHEPREFIX": str(OUT / "pycache"),
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
    }
    python = DEBIAN / "usr" / "bin" / "python3.13"
    command = ["qemu-aarch64", "-L", DEBIAN, "-plugin", f"file={PLUGIN}", python, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"bench-arm64: it ended with {done.returncode}:\n{done.stderr[-4000:]}")
    return done.stdout.splitlines(), done.stderr


def _counts(said: str) -> list[int]:
    return [int(line.split()[1]) for line in said.splitlines() if line.startswith("instructions ")]


def _tell(name: str, counts: list[int]) -> None:
    median, most = statistics.median(counts), max(counts)
    ms = [f"{1e3 * count / A_CYCLE / HERTZ:.1f}" for count in (median, most)]
    print(f"{name:46} {median / 1e6:10.2f} {most / 1e6:10.2f}  {ms[0]}; {ms[1]}")


if __name__ == "__main__":
    main()

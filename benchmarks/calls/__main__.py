"""Measures who pressed first on a real kernel, in virtual machines; writes figures, tables and a picture.

`--redraw` draws existing figures. Needs the images of `make images`.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

CHECKOUT: Final = Path(__file__).parents[2]
RIG: Final = CHECKOUT / "tests" / "kernel" / "rig.py"
RESULT: Final = "calls.json"

PAIRS: Final = 10
FULL_PAIRS: Final = 300
GUESTS: Final = 2
TIMEOUT_S: Final = 6 * 3600
"""For a guest that hangs; a full run takes hours."""

PI_4: Final = "c03114"
"""The guest's revision; gpiozero and RPi.GPIO's shim require one."""


class Job(NamedTuple):
    method: str
    busy: int

    @property
    def name(self) -> str:
        return f"{self.method}-{self.busy}"


def jobs() -> list[Job]:
    from benchmarks.calls.summary import TITLES  # noqa: PLC0415  the guest needs none of this

    return [*(Job(method, busy) for busy in (2, 0) for method in TITLES), Job("idle", 0)]


def run(job: Job, pairs: int, folder: Path) -> Any:
    """Boot a guest for a job. Raise SystemExit with the end of its log."""
    inside = f"--inside --method {job.method} --busy {job.busy} --pairs {pairs}"
    keep = folder / job.name
    keep.mkdir(parents=True, exist_ok=True)
    (keep / RESULT).unlink(missing_ok=True)
    rig = [sys.executable, str(RIG), "--keep", str(keep), "--share", str(CHECKOUT), "--revision", PI_4]
    command = f"cd /share && python -m benchmarks.calls {inside}"
    with (keep / "output.log").open("w") as log:
        status = subprocess.run(
            [*rig, "--timeout", str(TIMEOUT_S), "--", command], stdout=log, stderr=log, check=False
        ).returncode
    if status or not (keep / RESULT).exists():
        tail = (keep / "output.log").read_text().splitlines()[-10:]
        raise SystemExit("\n".join([f"{job.name}: the guest ended with status {status}:", *tail]))
    print(f"{job.name}: done", flush=True)
    return json.loads((keep / RESULT).read_text())


def measure(pairs: int, guests: int, folder: Path) -> dict[str, Any]:
    from benchmarks.calls.summary import summary  # noqa: PLC0415

    todo = jobs()
    with ThreadPoolExecutor(guests) as pool:
        results = dict(zip(todo, pool.map(lambda job: run(job, pairs, folder), todo), strict=True))
    found = [measured for job in todo if job.method != "idle" for measured in results[job]]
    return summary(found, results[Job("idle", 0)], {"pairs": pairs})


def show(figures: dict[str, Any], folder: Path) -> None:
    from benchmarks.calls.picture import draw  # noqa: PLC0415
    from benchmarks.calls.summary import tables  # noqa: PLC0415

    folder.mkdir(parents=True, exist_ok=True)
    (folder / RESULT).write_text(json.dumps(figures, indent=1) + "\n")
    (folder / "tables.md").write_text(tables(figures) + "\n")
    draw(figures, folder / "fairness.png")
    print(tables(figures))


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calls", description=__doc__)
    parser.add_argument("--pairs", type=int, default=PAIRS, help="of each distance and condition (%(default)s)")
    parser.add_argument("--full", action="store_true", help=f"{FULL_PAIRS} pairs; takes some hours")
    parser.add_argument("--guests", type=int, default=GUESTS, help="how many run at a time (%(default)s)")
    parser.add_argument(
        "--out", type=Path, default=CHECKOUT / "build" / "calls", help="the folder (build/calls in the checkout)"
    )
    parser.add_argument("--redraw", type=Path, metavar="JSON", help="measure nothing: show these figures")
    parser.add_argument("--inside", action="store_true", help="this is the guest")
    parser.add_argument("--method", help="with --inside: what to measure")
    parser.add_argument("--busy", type=int, default=0, help="with --inside: how many busy processes")
    options = parser.parse_args(words)
    pairs = FULL_PAIRS if options.full else options.pairs
    if options.inside:
        from benchmarks.calls import inside  # noqa: PLC0415  there is a chip in the guest only

        inside.main(options.method, pairs, options.busy, Path("/io", RESULT))
    elif options.redraw:
        show(json.loads(options.redraw.read_text()), options.out)
    else:
        show(measure(pairs, options.guests, options.out), options.out)


if __name__ == "__main__":
    main(sys.argv[1:])

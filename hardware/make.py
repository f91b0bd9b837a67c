"""Draws wirings with WireViz and enclosures with OpenSCAD, for `make hardware`.

`rendered.json` has the SHA-256 of each picture's sources, so that a test finds outdated pictures.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
import zipfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Final, NamedTuple

HERE: Final = Path(__file__).parent
ENCLOSURE: Final = HERE / "enclosure"
PICTURES: Final = HERE / "pictures"
RENDERED: Final = HERE / "rendered.json"

WIRINGS: Final = ("no-solder/wiring", "classic/wiring", "classic/buzzer", "full/wiring", "full/pod")
SHARED: Final = tuple(ENCLOSURE / f"{name}.scad" for name in ("box", "parts", "bought", "cables"))
"""Included by every enclosure."""

SIZE_PX: Final = (1000, 750)
LONGEST_S: Final = 900


class Shot(NamedTuple):
    """A picture of an enclosure. `camera` has centre, angles and distance in mm."""

    name: str
    scad: str
    settings: dict[str, str]
    camera: str


SHOTS: Final = (
    Shot("base-classic", "base", {"build": "classic", "view": "closed"}, "0,0,25,50,0,15,580"),
    Shot("base-classic-open", "base", {"build": "classic", "view": "open"}, "0,0,70,52,0,15,680"),
    Shot("base-back", "base", {"build": "plain", "view": "closed"}, "0,0,25,62,0,215,520"),
    Shot("base-plain", "base", {"build": "plain", "view": "closed"}, "0,0,25,50,0,15,580"),
    Shot("base-step-pi", "base", {"build": "plain", "view": "step-pi"}, "0,0,35,48,0,15,660"),
    Shot("base-step-board", "base", {"build": "classic", "view": "step-board"}, "0,-15,35,48,0,15,560"),
    Shot("base-step-glass", "base", {"build": "classic", "view": "step-glass"}, "0,0,50,60,0,20,640"),
    Shot("base-ribbons", "base", {"build": "classic", "view": "ribbons"}, "0,0,20,35,0,10,520"),
    Shot("base-plain-ribbon", "base", {"build": "plain", "view": "ribbons"}, "20,10,20,42,0,15,430"),
    Shot("buzzer", "buzzer", {"view": "closed"}, "0,0,38,62,0,20,400"),
    Shot("buzzer-open", "buzzer", {"view": "open"}, "0,0,50,110,0,160,560"),
    Shot("buzzer-step", "buzzer", {"view": "step"}, "0,0,75,75,0,160,980"),
    Shot("pod", "pod", {"view": "closed"}, "0,0,24,50,0,20,480"),
    Shot("pod-open", "pod", {"view": "open"}, "54,0,20,40,0,12,560"),
    Shot("pod-step-board", "pod", {"view": "step-board"}, "0,0,40,50,0,150,520"),
    Shot("pod-step-cable", "pod", {"view": "step-cable"}, "0,45,22,68,0,112,330"),
    Shot("pod-step-tail", "pod", {"view": "step-tail"}, "0,-15,30,75,0,100,260"),
    Shot("pod-step-lid", "pod", {"view": "step-lid"}, "0,0,10,105,0,35,620"),
    Shot("pod-coupon", "pod", {"view": "coupon"}, "28,-5,0,40,0,20,330"),
)

MODELS: Final = {"pi4": {"model": "4"}, "pi5": {"model": "5"}}
DISPLAYS: Final = ("touch_display", "touch_display_2")
BUTTONS: Final = ("button_60", "button_100")
SEATS: Final = range(1, 6)


class Part(NamedTuple):
    """A part to be printed. `settings` are OpenSCAD expressions."""

    name: str
    scad: str
    settings: dict[str, str]


def _printed() -> Iterator[Part]:
    for display in DISPLAYS:
        for build in ("classic", "plain"):
            chosen = {"build": f'"{build}"', "display": display}
            for name, model in MODELS.items():
                yield Part(f"base-{build}-{name}-{display}-tray", "base", {"view": '"tray"', **chosen, **model})
            for view in ("lid", "coupon"):
                yield Part(f"base-{build}-{display}-{view}", "base", {"view": f'"{view}"', **chosen})
        yield Part(f"base-{display}-clips", "base", {"view": '"clips"', "display": display})
    for button in BUTTONS:
        for seat in SEATS:
            numbered = {"view": '"shell"', "button": button, "seat": str(seat)}
            yield Part(f"buzzer-{button}-shell-{seat}", "buzzer", numbered)
        yield Part(f"buzzer-{button}-bottom", "buzzer", {"view": '"bottom"', "button": button})
    for view in ("tray", "lid", "coupon"):
        yield Part(f"pod-{view}", "pod", {"view": f'"{view}"'})


PRINTED: Final = tuple(_printed())
FORMATS: Final = (".stl", ".3mf")
MESH: Final = "3D/3dmodel.model"
"""The file of a 3MF that has its mesh."""

UUID: Final = re.compile(rb'(?<=p:UUID=")[0-9a-f-]{36}(?=")')


class RenderError(RuntimeError):
    """Error raised when something cannot be drawn."""


def sources() -> dict[str, list[Path]]:
    """Return the sources of each picture, by its path."""
    made = {f"{wiring}.svg": [HERE / f"{wiring}.yml"] for wiring in WIRINGS}
    for shot in SHOTS:
        made[f"pictures/{shot.name}.png"] = [ENCLOSURE / f"{shot.scad}.scad", *SHARED]
    return made


def digest(paths: Iterable[Path]) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


def tool(name: str, remedy: str) -> str:
    """Return the path of a program, which may be next to this Python. Raise RenderError if it is missing."""
    folders = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which(name, path=folders)
    if found is None:
        raise RenderError(f"{name} is not here: {remedy}")
    return found


def openscad() -> list[str]:
    """Return OpenSCAD's command, with a virtual screen if there is none."""
    command = [tool("openscad", "apt install openscad")]
    if os.environ.get("DISPLAY"):
        return command
    return [tool("xvfb-run", "apt install xvfb, or run it on a desktop"), "-a", *command]


def run(command: list[str]) -> str:
    """Return a program's output. Raise RenderError if it fails or warns."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONGEST_S)
    except subprocess.TimeoutExpired as error:
        raise RenderError(f"{' '.join(command)}: not done after {LONGEST_S} s") from error
    said = done.stdout + done.stderr
    if done.returncode or "WARNING:" in said or "ERROR:" in said:
        raise RenderError(f"{' '.join(command)}\n{said.strip()}")
    return said


def defined(settings: dict[str, str]) -> Iterator[str]:
    for name, value in settings.items():
        yield from ("-D", f"{name}={value}")


def draw_wiring(wiring: str) -> None:
    wireviz = tool("wireviz", "make hardware installs it")
    tool("dot", "apt install graphviz")
    source = HERE / f"{wiring}.yml"
    run([wireviz, "-f", "s", "-o", str(source.parent), "-O", source.stem, str(source)])


def draw_shot(shot: Shot) -> None:
    width, height = SIZE_PX
    run(
        [
            *openscad(),
            *("-o", str(PICTURES / f"{shot.name}.png"), f"--camera={shot.camera}"),
            *(f"--imgsize={width},{height}", "--colorscheme=Tomorrow"),
            *defined({name: f'"{value}"' for name, value in shot.settings.items()}),
            str(ENCLOSURE / f"{shot.scad}.scad"),
        ]
    )


def up_to_date(part: Part, folder: Path) -> bool:
    """Tell whether a part's files are newer than its drawing."""
    newest = max(path.stat().st_mtime for path in (ENCLOSURE / f"{part.scad}.scad", *SHARED, Path(__file__)))
    files = [folder / f"{part.name}{ending}" for ending in FORMATS]
    return all(file.exists() and file.stat().st_mtime > newest for file in files)


def write_part(part: Part, folder: Path) -> None:
    """Write a part as STL and 3MF, whole or not at all. Raise RenderError if it is not a closed solid."""
    with tempfile.TemporaryDirectory(dir=folder, prefix=".unfinished-") as unfinished:
        files = [Path(unfinished) / f"{part.name}{ending}" for ending in FORMATS]
        command = [tool("openscad", "apt install openscad"), *defined(part.settings)]
        for file in files:
            command += ["-o", str(file)]
        said = run([*command, str(ENCLOSURE / f"{part.scad}.scad")])
        if not any(line.split() == ["Simple:", "yes"] for line in said.splitlines()):
            raise RenderError(f"{part.name} is not a closed solid and cannot be printed:\n{said}")
        settle(*files)
        for file in files:
            file.replace(folder / file.name)


def settle(stl: Path, model: Path) -> None:
    """Give equal parts equal files: OpenSCAD shuffles the facets of an STL and draws random ids in a 3MF."""
    first, *facets, last = re.split(r"(?m)^(?=  facet |endsolid )", stl.read_text("ascii"))
    stl.write_text("".join([first, *sorted(facets), last]), "ascii")
    with zipfile.ZipFile(model) as packed:
        contents = {name: packed.read(name) for name in packed.namelist()}
    for number, drawn in enumerate(UUID.findall(contents[MESH]), 1):
        contents[MESH] = contents[MESH].replace(drawn, str(uuid.UUID(int=number)).encode())
    with zipfile.ZipFile(model, "w") as packed:
        for name, content in contents.items():
            packed.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def draw_all() -> None:
    """Draw everything and record the sources."""
    PICTURES.mkdir(exist_ok=True)
    jobs = [(f"{wiring}.svg", draw_wiring, wiring) for wiring in WIRINGS]
    jobs += [(f"pictures/{shot.name}.png", draw_shot, shot) for shot in SHOTS]
    for number, (name, draw, what) in enumerate(jobs, 1):
        started_s = time.monotonic()
        draw(what)
        print(f"{number:2}/{len(jobs)} {name}, {time.monotonic() - started_s:.1f} s", flush=True)
    noted = {name: digest(paths) for name, paths in sorted(sources().items())}
    RENDERED.write_text(json.dumps(noted, indent=2) + "\n", "utf-8")


def print_all(folder: Path) -> None:
    """Write every part that is not up to date, which takes minutes the first time."""
    folder.mkdir(parents=True, exist_ok=True)
    due = [part for part in PRINTED if not up_to_date(part, folder)]
    print(f"{len(PRINTED) - len(due)} of {len(PRINTED)} parts in {folder} are up to date", flush=True)
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        written = {pool.submit(write_part, part, folder): part.name for part in due}
        for number, done in enumerate(as_completed(written), 1):
            done.result()
            print(f"{number:2}/{len(due)} {written[done]}", flush=True)
    finally:
        pool.shutdown(cancel_futures=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="draw wirings and enclosures")
    parser.add_argument("--print", type=Path, metavar="DIR", help="write the parts to be printed into DIR instead")
    asked = parser.parse_args()
    try:
        print_all(asked.print) if asked.print else draw_all()
    except RenderError as error:
        print(f"hardware: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())

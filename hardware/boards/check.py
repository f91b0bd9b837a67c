"""Runs KiCad's checks on the files of a board: ERC, and DRC with the schematic beside it."""

import atexit
import json
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

KICAD: Final = Path("/usr/share/kicad")


class BoardError(RuntimeError):
    """Error raised with KiCad's message."""


@cache
def settings() -> dict[str, str]:
    """Return an environment with KiCad's libraries and without the user's settings."""
    folder = Path(tempfile.mkdtemp(prefix="kicad-"))
    atexit.register(shutil.rmtree, folder)
    (folder / "9.0").mkdir()
    for table in ("sym-lib-table", "fp-lib-table"):
        shutil.copyfile(KICAD / "template" / table, folder / "9.0" / table)
    folders = {f"KICAD9_{name.upper()}_DIR": str(KICAD / f"{name}s") for name in ("symbol", "footprint")}
    return {
        **os.environ,
        **folders,
        "KICAD9_3DMODEL_DIR": str(KICAD / "3dmodels"),
        "KICAD_CONFIG_HOME": str(folder),
    }


def kicad(*arguments: str) -> str:
    """Return kicad-cli's output. Raise BoardError."""
    command = ["kicad-cli", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=settings())
    if done.returncode:
        raise BoardError(f"kicad-cli {' '.join(arguments)}\n{done.stdout}{done.stderr}")
    return done.stdout


def findings(stem: Path) -> list[str]:
    """Return what KiCad finds in a board, errors and warnings."""
    found = []
    for kind, file, more in (("sch", ".kicad_sch", ("erc",)), ("pcb", ".kicad_pcb", ("drc", "--schematic-parity"))):
        with tempfile.TemporaryDirectory() as room:
            report = Path(room) / "report.json"
            kicad(kind, *more, "--format", "json", "--severity-all", "-o", str(report), str(stem.with_suffix(file)))
            said = json.loads(report.read_text("utf-8"))
        lists = [said.get(key, []) for key in ("violations", "unconnected_items", "schematic_parity")]
        lists += [sheet["violations"] for sheet in said.get("sheets", [])]
        for each in (each for found_here in lists for each in found_here):
            items = "; ".join(f"{item['description']} {item['pos']}" for item in each["items"])
            found.append(f"{more[0]} {each['severity']} {each['type']}: {each['description']}: {items}")
    return found

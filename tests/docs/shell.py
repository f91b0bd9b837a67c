"""Runs the terminal sessions of pages."""

import os
import subprocess
import sys
from pathlib import Path

from tests.running import environment


def sessions(block: str) -> list[tuple[str, str]]:
    """Return the commands of a console block with their expected outputs."""
    found: list[tuple[str, str]] = []
    in_here_document = False
    for line in block.splitlines(keepends=True):
        if line.startswith("$ ") and not in_here_document:
            found.append((line[2:], ""))
            in_here_document = "<<'END'" in line
        elif in_here_document:
            found[-1] = (found[-1][0] + line, "")
            in_here_document = line != "END\n"
        else:
            found[-1] = (found[-1][0], found[-1][1] + line)
    return found


def run_shell(command: str, folder: Path) -> str:
    """Return the output of a command; `companion` is this Python's."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment(folder) | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.stdout + done.stderr

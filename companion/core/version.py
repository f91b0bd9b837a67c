"""The version of this program, with its commit where that is known."""

import re
from pathlib import Path
from typing import Final

BUILT: Final = Path(__file__).parents[1] / "version.txt"
"""Written by hatch_build.py into the wheel."""


def program_version() -> str:
    """Return for example `1.0.0 (commit abc1234)`."""
    try:
        return BUILT.read_text("utf-8").strip()
    except FileNotFoundError:
        return version_of_clone(BUILT.parents[1])


def version_of_clone(clone: Path) -> str:
    """Return the version in a clone; without git, without a commit."""
    [number] = re.findall(r'^version = "(.*)"$', (clone / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    try:
        _, commit, *_ = (clone / ".git/logs/HEAD").read_bytes().splitlines()[-1].decode(errors="replace").split()
    except (OSError, IndexError, ValueError):
        return str(number)
    return with_commit(number, commit)


def with_commit(number: str, commit: str) -> str:
    return f"{number} (commit {commit[:7]})"

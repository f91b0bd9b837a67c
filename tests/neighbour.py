"""Another user of the machine."""

import os
import subprocess
from pathlib import Path
from typing import Final

import pytest

NOBODY: Final = 65534

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")


def open_the_way(path: Path) -> None:
    """Let other users enter the folder of a path within the tests' folders."""
    for parent in path.parents:
        if parent.stat().st_uid == 0 and str(parent).startswith("/tmp/"):
            parent.chmod(parent.stat().st_mode | 0o011)


def seen_by(*words: object) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [str(word) for word in words],
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        cwd="/",
        capture_output=True,
        check=False,
        timeout=60,
    )

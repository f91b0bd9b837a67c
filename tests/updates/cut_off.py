"""Kills updates, each at another step: cut_off.py FOLDER FILE SIGNER

Each change of the disk is a step, seen by Python's audit hooks and by stand-ins for commands. The machine of each
cut stays in FOLDER/STEP.
"""

import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

from companion.cli import update
from companion.updates import release_folder
from tests.updates.release_bench import OLD, OLDER, Machine

CHANGES = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.symlink", "os.truncate", "subprocess.Popen"}
COMMANDS = ("ln", "mv", "rm", "sync")
MOST = 1_000

TOOL = """#!/bin/sh
printf . >>{steps}
read -r made <{steps}
[ ${{#made}} != {last} ] || kill -9 0
[ {command} = sync ] || exec /bin/{command} "$@"
"""
"""A kill loses no unsynced data."""


def new_machine(root: Path, signer: str) -> Machine:
    """Return an updated machine: OLD runs, OLDER is the one to go back to."""
    machine = Machine(root, signer)
    machine.add(OLDER)
    (machine.opt / "previous").symlink_to(f"releases/{OLDER}")
    return machine


def cut(machine: Machine, file: Path, last: int, folder: Path) -> bool:
    """Update, and be killed at a step; return whether it was reached."""
    steps, tools = folder / f"{last}.steps", folder / f"{last}.tools"
    steps.touch()
    tools.mkdir()
    for name in COMMANDS:
        (tools / name).write_text(TOOL.format(steps=steps, last=last, command=name))
        (tools / name).chmod(0o755)
    child = os.fork()
    if child == 0:
        os.setsid()
        os.environ["PATH"] = f"{tools}:{os.environ['PATH']}"
        count_steps(steps, last)
        update.install(machine.releases, file, lambda *_: None)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return True
    assert status == 0, status
    return False


def count_steps(steps: Path, last: int) -> None:
    fd = os.open(steps, os.O_WRONLY | os.O_APPEND)

    def step() -> None:
        os.write(fd, b".")
        if os.fstat(fd).st_size == last:
            os.kill(0, signal.SIGKILL)

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        if event in CHANGES or (event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR)):
            step()

    release_folder.os.sync = release_folder.os.fsync = lambda *_: step()
    sys.addaudithook(hear)


def main(folder: Path, file: Path, signer: str) -> None:
    """Kill updates at one step after the other until one finishes."""
    killed, before = 0, new_machine(folder / "before", signer).root
    for last in range(1, MOST):
        machine = Machine(shutil.copytree(before, folder / str(last), symlinks=True))
        if not cut(machine, file, last, folder):
            break
        killed += 1
    sys.stdout.write(json.dumps({"killed": killed, "old": machine.content(OLD)}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])

"""Puts this installation's firmware onto boards, by mpremote."""

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from companion.core.install import install_command
from companion.core.text import msg
from companion.devices.errors import DeviceError
from companion.devices.pods.port import explain, open_stream
from companion.devices.pods.sentences import sentence

GONE_S: Final = 2.0
"""Time in which a board with firmware restarts without it. A new board does not restart."""

BOARD_S: Final = 15.0
"""Timeout for a board's port after a restart."""

COPY_S: Final = 120.0
"""Timeout for copying everything onto a board."""

LOOK_S: Final = 0.1

IDENTITY: Final = "import binascii, machine; print(binascii.hexlify(machine.unique_id()).decode().upper())"
"""A program that prints the board's identity."""

MAIN: Final = "main.py"
"""The last file to copy: it can report that another one is missing or of another version."""

PINS: Final = "pins.py"
"""The owner's file."""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def firmware_folder() -> Path:
    """Return the firmware's folder, in the package or in a checkout."""
    package = Path(__file__).parents[2]
    installed = package / "firmware"
    return installed if installed.is_dir() else package.parent / "hardware" / "pod"


def firmware_files() -> list[Path]:
    """Return the firmware's files in the order to copy them. Raise DeviceError if there are none."""
    files = sorted(firmware_folder().glob("*.py"), key=lambda file: (file.name == MAIN, file.name))
    if not files:
        raise DeviceError(msg("no firmware in {folder}: reinstall the companion", folder=firmware_folder()))
    return files


@cache
def firmware_version() -> str:
    """Return the version of the firmware in the folder. Raise DeviceError if there is none."""
    [pod] = [file for file in firmware_files() if file.name == "pod.py"]
    [version] = re.findall(r'^FIRMWARE = "(.+)"$', pod.read_text("utf-8"), re.MULTILINE)
    return str(version)


def need_mpremote() -> None:
    """Raise DeviceError if mpremote is not installed."""
    if find_spec("mpremote") is None:
        raise DeviceError(msg("mpremote is not installed: {get}", get=install_command("pod")))


def update(path: str, run: Run = subprocess.run) -> None:
    """Replace the firmware of the pod at a port, except for its pins.py. Raise DeviceError."""
    need_mpremote()
    copy(path, [file for file in firmware_files() if file.name != PINS], run)


def copy(path: str, files: Iterable[Path], run: Run = subprocess.run) -> str:
    """Copy files onto the board at a port and restart it. Return its identity. Raise DeviceError."""
    _ask_for_prompt(path)
    wait(lambda: not Path(path).exists(), GONE_S)
    wait(Path(path).exists, BOARD_S)
    command = ["exec", IDENTITY, "+", "fs", "cp", *map(str, files), ":", "+", "reset"]
    try:
        done = run(
            [sys.executable, "-m", "mpremote", "connect", path, *command],
            capture_output=True,
            text=True,
            check=False,
            timeout=COPY_S,
        )
    except subprocess.TimeoutExpired:
        raise DeviceError(
            msg("{path}: the board does not answer mpremote. Plug it in again, then try again", path=path)
        ) from None
    if done.returncode:
        raise DeviceError(
            msg(
                "{path}: mpremote: {why}. Is MicroPython on the board? Hold BOOTSEL, plug it in, and run: "
                "companion pod flash --micropython FILE.uf2",
                path=path,
                why=(done.stderr or done.stdout).strip() or done.returncode,
            )
        )
    return next(iter(done.stdout.split()), "")


def wait(true: Callable[[], bool], most_s: float) -> None:
    end_s = time.monotonic() + most_s
    while not true() and time.monotonic() < end_s:
        time.sleep(LOOK_S)


def _ask_for_prompt(path: str) -> None:
    """Ask the firmware, if any, to let tools in."""
    try:
        stream = open_stream(path)
    except OSError as error:
        raise DeviceError(msg("{path}: {why}", path=path, why=explain(error))) from error
    with closing(stream):
        stream.write(sentence("UPD").encode())

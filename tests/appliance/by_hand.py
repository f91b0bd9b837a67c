"""A machine to try: python -m tests.appliance.by_hand WORD [ARGUMENT]

    start              boot a fresh disk with the table, and wait until it is ready
    shell COMMAND      run a line of a root shell in it
    shot PICTURE.png   save a screenshot
    key NAME           press a key of its keyboard (a, 1, ret, esc, ...)
    press LINE         press the button at a GPIO line (17 is the first seat's buzzer, 16 the house's ok)
    pad SEAT KEY...    press keys of a seat's number pad
    kill               pull the plug; start continues with the same disk
    stop               shut it down, and delete its disk

Its files are in build/machine of the checkout.
"""

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.appliance import disk_images
from tests.appliance.machine import Build, Machine, MachineError, copy_of, kept
from tests.kernel.guest_images import CHECKOUT, ImageError

FOLDER: Final = CHECKOUT / "build" / "machine"
WRONG_USE: Final = 2


def start() -> None:
    images = disk_images.wanted(os.environ)
    disk_images.build_disk(images)
    FOLDER.mkdir(parents=True, exist_ok=True)
    disk = FOLDER / "disk.img"
    if not disk.exists():
        copy_of(images.disk, FOLDER)
    if Machine(FOLDER).runs:
        raise MachineError(f"it runs already, in {FOLDER}")
    machine = Machine.start(Build(images.kernel, [kept(disk)]), FOLDER, stays=True)
    machine.wait_for_table()
    print(f"the table is ready after {machine.age_s:.0f} s")


def run(machine: Machine, word: str, arguments: Sequence[str]) -> int:
    match word, arguments:
        case "shell", [_, *_]:
            status, said = machine.attempt(" ".join(arguments))
            print(said)
            return status
        case "shot", [picture]:
            machine.shot(Path(picture))
        case "key", [name]:
            machine.key(name)
        case "press", [line]:
            pull = f"/run/lines/sim_gpio{int(line)}/pull"
            machine.run(f"echo pull-down >{pull}; sleep 0.08; echo pull-up >{pull}")
        case "pad", [_, _, *_]:
            machine.run(f"echo {shlex.join(arguments)} >/run/pads")
        case "kill", []:
            machine.pull_the_plug()
        case "stop", []:
            machine.power_off()
            (FOLDER / "disk.img").unlink()
        case _:
            print(__doc__, file=sys.stderr)
            return WRONG_USE
    return 0


def main(words: Sequence[str]) -> int:
    try:
        if list(words) == ["start"]:
            start()
            return 0
        return run(Machine(FOLDER), *(words[0], words[1:]) if words else ("", ()))
    except (MachineError, ImageError, OSError) as error:
        print(f"machine: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

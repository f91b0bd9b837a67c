"""Starts the pod: its firmware, or its safe mode after three crashes in a row.

It imports only MicroPython's modules at first, since any other file may be what crashes.
"""

import os
import sys

import machine

PROMPT = "prompt"
"""A file that makes the next start end in MicroPython's prompt."""

CRASH = "crash.txt"
"""The first traceback since this file was removed."""

CRASHES_MOST = 3

COUNT = 0x40058018
"""Scratch register 3 of the RP2040's watchdog. It survives a reset, and writing it does not wear the flash."""

MARK = 0x504F4400
"""Added to the count, so that another program's value is not read as one."""


def crashes():
    """Return the number of crashes in a row."""
    count = machine.mem32[COUNT] - MARK
    return count if 0 <= count <= CRASHES_MOST else 0


def count(number):
    machine.mem32[COUNT] = MARK + number


def prompt():
    """Restart into MicroPython's prompt."""
    with open(PROMPT, "w"):
        pass
    machine.reset()


def main():
    """Run forever, or end in MicroPython's prompt."""
    if PROMPT in os.listdir():
        os.remove(PROMPT)
        count(0)
        return
    before = crashes()
    if before == CRASHES_MOST:
        import safe  # noqa: PLC0415  a good start needs no room for it

        safe.listen(prompt)
        return
    count(before + 1)  # in advance, since a firmware that hangs cannot count itself
    try:
        import run  # noqa: PLC0415  the import may be what crashes

        run.run(prompt, good=lambda: count(1))
    except Exception as error:  # noqa: BLE001  it is written down, and the host hears of a new start
        if CRASH not in os.listdir():
            with open(CRASH, "w") as file:
                sys.print_exception(error, file)
        machine.reset()


if __name__ == "__main__":
    main()

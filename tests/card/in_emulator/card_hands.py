"""The people at a card in the emulator: a pod at the first seat, pads at the next two."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.appliance.hands import Hands
from tests.appliance.machine import Machine, MachineError
from tests.card.in_emulator.card import POD, POD_SECRET, Card
from tests.devices.pod_pty import LinePod

POD_SEAT: Final = 0
HOLD_S: Final = 0.1
BETWEEN_S: Final = 0.15
LINE_S: Final = 30.0

HOUSE: Final = {"ok": "f5", "undo": "f9", "pause": "f10", "menu": "esc"}
"""QEMU's names of keys."""


def plug_pod(line: Path) -> LinePod:
    """Plug the pod into the emulator's serial line."""
    end_s = time.monotonic() + LINE_S
    board = socket.socket(socket.AF_UNIX)
    while True:
        try:
            board.connect(str(line))
        except OSError:
            if time.monotonic() > end_s:
                board.close()
                raise MachineError(f"there is no serial line {line}") from None
            time.sleep(0.05)
        else:
            return LinePod(board.detach(), POD, secret=POD_SECRET)


class CardHands(Hands):
    pause_s = 3.0  # the emulated processor draws one or two pictures a second

    pod: LinePod

    def buzz(self, *seats: int) -> None:
        """Press the pod's buzzer; other seats press a key."""
        for seat in seats:
            if seat != POD_SEAT:
                self.keys(seat, "A")
                continue
            self.pod.buzz(1)
            time.sleep(HOLD_S)
            self.pod.buzz(0)
            time.sleep(BETWEEN_S)

    def house(self, *controls: str) -> None:
        """Press keys of the keyboard, and wait for the picture."""
        for control in controls:
            self.machine.key(HOUSE[control])
            time.sleep(self.pause_s)

    def keys(self, seat: int, *keys: str) -> None:
        if seat != POD_SEAT:
            super().keys(seat, *keys)
            return
        for key in keys:
            self.pod.key(key)
            time.sleep(BETWEEN_S)


@contextmanager
def seated(card: Card, folder: Path) -> Iterator[CardHands]:
    """Run a machine with a card, a pod and number pads."""
    line = folder / "pod"
    with Machine.start(card.build(plugged=line), folder) as machine:
        hands = CardHands(machine, folder)
        hands.pod = plug_pod(line)
        yield hands
        hands.pod.vanish()

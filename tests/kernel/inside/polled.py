"""Input devices made by uinput as the real ones describe themselves, polled as USB polls them."""

import json
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

PHYS: Final = "usb-0000:01:00.0-1.{socket}/input0"

START_NS: Final = 2_000_000
"""The time until the first contact moves."""

SPIN_NS: Final = 150_000


@dataclass(frozen=True)
class Model:
    """What a device says of itself. `axes` have a range of 0 to 255."""

    name: str
    vendor: int
    product: int
    keys: tuple[int, ...]
    axes: tuple[int, ...] = ()


BUZZ_WIRED: Final = Model("Logitech Logitech Buzz(tm) Controller V1", 0x054C, 0x0002, tuple(range(0x2C0, 0x2D4)))
BUZZ_WIRED_GENERIC: Final = Model(
    "Logitech Logitech Buzz(tm) Controller V1", 0x054C, 0x0002, (*range(0x120, 0x130), *range(0x2C0, 0x2C4)), (0, 1)
)
GAMEPAD: Final = Model(
    "Microsoft X-Box 360 pad",
    0x045E,
    0x028E,
    (*range(0x130, 0x132), *range(0x133, 0x135), *range(0x136, 0x138), *range(0x13A, 0x13F)),
    (0, 1, 2, 3, 4, 5, 16, 17),
)
ENCODER: Final = Model(
    "DragonRise Inc.   Generic   USB  Joystick  ", 0x0079, 0x0006, tuple(range(0x120, 0x12C)), (0, 1, 2, 5)
)
PEDAL: Final = Model("PCsensor FootSwitch Keyboard", 0x3553, 0xB001, tuple(range(1, 120)))
REMOTE: Final = Model("Logitech USB Receiver", 0x046D, 0xC538, (1, 52, 63, 104, 109))


class Polled:
    """A plugged-in device in a process of its own.

    Its contacts are simulated, so it is known exactly when they moved. A change is reported at the next poll after
    `lag_ns`, as firmware that debounces would.
    """

    def __init__(self, model: Model, socket: int, interval_ns: int = 8_000_000) -> None:
        self.phys = PHYS.format(socket=socket)
        said = {**asdict(model), "phys": self.phys, "interval_ns": interval_ns}
        self._process = subprocess.Popen(
            [sys.executable, "-u", __file__, json.dumps(said)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.path = Path(self._told())

    def play(self, moves: Iterable[Sequence[int]]) -> list[int]:
        """Move contacts (wait in ns, key, pressed, lag in ns) and return when each moved."""
        assert self._process.stdin
        self._process.stdin.write(f"{json.dumps(list(moves))}\n")
        self._process.stdin.flush()
        times: list[int] = self._told()
        return times

    def tap(self, key: int) -> int:
        return self.play([(0, key, 1, 0), (80_000_000, key, 0, 0)])[0]

    def unplug(self) -> None:
        with self._process:
            self._process.kill()

    def _told(self) -> Any:
        assert self._process.stdout
        return json.loads(self._process.stdout.readline())


def _serve(said: dict[str, Any]) -> None:
    import os  # noqa: PLC0415

    from evdev import AbsInfo, UInput, ecodes  # noqa: PLC0415

    axes = [(axis, AbsInfo(128, 0, 255, 0, 0, 0)) for axis in said["axes"]]
    events = {ecodes.EV_KEY: said["keys"], **({ecodes.EV_ABS: axes} if axes else {})}
    device = UInput(events, said["name"], said["vendor"], said["product"], 0x111, ecodes.BUS_USB, phys=said["phys"])
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(40))
    print(json.dumps(str(device.device.path)))
    phase_ns = time.monotonic_ns()
    for line in sys.stdin:
        times, reports = [], dict[int, list[tuple[int, int]]]()
        t_ns = time.monotonic_ns() + START_NS
        for wait_ns, key, pressed, lag_ns in json.loads(line):
            t_ns += wait_ns
            times.append(t_ns)
            poll = -((phase_ns - t_ns - lag_ns) // said["interval_ns"])
            reports.setdefault(phase_ns + poll * said["interval_ns"], []).append((key, pressed))
        for poll_ns in sorted(reports):
            time.sleep(max(0, poll_ns - time.monotonic_ns() - SPIN_NS) / 1e9)
            while time.monotonic_ns() < poll_ns:
                pass
            for key, pressed in sorted(reports[poll_ns]):
                device.write(ecodes.EV_KEY, key, pressed)
            device.syn()
        print(json.dumps(times))


if __name__ == "__main__":
    _serve(json.loads(sys.argv[1]))

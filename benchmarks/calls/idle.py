"""Measures an idle table in a separate process: its wake-ups and its share of the processor.

Usage: python -m benchmarks.calls.idle SOURCE alone|display|house SECONDS
"""

import json
import os
import resource
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Final

from benchmarks.calls.ours import NO_HOUSE, judge
from companion.devices.lines import HouseWiring

WITH: Final = ("alone", "display", "house")
"""Buzzers, lamps and referee; these and the display; these and house buttons."""

STARTED_S: Final = 2


def rest(beside: str, seconds: float) -> None:
    if beside != "display":
        time.sleep(seconds)
        return
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    from companion.display.window import Frames, Window  # noqa: PLC0415  the other processes shall not hold it

    frames = Frames()
    window = Window(virtual=False)
    threading.Timer(seconds, frames.put, [None]).start()
    window.run(frames, print, print)  # type: ignore[arg-type]
    window.close()


def main(source: str, beside: str, seconds: float) -> None:
    house = HouseWiring() if beside == "house" else NO_HOUSE
    with tempfile.TemporaryDirectory() as folder, judge(source, Path(folder), house):
        rest(beside, STARTED_S)
        woken, used_s, began_s = _woken(), time.process_time(), time.monotonic()
        rest(beside, seconds)
        lasted_s = time.monotonic() - began_s
        figures = {
            "wakes_per_s": (_woken() - woken) / lasted_s,
            "share_of_core": (time.process_time() - used_s) / lasted_s,
        }
        print(json.dumps(figures))


def _woken() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw  # the context switches of all threads


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))

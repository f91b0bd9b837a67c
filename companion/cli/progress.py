"""A bar for work that takes its time."""

import sys
import time
from collections.abc import Callable
from typing import Final

from companion.core.text import _

_WIDTH: Final = 40


def progress() -> Callable[[int, int], None]:
    """Return what draws how much is done on standard error, and nothing when nobody looks."""
    began, terminal = time.monotonic(), sys.__stderr__  # which goes back to the beginning of the line

    def show(done: int, matches: int) -> None:
        if terminal is None or not terminal.isatty():
            return
        bar = "#" * (_WIDTH * done // matches)
        left_s = (time.monotonic() - began) / done * (matches - done)
        line = _("{done}/{matches}, {s:.0f} s left").format(done=done, matches=matches, s=left_s)
        end = "\n" if done == matches else ""
        terminal.write(f"\r[{bar:.<{_WIDTH}}] {line}   {end}")
        terminal.flush()

    return show

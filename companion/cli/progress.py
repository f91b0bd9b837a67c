"""A progress bar."""

import sys
import time
from collections.abc import Callable
from typing import Final

from companion.core.text import _

_WIDTH: Final = 40


def progress() -> Callable[[int, int], None]:
    """Return a callback (done, total) that draws a bar if standard error is a terminal."""
    began, terminal = time.monotonic(), sys.__stderr__  # sys.stderr would escape the carriage return

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

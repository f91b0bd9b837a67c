"""The companion's keys on USB number pads."""

from pathlib import Path
from typing import Final

from companion.devices.inputs.found import SYSFS, Here, inputs_here

# Key codes of the kernel's include/uapi/linux/input-event-codes.h.
KEY_OF: Final = {
    # The digits of a pad, then of a row.
    **dict(zip((82, 79, 80, 81, 75, 76, 77, 71, 72, 73), "0123456789", strict=True)),
    **dict(zip((11, 2, 3, 4, 5, 6, 7, 8, 9, 10), "0123456789", strict=True)),
    # Without NumLock: insert, end, down, page down, left, clear, right, ...
    **dict(zip((110, 107, 108, 109, 105, 355, 106, 102, 103, 104), "0123456789", strict=True)),
    **{96: "#", 28: "#"},  # enter
    **{55: "*", 14: "*"},  # asterisk, backspace
    **{98: "A", 53: "A"},  # slash
    **{74: "B", 12: "B"},  # minus
    **{78: "C"},  # plus
    **{83: "D", 52: "D", 121: "D", 111: "D"},  # dot, comma, delete
}
"""The companion's keys by key code."""

# In a row, and on a pad.
_ROW_DIGITS: Final = frozenset(range(2, 12))
_PAD_DIGITS: Final = frozenset((71, 72, 73, 75, 76, 77, 79, 80, 81, 82))


def pads_here(sysfs: Path = SYSFS) -> list[Here]:
    """Return the devices with all digits."""
    return [here for here in inputs_here(sysfs) if here.keys >= _PAD_DIGITS or here.keys >= _ROW_DIGITS]

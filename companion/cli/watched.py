"""A match told on a terminal: the table as a text picture, and below it the last sentences, at a pace to read."""

import os
import re
import shutil
import time
from collections import deque
from collections.abc import Callable
from typing import IO, Final

from companion.core.event import BAD, GOOD, Event
from companion.core.match import Match
from companion.core.text import printable

SENTENCE_S: Final = 0.25
"""The shortest time between two sentences."""

LONGEST_S: Final = 1.0
"""The longest one."""

LEAST_STORY: Final = 4
"""The fewest sentences below a picture; a lower terminal shows sentences alone."""

_INKS: Final = {
    "red": "91",
    "orange": "33",
    "yellow": "93",
    "green": "92",
    "sky": "96",
    "blue": "94",
    "purple": "35",
    "pink": "95",
}
"""The terminal's colour for each colour of the palette."""

_TONES: Final = {GOOD: "32", BAD: "31"}

_HOME, _REST_OF_LINE, _REST_OF_SCREEN = "\x1b[H", "\x1b[K", "\x1b[J"


def takes_pictures(stream: IO[str] | None) -> bool:
    """Tell whether a stream is a terminal that can be written over."""
    return stream is not None and stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"


class Watched:
    """Tells a match on a terminal. Colours are left out where the environment has NO_COLOR.

    After each picture the colours are off and the cursor is below it, so it can be interrupted at any time.
    """

    def __init__(self, match: Match, out: IO[str], wait: Callable[[float], None] = time.sleep) -> None:
        self._match, self._out, self._wait = match, out, wait
        self._columns, self._rows = shutil.get_terminal_size()
        self._coloured = not os.environ.get("NO_COLOR")
        self._names = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in match.names))
        self._story: deque[str] = deque(maxlen=self._rows)
        self._told_ns = 0
        out.write("\n" * self._rows)  # what stood there can be scrolled back to

    def tell(self, t_ns: int, told: Event, sentence: str) -> None:
        """Tell a sentence after the time that it came later than the last one, as far as that is good to read."""
        self._wait(min(max(SENTENCE_S, (t_ns - self._told_ns) / 1e9), LONGEST_S))
        self._told_ns = t_ns
        self._story.append(self._painted(sentence, _TONES.get(told.data.tone, "")))
        picture = self._match.game.teller.picture(self._match.view(), self._match.names, str).splitlines()
        room = self._rows - len(picture) - 2
        if room < LEAST_STORY:
            self._out.write(f"{self._story[-1]}\n")
        else:
            lines = [*map(self._painted, picture), "", *list(self._story)[-room:]]
            self._out.write("".join((_HOME, *(f"{line}{_REST_OF_LINE}\n" for line in lines), _REST_OF_SCREEN)))
        self._out.flush()

    def _painted(self, text: str, tone: str = "") -> str:
        """Return a line that fits, with the names in the colours of their seats."""
        line = printable(text)[: self._columns]
        if not self._coloured:
            return line
        colours = self._match.game.teller.colours(self._match.view())
        inks = dict(zip(self._match.names, (_INKS.get(colour, "39") for colour in colours), strict=True))
        named = self._names.sub(lambda name: f"\x1b[1;{inks[name[0]]}m{name[0]}\x1b[0;{tone}m", line)
        return f"\x1b[{tone}m{named}\x1b[0m"

"""Shows a match on a terminal: a text picture above the last sentences."""

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
"""Minimum time between sentences."""

LONGEST_S: Final = 1.0

LEAST_STORY: Final = 4
"""Minimum sentences below a picture. Smaller terminals show only sentences."""

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

_TONES: Final = {GOOD: "32", BAD: "31"}

_HOME, _REST_OF_LINE, _REST_OF_SCREEN = "\x1b[H", "\x1b[K", "\x1b[J"


def takes_pictures(stream: IO[str] | None) -> bool:
    return stream is not None and stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"


class Watched:
    """Narrates a match on a terminal, without colours if NO_COLOR is set.

    Between calls, colours are off and the cursor is below the picture.
    """

    def __init__(self, match: Match, out: IO[str], wait: Callable[[float], None] = time.sleep) -> None:
        self._match, self._out, self._wait = match, out, wait
        self._columns, self._rows = shutil.get_terminal_size()
        self._coloured = not os.environ.get("NO_COLOR")
        self._names = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in match.names))
        self._story: deque[str] = deque(maxlen=self._rows)
        self._told_ns = 0
        out.write("\n" * self._rows)  # older output stays in the scrollback

    def tell(self, t_ns: int, told: Event, sentence: str) -> None:
        """Show a sentence after its delay in the match, within SENTENCE_S and LONGEST_S."""
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
        """Crop a line and colour the players' names."""
        line = printable(text)[: self._columns]
        if not self._coloured:
            return line
        colours = self._match.game.teller.colours(self._match.view())
        inks = dict(zip(self._match.names, (_INKS.get(colour, "39") for colour in colours), strict=True))
        named = self._names.sub(lambda name: f"\x1b[1;{inks[name[0]]}m{name[0]}\x1b[0;{tone}m", line)
        return f"\x1b[{tone}m{named}\x1b[0m"

"""The content of pages and pictures of statistics: plain values, row by row."""

from typing import Final, NamedTuple

PLAYER_COLOURS: Final = ("red", "orange", "yellow", "green", "sky", "blue", "purple", "pink")
"""The names of all colours of the palette; a ninth player has none."""


class Label(NamedTuple):
    """The player of a row, with `detail` below the name, and a mark in the player's `colour`."""

    name: str
    detail: str = ""
    colour: str = ""


class Share(NamedTuple):
    """A share from 0 to 1 with its interval, the share by luck alone, and its text."""

    label: Label
    share: float
    low: float
    high: float
    luck: float
    told: str


class Times(NamedTuple):
    """Times in seconds, with the ends of their middle half, their median, and a text."""

    label: Label
    times_s: tuple[float, ...]
    low_s: float
    median_s: float
    high_s: float
    told: str


class CloseCall(NamedTuple):
    """Two presses: how much later the second was, the uncertainty of both, which of them won, and a text.

    `judged` is the verdict in a word, `where` the match.
    """

    labels: tuple[Label, Label]
    won: tuple[bool, bool]
    after_ms: float
    uncertain_ms: tuple[float, float]
    told: str
    judged: str = ""
    where: str = ""


class GamePlayed(NamedTuple):
    """The play of one game: its drawing, its title, and numbers in words."""

    emblem: str
    title: str
    matches: str
    time: str
    each: str = ""


Rows = tuple[GamePlayed, ...] | tuple[Share, ...] | tuple[Times, ...] | tuple[CloseCall, ...]


class Signs(NamedTuple):
    """The reader's decimal separator and percent sign."""

    point: str = "."
    percent: str = "%"


class StatsPage(NamedTuple):
    """Page `page` of `of`, counted from 1: rows of one kind below a title, and a note below them."""

    title: str
    rows: Rows
    note: str = ""
    page: int = 1
    of: int = 1
    signs: Signs = Signs()

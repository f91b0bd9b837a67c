"""What pages and pictures of statistics are told to show: plain values, row by row."""

from typing import Final, NamedTuple

PLAYER_COLOURS: Final = ("red", "orange", "yellow", "green", "sky", "blue", "purple", "pink")
"""The names of all colours of the palette; there is no other for a ninth player."""


class Label(NamedTuple):
    """Whose row it is; with the name of a colour that and its mark are drawn, `detail` stands below the name."""

    name: str
    detail: str = ""
    colour: str = ""


class Share(NamedTuple):
    """A share from 0 to 1 with its interval, what luck alone gives, and how it is told."""

    label: Label
    share: float
    low: float
    high: float
    luck: float
    told: str


class Times(NamedTuple):
    """Times in seconds, with the ends of their middle half and their median, and how that is told."""

    label: Label
    times_s: tuple[float, ...]
    low_s: float
    median_s: float
    high_s: float
    told: str


class CloseCall(NamedTuple):
    """Two presses: how much later the second was, how uncertain both are, who of them won, and how it is told.

    `judged` says it in a word, `where` in which match it was.
    """

    labels: tuple[Label, Label]
    won: tuple[bool, bool]
    after_ms: float
    uncertain_ms: tuple[float, float]
    told: str
    judged: str = ""
    where: str = ""


class GamePlayed(NamedTuple):
    """How much a game was played: a drawing that stands for it, its title, and numbers in words."""

    emblem: str
    title: str
    matches: str
    time: str
    each: str = ""


Rows = tuple[GamePlayed, ...] | tuple[Share, ...] | tuple[Times, ...] | tuple[CloseCall, ...]


class Signs(NamedTuple):
    """How its reader writes numbers: what stands before the digits of a fraction, and behind a per cent."""

    point: str = "."
    percent: str = "%"


class StatsPage(NamedTuple):
    """The `page`th of so many pages, counted from 1: rows of one kind below a title, a sentence below them."""

    title: str
    rows: Rows
    note: str = ""
    page: int = 1
    of: int = 1
    signs: Signs = Signs()

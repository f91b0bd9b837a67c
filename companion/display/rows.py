"""The rows of statistics, as plain values."""

from typing import Final, NamedTuple

PLAYER_COLOURS: Final = ("red", "orange", "yellow", "green", "sky", "blue", "purple", "pink")
"""The colours of the palette. A ninth player has none."""


class Label(NamedTuple):
    """The player of a row. `colour` is that of a mark."""

    name: str
    detail: str = ""
    colour: str = ""


class Share(NamedTuple):
    """A share from 0 to 1 with its interval. `luck` is the share by luck alone."""

    label: Label
    share: float
    low: float
    high: float
    luck: float
    told: str


class Times(NamedTuple):
    """Times with the ends of their middle half and their median."""

    label: Label
    times_s: tuple[float, ...]
    low_s: float
    median_s: float
    high_s: float
    told: str


class CloseCall(NamedTuple):
    """Two presses: the delay of the second, the uncertainty and success of both. `where` names the match."""

    labels: tuple[Label, Label]
    won: tuple[bool, bool]
    after_ms: float
    uncertain_ms: tuple[float, float]
    told: str
    judged: str = ""
    where: str = ""


class GamePlayed(NamedTuple):
    """How much a game was played, in words."""

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
    """Page `page` of `of`, counted from 1: rows of one kind, and a note below them."""

    title: str
    rows: Rows
    note: str = ""
    page: int = 1
    of: int = 1
    signs: Signs = Signs()

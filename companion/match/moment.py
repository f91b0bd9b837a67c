"""A snapshot of a match for its presenters."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from companion.core.console import Console, PlayerPrompt, Stage
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.place import Place
from companion.core.rules import State
from companion.core.text import Render, Text
from companion.display.frame import Beat
from companion.match.lessons import Tutor
from companion.match.news import News
from companion.match.photo_finish import Finish
from companion.match.piece_tasks import PieceTasks
from companion.match.rekeying import Rekeying
from companion.referee.pacing import TimeLimit
from companion.referee.step_result import Pause


@dataclass(frozen=True, eq=False, repr=False)
class Moment:
    """The state of a match at one moment. Its repr is empty, since `entries` may be secret.

    `state` is the position that is shown: during the drum, the one `before` the reveal. `to_act` are the seats that
    may move in it. `dealt` is True if the companion deals, `wired` if there are real devices. `nudged` seats are
    being reminded. The `lender` lends its keypad to the house; with `lends` the house does not have one.
    """

    match: Match
    console: Console
    stage: Stage
    pauses: tuple[Pause, ...]
    over: bool
    left: bool
    dealt: bool
    deals_first: bool
    player_prompt: PlayerPrompt | None
    limit: TimeLimit | None
    entries: Mapping[Seat, str]

    state: State
    before: State | None
    to_act: tuple[Seat, ...]
    beat: Beat
    reveals: bool
    hidden: bool
    now_ns: int

    places: tuple[Place, ...]
    seats: Mapping[Place, Seat]
    people: AbstractSet[Place]
    badges: tuple[Text | None, ...]
    wired: bool

    piece_tasks: PieceTasks | None
    rekeying: Rekeying | None
    tutor: Tutor | None
    lender: Seat | None
    lends: bool
    nudged: AbstractSet[Seat]
    lost: AbstractSet[Seat]
    early: AbstractSet[Seat]
    refused: Mapping[Seat, Text]
    turned: Mapping[Seat, int]
    news: News
    finish: Finish
    read: Render

"""The content of the display as plain values: an equal frame is not drawn again."""

from enum import StrEnum
from typing import Final, Generic, NamedTuple

from companion.core.console import Lamp
from companion.core.move import Seat
from companion.core.place import Place
from companion.core.rules import ViewT
from companion.core.text import Render, Text
from companion.display.rows import StatsPage
from companion.display.self_test_rows import Findings, SelfTest


class Side(NamedTuple):
    """A strip at the edge of the display.

    `lit` means that the seat may act. `tone` is `good`, `bad`, `nudge` (reminded) or empty. `older` sentences and a
    handicap's `badge` are shown if there is room. A strip with a `place` is always at the same edge; others are
    spread around the display.
    """

    name: str = ""
    note: str = ""
    lit: bool = False
    seat: Seat | None = None
    tone: str = ""
    picture: str = ""
    older: tuple[str, ...] = ()
    badge: str = ""
    place: Place | None = None


class Poster(NamedTuple):
    """A page of text. The first of `pictures` is large, the others are in a row."""

    title: str
    lines: tuple[str, ...] = ()
    hint: str = ""
    trouble: bool = False
    pictures: tuple[str, ...] = ()


class Menu(NamedTuple):
    """A numbered list. `detail` explains the selected line.

    `pictures` and `notes` (second rows) have one entry for each line, or none. Lines in `grey` cannot be chosen.
    """

    title: str
    items: tuple[str, ...]
    selected: int
    detail: str = ""
    hint: str = ""
    pictures: tuple[str, ...] = ()
    pages: str = ""
    notes: tuple[str, ...] = ()
    grey: tuple[int, ...] = ()


class HelpPage(NamedTuple):
    """A page of help or of a lesson: rows of a sign and its meaning.

    A sign is a key (`5`, `#`), a range (`1-6`), several of these with spaces, the name of a drawing, perhaps with a
    colour (`car:pink`), or empty.
    """

    title: str
    rows: tuple[tuple[str, str], ...]
    picture: str = ""
    hint: str = ""
    number: int = 1
    of: int = 1


class Beat(StrEnum):
    """The stages of a reveal."""

    CALM = "calm"
    """No reveal: the scene shows `view`."""

    DRUM = "drum"
    """All secrets are locked but hidden: `view` is the one before the reveal."""

    REVEALED = "revealed"
    """Secrets are open but without effect yet: `view` is the new one, `before` the old one."""

    FINISH = "finish"
    """The photo finish of the last call covers the scene."""


class PressKind(StrEnum):
    """The kind of a press in a photo finish."""

    CALL = "call"
    EARLY = "early"
    """A false start, before anybody could see the card."""
    LATE = "late"
    """Reported after the verdict, too late to count."""


class PressLine(NamedTuple):
    """A press in a photo finish, `after_ns` after the earliest one.

    `first` marks the first, or all of a tie. With a handicap, the press was made `handicap_ns` before it counts.
    """

    seat: Seat
    name: str
    after_ns: int
    uncertainty_ns: int
    first: bool
    kind: PressKind = PressKind.CALL
    handicap_ns: int = 0
    badge: str = ""


class PhotoFinish(NamedTuple):
    """A contested call: all presses in order, the margin, and the verdict in words.

    Presses within `tie_margin_ns` of the earliest are a tie. `point` is the decimal separator.
    """

    presses: tuple[PressLine, ...]
    margin_ns: int
    tie_margin_ns: int
    verdict: str
    colours: tuple[str, ...] = ()
    hint: str = ""
    point: str = "."


class Tape(NamedTuple):
    """A replay after `move` of `of` moves. `photos` are the moves with a photo finish."""

    move: int
    of: int
    plays: bool = False
    photos: tuple[int, ...] = ()


class Plain(NamedTuple):
    """A position in words and numbers, for a game without a scene. `lines` are the text picture."""

    title: str
    lines: tuple[str, ...]
    scores: tuple[int | None, ...]
    colours: tuple[str, ...]
    last: str = ""
    winners: tuple[Seat, ...] = ()


class HouseCode(NamedTuple):
    """Something that the house can key or press now, with its meaning."""

    keys: str
    text: str = ""
    picture: str = ""
    colour: str = ""


class HousePlace(NamedTuple):
    """The house's band: its task, the codes for it, and the input with its meaning.

    `refused` is why the last key was refused. `lent` says whose keypad is the house's now, `hint` how to lend one.
    """

    task: str
    codes: tuple[HouseCode, ...] = ()
    keyed: str = ""
    meaning: str = ""
    refused: str = ""
    lent: str = ""
    hint: str = ""


class Play(NamedTuple, Generic[ViewT]):
    """A match, or its replay with a `tape`. The module `scene` draws `view`.

    If `scene` is empty, `plain` is shown. `house` is None while the house has nothing to do.
    """

    scene: str
    view: ViewT
    beat: Beat = Beat.CALM
    before: ViewT | None = None
    finish: PhotoFinish | None = None
    tape: Tape | None = None
    plain: Plain | None = None
    house: HousePlace | None = None


class ResultLine(NamedTuple):
    """A line of the ranking. A `place` may be shared; `how` is the final standing in words."""

    place: int
    seat: Seat
    name: str
    how: str = ""


class Curve(NamedTuple):
    """A seat's score over the match, None before its first value."""

    seat: Seat
    name: str
    values: tuple[int | None, ...]
    colour: str


class Chart(NamedTuple):
    """The scores over the match. `what` is the unit."""

    what: str
    curves: tuple[Curve, ...]


CELEBRATION_NS: Final = 5_000_000_000
"""How long the display and the lamps celebrate a result."""


class Result(NamedTuple):
    """The end of a match. If it has just ended, it `celebrates`."""

    title: str
    reason: str
    standings: tuple[ResultLine, ...]
    hint: str = ""
    chart: Chart | None = None
    moment: str = ""
    celebrates: bool = False


class PastMatch(NamedTuple):
    """A line of the list of past matches. `signs` are drawings; `note` explains missing names."""

    emblem: str = ""
    winners: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    when: str = ""
    signs: tuple[str, ...] = ()
    note: str = ""


class PastMatches(NamedTuple):
    """A page of past matches. `selected` is a line's key. `older` and `newer` name other pages, if any."""

    title: str
    lines: tuple[PastMatch, ...]
    selected: str
    older: str = ""
    newer: str = ""
    hint: str = ""


class Answer(NamedTuple):
    """An answer to a question about a box; `chosen` marks the current one.

    `sign` is a drawing, perhaps with a colour, `mark:` and a colour for that colour's mark, or empty.
    """

    key: str
    sign: str
    label: str
    chosen: bool = False


class BoxPage(NamedTuple):
    """A question about a custom box, with `answers` to choose from or a `value` to key.

    The scene's module for boxes draws `drawn` and points at the square `spot`, a row and a column. Without `drawn`,
    the drawing `sign` is shown. `said` is a remark, or a mistake if `wrong`.
    """

    title: str
    answers: tuple[Answer, ...] = ()
    value: str = ""
    typed: bool = False
    scene: str = ""
    drawn: object = None
    spot: tuple[int, int] | None = None
    sign: str = ""
    said: str = ""
    wrong: bool = False
    hint: str = ""
    number: int = 1
    of: int = 1


class JoinCode(NamedTuple):
    """The QR code by which a phone joins a seat: `1` is dark. `letters` can be typed instead."""

    name: str
    rows: tuple[str, ...]
    letters: str = ""

    def __repr__(self) -> str:
        return f"JoinCode({self.name!r})"  # the code grants the seat


class JoinPage(NamedTuple):
    """Codes by which phones join: any free seat, or a certain one. For people at the table only."""

    title: str
    codes: tuple[JoinCode, ...]
    lines: tuple[str, ...] = ()
    hint: str = ""
    any_seat: JoinCode | None = None


class WallSeat(NamedTuple):
    """A player at a table of the wall. `turn`: the table waits for them. `leads`: they lead or have won."""

    name: str
    colour: str
    score: str = ""
    turn: bool = False
    leads: bool = False


class WallBoard(NamedTuple):
    """A table on the wall; a `lost` one is offline. Without a match, `note` says why."""

    table: str
    note: str = ""
    play: Play | None = None
    seats: tuple[WallSeat, ...] = ()
    lost: bool = False


class WallRow(NamedTuple):
    """A line of a tournament's standings. `share` is the share of the possible points."""

    rank: int
    player: str
    points: str
    share: float


class Wall(NamedTuple):
    """The tables of a club and a tournament's standings."""

    title: str
    boards: tuple[WallBoard, ...]
    standings: tuple[WallRow, ...] = ()
    page: str = ""
    note: str = ""


Screen = (
    Poster
    | Menu
    | HelpPage
    | BoxPage
    | JoinPage
    | Play
    | Result
    | PastMatches
    | StatsPage
    | SelfTest
    | Findings
    | Wall
)


class Look(NamedTuple):
    """The visual settings of all pictures. If `unhurried`, pieces move half as fast.

    `language` is for texts outside the frame; if empty, the user's environment decides.
    """

    high_contrast: bool = False
    large_text: bool = False
    motion: bool = True
    unhurried: bool = False
    language: str = ""


class Touchable(NamedTuple):
    """An area of a private picture to touch instead of `keys`: its part `thing`, or one beside it."""

    keys: str
    label: str
    thing: str = ""


class PrivatePicture(NamedTuple):
    """A picture for one seat only: the module `scene` draws `own`, a value of the console. `said` is its text."""

    scene: str
    own: object
    said: str
    look: Look = Look()
    touches: tuple[Touchable, ...] = ()


class Panel(NamedTuple):
    """A virtual seat beside the display; empty without a `name`.

    `keys` says which PC keys are its keypad: `digits`, `number pad` or none. `own` is set while somebody looks at
    it.
    """

    place: Place
    lamp: Lamp = Lamp.OFF
    lines: tuple[str, str] = ("", "")
    faults: tuple[str, ...] = ()
    plugged: bool = True
    keys: str = ""
    name: str = ""
    robot: bool = False
    own: PrivatePicture | None = None


class TimeLeft(NamedTuple):
    """A time limit of some seats. `ends_ns` is on the monotonic clock, None while it is not running."""

    seats: tuple[Seat, ...]
    length_ns: int
    ends_ns: int | None = None


class Hint(NamedTuple):
    """The next key for newcomers. `[#]` is a key of the place's keypad, `[buzz]` its buzzer, `[ok]` the house's."""

    text: str
    place: Place


class Frame(NamedTuple):
    """One picture of the whole display.

    `serial` identifies the newest frame when it is reported as shown. With `house`, its line, the PC's digit row is
    the house's keypad. `story` has the latest sentences, the oldest first.
    """

    serial: int
    screen: Screen
    sides: tuple[Side, ...]
    panels: tuple[Panel, ...] = ()
    calls_open: bool = False
    house: str | None = None
    story: tuple[str, ...] = ()
    look: Look = Look()
    limit: TimeLeft | None = None
    hint: Hint | None = None

    def looks_like(self, other: "Frame | None") -> bool:
        """Return True if the other frame is the same picture."""
        return other is not None and self._replace(serial=other.serial) == other


def told(text: Text | None, read: Render = str) -> str:
    """Return a text for its reader, empty for None."""
    return "" if text is None else read(text)

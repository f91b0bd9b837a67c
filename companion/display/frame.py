"""The content of the display: plain values, so that frames can be compared and nothing is drawn twice."""

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
    """A place's strip: who sits there, what that seat may do now, and whether it is that seat's turn.

    `seat` is its seat in the match that is shown, None without one. `tone` is `good`, `bad`, `nudge` for a seat
    that is reminded of its turn, or empty. `picture` is the drawing of the player. If there is room, the strip also
    shows `older` sentences before the note, and behind the name a `badge` for a handicap. A strip with a `place` is
    always at the same edge; the others are spread around the display.
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
    """A page with a title, some lines, a hint which keys to press, and drawings.

    The first of `pictures` is large, the others stand in a row.
    """

    title: str
    lines: tuple[str, ...] = ()
    hint: str = ""
    trouble: bool = False
    pictures: tuple[str, ...] = ()


class Menu(NamedTuple):
    """A numbered list; `detail` explains the selected line, `hint` says what to press.

    `pictures` has a drawing for each line, or none at all. `pages` says which page of several this is. `notes`
    has a second row for each line, or none at all. The `grey` lines cannot be taken.
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
    """A page of help or of a lesson: rows of a sign and what it means, and a drawing of what it is about.

    A sign is what stands on a key (`5`, `#`), a range of keys (`1-6`), several of them with spaces between, the
    name of a drawing, perhaps with a colour (`car:pink`), or empty. It is page `number` of `of`; `hint` says what
    to press.
    """

    title: str
    rows: tuple[tuple[str, str], ...]
    picture: str = ""
    hint: str = ""
    number: int = 1
    of: int = 1


class Beat(StrEnum):
    """Where the showing of a reveal is; a match between reveals is CALM."""

    CALM = "calm"
    """The scene shows `view`."""

    DRUM = "drum"
    """All secrets are locked and hidden: `view` is still the one before they were revealed."""

    REVEALED = "revealed"
    """Secrets are open, their effects are not shown yet: `view` is the new one, `before` the one before."""

    FINISH = "finish"
    """The photo finish of the last call covers the scene."""


class PressKind(StrEnum):
    """The kind of a press on a time line."""

    CALL = "call"
    EARLY = "early"
    """A false start, before anybody could see the card."""
    LATE = "late"
    """Reported after the verdict, too late to count."""


class PressLine(NamedTuple):
    """One press on the time line of a photo finish: when it was, after the earliest, and how uncertain that is.

    `first` are those who called first: several in a tie. It was made `handicap_ns` earlier than it counts;
    the `badge` says so.
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
    """A call that several claimed: all presses from first to last, the margin, and the verdict in words.

    `tie_margin_ns` is how close to the earliest counts as a tie, and `colours` are those of all seats of the match.
    `point` stands before the digits of a fraction.
    """

    presses: tuple[PressLine, ...]
    margin_ns: int
    tie_margin_ns: int
    verdict: str
    colours: tuple[str, ...] = ()
    hint: str = ""
    point: str = "."


class Tape(NamedTuple):
    """The state of a replay: after `move` of `of` moves, and whether it `plays` by itself.

    `photos` are the moves with a photo finish.
    """

    move: int
    of: int
    plays: bool = False
    photos: tuple[int, ...] = ()


class Plain(NamedTuple):
    """A position of a game that has no scene, in words and numbers: all that the scene for any game knows.

    `lines` are its picture as text, `last` is what happened last, `scores` and `colours` are those of the seats.
    """

    title: str
    lines: tuple[str, ...]
    scores: tuple[int | None, ...]
    colours: tuple[str, ...]
    last: str = ""
    winners: tuple[Seat, ...] = ()


class HouseCode(NamedTuple):
    """Something that the house can key or press now: its keys, what they mean, a drawing, perhaps in a colour."""

    keys: str
    text: str = ""
    picture: str = ""
    colour: str = ""


class HousePlace(NamedTuple):
    """The place of the house: what it is waited for, by which codes, what it has keyed and what that means.

    `refused` says why the last key was not taken, `lent` whose keypad is the house's for a moment, `hint` how one
    becomes that.
    """

    task: str
    codes: tuple[HouseCode, ...] = ()
    keyed: str = ""
    meaning: str = ""
    refused: str = ""
    lent: str = ""
    hint: str = ""


class Play(NamedTuple, Generic[ViewT]):
    """A match: the module `scene` draws `view`, at a `beat` of a reveal; with a `finish` that of the last call.

    With a `tape` it is the replay of one. A game without a scene, "", is shown `plain`. Where the house has to do
    something, or does, it has its place below.
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
    """One line of a result: a place, a seat that has it, alone or with others, and how that stood at the end."""

    place: int
    seat: Seat
    name: str
    how: str = ""


class Curve(NamedTuple):
    """The course of a seat's score: a value for each moment of the match, None before the first one.

    `colour` is the name of the seat's colour in this game.
    """

    seat: Seat
    name: str
    values: tuple[int | None, ...]
    colour: str


class Chart(NamedTuple):
    """The course of all scores; `what` is the unit."""

    what: str
    curves: tuple[Curve, ...]


CELEBRATION_NS: Final = 5_000_000_000
"""How long a result is celebrated, by its picture and by lamps."""


class Result(NamedTuple):
    """The end of a match, and its best `moment`. One that has just ended `celebrates`: nothing waits for that."""

    title: str
    reason: str
    standings: tuple[ResultLine, ...]
    hint: str = ""
    chart: Chart | None = None
    moment: str = ""
    celebrates: bool = False


class PastMatch(NamedTuple):
    """One line of the list of past matches: a drawing of the game, who has won, who else played, and when.

    `signs` are drawings of what is special about it. Where there are no names, `note` says why.
    """

    emblem: str = ""
    winners: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    when: str = ""
    signs: tuple[str, ...] = ()
    note: str = ""


class PastMatches(NamedTuple):
    """A page of the list of past matches; `older` and `newer` say what turns to other pages, empty without any.

    `selected` is the key of the line that is.
    """

    title: str
    lines: tuple[PastMatch, ...]
    selected: str
    older: str = ""
    newer: str = ""
    hint: str = ""


class Answer(NamedTuple):
    """One answer to a question about a box: its key, its drawing, its words, and whether it is the current one.

    Its `sign` is the name of a drawing, perhaps with a colour, `mark:` and a colour for its mark, or empty.
    """

    key: str
    sign: str
    label: str
    chosen: bool = False


class BoxPage(NamedTuple):
    """A question about a box of one's own: `answers` to choose from, or a `value` that is keyed.

    The scene's module for boxes draws what it is about, `drawn`; on a field of squares the one at `spot`, a row and
    a column, is pointed at. Without a scene it is the drawing `sign`. `said` is what to know of it, in a `wrong`
    light where something is wrong; `hint` says what to press. It is question `number` of `of`.
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
    """The QR code by which a phone gets the seat of that `name`, or any one, row by row, `1` for what is dark.

    The `letters` can be typed instead.
    """

    name: str
    rows: tuple[str, ...]
    letters: str = ""

    def __repr__(self) -> str:
        return f"JoinCode({self.name!r})"  # the code gives the seat


class JoinPage(NamedTuple):
    """Codes by which phones join: for any free seat, and for each; only for people at the table."""

    title: str
    codes: tuple[JoinCode, ...]
    lines: tuple[str, ...] = ()
    hint: str = ""
    any_seat: JoinCode | None = None


class WallSeat(NamedTuple):
    """A player at a table of the wall: the score, whether it is their turn, and whether they lead or have won."""

    name: str
    colour: str
    score: str = ""
    turn: bool = False
    leads: bool = False


class WallBoard(NamedTuple):
    """One table on the wall. Without a match `note` says what there is instead; a `lost` one is not there now.

    `play` is the board, None without one; for some seconds its photo finish covers it.
    """

    table: str
    note: str = ""
    play: Play | None = None
    seats: tuple[WallSeat, ...] = ()
    lost: bool = False


class WallRow(NamedTuple):
    """A line of a tournament's standings: the rank, who has it, the points, and their share of all there were."""

    rank: int
    player: str
    points: str
    share: float


class Wall(NamedTuple):
    """The tables of a club side by side, and how a tournament stands; `page` says which of several this is."""

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
    """The settings of all pictures for people's eyes; `unhurried` pieces move half as fast.

    `language` is that of the few words that no frame brings; empty: that of the user's environment.
    """

    high_contrast: bool = False
    large_text: bool = False
    motion: bool = True
    unhurried: bool = False
    language: str = ""


class Touchable(NamedTuple):
    """What may be touched in a private picture instead of `keys`: a `thing` of the picture, or "" beside it."""

    keys: str
    label: str
    thing: str = ""


class PrivatePicture(NamedTuple):
    """A picture for one seat only: the module `scene` draws `own`, a value of the console; `said` is its text."""

    scene: str
    own: object
    said: str
    look: Look = Look()
    touches: tuple[Touchable, ...] = ()


class Panel(NamedTuple):
    """A virtual seat beside the display: its lamp, the two lines of its private screen, its faults, who sits there.

    `keys` says which keys of the PC are its keypad now, `digits`, `number pad` or none; nobody sits where `name` is
    empty. While somebody looks, `own` is the picture of what the seat holds.
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
    """A time limit: whose it is, how long, and when on the monotonic clock it ends; None: it does not run yet."""

    seats: tuple[Seat, ...]
    length_ns: int
    ends_ns: int | None = None


class Hint(NamedTuple):
    """The next key for newcomers; keys of a place's keypad are written as `[#]`.

    `[buzz]` is the buzzer there, `[ok]` that of the house.
    """

    text: str
    place: Place


class Frame(NamedTuple):
    """One picture of the whole: `serial` numbers the requests, since the newest that was shown is reported.

    With `house` the PC's row of digits is the house's keypad, and `house` is its line. `story` tells spectators in
    words what happened last, the oldest sentence first. `limit` is set while time is limited, `hint` for newcomers.
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
        """Tell whether another frame is the same picture."""
        return other is not None and self._replace(serial=other.serial) == other


def told(text: Text | None, read: Render = str) -> str:
    """Return a text for its reader, empty for None."""
    return "" if text is None else read(text)

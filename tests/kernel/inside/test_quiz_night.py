"""Tests the quiz night of docs/quiz-night.md: ten questions, two controllers, two phones and the house's phone.

The real program is killed at the fifth question and goes on. The handsets of seats 1 and 2 are on one controller.
Seat 3 has the other and no phone, so it keys numbers with the coloured keys.
"""

import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest

from companion import api
from companion.core.match import Match
from companion.core.record import Evidence
from companion.display.frame import Beat, Frame, JoinPage, Menu, Play, Result
from companion.games import all_games
from companion.games.any.rules import Phase
from companion.referee.journal import open_record
from tests.kernel.inside.gpiosim import CLOCK
from tests.kernel.inside.polled import BUZZ_WIRED, Polled
from tests.phone_sim import SimPhone

pytestmark = pytest.mark.skipif(CLOCK != "leaping", reason="people read for half a minute: rig.py --leap")

PATIENCE_S: Final = 30.0
MS: Final = 1_000_000
HOLD_NS: Final = 80 * MS
READ_S: Final = 0.6
"""How long people read what is new before they press."""

PAGE: Final = Path(__file__).parents[3] / "docs" / "quiz-night.md"
PICTURES: Final = Path("/io/pictures")
"""Kept by rig.py --keep."""

SEATS: Final = ("Anna", "Ben", "Cleo")

SIX_MORE: Final = """
[[rounds]]
kind = "first"
text = "Who rode Rocinante?"
answer = "Quixote"
points = 3

[[rounds]]
kind = "sealed"
text = "How many sweets fill this jar?"
wins = "closest"
points = 4

[[rounds]]
kind = "points"
text = "Charades: a team that is guessed gets five."

[[rounds]]
kind = "sealed"
text = "Bid for the trophy!"
show = true
tokens = true
points = 7

[[rounds]]
kind = "first"
text = "What is the capital of Burkina Faso?"
answer = "Ouagadougou"
wrong = 1

[[rounds]]
kind = "first"
text = "Which metal is a liquid?"
answer = "Mercury"
points = 2
"""

HIDDEN: Final = {
    0: ("planet", "Venus"),
    4: ("Rocinante", "Quixote"),
    5: ("sweets",),
    6: ("Charades",),
    8: ("Burkina", "Ouagadougou"),
    9: ("metal", "Mercury"),
}
"""What would tell a question or its answer, by the round's index. An answer may be read after its round."""

SHOWN: Final = {1: "bones", 2: "Garda", 3: "Hands off", 7: "trophy"}
"""Words of questions that everybody reads from the round's start."""

POINTS: Final = (
    (0, -1, 2),  # Ben is wrong, Cleo right
    (0, 0, 2),  # 26 is the closest to 27
    (0, 1, 3),  # Ben and Cleo know the lake
    (0, 1, 4),  # Anna is too early, Cleo is the fastest
    (3, 1, 4),  # Anna and Ben tie, Anna is right
    (3, 1, 8),  # 33 is the closest to 35
    (8, 1, 6),  # the house gives five and takes two
    (10, 1, 6),  # Anna bids five for seven
    (10, 0, 6),  # Ben is wrong, nobody knows it
    (10, 2, 6),  # Ben is right
)
"""The points after each round, reckoned by hand."""


def eventually(reached: Callable[[], Any], what: str) -> Any:
    end_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s:
        found = reached()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"not within {PATIENCE_S:.0f} s: {what}")


class Controllers:
    """Two Buzz! controllers, and the hands at three of their handsets."""

    def __init__(self) -> None:
        self.both = [Polled(BUZZ_WIRED, socket) for socket in (1, 2)]
        self.seats = ((self.both[0], 0), (self.both[0], 1), (self.both[1], 0))
        self.names = [f"{device.phys} buzz{handset + 1}" for device, handset in self.seats]

    def key(self, seat: int, control: str) -> int:
        return BUZZ_WIRED.keys[5 * self.seats[seat][1] + "r4321".index(control)]

    def press(self, seat: int, controls: str = "r") -> None:
        for control in controls:
            time.sleep(0.1)
            self.tap(seat, control)

    def tap(self, seat: int, control: str = "r") -> None:
        self.seats[seat][0].tap(self.key(seat, control))

    def call(self, first: int, second: int, apart_ns: int) -> dict[int, int]:
        """Let two seats call. Return when their contacts closed."""
        (one, _), (other, _) = self.seats[first], self.seats[second]
        keys = [self.key(seat, "r") for seat in (first, second)]
        if one is other:
            apart = [
                (0, keys[0], 1, 0),
                (apart_ns, keys[1], 1, 0),
                (HOLD_NS, keys[0], 0, 0),
                (4 * MS, keys[1], 0, 0),
            ]
            moved = one.play(apart)
            return {first: moved[0], second: moved[1]}
        with ThreadPoolExecutor(1) as hands:
            earlier = hands.submit(one.play, [(0, keys[0], 1, 0), (HOLD_NS, keys[0], 0, 0)])
            (later, _) = other.play([(apart_ns, keys[1], 1, 0), (HOLD_NS, keys[1], 0, 0)])
            return {first: earlier.result()[0], second: later}

    def fiddle(self) -> None:
        """Press keys of handsets without a seat, so that the table measures the interval."""
        for device in self.both:
            keys = BUZZ_WIRED.keys[15:19]
            device.play([(8 * MS, key, pressed, 0) for _ in range(6) for pressed in (1, 0) for key in keys])

    def unplug(self) -> None:
        for device in self.both:
            device.unplug()


class Table:
    """The running program, what its display shows, and the people with their phones."""

    def __init__(self, folder: Path, controllers: Controllers) -> None:
        self.folder, self.controllers = folder, controllers
        self.frames: list[Frame] = []
        self.phones: list[SimPhone] = []
        self.pictures: dict[str, bytes] = {}
        self.house: Any = None
        self._heard: list[str] = []
        self._said = folder / "said.txt"
        boxes = folder / "data" / "companion" / "boxes" / "any"
        boxes.mkdir(parents=True)
        (quiz,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text(), re.DOTALL)
        (boxes / "quiz.toml").write_text(quiz + SIX_MORE)
        (folder / "table.toml").write_text(
            f'[journal]\nfolder = "{folder}/matches"\n[sound]\nmute = true\n[log]\nlevel = "debug"\n'
            f"[buttons]\nseats = {json.dumps(controllers.names)}\n[buzzers]\npins = []\n"
            "[lamps]\npins = []\nsiren = -1\n[house]\nok = -1\nundo = -1\npause = -1\nskip = -1\n"
            '[phones]\non = true\nport = 0\naddress = "127.0.0.1"\n'
        )
        self.process: Any = None
        self.start()

    # --- The program ----------------------------------------------------------------------------------------

    def start(self) -> None:
        self._seen = self.folder / f"frames{len(self._heard)}"
        self._seen.touch()
        self._read_from = 0
        self._heard.append("")
        with self._said.open("a") as said:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, Path(__file__).with_name("seen_table.py"), self._seen),
                    *("play", "any", "--table", self.folder / "table.toml"),
                ],
                cwd=self.folder,
                env=os.environ
                | {"SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
                | {f"XDG_{kind}_HOME": str(self.folder / kind.lower()) for kind in ("CONFIG", "DATA", "STATE")},
                stdout=said,
                stderr=said,
            )

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.look()
        for phone in self.phones_here:
            phone.close()
        self.phones, self.house = [], None

    @property
    def phones_here(self) -> list[SimPhone]:
        return [*self.phones, *([self.house] if self.house else [])]

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(PATIENCE_S) == 0, self._said.read_text()

    def leave(self) -> None:
        for phone in self.phones_here:
            phone.close()
        self.process.kill()
        self.process.wait()
        PICTURES.mkdir(exist_ok=True)
        for name, picture in self.pictures.items():  # only now: the clock leaps while the guest waits for a disk
            (PICTURES / name).write_bytes(picture)

    # --- What people see ------------------------------------------------------------------------------------

    def look(self) -> Frame | None:
        with self._seen.open("rb") as file:
            file.seek(self._read_from)
            while True:
                try:
                    frame = pickle.load(file)
                except (EOFError, pickle.UnpicklingError):
                    break
                self._read_from = file.tell()
                if frame:
                    self.frames.append(frame)
        return self.frames[-1] if self.frames else None

    @property
    def screen(self) -> Any:
        assert self.process.poll() is None, self._said.read_text()
        frame = self.look()
        return frame.screen if frame else None

    def until(self, reached: Callable[[Any], Any], what: str, read_s: float = READ_S) -> Any:
        try:
            screen = eventually(lambda: (screen := self.screen) and reached(screen) and screen, what)
        except AssertionError as error:
            raise AssertionError(f"{error}; the display shows {self.frames[-1:]}") from error
        time.sleep(read_s)
        return screen

    def is_at(self, number: int, phase: Phase, read_s: float = READ_S) -> None:
        def reached(screen: Any) -> bool:
            view = screen.view if isinstance(screen, Play) and screen.beat == Beat.CALM else None
            return view is not None and (view.number, view.phase) == (number, phase)

        self.until(reached, f"round {number + 1}, {phase}", read_s)

    def photograph(self, name: str) -> None:
        """Keep the public picture, as a browser gets it."""
        pixels = []
        for _ in range(2):  # the first request asks for a picture
            with urllib.request.urlopen(f"{self.address}frame.png") as answer:
                pixels.append(answer.read())
            time.sleep(0.5)
        self.pictures[f"{name}.png"] = pixels[-1]

    # --- What people do -------------------------------------------------------------------------------------

    def code(self) -> str:
        """Read the letters of the code, and where to type them."""
        page = self.until(lambda screen: isinstance(screen, JoinPage) and screen.any_seat, "a code")
        (typed,) = re.findall(r"http://\S+", " ".join(page.lines))
        self.address = typed[: typed.rindex("/") + 1]
        return f"{typed}#{page.any_seat.letters.replace('-', '')}"

    def join(self, seats: int) -> None:
        """Let the phones of the first seats join."""
        for seat in range(seats):
            phone = SimPhone(self.code())
            self.phones.append(phone)
            eventually(lambda phone=phone: phone.page.settings.get("seat"), "a seat")
            assert phone.page.settings["seat"] == str(seat + 1)

    def join_house(self) -> None:
        """Let the house's phone join by the open menu."""
        self.choose("The house's phone", self.phones[0])
        self.house = SimPhone(self.code())
        eventually(lambda: self.house.page.settings.get("seat") == "house", "the house's phone")
        self.house.key("pause")

    def choose(self, label: str, phone: SimPhone, control: str = "") -> None:
        """Choose a line of a menu by its number, or press a control there."""
        screen = self.until(lambda screen: isinstance(screen, Menu), f"a menu with {label}")
        while not control:
            lines = [n for n, item in enumerate(screen.items, 1) if item.startswith(label)]
            control = str(lines[0]) if lines else ""
            if not lines:
                phone.key("0")
                screen = self.until(lambda screen, old=screen: screen != old, "another page")
        phone.key(control)
        self.until(lambda new, old=screen: new != old, f"what follows {label}")

    def sheet(self) -> dict[str, Any]:
        sheet: dict[str, Any] = json.loads(self.house.pictures[-1])
        return sheet

    def asks(self, number: int, question: str) -> None:
        """Check that the house reads a question, and nobody else does."""
        eventually(lambda: self.sheet()["own"] == question, f"{question} on the house's page, not {self.sheet()}")
        self.nobody_knows(number)

    def nobody_knows(self, number: int) -> None:
        """Check frames, log and seats' phones for what would tell a question by now."""
        self.look()
        said = self._said.read_text()
        phones = "".join(line for phone in self.phones for line in (*phone.heard, *map(str, phone.pictures)))
        now = {*SHOWN.values(), *(word for words in HIDDEN.values() for word in words)}
        for place, words in HIDDEN.items():
            now -= {*words[1:]} if place < number else set()
        now -= {word for place, word in SHOWN.items() if place <= number}
        shown = [repr(frame) for frame in self.frames]
        assert [word for word in now if word in said or word in phones] == []
        assert [word for word in now if any(word in frame for frame in shown)] == []

    def house_says(self, *controls: str) -> None:
        for control in controls:
            self.house.key(control)
            time.sleep(0.1)

    def lock(self, seat: int, number: int) -> None:
        if seat < len(self.phones):
            for key in f"{number}#":
                self.phones[seat].key(key)
                time.sleep(0.1)
        else:
            self.controllers.press(seat, f"{number}r")

    # --- What is kept ---------------------------------------------------------------------------------------

    @property
    def record(self) -> Path:
        (path,) = (self.folder / "matches").glob("*.record")
        return path

    def match(self) -> Match:
        return open_record(self.record, all_games()).match

    def is_won(self, number: int) -> None:
        """Check the points after a round, on the display and in the record."""

        def points(screen: Any) -> Any:
            view = screen.view if isinstance(screen, Play) and screen.beat == Beat.CALM else None
            return isinstance(screen, Result) or (view is not None and view.number > number)

        screen = self.until(points, f"the end of round {number + 1}")
        match = self.match()
        assert match.view().points == POINTS[number]
        if isinstance(screen, Play):
            assert screen.view.points == POINTS[number]


@pytest.fixture
def controllers() -> Iterator[Controllers]:
    controllers = Controllers()
    yield controllers
    controllers.unplug()


@pytest.fixture
def table(tmp_path: Path, controllers: Controllers) -> Iterator[Table]:
    table = Table(tmp_path, controllers)
    yield table
    table.leave()
    print((tmp_path / "said.txt").read_text(), *[path.read_text() for path in (tmp_path / "matches").glob("*")])


def is_as_stamped(match: Match, closed_ns: dict[int, int]) -> None:
    """Check that the last call's evidence has the contacts of the first two seats within its bounds."""
    calls = next(
        entry.comment.calls
        for entry in reversed(match.entries)
        if isinstance(entry.comment, Evidence) and entry.comment.calls
    )
    assert [call.seat for call in calls] == list(closed_ns)
    for call in calls:
        assert call.uncertainty_ns <= 10 * MS, "the interval is measured"
        assert abs(call.t_ns - closed_ns[call.seat]) <= call.uncertainty_ns


def test_quiz_night_survives_a_kill(table: Table, controllers: Controllers) -> None:
    sit_down(table, controllers)
    ask_four_questions(table, controllers)

    # The fifth: Anna and Ben press 5 ms apart, which no such controller can tell.
    table.asks(4, "Who rode Rocinante? (Quixote)")
    table.house_says("ok")
    table.is_at(4, Phase.OPEN)
    controllers.call(0, 1, 5 * MS)
    table.until(lambda screen: isinstance(screen, Play) and screen.view.tied, "a tie")
    table.is_at(4, Phase.OPEN)
    assert table.screen.view.tied == (0, 1)
    closed_ns = controllers.call(0, 1, 40 * MS)
    table.is_at(4, Phase.ANSWER)
    assert table.screen.view.caller == 0
    is_as_stamped(table.match(), closed_ns)
    before = table.match()
    assert [move.verb for move in before.moves][-2:] == ["tie", "call"]
    table.kill()

    go_on(table, before)
    table.asks(4, "Who rode Rocinante? (Quixote)")
    table.house_says("right")
    table.is_won(4)
    ask_five_more(table, controllers)
    show_the_result(table)


def sit_down(table: Table, controllers: Controllers) -> None:
    table.join(2)
    table.phones[0].key("0")
    table.choose("Phones", table.phones[0])
    table.join_house()
    table.choose("", table.house, "pause")
    for name, phone in zip(SEATS, table.phones, strict=False):
        phone.say_name(name)
        table.until(lambda _, name=name: any(side.name == name for side in table.frames[-1].sides), f"{name} sits")
    controllers.fiddle()
    table.choose("Play", table.house)
    controllers.press(2)
    table.until(lambda _: {*SEATS} <= {side.name for side in table.frames[-1].sides}, "all sit")
    table.house_says("ok")
    table.until(lambda screen: isinstance(screen, Menu), "the house rules")
    table.choose("Box: ", table.house)
    assert "Box: quiz" in table.screen.items
    table.choose("Start", table.house)


def ask_four_questions(table: Table, controllers: Controllers) -> None:
    """The four of the page."""
    table.is_at(0, Phase.READY)
    table.asks(0, "Which planet has a day longer than its year? (Venus)")
    table.house_says("ok")
    table.is_at(0, Phase.OPEN)
    table.photograph("1-open")
    closed_ns = controllers.call(1, 0, 40 * MS)
    table.is_at(0, Phase.ANSWER)
    assert table.screen.view.caller == 1
    is_as_stamped(table.match(), closed_ns)
    table.photograph("2-word")
    table.house_says("wrong")
    table.is_at(0, Phase.OPEN)
    controllers.press(2)
    table.is_at(0, Phase.ANSWER)
    table.house_says("right")
    table.is_won(0)

    table.is_at(1, Phase.SEALED)
    table.asks(1, "How many bones has a hand?")
    table.photograph("3-question")
    for seat, number in enumerate((20, 26, 31)):
        table.lock(seat, number)
    table.is_won(1)
    assert table.screen.view.shown == (20, 26, 31)
    table.photograph("4-numbers")

    table.is_at(2, Phase.SEALED)
    for seat, number in enumerate((1, 2, 2)):
        table.lock(seat, number)
    table.is_at(3, Phase.READY, read_s=0)
    controllers.tap(0)  # too early
    table.is_at(3, Phase.OPEN)
    assert (table.screen.view.locked, table.screen.view.points) == ((0,), POINTS[2])
    closed_ns = controllers.call(2, 1, 40 * MS)
    table.until(lambda screen: isinstance(screen, Play) and screen.beat == Beat.FINISH, "the photo finish", 0)
    table.photograph("5-photo-finish")
    is_as_stamped(table.match(), closed_ns)
    table.is_won(3)


def go_on(table: Table, before: Match) -> None:
    """Start the program again, let the phones join anew, and resume the match."""
    table.start()
    offer = table.until(lambda screen: isinstance(screen, Menu), "the offer to resume")
    assert offer.title == "A match was interrupted"
    assert offer.detail == f"Any other game: Anna, Ben, Cleo, {before.length} moves"
    controllers = table.controllers
    controllers.press(2, "1")
    table.until(lambda screen: isinstance(screen, JoinPage), "the codes of its phones")
    table.join(2)
    controllers.fiddle()
    controllers.press(2)  # has no phone
    table.until(lambda screen: isinstance(screen, Menu), "the pause")
    table.join_house()
    table.choose("Go on", table.house)
    table.is_at(4, Phase.ANSWER)
    view = table.screen.view
    assert (view.caller, view.points) == (0, POINTS[3])
    assert table.match().moves == before.moves


def ask_five_more(table: Table, controllers: Controllers) -> None:
    table.is_at(5, Phase.SEALED)
    table.asks(5, "How many sweets fill this jar?")
    for seat, number in enumerate((12, 40, 33)):
        table.lock(seat, number)
    table.is_at(5, Phase.NUMBER)
    table.house_says("3", "5", "#")
    table.is_won(5)

    table.is_at(6, Phase.POINTS)
    table.asks(6, "Charades: a team that is guessed gets five.")
    table.house_says("1", "5", "A")
    table.until(lambda screen: screen.view.points[0] == 8, "five for Anna")
    table.house_says("3", "2", "B")
    table.until(lambda screen: screen.view.points[2] == 6, "two less for Cleo")
    table.house_says("skip")
    table.is_won(6)

    table.is_at(7, Phase.SEALED)
    for seat, number in enumerate((5, 1, 4)):
        table.lock(seat, number)
    table.is_won(7)

    table.is_at(8, Phase.READY)
    table.asks(8, "What is the capital of Burkina Faso? (Ouagadougou)")
    table.house_says("ok")
    table.is_at(8, Phase.OPEN)
    controllers.press(1)
    table.is_at(8, Phase.ANSWER)
    table.house_says("wrong")
    table.is_at(8, Phase.OPEN)
    table.house_says("skip")
    table.is_won(8)

    table.is_at(9, Phase.READY)
    table.asks(9, "Which metal is a liquid? (Mercury)")
    table.house_says("ok")
    table.is_at(9, Phase.OPEN)
    closed_ns = controllers.call(1, 0, 40 * MS)
    table.is_at(9, Phase.ANSWER)
    is_as_stamped(table.match(), closed_ns)
    table.house_says("right")


def show_the_result(table: Table) -> None:
    result = table.until(lambda screen: isinstance(screen, Result), "the result")
    assert [(line.place, line.name) for line in result.standings] == [(1, "Anna"), (2, "Cleo"), (3, "Ben")]
    table.photograph("6-result")
    table.nobody_knows(len(POINTS))
    shown = "".join(map(repr, table.frames))
    answers = [word for words in HIDDEN.values() for word in words[1:]]
    assert all(word in shown for word in (*answers[:-1], *SHOWN.values())), "what may be read is found"
    assert "Your number" in "".join(table.phones[0].heard)
    table.end()
    match = table.match()
    assert match.view().points == POINTS[-1]
    assert match.outcome
    assert match.outcome.ranking == ((0,), (2,), (1,))
    assert [entry.kind for entry in match.entries] == ["move"] * match.length, "nothing was taken back"
    again = api.replay(table.record.read_text())
    assert (again.view().points, again.outcome) == (POINTS[-1], match.outcome)
    replayed = subprocess.run(
        [sys.executable, "-m", "companion", "replay", table.record], capture_output=True, text=True, check=True
    ).stdout
    assert replayed.count("  Anna  10 points\n  Ben  2 points\n  Cleo  6 points\n") == 1, (
        "only its last position has these"
    )

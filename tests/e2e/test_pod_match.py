"""A whole match with five pods behind pseudo-terminals and the real program without its window.

Only pod keys and the house's ok are used. One pod restarts and another is unplugged during bids.
"""

import random
import time
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from serial.tools import list_ports

from companion.config.sections import DisplayOptions, JournalOptions
from companion.config.table_file import TableConfig
from companion.core.event import Event
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.place import HOUSE, ScreenSize
from companion.core.signal import Signal
from companion.core.text import with_names
from companion.devices.hardware import Hardware
from companion.devices.lines import NOT_WIRED, BuzzerWiring, HouseWiring, LampWiring
from companion.devices.pods import link, port
from companion.devices.pods.options import PodWiring
from companion.devices.pods.port import BOARDS
from companion.devices.wiring import Wiring
from companion.display.frame import Frame, Menu, Play, Poster, Result
from companion.games import all_games, load
from companion.games.buro_crazy.rules import Phase, View
from companion.match.new_match import NAMES
from companion.match.private_screens import Private, laid_out, pages
from companion.match.seating import Wanted
from companion.match.session import Session
from companion.records.history import records
from companion.referee.input_gate import READ_NS
from companion.referee.journal import open_record
from companion.referee.referee import Referee
from companion.referee.step_result import Pause, Reason
from companion.table.host import Host
from tests.devices.pod_pty import WAIT_S, PtyPod
from tests.devices.pod_sim import SimPod
from tests.live_host import LiveHost

pytestmark = pytest.mark.usefixtures("fixed_secrets", "hurried")

GAME = load("buro_crazy")
IDENTITIES = tuple(f"E66118604B3A00{seat}0" for seat in range(1, 6))
ON_USB = next(iter(BOARDS))
WIRING = Wiring(
    BuzzerWiring(pins=()),
    LampWiring(pins=(), siren=NOT_WIRED),
    HouseWiring(ok=NOT_WIRED, undo=NOT_WIRED, pause=NOT_WIRED, skip=NOT_WIRED),
    PodWiring(seats=IDENTITIES),
)

HOLD_S = 0.02
"""The shortest hold of a buzzer; below 1 ms a press does not count."""

READ_S = READ_NS / 1e9
"""Presses within the reading time of a question are not answers."""

LOCK, BACK = "#", "*"
OFF, BLINKS = 0, 2


class Diary(SimPod):
    """A pod that remembers the lines of its screen."""

    def __init__(self, identity: str, **options: Any) -> None:
        self.shown: list[tuple[int, str]] = []
        super().__init__(identity, **options)

    def show(self, line: int, text: bytes) -> None:
        super().show(line, text)
        self.shown.append((line, text.decode()))


class Table(LiveHost):
    """The program with real ports and clock, people at pods, and an immediate window.

    `keyed` has the keys with which each seat locked or retracted bids.
    """

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.pods = [PtyPod(identity, kind=Diary) for identity in IDENTITIES]
        self.plugged = self.pods[::-1]  # the ports are in another order than the seats
        monkeypatch.setattr(list_ports, "comports", self._on_usb)
        monkeypatch.setattr(port, "may_have_boards", lambda: True)
        monkeypatch.setattr(port, "LOOK_S", 0.05)
        # A busy machine may neglect a pod; the timeout has separate tests.
        monkeypatch.setattr(link, "POD", link.POD._replace(silence_ns=WAIT_S * 1_000_000_000))
        self.frames: list[Frame] = []
        self.told: list[Event] = []
        self.keyed: list[list[str]] = [[] for _ in IDENTITIES]
        self.luck = random.Random("people at pods")
        super().__init__()
        self.hardware = Hardware(WIRING, self.inbox, self.clock)
        config = TableConfig(journal=JournalOptions(str(folder)), display=DisplayOptions(drum_ms=0))
        self.host = Host(
            all_games(),
            config,
            self.clock,
            self._show,
            Wanted(game=GAME.name),
            settle_ns=0,
            hardware=self.hardware,
        )
        self.start_host()

    def _on_usb(self) -> list[Any]:
        vendor, product = ON_USB
        return [SimpleNamespace(device=pod.path, vid=vendor, pid=product) for pod in list(self.plugged)]

    def close(self) -> None:
        self.stop_host(WAIT_S)
        self.hardware.close()
        for pod in self.pods:
            pod.vanish()

    # --- What people see ------------------------------------------------------------------------------

    def until(self, reached: Callable[[], Any], what: str) -> None:
        given_up = time.monotonic() + WAIT_S
        while not reached():
            if time.monotonic() > given_up:
                pytest.fail(f"not within {WAIT_S} s: {what}; the screen has {self.screen!r:.300}")
            time.sleep(0.001)

    @property
    def screen(self) -> Any:
        return self.frames[-1].screen if self.frames else None

    @property
    def referee(self) -> Referee:
        return self.session.referee

    @property
    def session(self) -> Session:
        assert self.host.session
        return self.host.session

    @property
    def view(self) -> View:
        return self.referee.match.view()

    @property
    def seen(self) -> bool:
        """Whether the last reveal is visible; nobody types before that."""
        assert self.host.session
        return not self.host.session.reveal.hidden

    def opened(self) -> Match:
        [path] = records(self.folder)
        opened = open_record(path, all_games())
        assert opened.damage is None
        return opened.match

    # --- What people do -------------------------------------------------------------------------------

    def house(self, control: str) -> None:
        now_ns = self.clock.now_ns()
        self.inbox.put(Signal("house", HOUSE, control, now_ns, 0, now_ns))

    def begin(self) -> None:
        self.until(lambda: not self.hardware.troubles, "all pods answer")
        self.until(lambda: isinstance(self.screen, Poster), "the attract screen")
        for pod in self.pods:
            pod.buzz(1)
        time.sleep(HOLD_S)
        for pod in self.pods:
            pod.buzz(0)
        self.until(lambda: [side.name for side in self.frames[-1].sides] == [*NAMES], "all sit")
        self.house("ok")
        self.until(lambda: isinstance(self.screen, Menu), "the house rules")
        self.house("ok")
        self.until(lambda: isinstance(self.screen, Play) and self.view.phase is Phase.BID, "the first bids are due")
        present = self.session.present
        self.session.present = lambda step: (self.told.extend(step.events), present(step))

    def press(self, seat: Seat, keys: str) -> None:
        for key in keys:
            self.pods[seat].key(key)

    def decide(self, seat: Seat) -> str:
        acts = GAME.bots["strong"].acts(self.referee.match.view(seat), seat, self.luck)
        return "".join(act.control for act in acts)

    def type(self, rest: dict[Seat, str]) -> None:
        """Type for two people simultaneously, alternating key by key."""
        for keys in zip_longest(*rest.values(), fillvalue=""):
            for seat, key in zip(rest, keys, strict=True):
                self.press(seat, key)

    def duel(self, trouble: "Trouble | None" = None) -> bool:
        """Play a duel; return whether a bid was long enough for the trouble."""
        was = self.view
        time.sleep(READ_S)
        bids = {seat: self.decide(seat) for seat in was.duel}
        interrupted = trouble is not None and min(map(len, bids.values())) >= 3
        if trouble and interrupted:
            typed = trouble(self, *was.duel, bids)
            self.type({seat: bids[seat][typed[seat] :] for seat in bids})
        else:
            self.type(bids)
        for seat, keys in bids.items():
            self.keyed[seat].append(keys)
            if keys == LOCK and not moved_on(was, self.screen):
                time.sleep(READ_S)
                self.press(seat, LOCK)  # an empty bid must be confirmed
        self.until(lambda: moved_on(was, self.screen) and self.seen, f"both bids of {was.pair}")
        return interrupted

    def entered(self, seat: Seat, keys: str) -> None:
        self.until(lambda: self.referee.entries.get(seat, "") == keys, f"{keys} of seat {seat + 1}")


def moved_on(was: View, screen: Any) -> bool:
    """Return whether the screen shows that the next bids are due, or none."""
    if not isinstance(screen, Play):
        return False
    view: View = screen.view
    if view.phase is not Phase.BID:
        return view.phase is Phase.OVER
    return (view.step, view.attempt) != (was.step, was.attempt)


# --- Trouble during two bids ------------------------------------------------------------------------------

Trouble = Callable[[Table, Seat, Seat, dict[Seat, str]], dict[Seat, int]]
"""Happens to the first of two bidding seats; returns the number of keys typed of each bid."""


def retracted(table: Table, first: Seat, second: Seat, bids: dict[Seat, str]) -> dict[Seat, int]:
    table.press(first, bids[first])
    table.until(lambda: first in table.view.locked, "the bid is locked")
    table.press(first, BACK)
    table.until(lambda: first not in table.view.locked, "the bid is taken back")
    time.sleep(READ_S)
    table.keyed[first] += [bids[first], BACK]
    return {first: 0, second: 0}


def started_anew(table: Table, first: Seat, second: Seat, bids: dict[Seat, str]) -> dict[Seat, int]:
    """Reset a pod's board: its screen goes dark, acknowledged keys stay."""
    for seat in (first, second):
        table.press(seat, bids[seat][0])
        table.entered(seat, bids[seat][0])
    frames = len(table.frames)
    table.pods[first].reset("0000BEEF")
    table.until(lambda: ("went_on", first) in pauses(table), "the match goes on")
    assert pauses(table) == [("paused", first), ("went_on", first)]
    named = [[side.note == "unplugged!" for side in frame.sides] for frame in table.frames[frames:]]
    assert [seat == first for seat in range(5)] in named
    shown = own_lines(table.referee.match, first, bids[first][0])[1]
    table.until(lambda: table.pods[first].shows()[1][1] in shown, "its screen shows what was typed")
    table.until(lambda: table.pods[first].shows()[0] == BLINKS, "its lamp says that a bid is due")
    table.told.clear()
    return {first: 1, second: 1}


def pulled_out(table: Table, first: Seat, second: Seat, bids: dict[Seat, str]) -> dict[Seat, int]:
    """Unplug a pod, type on it, and plug it into another port."""
    for seat in (first, second):
        table.press(seat, bids[seat][0])
        table.entered(seat, bids[seat][0])
    pod, again = table.pods[first], PtyPod(IDENTITIES[first])
    assert again.path != pod.path
    table.plugged.remove(pod)
    pod.vanish()
    again.pod = pod.pod  # the same board, still running
    table.pods[first] = again
    named = f"the pod of seat {first + 1} ({IDENTITIES[first]})"
    table.until(lambda: says(table.screen, named), "its seat is named")
    assert list(table.referee.pauses) == [Pause(Reason.UNPLUGGED, first)]
    again.key(bids[first][1])
    table.press(second, bids[second][1])
    table.until(lambda: table.pods[second].shows()[1][0] in lines_of("the match is paused"), "the other is refused")
    assert [table.referee.entries.get(seat, "") for seat in (first, second)] == [bids[first][0], bids[second][0]]
    table.plugged.append(again)
    table.until(lambda: not table.referee.pauses, "the match goes on")
    table.entered(first, bids[first][:2])
    assert pauses(table) == [("paused", first), ("went_on", first)]
    table.told.clear()
    return {first: 2, second: 1}


def says(screen: Any, words: str) -> bool:
    return isinstance(screen, Poster) and any(words in line for line in screen.lines)


def pauses(table: Table) -> list[tuple[str, Seat | None]]:
    return [(told.kind, told.seat) for told in table.told if told.kind in {"paused", "went_on"}]


# --- What the private screens may show --------------------------------------------------------------------


def own_lines(match: Match, seat: Seat, entry: str = "") -> tuple[list[str], list[str]]:
    """Return all pages for the upper and lower lines of a seat's screen, from its view only."""
    view = match.view(seat)
    private = GAME.console.private(view, entry)
    prompt = GAME.console.typed(view, entry) or with_names(GAME.console.prompt(view), match.names)
    upper, lower = laid_out(Private(str(prompt), str(private or "")), ScreenSize())
    below = lower if lower[0] else upper  # an empty lower part gives the upper one both lines
    return [page[0] for page in upper], [page[-1] for page in below]


def lines_of(text: str) -> set[str]:
    return {line for page in pages(text) for line in page}


def allowed_lines(match: Match, seat: Seat, keyed: list[str]) -> list[tuple[set[str], set[str]]]:
    """Return the allowed pages of a seat's screen for each position; `keyed` are its keys."""
    again = Match(match.game, match.names, rulings=match.rulings, box_text=match.box_text)
    left = list(keyed)
    name = match.names[seat]
    allowed = [({name, "Press the buzzer", *lines_of(f"You're in, {name}")}, {"", "to sit down"})]
    for move in (None, *match.moves):
        if move:
            again.push(move)
        if move and move.seat == seat:
            left.pop(0)
        typing = left[0] if left else ""
        lines = [own_lines(again, seat, typing[:typed]) for typed in range(len(typing) + 1)]
        paused = lines_of("The match is paused") | lines_of("the match is paused")
        first = {page for line, _ in lines for page in line} | paused
        second = {page for _, line in lines for page in line} | paused
        allowed.append((first, second))
    places = {"You won!", "You share the win!", "2nd", "3rd", "4th", "5th"}
    return [*allowed, ({page for place in places for page in lines_of(place)}, {""})]


def strange(shown: list[tuple[int, str]], allowed: list[tuple[set[str], set[str]]]) -> list[str]:
    """Return the shown texts that are not allowed at their position."""
    found = []
    place = [0, 0]
    for line, text in shown:
        later = [at for at in range(place[line], len(allowed)) if text in allowed[at][line]]
        if later:
            place[line] = later[0]
        else:
            found.append(text)
    return found


# --- The match --------------------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    table = Table(tmp_path, monkeypatch)
    yield table
    table.close()


def test_whole_match_is_played_at_five_pods(table: Table) -> None:
    table.begin()
    troubles: list[Trouble] = [retracted, started_anew, pulled_out]
    while table.view.phase is Phase.BID:
        if table.duel(troubles[0] if troubles else None):
            troubles.pop(0)
    assert troubles == []
    assert pauses(table) == []  # only the troubles paused it
    table.until(lambda: isinstance(table.screen, Result), "the result")
    table.until(lambda: {pod.shows()[0] for pod in table.pods} == {OFF}, "all lamps are dark")

    everybody_saw = {panel.lines[1] for frame in table.frames for panel in frame.panels}
    assert everybody_saw == {""}
    match = table.opened()
    assert match.outcome
    assert [entry.kind for entry in match.entries] == ["move"] * match.length
    for seat in range(5):
        made = [move for move in match.moves if move.seat == seat]
        assert [(move.verb, tuple(move.args)) for move in made] == [meant(keys) for keys in table.keyed[seat]]
        diary = table.pods[seat].pod
        assert isinstance(diary, Diary)
        assert {line for line, text in diary.shown if text} == {0, 1}
        assert strange(diary.shown, allowed_lines(match, seat, table.keyed[seat])) == []


def meant(keys: str) -> tuple[str, tuple[int, ...]]:
    """Return the move of a bid's keys, one key for each card."""
    if keys == BACK:
        return "retract", ()
    assert keys[-1] == LOCK
    return "commit", tuple(keys.count(str(card)) for card in range(1, 6))

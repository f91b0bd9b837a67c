"""Two matches that differ in one secret show, play, log and write the same until it is revealed.

Only the keys of the secret and their times differ, except its last key. Everybody else presses the same.
"""

import io
import json
import logging
import os
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import pygame
import pytest

from companion.cli.headless import Printer, run_script
from companion.config.sections import DisplayOptions, PaceOptions, SoundOptions
from companion.config.table_file import TableConfig
from companion.core.console import BUZZ, HOUSE_CONTROLS, KEYS, Lamp
from companion.core.event import Event, event, to_json
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat
from companion.core.place import HOUSE, PictureSize, TouchArea
from companion.core.signal import LOST, PC, PLUG, UNPLUG, Signal
from companion.core.text import Text, msg
from companion.display import screens
from companion.display.canvas import Canvas
from companion.display.frame import Frame, Play, Touchable
from companion.games import all_games, load
from companion.games.boese_buben.rules import Phase as BuddiesPhase
from companion.games.buro_crazy.rules.components import NO_BIDS
from companion.games.buro_crazy.rules.components import Phase as OfficePhase
from companion.match import match_panels
from companion.match.match_panels import MatchPanels
from companion.match.new_match import NAMES, new_match
from companion.match.private_screens import Private
from companion.match.seating import Sitter
from companion.match.session import Session
from companion.match.virtual_table import VirtualTable
from companion.referee.committer import Committer
from companion.referee.events import Refused
from companion.referee.keys import Keys
from companion.referee.step_result import StepResult
from companion.table import match_menus
from companion.table.host import Host
from companion.table.painter import Painter
from companion.testing.playout import random_move
from tests.club_line import line_of, linked
from tests.host_bench import MS, Bench
from tests.pod_fakes import AtOnce, NoHardware

SIZE: Final = (800, 480)
LOCK_MS: Final = 3_000
END_MS: Final = 9_000
OFFICE, BUDDIES = load("buro_crazy"), load("boese_buben")

pytestmark = pytest.mark.usefixtures("same_chance")


@pytest.fixture
def same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give both matches the same randomness and the same wall clock."""
    monkeypatch.setattr(secrets, "token_hex", lambda size: "7" * 2 * size)
    monkeypatch.setattr(time, "strftime", lambda *_: "2026-01-05-180000")
    monkeypatch.setattr(time, "time", lambda: 1_767_636_000.0)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


# --- Pairs of secrets -------------------------------------------------------------------------------------


class Act(NamedTuple):
    """A press, `at_ms` after the position was reached."""

    at_ms: int
    seat: Seat
    control: str


@dataclass(frozen=True)
class Pair:
    """A position, a seat with two possible secrets, and everybody's presses.

    `make` returns the position of one match: the two may already differ in a secret.
    """

    make: Callable[[int], Match]
    seat: Seat
    secrets: tuple[tuple[Act, ...], tuple[Act, ...]]
    others: tuple[Act, ...]

    def acts(self, which: int) -> list[Act]:
        return sorted((*self.secrets[which], *self.others), key=lambda act: act.at_ms)


def after(game: Any, seats: int, rulings: Any, moves: Sequence[Move]) -> Match:
    match = new_match(game, NAMES[:seats], rulings=rulings, seed="pair")
    for move in moves:
        match.push(move)
    return match


def positions(game: Any, seats: int, rulings: Any, luck: Random, due: Callable[[Any], bool]) -> list[list[Move]]:
    """Play a random match; return the moves to each position that is `due`."""
    match, found = after(game, seats, rulings, ()), []
    while match.outcome is None:
        if due(match.state):
            found.append(list(match.moves))
        match.push(random_move(game.rules, match.state, luck.randrange))
    return found


def a_bid(luck: Random, first: bool) -> Pair:
    """Return two bids of a Büro Crazy duel, from its first or last seat to lock."""
    rulings = OFFICE.rulings(
        tracking=luck.choice(("cards", "cards", "points")), bid_entry=luck.choice(("cards", "total"))
    )
    seats = luck.choice(OFFICE.rules.SEATS)
    moves = luck.choice(positions(OFFICE, seats, rulings, luck, due=_both_could_bid))

    def make(_: int = 0) -> Match:
        return after(OFFICE, seats, rulings, moves)

    match = make()
    seat, other = luck.sample(match.state.duel, 2)
    legal = [move for move in OFFICE.rules.legal(match.state, seat) if move.verb != "retract"]
    view = match.view(seat)
    keyed: set[tuple[str, ...]] = set()
    while len(keyed) < 2:
        drawn = (OFFICE.console.keys_for(view, luck.choice(legal)) for _ in range(20))
        keyed |= {keys[:-1] for keys in drawn if keys}
    one = luck.choice(sorted(keyed))
    two = luck.choice(sorted(keyed - {one}))
    digit = next(str(place) for place, count in enumerate(view.hand, 1) if count)
    wavering = ["A", digit, "*", *two, *("A" * (len(two) + 3 == len(one)))]
    last = ["#"] if first else []
    typed = (_timed(luck, seat, one, last), _timed(luck, seat, wavering, last))
    locked = () if first else tuple(Act(50 + 20 * n, other, key) for n, key in enumerate(("1", "*", "0", "#")))
    # The key `#` would reveal both bids, so the rival never presses it.
    return Pair(make, seat, typed, (*locked, *_others(luck, match, seat, other if first else seat)))


def _both_could_bid(state: Any) -> bool:
    return state.phase == OfficePhase.BID and state.bids == NO_BIDS and all(any(state.hands[x]) for x in state.duel)


def an_answer(luck: Random, rich: bool) -> Pair:
    """Return two answers in Böse Buben without money: no, and no after a refused yes.

    If `rich`, the seat could pay in one of the matches.
    """
    rulings, seats = BUDDIES.rulings(), luck.choice(BUDDIES.rules.SEATS)
    found: list[list[Move]] = []
    while not found:
        found = positions(BUDDIES, seats, rulings, luck, due=_cannot_pay)
    moves = luck.choice(found)
    seat = after(BUDDIES, seats, rulings, moves).state.mover

    def make(which: int = 0) -> Match:
        return after(_richer(seat) if rich and which else BUDDIES, seats, rulings, moves)

    typed = tuple(_timed(luck, seat, keys, ("0",)) for keys in (["8", "1"], ["9"]))
    others = _others(luck, make(), seat, None)
    if rich:  # a purchase would be public
        others = tuple(act for act in others if act.seat != seat or act.control not in {"1", "2", "A", BUZZ})
    return Pair(make, seat, typed, others)


def _richer(seat: Seat) -> Any:
    """Give one seat more ducats."""
    rules = BUDDIES.rules

    def setup(*given: Any) -> Any:
        state = rules.setup(*given)
        purses = tuple(ducats + 20 * (place == seat) for place, ducats in enumerate(state.books.purses))
        return state._replace(books=state.books._replace(purses=purses))

    return BUDDIES._replace(rules=SimpleNamespace(**vars(rules) | {"setup": setup}))


def _cannot_pay(state: Any) -> bool:
    if state.phase != BuddiesPhase.BRIBERY:
        return False
    view = BUDDIES.rules.view(state, state.mover)
    return view.purse < view.price and view.free != state.mover


def _timed(luck: Random, seat: Seat, keys: Sequence[str], last: Sequence[str]) -> tuple[Act, ...]:
    """Press `keys` at random times, and `last` at the lock."""
    times = sorted(luck.sample(range(150, LOCK_MS - 400, 7), len(keys)))
    typed = [Act(at_ms, seat, key) for at_ms, key in zip(times, keys, strict=True)]
    return (*typed, *(Act(LOCK_MS, seat, key) for key in last))


def _others(luck: Random, match: Match, seat: Seat, rival: Seat | None) -> tuple[Act, ...]:
    """Let everybody press anything; the rival never locks."""
    seats = [other for other in range(len(match.names)) if other != seat]
    acts = [Act(luck.randrange(200, LOCK_MS), luck.choice(seats), luck.choice("123*0A")) for _ in range(5)]
    acts += [Act(LOCK_MS + 400, TABLE, "menu"), Act(LOCK_MS + 700, TABLE, "ok")][: luck.choice((0, 2))]
    for _ in range(16):
        who = luck.choice((*seats, seat, TABLE, TABLE))
        some = HOUSE_CONTROLS if who == TABLE else (*KEYS[:12], BUZZ)
        control = luck.choice([each for each in some if who != rival or each not in {"#", BUZZ}])
        acts.append(Act(luck.randrange(LOCK_MS + 100, END_MS), who, control))
    lost_ms, lost = luck.randrange(LOCK_MS + 100, END_MS - 500), luck.choice(seats)
    return (*acts, Act(lost_ms, lost, UNPLUG), Act(lost_ms + 400, lost, PLUG))


# --- What can be noticed at a table -----------------------------------------------------------------------


@dataclass
class Noticed:
    """Timed observations, public ones and those of one seat."""

    place: int = -1
    now_ns: Callable[[], int] = int
    public: list[tuple[int, str, Any]] = field(default_factory=list)
    own: list[tuple[int, str, Any]] = field(default_factory=list)

    def add(self, kind: str, what: Any) -> None:
        self.public.append((self.now_ns(), kind, what))


class FakeHardware(NoHardware):
    """Fake devices that record lamps, siren and private screens."""

    places = tuple(range(5))

    def __init__(self, noticed: Noticed) -> None:
        super().__init__()
        self._noticed = noticed

    def settled_ns(self, now_ns: int) -> int:
        return now_ns - self.settle_ns

    def show(self, place: int, lamp: Lamp) -> None:
        self._noticed.add("lamp", (place, lamp))

    def sound_siren(self) -> None:
        self._noticed.add("siren", None)

    @property
    def picture_sizes(self) -> dict[int, PictureSize]:
        return {place: PictureSize(*((240, 160), (320, 120))[place % 2], str(place)) for place in self.places}

    def say(self, place: int, *lines: str) -> None:
        self._tell(place, "say", lines)

    def describe(self, place: int, said: str) -> None:
        self._tell(place, "describe", said)

    def picture(self, place: int, png: bytes, areas: Sequence[TouchArea]) -> None:
        self._tell(place, "picture", (sha256(png).hexdigest(), len(png), areas))

    def _tell(self, place: int, kind: str, what: Any) -> None:
        noticed = self._noticed
        to = noticed.own if place == noticed.place else noticed.public
        to.append((noticed.now_ns(), f"{kind} {place}", what))


def painted(bench: Bench, painter: Painter) -> None:
    """Let the painter draw every 50 ms."""

    def look() -> None:
        painter.look(bench.clock.t_ns)
        bench.clock.at(bench.clock.t_ns + 50 * MS, look)

    look()


class _Log(logging.Handler):
    def __init__(self, noticed: Noticed) -> None:
        super().__init__(logging.DEBUG)
        self._noticed = noticed

    def emit(self, record: logging.LogRecord) -> None:
        self._noticed.add("log", (record.levelname, record.name, record.getMessage(), str(record.exc_info)))


@contextmanager
def logged(noticed: Noticed) -> Iterator[None]:
    handler, root = _Log(noticed), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        root.setLevel(level)
        root.removeHandler(handler)


@contextmanager
def watched(noticed: Noticed, folder: Path) -> Iterator[None]:
    """Record modes and sizes of a folder's files at each write."""
    really = os.pwrite

    def pwrite(fd: int, data: bytes, offset: int) -> int:
        written = really(fd, data, offset)
        stats = ((path, path.lstat()) for path in sorted(folder.rglob("*")))
        files = [(str(path.relative_to(folder)), stat.st_mode, stat.st_size) for path, stat in stats]
        noticed.add("written", files)
        return written

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "pwrite", pwrite)
        yield


def table_that_tells(
    folder: Path, noticed: Noticed, match: Match, *, wired: bool, drum_ms: int = 700, **options: Any
) -> Bench:
    """Return a host with real or virtual devices, all of which are recorded."""
    hardware = FakeHardware(noticed) if wired else None
    painter = Painter(hardware, AtOnce()) if hardware else None  # type: ignore[arg-type]
    config = TableConfig(
        pace=PaceOptions(nudge_s=1, sound_s=2),
        sound=SoundOptions(voice=True),
        display=DisplayOptions(drum_ms=drum_ms),
    )
    paint = painter.put if painter else None
    bench = Bench(folder, config=config, newcomer=True, match=match, hardware=hardware, paint=paint, **options)
    if painter:
        painted(bench, painter)
    return bench


def sat(match: Match, *, gap: bool) -> list[Sitter | None]:
    sitters: list[Sitter | None] = [Sitter(name) for name in match.names]
    return [sitters[0], None, *sitters[1:]] if gap and len(sitters) < 5 else sitters


def at_the_table(folder: Path, pair: Pair, which: int, *, wired: bool, gap: bool) -> Noticed:
    """Play one match of a pair at a host; return the observations."""
    noticed, match = Noticed(), pair.make(which)
    sitters = sat(match, gap=gap)
    taken = [place for place, sitter in enumerate(sitters) if sitter]
    noticed.place = taken[pair.seat]
    with logged(noticed), watched(noticed, folder), linked(folder) as club:
        line_of(club).noted = lambda sent: noticed.add("club", sent)
        bench = table_that_tells(folder, noticed, match, wired=wired, sitters=sitters, club=club)
        bench.read()
        began_ns = bench.clock.t_ns
        noticed.now_ns = lambda: bench.clock.t_ns - began_ns
        assert isinstance(bench.screen, Play)
        _listen(bench, noticed, pair.seat)
        for act in pair.acts(which):
            bench.wait((act.at_ms * MS - noticed.now_ns()) / 1e9)
            place = HOUSE if act.seat == TABLE else taken[act.seat]
            _press(bench, place, act.control, wired=wired)
        bench.wait(2)
        bench.host.close()
    return noticed


def _listen(bench: Bench, noticed: Noticed, seat: Seat) -> None:
    """Record what a virtual table and its followers show and play."""
    surface, drawn = pygame.Surface(SIZE), [bench.frame]
    send, show = bench.host.frames.send, bench.host.devices.show
    play, voice = bench.host.devices.sound.play, bench.host.devices.sound.voice
    say, hush = voice.say, voice.hush

    def picture(frame: Frame) -> None:
        noticed.add("frame", frame)
        if not frame.looks_like(drawn[-1]):
            drawn.append(frame)
            screens.draw(Canvas(surface), frame)
            noticed.add("picture", sha256(surface.get_buffer().raw).hexdigest())
        send(frame)

    def lit(place: int, lamp: Lamp) -> None:
        noticed.add("virtual lamp", (place, lamp))
        show(place, lamp)

    def heard(name: str, lasting_ns: int = 0) -> None:
        noticed.add("sound", (name, lasting_ns))
        play(name, lasting_ns)

    def said(sentence: str, language: str) -> None:
        noticed.add("said", (sentence, language))
        say(sentence, language)

    def hushed() -> None:
        noticed.add("hushed", None)
        hush()

    def told(step: StepResult) -> None:
        for happened, audience in product(step.events, (None, *(other for other in range(5) if other != seat))):
            if happened.visible_to(audience):
                noticed.add(f"line to {audience}", json.dumps(to_json(step.t_ns, happened)))
        present(step)

    bench.host.frames.send, bench.host.devices.show = picture, lit
    bench.host.devices.sound.play = heard  # type: ignore[method-assign]
    voice.say, voice.hush = said, hushed  # type: ignore[method-assign]
    present, bench.host.session.present = bench.host.session.present, told


def _press(bench: Bench, place: int, control: str, *, wired: bool) -> None:
    if control in {PLUG, UNPLUG} and not wired:
        (bench.host.devices.plug if control == PLUG else bench.host.devices.unplug)(place)
    else:
        bench.hand(place, control, source="pod" if wired else PC)
    if control == BUZZ:
        bench.wait(0.001)
        bench.hand(place, control, pressed=False)


def compare(one: Noticed, two: Noticed) -> None:
    for here, there in zip(one.public, two.public, strict=False):
        assert here == there
    assert len(one.public) == len(two.public), (one.public + two.public)[-1]


def pair_of(number: int) -> Pair:
    """Return a pair: each fifth is an answer, the others are bids."""
    luck = Random(f"pair {number}")
    if number % 5 == 4:
        return an_answer(luck, rich=number % 10 == 9)
    return a_bid(luck, first=number % 5 not in {1, 3})


def both(folder: Path, number: int) -> tuple[Noticed, Noticed]:
    """Play a pair: every second with real devices, every third with an empty place."""
    pair = pair_of(number)
    one, two = (
        at_the_table(folder / f"{number}-{which}", pair, which, wired=number % 2 == 0, gap=number % 3 == 0)
        for which in (0, 1)
    )
    return one, two


# --- The tests --------------------------------------------------------------------------------------------


@pytest.mark.soak
def test_nothing_at_the_table_reveals_a_secret(tmp_path: Path, soak_count: Callable[[int], int]) -> None:
    for number in range(soak_count(1_000)):
        one, two = both(tmp_path, number)
        compare(one, two)
        assert {"picture", "written", "said", "club"} <= {kind for _, kind, _ in one.public}
        if number % 2 == 0:
            assert one.own != two.own, "its own screen tells the seat what it keys"
            shown = {kind.split()[0]: what for _, kind, what in one.public if kind.split()[0] in {"say", "picture"}}
            assert {*shown} == {"say", "picture"}


@pytest.mark.soak
def test_no_script_line_reveals_a_secret(soak_count: Callable[[int], int]) -> None:
    for number in range(soak_count(1_000)):
        pair = pair_of(number)
        one, two = by_script(pair, 0), by_script(pair, 1)
        compare(one, two)
        assert one.own != two.own, "what was not accepted is told to whom it concerns"


def by_script(pair: Pair, which: int) -> Noticed:
    """Play one match as `companion headless`; return its output and log."""
    noticed, table = Noticed(), VirtualTable(pair.make(which))
    noticed.now_ns = table.clock.now_ns
    lines = [f"{act.at_ms / 1000:.3f} {_script_words(act)}" for act in pair.acts(which)]
    outs = {seat: io.StringIO() for seat in range(len(table.match.names))}
    everybody = io.StringIO()
    printers = [Printer(everybody, None), *(Printer(out, seat) for seat, out in outs.items())]

    def tell(t_ns: int, told: Event) -> None:
        for printer in printers:
            printer(t_ns, told)

    with logged(noticed):
        run_script(table, lines, "script", tell)
    noticed.add("printed", everybody.getvalue().splitlines())
    for seat, out in outs.items():
        to = noticed.own if seat == pair.seat else noticed.public
        to.append((0, f"printed for {seat}", out.getvalue().splitlines()))
    return noticed


def _script_words(act: Act) -> str:
    if act.seat == TABLE:
        return f"house {act.control}"
    if act.control in {BUZZ, PLUG, UNPLUG}:
        return f"seat {act.seat + 1} {act.control}"
    return f"seat {act.seat + 1} keys {act.control}"


@pytest.mark.parametrize("wired", [False, True])
def test_corrected_secret_hides_its_number_of_keys(tmp_path: Path, wired: bool) -> None:
    found = []
    for number, keys in enumerate(("5#", "44A*9*3#")):
        noticed = Noticed()
        match = new_match(OFFICE, NAMES[:3], seed="again")
        match.push(OFFICE.rules.draws(match.state)[0])
        seat = noticed.place = match.state.duel[0]
        with logged(noticed), watched(noticed, tmp_path / str(number)):
            bench = Bench(tmp_path / str(number), match=match, hardware=FakeHardware(noticed) if wired else None)
            noticed.now_ns = bench.clock.now_ns
            _listen(bench, noticed, seat)
            bench.read()
            for place, control in ((seat, "1"), (seat, "#"), (HOUSE, "menu"), (HOUSE, "right")):
                _press(bench, place, control, wired=wired)
            bench.take("Correct", "2. ")
            assert "enters it again" in bench.poster.hint
            began_ns = bench.clock.t_ns
            for key in keys[:-1]:
                _press(bench, seat, key, wired=wired)
                bench.wait(0.1)
            bench.wait(3 - (bench.clock.t_ns - began_ns) / 1e9)
            _press(bench, seat, keys[-1], wired=wired)
            assert bench.match.entries[-1].kind == "amend"
            bench.host.close()
        found.append(noticed)
    compare(*found)


@pytest.mark.parametrize("lost", [False, True], ids=["news", "lost presses"])
def test_fading_news_hides_when_a_key_was_pressed(tmp_path: Path, lost: bool) -> None:
    """News grow old, and a press clears a notice of lost presses."""

    def make(_: int = 0) -> Match:
        match = new_match(OFFICE, NAMES[:3], seed="old news")
        match.push(OFFICE.rules.draws(match.state)[0])
        return match

    seat, other = make().state.duel
    news = [Act(50 + 500 * n, other, key) for n, key in enumerate("1#*1#")]
    typed = [(Act(at_ms, seat, "1"), Act(LOCK_MS + 4000, seat, "2")) for at_ms in (LOCK_MS + 2500, LOCK_MS + 3500)]
    others = [*news, *([Act(LOCK_MS, seat, LOST)] if lost else [])]
    pair = Pair(make, seat, (typed[0], typed[1]), tuple(others))
    compare(*(at_the_table(tmp_path / str(which), pair, which, wired=True, gap=False) for which in (0, 1)))


@pytest.mark.parametrize("first", [0, 1])
def test_both_bids_appear_in_the_same_flip(tmp_path: Path, first: int) -> None:
    """The picture contains no other 73 or 58."""
    match = new_match(OFFICE, NAMES[:3], rulings=OFFICE.rulings(bid_entry="total"), seed="flip")
    match.push(OFFICE.rules.draws(match.state)[0])
    duel = match.state.duel
    bench = Bench(tmp_path, match=match)
    bench.read()
    bench.press(duel[first], *("73", "58")[first], "#")
    bench.press(duel[1 - first], *("58", "73")[first])
    hidden = len(bench.frames)
    bench.press(duel[1 - first], "#")
    bench.wait(10)
    seen = [{"73", "58"} & drawn_words(frame) for frame in bench.frames]
    assert not any(seen[:hidden])
    both = seen.index({"73", "58"})
    assert both > hidden  # the drum shows neither
    assert not any(seen[:both])
    assert all(words == {"73", "58"} for words in seen[both:])
    assert {73, 58} == set(bench.view.last.totals)
    bench.host.close()


def drawn_words(frame: Frame) -> set[str]:
    canvas = Canvas(pygame.Surface(SIZE, 0, 32))
    screens.draw(canvas, frame)
    return {placed.what for placed in canvas.placed}


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_seats_know_only_public_facts_in_races(game: Any) -> None:
    """A photo finish may therefore name callers."""
    for seats in game.rules.SEATS:
        match, luck = after(game, seats, None, ()), Random(f"calls {seats}")
        while match.outcome is None:
            stage = game.console.stage(match.view())
            calls = stage.race is not None or bool(stage.deal and stage.deal.early_controls)
            if calls:
                assert {match.view(Seat(seat))._replace(you=None) for seat in range(seats)} == {match.view()}
            match.push(random_move(game.rules, match.state, luck.randrange))


# --- Deliberate leaks -------------------------------------------------------------------------------------


def _typed(host: Any) -> int:
    referee = host.session.referee if isinstance(host, Host) else host
    return sum(len(referee.entries.get(seat, "")) for seat in range(len(referee.match.names)))


def wrapped(patch: pytest.MonkeyPatch, owner: Any, name: str, after: Callable[..., Any]) -> None:
    """Make a function call `after` with its result and arguments."""
    real = getattr(owner, name)
    patch.setattr(owner, name, lambda *args, **named: after(real(*args, **named), *args))


def lamp_of_a_long_bid(patch: pytest.MonkeyPatch) -> None:
    def lit(_: None, keys: Any, signal: Signal) -> None:
        if sum(map(len, keys.gate.entries.values())) > 1:
            keys.steps.add(lamps=((signal.seat, Lamp.ON),))

    wrapped(patch, Keys, "entered", lit)


def siren_of_a_refused_key(patch: pytest.MonkeyPatch) -> None:
    def heard(_: None, session: Any, happened: Event) -> None:
        if happened.kind == "refused" and session.hardware:
            session.hardware.sound_siren()

    wrapped(patch, Session, "_tell", heard)


def sound_of_a_refused_key(patch: pytest.MonkeyPatch) -> None:
    def heard(_: None, session: Any, happened: Event) -> None:
        if happened.kind == "refused":
            session.sounds._player.play("wrong")

    wrapped(patch, Session, "_tell", heard)


def voice_that_reads_the_bid(patch: pytest.MonkeyPatch) -> None:
    def said(_: None, session: Any, signal: Signal) -> None:
        if entry := session.referee.entries.get(signal.seat):
            session.speech._voice.say(entry, "en")

    wrapped(patch, Session, "_hear_seat", said)


def log_of_the_keys(patch: pytest.MonkeyPatch) -> None:
    log = logging.getLogger("companion.referee.referee")
    wrapped(patch, Keys, "entered", lambda _, keys, signal: log.debug("a key of seat %d", signal.seat))


def log_of_the_move(patch: pytest.MonkeyPatch) -> None:
    log = logging.getLogger("companion.referee.referee")
    wrapped(patch, Match, "prepare", lambda step, match, move, comment: log.debug("%s", move.args) or step)


def strip_with_the_length(patch: pytest.MonkeyPatch) -> None:
    def told(sides: Any, panels: MatchPanels) -> Any:
        entries = panels._moment.entries
        typed = sum(len(entries.get(seat, "")) for seat in range(len(sides)))
        return (sides[0]._replace(note="." * typed), *sides[1:])

    wrapped(patch, MatchPanels, "sides", told)


def frame_for_each_key(patch: pytest.MonkeyPatch) -> None:
    def sent(_: None, host: Any, session: Any, signal: Signal) -> None:
        if signal.control in KEYS:
            host.frames.send(host.frames._frame())

    wrapped(patch, Host, "_play", sent)


def number_of_the_frame(patch: pytest.MonkeyPatch) -> None:
    def counted(_: None, host: Any, session: Any, signal: Signal) -> None:
        host.frames._serial += signal.control == "A"

    wrapped(patch, Host, "_play", counted)


def pixel_of_the_bid(patch: pytest.MonkeyPatch) -> None:
    keys: list[str] = []

    def dotted(_: Any, canvas: Any, frame: Frame) -> None:
        canvas.surface.set_at((3, 3), (len(keys) % 256, 0, 0))

    wrapped(patch, Keys, "entered", lambda _, part, signal: keys.append(signal.control))
    wrapped(patch, screens, "draw", dotted)


def later_by_the_bid(patch: pytest.MonkeyPatch) -> None:
    commit = Committer._commit

    def late(committer: Any, step: Any, *first: Event) -> None:
        committer.steps.now_ns += sum(played.move.args[0] for played in step.line if played.move.args)
        commit(committer, step, *first)

    patch.setattr(Committer, "_commit", late)


def undo_names_the_bid(patch: pytest.MonkeyPatch) -> None:
    def told(match: Match, count: int) -> Text:
        written = [match.game.notation.format_move(match.box, move) for move in match.moves[-count:]]
        return msg("{moves}", moves=", ".join(written))

    patch.setattr(match_menus, "tell_last", told)


def refusal_before_everybody(patch: pytest.MonkeyPatch) -> None:
    def told(committer: Any, seat: Seat, text: Any, rule: str | None = None) -> None:
        committer.steps.add(event(Refused(rule, text), seat))

    patch.setattr(Committer, "refuse", told)


def view_with_the_bid(patch: pytest.MonkeyPatch) -> None:
    """Add the locked points to the public view of Büro Crazy."""

    def told(view: Any, state: Any, seat: Seat | None) -> Any:
        held = sum(map(sum, filter(None, state.bids)))
        return view._replace(kitchen_points=view.kitchen_points + held)

    wrapped(patch, OFFICE.rules, "view", told)


def screens_of_the_others(patch: pytest.MonkeyPatch) -> None:
    def told(lines: Private, panels: MatchPanels, place: int) -> Private:
        typed = sum(len(panels._moment.entries.get(seat, "")) for seat in range(3))
        return lines._replace(first=f"{lines.first} {'.' * typed}")

    wrapped(patch, MatchPanels, "private", told)


def pictures_of_the_others(patch: pytest.MonkeyPatch) -> None:
    def told(picture: Any, running: Any, place: int, *_: Any) -> Any:
        typed = sum(len(running.entries.get(seat, "")) for seat in range(3)) if running else 0
        return picture._replace(said=f"{picture.said} {'.' * typed}") if picture else None

    wrapped(patch, match_panels, "private_picture", told)


def touches_of_the_others(patch: pytest.MonkeyPatch) -> None:
    def told(picture: Any, running: Any, place: int, *_: Any) -> Any:
        typed = sum(len(running.entries.get(seat, "")) for seat in range(3)) if running else 0
        return picture._replace(touches=(*picture.touches, Touchable("#", str(typed)))) if picture else None

    wrapped(patch, match_panels, "private_picture", told)


def pictures_for_each_key(patch: pytest.MonkeyPatch) -> None:
    wrapped(patch, Painter, "put", lambda _, painter, pictures: painter._given.clear())


def reminder_that_a_key_ends(patch: pytest.MonkeyPatch) -> None:
    wrapped(patch, Session, "_hear_seat", lambda _, session, signal: session.reminders.pressed(signal.seat))


TELLTALES: Final = (
    reminder_that_a_key_ends,
    lamp_of_a_long_bid,
    siren_of_a_refused_key,
    sound_of_a_refused_key,
    voice_that_reads_the_bid,
    log_of_the_keys,
    log_of_the_move,
    strip_with_the_length,
    frame_for_each_key,
    number_of_the_frame,
    pixel_of_the_bid,
    later_by_the_bid,
    undo_names_the_bid,
    refusal_before_everybody,
    view_with_the_bid,
    screens_of_the_others,
    pictures_of_the_others,
    touches_of_the_others,
    pictures_for_each_key,
)


@pytest.mark.parametrize("leak", TELLTALES)
def test_deliberate_leak_is_detected(
    leak: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leak(monkeypatch)
    pairs = (both(tmp_path, number) for number in range(6))
    assert any(one.public != two.public for one, two in pairs)

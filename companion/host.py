"""The host of a table: attracts, seats, lets choose, starts and ends matches. Runs in a thread of its own.

It serves `run_live` as a referee does: signals and ticks in, frames out.
"""

import logging
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from companion import history
from companion.config import TableConfig
from companion.core.console import BUZZ, Lamp
from companion.core.errors import AmendError, CompanionError, IllegalMove
from companion.core.event import Event
from companion.core.game import Game
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat
from companion.core.rules import Rulings, View
from companion.core.signal import PC, PLUG, UNPLUG, VISIBLE, Signal
from companion.core.text import Text, msg
from companion.devices.virtual import VirtualDevices
from companion.display.frame import Frame, Menu, Panel, Play, Poster, Result, Screen, Side, Standing, told
from companion.lobby import (
    BACK,
    OK_CONTROLS,
    Choice,
    Item,
    Seating,
    Sitter,
    games_menu,
    next_value,
    pause_menu,
    result_menu,
    resume_menu,
    rulings_menu,
    sure_menu,
)
from companion.referee.clock import PlanningClock
from companion.referee.debounce import Line
from companion.referee.journal import Journal, open_record
from companion.referee.referee import Referee
from companion.table import Robots, dealer_of, is_demo, new_match
from companion.telling import tell

PLACES: Final = 5
CORRECTABLE: Final = 6
"""How many of the last decisions can be corrected from the menu."""

_NAMES: Final = ("Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "Greta", "Hugo", "Ida", "Jon")

log = logging.getLogger(__name__)


@dataclass
class _Seated:
    """The devices of the places that play, as the referee knows them: by seat."""

    devices: VirtualDevices
    places: tuple[int, ...]

    @property
    def settle_ns(self) -> int:
        return self.devices.settle_ns

    def flush(self, now_ns: int) -> Iterable[Signal]:
        return [
            signal._replace(seat=self.places.index(signal.seat))
            for signal in self.devices.flush(now_ns)
            if signal.seat in self.places
        ]

    def show(self, seat: Seat, lamp: Lamp) -> None:
        self.devices.lamps.show(self.places[seat], lamp)


@dataclass
class _Running:
    """The match that is played: its referee and journal, who sits where, what was last told of each seat."""

    match: Match
    journal: Journal
    seating: Seating
    clock: PlanningClock
    devices: VirtualDevices
    referee: Referee = field(init=False)
    tones: dict[Seat, tuple[str, str]] = field(default_factory=dict)
    refused: dict[Seat, str] = field(default_factory=dict)

    @property
    def places(self) -> tuple[int, ...]:
        return self.seating.taken

    def plan(self, t_ns: int, action: Callable[[], None]) -> None:
        self.clock.at(t_ns, action)

    def press(self, seat: Seat, control: str) -> None:
        self.devices.press(self.places[seat], control)

    def follow(self, _: int, happened: Event) -> None:
        """Remember what a seat's strip and private screen say of the last move."""
        tone = self.match.game.teller.TONES.get(happened.kind)
        if tone and happened.seat is not None:
            self.tones[happened.seat] = (tone, told(tell(self.match.game, happened, self.match.names)))
        if happened.kind == "refused" and happened.seat is not None:
            self.refused[happened.seat] = told(happened.facts["text"])


class Host:
    """Runs everything that happens at one table; `show` takes the frames, in the thread of the host.

    `sitters` sit there already, `game` is played without being asked for; a `match` is begun at once.
    """

    def __init__(
        self,
        games: Mapping[str, Game],
        config: TableConfig,
        clock: PlanningClock,
        show: Callable[[Frame], None],
        *,
        settle_ns: int,
        sitters: Sequence[Sitter | None] = (),
        game: str | None = None,
        match: Match | None = None,
    ) -> None:
        self.devices = VirtualDevices(PLACES, clock, self._arrived, settle_ns)
        self._games = games
        self._config = config
        self._clock = clock
        self._send = show
        self._serial = 0
        self._presses = [Line() for _ in range(PLACES)]
        self._pressed_ns = [-1] * PLACES
        self._wanted_game = game
        self._first = match
        self._wanted = tuple(sitters)
        self._seating = self._empty_seating()
        self._rulings: Rulings = None
        self._running: _Running | None = None
        self._menu: Choice | None = None
        self._back: Callable[[], None] = self._attract
        self._poster: Poster | None = None
        self._result: Result | None = None
        self._joining = False

    # --- What run_live needs --------------------------------------------------------------------------

    @property
    def deadline_ns(self) -> int | None:
        """When `tick` is next due."""
        match_ns = self._running.referee.deadline_ns if self._running else None
        due = [at for at in (match_ns, self._clock.next_ns()) if at is not None]
        return min(due) if due else None

    def tick(self, now_ns: int) -> None:
        """Do what is due: of the match, and of the devices and robots."""
        with _Guard(self):
            if self._running:
                self._running.referee.tick(now_ns)
            self._clock.act_due()
            self._after()

    def signal(self, signal: Signal) -> None:
        """Take in what a device or the PC reports."""
        with _Guard(self):
            if signal.source == PC and signal.control != VISIBLE:
                self._by_hand(signal)
            else:
                self._arrived(signal)
            self._after()

    def start(self) -> None:
        """Show the first screen: an interrupted match, or the attract screen."""
        with _Guard(self):
            if self._first:
                self._keep(self._first)
            elif not self._offer_resume():
                self._attract()

    def close(self) -> None:
        """End for now: what is played stays in the journal."""
        self._end()

    def shown(self, frame: Frame, t_ns: int) -> Signal | None:
        """Return the signal that a frame became visible at `t_ns`, if it is the newest that was asked for."""
        if frame.serial != self._serial:
            return None
        return Signal("display", TABLE, VISIBLE, t_ns, 0, self._clock.now_ns())

    # --- Signals --------------------------------------------------------------------------------------

    def _by_hand(self, signal: Signal) -> None:
        """Work a virtual device as a hand on the PC does."""
        place, control = signal.seat, signal.control
        if control.startswith("fault "):
            self._fault(place, control.removeprefix("fault "))
        elif place == TABLE:
            self.devices.house(control)
        elif control == BUZZ:
            self.devices.buzzers[place].hold(signal.t_ns, signal.uncertainty_ns, pressed=signal.pressed)
        elif signal.pressed:
            self.devices.keypads[place].press(control)

    def _fault(self, place: int, kind: str) -> None:
        buzzer = self.devices.buzzers[place]
        if kind == "unplug":
            (self.devices.unplug if buzzer.plugged else self.devices.plug)(place)
        elif kind == "bounce":
            buzzer.fault.bounce_ns = 0 if buzzer.fault.bounce_ns else 4_000_000
        elif kind == "late":
            buzzer.fault.late_ns = 0 if buzzer.fault.late_ns else 20_000_000
        elif buzzer.fault.stuck:
            buzzer.mend()
        else:
            buzzer.stick()
        self._refresh()

    def _arrived(self, signal: Signal) -> None:
        running = self._running
        if running and self._menu is None and self._poster is None:
            self._to_match(running, signal)
            return
        if running and signal.seat in running.places and signal.control in {BUZZ, PLUG, UNPLUG}:
            # The referee must know each contact's state, although the match is paused.
            running.referee.signal(signal._replace(seat=running.places.index(signal.seat)))
        if self._is_press(signal):
            self._to_lobby(signal.seat, signal.control)

    def _to_match(self, running: _Running, signal: Signal) -> None:
        if signal.seat == TABLE and signal.control in {"pause", "menu"}:
            self._pause()
        elif signal.seat == TABLE:
            running.referee.signal(signal)
        elif signal.seat in running.places:
            running.referee.signal(signal._replace(seat=running.places.index(signal.seat)))
        self._refresh_panels()

    def _is_press(self, signal: Signal) -> bool:
        """Tell whether a signal is something newly pressed; contacts bounce in menus as they do in matches."""
        if signal.control != BUZZ:
            return signal.pressed and signal.control not in {PLUG, UNPLUG, VISIBLE}
        if not 0 <= signal.seat < PLACES:
            return False
        line = self._presses[signal.seat]
        line.forget(signal.received_ns - 1_000_000_000)
        line.hear(signal)
        new = [press for press in line.presses() if press.confirmed and press.t_ns > self._pressed_ns[signal.seat]]
        if new:
            self._pressed_ns[signal.seat] = new[-1].t_ns
        return bool(new)

    def _to_lobby(self, place: int, control: str) -> None:
        if self._menu:
            self._menu, item = self._menu.press(control)
            self._take(item) if item else self._refresh()
        elif self._poster:
            self._attract_or_join(place, control)
        elif self._joining:
            self._join(place, control)

    def _attract_or_join(self, place: int, control: str) -> None:
        if self._running:
            self._poster = None
            self._refresh()
            return
        self._poster, self._joining = None, True
        self._seating = self._empty_seating()
        if control == BUZZ and self._seating.places[place] is None:
            self._seating = self._seating.press(place, control)
        self._refresh()

    def _join(self, place: int, control: str) -> None:
        taken = len(self._seating.taken)
        if control in OK_CONTROLS:
            if taken >= 2:
                self._choose_game()
            return
        if control in {"*", "undo"}:
            self._attract()
            return
        self._seating = self._seating.press(place, control)
        self._refresh()

    # --- Menus ----------------------------------------------------------------------------------------

    def _take(self, item: Item) -> None:
        act: Callable[[], None] = {
            BACK: self._back,
            "game": lambda: self._choose_rulings(item.value),
            "ruling": lambda: self._next_ruling(item.value),
            "start": self._begin,
            "go_on": self._go_on,
            "undo": self._undo,
            "correct": self._correct,
            "replace": lambda: self._alternatives(item.value),
            "amend": lambda: self._amend(*item.value),
            "restart": lambda: self._ask(msg("Start again?"), self._restart, "sure_restart"),
            "sure_restart": self._restart,
            "leave": lambda: self._ask(msg("Leave the match?"), self._attract, "sure_leave"),
            "sure_leave": self._attract,
            "resume": lambda: self._resume(self._newest()),
            "attract": self._attract,
        }[item.act]
        act()

    def _open_menu(self, menu: Choice, back: Callable[[], None]) -> None:
        self._menu, self._back, self._poster = menu, back, None
        self._refresh()

    def _ask(self, question: Text, act: Callable[[], None], name: str) -> None:
        if self._running is None or self._running.match.outcome:
            act()
            return
        self._open_menu(sure_menu(question, name), self._pause_menu)

    def _attract(self) -> None:
        self._end()
        self._menu, self._joining = None, False
        self._poster = Poster(
            told(msg("The table companion")),
            (told(msg("Who is first? Nobody has to argue about it any more.")),),
            told(msg("Press a buzzer to sit down")),
        )
        self._refresh()

    def _choose_game(self) -> None:
        self._joining = False
        if self._wanted_game:
            self._choose_rulings(self._wanted_game)
            return
        self._open_menu(games_menu(self._games, len(self._seating.taken)), self._sit_again)

    def _sit_again(self) -> None:
        self._menu, self._joining = None, True
        self._refresh()

    def _choose_rulings(self, name: str) -> None:
        self._game = self._games[name]
        self._rulings = self._config.rulings_of(self._game)
        self._open_menu(rulings_menu(self._game, self._rulings), self._sit_again)

    def _next_ruling(self, name: str) -> None:
        assert self._menu
        self._rulings = next_value(self._rulings, name)
        self._open_menu(rulings_menu(self._game, self._rulings, self._menu.selected), self._back)

    # --- Matches --------------------------------------------------------------------------------------

    def _begin(self) -> None:
        names = [sitter.name for sitter in self._seating.places if sitter]
        demo = self._first is not None and is_demo(self._first)
        self._keep(new_match(self._game, names, rulings=self._rulings, demo=demo))

    def _keep(self, match: Match) -> None:
        path = history.new_path(self._config.journal.path, match)
        self._run(match, Journal.create(path, match), self._seating)

    def _restart(self) -> None:
        assert self._running
        self._seating = self._running.seating
        self._game, self._rulings = self._running.match.game, self._running.match.rulings
        self._end()
        self._begin()

    def _newest(self) -> Path:
        return history.records(self._config.journal.path)[-1]

    def _offer_resume(self) -> bool:
        paths = history.records(self._config.journal.path)
        if not paths:
            return False
        try:
            match = open_record(paths[-1], self._games).match
        except CompanionError as error:
            log.warning("%s", error)
            return False
        if match.outcome or not match.length or is_demo(match):
            return False
        summary = msg(
            "{game}: {names}, {n} moves", game=match.game.title, names=", ".join(match.names), n=match.length
        )
        self._open_menu(resume_menu(summary), self._attract)
        return True

    def _resume(self, path: Path) -> None:
        journal, opened = Journal.resume(path, self._games)
        names = opened.match.names
        seating = self._empty_seating()
        robots = [sitter.robot if sitter else "" for sitter in self._wanted] + [""] * PLACES
        places = [Sitter(name, robots[place]) for place, name in enumerate(names)]
        self._seating = seating._replace(places=(*places, *[None] * (PLACES - len(places))))
        self._run(opened.match, journal, self._seating)
        self._pause()

    def _run(self, match: Match, journal: Journal, seating: Seating) -> None:
        running = _Running(match, journal, seating, self._clock, self.devices)
        seated = _Seated(self.devices, running.places)
        running.referee = Referee(match, journal, inputs=seated, lamps=seated, screen=self, dealer=dealer_of(match))
        running.referee.followers.append(running.follow)
        bots = [match.game.bots[sitter.robot] if sitter.robot else None for sitter in seating.places if sitter]
        Robots.seated(running, bots, secrets.token_hex(8))
        self._running, self._menu, self._poster = running, None, None
        self._joining, self._result = False, None
        running.referee.start(self._clock.now_ns())
        for place in running.places:
            if not self.devices.buzzers[place].plugged:
                running.referee.signal(self._plug_signal(running.places.index(place)))

    def _plug_signal(self, seat: Seat) -> Signal:
        now_ns = self._clock.now_ns()
        return Signal("virtual", seat, UNPLUG, now_ns, 0, now_ns)

    def _end(self) -> None:
        if self._running:
            self._running.journal.close()
            for place in range(PLACES):
                self.devices.lamps.show(place, Lamp.OFF)
        self._running, self._result = None, None

    def _after(self) -> None:
        """Show the result when the match has just ended."""
        running = self._running
        if running and self._menu is None and self._result is None and running.match.outcome:
            outcome, names = running.match.outcome, running.match.names
            standings = []
            place = 1
            for seats in outcome.ranking:
                standings.append(Standing(place, ", ".join(names[seat] for seat in seats)))
                place += len(seats)
            winners = ", ".join(names[seat] for seat in outcome.winners)
            title = told(msg("{winners} wins", "{winners} win", winners=winners, n=len(outcome.winners)))
            hint = told(msg("1 or # again   2 another game"))
            self._result = Result(title, told(outcome.reason), tuple(standings), hint)
            self._open_menu(result_menu(), self._attract)

    def _pause(self) -> None:
        assert self._running
        if ("house", TABLE) not in self._running.referee.pauses:
            self._running.referee.signal(self._house("pause"))
        self._pause_menu()

    def _house(self, control: str) -> Signal:
        now_ns = self._clock.now_ns()
        return Signal("host", TABLE, control, now_ns, 0, now_ns)

    def _pause_menu(self) -> None:
        assert self._running
        referee = self._running.referee
        self._open_menu(pause_menu(referee.undo_takes(), bool(self._decided())), self._go_on)

    def _go_on(self) -> None:
        assert self._running
        self._menu = None
        if ("house", TABLE) in self._running.referee.pauses:
            self._running.referee.signal(self._house("pause"))
        self._refresh()

    def _undo(self) -> None:
        assert self._running
        self._running.referee.undo_now(self._clock.now_ns())
        self._pause_menu()

    def _decided(self) -> list[int]:
        """Return the numbers of the last moves that somebody decided, newest first."""
        assert self._running
        match = self._running.match
        numbers = [
            number
            for number, move in enumerate(match.moves, 1)
            if not (move.seat == TABLE and move.verb in match.game.rules.DRAWS)
        ]
        return numbers[: -CORRECTABLE - 1 : -1]

    def _correct(self) -> None:
        assert self._running
        match = self._running.match
        items = [
            Item(msg("{number}. {move}", number=number, move=match.move_text(number)), "replace", number)
            for number in self._decided()
        ]
        self._open_menu(Choice(msg("Correct which move?"), tuple(items)), self._pause_menu)

    def _alternatives(self, number: int) -> None:
        assert self._running
        match = self._running.match
        items = [
            Item(msg("{move}", move=match.game.notation.format_move(match.box, move)), "amend", (number, move))
            for move in match.alternatives(number)[:9]
        ]
        if items:
            self._open_menu(Choice(msg("What was it really?"), tuple(items)), self._correct)

    def _amend(self, number: int, move: Move) -> None:
        assert self._running
        try:
            self._running.referee.amend(number, move, self._clock.now_ns())
        except (IllegalMove, AmendError) as error:
            self._menu = None
            self._trouble(error.text, told(msg("Nothing was changed. Press any button")))
            return
        self._pause_menu()

    # --- Frames ---------------------------------------------------------------------------------------

    def show(self, view: View, prompt: Text) -> int | None:
        """Send the running match's new position to the display; a VISIBLE signal will answer."""
        self._serial += 1
        self._send(self._frame())
        if self._running:
            self._running.tones.clear()
        return None

    def trouble(self, error: Exception) -> None:
        """Say on the screen what went wrong; the match, if one is played, stays in its journal."""
        if isinstance(error, CompanionError):
            text = error.text
        else:
            log.error("host", exc_info=error)
            text = msg("An internal error; the details are in the log. The match is kept.")
        self._menu, self._joining = None, False
        self._end()
        self._trouble(text, told(msg("Press any button")))

    def _trouble(self, text: Text, hint: str) -> None:
        self._poster = Poster(told(msg("Something is wrong")), (told(text),), hint, trouble=True)
        self._refresh()

    def _refresh(self) -> None:
        self._serial += 1
        self._send(self._frame())

    def _refresh_panels(self) -> None:
        if self._menu is None and self._poster is None:
            # Not a new request: what the match asked to be shown is still what is reported as visible.
            self._send(self._frame())

    def _frame(self) -> Frame:
        running = self._running
        race = running is not None and running.referee.calls_may_come
        return Frame(self._serial, self._screen(), self._sides(), self._panels(), calls_open=race)

    def _screen(self) -> Screen:
        if self._poster:
            return self._poster
        if self._menu and self._result:
            return self._result
        if self._menu:
            selected = self._menu.items[self._menu.selected]
            return Menu(
                told(self._menu.title),
                tuple(told(item.label) for item in self._menu.items),
                self._menu.selected,
                told(selected.detail),
                told(msg("digit or # takes a line, a buzzer goes on, * goes back")),
            )
        if self._running:
            return Play(self._running.match.game.name, self._running.match.view())
        taken = len(self._seating.taken)
        hint = msg("# when all sit") if taken >= 2 else msg("Two or more players are needed")
        lines = (told(msg("Press your buzzer to sit down or stand up.")), told(msg("A: name. B: robot.")))
        return Poster(told(msg("Who plays?")), lines, told(hint))

    def _sides(self) -> tuple[Side, ...]:
        running = self._running
        if running is None:
            return tuple(self._lobby_side(sitter) for sitter in self._seating.places)
        return tuple(self._match_side(running, seat) for seat in range(len(running.match.names)))

    def _lobby_side(self, sitter: Sitter | None) -> Side:
        if sitter is None:
            return Side(note=told(msg("free")))
        return Side(sitter.name, told(msg("robot: {kind}", kind=sitter.robot)) if sitter.robot else "", lit=True)

    def _match_side(self, running: _Running, seat: Seat) -> Side:
        match = running.match
        name = match.names[seat]
        lamp = self.devices.lamps.lamps[running.places[seat]]
        if ("unplugged", seat) in running.referee.pauses:
            return Side(name, told(msg("unplugged!")), seat=seat, tone="bad")
        if seat in running.tones:
            tone, note = running.tones[seat]
            return Side(name, note, seat=seat, tone=tone)
        note = told(match.game.console.prompt(match.view(seat)))
        return Side(name, note, lamp != Lamp.OFF, seat)

    def _panels(self) -> tuple[Panel, ...]:
        hands = self._hands()
        return tuple(self._panel(place, hands.get(place, "")) for place in range(PLACES))

    def _panel(self, place: int, keys: str) -> Panel:
        buzzer = self.devices.buzzers[place]
        fault = buzzer.fault
        faults = [
            told(text)
            for text, on in (
                (msg("bounces"), fault.bounce_ns),
                (msg("late"), fault.late_ns),
                (msg("stuck"), fault.stuck),
                (msg("unplugged"), not buzzer.plugged),
            )
            if on
        ]
        lamp = self.devices.lamps.lamps[place]
        return Panel(place, lamp, self._private(place), ", ".join(faults), buzzer.plugged, keys)

    def _private(self, place: int) -> tuple[str, str]:
        """Return the two lines of a place's private screen."""
        running = self._running
        sitter = self._seating.places[place]
        if running and place in running.places:
            seat = running.places.index(place)
            match = running.match
            return told(match.game.console.prompt(match.view(seat))), running.refused.get(seat, "")
        return sitter.name if sitter else told(msg("free")), ""

    def _hands(self) -> dict[int, str]:
        """Return which places have the PC's digit keys: those who must act, else the first two persons."""
        running = self._running
        people = [place for place, sitter in enumerate(self._seating.places) if sitter and not sitter.robot]
        acting: list[int] = []
        if running:
            acting = [running.places[seat] for seat in running.match.to_act if seat != TABLE]
        wanted = [place for place in acting if place in people] or people or [0]
        return dict(zip(wanted, ("digits", "number pad"), strict=False))

    def _empty_seating(self) -> Seating:
        places = (*self._wanted, *[None] * PLACES)[:PLACES]
        names = tuple(dict.fromkeys((*self._config.seats.names, *_NAMES)))
        kinds = next(iter(self._games.values())).bots
        return Seating(places, names, tuple(kinds))


class _Guard:
    """Turns what goes wrong in the host into a screen that says so."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, Exception):
            return False
        self._host.trouble(error)
        return True

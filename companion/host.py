"""The host of a table: attracts, seats, lets choose, starts and ends matches. Runs in a thread of its own.

It serves `run_live` as a referee does: signals and ticks in, frames out.
"""

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion import framing, history, logbook
from companion.config import TableConfig
from companion.core import options
from companion.core.console import BUZZ, KEYS, OFF, Lamp
from companion.core.errors import CompanionError, RecordError
from companion.core.game import Game
from companion.core.match import Match
from companion.core.move import TABLE, Seat
from companion.core.rules import Rulings, View
from companion.core.signal import LEVEL, LOST, PC, PEEK, PLUG, UNPLUG, VISIBLE, Signal
from companion.core.text import Text, msg
from companion.corrections import Corrections
from companion.devices.virtual import VirtualDevices
from companion.display.frame import Frame, Play, Poster, Result, Screen
from companion.help_pages import open_help
from companion.lessons import Tutor
from companion.lobby import (
    BACK,
    MENU_CONTROLS,
    OK_CONTROLS,
    SELF_TEST,
    Choice,
    Item,
    Seating,
    Sitter,
    common_robots,
    games_menu,
    lesson_menu,
    lessons_menu,
    pause_menu,
    result_menu,
    resume_menu,
    rulings_menu,
    sure_menu,
    table_menu,
)
from companion.new_pods import NewPods
from companion.past_matches import PastMatchesVisit
from companion.private_screens import PrivateScreens
from companion.referee.calls import MS
from companion.referee.clock import PlanningClock
from companion.referee.debounce import Taps
from companion.referee.journal import DiskError, Journal, Store, Unkept, open_record
from companion.referee.referee import Referee
from companion.running import Rekeying, Running
from companion.seated import Seated
from companion.self_test import open_self_test
from companion.settings import Settings
from companion.sounding import Player
from companion.staging import Staging
from companion.stats_screens import StatisticsVisit
from companion.table import DEAL_TAG, NAMES, Robots, dealer_of, is_demo, new_match, places_of
from companion.teaching import Reading, Teaching
from companion.unsaved import Stake, unsaved_menu
from companion.visits import Opener, Premises, Visit

if TYPE_CHECKING:
    from companion.devices.hardware import Hardware  # a table without wires does not import it

PLACES: Final = 5
VERDICT_NS: Final = 3_000_000_000
"""How long the last verdict of a match is held before the result."""

_MORE_NAMES: Final = ("Finn", "Greta", "Hugo", "Ida", "Jon")

VISITS: Final[Mapping[str, Opener]] = {
    "help": open_help,
    "past": PastMatchesVisit,
    "statistics": StatisticsVisit,
    SELF_TEST: open_self_test,
}
"""The visits by the act of the menu's line that leads there."""

log = logging.getLogger(__name__)


class Host:
    """Runs everything that happens at one table; `show` takes the frames, in the thread of the host.

    `sitters` sit there already, `game` is played without being asked for; a `match` is begun at once, and so is the
    `lesson` of the game. With `deal` `table` the cards and dice of every match are real ones. `hardware` are the
    real devices, which deliver by `signal`; without it all of them are virtual. `player` is the sound card, if not
    a virtual one. `power_off` switches the machine off, where the table may.
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
        deal: str = "pi",
        hardware: "Hardware | None" = None,
        player: Player | None = None,
        power_off: Callable[[], None] | None = None,
        lesson: bool = False,
    ) -> None:
        self.devices = VirtualDevices(PLACES, clock, self._arrived, settle_ns)
        self._hardware = hardware
        self._player = player or self.devices.sound
        self._power_off = power_off
        self._settings = Settings(config, self._player)
        self._games = games
        self._clock = clock
        self._send = show
        self._serial = 0
        self._sent: Frame | None = None
        self._taps = [Taps() for _ in range(PLACES)]
        self._wanted_game = game
        self._first = match
        self._learns_first = lesson
        self._deal = deal
        self._wanted = tuple(sitters)
        self._seating = self._empty_seating()
        self._rulings: Rulings = None
        self._running: Running | None = None
        self._stake: Stake | None = None
        self._staging: Staging | None = None
        self._corrections: Corrections | None = None
        self._teaching: Teaching | None = None
        self._pressed_at: Seat = TABLE
        self._menu: Choice | None = None
        self._back: Callable[[], None] = self._attract
        self._poster: Poster | None = None
        self._result: Result | None = None
        self._joining = False
        self._visit: Visit | None = None
        self._photo = False
        self._peeking = False
        self._private = PrivateScreens(hardware.say, clock) if hardware else None
        self._pods = self._new_pods(hardware) if hardware else None

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
            elif not self._is_robots(signal):
                self._arrived(signal)
            self._after()

    def start(self) -> None:
        """Show the first screen: an interrupted match, or the attract screen."""
        with _Guard(self):
            if self._hardware and self._hardware.notice:
                self._show_poster(framing.good_to_know(self._hardware.notice, self._settings.read))
            elif self._first:
                self._keep(self._first)
            elif self._learns_first and self._wanted_game:
                self._learn(self._wanted_game)
            else:
                self._first_screen()
            if self._pods:
                self._pods.look()

    def close(self) -> None:
        """End for now: what is played stays in the journal."""
        self._end()

    def shown(self, frame: Frame, t_ns: int) -> Signal | None:
        """Return the signal that a frame became visible at `t_ns`, if it is the newest that was asked for."""
        if frame.serial != self._serial:
            return None
        return Signal("display", TABLE, VISIBLE, t_ns, 0, self._clock.now_ns())

    # --- Signals --------------------------------------------------------------------------------------

    def _is_robots(self, signal: Signal) -> bool:
        """Tell whether a signal comes from a real device in front of a robot, which presses a virtual one."""
        running = self._running
        return running is not None and signal.seat in running.places and running.seating.is_robot(signal.seat)

    def _by_hand(self, signal: Signal) -> None:
        """Work a virtual device as a hand on the PC does."""
        place, control = signal.seat, signal.control
        if control == BUZZ:
            self.devices.buzzers[place].hold(signal.t_ns, signal.uncertainty_ns, pressed=signal.pressed)
        elif control == PEEK:
            self._peeking = signal.pressed
            self._refresh_panels(always=True)
        elif not signal.pressed:
            return
        elif control.startswith("fault "):
            self.devices.break_or_mend(place, control.removeprefix("fault "))
            self._refresh()
        elif place == TABLE:
            self.devices.house(control)
        else:
            self.devices.keypads[place].press(control)

    def _arrived(self, signal: Signal) -> None:
        running = self._running
        if signal.control == OFF:
            self._ask_power_off()
            return
        if self._visit and signal.control != VISIBLE:
            self._visit.hear(signal)
        if signal.control == LOST:
            self._lost(running, signal.seat)
            return
        if running and not self._is_covered():
            self._to_match(running, signal)
            return
        if running and signal.seat in running.places and signal.control in {BUZZ, PLUG, UNPLUG}:
            # The referee must know each contact's state, although the match is paused.
            running.referee.signal(signal._replace(seat=running.places.index(signal.seat)))
        elif running and signal.seat == TABLE and signal.control in {PLUG, UNPLUG}:
            running.referee.signal(signal)
        if self._is_press(signal):
            self._to_lobby(signal.seat, signal.control)

    def _lost(self, running: Running | None, place: int) -> None:
        """Tell on a seat's strip that presses of its pod were lost; before a match they are simply made again."""
        if running and place in running.places:
            running.lost.add(running.places.index(place))
            self._refresh_panels()

    def _to_match(self, running: Running, signal: Signal) -> None:
        if signal.control == VISIBLE:
            assert self._staging
            self._staging.visible(signal, self._sent.screen if self._sent else None)
        elif signal.seat == TABLE and signal.control in {"pause", "menu"}:
            self._pause()
        elif signal.seat == TABLE and signal.control == "undo":
            self._pause()
            self._select("undo")
        elif signal.seat == TABLE:
            self._to_house(running, signal)
        elif signal.seat in running.places:
            seat = running.places.index(signal.seat)
            if signal.pressed:
                running.refused.pop(seat, None)  # what was refused is about the key before
            if (
                signal.pressed
                and signal.control in KEYS
                and not running.reveal.meant(signal.t_ns + signal.uncertainty_ns)
            ):
                running.refused[seat] = msg("not taken: pressed before it was shown")
                self._refresh_panels()
                return
            if signal.pressed and signal.control in {BUZZ, *KEYS} and LEVEL not in signal.flags:
                running.pressed(seat)
            if running.tutor:
                running.tutor.hear(signal._replace(seat=seat), running)
            running.referee.signal(signal._replace(seat=seat))
        self._refresh_panels()

    def _to_house(self, running: Running, signal: Signal) -> None:
        """Take a control of the house, or a key of its keypad; ok and skip also end what is only being shown."""
        if signal.control in {PLUG, UNPLUG}:
            running.referee.signal(signal)
        elif not running.reveal.meant(signal.t_ns + signal.uncertainty_ns):
            return
        elif signal.pressed and signal.control in {"ok", "skip"} and self._shorten():
            self._refresh()
        else:
            running.referee.signal(signal)

    def _shorten(self) -> bool:
        """End what is only being shown; tell whether that was all that could be meant."""
        if self._teaching and self._teaching.tutor.pages:
            self._teaching.hasten()
        return self._staging is not None and self._staging.shorten()

    def _is_press(self, signal: Signal) -> bool:
        """Tell whether a signal is something newly pressed; contacts bounce in menus as they do in matches."""
        if signal.control != BUZZ:
            return signal.pressed and signal.control not in {PLUG, UNPLUG, VISIBLE}
        return 0 <= signal.seat < PLACES and self._taps[signal.seat].hear(signal)

    def _to_lobby(self, place: int, control: str) -> None:
        self._pressed_at = place
        if self._visit:
            if self._visit.press(place, control):
                self._refresh()
            else:
                self._end_visit()
                self._back()
        elif self._photo:
            self._photo = False
            self._pause_menu()
        elif self._menu:
            self._menu, item = self._menu.press(control)
            self._take(item) if item else self._refresh()
        elif self._poster:
            self._attract_or_join(place, control)
        elif self._joining:
            self._join(place, control)

    def _attract_or_join(self, place: int, control: str) -> None:
        if self._pods and self._pods.asking:
            if place == TABLE:
                self._pods.press(control)
            return
        if self._corrections and self._corrections.asking:
            self._corrections.press(place, control)
            return
        if self._running:
            self._pause_menu()
            return
        if self._poster and self._poster.trouble:
            self._first_screen()
            return
        if control in MENU_CONTROLS:
            self._table_menu()
            return
        self._poster, self._joining = None, True
        self._seating = self._empty_seating().with_common_robots()
        if control == BUZZ and self._seating.places[place] is None:
            self._seating = self._seating.press(place, control)
        self._refresh()

    def _join(self, place: int, control: str) -> None:
        taken = len(self._seating.taken)
        if control in OK_CONTROLS:
            if taken in self._allowed:
                self._choose_game()
            return
        if control in {"*", "undo"}:
            self._attract()
            return
        if control in MENU_CONTROLS:
            self._table_menu()
            return
        self._seating = self._seating.press(place, control)
        self._refresh()

    # --- Menus ----------------------------------------------------------------------------------------

    def _take(self, item: Item) -> None:
        acts: dict[str, Callable[[], None]] = {
            BACK: self._back,
            "game": lambda: self._choose_rulings(item.value),
            "ruling": lambda: self._next_ruling(item.value),
            "start": self._begin,
            "go_on": self._go_on,
            "undo": lambda: self._undo(item.value),
            "correct": lambda: self._correct(item),
            "replace": lambda: self._correct(item),
            "amend": lambda: self._correct(item),
            "restart": lambda: self._ask(msg("Start again?"), self._restart, "sure_restart"),
            "sure_restart": self._restart,
            "photo": self._show_photo,
            "join": self._sit_again,
            "settings": lambda: self._open_menu(self._settings.menu(), self._back_to_menu()),
            "turn": lambda: self._turn(item.value),
            "leave": lambda: self._ask(msg("Leave the match?"), self._attract, "sure_leave"),
            "sure_leave": self._attract,
            "lessons": lambda: self._open_menu(lessons_menu(self._games.values()), self._table_menu),
            "lesson": lambda: self._learn(item.value),
            "leave_lesson": self._end_lesson,
            "resume": lambda: self._resume(item.value),
            "attract": self._attract,
            "try_again": self._try_again,
            "unsaved": lambda: self._ask_sure_unsaved(item.value),
            "sure_unsaved": self._play_unsaved,
            "off": self._ask_power_off,
            "sure_off": self._switch_off,
            **{name: partial(self._go_to, name, item.value) for name in VISITS},
        }
        acts[item.act]()

    def _open_menu(self, menu: Choice, back: Callable[[], None]) -> None:
        self._menu, self._back, self._poster = menu, back, None
        self._refresh()

    def _ask(self, question: Text, act: Callable[[], None], name: str) -> None:
        if self._result:
            act()
            return
        self._open_menu(sure_menu(question, name), self._pause_menu)

    def _table_menu(self) -> None:
        """Ask what to do at a table where nobody plays."""
        self._joining = False
        self._open_menu(table_menu(off=self._power_off is not None), self._attract)

    def _ask_power_off(self) -> None:
        """Ask whether the table is to be switched off, if it can be and nobody plays."""
        if self._power_off is None or self._running:
            return
        if self._pods:
            self._pods.give_up()
        self._end_visit()
        self._joining = False
        self._open_menu(sure_menu(msg("Switch the table off?"), "sure_off"), self._attract)

    def _switch_off(self) -> None:
        assert self._power_off
        self._power_off()
        self._show_poster(framing.switched_off(self._settings.read))

    def _back_to_menu(self) -> Callable[[], None]:
        """Return what goes back to the menu of a pause, or to that of the table where nobody plays."""
        return self._pause_menu if self._running else self._table_menu

    def _turn(self, which: tuple[str, str]) -> None:
        """Change an option, and stay at its line."""
        assert self._menu
        self._settings.turn(which)
        if self._running:
            self._running.keep_pace(self._settings.config.pace)
        self._open_menu(self._settings.menu(self._menu.selected), self._back)
        self._select("turn", which)

    def _go_to(self, name: str, value: object) -> None:
        """Begin a visit, which ends where it began: at the same line."""
        assert self._menu
        back = partial(self._open_menu, self._menu, self._back)
        premises = Premises(
            self._games,
            self._settings,
            self._clock,
            self.devices,
            self._hardware,
            self._player,
            self._running,
            self._visit_changed,
        )
        self._visit = VISITS[name](premises, value)
        self._menu, self._poster, self._back = None, None, back
        self._refresh()

    def _visit_changed(self) -> None:
        if self._visit:
            self._refresh()

    def _end_visit(self) -> None:
        if self._visit:
            self._visit.leave()
        self._visit = None

    def _first_screen(self) -> None:
        if not self._offer_resume():
            self._attract()

    def _new_pods(self, hardware: "Hardware") -> NewPods:
        def ask(poster: Poster) -> None:
            self._poster = poster
            self._refresh_panels(always=True)

        def free() -> bool:
            return self._poster is not None and not self._poster.trouble and self._running is None

        return NewPods(hardware, self._settings.config, self._clock, PLACES, ask=ask, done=self._attract, free=free)

    def _attract(self) -> None:
        self._end()
        self._joining = False
        self._show_poster(framing.attract(self._settings.read))

    @property
    def _allowed(self) -> list[int]:
        """How many players can begin: those of the game that is wanted, or of any."""
        games = [self._games[self._wanted_game]] if self._wanted_game else self._games.values()
        return sorted({seats for game in games for seats in game.rules.SEATS})

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
        self._rulings = self._settings.config.rulings_of(self._game)
        self._open_menu(rulings_menu(self._game, self._rulings), self._sit_again)

    def _next_ruling(self, name: str) -> None:
        assert self._menu
        self._rulings = options.next_value(self._rulings, name)
        self._open_menu(rulings_menu(self._game, self._rulings, self._menu.selected), self._back)

    # --- Matches --------------------------------------------------------------------------------------

    def _begin(self, *, demo: bool = False) -> None:
        names = [sitter.name for sitter in self._seating.places if sitter]
        places = self._seating.taken
        self._keep(new_match(self._game, names, rulings=self._rulings, deal=self._deal, demo=demo, places=places))

    def _keep(self, match: Match) -> None:
        path = history.new_path(self._settings.config.journal.path, match)
        self._stake = Stake(match, None)
        self._run(match, Journal.create(path, match), self._seating)

    # --- Lessons --------------------------------------------------------------------------------------

    def _learn(self, name: str) -> None:
        """Teach a game to whoever has asked for it, or to who sits at the first real buzzer."""
        game = self._games[name]
        assert game.lesson
        real = self._hardware.places if self._hardware else ()
        place = min(real, default=0) if self._pressed_at == TABLE else self._pressed_at
        seating = self._seating = self._empty_seating().to_learn(place, game.lesson.seats)
        tutor = Tutor(game, [sitter.name for sitter in map(seating.places.__getitem__, seating.taken) if sitter])
        path = history.new_path(self._settings.config.journal.path, tutor.match)
        self._run(tutor.match, Journal.create(path, tutor.match), seating, tutor)

    def _read_pages(self, teaching: Teaching) -> None:
        """Let the pages that are due be read while the match waits."""
        assert self._running
        self._running.referee.signal(self._house("pause"))
        reading = Reading(teaching.tutor.pages, self._running.match.names, self._clock, self._settings.read)

        def end() -> None:
            if not reading.is_read:
                self._pause_menu()
                return
            teaching.turned_over()
            self._end_lesson() if teaching.tutor.over else self._go_on()

        self._visit, self._back = reading, end
        self._refresh()

    def _end_lesson(self) -> None:
        self._end()
        self._seating = self._empty_seating()
        self._table_menu()

    def _restart(self) -> None:
        assert self._running
        self._seating = self._running.seating
        match = self._running.match
        self._game, self._rulings = match.game, match.rulings
        self._deal = match.tags.get(DEAL_TAG, self._deal)
        self._end()
        self._begin(demo=is_demo(match))

    def _offer_resume(self) -> bool:
        interrupted = history.interrupted(self._settings.config.journal.path, self._games)
        if interrupted is None:
            return False
        path, opened = interrupted
        match = opened.match
        summary = msg(
            "{game}: {names}, {n} moves", game=match.game.title, names=", ".join(match.names), n=match.length
        )
        if opened.damage:
            summary = msg("{summary}. {damage}", summary=summary, damage=opened.damage.text)
        self._open_menu(resume_menu(summary, path), self._attract)
        return True

    def _resume(self, path: Path) -> None:
        try:
            journal, opened = Journal.resume(path, self._games)
        except DiskError:
            self._stake = Stake(open_record(path, self._games).match, path)
            raise
        self._run_paused(opened.match, journal)

    def _run_paused(self, match: Match, journal: Store) -> None:
        """Go on with a match where it was, when the house says so."""
        try:
            where = places_of(match, PLACES)
        except RecordError:
            journal.close()
            raise
        names = dict(zip(where, match.names, strict=True))
        self._seating = self._empty_seating().again(names, match.game.bots)
        self._run(match, journal, self._seating)
        self._pause()

    def _ask_unsaved(self, why: Text) -> None:
        """Ask what to do about a match whose record cannot be written."""
        stake = self._stake
        self._end()
        self._stake = stake
        self._open_menu(unsaved_menu(why), self._attract)

    def _try_again(self) -> None:
        assert self._stake
        match, path = self._stake
        self._resume(path) if path else self._keep(match)

    def _ask_sure_unsaved(self, why: Text) -> None:
        """Ask once more: the key may have been pressed for the match, before anybody saw what happened to it."""
        sure = sure_menu(msg("Play on without keeping it?"), "sure_unsaved")
        self._open_menu(sure, partial(self._ask_unsaved, why))

    def _play_unsaved(self) -> None:
        assert self._stake
        self._run_paused(self._stake.match, Unkept())

    def _run(self, match: Match, journal: Store, seating: Seating, tutor: Tutor | None = None) -> None:
        self._stake = Stake(match, journal.path) if isinstance(journal, Journal) and not tutor else None
        drum_ns = self._settings.config.display.drum_ms * MS
        running = Running(
            match,
            journal,
            seating,
            self._clock,
            self.devices,
            self._hardware,
            drum_ns,
            self._player,
            self._settings.read,
            tutor,
        )
        seated = Seated(self.devices, running.places, self._hardware, running.wired, running.reveal)
        dealer = tutor.dealer if tutor else dealer_of(match)
        running.referee = Referee(match, journal, inputs=seated, lamps=seated, screen=self, dealer=dealer)
        running.keep_pace(self._settings.config.pace)
        running.reminders.lamps, running.reminders.changed = seated.remind, self._refresh_panels
        running.referee.heralds.append(running.herald)
        running.referee.followers += [running.follow, logbook.follow]
        sitters = [sitter for sitter in seating.places if sitter]
        bots = [match.game.bots[sitter.robot] if sitter.robot else None for sitter in sitters]
        Robots.seated(running, tutor.partners if tutor else bots, secrets.token_hex(8))
        self._staging = Staging(running, self._refresh, self._refresh_panels, self._is_covered)
        self._corrections = self._new_corrections(running)
        self._teaching = Teaching(running, tutor) if tutor else None
        self._running, self._menu, self._poster = running, None, None
        self._joining, self._result = False, None
        running.referee.start(self._clock.now_ns())
        missing = self._hardware.troubles if self._hardware else {}
        for place in running.places:
            is_missing = place in missing and place in running.people
            if is_missing or not self.devices.buzzers[place].plugged:
                running.referee.signal(self._plug_signal(running.places.index(place)))
        if TABLE in missing:
            running.referee.signal(self._plug_signal(TABLE))

    def _new_corrections(self, running: Running) -> Corrections:
        def refuse(text: Text) -> None:
            self._show_poster(
                framing.wrong(text, msg("Nothing was changed. Press any button"), self._settings.read)
            )

        def show(again: Rekeying) -> None:
            self._show_poster(framing.rekeying(again, self._settings.read))

        def typed() -> None:
            self._refresh_panels(always=True)

        return Corrections(
            running, ask=self._open_menu, show=show, typed=typed, refuse=refuse, done=self._pause_menu
        )

    def _plug_signal(self, seat: Seat) -> Signal:
        now_ns = self._clock.now_ns()
        return Signal("virtual", seat, UNPLUG, now_ns, 0, now_ns)

    def _end(self) -> None:
        self._end_visit()
        if self._running:
            self._running.left = True
            self._running.journal.close()
            for place in range(PLACES):
                self.devices.lamps.show(place, Lamp.OFF)
                if self._hardware:
                    self._hardware.show(place, Lamp.OFF)
        self._running, self._staging, self._corrections, self._teaching = None, None, None, None
        self._stake = None
        self._result, self._photo = None, False

    def _after(self) -> None:
        """Show the pages that a lesson comes to, or the result when the last verdict of a match could be seen."""
        running = self._running
        if self._teaching:
            if self._teaching.is_page_due() and not self._is_covered():
                self._read_pages(self._teaching)
            return
        if not running or not running.match.outcome or running.reveal.on:
            return
        now_ns = self._clock.now_ns()
        entries = len(running.match.entries)
        if running.ended_ns is None or running.ended_ns[0] != entries:
            running.ended_ns = (entries, now_ns)
            self._clock.at(now_ns + VERDICT_NS, lambda: None)  # wakes the host, which comes back here
        seen = now_ns - running.ended_ns[1] >= VERDICT_NS
        if seen and not self._is_covered() and self._result is None:
            self._result = framing.result(running.match, running.match.outcome, self._settings.read)
            self._open_menu(result_menu(), self._attract)

    def _pause(self) -> None:
        assert self._running
        if ("house", TABLE) not in self._running.referee.pauses:
            self._running.referee.signal(self._house("pause"))
        self._pause_menu()

    def _house(self, control: str) -> Signal:
        now_ns = self._clock.now_ns()
        return Signal("host", TABLE, control, now_ns, 0, now_ns)

    def _correct(self, item: Item) -> None:
        assert self._corrections
        self._corrections.take(item)

    def _pause_menu(self) -> None:
        assert self._running
        assert self._corrections
        if self._teaching:
            self._open_menu(lesson_menu(), self._go_on)
            return
        undone, photo = self._running.referee.undo_takes(), self._running.finish.photo is not None
        helps, kept = self._running.match.game.guide is not None, self._running.is_kept
        self._open_menu(pause_menu(undone, bool(self._corrections.numbers), photo, helps, kept), self._go_on)

    def _select(self, act: str, value: object = None) -> None:
        """Go to the line of a menu that does something, with a value if one is given, if there is one."""
        items = self._menu.items if self._menu else ()
        found = [line for line, item in enumerate(items) if item.act == act and value in {None, item.value}]
        if self._menu and found:
            self._menu = self._menu._replace(selected=found[0])
            self._refresh()

    def _go_on(self) -> None:
        assert self._running
        self._menu = None
        self._running.referee.signal(self._house("pause"))
        if self._running.referee.paused:  # it still waits for a device; else it was shown already
            self._refresh()

    def _show_photo(self) -> None:
        """Show the last photo finish again, until something is pressed."""
        self._menu, self._photo = None, True
        self._refresh()

    def _undo(self, confirmed: tuple[str, ...]) -> None:
        """Take back what the menu said; if a call was judged meanwhile, the menu has to say it anew."""
        assert self._running
        referee = self._running.referee
        if tuple(referee.undo_takes()) == confirmed:
            referee.undo_now(self._clock.now_ns())
        self._pause_menu()

    # --- Frames ---------------------------------------------------------------------------------------

    def show(self, view: View, prompt: Text) -> int | None:
        """Send the running match's new position to the display; a VISIBLE signal will answer."""
        if self._staging:
            self._staging.position()
        self._refresh()
        return None

    def trouble(self, error: Exception) -> None:
        """Say on the screen what went wrong; the match, if one is played, stays in its journal."""
        if isinstance(error, CompanionError):
            log.warning("%s", error)
            text = error.text
        else:
            log.error("host", exc_info=error)
            text = msg("An internal error; the details are in the log. The match is kept.")
        self._joining = False
        if self._pods:
            self._pods.give_up()
        if isinstance(error, DiskError) and self._stake:
            self._ask_unsaved(error.text)
            return
        self._end()
        self._show_poster(framing.wrong(text, msg("Press any button"), self._settings.read))

    def _show_poster(self, poster: Poster) -> None:
        self._menu, self._poster = None, poster
        self._refresh()

    def _refresh(self) -> None:
        self._serial += 1
        self._put(self._frame())
        self._tell_privately()

    def _put(self, frame: Frame) -> None:
        if self._running:
            self._running.sounding.asked()
        self._sent = frame
        self._send(frame)

    def _tell_privately(self) -> None:
        """Show on each pod what only its seat may read; of a reveal not before everybody can see it."""
        turning = self._running is not None and self._running.reveal.turning
        if self._private and self._hardware and not turning:
            pods = self._hardware.pods.places
            lines = {
                place: framing.private_lines(self._seating, self._running, place, self._settings.readers)
                for place in pods
            }
            self._private.show(lines)

    def _is_covered(self) -> bool:
        """Tell whether another screen lies over the match."""
        return any((self._menu, self._poster, self._visit, self._photo))

    def _refresh_panels(self, *, always: bool = False) -> None:
        if always or not self._is_covered():
            # Not a new request: what the match asked to be shown is still what is reported as visible. That
            # report comes through here too: to answer it with the same picture would go on for ever.
            frame = self._frame()
            if not frame.looks_like(self._sent):
                self._put(frame)
            self._tell_privately()

    def _frame(self) -> Frame:
        running = self._running
        race = running is not None and running.referee.calls_may_come and not running.reveal.hidden
        sides = (self._visit and self._visit.sides()) or framing.sides(
            self._seating, running, self.devices, self._result is not None, self._settings.readers
        )
        panels = framing.panels(
            self._seating, running, self.devices, peeking=self._peeking, readers=self._settings.readers
        )
        house = framing.house_line(running, self._settings.read)
        story = tuple(map(self._settings.read, framing.story(running)))
        screen, look = self._screen(), self._settings.look
        limit = framing.time_left(running) if running and isinstance(screen, Play) else None
        return Frame(self._serial, screen, sides, panels, race, house, story, look, limit)

    def _screen(self) -> Screen:
        if self._visit:
            return self._visit.screen()
        if self._poster:
            return self._poster
        if self._menu:
            return self._result or framing.menu(self._menu, self._settings.read)
        troubles = self._running.troubles if self._running else {}
        if troubles:
            return framing.troubles(troubles, self._settings.read)
        if self._running:
            return framing.play(self._running, always_photo=self._photo)
        return framing.who_plays(self._seating, self._allowed, self._settings.read)

    def _empty_seating(self) -> Seating:
        places = (*self._wanted, *[None] * PLACES)[:PLACES]
        names = tuple(dict.fromkeys((*self._settings.config.seats.names, *NAMES, *_MORE_NAMES)))
        games = {self._wanted_game: self._games[self._wanted_game]} if self._wanted_game else self._games
        return Seating(places, names, common_robots(games))


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

"""One match at the table: its referee, journal, seats and clock, and everything that presents it."""

import secrets
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, cast

from companion.core.console import BUZZ, KEYS, Console, Lamp
from companion.core.event import REVEAL, Event
from companion.core.handicaps import badge_of
from companion.core.match import Match
from companion.core.move import TABLE, Seat, by_seat, each_seat
from companion.core.place import HOUSE, Place
from companion.core.rules import State
from companion.core.signal import LEVEL, PLUG, UNPLUG, SeatSignal, Signal
from companion.core.tags import dealer_of, is_demo, is_lesson
from companion.core.text import Text, msg, with_names
from companion.core.units import MS, SECOND
from companion.diagnostics import logbook
from companion.display.frame import Beat, Play
from companion.match.house_place import LentKeypad
from companion.match.lessons import LEARNER, Tutor
from companion.match.moment import Moment
from companion.match.news import ORDER_NS, News
from companion.match.photo_finish import NEXT_CARD_NS, Finish
from companion.match.piece_tasks import DONE_KEYS, PieceTaskConsole, PieceTasks, piece_tasks_of
from companion.match.private_screens import PAGE_KEY
from companion.match.rekeying import Rekeying
from companion.match.reminders import Reminders
from companion.match.reveal import HOLD_NS, NEVER_NS, Reveal
from companion.match.robots import Robots
from companion.match.seat_devices import Seated
from companion.match.seat_lines import tell_seat, waited_for
from companion.match.seating import Seating
from companion.match.services import Refresh, TableServices
from companion.match.sounds import Sounding, Speech
from companion.match.teaching import Teaching
from companion.referee import events
from companion.referee.journal import Store, Unkept
from companion.referee.loop import RefereeLoop
from companion.referee.referee import Referee
from companion.referee.step_result import Pause, Reason, StepResult

EARLY_NS: Final = 1_500 * MS
"""How long a strip shows that a call was too early."""

LEARNERS_S: Final = 5
"""Minimum time in seconds that beginners see a verdict."""


class Session(RefereeLoop):
    """A match or a lesson at the table, from its start until it is left.

    `refresh` is what has to be sent; the sender resets it. The strips of `lost` and `early` seats say that presses
    were lost or a call was too early. `refused` has the refusal shown to each seat or the house, `turned` the
    number of pages that each seat has turned. `learns` is True in a lesson and in a first match.
    """

    def __init__(
        self, match: Match, journal: Store, seating: Seating, services: TableServices, tutor: Tutor | None = None
    ) -> None:
        self.journal = journal
        self.seating = seating
        self.tutor = tutor
        self.clock = services.clock
        self.hardware = services.hardware
        self.places = seating.taken
        self.seats: dict[Place, Seat] = {HOUSE: TABLE} | {place: seat for seat, place in by_seat(self.places)}
        self.robot_places = frozenset(place for place in self.places if seating.is_robot(place))
        self.people = frozenset(self.places) - self.robot_places
        self.wired = self.people & frozenset(self.hardware.places if self.hardware else ())
        self.badges = tuple(badge_of(match.rulings, seat) for seat in each_seat(len(match.names)))
        self.read = services.settings.read
        self.refresh = Refresh.NOTHING
        self.learns, self.left = tutor is not None, False
        self.refused: dict[Seat, Text] = {}
        self.lost: set[Seat] = set()
        self.early: set[Seat] = set()
        self.turned: dict[Seat, int] = {}
        needed = self.hardware is not None and HOUSE not in services.settings.config.wiring.keypad_places
        self.lent = LentKeypad(self.moment, self.refused, self.hear_house, needed=needed)
        self.rekeying: Rekeying | None = None
        self.drum_ns = services.settings.config.display.drum_ms * MS
        self._devices, self._settings = services.devices, services.settings
        self.reveal = Reveal(self.clock, self.drum_ns, self.stays)
        self.finish = Finish(self.clock, self.read, self.stays)
        self.news = News(self.stays)
        self.speech = Speech(
            match,
            services.player.voice,
            services.settings,
            turns=lambda: waited_for(self.moment()),
            racing=lambda: self.referee.stage.race is not None,
        )
        self.sounds = Sounding(services.player, self.speech, new=not match.length)
        self._seats = Seated(services.devices, self.places, services.hardware, self.wired)
        self.reminders = Reminders(
            self.clock,
            waited_for=lambda: waited_for(self.moment()),
            sound=self.sounds.nudge,
            lamps=self._seats.remind,
            changed=self._remind,
        )
        dealer = tutor.dealer if tutor else dealer_of(match)
        self.piece_tasks: PieceTasks | None = None
        """The tasks for real pieces; None if the companion deals."""
        self.console = match.game.console
        if dealer is None:
            seats = {self.seats[place] for place in self.people}
            self.piece_tasks = PieceTasks(match.names, seats, self._wait_anew, self.clock.now_ns)
            self.console = cast("Console", PieceTaskConsole(match.game.console, self.piece_tasks))
        super().__init__(Referee(match, journal, inputs=self._seats, dealer=dealer, console=self.console))
        self.keep_pace()
        bots = [match.game.bots[sitter.robot] if sitter.robot else None for sitter in seating.sitters]
        self._robots = Robots.seated(self, tutor.partners if tutor else bots, secrets.token_hex(8))
        self.teaching = Teaching(tutor, self.moment, self.referee.pacing, self.clock, self.stays) if tutor else None
        # Without a club nobody calls `take_seen`.
        self._unseen: deque[tuple[int, Event]] = deque(maxlen=None if services.club and not tutor else 0)
        self._rests, self._dealt = False, True  # a verdict delays the next card

    def start(self, *, paused: bool = False) -> None:
        """Show the position and wait for missing devices. With `paused`, begin in a pause."""
        now_ns = self.clock.now_ns()
        self.do(self.referee.start, now_ns)
        if paused:
            self.do(partial(self.referee.pauses.begin, Pause(Reason.HOUSE)), now_ns)
        missing = self.hardware.troubles if self.hardware else {}
        for seat, place in by_seat(self.places):
            is_missing = place in missing and place in self.people
            if is_missing or not self._devices.buzzers[place].plugged:
                self.do(partial(self.referee.pauses.lose, seat), now_ns)
        if HOUSE in missing:
            self.do(partial(self.referee.pauses.lose, TABLE), now_ns)

    def close(self) -> None:
        self.left = True
        self.journal.close()
        self._seats.race(on=False)
        self._seats.darken()

    def keep_pace(self) -> None:
        """Apply the current pace settings. Time limits change from the next one on."""
        pacing, pace = self.referee.pacing, self._settings.config.pace
        pacing.limit_percent, pacing.draw_percent = pace.limit_percent, pace.shown_percent
        self._shown_percent = pace.shown_percent
        pacing.turned = pace.next_card == "turner"
        if not (is_demo(self.match) or is_lesson(self.match)):
            pacing.people = frozenset(self.seats[place] for place in self.people)

    def stays(self, usual_ns: int) -> int:
        """Scale a display time in nanoseconds by the pace settings."""
        return usual_ns * self._shown_percent // 100

    # --- Signals ----------------------------------------------------------------------------------------

    def hear(self, signal: Signal) -> None:
        seat = self.seats.get(signal.place)
        if seat == TABLE:
            self.hear_house(signal.of(seat))
            self.ask(Refresh.PANELS)
        elif seat is not None:
            self._hear_seat(signal.of(seat))

    def hear_covered(self, signal: Signal) -> None:
        seat = self.seats.get(signal.place)
        if seat is not None and signal.control in ({PLUG, UNPLUG} if seat == TABLE else {BUZZ, PLUG, UNPLUG}):
            self.signal(signal.of(seat))

    def wait_for_phones(self) -> None:
        """Wait for a lost phone beside a button while its seat owes keys."""
        if self.hardware:
            self.hardware.wait_for_keys(self._places_due)

    def _places_due(self) -> frozenset[Place]:
        due = waited_for(replace(self.moment(), pauses=()))
        return frozenset(self.places[seat] for seat in due)

    def lose(self, place: Place) -> None:
        seat = self.seats.get(place)
        if seat is not None:
            self.lost.add(seat)
            self.ask(Refresh.PANELS)

    def _hear_seat(self, signal: SeatSignal) -> None:
        seat, race = signal.seat, self.referee.stage.race
        calls = race is not None and signal.control in race.controls  # no frame may show it before the verdict
        shows = signal.control != BUZZ or seat in self.reminders.seats | self.lost | self.refused.keys()
        if shows and not calls:
            self.ask(Refresh.PANELS)  # the press changes what is typed, or ends a message
        if signal.pressed:
            if not calls and self.referee.gate.takes(seat, signal.t_ns + signal.uncertainty_ns):
                self.refused.pop(seat, None)  # it was about the previous key
            if signal.control in KEYS and not self.reveal.meant(signal.t_ns + signal.uncertainty_ns):
                self.refused[seat] = msg("ignored: pressed before it was shown")
                return
            if signal.control in {BUZZ, *KEYS} and LEVEL not in signal.flags and not calls:
                # For a seat that owes a secret only the lock counts: the times of keys would show its length.
                if signal.control == BUZZ or not (self.match.has_secrets and seat in self.match.to_act):
                    self.lost.discard(seat)
                if not self.match.has_secrets:
                    self.reminders.pressed(seat)
            if signal.control == PAGE_KEY and self._turns_page(seat):
                self.turned[seat] = self.turned.get(seat, 0) + 1
                return
        hand = self.referee.player_prompt
        if self.piece_tasks and hand and seat in hand.seats and signal.pressed and signal.control in DONE_KEYS:
            self.piece_tasks.done(seat)  # a player who turns the next card has put the last one away
        if self.tutor:
            self.tutor.hear(signal, self)
        if not (signal.pressed and signal.control in KEYS and self.lent.takes(signal)):
            self.signal(signal)

    def _turns_page(self, seat: Seat) -> bool:
        moment = self.moment()
        if self.tutor or moment.pauses or moment.lender == seat or tell_seat(moment, seat).private is None:
            return False
        return not self.console.key(self.match.view(seat), seat, PAGE_KEY, self.referee.entries).accepted

    def rekey(self, again: Rekeying | None) -> None:
        """Begin to enter a move again, or end that with None."""
        self.rekeying = again
        self._seats.remind(frozenset({again.seat} - {TABLE} if again else ()))

    def hear_house(self, signal: SeatSignal) -> None:
        """Handle a control of the house or a key of its keypad. ok and skip also end what is shown for a while."""
        if signal.control not in {PLUG, UNPLUG}:
            if not self.reveal.meant(signal.t_ns + signal.uncertainty_ns):
                return
            self.refused.pop(TABLE, None)
            is_ok = signal.pressed and signal.control == "ok"
            if is_ok and not self.console.house(self.match.view(), "ok"):
                self._wait_anew()
                if self.piece_tasks is not None and self.piece_tasks.all_done():
                    return
            if signal.pressed and signal.control in {"ok", "skip"} and self._shorten():
                self.ask(Refresh.FRAME)
                if not (is_ok and self.referee.player_prompt):
                    return
        self.signal(signal)

    def _shorten(self) -> bool:
        """End what is shown for a while. Return True if that was the control's only effect."""
        if self.teaching and self.teaching.tutor.pages:
            self.teaching.hasten()
        was = self.reveal.on
        self.reveal.end()
        was = self.finish.uncover() or self._rests or was
        return was and (self.referee.pacing.draw_now(self.clock.now_ns()) or not self.referee.stage.deal)

    # --- Presenting steps ---------------------------------------------------------------------------

    def do(self, act: Callable[[], object], now_ns: int) -> None:
        super().do(act, now_ns)
        if not self.left:
            self._seats.race(on=self.referee.stage.race is not None)

    def present(self, result: StepResult) -> None:
        """Bring a durable step to lamps, sounds and text, and request its frame."""
        if result.made:
            self._prepare(result.events)
            if not self.referee.stage.race:  # the limit of a race begins when its card is visible
                self.referee.pacing.restart_limit(self.clock.now_ns())
        for seat, lamp in result.lamps:
            self.reveal.light(seat, partial(self._seats.show, seat, lamp))
        if self.piece_tasks is not None:
            self.piece_tasks.hear(piece_tasks_of(self.match, result.events))
        for told in result.events:
            self._tell(told)
            logbook.follow(result.t_ns, told)
            if told.visible_to(None):
                self._unseen.append((result.t_ns, told))
        if result.shows:
            if self.referee.stage.race:
                self.speech.hush()
            self.lent.look()
            self._stage()
            self.ask(Refresh.FRAME)
        elif result.events:
            self.ask(Refresh.PANELS)
        if result.reacts and self._robots.bots:
            self._robots.look(result.t_ns)

    def _prepare(self, steps: Sequence[Event]) -> None:
        if self.match.last:
            self.lost.discard(self.match.last.seat)
        if any(isinstance(told.data, events.Undone | events.Amended) for told in steps):
            self.sounds.drop()
            self.news.settle()
            if self.piece_tasks is not None:
                self.piece_tasks.clear()
            if self.reveal.hidden:
                self.news.drop()
                self._unseen.clear()
                self.reveal.hush()
                self.reveal.correct(self.match)
        if any(told.kind == REVEAL and told.visible_to(None) for told in steps):
            self.reveal.begin(self.match)
            self.sounds.reveal(self.drum_ns)

    def _tell(self, told: Event) -> None:
        self.sounds.hear(told)
        if told.visible_to(None):
            self.news.tell(self.match, told)
        if isinstance(told.data, events.Paused):
            self.reminders.end()
        elif isinstance(told.data, events.Verdict):
            self.finish.judge(self.match, told.data)
            if self.hardware:
                self.reveal.sound(self.hardware.sound_siren)
        elif isinstance(told.data, events.LateReport):
            self.finish.late(told)
        elif isinstance(told.data, events.FalseStart) and told.seat is not None and not self.referee.stage.race:
            # An open race must not show who has pressed; the photo finish shows it after the verdict.
            self.early.add(told.seat)
            self.clock.at(self.clock.now_ns() + self.stays(EARLY_NS), partial(self._end_early, told.seat))
        elif isinstance(told.data, events.Refused):
            seat = TABLE if told.seat is None else told.seat
            hint = self.tutor.hint if self.tutor and seat == LEARNER else None
            text = with_names(told.data.text, self.match.names)
            self.refused[seat] = msg("Not that. {hint}", hint=hint) if hint else text

    def _end_early(self, seat: Seat) -> None:
        self.early.discard(seat)
        self.look_again()

    # --- Showing a position ---------------------------------------------------------------------------------

    def ask(self, refresh: Refresh) -> None:
        self.refresh = max(self.refresh, refresh)

    def _stage(self) -> None:
        reveal, referee = self.reveal, self.referee
        self.refused.clear()
        self.early.clear()
        self.reminders.begin(self._settings.config.pace)
        if reveal.fresh:
            referee.calls.listen_from_ns = NEVER_NS
            self._put_off(self.drum_ns + self.stays(HOLD_NS))
            if not reveal.roll(self._turn):
                self._reveal()
        elif reveal.on and reveal.shows(self.match):  # it continues after a pause
            if reveal.hidden:
                self._reveal()
        else:
            if reveal.on:
                reveal.end()
            self._turn_over()
            self._stage_finish()

    def _stage_finish(self) -> None:
        referee = self.referee
        if referee.stage.race and not referee.pauses:
            if self.match.came_by_itself(self.match.length):
                self.finish.linger()  # players turn the real card after its race has opened
            else:
                self.finish.clear()
            if referee.dealer:
                self.news.settle()
        elif not (referee.stage.deal or referee.stage.photo or referee.over):
            if self.finish.planned or self.finish.covers:
                self.finish.uncover()  # somebody has to look at the scene
        elif self.finish.cover(self.look_again) and referee.dealer:
            self._put_off(self.stays(NEXT_CARD_NS))
        if referee.stage.deal or self._dealt or self._rests:
            self._rest()

    def _rest(self) -> None:
        deal, was_dealt = self.referee.stage.deal, self._dealt
        self._dealt = deal is not None
        if was_dealt and deal:
            return  # the same verdict after a pause, or the setup
        self._rests = bool(deal and deal.early_controls and self.referee.dealer and not is_demo(self.match))
        if self._rests:
            next_s = self._settings.config.pace.next_s
            self._put_off(self.stays((max(next_s, LEARNERS_S) if self.learns else next_s) * SECOND))

    def seen(self, t_ns: int, screen: object) -> bool:
        """Note that the newest frame was visible from `t_ns` on. Return True if `go_on` is due.

        While a reveal is hidden, only the frame that shows it counts.
        """
        if self.reveal.hidden:
            turned = isinstance(screen, Play) and screen.beat == Beat.REVEALED
            if not turned or t_ns < self.reveal.asked_ns:
                return False
            self.reveal.seen(t_ns, self._calm)
            if self.tutor:
                self.refused.clear()  # the learner sees the hint again, not the refusal of an early key
            self.referee.calls.listen_from_ns = t_ns
            self._put_off(self.stays(HOLD_NS))
        self.sounds.seen(t_ns, reveal=self.reveal.on)
        return True

    def go_on(self, t_ns: int) -> None:
        now_ns = self.clock.now_ns()
        self.tick(now_ns)
        self.visible(t_ns, now_ns)
        self.tick(now_ns)
        self.ask(Refresh.PANELS)

    def take_seen(self) -> Sequence[tuple[int, Event]]:
        """Return the new public events that were seen, each with its time in nanoseconds."""
        seen = tuple(self._unseen)
        self._unseen.clear()
        return seen

    def _put_off(self, for_ns: int) -> None:
        self.referee.pacing.put_off(self.clock.now_ns(), for_ns)

    def _turn(self) -> None:
        """Reveal, except in a pause, which keeps the secret until it ends."""
        if not (self.referee.pauses or self.left):
            self._reveal()
            self.ask(Refresh.FRAME)

    def _reveal(self) -> None:
        self.reveal.turn()
        self._turn_over()
        self.referee.calls.listen_from_ns = NEVER_NS
        self._put_off(self.stays(HOLD_NS))

    def _turn_over(self) -> None:
        now_ns = self.clock.now_ns()
        self.news.turn_over(now_ns)
        # News ends by itself: ending it with somebody's next key would show that a key was pressed.
        self.clock.at(now_ns + self.stays(ORDER_NS), self.look_again)
        if self.piece_tasks is not None:
            self.piece_tasks.turn_over(self.referee.stage.race)

    def _calm(self) -> None:
        if not self.left:
            self.reveal.end()
            self._wait_anew()

    def _wait_anew(self) -> None:
        self.reminders.begin(self._settings.config.pace)
        self.look_again()

    def _remind(self) -> None:
        seats = self.reminders.seats
        told = tell_seat(self.moment(), min(seats))
        self.speech.remind(seats, told.ordered or told.prompt)
        self.look_again()

    def look_again(self) -> None:
        if not self.left:
            self.ask(Refresh.PANELS)

    def celebrate(self, *, on: bool) -> None:
        outcome = self.match.outcome
        winners = frozenset(outcome.winners) if on and outcome else frozenset()
        self._seats.remind(winners, Lamp.BLINK if self._settings.look.motion else Lamp.ON)

    # --- The current moment -------------------------------------------------------------------------------------

    def moment(self) -> Moment:
        referee, reveal, to_act = self.referee, self.reveal, self.to_act
        return Moment(
            match=self.match,
            console=self.console,
            stage=referee.stage,
            pauses=tuple(referee.pauses),
            over=referee.over,
            left=self.left,
            dealt=referee.dealer is not None,
            deals_first=referee.deals_first,
            player_prompt=referee.player_prompt,
            limit=referee.pacing.limit,
            entries=referee.entries,
            state=self.state,
            before=reveal.before,
            to_act=to_act,
            beat=reveal.beat,
            reveals=reveal.on,
            hidden=reveal.hidden,
            now_ns=self.clock.now_ns(),
            places=self.places,
            seats=self.seats,
            people=self.people,
            badges=self.badges,
            wired=self.hardware is not None,
            piece_tasks=self.piece_tasks,
            rekeying=self.rekeying,
            tutor=self.tutor,
            lender=self.lent.seat(to_act),
            lends=self.lent.needed,
            nudged=self.reminders.seats,
            lost=self.lost,
            early=self.early,
            refused=self.refused,
            turned=self.turned,
            news=self.news,
            finish=self.finish,
            read=self.read,
        )

    @property
    def troubles(self) -> dict[Place, Text]:
        """The faults of the real devices that the match waits for.

        A device's trouble appears here only after its report was handled.
        """
        away = [pause.seat for pause in self.referee.pauses if pause.reason is Reason.UNPLUGGED]
        found = self.hardware.troubles if self.hardware and away else {}
        waited_for = {HOUSE if seat == TABLE else self.places[seat] for seat in away}
        return {place: text for place, text in found.items() if place in waited_for}

    @property
    def state(self) -> State:
        before = self.reveal.before if self.reveal.beat == Beat.DRUM else None
        return self.match.state if before is None else before

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may move in the shown position, or turn the next card."""
        if self.referee.deals_first and self.reveal.beat != Beat.DRUM:
            return (TABLE,)
        hand = self.referee.player_prompt if self.referee.dealer else None
        return hand.seats if hand else self.match.game.rules.to_act(self.state)

    @property
    def names_of_people(self) -> frozenset[str]:
        return frozenset(self.match.names[self.seats[place]] for place in self.people)

    @property
    def is_kept(self) -> bool:
        return not isinstance(self.journal, Unkept)

    # --- For robots ---------------------------------------------------------------------------------------------

    @property
    def listens(self) -> bool:
        return not self.left and not self.referee.pauses

    def plan(self, t_ns: int, action: Callable[[], None]) -> None:
        self.reveal.plan(t_ns, action)

    def press(self, seat: Seat, control: str) -> None:
        if self.listens:
            self._devices.press(self.places[seat], control)

    def buzz(self, seat: Seat, t_ns: int) -> None:
        if self.listens:
            self._devices.buzzers[self.places[seat]].press(t_ns)

"""A match that is played at the table: its referee and journal, who sits where, what was last told of each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from companion.core.clock import MS
from companion.core.console import Lamp
from companion.core.event import Event
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat
from companion.core.rules import State, View
from companion.core.text import Text, msg, with_names
from companion.core.words import tell
from companion.display.frame import Beat
from companion.match.lessons import LEARNER, Tutor
from companion.match.news import Orders, Said
from companion.match.photo_finish import Finish
from companion.match.reminders import Reminders
from companion.match.reveal import REVEAL, Reveal
from companion.match.seating import Seating
from companion.match.services import Premises
from companion.match.sounds import Sounding
from companion.referee.journal import Store, Unkept
from companion.referee.referee import Referee

PADS: Final = ("digits", "number pad")
"""What a PC has for keypads, by the names that stand in a panel's corner."""

NO_STEPS: Final = frozenset({"paused", "went_on", "refused"})
"""The kinds of events that are no step of a match: only the story tells of them."""


@dataclass
class Rekeying:
    """A move that was keyed wrongly is keyed again, by who made it, as the table stood before it."""

    match: Match
    number: int
    entry: str = ""

    @property
    def seat(self) -> Seat:
        """Who made the move."""
        return self.match.moves[self.number - 1].seat

    def key(self, control: str) -> Move | None:
        """Take one key; return the move when it is complete."""
        keyed = self.match.game.console.key(self._view(), self.seat, control, {self.seat: self.entry})
        self.entry = keyed.entry
        return keyed.move

    def private(self) -> Text | None:
        """Say what was typed so far, and what was secret then."""
        return self.match.game.console.private(self._view(), self.entry)

    def prompt(self) -> Text:
        """Say what may be keyed."""
        return with_names(self.match.game.console.prompt(self._view()), self.match.names)

    def _view(self) -> View:
        seat = None if self.seat == TABLE else self.seat
        return self.match.game.rules.view(self.match.before(self.number), seat)


class Running:
    """The match that is played: its referee and journal, who sits where, what was last told, what is being shown.

    Its `referee` is there once it has its devices, `left` tells whether it was left. `lost` are the seats that are
    told that presses were lost, until their next one; `refused` says to a seat what was not taken. A lesson has a
    `tutor`.
    """

    referee: Referee

    def __init__(
        self, match: Match, journal: Store, seating: Seating, premises: Premises, tutor: Tutor | None = None
    ) -> None:
        settings, clock = premises.settings, premises.clock
        self.match = match
        self.journal = journal
        self.seating = seating
        self.tutor = tutor
        self.clock = clock
        self.hardware = premises.hardware
        self.read = settings.read
        self.drum_ns = settings.config.display.drum_ms * MS
        self.reveal = Reveal(clock, self.drum_ns)
        self.finish = Finish(clock, settings.read)
        self.sounding = Sounding(premises.player, clock, match.game.teller.TONES, new=not match.length)
        self.reminders = Reminders(clock, lambda: self.waited_for, self.sounding.nudge)
        self.orders = Orders()
        self.rekeying: Rekeying | None = None
        self.left = False
        self.refused: dict[Seat, Text] = {}
        self.lost: set[Seat] = set()
        self._settings = settings
        self._devices = premises.devices
        self._pads: dict[int, str] = {}

    @property
    def state(self) -> State:
        """The position that is shown: while the drum rolls the one before."""
        return self.reveal.before if self.reveal.beat == Beat.DRUM else self.match.state

    def view(self, seat: Seat | None = None) -> View:
        """Return what a seat, or everybody, may see of the position that is shown."""
        return self.match.game.rules.view(self.state, seat)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Who may move in the position that is shown."""
        return self.match.game.rules.to_act(self.state)

    @property
    def is_kept(self) -> bool:
        """Whether there is a record of it."""
        return not isinstance(self.journal, Unkept)

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat."""
        return self.seating.taken

    @property
    def people(self) -> frozenset[int]:
        """The places where no robot plays."""
        return frozenset(place for place in self.places if not self.seating.is_robot(place))

    @property
    def wired(self) -> frozenset[int]:
        """The places whose people have a real buzzer."""
        return self.people & frozenset(self.hardware.places if self.hardware else ())

    @property
    def troubles(self) -> dict[int, Text]:
        """What is wrong with the real devices that the match waits for.

        A device may know it a little before its report is heard: until then the match goes on.
        """
        found = self.hardware.troubles if self.hardware else {}
        waited_for = {
            seat if seat == TABLE else self.places[seat]
            for reason, seat in self.referee.pauses
            if reason == "unplugged"
        }
        return {place: text for place, text in found.items() if place in waited_for}

    @property
    def waited_for(self) -> frozenset[Seat]:
        """The seats of the people without whom it does not go on; everybody knows who they are."""
        if not self.listens or self.referee.calls_may_come or self.reveal.on:
            return frozenset()
        lamps = self.match.game.console.lamps(self.view())
        done = {seat for seat, lamp in enumerate(lamps) if lamp == Lamp.ON} if Lamp.BLINK in lamps else set()
        acting = set(self.to_act) - done - {TABLE}
        return frozenset(seat for seat in acting if self.places[seat] in self.people)

    def keep_pace(self) -> None:
        """Limit by the options as they are now, from the next position on."""
        self.referee.pacing.limit_percent = self._settings.config.pace.limit_percent

    def pressed(self, seat: Seat) -> None:
        """Take in that a seat has pressed something, whatever it means."""
        self.lost.discard(seat)
        if not self.match.has_secrets:  # else only its lock counts: when it was typed would tell how long it is
            self.reminders.pressed(seat)

    def remind_later(self) -> None:
        """Remind of the position that is shown now those who must act in it."""
        pace = self._settings.config.pace
        self.reminders.begin(pace.nudge_s, pace.sound_s)

    def plan(self, t_ns: int, action: Callable[[], None]) -> None:
        """Do something at a time."""
        self.reveal.plan(t_ns, action)

    @property
    def listens(self) -> bool:
        """Whether a robot's press would be heard: not in a pause, nor when the match was left."""
        return not self.left and not self.referee.paused

    def press(self, seat: Seat, control: str) -> None:
        """Press as a robot does."""
        if self.listens:
            self._devices.press(self.places[seat], control)

    def buzz(self, seat: Seat, t_ns: int) -> None:
        """Press a buzzer as a robot does, stamped `t_ns`."""
        if self.listens:
            self._devices.buzzers[self.places[seat]].press(t_ns)

    def pads(self, wanted: Sequence[int]) -> dict[int, str]:
        """Give the PC's two sets of digit keys to the places that want them; who has one keeps it meanwhile."""
        kept = {place: keys for place, keys in self._pads.items() if place in wanted}
        free = [keys for keys in PADS if keys not in kept.values()]
        self._pads = kept | dict(zip((place for place in wanted if place not in kept), free, strict=False))
        return self._pads

    def prompt(self, seat: Seat) -> Text:
        """Say what a seat may do now."""
        if self.referee.paused:
            return msg("The match is paused")
        if self.reveal.beat == Beat.DRUM:
            return msg("All is locked")
        prompt = self.match.game.console.prompt(self.match.view(seat))
        return with_names(prompt, self.match.names)

    def private(self, seat: Seat) -> Text | None:
        """Say what only this seat may read: its secrets, and what it has typed."""
        if self.rekeying and self.rekeying.seat == seat:
            return self.rekeying.private()
        if self.reveal.beat == Beat.DRUM:
            return None  # the hand as it is now would tell who has won
        view = self.match.view(seat)
        return self.match.game.console.private(view, self.referee.entry(seat))

    def herald(self, events: Sequence[Event]) -> None:
        """Hear what a step tells before any lamp is switched: a reveal waits for its picture."""
        kinds = {happened.kind for happened in events if happened.visible_to(None)}
        taken_back = bool(kinds & {"undone", "amended"})
        if taken_back:
            self.sounding.drop()
        if taken_back and self.reveal.hidden:
            self.orders.drop()
            self.reveal.hush()
        if REVEAL in kinds:
            self.reveal.begin(self.match)
            self.sounding.reveal(self.drum_ns)

    def turn_over(self) -> None:
        """Let the strips tell of the newest step."""
        self.orders.turn_over(self.clock.now_ns())

    def follow(self, _: int, happened: Event) -> None:
        """Remember what strips, private screens and the story say of the last step, and let it be heard."""
        self.sounding.hear(happened)
        if happened.visible_to(None):
            sentence = tell(self.match.game, happened, self.match.names)
            tone = self.match.game.teller.TONES.get(happened.kind, "")
            own = None
            if happened.kind == "late_report":
                tone, own = "bad", msg("reported too late to count")
            if sentence:  # what is refused before everybody is the house's
                hear = self.orders.note if happened.kind in NO_STEPS else self.orders.hear
                hear(Said(happened.kind, happened.seat, tone, sentence, own))
        if happened.kind == "paused":
            self.reminders.end()
        if happened.kind == "verdict":
            self.finish.judge(self.match, happened)
            if self.hardware:
                self.reveal.sound(self.hardware.sound_siren)
        if happened.kind == "late_report":
            self.finish.late(self.match.names, happened)
        if happened.kind == "refused" and happened.seat is not None:
            hint = self.tutor.hint if self.tutor and happened.seat == LEARNER else None
            self.refused[happened.seat] = msg("Not that. {hint}", hint=hint) if hint else happened.facts["text"]

"""`companion headless`: performs a script and prints events as JSON lines (docs/headless.md)."""

import argparse
import io
import json
import re
import sys
from collections.abc import Callable, Iterable
from typing import IO, Final, NamedTuple

from companion.cli.arguments import only_a_lesson
from companion.cli.match_arguments import asked_audience, asked_names, begun, journal_of, resumed
from companion.cli.status import DONE
from companion.config.table_file import TableConfig
from companion.core.console import HOUSE_CONTROLS, KEYS
from companion.core.errors import (
    AmendError,
    CompanionError,
    IllegalMove,
    NotationError,
    nearest,
)
from companion.core.event import Event, EventFacts, to_json
from companion.core.files import BOM
from companion.core.limits import BOUNCE_MS
from companion.core.match import SEED_TAG
from companion.core.move import Move, Seat, each_seat
from companion.core.place import Place
from companion.core.seats import parse_seat, seat_text
from companion.core.signal import SeatSignal
from companion.core.tags import LESSON
from companion.core.text import Text, _, msg, with_names
from companion.core.verbs import number as number_of
from companion.games import load
from companion.match.lessons import LEARNER, Tutor
from companion.match.new_match import NAMES
from companion.match.virtual_table import Tell, VirtualTable
from companion.referee.journal import Store
from companion.referee.step_result import StepResult

_SECONDS: Final = re.compile(r"(?P<sign>[+-]?)(?P<whole>[0-9]{1,9})(?:\.(?P<part>[0-9]{1,9}))?")
_FAULT_MS: Final = re.compile(r"[0-9]{1,4}")
_SEAT_ACTS: Final = ("buzz", "contact", "keys", "unplug", "plug", "fault")
_CONTACTS: Final = ("closed", "open")
_FAULTS: Final = ("bounce", "late", "stuck", "none")
_SUBJECTS: Final = ("seat", "house", "table", "amend", "yes", "wait")


def main(arguments: argparse.Namespace) -> int:
    if arguments.lesson:
        return _lesson(arguments)
    match, keeper = resumed(arguments) if arguments.resume else begun(arguments)
    with keeper as journal:
        audience = asked_audience(arguments.audience, match)
        run_script(VirtualTable(match, journal), _script(), _("standard input"), Printer(sys.stdout, audience))
    return DONE


def _lesson(arguments: argparse.Namespace) -> int:
    only_a_lesson(
        seed=arguments.seed,
        ruling=arguments.ruling,
        deal=arguments.deal,
        resume=arguments.resume,
        table=arguments.table,
    )
    game = load(arguments.game)
    names = (
        NAMES[: game.lesson and game.lesson.seats]
        if arguments.seats is None
        else asked_names(arguments, TableConfig(), game)
    )
    tutor = Tutor(game, names)
    audience = asked_audience(arguments.audience, tutor.match)
    with journal_of(arguments, tutor.match) as journal:
        table = Classroom(tutor, journal)
        run_script(table, _script(), _("standard input"), Printer(sys.stdout, audience), tutor=tutor)
    return DONE


def _script() -> Iterable[str]:
    """Return the lines of standard input. Invalid UTF-8 makes a bad line."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")
    return sys.stdin


class ScriptError(CompanionError, ValueError):
    """An invalid script line, named in the message."""

    def __init__(self, source: str, line: int, why: Text) -> None:
        super().__init__(msg("{source}, line {line}: {why}", source=source, line=line, why=why))
        self.line = line


class _Line(NamedTuple):
    t_ns: int
    words: list[str]


class _Offer(NamedTuple):
    """A refused correction. It is legal `without` the moves from that number on. Valid while there are `after`
    entries.
    """

    number: int
    move: Move
    without: int
    after: int


class Script:
    """Performs script lines on a virtual table."""

    def __init__(self, table: VirtualTable, source: str) -> None:
        self.table = table
        self.source = source
        self._t_ns = table.clock.now_ns()
        self._offer: _Offer | None = None

    def run(self, lines: Iterable[str]) -> None:
        """Perform each line at its time, up to the first bad one. Raise ScriptError."""
        for number, line in enumerate(lines, 1):
            try:
                self._perform(line.removeprefix(BOM) if number == 1 else line)
            except NotationError as error:
                raise ScriptError(self.source, number, error.text) from error

    def _perform(self, line: str) -> None:
        words = _words(line)
        if not words:
            return
        t_ns = self._time(words[0])
        act = self._act(words[1:], t_ns)
        self.table.run(t_ns)
        self._t_ns = t_ns
        act()

    def _time(self, word: str) -> int:
        sign, number_ns = _seconds(word)
        t_ns = self._t_ns + number_ns if sign == "+" else number_ns
        if sign == "-" or t_ns < self._t_ns:
            raise NotationError(
                msg("{word} is earlier than the line above, at {last} s", word=word, last=self._t_ns / 1e9)
            )
        return t_ns

    def _act(self, words: list[str], t_ns: int) -> Callable[[], None]:
        """Validate a line now; return its action."""
        subject, *rest = words or [""]
        if subject == "wait" and not rest:
            return lambda: None
        if subject == "yes" and not rest:
            return lambda: self._agree(t_ns)
        if subject == "seat" and len(rest) >= 2:
            return self._seat_act(self._seat(rest[0]), rest[1], rest[2:], t_ns)
        if subject == "house" and len(rest) == 1:
            return self._house_act(rest[0])
        if subject == "table" and rest:
            match = self.table.match
            move = match.read_move("T " + " ".join(rest))
            return lambda: self.table.table_move(move, t_ns)
        if subject == "amend" and len(rest) > 1:
            place, match = number_of(rest[0], 1, 9999), self.table.match
            amended = match.read_move(" ".join(rest[1:]))
            return lambda: self._correct(place, amended, t_ns)
        if subject in {"", *_SUBJECTS}:
            raise NotationError(
                msg("a line is TIME seat N ACT, house CONTROL, table VERB ARGS, amend N MOVE, yes or wait")
            )
        raise NotationError(
            msg("{subject!r} is not understood; {near}", subject=subject, near=nearest(subject, _SUBJECTS))
        )

    def _correct(self, place: int, move: Move, t_ns: int, without: int | None = None) -> None:
        """Correct a move, or report why not and what `yes` would drop."""
        self._offer = None
        refusal = self.table.amend(place, move, t_ns, without)
        if refusal:
            self.table.refuse(t_ns, refusal.text, refusal.rule if isinstance(refusal, IllegalMove) else None)
        if isinstance(refusal, AmendError):
            self._offer = _Offer(place, move, refusal.number, len(self.table.match.entries))

    def _agree(self, t_ns: int) -> None:
        offer, self._offer = self._offer, None
        if offer is None or offer.after != len(self.table.match.entries):
            self.table.refuse(t_ns, msg("there is nothing to say yes to"))
        else:
            self._correct(offer.number, offer.move, t_ns, offer.without)

    def _seat(self, word: str) -> Seat:
        seats = len(self.table.match.names)
        if word not in map(seat_text, each_seat(seats)):
            raise NotationError(msg("unknown seat {word!r}; allowed: 1 to {seats}", word=word, seats=seats))
        return parse_seat(word)

    def _seat_act(self, seat: Seat, act: str, rest: list[str], t_ns: int) -> Callable[[], None]:
        devices = self.table.devices
        if act == "buzz":
            stamp_ns, within_ns = _stamp(rest, t_ns)
            return lambda: devices.buzzers[seat].press(stamp_ns, within_ns)
        if act == "contact" and len(rest) == 1 and rest[0] in _CONTACTS:
            return lambda: devices.buzzers[seat].touch(closed=rest[0] == "closed")
        if act == "keys" and rest:
            for key in rest:
                if key not in KEYS:
                    raise NotationError(msg("{key!r} is not a key; allowed: {keys}", key=key, keys=" ".join(KEYS)))
            return lambda: self._press_keys(seat, rest)
        if act in {"unplug", "plug"} and not rest:
            return lambda: (devices.unplug if act == "unplug" else devices.plug)(Place(seat))
        if act == "fault" and rest:
            return self._fault(seat, rest)
        if act in _SEAT_ACTS:
            raise NotationError(
                msg(
                    "a seat can: buzz [stamped T] [within U], contact closed, contact open, keys K..., unplug, "
                    "plug, fault KIND [MS]"
                )
            )
        raise NotationError(msg("{act!r} is not understood; {near}", act=act, near=nearest(act, _SEAT_ACTS)))

    def _press_keys(self, seat: Seat, keys: list[str]) -> None:
        for key in keys:
            self.table.devices.keypads[seat].press(key)

    def _fault(self, seat: Seat, words: list[str]) -> Callable[[], None]:
        kind, *rest = words
        buzzer = self.table.devices.buzzers[seat]
        if kind in {"bounce", "late"} and len(rest) == 1 and _FAULT_MS.fullmatch(rest[0]):
            if kind == "bounce":
                number_of(rest[0].lstrip("0") or "0", 0, BOUNCE_MS)
            name, value_ns = f"{kind}_ns", int(rest[0]) * 1_000_000
            return lambda: setattr(buzzer.fault, name, value_ns)
        if kind == "stuck" and not rest:
            return buzzer.stick
        if kind == "none" and not rest:
            return buzzer.mend
        if kind in _FAULTS:
            raise NotationError(msg("a fault is: bounce MS, late MS, stuck, none"))
        raise NotationError(msg("{kind!r} is not a fault; {near}", kind=kind, near=nearest(kind, _FAULTS)))

    def _house_act(self, control: str) -> Callable[[], None]:
        devices = self.table.devices
        if control in HOUSE_CONTROLS:
            return lambda: devices.house(control)
        if control in KEYS:
            return lambda: devices.house_keypad.press(control)
        allowed = (*HOUSE_CONTROLS, *KEYS)
        raise NotationError(
            msg(
                "{control!r} is not a control of the house; {near}", control=control, near=nearest(control, allowed)
            )
        )


class Printer:
    """Prints the events that `audience` may see as JSON lines."""

    def __init__(self, out: IO[str], audience: Seat | None) -> None:
        self._out = out
        self._audience = audience

    def __call__(self, t_ns: int, told: Event) -> None:
        if told.visible_to(self._audience):
            print(json.dumps(to_json(t_ns, told), ensure_ascii=False), file=self._out, flush=True)


class Unfinished(EventFacts):
    """The script ended before the match."""

    over: bool
    moves: int
    lesson_done: bool | None = None


class MatchEnd(EventFacts):
    """How the match ended. `seed` verifies the shuffles; None if the table dealt."""

    over: bool
    moves: int
    seats: tuple[Seat, ...]
    ranking: tuple[tuple[Seat, ...], ...]
    reason: Text
    seed: str | None
    lesson_done: bool | None = None


class LearnerStep(EventFacts):
    """The next step of a lesson: `made` of all steps are done."""

    made: int
    of: int
    hint: Text | None
    controls: tuple[str, ...]
    pages: list[list[Text]]


def result_event(table: VirtualTable, tutor: Tutor | None = None) -> Event:
    """Return the last line of the output."""
    match, outcome, done = table.match, table.match.outcome, tutor.over if tutor else None
    if outcome is None:
        return Event("result", data=Unfinished(False, match.length, done))
    how = (outcome.winners, outcome.ranking, outcome.reason, match.tags.get(SEED_TAG))
    return Event("result", data=MatchEnd(True, match.length, *how, done))


class Classroom(VirtualTable):
    """A lesson at a virtual table. Pages count as read at once."""

    def __init__(self, tutor: Tutor, store: Store | None = None) -> None:
        super().__init__(tutor.match, store, dealer=tutor.dealer)
        self._tutor = tutor
        self._told = -1
        self.seat_robots(tutor.partners, LESSON)

    def signal(self, signal: SeatSignal) -> None:
        self._tutor.hear(signal, self)
        super().signal(signal)

    def react(self, now_ns: int) -> None:
        """Present a new step of the lesson before the robots play."""
        self._teach(now_ns)
        super().react(now_ns)

    def _teach(self, now_ns: int) -> None:
        tutor = self._tutor
        pages, (made, steps) = tutor.pages, tutor.steps
        if made == self._told or not (pages or tutor.hint or tutor.over):
            return
        self._told = made
        tutor.turn_over()
        names = tutor.match.names
        hint = tutor.hint and with_names(tutor.hint, names)
        texts = [[page.title, *(row.text for row in page.named(names).rows)] for page in pages]
        told = LearnerStep(made, steps, hint, tutor.controls(LEARNER), texts)
        self.present(StepResult(now_ns, (Event("lesson", LEARNER, told),)))


def run_script(
    table: VirtualTable, lines: Iterable[str], source: str, tell: Tell, *, tutor: Tutor | None = None
) -> None:
    """Play a script and report its events to `tell`. Raise ScriptError."""
    table.tell = tell
    table.start()
    Script(table, source).run(lines)
    tell(table.clock.now_ns(), result_event(table, tutor))


def _words(line: str) -> list[str]:
    """Return the words of a line without its comment."""
    words = line.split()
    for place, word in enumerate(words):
        if word.startswith("#") and not _is_hash_key(words, place):
            return words[:place]
    return words


def _is_hash_key(words: list[str], place: int) -> bool:
    """Return True if `#` is a key: after `house`, or among keys only."""
    if words[place] != "#" or place == 0:
        return False
    if "keys" in words[:place]:
        return all(word in KEYS for word in words[place:])
    return words[place - 1] == "house"


def _seconds(word: str) -> tuple[str, int]:
    """Return sign and nanoseconds."""
    found = _SECONDS.fullmatch(word)
    if not found:
        raise NotationError(
            msg(
                "{word!r} is not a time; write seconds, such as 12.5 or +0.25, with at most 9 digits on each side",
                word=word,
            )
        )
    return found["sign"], int(found["whole"]) * 1_000_000_000 + int((found["part"] or "").ljust(9, "0"))


def _stamp(words: list[str], t_ns: int) -> tuple[int, int]:
    """Parse `[stamped T] [within U]`. A signed T is relative to the line's time."""
    stamp_ns, within_ns = t_ns, 0
    rest = list(words)
    if rest[:1] == ["stamped"] and len(rest) > 1:
        sign, number_ns = _seconds(rest[1])
        stamp_ns = {"": number_ns, "+": t_ns + number_ns, "-": t_ns - number_ns}[sign]
        rest = rest[2:]
    if rest[:1] == ["within"] and len(rest) > 1:
        sign, within_ns = _seconds(rest[1])
        if sign:
            raise NotationError(msg("{word!r}: an uncertainty takes no + or -", word=rest[1]))
        rest = rest[2:]
    if rest:
        raise NotationError(msg("unexpected {word!r}; a press is buzz [stamped T] [within U]", word=rest[0]))
    return stamp_ns, within_ns

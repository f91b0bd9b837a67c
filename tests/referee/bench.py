"""A table of Buntherum for tests, with devices that are pressed at exact virtual times."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest

from companion.core.console import BUZZ, Lamp
from companion.core.event import Event
from companion.core.move import TABLE, Move, Seat
from companion.core.place import Place
from companion.core.record import Evidence
from companion.core.signal import LEVEL, SeatSignal, Signal
from companion.games import load
from companion.match.new_match import NAMES, new_match
from companion.match.virtual_table import VirtualTable
from companion.referee.journal import Unkept
from companion.referee.referee import Referee

MS = 1_000_000
US = 1_000

GAME = load("buntherum")

FIRST_CARD_MS = 1000
"""When the first card is turned and visible, without delays."""

STARTERS = ("pink ball", "pink cube", "pink butterfly", "pink cup", "pink icecream", "pink telephone")
"""With these, `sky car` fits into every row and `pink car` into none."""

MARKS = {"@": "stamped_ms", "~": "within_ms", "+": "hold_ms"}
"""Optional properties of a press in a timeline."""

Step = str | Mapping[str, Any]
"""Acts for `Bench.follow`, or values by the names of `Bench.outcome`."""


def timeline(reason: str, *steps: Step, **options: Any) -> Any:
    return pytest.param(steps, options, id=reason)


def timelines(*cases: Any) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("steps", "options"), cases)


class BenchTable(VirtualTable):
    """A virtual table with replaceable lamps and screen."""

    lamps: Any
    screen: Any

    def light(self, seat: Seat, lamp: Lamp) -> None:
        self.lamps.show(seat, lamp)

    def show(self) -> None:
        if self.screen is None:
            super().show()
            return
        view = self.match.view()
        shown_ns = self.screen.show(view, GAME.console.prompt(view))
        if shown_ns is not None:
            self.visible(shown_ns, self.clock.now_ns())


class Bench:
    """A virtual table with seats from 0 and times in milliseconds; `told` has its events."""

    def __init__(
        self,
        seats: int = 3,
        *,
        settle_ms: int = 10,
        deal: str = "pi",
        seed: str = "7",
        store: Any = None,
        screen: Any = None,
        lamps: Any = None,
        **rulings: Any,
    ) -> None:
        match = new_match(
            GAME,
            NAMES[:seats],
            rulings=GAME.rulings(**rulings),
            deal=deal,
            seed=None if deal == "table" else seed,
        )
        self.told: list[tuple[int, Event]] = []
        self.table = BenchTable(
            match, store or Unkept(), settle_ns=settle_ms * MS, tell=lambda *told: self.told.append(told)
        )
        self.devices = self.table.devices
        self.lamps = self.table.lamps = lamps or self.devices
        self.table.screen = screen
        self.table.start()

    @property
    def referee(self) -> Referee:
        return self.table.referee

    @property
    def match(self):
        return self.table.match

    @property
    def view(self):
        return self.match.view()

    # --- Acting -----------------------------------------------------------------------------------------

    def at(self, ms: float) -> "Bench":
        self.table.run(round(ms * MS))
        return self

    def happens(self, *acts: tuple[float, Callable[[], object]]) -> "Bench":
        """Run acts at their times in ms; acts of one time keep their order."""
        for at_ms, act in sorted(acts, key=lambda one: one[0]):
            self.at(at_ms)
            act()
        return self

    def give_up(self, how: str) -> None:
        if how == "house":
            self.house("skip")
        elif how == "script":
            self.table.table_move(Move(TABLE, "nobody"), self.table.clock.now_ns())
        else:
            for seat in range(len(self.match.names)):
                self.keys(seat, "*")

    def buzz(
        self, seat: Seat, *, stamped_ms: float | None = None, within_ms: float = 0, hold_ms: float = 80
    ) -> None:
        t_ns = None if stamped_ms is None else round(stamped_ms * MS)
        self.devices.buzzers[seat].press(t_ns, round(within_ms * MS), round(hold_ms * MS))

    def touch(self, seat: Seat, *at_ms: float) -> None:
        """Close and open a bare contact in turn."""
        for number, ms in enumerate(at_ms):
            act = partial(self.devices.buzzers[seat].touch, closed=number % 2 == 0)
            self.table.clock.at(round(ms * MS), act)

    def stray(self, seat: Seat) -> None:
        """Report a lone edge that is read as released."""
        now_ns = self.table.clock.now_ns()
        self.table.signal(SeatSignal("test", seat, BUZZ, now_ns, 0, now_ns, pressed=False))

    def keys(self, seat: Seat, keys: str, *, stamped_ms: float | None = None, within_ms: float = 0) -> None:
        """Press keys one after the other; they are reported now."""
        now_ns = self.table.clock.now_ns()
        t_ns = now_ns if stamped_ms is None else round(stamped_ms * MS)
        for key in keys:
            self.table.signal(SeatSignal("test", seat, key, t_ns, round(within_ms * MS), now_ns))

    def house(self, *controls: str) -> None:
        for control in controls:
            self.devices.house(control)

    def table_move(self, text: str) -> None:
        """Read a card off the table: `flip sky car`."""
        move = GAME.notation.parse_move(self.match.box, f"T {text}")
        self.table.table_move(move, self.table.clock.now_ns())

    def lay_starters(self) -> None:
        self.table_move("youngest 1")
        for row, card in enumerate(STARTERS, 1):
            self.table_move(f"starter {row} {card}")

    def call(self, seat: Seat, said: int) -> None:
        self.buzz(seat)
        self.at(self.now_ms + 100)
        self.keys(seat, str(said))

    def follow(self, *steps: Step) -> "Bench":
        """Run the acts in strings, and check the outcomes in mappings.

        `1500 buzz 0, 1505 pause, undo, 1520 buzz 1 @1497`: times are in ms; an act without one runs at once.
        """
        for step in steps:
            if isinstance(step, str):
                for act in step.split(", "):
                    self._do(act.split())
            else:
                assert {what: self.outcome(what, value) for what, value in step.items()} == step
        return self

    def _do(self, words: list[str]) -> None:
        if words[0][0].isdigit():
            self.at(float(words.pop(0)))
        marks: dict[str, Any] = {MARKS[word[0]]: float(word[1:]) for word in words if word[0] in MARKS}
        match [word for word in words if word[0] not in MARKS]:
            case ["buzz", seat]:
                self.buzz(int(seat), **marks)
            case ["keys", seat, keys]:
                self.keys(TABLE if seat == "T" else int(seat), self._row(keys), **marks)
            case ["call", seat, said]:
                self.call(int(seat), int(self._row(said)))
            case ["unplug" | "plug" as act, seat]:
                getattr(self.devices, act)(int(seat))
            case ["touch", seat, *at_ms]:
                self.touch(int(seat), *map(float, at_ms))
            case ["stray", seat]:
                self.stray(int(seat))
            case ["fault", seat, name, ms]:
                setattr(self.devices.buzzers[int(seat)].fault, name, int(ms) * MS)
            case ["flipped"]:
                SlowScreen.flipped(self, **marks)
            case ["starters"]:
                self.lay_starters()
            case ["table", *card]:
                self.table_move(" ".join(card))
            case controls:
                self.house(*controls)

    def _row(self, said: str) -> str:
        rows = {"right": self.right_row, "wrong": self.wrong_row}
        return str(rows[said]()) if said in rows else said

    # --- Looking ----------------------------------------------------------------------------------------

    @property
    def now_ms(self) -> float:
        return self.table.clock.now_ns() / MS

    def kinds(self) -> list[str]:
        return [event.kind for _, event in self.told]

    def of(self, kind: str) -> list[Event]:
        return [event for _, event in self.told if event.kind == kind]

    def times(self, kind: str) -> list[float]:
        return [t_ns / MS for t_ns, event in self.told if event.kind == kind]

    def outcome(self, what: str, like: object) -> object:
        """Return a named value; for events their times (`_ms`), or their count or seats, as in `like`."""
        known: dict[str, Callable[[], object]] = {
            "winners": self.winners,
            "chips": self.chips,
            "phase": lambda: self.view.phase,
            "over": lambda: self.referee.over,
            "waits": lambda: bool(self.referee.pauses),
            "due": lambda: self.referee.due,
            "length": lambda: self.match.length,
            "undone": lambda: [text for told in self.of("undone") for text in told.facts["moves"]],
            "asked": lambda: [text for told in self.of("undo_asked") for text in told.facts["moves"]],
            "open_ms": lambda: [told.facts["open_ns"] / MS for told in self.of("visible")],
            "calls_ms": lambda: [call.t_ns / MS for call in self.evidence("call").calls],
            "heard": lambda: [call.seat for told in self.of("verdict") for call in told.facts["calls"]],
            "stamps_ms": lambda: [told.facts["stamp_ns"] / MS for told in self.of("false_start")],
        }
        if what in known:
            return known[what]()
        kind, _, whose = what.partition(" ")
        if kind == "refusals":
            return self.refusals(None if whose == "house" else int(whose))
        if kind.endswith("_ms"):
            return self.times(kind.removesuffix("_ms"))
        told = [event.seat for event in self.of(kind)]
        return len(told) if isinstance(like, int) else told

    def winners(self) -> list[tuple[Seat, ...]]:
        return [event.facts["seats"] for event in self.of("verdict")]

    def refusals(self, seat: Seat | None) -> list[str]:
        """Return the refusals of a seat; None is the house."""
        return [str(event.facts["text"]) for event in self.of("refused") if event.seat == seat]

    def evidence(self, verb: str) -> Evidence:
        return [entry.evidence for entry in self.match.entries if f" {verb}" in entry.move][-1]

    def fitting_rows(self) -> set[int]:
        """Return the rows that take the open card, by comparing words."""
        box, names = self.match.box, self.match.box.names
        words = set(names[self.view.card].split())
        shown = [[*row, printed] for row, printed in zip(self.view.rows, box.printed, strict=True)]
        return {
            row
            for row, cards in enumerate(shown, 1)
            if not words & {word for card in cards for word in names[card].split()}
        }

    def right_row(self) -> int:
        return min(self.fitting_rows(), default=0)

    def wrong_row(self) -> int:
        return min(set(range(1, 7)) - self.fitting_rows(), default=0)

    def chips(self) -> tuple[int, ...]:
        return self.view.chips


class SlowScreen:
    """A display that reports its flips later."""

    def __init__(self) -> None:
        self.shown = 0

    def show(self, view: Any, prompt: Any) -> None:
        self.shown += 1

    @staticmethod
    def flipped(bench: Bench, *, stamped_ms: float) -> None:
        now_ns = bench.table.clock.now_ns()
        bench.table.tick(now_ns)
        bench.table.visible(round(stamped_ms * MS), now_ns)


def readings(closed: dict[Place, Callable[[int], bool]]) -> Callable[[int], list[Signal]]:
    """Return a `flush` that reads levels of contacts without edges."""

    def flush(now_ns: int) -> list[Signal]:
        return [
            Signal("test", place, BUZZ, now_ns, 0, now_ns, contact(now_ns), (LEVEL,))
            for place, contact in closed.items()
        ]

    return flush

"""Robots: players who press buzzers and keys in a person's time, and see what their seat may see."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple, Protocol

from companion.core.console import BACK
from companion.core.dealer import DEALS
from companion.core.errors import OptionError, nearest
from companion.core.game import Bot, Game
from companion.core.move import Seat, by_seat
from companion.core.rules import Rulings
from companion.core.text import msg
from companion.referee.referee import Referee

_RETRY_NS: Final = 1_000_000_000
_RETRIES: Final = 100


class Hands(Protocol):
    """A table with a clock that takes plans, and controls to press by seat."""

    @property
    def referee(self) -> Referee:
        """The referee."""

    @property
    def listens(self) -> bool:
        """Whether a press would be heard now: not in a pause, and not after the match was left."""

    def plan(self, t_ns: int, action: Callable[[], None]) -> None:
        """Do something at a time."""

    def press(self, seat: Seat, control: str) -> None:
        """Press a seat's buzzer or one of its keys."""

    def buzz(self, seat: Seat, t_ns: int) -> None:
        """Press a seat's buzzer with the timestamp `t_ns`, which is not later than now."""


class _Plan(NamedTuple):
    """A robot's plan: the position it was made in, and the keying that it types in, if any."""

    moment: int = 0
    keying: int | None = None


@dataclass
class Robots:
    """Robot players that press virtual buzzers and keys. Each sees only what its seat may see.

    `_moment` counts positions. `_plans` has the plans that are not finished; `_done` has, of finished ones, the
    moment of the plan and of its last key.
    """

    table: Hands
    bots: Mapping[Seat, Bot]
    luck: Mapping[Seat, random.Random]
    _plans: dict[Seat, _Plan] = field(default_factory=dict)
    _done: dict[Seat, tuple[int, int]] = field(default_factory=dict)
    _moment: int = 0
    _again_in_a_row: int = 0

    @classmethod
    def seated(cls, table: Hands, bots: Sequence[Bot | None], seed: str) -> "Robots":
        """Return robots for the seats, each with its own luck; None is a person's seat."""
        seats = {seat: bot for seat, bot in by_seat(bots) if bot}
        luck = {seat: random.Random(f"{seed}/robot {seat + 1}") for seat in seats}
        return cls(table, seats, luck)

    def look(self, now_ns: int) -> None:
        """React to a new position: older plans are dropped, unless what was typed stays valid.

        After an undo robots wait for a person.
        """
        self._moment += 1
        self._again_in_a_row = 0
        referee = self.table.referee
        persons = len(self.bots) < len(referee.match.names)
        if referee.over or referee.pauses or (referee.pacing.held and persons):
            self._plans.clear()
            return
        since_ns = now_ns if referee.open_since_ns is None else referee.open_since_ns
        for seat in self.bots:
            if referee.stage.keying is None or referee.stage.keying != self._plans.get(seat, _Plan()).keying:
                self._plan(seat, since_ns)

    def _plan(self, seat: Seat, since_ns: int) -> None:
        referee = self.table.referee
        acts = list(self.bots[seat].acts(referee.match.view(seat), seat, self.luck[seat]))
        if acts:  # first take back what a pause has left half typed
            acts = [acts[0]._replace(control=BACK)] * len(referee.entries.get(seat, "")) + acts
        self._plans[seat] = _Plan(self._moment, referee.stage.keying if acts else None)
        for place, act in enumerate(acts, 1):
            press = partial(self._press, self._moment, seat, act.control, last=place == len(acts))
            self.table.plan(since_ns + act.delay_ns, press)
        if acts and referee.stage.keying is not None:
            again_ns = since_ns + acts[-1].delay_ns + _RETRY_NS
            self.table.plan(again_ns, partial(self._again, self._moment, seat, again_ns))

    def _again(self, moment: int, seat: Seat, now_ns: int) -> None:
        """Decide again when a plan had no effect: while it was typed, another player took what it wanted."""
        if self._done.get(seat) != (moment, self._moment) or not self.table.listens:
            return
        self._again_in_a_row += 1
        if self._again_in_a_row > _RETRIES:
            raise RuntimeError(f"the robot at seat {seat + 1} decides nothing that it can do")
        self._plan(seat, now_ns)

    def _press(self, moment: int, seat: Seat, control: str, *, last: bool) -> None:
        """Press a control of the plan made at `moment`, unless the seat has a newer plan."""
        if self._plans.get(seat, _Plan()).moment != moment:
            return
        if not self.table.listens:
            del self._plans[seat]  # without this key it would be another move: it decides again after the pause
            return
        if last:
            del self._plans[seat]  # the press may lead to the next position
            self._done[seat] = (moment, self._moment)
        self.table.press(seat, control)


def bots_named(game: Game, kinds: Sequence[str], seats: int, rulings: Rulings | None = None) -> list[Bot]:
    """Return a robot for each seat; fewer kinds than seats are repeated.

    Raises OptionError for unknown kinds, too many kinds, or `rulings` that no robot can play when the companion
    deals.
    """
    why = game.no_robots(rulings, DEALS[0]) if rulings else None
    if why:
        raise OptionError(why)
    if len(kinds) > seats:
        raise OptionError(msg("{n} robots for {seats} seats", n=len(kinds), seats=seats))
    for kind in kinds:
        if kind not in game.bots:
            raise OptionError(msg("there is no bot {kind!r}; {near}", kind=kind, near=nearest(kind, game.bots)))
    return [game.bots[kinds[seat % len(kinds)]] for seat in range(seats)]

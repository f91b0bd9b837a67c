"""Robots: players that press buzzers and keys at a human pace and see only what their seat may see."""

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
    """A table that robots can play at."""

    @property
    def referee(self) -> Referee: ...

    @property
    def listens(self) -> bool:
        """False in a pause and after the match was left: presses are then ignored."""

    def plan(self, t_ns: int, action: Callable[[], None]) -> None: ...

    def press(self, seat: Seat, control: str) -> None:
        """Press a seat's buzzer or one of its keys now."""

    def buzz(self, seat: Seat, t_ns: int) -> None:
        """Press a seat's buzzer with the timestamp `t_ns`, at most now."""


class _Plan(NamedTuple):
    moment: int = 0
    keying: int | None = None


@dataclass
class Robots:
    """The robots of a table.

    `_moment` counts positions. `_plans` has unfinished plans; `_done` has the moments of a finished plan and of its
    last key.
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
        """Return robots for the seats; None is a person's seat. `seed` decides their random choices."""
        seats = {seat: bot for seat, bot in by_seat(bots) if bot}
        luck = {seat: random.Random(f"{seed}/robot {seat + 1}") for seat in seats}
        return cls(table, seats, luck)

    def look(self, now_ns: int) -> None:
        """React to a new position and drop outdated plans. After an undo, robots wait for a person."""
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
        if acts:  # a pause may have left a half-typed entry
            acts = [acts[0]._replace(control=BACK)] * len(referee.entries.get(seat, "")) + acts
        self._plans[seat] = _Plan(self._moment, referee.stage.keying if acts else None)
        for place, act in enumerate(acts, 1):
            press = partial(self._press, self._moment, seat, act.control, last=place == len(acts))
            self.table.plan(since_ns + act.delay_ns, press)
        if acts and referee.stage.keying is not None:
            again_ns = since_ns + acts[-1].delay_ns + _RETRY_NS
            self.table.plan(again_ns, partial(self._again, self._moment, seat, again_ns))

    def _again(self, moment: int, seat: Seat, now_ns: int) -> None:
        """Plan again if the last plan did not change anything: another player was faster."""
        if self._done.get(seat) != (moment, self._moment) or not self.table.listens:
            return
        self._again_in_a_row += 1
        if self._again_in_a_row > _RETRIES:
            raise RuntimeError(f"the robot at seat {seat + 1} decides nothing that it can do")
        self._plan(seat, now_ns)

    def _press(self, moment: int, seat: Seat, control: str, *, last: bool) -> None:
        if self._plans.get(seat, _Plan()).moment != moment:
            return
        if not self.table.listens:
            del self._plans[seat]  # without this key the rest would be another move, so plan again after the pause
            return
        if last:
            del self._plans[seat]  # the press may lead to the next position
            self._done[seat] = (moment, self._moment)
        self.table.press(seat, control)


def bots_named(game: Game, kinds: Sequence[str], seats: int, rulings: Rulings | None = None) -> list[Bot]:
    """Return a robot for each seat; kinds are repeated if there are fewer than seats.

    Raises OptionError for unknown kinds, too many kinds, or `rulings` that robots cannot play when the companion
    deals.
    """
    why = game.no_robots(rulings, DEALS[0]) if rulings else None
    if why:
        raise OptionError(why)
    if len(kinds) > seats:
        raise OptionError(msg("{n} robots for {seats} seats", n=len(kinds), seats=seats))
    for kind in kinds:
        if kind not in game.bots:
            raise OptionError(msg("unknown robot {kind!r}; {near}", kind=kind, near=nearest(kind, game.bots)))
    return [game.bots[kinds[seat % len(kinds)]] for seat in range(seats)]

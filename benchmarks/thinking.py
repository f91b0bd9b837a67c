"""Measures how long robots think about each decision."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from companion.core.dealer import DEALS
from companion.core.game import LEVELS, Act
from companion.core.move import Move, Seat
from companion.games import all_games
from companion.match.simulation import Simulation
from companion.match.simulation import run as simulate

MATCHES: Final = 10

Report = Callable[..., None]


@dataclass
class Timed:
    """A robot and the durations of its decisions."""

    bot: Any
    took_ms: list[float] = field(default_factory=list)

    def acts(self, view: Any, seat: Seat, luck: Random) -> Sequence[Act]:
        began = time.perf_counter()
        acts: Sequence[Act] = self.bot.acts(view, seat, luck)
        if acts:
            self.took_ms.append(1000 * (time.perf_counter() - began))
        return acts


class TimedDecider(Timed):
    def decide(self, view: Any, seat: Seat, luck: Random) -> Move | None:
        began = time.perf_counter()
        move: Move | None = self.bot.decide(view, seat, luck)
        if move:
            self.took_ms.append(1000 * (time.perf_counter() - began))
        return move


def run(report: Report) -> None:
    for game in all_games().values():
        if why := game.no_robots(game.rulings(), DEALS[0]):
            report(f"{game.title}: thinking", "-", str(why))
            continue
        names = ["Anna", "Ben", "Cleo", "Dan"][: min(4, game.rules.SEATS[-1])]
        for level in LEVELS:
            bot = game.bots[level]
            timed = (TimedDecider if hasattr(bot, "decide") else Timed)(bot)
            plan = Simulation(
                game._replace(bots={level: timed}), tuple(names), (level,), game.rulings(), "thinking"
            )
            *_, _tally = simulate(plan, MATCHES)
            took = sorted(timed.took_ms)
            figure = f"{took[len(took) // 2]:.2f}, {took[99 * len(took) // 100]:.2f}, {took[-1]:.2f}"
            report(f"{game.title}, {level}: thinking, ms: median, p99, most", figure, "p99 below 100")

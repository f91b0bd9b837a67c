"""Robots at a whole virtual table: matches end, and records replay."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.core.event import Event
from companion.core.move import Move, SecretMove
from companion.core.replay import loads, replay_entries
from companion.games import all_games, load
from companion.games.typist import Typist
from companion.match.new_match import NAMES, new_match
from companion.match.virtual_table import VirtualTable
from companion.referee.journal import open_record
from tests.running import robot_table

GAMES = all_games()

KEPT = 5
"""Number of matches per game that also have a journal."""


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_matches_with_any_rulings_end_and_replay(name: str, soak_count: Callable[..., int], tmp_path: Path) -> None:
    game = load(name)
    for number in range(soak_count(3_000, 12)):
        refused: list[Event] = []

        def note(_: int, told: Event, refused: list[Event] = refused) -> None:
            if told.kind == "refused" and told.seat is None:
                refused.append(told)

        journal = tmp_path / f"{number}.record" if number < KEPT else None
        match = robot_table(game, f"robots {number}", note, journal).match
        assert match.outcome, number
        assert not refused, number
        written = loads(match.dumps(), GAMES)
        opened = [open_record(journal, GAMES)] if journal else []
        assert [each.damage for each in opened] == [None] * len(opened), number
        for again in (written, *(each.match for each in opened)):
            assert again.outcome == match.outcome, number
            assert again.state == match.state, number
            assert again.dumps() == match.dumps(), number


# --- Robots that type -------------------------------------------------------------------------------------


class Stubborn:
    """A robot that always wants the northern bakery."""

    def decide(self, view: Any, seat: int, luck: object) -> Move:
        return Move(seat, "bakery", (0,))


def test_robot_without_a_legal_decision_is_an_error() -> None:
    game = load("de_et_boulanger")
    table = VirtualTable(new_match(game, NAMES[:4], seed="7"))
    table.seat_robots([Typist(Stubborn(), game.console)] * 4, "7")
    table.start()
    with pytest.raises(RuntimeError, match="decides nothing that it can do"):
        table.run()


@dataclass
class Bidder:
    """Bids a 20, a 10 and a 5; `asked` counts its decisions per pair."""

    asked: Counter[str] = field(default_factory=Counter)

    def decide(self, view: Any, seat: int, luck: object) -> Move | None:
        if seat not in view.duel or seat in view.locked:
            return None
        self.asked[view.pair] += 1
        return SecretMove(seat, "commit", (0, 0, 1, 1, 1) if seat == view.duel[0] else (0,) * 5)


def test_robot_continues_typing_while_another_locks() -> None:
    game, bidder = load("buro_crazy"), Bidder()
    table = VirtualTable(new_match(game, NAMES[:4], seed="7"))
    slow = Typist(bidder, game.console, think_ms=1300, key_ms=400)
    table.seat_robots(
        [slow] * 4, "12"
    )  # the seat without a card locks when the other has typed two of its four keys
    table.start()
    table.run(6 * 1_000_000_000)
    first = next(told for told in told_by(table) if told.kind == "reveal")
    assert first.facts["totals"] == (35, 0)
    assert bidder.asked["P1"] == 2  # once for each seat


@pytest.mark.parametrize("pause_ms", [150, 400, 1000, 200_000])
def test_pause_during_typing_keeps_a_robots_bid(pause_ms: int) -> None:
    """A key pressed in the pause is lost, so the robot starts anew."""
    for at_ms in range(700, 3000, 130):
        game, bidder = load("buro_crazy"), Bidder()
        table = VirtualTable(new_match(game, NAMES[:4], seed="7"))
        table.seat_robots([Typist(bidder, game.console, think_ms=1300, key_ms=400)] * 4, "7")
        table.start()
        for t_ms in (at_ms, at_ms + pause_ms):
            table.plan(t_ms * 1_000_000, partial(table.devices.house, "pause"))
        table.run((at_ms + pause_ms + 8000) * 1_000_000)
        first = next(told for told in told_by(table) if told.kind == "reveal")
        assert first.facts["totals"] == (35, 0), (at_ms, pause_ms)


def told_by(table: VirtualTable) -> list[Event]:
    return [told for _, events in replay_entries(table.match) for told in events]


# --- After an undo ----------------------------------------------------------------------------------------

S = 1_000_000_000


def undone(persons: int) -> VirtualTable:
    """Return Buntherum after an undone decision, with people who press nothing."""
    game = load("buntherum")
    table = VirtualTable(new_match(game, NAMES[:3], seed="7"))
    table.seat_robots([None] * persons + [game.bots["middle"]] * (3 - persons), "7")
    table.start()
    while not any(move.verb == "declare" for move in table.match.moves):
        table.run(table.clock.now_ns() + S // 20)
    table.devices.house("undo")
    if table.referee.pauses:
        table.devices.house("ok")
    assert table.match.entries[-1].kind == "undo"
    return table


def test_robots_wait_for_a_person_after_an_undo() -> None:
    table = undone(persons=1)
    entries = len(table.match.entries)
    table.run(table.clock.now_ns() + 600 * S)
    assert len(table.match.entries) == entries
    table.press(0, "5")
    table.run(table.clock.now_ns() + 60 * S)
    assert len(table.match.entries) > entries + 3


def test_robots_alone_wait_for_nobody() -> None:
    table = undone(persons=0)
    entries = len(table.match.entries)
    table.run(table.clock.now_ns() + 60 * S)
    assert len(table.match.entries) > entries + 3

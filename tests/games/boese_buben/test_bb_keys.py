"""Tests of bribery keys at a table of people."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion.core.boxfile import NamedBox
from companion.core.event import Event
from companion.core.match import Match
from companion.core.move import Move, Seat, each_seat
from companion.core.signal import SeatSignal
from companion.core.units import MS
from companion.games import load
from companion.games.boese_buben.console import offered
from companion.games.boese_buben.rules import Phase
from companion.games.boese_buben.rules.cards import CARDS, owner
from companion.match.new_match import NAMES, new_match
from companion.match.virtual_table import VirtualTable
from companion.referee.input_gate import READ_NS
from companion.testing.playout import random_move
from tests.games.boese_buben.bb_table import rearranged

GAME = load("boese_buben")


def of_people(match: Match, **told: Any) -> VirtualTable:
    table = VirtualTable(match, **told)
    table.referee.pacing.people = frozenset(each_seat(len(match.names)))
    table.start()
    return table


def press(table: VirtualTable, seat: Seat, *keys: str) -> None:
    for key in keys:
        table.run(table.clock.now_ns() + READ_NS)
        now_ns = table.clock.now_ns()
        table.signal(SeatSignal("hand", seat, key, now_ns, 0, now_ns))


class People:
    """A table of people at a position from a random match."""

    def __init__(self, wanted: Callable[[Any], bool], seats: int = 3) -> None:
        for number in range(400):
            luck = Random(f"bribery {number}")
            match = new_match(GAME, NAMES[:seats], seed=f"bribery {number}")
            while not (match.outcome or wanted(match.view())):
                match.push(random_move(GAME.rules, match.state, luck.randrange))
            if not match.outcome:
                break
        assert wanted(match.view())
        self.match = match
        self.table = of_people(match)

    def press(self, seat: Seat, *keys: str) -> None:
        press(self.table, seat, *keys)

    @property
    def asked(self) -> Seat:
        return self.match.state.mover

    def typed(self, seat: Seat) -> str:
        return self.table.referee.entries.get(seat, "")


def rest(view: Any) -> list[Seat]:
    if view.phase != Phase.BRIBERY:
        return []
    lane, place = view.asked
    return [owner(card) for card in view.zones[lane - 1][place - 1 :]]


def in_a_row(view: Any) -> bool:
    return len(rest(view)) > 1 and len(set(rest(view))) == 1


def interrupted(view: Any) -> bool:
    """Return True if another owner is asked between two affordable cards of one owner."""
    owners = rest(view)
    return owners[:1] == owners[2:3] and len(set(owners[:2])) == 2 and max(view.box.goblins) <= 6


@pytest.mark.parametrize(("key", "bought"), [("A", True), ("B", False)])
def test_one_undo_reverts_an_answer_for_all(key: str, bought: bool) -> None:
    people = People(in_a_row)
    seat, cards, before = people.asked, offered(people.match.view()), people.match.state
    people.press(seat, key)
    made = people.match.moves[-len(cards) :]
    assert [move[:2] for move in made] == [(seat, "answer")] * len(cards)
    assert {move.args[0] for move in made} == {int(bought)}
    people.table.undo(people.table.clock.now_ns())
    assert people.match.state == before


def test_star_undoes_an_own_answer() -> None:
    people = People(in_a_row)
    seat, before = people.asked, people.match.state
    people.press(seat, "B", "*")
    assert people.match.state == before
    assert people.match.entries[-1].kind == "undo"


def test_answer_waits_until_its_card_is_due() -> None:
    people = People(interrupted)
    seat, length = people.asked, people.match.length
    people.press(seat, "A")
    other = people.asked
    assert (other != seat, people.match.length, people.typed(seat)) == (True, length + 1, "A")
    people.press(other, "0")
    assert people.match.moves[length + 1 : length + 3] == (Move(other, "answer", (0,)), Move(seat, "answer", (1,)))
    assert people.typed(seat) == ""


def test_star_deletes_a_waiting_answer() -> None:
    people = People(interrupted)
    seat, length = people.asked, people.match.length
    people.press(seat, "A", "*")
    other = people.asked
    assert (people.match.length, people.typed(seat)) == (length + 1, "")
    people.press(other, "0")
    assert (people.match.length, people.asked) == (length + 2, seat), "now it is asked"


RACE = ("0", "1", "2", "3", "4", "5", "6")
"""Plays of two players in lane 1; then R0, B1, R2 and B3 are for sale (BB-E3)."""


def test_bb_a13_broke_owner_answers_in_their_own_time() -> None:
    """Red has 3 ducats, blue 0; blue answers yes, then no."""
    box = NamedBox("poor", GAME.box_text.replace("start_ducats = 6", "start_ducats = 0"))
    match = new_match(GAME, NAMES[:2], box=box, deal="table")
    for text in ("T first 1", *(f"{place % 2 + 1} play {card} 1" for place, card in enumerate(RACE))):
        match.push(GAME.notation.parse_move(match.box, text))
    told: list[Event] = []
    table = of_people(match, tell=lambda _, event: told.append(event))
    press(table, Seat(0), "0")
    asked = match.length
    table.run(table.clock.now_ns() + 60_000 * MS)
    assert (match.length, match.state.mover) == (asked, 1), "Blue is asked, and nobody answers for him"
    told.clear()
    press(table, Seat(1), "1")
    assert (match.length, match.state.mover) == (asked, 1)
    assert [(event.kind, event.seen_by) for event in told] == [("refused", (1,))]
    press(table, Seat(1), "0")
    assert match.moves[asked:] == (Move(Seat(1), "answer", (0,)),)


def test_bb_a13_all_key_without_money_buys_nothing() -> None:
    """Buying until the money runs out would reveal the purse."""
    people = People(lambda view: in_a_row(view) and view.price > 0)
    seat, length = people.asked, people.match.length
    cards = offered(people.match.view())
    cost = sum(people.match.box.goblins[card % CARDS] for card in cards)
    state = people.match.state
    poor = rearranged(state, purses=tuple(cost - 1 if each == seat else 9 for each in range(3)))
    keyed = GAME.console.key(GAME.rules.view(poor, seat), seat, "A", {})
    assert (keyed.moves, keyed.accepted, length) == ((), False, people.match.length)


def test_scripts_still_answer_one_by_one() -> None:
    people = People(in_a_row)
    people.table.referee.pacing.people = frozenset()
    seat = people.asked
    people.press(seat, "1")
    assert people.match.moves[-1] == Move(seat, "answer", (1,))


def test_touch_offers_buying_only_with_enough_money() -> None:
    match = People(lambda view: view.phase == Phase.BRIBERY).match
    view = match.view(match.state.mover)
    rich = view._replace(purse=view.price)
    assert [touch.keys for touch in GAME.console.touches(rich, "")][:2] == ["1", "0"]
    assert "1" not in [touch.keys for touch in GAME.console.touches(rich._replace(purse=view.price - 1), "")]

"""Piece tasks of one table: each can be read before it is done, and none is lost."""

from itertools import count
from random import Random

import pytest

from companion.core.console import BUZZ, Race
from companion.core.game import PieceTask
from companion.core.move import TABLE, Seat
from companion.core.text import Text
from companion.match.piece_tasks import ROOM, PieceTasks

NAMES = ("Ann", "Ben", "Rob")
PEOPLE = {Seat(0), Seat(1)}
SEATS = (TABLE, *PEOPLE, Seat(2))
HOURS = count(step=3_600_000_000_000)

CARD = Race(7, (Seat(0), Seat(1)), frozenset({BUZZ}), tie_margin_ms=1)

WORDS = ("Take an MC card", "Take 3 ducats", "Change 20 for 10 10 (stock)", "Move up to G1", "x" * 60)


@pytest.mark.parametrize("number", range(200))
def test_each_task_is_shown_before_it_is_done(number: int) -> None:
    luck, given, read = Random(number), [], set[str]()
    orders = PieceTasks(NAMES, PEOPLE, lambda: None, lambda: next(HOURS))
    for name in range(luck.randrange(1, 30)):
        text = Text(f"{luck.choice(WORDS)} {name}")
        order = PieceTask(luck.choice(SEATS), text, secret=not luck.randrange(5))
        if order.seat == TABLE and not luck.randrange(3):
            order = order._replace(after_all=True)
        given.append(order)
        orders.hear([order])
        if luck.randrange(3):
            orders.turn_over(None)
        if not luck.randrange(4):
            read |= texts(orders, luck.choice(sorted(PEOPLE)), given)
    orders.turn_over(None)
    while orders:
        for seat in PEOPLE:
            read |= texts(orders, seat, given)
    nobodys = {str(order.text) for order in given if order.secret and order.seat == 2}
    assert read == {str(order.text) for order in given} - nobodys


def texts(orders: PieceTasks, seat: Seat, given: list[PieceTask]) -> set[str]:
    """Return the tasks that a seat reads, and complete them."""
    public, secret = str(orders.of(seat) or ""), str(orders.secret(seat) or "")
    found = {str(order.text) for order in given if f"{order.text}." in f"{public}.{secret}."}
    assert bool(public) == orders.done(seat)
    assert len(public) <= ROOM + len(". #: done") or ". " not in public.removesuffix(". #: done")
    return found


def test_open_card_ends_earlier_tasks_without_waiting() -> None:
    orders = PieceTasks(NAMES, PEOPLE, lambda: None, lambda: next(HOURS))
    orders.hear([PieceTask(Seat(0), Text("Take a red chip"))])
    orders.turn_over(None)
    orders.turn_over(CARD)
    assert str(orders.of(Seat(0))).startswith("Take a red chip")
    orders.hear([PieceTask(Seat(1), Text("Too early: a chip"))])
    orders.turn_over(CARD)
    orders.turn_over(None)
    assert orders.of(Seat(0)) is None
    assert str(orders.of(Seat(1))).startswith("Too early"), "it was ordered while the card was open"


def test_final_task_waits_only_for_earlier_tasks() -> None:
    orders = PieceTasks(NAMES, PEOPLE, lambda: None, lambda: next(HOURS))
    orders.hear([PieceTask(Seat(0), Text("Change 20")), PieceTask(TABLE, Text("Roof to kitchen"), after_all=True)])
    orders.hear([PieceTask(TABLE, Text("Kitchen changes 10")), PieceTask(Seat(1), Text("Take 5"))])
    orders.turn_over(None)
    assert str(orders.of(Seat(1))).startswith("Take 5")
    assert orders.done(Seat(1))
    assert orders.of(Seat(1)) is None, "the table's orders are carried out one after the other"
    assert [seat for seat in (TABLE, *range(3)) if orders.waits(Seat(seat))] == [1]
    assert orders.done(Seat(0))
    assert str(orders.of(Seat(1))).startswith("Roof to kitchen. Kitchen changes 10")
    assert not orders.waits(Seat(1))

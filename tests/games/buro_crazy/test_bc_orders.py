"""Orders keep real cards and figures as in the engine, secret ones too."""

from collections import Counter
from random import Random

import pytest

from companion.core.event import Event, event
from companion.core.move import Seat
from companion.core.rules import narrated
from companion.core.text import reader
from companion.games.buro_crazy import rules, text
from companion.games.buro_crazy.rules import Phase, Rulings, kinds
from companion.testing.playout import random_move
from tests.games.buro_crazy.bc_table import BOX, EMPTY, Piles, Play, board_of, piles_of

MATCHES = 9_000

WIDTH = 48  # two lines of a strip at a short edge

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil")

STAIRS = ("P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8")


class Table:
    """A table whose people only lay out the box and follow orders."""

    def __init__(self, seats: int, stock: list[int]) -> None:
        def some(counts: tuple[int, ...]) -> Counter[int]:
            return Counter(dict(zip(BOX.values, counts, strict=True)))

        self.hands = [some(BOX.hand) for _ in range(seats)]
        self.kitchen, self.roof, self.stock = some(BOX.kitchen), Counter[int](), Counter(stock)
        self.figures: dict[str, Counter[Seat]] = {}

    def do(self, order: kinds.Kitchen | object, seat: Seat | None) -> None:
        if isinstance(order, kinds.Placed):
            for place, name in enumerate(STAIRS):
                self.figures[name] = Counter(order.seats[2 * place : 2 * place + 2])
        elif isinstance(order, kinds.Up):
            assert seat is not None
            self.figures[order.pair][seat] -= 1
            self.figures.setdefault(order.to, Counter())[seat] += 1
        elif isinstance(order, kinds.Discard | kinds.LostCards):
            assert seat is not None
            self.carry(order.cards, self.hands[seat], self.roof)
        elif isinstance(order, kinds.Gain):
            assert seat is not None
            self.carry(order.cards, self.kitchen, self.hands[seat])
        elif isinstance(order, kinds.Swap):
            pile = self.stock if order.pile == "stock" else self.roof
            payer = {"kitchen": self.kitchen, "stock": self.stock}.get(order.payer)
            if payer is None:
                assert seat is not None
                payer = self.hands[seat]
            self.carry(order.given, payer, pile)
            self.carry(order.taken, pile, payer)
        elif isinstance(order, kinds.Kitchen):
            self.carry(order.added or (), self.stock, self.kitchen)
            self.carry(order.from_roof or (), self.roof, self.kitchen)
            to_roof = order.from_roof or (order.roof_points or 0) < 0
            self.carry(order.removed or (), self.kitchen, self.roof if to_roof else self.stock)
        elif isinstance(order, kinds.Piles):
            assert order.each == self.roof.total() // BOX.piles
        else:
            # `Loss` tells everybody the number of cards; `LostCards` tells the owner which.
            assert isinstance(order, kinds.Dealt | kinds.Loss)

    def carry(self, cards: tuple[int, ...], source: Counter[int], target: Counter[int]) -> None:
        moved = Counter(cards)
        assert source >= moved, "nobody can lay what is not there"
        source.subtract(moved)
        target.update(moved)

    @property
    def piles(self) -> Piles:
        hands = tuple(sorted(hand.elements()) for hand in self.hands)
        return Piles(hands, *(sorted(pile.elements()) for pile in (self.kitchen, self.stock, self.roof)))


def ordered(happened: Event) -> str:
    """Return the order of an event, "" without one."""
    return "".join(str(order.text) for order in text.piece_tasks([happened], NAMES))


@pytest.mark.soak
@pytest.mark.parametrize("seats", rules.SEATS)
def test_following_orders_keeps_table_and_engine_equal(soak_count, seats):
    for number in range(soak_count(MATCHES) // len(rules.SEATS)):
        luck = Random(f"orders {seats} {number}")
        rulings = Rulings(
            change=luck.choice(("stock_and_roof", "none")),
            tie_rounding=luck.choice(("up", "down")),
            refill=luck.choice(("stock", "roof")),
            kitchen_adjust=luck.choice(("exact", "top_up")),
        )
        state = rules.setup(BOX, rulings, seats)
        table = Table(seats, piles_of(state).stock)
        while state.phase not in {Phase.ROOF, Phase.OVER}:
            state, told = narrated(rules, state, random_move(rules, state, luck.randrange))
            for happened in told:
                if ordered(happened):
                    table.do(happened.data, happened.seat)
            assert table.piles == piles_of(state)
            if state.phase is not Phase.SETUP:
                for place, owners in board_of(rules.view(state, None)).items():
                    there = Counter(seat for seat in owners if seat != EMPTY)
                    assert +table.figures.get(place, Counter()) == there


def test_orders_are_short_and_cover_every_movement():
    orders, others = 0, 0
    for number in range(12):
        luck = Random(number)
        state = rules.setup(BOX, Rulings(), 3 + number % 3)
        while not rules.outcome(state):
            was = state
            state, told = narrated(rules, was, random_move(rules, was, luck.randrange))
            for happened in told:
                if order := ordered(happened):
                    orders += 1
                    assert len(order) <= WIDTH
                elif not isinstance(happened.data, kinds.Over):
                    others += 1
            if not any(map(ordered, told)) and was.phase not in {Phase.SETUP, Phase.ROOF}:
                assert piles_of(was) == piles_of(state)
    assert orders > 100
    assert others > 100


@pytest.mark.parametrize(
    ("data", "said", "in_french"),
    [
        (kinds.Swap("kitchen", (10,), (5, 5), "stock"), "Kitchen changes ", "Cuisine : échange "),
        (kinds.Swap("stock", (10,), (5, 5), "roof"), "Stock changes ", "Stock : "),
        (kinds.Swap("hand", (10,), (5, 5), "roof"), "Change ", "Échange "),
        (kinds.Kitchen("ground", 60, 60, 15, added=(10, 5)), "Stock to kitchen: ", "Stock vers cuisine : "),
        (
            kinds.Kitchen("ground", 60, 60, 15, from_roof=(10, 5), roof_points=15),
            "Roof to kitchen: ",
            "Toit vers cuisine : ",
        ),
        (kinds.Kitchen("ground", 60, 60, -1, removed=(1,)), "Kitchen to stock: ", "Cuisine vers stock : "),
    ],
)
def test_order_begins_like_a_sentence(data, said, in_french):
    (order,) = text.piece_tasks([event(data, 0)], NAMES)
    assert str(order.text).startswith(said)
    assert reader("fr")(order.text).startswith(in_french.replace(" :", "\N{NARROW NO-BREAK SPACE}:"))
    assert "(le " not in reader("fr")(order.text)


def tie_of_two_changes() -> Play:
    """Return a duel in which only the roof has change."""
    play = Play(4)
    play.put({0: [20, 10], 1: [20, 20]}, kitchen=[], stock=[], roof=[10, 10, 5, 5])
    return play


def test_bc_a8_higher_seats_strip_says_who_goes_first():
    """The higher seat may need the lower seat's cards as change."""
    play = tie_of_two_changes()
    told = play.fight([20], [20])
    changes = [(event.seat, event.data.pile) for event in told if isinstance(event.data, kinds.Swap)]
    assert changes == [(1, "roof")], "the first one has a 10 of its own, and the other may change for it"
    ordered = [(order.seat, str(order.text), order.secret) for order in text.piece_tasks(told, NAMES)]
    assert ordered == [
        (0, "Pay 10 to the roof: 1 card", False),
        (0, "Lay 10 on the roof", True),
        (1, "Wait for Ann", False),
        (1, "Change 20 for 2x10 (roof)", True),
        (1, "Pay 10 to the roof: 1 card", False),
        (1, "Lay 10 on the roof", True),
    ]


def test_waiting_does_not_reveal_who_changes_cards():
    """Ties with equal losses have equal public orders for all hands."""
    play, rich = tie_of_two_changes(), Play(4)
    rich.put({0: [20, 10], 1: [20, 10]}, kitchen=[], stock=[], roof=[10, 10, 5, 5])
    open_orders = [
        [order for order in text.piece_tasks(table.fight([20], [20]), NAMES) if not order.secret]
        for table in (play, rich)
    ]
    assert open_orders[0] == open_orders[1]


@pytest.mark.parametrize("bids", [([], []), ([20], [])])
def test_nobody_waits_unless_two_lose_cards(bids):
    for order in text.piece_tasks(Play(4).fight(*bids), NAMES):
        assert "Wait" not in str(order.text)
    for order in text.piece_tasks(Play(4, tracking="points").fight([20], [20]), NAMES):
        assert "Wait" not in str(order.text), "where only points are followed people make change as they like"


def test_kitchen_refill_waits_for_players_roof_change():
    """Otherwise the refill could take the 10s that the player needs."""
    filled = event(kinds.Kitchen("ground", 60, 60, 20, from_roof=(10, 10), roof_points=20))
    change = event(kinds.Swap("hand", (20,), (10, 10), "roof"), 0, seen_by=(0,))
    assert [order.after_all for order in text.piece_tasks([change, filled], NAMES)] == [False, True]
    assert [order.after_all for order in text.piece_tasks([filled], NAMES)] == [False]

"""The engine agrees with the plain second implementation after every move.

Payments may use different cards: points are compared, then the engine's cards are copied.
"""

from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from math import prod
from random import Random

import pytest

from companion.core.errors import IllegalMove
from companion.core.move import Move
from companion.games.buro_crazy import rules
from companion.games.buro_crazy.rules import Rulings, State
from tests.games.buro_crazy.bc_counting import arrangements, brute_arrangements
from tests.games.buro_crazy.bc_naive import TABLE, Naive, Refused
from tests.games.buro_crazy.bc_table import BOX, EMPTY, Piles, board_of, piles_of, some_rulings

MATCHES = 10_000

BY_THE_HUNDRED = 100


def naive_of(seats: int, rulings: Rulings) -> Naive:
    """Return the plain match with these house rules; `bid_entry` does not matter to it."""
    named = {name: ruling for name, ruling in asdict(rulings).items() if name != "bid_entry"}
    handicaps = tuple(named.pop(f"handicap_{number}") for number in range(1, 6))
    return Naive(seats, handicaps=handicaps, **named)


class Both:
    """One match in both implementations."""

    def __init__(self, seats: int, luck: Random, rulings: Rulings) -> None:
        self.luck = luck
        self.seats = seats
        self.state: State = rules.setup(BOX, rulings, seats)
        self.naive = naive_of(seats, rulings)

    def play(self) -> None:
        self.compare()
        while rules.to_act(self.state):
            self.probe()
            move = self.choose()
            self.state = rules.apply(self.state, move)
            self.naive.play(*move)
            self.compare()
        assert self.naive.phase == "over"

    # Random moves. Bids are often equal, and mostly small to keep hands filled.

    def choose(self) -> Move:
        luck, naive = self.luck, self.naive
        if naive.phase == "setup":
            if luck.random() < 0.3:
                return Move(*luck.choice(sorted(naive.legal(TABLE))))
            drawn = rules.draws(self.state)
            return drawn[luck.randrange(len(drawn))]
        seat = luck.choice(sorted(naive.to_act()))
        if naive.phase == "bid" and seat != TABLE and seat not in naive.bids:
            return self.bid(seat)
        if naive.phase == "bid" and seat != TABLE and luck.random() < 0.7:
            (seat,) = [one for one in naive.duellists() if one != seat]
            return self.bid(seat)
        moves = in_order(frozenset(naive.legal(seat)))
        if naive.phase == "roof":
            verb = luck.choice(sorted({verb for _, verb, _ in moves}))
            moves = [move for move in moves if move[1] == verb]
        return Move(*luck.choice(moves))

    def bid(self, seat: int) -> Move:
        luck, naive = self.luck, self.naive
        (other,) = [one for one in naive.duellists() if one != seat]
        due = sum(naive.bids.get(other, [])) if luck.random() < 0.4 else luck.randrange(40)
        hand = naive.hands[seat]
        if naive.tracking == "points":
            return Move(seat, "total", (min(due, len(hand)),))
        cards = naive.subset(hand, due)
        if luck.random() < 0.1:
            cards = list(hand)  # leads to empty hands, which have special rules
        if cards is None:
            cards = luck.sample(hand, luck.randrange(min(5, len(hand)) + 1))
        return Move(seat, "commit", naive.counts(cards))

    # Comparisons

    def compare(self) -> None:
        naive, state = self.naive, self.state
        public = rules.view(state, None)
        if naive.phase != "setup":
            self.compare_board(public)
            self.compare_piles()
        assert public.phase == naive.phase
        assert set(rules.to_act(state)) == naive.to_act()
        for seat in range(TABLE, self.seats):
            self.compare_legal(seat)
        if naive.phase in {"bid", "coin"}:
            assert [public.pair, *public.to_come] == naive.to_come
            assert list(public.duel) == naive.duellists()
            assert set(public.locked) == set(naive.bids)
            assert public.zeros == naive.zero_ties
            assert public.attempt == naive.attempt
        outcome = rules.outcome(state)
        assert (outcome is not None) == (naive.phase == "over")
        if outcome is not None:
            assert [list(place) for place in outcome.ranking] == naive.ranking()
            assert list(public.points) == naive.finals

    def compare_board(self, public: rules.View) -> None:
        board = {
            place: [EMPTY if seat is None else seat for seat in seats] for place, seats in self.naive.board.items()
        }
        assert board_of(public) == board
        names = list(self.naive.box["figures"])
        assert [names[colour] for colour in public.colours] == self.naive.colours()

    def compare_piles(self) -> None:
        naive, piles = self.naive, piles_of(self.state)
        mine = Piles(tuple(naive.hands), naive.kitchen, naive.stock, naive.roof)
        if naive.phase == "over" and naive.reports:
            return
        if naive.phase == "over" and naive.dealt:
            assert [sum(hand) for hand in piles.hands] == [sum(hand) for hand in mine.hands]
            return
        assert piles.points == mine.points
        assert piles.cards == mine.cards
        naive.hands = [list(hand) for hand in piles.hands]
        naive.kitchen, naive.stock, naive.roof = list(piles.kitchen), list(piles.stock), list(piles.roof)
        if naive.phase in {"roof", "over"} and not naive.dealt and not naive.reports:
            naive.start_roof()  # the number of dealt cards depends on the cards on the roof

    def compare_legal(self, seat: int) -> None:
        """Compare legal moves: short lists fully, long ones by number and samples."""
        naive, luck = self.naive, self.luck
        legal = rules.legal(self.state, seat)
        short = naive.legal(seat)
        assert len(legal) == len(short) + self.many(seat)
        listed = list(legal) if len(legal) <= BY_THE_HUNDRED else []
        assert len(listed) == len(set(listed))
        if listed and not self.many(seat):
            assert set(map(tuple, listed)) == short
        for move in listed or [legal[luck.randrange(len(legal))] for _ in range(min(8, len(legal)))]:
            assert move.seat == seat
            assert naive.allows(*move)
            assert move in legal
        for move in luck.sample(in_order(frozenset(short)), min(8, len(short))):
            assert Move(*move) in legal

    def many(self, seat: int) -> int:
        """Return the number of moves that the plain one does not list."""
        naive = self.naive
        if naive.phase == "setup" and seat == TABLE:
            return arrangements(self.seats, naive.box["per_player"][self.seats])
        owing = naive.phase == "bid" and naive.tracking == "cards" and {*naive.duellists()} - naive.bids.keys()
        return prod(1 + count for count in naive.counts(naive.hands[seat])) if owing and seat in owing else 0

    def probe(self) -> None:
        """Try random moves, mostly illegal, on both."""
        luck, naive = self.luck, self.naive
        for _ in range(6):
            move = self.strange() if luck.random() < 0.7 else self.choose()
            if luck.random() < 0.3:
                move = move._replace(seat=luck.randrange(-2, 6))
            allowed = naive.allows(*move)
            assert (move in rules.legal(self.state, move.seat)) == allowed, move
            try:
                rules.apply(self.state, move)
            except IllegalMove:
                assert not allowed, move
            else:
                assert allowed, move
            if not allowed:
                with pytest.raises(Refused):
                    naive.play(*move)

    def strange(self) -> Move:
        return self.luck.choice((self.strange_of_the_table, self.strange_of_a_player))()

    def strange_of_the_table(self) -> Move:
        luck = self.luck
        verb = luck.choice(("colour", "place", "coin", "roof", "counted"))
        if verb == "colour":
            return Move(TABLE, verb, (luck.randrange(-1, 6), luck.randrange(-1, 6)))
        if verb == "place":
            seats = [seat for seat in range(self.seats) for _ in range(BOX.per_player[self.seats - 3])]
            luck.shuffle(seats)
            return Move(TABLE, verb, tuple(seats))
        if verb == "roof" and luck.random() < 0.5:
            return Move(TABLE, verb, (luck.choice(BOX.values),))
        return Move(TABLE, verb, (luck.randrange(-1, 6 if verb == "coin" else 200),))

    def strange_of_a_player(self) -> Move:
        luck = self.luck
        verb = luck.choice(("commit", "total", "report", "retract"))
        if verb == "commit":
            kinds = luck.choice((5, 5, 5, 4, 6))
            numbers = tuple(luck.randrange(-1, 7) if luck.random() < 0.3 else 0 for _ in range(kinds))
            return Move(luck.randrange(6), verb, numbers)
        if verb == "retract":
            return Move(luck.randrange(6), verb, luck.choice(((), (0,))))
        if verb == "total":
            return Move(luck.randrange(6), verb, (luck.randrange(-1, 200),))
        return Move(luck.randrange(6), verb, (luck.choice((-1, 0, 50, 1140, 1141)),))


@cache
def in_order(moves: frozenset[tuple[int, str, tuple[int, ...]]]) -> list[tuple[int, str, tuple[int, ...]]]:
    """Return moves sorted, cached since sets of hundreds repeat."""
    return sorted(moves)


@pytest.mark.soak
@pytest.mark.parametrize("seats", rules.SEATS)
def test_engine_agrees_with_plain_implementation(seats: int, soak_count: Callable[..., int]) -> None:
    for seed in range(soak_count(MATCHES, 36) // len(rules.SEATS)):
        luck = Random(f"{seats} {seed}")
        both = Both(seats, luck, some_rulings(luck) if seed else Rulings())
        try:
            both.play()
        except Exception as error:
            error.add_note(f"{seats} seats, seed {seed}, {both.state.terms.rulings}")
            raise


@pytest.mark.parametrize(("seats", "each"), [(3, 1), (3, 2), (3, 3), (4, 2)])
def test_arrangements_counts_every_placement(seats: int, each: int) -> None:
    assert arrangements(seats, each) == len(brute_arrangements(seats, each))

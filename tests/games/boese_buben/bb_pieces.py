"""Real cards and ducats, moved by keys and tasks."""

from typing import Final

from companion.core.move import Move, Seat
from companion.games.boese_buben import rules
from companion.games.boese_buben.rules import Box, Phase, Rulings, State
from companion.games.boese_buben.rules.cards import NAMES as CARDS
from companion.games.boese_buben.rules.cards import card_text, owner
from tests.games.boese_buben.bb_table import BOX
from tests.games.obedient import NAMES

Card = tuple[Seat, str]


class Lanes:
    ORDERS: Final = {
        "{lanes} lanes. Each: {cards} cards, {n} ducat": "begin",
        "Move {who}'s {card} into the mud of lane {lane}": "fall",
        "Take an MC card": "take_mc",
        "Take {n} ducat": "win",
        "Pay {n} ducat for MC cards": "pay",
        "Pay {n} ducat, take back {card} from lane {lane}": "buy",
        "Take back {card} from lane {lane}": "buy",
        "Take cards left in the mud out of the game": "clear",
        "The bank is empty: write down what it owes": "owe",
    }

    def __init__(self, box: Box, _: Rulings, seats: int) -> None:
        self.hands: list[set[str]] = [set() for _ in range(seats)]
        self.purses, self.bank, self.mc = [0] * seats, box.ducats, [0] * seats
        self.tracks: list[list[Card]] = []
        self.mud: list[list[Card]] = []

    # --- Moves that players make themselves

    def keyed(self, move: Move) -> None:
        if move.verb in {"play", "exchange", "eject", "reorder", "move_mc"}:
            getattr(self, move.verb)(move.seat, *move.args)

    def play(self, seat: Seat, index: int, lane: int) -> None:
        self.hands[seat].remove(CARDS[index])
        self.tracks[lane - 1].append((seat, CARDS[index]))

    def spot(self, lane: int, place: int) -> tuple[list[Card], int]:
        return (self.tracks[lane - 1], place - 1) if place > 0 else (self.mud[lane - 1], -place - 1)

    def exchange(self, _: Seat, *spots: int) -> None:
        (one, at), (other, there) = self.spot(*spots[:2]), self.spot(*spots[2:])
        one[at], other[there] = other[there], one[at]

    def eject(self, _: Seat, lane: int, place: int) -> None:
        self.mud[lane - 1].append(self.tracks[lane - 1].pop(place - 1))

    def reorder(self, _: Seat, lane: int, *places: int) -> None:
        self.tracks[lane - 1] = [self.tracks[lane - 1][place - 1] for place in places]

    def move_mc(self, _: Seat, giver: int, taker: int) -> None:
        self.mc[giver] -= 1
        self.mc[taker] += 1

    # --- Tasks

    def begin(self, _: Seat, lanes: int, cards: int, n: int) -> None:
        assert cards == len(CARDS)
        for seat, hand in enumerate(self.hands):
            hand |= set(CARDS)
            self.win(Seat(seat), n)
        self.tracks, self.mud = [[] for _ in range(lanes)], [[] for _ in range(lanes)]

    def fall(self, _: Seat, who: str, card: str, lane: int) -> None:
        fallen = (Seat(NAMES.index(who)), card)
        self.tracks[lane - 1].remove(fallen)
        self.mud[lane - 1].append(fallen)

    def take_mc(self, seat: Seat) -> None:
        self.mc[seat] += 1

    def win(self, seat: Seat, n: int) -> None:
        self.purses[seat] += n
        self.bank -= n

    def pay(self, seat: Seat, n: int) -> None:
        assert self.purses[seat] >= n, "nobody can pay what he does not have"
        self.win(seat, -n)

    def buy(self, seat: Seat, card: str, lane: int, n: int = 0) -> None:
        self.pay(seat, n)
        self.mud[lane - 1].remove((seat, card))
        self.hands[seat].add(card)

    def clear(self, _: Seat) -> None:
        self.mud = [[] for _ in self.mud]

    def owe(self, _: Seat) -> None:
        assert self.bank < 0

    def compare(self, state: State) -> None:
        everybody = rules.view(state, None)
        for seat in range(len(self.hands)):
            own = rules.view(state, Seat(seat))
            assert self.hands[seat] == set(map(card_text, own.hand))
            assert self.purses[seat] == own.purse
        assert self.mc == list(everybody.mc)
        assert self.bank == BOX.ducats - sum(self.purses)
        for lying, engine in ((self.tracks, everybody.tracks), (self.mud, everybody.zones)):
            if everybody.phase != Phase.OVER or lying is self.tracks:  # the table need not be cleared at the end
                assert lying == [[(owner(card), card_text(card)) for card in lane] for lane in engine]

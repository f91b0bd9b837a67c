"""A second, slow implementation of Büro Crazy, written from the rules alone.

With `tracking="points"` a pile is a list of 1-point cards.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any

TABLE = -1

BOX: dict[str, Any] = {
    "deck": {1: 30, 2: 30, 5: 30, 10: 30, 20: 30},
    "hand": {1: 4, 2: 4, 5: 4, 10: 4, 20: 4},
    "kitchen": {1: 4, 2: 3, 5: 4, 10: 5, 20: 0},
    "targets": {"P": 80, "G": 60, "F": 40, "T": 20},
    "figures": {"red": 5, "blue": 5, "green": 5, "yellow": 5, "black": 4},
    "per_player": {3: 5, 4: 4, 5: 3},
    "piles": 9,
    "shares": {"boss": 3, "challenger": 2, "semifinalist": 1},
    "forfeit": 10,
}

ORDER = ["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "G4", "G3", "G2", "G1", "F1", "F2", "T"]

UP = {
    "P1": ("G1", 0), "P2": ("G1", 1), "P3": ("G2", 0), "P4": ("G2", 1),
    "P5": ("G3", 0), "P6": ("G3", 1), "P7": ("G4", 0), "P8": ("G4", 1),
    "G1": ("F1", 0), "G2": ("F1", 1), "G3": ("F2", 0), "G4": ("F2", 1),
    "F1": ("T", 0), "F2": ("T", 1), "T": ("B", 0),
}  # fmt: skip

RANK = {"P": 0, "G": 1, "F": 2, "T": 3, "B": 4}


class Refused(Exception):
    """Raised for an illegal move."""


@cache
def numbered(seat: int, verb: str, numbers: range) -> frozenset[tuple[int, str, tuple[int, ...]]]:
    return frozenset((seat, verb, (n,)) for n in numbers)


class Naive:
    """One match; everything is public and mutable."""

    def __init__(
        self,
        seats: int,
        *,
        tracking: str = "cards",
        kitchen_adjust: str = "exact",
        tie_rounding: str = "up",
        change: str = "stock_and_roof",
        zero_tie_limit: int = 0,
        refill: str = "stock",
        forfeit_short: str = "climbs",
        equal_end: str = "figures",
        handicaps: Sequence[int] = (),
        box: dict[str, Any] = BOX,
    ) -> None:
        if seats not in {3, 4, 5}:
            raise Refused("3, 4 or 5 players")
        self.seats = seats
        self.tracking = tracking
        self.kitchen_adjust = kitchen_adjust
        self.tie_rounding = tie_rounding
        self.change = change
        self.zero_tie_limit = zero_tie_limit
        self.refill = refill
        self.forfeit_short = forfeit_short
        self.equal_end = equal_end
        self.handicaps = handicaps
        self.box = box
        self.phase = "setup"
        self.chosen: dict[int, int] = {}
        self.board: dict[str, list[int | None]] = {}
        self.to_come = list(ORDER)
        self.stock = self.cards_of(box["deck"])
        self.kitchen: list[int] = []
        self.roof: list[int] = []
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.bids: dict[int, list[int]] = {}
        self.zero_ties = 0
        self.attempt = 0
        self.told = 0
        self.reports: dict[int, int] = {}
        self.receivers: list[int] = []
        self.dealt = 0
        self.finals: list[int] = []
        self.decided: list[str] = []

    # Cards.

    def cards_of(self, counts: dict[int, int]) -> list[int]:
        cards = [value for value, count in counts.items() for _ in range(count)]
        return [1] * sum(cards) if self.tracking == "points" else cards

    def values(self) -> list[int]:
        return list(self.box["deck"])

    def counts(self, cards: list[int]) -> tuple[int, ...]:
        return tuple(cards.count(value) for value in self.values())

    def take(self, cards: list[int], source: list[int], target: list[int]) -> None:
        for card in cards:
            source.remove(card)
            target.append(card)

    def subset(self, cards: list[int], amount: int) -> list[int] | None:
        """Return the fewest cards worth exactly `amount`, or None."""
        if set(cards) == {1}:
            return cards[:amount] if amount <= len(cards) else None
        best: dict[int, list[int]] = {0: []}
        for card in cards:
            for total, chosen in sorted(best.items(), reverse=True):
                larger = total + card
                if larger <= amount and (larger not in best or len(best[larger]) > len(chosen) + 1):
                    best[larger] = [*chosen, card]
        return best.get(amount)

    def breakings(self, cards: list[int], pool: list[int]) -> list[tuple[list[int], list[int]]]:
        """Return every swap of one or two cards for smaller ones of a pool, fewest cards first."""
        found = []
        for old in [*sorted({(card,) for card in cards}), *sorted(set(combinations(sorted(cards), 2)))]:
            smaller = Counter(card for card in pool if card < max(old) and card not in old)
            found += [(list(old), new) for new in self.sums_to(sum(old), sorted(smaller.items()))]
        return sorted(found, key=lambda swap: len(swap[0]) + len(swap[1]))

    def sums_to(self, amount: int, offered: list[tuple[int, int]]) -> list[list[int]]:
        """Return every choice of the offered (value, number) pairs worth `amount`."""
        if not offered:
            return [] if amount else [[]]
        (value, number), *others = offered
        most = min(number, amount // value)
        return [[value] * n + rest for n in range(most + 1) for rest in self.sums_to(amount - n * value, others)]

    def swap_to_pay(self, amount: int, source: list[int], pool: list[int]) -> bool:
        """Swap one or two cards to make `amount` payable; return whether that worked."""
        for old, new in self.breakings(source, pool):
            tried = list(source)
            for card in old:
                tried.remove(card)
            tried += new
            if self.subset(tried, amount) is not None:
                self.take(old, source, pool)
                self.take(new, pool, source)
                return True
        return False

    def pay(self, amount: int, source: list[int], target: list[int], *, gain: bool) -> int:
        """Move `amount`, or the next payable one, and return it."""
        while True:
            chosen = self.subset(source, amount)
            if chosen is None and self.change != "none" and 0 < amount < sum(source):
                for pool in (self.stock, self.roof):
                    if pool is not source and chosen is None and self.swap_to_pay(amount, source, pool):
                        chosen = self.subset(source, amount)
            if chosen is not None:
                self.take(chosen, source, target)
                return amount
            if amount >= sum(source):
                amount = sum(source)
            else:
                amount += -1 if gain else 1

    def lose(self, seat: int, amount: int, bid: list[int]) -> None:
        """Lay `amount` on the roof: bid, hand, change, then rounding."""
        hand = self.hands[seat]
        for card in bid:
            hand.remove(card)
        while not self.lose_exactly(amount, bid, hand):
            amount += 1 if self.tie_rounding == "up" else -1
        self.hands[seat] = hand + bid

    def lose_exactly(self, amount: int, bid: list[int], rest: list[int]) -> bool:
        """Lay `amount`, as much as possible of the bid; return whether that worked."""
        amount = min(sum(bid) + sum(rest), amount)
        for part in range(min(amount, sum(bid)), -1, -1):
            first, second = self.subset(bid, part), self.subset(rest, amount - part)
            if first is not None and second is not None:
                self.take(first, bid, self.roof)
                self.take(second, rest, self.roof)
                return True
        for pool in (self.stock, self.roof) if self.change != "none" else ():
            if self.swap_to_pay(amount, bid, pool):
                return self.lose_exactly(amount, bid, rest)
            own = bid + rest
            if self.swap_to_pay(amount, own, pool):
                bid.clear()
                rest[:] = own
                return self.lose_exactly(amount, bid, rest)
        return False

    # Legal moves.

    def legal(self, seat: int) -> set[tuple[int, str, tuple[int, ...]]]:
        """Return a seat's legal moves, without placements and bids of cards."""
        if seat == TABLE:
            return self.moves_of_the_table()
        return self.moves_of_a_player(seat) if 0 <= seat < self.seats else set()

    def moves_of_the_table(self) -> set[tuple[int, str, tuple[int, ...]]]:
        moves: set[tuple[int, str, tuple[int, ...]]] = set()
        if self.phase == "setup":
            for player in range(self.seats):
                for colour, name in enumerate(self.box["figures"]):
                    taken = [other for other, one in self.chosen.items() if one == colour and other != player]
                    if not taken and self.box["figures"][name] >= self.box["per_player"][self.seats]:
                        moves.add((TABLE, "colour", (player, colour)))
        if self.phase == "coin":
            moves |= {(TABLE, "coin", (player,)) for player in self.duellists()}
        if self.phase == "roof" and self.tracking == "cards" and not self.reports:
            moves |= {(TABLE, "roof", (card,)) for card in self.roof}
        late = self.reports  # after a report a count may rise, but not begin
        if self.phase in {"bid", "roof"} and self.tracking == "points" and (self.told or not late):
            least = self.told if late else 0
            moves |= numbered(TABLE, "counted", range(least, sum(self.box["deck"].values()) + 1))
        return moves

    def moves_of_a_player(self, seat: int) -> set[tuple[int, str, tuple[int, ...]]]:
        moves: set[tuple[int, str, tuple[int, ...]]] = set()
        if self.phase == "bid" and seat in self.duellists():
            if seat in self.bids:
                moves.add((seat, "retract", ()))
            elif self.tracking == "points":
                moves |= numbered(seat, "total", range(sum(self.hands[seat]) + 1))
        if self.phase == "roof" and seat not in self.reports and not self.dealt:
            moves |= numbered(seat, "report", self.possible_points(seat))
        return moves

    def possible_points(self, seat: int) -> range:
        held, best = sum(self.hands[seat]), sorted(self.roof, reverse=True)
        if self.tracking == "points":
            most = sum(best) if seat in self.owners() else 0
            if self.told:
                pile = self.told // self.box["piles"] * max(self.values())
                most = min(most, pile * self.piles_of(seat))
            return range(held, held + most + 1)
        return range(held, held + sum(best[: self.receivers.count(seat)]) + 1)

    def allows(self, seat: int, verb: str, args: tuple[int, ...]) -> bool:
        if verb == "place":
            return seat == TABLE and self.phase == "setup" and self.is_placement(args)
        if verb == "commit":
            if self.phase != "bid" or self.tracking != "cards" or seat not in self.duellists() or seat in self.bids:
                return False
            held = self.counts(self.hands[seat])
            return len(args) == len(held) and all(0 <= n <= most for n, most in zip(args, held, strict=True))
        return (seat, verb, args) in self.legal(seat)

    def is_placement(self, args: tuple[int, ...]) -> bool:
        each = self.box["per_player"][self.seats]
        if sorted(args) != sorted(seat for seat in range(self.seats) for _ in range(each)):
            return False
        return all(args[left] != args[left + 1] for left in range(0, len(args) - 1, 2))

    def to_act(self) -> set[int]:
        if self.phase == "setup":
            return {TABLE}
        able = {seat for seat in range(TABLE, self.seats) if self.legal(seat)}
        if self.phase == "bid":
            able |= set(self.duellists())
        return able

    # Moves.

    def play(self, seat: int, verb: str, args: tuple[int, ...]) -> None:
        if not self.allows(seat, verb, args):
            raise Refused(f"{seat} {verb} {args} in {self.phase}")
        before = len(self.roof)
        self.make(seat, verb, args)
        if len(self.roof) != before:
            self.told = 0  # the count is out of date

    def make(self, seat: int, verb: str, args: tuple[int, ...]) -> None:
        if verb == "colour":
            self.chosen[args[0]] = args[1]
        elif verb == "place":
            self.place(args)
        elif verb == "commit":
            cards = [value for value, count in zip(self.values(), args, strict=True) for _ in range(count)]
            self.commit(seat, cards)
        elif verb == "total":
            self.commit(seat, [1] * args[0])
        elif verb == "retract":
            del self.bids[seat]
        elif verb == "coin":
            self.move_up(self.to_come[0], args[0])
            self.next_pair()
        elif verb == "counted":
            self.told = args[0]
        elif verb == "roof":
            self.roof.remove(args[0])
            self.hands[self.receivers[self.dealt]].append(args[0])
            self.dealt += 1
            if self.dealt == len(self.receivers):
                self.finish([sum(hand) for hand in self.hands])
        elif verb == "report":
            self.reports[seat] = args[0]
            if len(self.reports) == self.seats:
                self.finish([self.reports[player] for player in range(self.seats)])

    def colours(self) -> list[str]:
        """Return each seat's colour, chosen or the next free one."""
        names = list(self.box["figures"])
        enough = [name for name in names if self.box["figures"][name] >= self.box["per_player"][self.seats]]
        free = [name for name in enough if names.index(name) not in self.chosen.values()]
        return [names[self.chosen[seat]] if seat in self.chosen else free.pop(0) for seat in range(self.seats)]

    def place(self, args: tuple[int, ...]) -> None:
        spaces: list[int | None] = [*args, *[None] * (16 - len(args))]
        self.board = {f"P{n + 1}": spaces[2 * n : 2 * n + 2] for n in range(8)}
        for office in ("G1", "G2", "G3", "G4", "F1", "F2", "T"):
            self.board[office] = [None, None]
        self.board["B"] = [None]
        for hand in self.hands:
            self.take(self.cards_of(self.box["hand"]), self.stock, hand)
        self.take(self.cards_of(self.box["kitchen"]), self.stock, self.kitchen)
        for hand, points in zip(self.hands, self.handicaps, strict=False):
            self.take(self.extra_cards(points), self.stock, hand)
        if self.refill == "roof":
            self.stock.clear()
        self.start_pair()

    def extra_cards(self, points: int) -> list[int]:
        """Return the fewest stock cards worth `points`, of several choices the highest."""
        if self.tracking == "points":
            return [1] * points
        for count in range(points + 1):
            choices = (sorted(choice) for choice in combinations_with_replacement(self.values(), count))
            found = [choice[::-1] for choice in choices if sum(choice) == points]
            if there := [choice for choice in found if not Counter(choice) - Counter(self.stock)]:
                return max(there)
        raise Refused("the stock has no such cards")

    def start_pair(self) -> None:
        if not self.to_come:
            self.start_roof()
            return
        pair = self.to_come[0]
        if pair in {"G4", "F1", "T"}:
            self.set_kitchen(self.box["targets"][pair[0]])
        self.bids, self.zero_ties, self.attempt = {}, 0, 1
        left, right = self.board[pair]
        if left is None or right is None:
            (single,) = [seat for seat in (left, right) if seat is not None]
            held, due = sum(self.hands[single]), self.box["forfeit"]
            if pair != "P8":
                self.move_up(pair, single)  # the P8 figure stayed on the stairs
            elif held >= due or self.forfeit_short == "climbs":
                self.lose(single, min(due, held), list(self.hands[single]))
                self.move_up(pair, single)
            self.next_pair()
        elif left == right:
            self.move_up(pair, left)
            self.next_pair()
        else:
            self.phase = "bid"

    def next_pair(self) -> None:
        self.decided.append(self.to_come.pop(0))
        self.start_pair()

    def set_kitchen(self, target: int) -> None:
        held = sum(self.kitchen)
        if held > target and self.kitchen_adjust == "exact":
            self.empty_kitchen(target, held - target)
        elif held < target:
            self.fill_kitchen(target - held)

    def empty_kitchen(self, target: int, surplus: int) -> None:
        """Move or exchange a surplus."""
        before = list(self.kitchen), list(self.roof)
        pile = self.roof if self.refill == "roof" else self.stock
        if self.pay(surplus, self.kitchen, pile, gain=True) != surplus and self.exchanges():
            after = self.kitchen, self.roof
            self.kitchen, self.roof = before
            if not self.exchange(target):
                self.kitchen, self.roof = after

    def exchanges(self) -> bool:
        return self.refill == "roof" and self.change != "none"

    def exchange(self, target: int) -> bool:
        """Exchange cards with the roof for a target; return whether that worked."""
        both = self.kitchen + self.roof
        chosen = self.subset(both, target)
        if chosen is None:
            return False
        self.kitchen[:], self.roof[:] = chosen, both
        self.take(chosen, self.roof, [])
        return True

    def fill_kitchen(self, due: int) -> None:
        """Fill the kitchen as far as possible, stock first."""
        if self.subset(self.stock, due) is None and self.change != "none":
            self.swap_to_pay(due, self.stock, self.roof)
        exchanges = self.exchanges() and self.subset(self.roof, due) is None
        if exchanges and self.exchange(sum(self.kitchen) + due):
            return
        for total in range(due, -1, -1):
            for part in range(total, -1, -1):
                first, second = self.subset(self.stock, part), self.subset(self.roof, total - part)
                if first is not None and second is not None:
                    self.take(first, self.stock, self.kitchen)
                    self.take(second, self.roof, self.kitchen)
                    return

    def duellists(self) -> list[int]:
        if self.phase not in {"bid", "coin"}:
            return []
        return [seat for seat in self.board[self.to_come[0]] if seat is not None]

    def move_up(self, pair: str, seat: int) -> None:
        side = self.board[pair].index(seat)  # the left one of a seat's two figures
        self.board[pair][side] = None
        office, place = UP[pair]
        self.board[office][place] = seat

    def commit(self, seat: int, cards: list[int]) -> None:
        self.bids[seat] = cards
        left, right = self.duellists()
        if left in self.bids and right in self.bids:
            self.reveal(left, right)

    def reveal(self, left: int, right: int) -> None:
        bids = self.bids
        high = max(sum(bids[left]), sum(bids[right]))
        low = min(sum(bids[left]), sum(bids[right]))
        if high > low:
            winner, loser = (left, right) if sum(bids[left]) == high else (right, left)
            pair = self.to_come[0]
            self.take(bids[winner], self.hands[winner], self.roof)
            if pair == "T":
                self.take(bids[loser], self.hands[loser], self.roof)
            self.pay(min(high - low, sum(self.kitchen)), self.kitchen, self.hands[loser], gain=True)
            self.move_up(pair, winner)
            self.next_pair()
            return
        if high == 0:
            self.zero_ties += 1
            stuck = not self.hands[left] and not self.hands[right]
            if stuck or 0 < self.zero_tie_limit <= self.zero_ties:
                self.phase, self.bids = "coin", {}
                return
        else:
            self.zero_ties = 0
            loss = (high + 1) // 2 if self.tie_rounding == "up" else high // 2
            for seat in sorted((left, right)):  # the lower seat changes first
                self.lose(seat, loss, bids[seat])
        self.bids = {}
        self.attempt += 1

    # End.

    def start_roof(self) -> None:
        self.phase = "roof"
        size = len(self.roof) // self.box["piles"]
        shares = self.box["shares"]
        boss, challenger, *semifinalists = self.owners()
        self.receivers = [boss] * (shares["boss"] * size)
        self.receivers += [challenger] * (shares["challenger"] * size)
        for seat in semifinalists:
            self.receivers += [seat] * (shares["semifinalist"] * size)
        if not self.receivers and self.tracking == "cards":
            self.finish([sum(hand) for hand in self.hands])

    def owners(self) -> list[int]:
        """Return boss, challenger and both semi-finalists."""
        return [seat for place in ("B", "T", "F1", "F2") for seat in self.board[place] if seat is not None]

    def piles_of(self, seat: int) -> int:
        shares = self.box["shares"]
        piles = (shares["boss"], shares["challenger"], shares["semifinalist"], shares["semifinalist"])
        return sum(n for owner, n in zip(self.owners(), piles, strict=True) if owner == seat)

    def finish(self, finals: list[int]) -> None:
        self.phase = "over"
        self.finals = finals

    def strength(self, seat: int) -> tuple[bool, int, list[int]]:
        """Return a seat's sort key for the ranking."""
        floors = [RANK[place[0]] for place, seats in self.board.items() for one in seats if one == seat]
        if self.equal_end == "shared":
            return max(floors) > 0, self.finals[seat], [max(floors)]
        return max(floors) > 0, self.finals[seat], [floors.count(rank) for rank in (4, 3, 2, 1, 0)]

    def ranking(self) -> list[list[int]]:
        strengths = {seat: self.strength(seat) for seat in range(self.seats)}
        distinct = []
        for strength in sorted(strengths.values(), reverse=True):
            if strength not in distinct:
                distinct.append(strength)
        return [[seat for seat in range(self.seats) if strengths[seat] == one] for one in distinct]

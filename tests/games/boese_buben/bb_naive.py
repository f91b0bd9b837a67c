"""A second Böse Buben, written from the rules alone in plain lists.

It shares no code with the engine. Cards are (owner, name); lanes and places count from 1, seats from 0.
"""

from itertools import permutations

TABLE = -1
NAMES = ["0", "1", "2", "3", "4", "5", "6", "1a", "2a", "3a", "4a", "5a"]
PRICES = {"0": 0, "1": 1, "2": 1, "3": 2, "4": 2, "5": 3, "6": 3}
MC_PRICES = {0: 0, 1: 1, 2: 3, 3: 5, 4: 8}

LEAVE, BUY, FREE = 0, 1, 2


def value(card):
    return int(card[1][0])


def price(card):
    return PRICES[card[1][0]]


class Naive:
    """One match. `play` only asserts that the move is in `legal`."""

    def __init__(
        self,
        seats,
        variant="basic",
        monochrome_lane="three",
        next_start="after_last_play",
        kostenlos="one",
        rauswurf="may",
        mud_counts=False,
        austausch_mud=False,
        cannot_pay="by_debt",
        cards_left="hand",
        handicap_1=0,
        handicap_2=0,
        handicap_3=0,
        handicap_4=0,
    ):
        self.seats = seats
        self.variant = variant
        self.monochrome_lane = monochrome_lane
        self.next_start = next_start
        self.kostenlos = kostenlos
        self.rauswurf = rauswurf
        self.mud_counts = mud_counts
        self.austausch_mud = austausch_mud
        self.cannot_pay = cannot_pay
        self.cards_left = cards_left
        self.hands = [[(seat, name) for name in NAMES] for seat in range(seats)]
        self.purses = [6 + more for more in (handicap_1, handicap_2, handicap_3, handicap_4)[:seats]]
        self.bank = 24 * 1 + 20 * 3
        for purse in self.purses:
            self.bank -= purse
        self.mc = [0] * seats
        self.tracks = [[] for _ in range(seats + 1)]
        self.zones = [[] for _ in range(seats + 1)]
        self.out = []
        self.race = 1
        self.phase = "SETUP"
        self.turn = None
        self.starter = None
        self.last_player = None  # played the last card of this race
        self.last_card = None
        self.free = None  # may take a card back for free
        self.asked = []  # the open penalty cards, (lane, card)
        self.prizes = None  # the winner of each lane at the last scoring, None for nobody
        self.ranking = None
        # for statistics
        self.enders = []
        self.too_dear = 0
        self.skips = 0
        self.broke = 0

    # legal moves

    def places(self, seat):
        found = []
        for card in self.hands[seat]:
            for lane in range(1, self.seats + 2):
                barred = [value(other) for other in self.tracks[lane - 1]]
                if self.mud_counts:
                    barred += [value(other) for other in self.zones[lane - 1]]
                if value(card) not in barred:
                    found.append((card, lane))
        return found

    def actions(self):
        """Return the targets of the last card's action, as (verb, args)."""
        number = self.last_card[1]
        if number == "3a":
            return self.exchanges()
        if number == "4a":
            return self.ejections()
        if number == "5a":
            return self.reorders()
        return []

    def spots(self):
        """Return the cards on the tracks, as (lane, place, card)."""
        found = []
        for lane, track in enumerate(self.tracks, 1):
            for place, card in enumerate(track, 1):
                found.append((lane, place, card))
        return found

    def exchanges(self):
        """Places in the mud are negative; the smaller (lane, place) comes first."""
        spots = self.spots()
        if self.austausch_mud:
            for lane, zone in enumerate(self.zones, 1):
                for place, card in enumerate(zone, 1):
                    spots.append((lane, -place, card))
        found = []
        for lane, place, card in spots:
            for other, spot, rival in spots:
                if (lane, place) < (other, spot) and value(card) == value(rival) and card[0] != rival[0]:
                    found.append(("exchange", (lane, place, other, spot)))
        return found

    def row(self, lane, place):
        """Return the list and index of a card on a track or in the mud."""
        return (self.tracks[lane - 1], place - 1) if place > 0 else (self.zones[lane - 1], -place - 1)

    def ejections(self):
        return [("eject", (lane, place)) for lane, place, card in self.spots() if value(card) in (5, 6)]

    def reorders(self):
        found = []
        for lane, track in enumerate(self.tracks, 1):
            old = list(range(1, len(track) + 1))
            for new in permutations(old):
                if list(new) != old:
                    found.append(("reorder", (lane, *new)))
        return found

    def legal(self, seat):
        found = set()
        if self.phase == "SETUP" and seat == TABLE:
            for first in range(self.seats):
                found.add((TABLE, "first", (first,)))
        if self.phase == "TURN" and seat == self.turn:
            for card, lane in self.places(seat):
                found.add((seat, "play", (NAMES.index(card[1]), lane)))
        if seat == self.turn:
            found |= self.legal_action(seat)
        if self.phase == "BRIBERY" and seat == self.asked[0][1][0]:
            found |= self.legal_answers(seat)
        return found

    def legal_action(self, seat):
        found = set()
        if self.phase == "ACTION":
            if self.last_card[1] != "4a" or self.rauswurf == "may":
                found.add((seat, "decline", ()))
            for verb, args in self.actions():
                found.add((seat, verb, args))
        if self.phase == "MC":
            found.add((seat, "decline", ()))
            for giver in range(self.seats):
                for receiver in range(self.seats):
                    if giver != receiver and self.mc[giver] > 0:
                        found.add((seat, "move_mc", (giver, receiver)))
        return found

    def legal_answers(self, seat):
        found = {(seat, "answer", (LEAVE,))}
        costs_nothing = price(self.asked[0][1]) == 0
        can_pay = self.purses[seat] >= price(self.asked[0][1])
        if can_pay and (self.free != seat or self.kostenlos == "one" or costs_nothing):
            found.add((seat, "answer", (BUY,)))
        if self.free == seat and not costs_nothing:
            found.add((seat, "answer", (FREE,)))
        return found

    # effects of moves

    def play(self, seat, verb, args):
        assert (seat, verb, args) in self.legal(seat)
        if verb == "first":
            self.starter = args[0]
            self.start_race()
        elif verb == "play":
            self.place(seat, (seat, NAMES[args[0]]), args[1])
        elif verb == "exchange":
            lane, place, other, spot = args
            (row, one), (another, two) = self.row(lane, place), self.row(other, spot)
            row[one], another[two] = another[two], row[one]
            self.next_turn()
        elif verb == "eject":
            lane, place = args
            self.zones[lane - 1].append(self.tracks[lane - 1].pop(place - 1))
            self.purses[seat] += 1
            self.bank -= 1
            if len(self.zones[lane - 1]) == 4:
                self.end_race(seat)
            else:
                self.next_turn()
        elif verb == "reorder":
            lane, *order = args
            self.tracks[lane - 1] = [self.tracks[lane - 1][place - 1] for place in order]
            self.next_turn()
        elif verb == "decline" and self.phase == "ACTION":
            self.next_turn()
        elif verb == "decline":
            self.score()
        elif verb == "move_mc":
            self.mc[args[0]] -= 1
            self.mc[args[1]] += 1
            self.score()
        elif verb == "answer":
            self.answer(seat, args[0])

    def start_race(self):
        self.last_player = None
        self.last_card = None
        self.free = None
        self.to_turn(self.starter)

    def next_turn(self):
        self.to_turn((self.turn + 1) % self.seats)

    def to_turn(self, seat):
        """Pass the turn to a seat, or clockwise to the next that can play."""
        for step in range(self.seats):
            candidate = (seat + step) % self.seats
            if self.places(candidate):
                self.phase = "TURN"
                self.turn = candidate
                self.skips += step
                return
        self.end_race(None)

    def place(self, seat, card, lane):
        self.hands[seat].remove(card)
        self.tracks[lane - 1].append(card)
        self.last_player = seat
        self.last_card = card
        if len(self.tracks[lane - 1]) == 4:
            self.zones[lane - 1].append(self.tracks[lane - 1].pop(0))
            if len(self.zones[lane - 1]) == 4:
                self.end_race(seat)
                return
        if self.variant == "action" and self.actions():
            self.phase = "ACTION"
        else:
            self.next_turn()

    def end_race(self, ender):
        self.enders.append(ender)
        if ender is not None:
            self.mc[ender] += 1
            if self.variant == "action" and self.last_card[1] == "1a":
                self.free = ender
            if self.variant == "action" and self.last_card[1] == "2a":
                self.phase = "MC"
                self.turn = ender
                return
        self.score()

    def winner(self, track):
        if len(track) == 0:
            return None
        colours = {card[0] for card in track}
        if len(colours) == 1 and (len(track) == 3 or self.monochrome_lane == "any"):
            return None
        best = []
        for seat in sorted(colours):
            cards = [card for card in track if card[0] == seat]
            if len(cards) == 1 and value(cards[0]) == 0:
                continue
            points = sum(value(card) for card in cards)
            best.append((points, len(cards), seat))
        if not best:
            return None
        best.sort()
        if len(best) > 1 and best[-1][:2] == best[-2][:2]:
            return None
        return best[-1][2]

    def score(self):
        self.prizes = [self.winner(track) for track in self.tracks]
        for seat in self.prizes:
            if seat is not None:
                self.purses[seat] += 3
                self.bank -= 3
        if self.race == 4:
            self.settle()
            return
        self.asked = []
        for lane in range(1, self.seats + 2):
            for card in self.zones[lane - 1]:
                self.asked.append((lane, card))
        self.ask()

    def ask(self):
        if self.asked:
            self.phase = "BRIBERY"
            return
        self.clear_zones()
        if self.next_start == "after_starter" or self.last_player is None:
            self.starter = (self.starter + 1) % self.seats
        else:
            self.starter = (self.last_player + 1) % self.seats
        self.race += 1
        self.start_race()

    def clear_zones(self):
        for zone in self.zones:
            self.out.extend(zone)
            zone.clear()

    def answer(self, seat, said):
        lane, card = self.asked.pop(0)
        self.too_dear += price(card) > self.purses[seat]
        taken = False
        if said == BUY:
            self.purses[seat] -= price(card)
            self.bank += price(card)
            taken = True
        elif said == FREE:
            taken = True
            if self.kostenlos == "one":
                self.free = None
        if taken:
            self.zones[lane - 1].remove(card)
            self.hands[seat].append(card)
        self.ask()

    def settle(self):
        self.clear_zones()
        solvent, broke = [], []
        for seat in range(self.seats):
            debt = MC_PRICES[self.mc[seat]]
            if self.purses[seat] >= debt:
                self.purses[seat] -= debt
                self.bank += debt
                left = list(self.hands[seat])
                if self.cards_left == "hand_and_track":
                    left += [card for track in self.tracks for card in track if card[0] == seat]
                solvent.append((self.purses[seat], sum(value(card) for card in left), seat))
            elif self.cannot_pay == "by_debt":
                broke.append((self.purses[seat] - debt, seat))
            else:
                broke.append(("last", seat))
        self.broke = len(broke)
        self.ranking = []
        for group in (solvent, broke):
            for key in sorted({entry[:-1] for entry in group}, reverse=True):
                self.ranking.append(sorted(entry[-1] for entry in group if entry[:-1] == key))
        self.phase = "OVER"
        self.turn = None

    def to_act(self):
        if self.phase == "SETUP":
            return [TABLE]
        if self.phase == "OVER":
            return []
        if self.phase == "BRIBERY":
            return [self.asked[0][1][0]]
        return [self.turn]

"""A second, slow implementation of Buntherum, written from docs/rules/buntherum.md alone.

A card is (colour, object), an unread one `??`; seats and rows count from 1; moves are the words of a record.
"""

import tomllib
from itertools import combinations

TABLE = "T"
UNREAD = "??"
NEVER_TURNED = "never turned"
CALLS = ["impossible", "1", "2", "3", "4", "5", "6"]
VERDICTS = ["right", "wrong"]


class Naive:
    """One match; `rulings` has the words and numbers of `--ruling`."""

    def __init__(self, box_text, rulings, seats):
        box = tomllib.loads(box_text)
        self.rulings = rulings
        self.seats = list(range(1, seats + 1))
        self.row_ends_with = min(len(box["objects"]), len(box["colours"]))
        self.sides = [(box["sides"][side]["colour"], box["sides"][side]["object"]) for side in "123456"]
        self.deck = []
        if "cards" in box["deck"]:
            for one in box["deck"]["cards"]:
                self.deck += [(one["colour"], one["object"])] * one.get("count", 1)
        else:
            pairs = [(colour, thing) for colour in box["colours"] for thing in box["objects"]]
            self.deck = [pair for pair in pairs if pair not in self.sides]
        self.hand = box["hands"][str(seats)]
        self.chips_out = box["chips_out"]
        self.rows = [[] for _ in range(6)]
        self.draw_pile = [NEVER_TURNED] * len(self.deck)  # top first
        self.piles = dict.fromkeys(self.seats, 0)  # only counts: these cards are hidden
        self.set_aside = 0
        self.chips = dict.fromkeys(self.seats, 0)
        self.out = []
        self.phase = "setup"
        self.flipper = None
        self.source = TABLE  # the pile of the next or open card
        self.tied = []  # seats in the tie break; empty: everybody plays
        self.early = []  # seats that pressed before the due card
        self.too_slow = []  # seats that called the open card without a row
        self.card = None
        self.caller = None
        self.said = None
        self.ranking = None

    def can_be_played(self):
        return len(self.deck) >= 6 + len(self.seats) * self.hand + 1

    def cards_there_are(self):
        laid = sum(len(row) for row in self.rows)
        return laid + len(self.draw_pile) + sum(self.piles.values()) + self.set_aside + (self.card is not None)

    # what is legal

    def legal(self, who):
        """Return the legal moves of a seat or the TABLE as (verb, arguments)."""
        if who != TABLE:
            declares = self.phase == "locked" and who == self.caller
            return {("declare", said) for said in CALLS} if declares else set()
        if self.phase == "setup":
            return self.legal_in_the_set_up()
        moves = set()
        if self.phase == "ready":
            moves = {("flip", words(card)) for card in self.next_cards()} | {("flip", UNREAD)}
        if self.phase == "open":
            moves = self.legal_for_the_open_card()
        if self.phase in {"ready", "open"} and self.rulings["early_buzz"] == "chip":
            # A14: one chip per card, even if the press is reported late; A24: only for seats that play
            moves |= {("early", str(seat)) for seat in self.players() if seat not in self.early}
        if self.phase == "locked":
            moves = {("late", "")} | {("judge", f"{said} {verdict}") for said in CALLS for verdict in VERDICTS}
        if self.phase == "judge":
            moves = {("judge", "right"), ("judge", "wrong")}
        if self.rulings["judged_by"] == "cards":
            moves |= self.legal_to_name()
        return moves

    def legal_to_name(self):
        """Return the moves that name unread cards (A27)."""
        moves = set()
        if self.card == UNREAD and self.phase in {"open", "locked", "judge"}:
            moves |= {("card", words(card)) for card in self.unaccounted()}
        for row in range(1, 7):
            if UNREAD in self.rows[row - 1] and self.phase != "over":
                fitting = [card for card in self.unaccounted() if not self.clashes(card, row)]
                moves |= {("read", f"{row} {words(card)}") for card in fitting}
        return moves

    def legal_in_the_set_up(self):
        if self.flipper is None:
            return {(how, str(seat)) for how in ("youngest", "first", "lot") for seat in self.seats}
        # A27: with judged_by=house starters stay unread
        unnamed = self.rulings["judged_by"] == "house" and not any(self.rows)
        return set(self.starters()) | ({("laid", "")} if unnamed else set())

    def legal_for_the_open_card(self):
        moves = {("nobody", "")}
        for seat in self.players():
            if self.rulings["call_input"] == "direct":
                moves |= {("call", f"{seat} {said}{house}") for said in CALLS for house in ("", " right", " wrong")}
            else:
                moves.add(("call", str(seat)))
        for size in range(2, len(self.seats) + 1):
            for tied in combinations(self.players(), size):
                moves.add(("tie", " ".join(str(seat) for seat in tied)))
        return moves

    def starters(self):
        """Return the next side's possible starters, one per copy (R3)."""
        row = next(row for row in range(1, 7) if not self.rows[row - 1])
        return [("starter", f"{row} {words(card)}") for card in self.unaccounted() if self.fits(card, row)]

    def chances(self):
        """Return a dealer's equally likely moves, one per copy."""
        if self.phase == "setup" and self.flipper is None:
            return [("youngest", str(seat)) for seat in self.seats]
        if self.phase == "setup":
            return self.starters()
        if self.phase == "ready":
            return [("flip", words(card)) for card in self.next_cards()]
        return []

    def active(self):
        return [seat for seat in self.seats if seat not in self.out]

    def players(self):
        """Return the seats that may call the due or open card."""
        return [
            seat for seat in self.active() if seat not in self.too_slow and (seat in self.tied or not self.tied)
        ]

    def unaccounted(self):
        """Return the cards whose place is unknown."""
        known = [card for row in self.rows for card in row] + self.draw_pile + [self.card]
        cards = list(self.deck)
        for card in known:
            if card not in {NEVER_TURNED, UNREAD, None}:
                cards.remove(card)
        return cards

    def next_cards(self):
        """Return what the due card can be."""
        if self.source == TABLE and self.draw_pile[0] not in {NEVER_TURNED, UNREAD}:
            return [self.draw_pile[0]]
        return self.unaccounted()

    # what fits

    def fits(self, card, row):
        """Return whether a row accepts a card; None if unread cards decide."""
        shown = list(self.rows[row - 1])
        if self.rulings["printed_counts"]:
            shown.append(self.sides[row - 1])
        if len(shown) == self.row_ends_with:
            return False  # A25
        unsure = card == UNREAD
        for other in shown:
            if UNREAD in {card, other}:
                unsure = True
            elif card[0] == other[0] or card[1] == other[1]:
                return False
        return None if unsure else True

    def clashes(self, card, row):
        shown = [other for other in self.rows[row - 1] if other != UNREAD]
        if self.rulings["printed_counts"]:
            shown.append(self.sides[row - 1])
        return any(card[0] == other[0] or card[1] == other[1] for other in shown)

    def would_be_right(self, said):
        """Return whether a call is right; None if the house judges."""
        if self.card == UNREAD and self.rulings["judged_by"] == "house":
            return None
        if said != "impossible":
            return self.fits(self.card, int(said))
        answers = [self.fits(self.card, row) for row in range(1, 7)]
        if True in answers:
            return False
        return None if None in answers else True

    # what happens

    def play(self, verb, args):
        {
            "youngest": self.begin,
            "first": self.begin,
            "lot": self.begin,
            "starter": self.start_a_row,
            "laid": self.start_all_rows,
            "flip": self.turn_a_card,
            "early": self.be_early,
            "call": self.call,
            "declare": self.declare,
            "card": self.read_the_card,
            "read": self.read_in_a_row,
            "judge": self.judge,
            "tie": self.play_off,
            "nobody": self.skip,
            "late": self.be_late,
        }[verb](*args.split())

    def begin(self, youngest):
        self.flipper = int(youngest)  # R5

    def start_a_row(self, row, colour, thing):
        self.rows[int(row) - 1].append((colour, thing))
        self.draw_pile.pop()
        if all(self.rows):
            self.deal()

    def start_all_rows(self):
        for row in self.rows:
            row.append(UNREAD)
            self.draw_pile.pop()
        self.deal()

    def deal(self):
        for seat in self.seats:
            self.piles[seat] = self.hand
            del self.draw_pile[: self.hand]
        self.phase = "ready"

    def turn_a_card(self, *card):
        if self.source == TABLE:
            self.draw_pile.pop(0)
        else:
            self.piles[self.source] -= 1
        self.card = UNREAD if card == (UNREAD,) else card
        self.phase = "open"

    def be_early(self, seat):
        self.early.append(int(seat))
        self.give_a_chip(int(seat))
        if self.phase == "ready" and not self.players():
            self.tied = []  # A18: the card is not open yet, so everybody plays
        if self.phase == "open" and not self.players():
            self.skip()

    def call(self, caller, *said):
        self.caller = int(caller)
        self.phase = "locked"
        if len(said) == 1:
            self.declare(*said)
        elif said:
            self.judge(*said)

    def read_the_card(self, colour, thing):
        self.card = (colour, thing)
        if self.phase == "judge":
            self.declare(self.said)

    def read_in_a_row(self, row, colour, thing):
        cards = self.rows[int(row) - 1]
        cards[cards.index(UNREAD)] = (colour, thing)
        if self.phase == "judge":
            self.declare(self.said)

    def declare(self, said):
        self.said = said
        right = self.would_be_right(said)
        if right is None:
            self.phase = "judge"
        else:
            self.judge("right" if right else "wrong")

    def judge(self, *said_and_verdict):
        *said, verdict = said_and_verdict
        if said:  # R9: the house overrules
            (self.said,) = said
        caller = self.caller
        if verdict == "wrong":
            self.be_wrong(caller)
            return
        if self.said == "impossible":
            self.reject()
        else:
            self.rows[int(self.said) - 1].append(self.card)
            self.card = None
        last = 1 if self.rulings["last_card"] == "turn_wins" else 0
        if self.piles[caller] <= last:  # R16, A1
            self.finish(caller)
        else:
            self.card_is_due(flipper=caller, source=caller)

    def be_wrong(self, caller):
        self.reject()
        self.card_is_due(flipper=caller)
        self.give_a_chip(caller)

    def be_late(self):
        if self.rulings["late_declare"] == "chip":
            self.be_wrong(self.caller)
            return
        if self.rulings["late_declare"] == "reopen":
            self.too_slow.append(self.caller)
            if self.players():  # A20: seats that have not called it yet may
                self.caller = None
                self.phase = "open"
                return
        self.skip()

    def skip(self):
        self.reject()
        self.card_is_due()

    def play_off(self, *seats):
        tied = [int(seat) for seat in seats]
        others = [seat for seat in self.active() if seat not in tied]
        flipper = self.flipper
        while others and flipper not in others:
            flipper = flipper % len(self.seats) + 1
        self.reject()
        self.card_is_due(flipper=flipper, tied=tied)

    def reject(self):
        self.draw_pile.append(self.card)
        self.card = None

    def card_is_due(self, flipper=None, source=TABLE, tied=()):
        self.flipper = flipper or self.flipper
        self.source = source
        self.tied = list(tied)
        self.early = []
        self.too_slow = []
        self.caller = None
        self.said = None
        self.phase = "ready"
        self.empty_draw_pile()

    def give_a_chip(self, seat):
        self.chips[seat] += 1
        if self.chips[seat] < self.chips_out:
            return
        self.out.append(seat)  # R11
        self.chips[seat] = 0  # A8
        self.set_aside += self.piles[seat]
        self.piles[seat] = 0
        if self.source == seat:
            self.source = TABLE
        if len(self.active()) == 1:
            self.finish(self.active()[0])  # A9
        else:
            self.empty_draw_pile()

    # the end

    def empty_draw_pile(self):
        if self.phase == "ready" and self.source == TABLE and not self.draw_pile:
            self.finish(None)  # A10

    def finish(self, winner):
        """Rank the winner, then by fewest cards, then the eliminated, latest first."""
        places = [[winner]] if winner else []
        others = [seat for seat in self.active() if seat != winner]
        for cards in sorted({self.piles[seat] for seat in others}):
            places.append([seat for seat in others if self.piles[seat] == cards])
        self.ranking = places + [[seat] for seat in reversed(self.out)]
        self.phase = "over"


def words(card):
    return " ".join(card)

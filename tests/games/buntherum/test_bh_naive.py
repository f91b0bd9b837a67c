"""The engine agrees with the naive implementation after every move."""

import dataclasses
from collections import Counter
from random import Random

import pytest

from companion.core import move as moves
from companion.core.errors import OptionError
from companion.core.move import Move
from companion.games.buntherum.box import BuntherumBox
from companion.games.buntherum.game import GAME
from companion.testing.conformance import some_rulings
from companion.testing.playout import random_move
from tests.games.buntherum.bh_naive import TABLE, UNREAD, Naive

rules = GAME.rules

OBJECTS = ["cube", "butterfly", "ball", "icecream", "cup", "flower", "car", "telephone"]
COLOURS = ["green", "red", "blue", "yellow", "orange", "purple", "pink", "sky"]


class Pair:
    """One match in both implementations."""

    def __init__(self, box_text, rulings, seats):
        self.box = BuntherumBox.read(box_text, "box.toml")
        self.naive = Naive(box_text, dataclasses.asdict(rulings), seats)
        self.words = {}
        self.played = []
        self.state = None
        try:
            self.state = rules.setup(self.box, rulings, seats)
        except OptionError:
            assert not self.naive.can_be_played()

    def printed(self, move):
        if move not in self.words:
            _, verb, *args = GAME.notation.format_move(self.box, move).split(" ", 2)
            self.words[move] = (verb, "".join(args).rstrip())
        return self.words[move]

    def card(self, card):
        special = {rules.NO_CARD: None, rules.UNKNOWN: UNREAD}
        return special[card] if card in special else tuple(self.box.names[card].split())

    def play(self, move):
        self.played.append(GAME.notation.format_move(self.box, move))
        self.state = rules.apply(self.state, move)
        self.naive.play(*self.printed(move))

    def compare(self):
        for seat in [moves.TABLE, *range(len(self.naive.seats))]:
            found = [self.printed(move) for move in rules.legal(self.state, seat)]
            mine = self.naive.legal(named(seat))
            # show only the difference
            assert (named(seat), set(found) - mine, mine - set(found)) == (named(seat), set(), set())
            twice = [words for words, times in Counter(found).items() if times > 1]
            assert {verb for verb, _ in twice} <= {
                "starter",
                "flip",
                "card",
                "read",
            }  # a deck may have a card twice
        assert Counter(map(self.printed, rules.draws(self.state))) == Counter(self.naive.chances())
        assert self.seen() == self.expected()
        assert self.naive.cards_there_are() == len(self.box.deck)  # P1

    def seen(self):
        """Return the engine's public view in the naive one's words."""
        view = rules.view(self.state, None)
        seen = {
            "phase": str(view.phase),
            "rows": [[self.card(card) for card in row] for row in view.rows],
            "draw pile": view.draw_pile,
            "piles": list(view.piles),
            "chips": list(view.chips),
            "out": [named(seat) for seat in view.gone],
            "ranking": view.outcome and [[named(seat) for seat in place] for place in view.outcome.ranking],
        }
        if not view.outcome:
            seen |= {
                "flipper": named(view.flipper),
                "source": named(view.source),
                "players": [named(seat) for seat in view.callers],
                "early": sorted(named(seat) for seat in view.early),
                "card": self.card(view.card),
                "caller": named(view.caller),
                "said": None if view.said is None else ["impossible", *"123456"][view.said],
            }
        return seen

    def expected(self):
        naive = self.naive
        expected = {
            "phase": naive.phase,
            "rows": naive.rows,
            "draw pile": len(naive.draw_pile),
            "piles": list(naive.piles.values()),
            "chips": list(naive.chips.values()),
            "out": naive.out,
            "ranking": naive.ranking,
        }
        if not naive.ranking:
            expected |= {
                "flipper": naive.flipper or TABLE,
                "source": naive.source,
                "players": naive.players(),
                "early": sorted(naive.early),
                "card": naive.card,
                "caller": naive.caller or TABLE,
                "said": naive.said,
            }
        return expected


def named(seat):
    """Return a seat's name in records."""
    return TABLE if seat == moves.TABLE else seat + 1


def some_move(pair, luck, skill, unread, odd):
    """Return a random move: often right, sometimes unread or rare."""
    state, naive = pair.state, pair.naive
    legal = [move for seat in rules.to_act(state) for move in rules.legal(state, seat)]
    if naive.phase == "ready" and luck.random() < unread:
        return Move(moves.TABLE, "flip", (rules.UNKNOWN,))
    if naive.phase in {"open", "locked"} and luck.random() < skill:
        calls = [move for move in legal if move.verb in {"call", "declare"}]
        calls = [move for move in calls if not rules.in_place(move)]
        right = [move for move in calls if naive.would_be_right(pair.printed(move)[1].split()[-1]) is True]
        if naive.phase == "locked" or naive.rulings["call_input"] == "direct":
            calls = right
        if calls:
            return luck.choice(calls)
    if naive.phase == "judge" or luck.random() < odd:
        verb = luck.choice(sorted({move.verb for move in legal}))
        return luck.choice([move for move in legal if move.verb == verb])
    return random_move(rules, state, luck.randrange)


def some_box(luck, seats):
    """Return a random box; some cannot be played."""
    objects, colours = OBJECTS[: luck.randint(6, 8)], COLOURS[: luck.randint(6, 8)]
    sides = list(zip(colours, objects, strict=False))[:6]
    pairs = [(colour, thing) for colour in colours for thing in objects if (colour, thing) not in sides]
    cards = [*pairs, *luck.sample(pairs, luck.choice((0, 10)))]
    most = (len(cards) - 7) // seats
    hand = luck.choice((1, 4, most, most, most + 1))  # the last one cannot be played
    if hand == most:
        cards = luck.sample(cards, 7 + most * seats)  # leaves one card to draw
    lines = [
        f"objects = {objects}",
        f"colours = {colours}",
        f"chips_out = {luck.choice((1, 2, 3, 9))}",
        "[hands]",
        *(f"{players} = {hand if players == seats else 1}" for players in range(2, 6)),
        "[sides]",
        *(f'{n} = {{ object = "{thing}", colour = "{colour}" }}' for n, (colour, thing) in enumerate(sides, 1)),
        "[deck]",
        "cards = [",
        *(f'{{ object = "{thing}", colour = "{colour}" }},' for colour, thing in cards),
        "]",
    ]
    return "\n".join(lines)


def agree(seed, seats):
    """Play one match; `seed` decides everything."""
    luck = Random(seed)
    box_text = some_box(luck, seats) if luck.random() < 0.3 else GAME.box_text
    rulings = some_rulings(GAME, luck.randrange)
    skill, unread, odd = (luck.choice(often) for often in ((0, 0.5, 0.95), (0, 0, 0.1, 0.5), (0.05, 0.3)))
    pair = Pair(box_text, rulings, seats)
    try:
        while pair.state:
            pair.compare()
            if pair.naive.ranking:
                break
            pair.play(some_move(pair, luck, skill, unread, odd))
    except Exception as error:
        error.add_note("\n".join([seed, str(rulings), box_text, *pair.played]))
        raise
    return pair


@pytest.mark.soak
@pytest.mark.parametrize("seats", rules.SEATS)
def test_engine_agrees_with_naive_implementation(seats, soak_count):
    for number in range(soak_count(10_000) // len(rules.SEATS)):
        agree(f"naive {seats} {number}", seats)

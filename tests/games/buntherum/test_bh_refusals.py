"""Each refused move has a true reason, in both languages."""

from itertools import combinations_with_replacement, product
from random import Random

from companion.core.move import TABLE, Move
from companion.games.buntherum import rules
from companion.games.buntherum.rules import UNKNOWN, Phase, State
from companion.games.buntherum.rules.words import named
from tests.games.buntherum.bh_table import BOX, fitting, row_words, some_rulings, wander
from tests.games.contract import are_all_in_both_languages, reasons

SEATS = range(-2, 7)
CARDS = range(UNKNOWN - 1, len(BOX.names) + 2)
NEARBY = {
    "youngest": [(seat,) for seat in SEATS],
    "first": [(seat,) for seat in SEATS],
    "lot": [(seat,) for seat in SEATS],
    "starter": [*product(range(8), CARDS)],
    "flip": [(card,) for card in CARDS],
    "early": [(seat,) for seat in SEATS],
    "call": [*((seat,) for seat in SEATS), *product(SEATS, range(-1, 8)), *product(SEATS, range(8), (0, 1))],
    "tie": [(), *((seat,) for seat in SEATS), *combinations_with_replacement(SEATS, 2), (0, 1, 2), (0, 1, 2, 3, 4)],
    "nobody": [()],
    "declare": [(said,) for said in range(-1, 8)],
    "late": [()],
    "card": [(card,) for card in CARDS],
    "judge": [(0,), (1,), *product(range(-1, 8), (0, 1))],
    "laid": [()],
    "read": [*product(range(8), CARDS)],
}
"""Arguments of each verb, valid and almost valid."""


def first_bare(state: State) -> int:
    return next(side for side, row in enumerate(state.rows, 1) if not row)


def shown(state: State, side: int) -> list[str]:
    return row_words(BOX, state.rulings, state.rows, side)


def said_of(number: int) -> str:
    return str(named(BOX.names[number]))


def seen(state: State, number: int) -> bool:
    return number in BOX.deck and number not in state.unseen


TRUE_WHEN = {
    "that seat cannot make this move": lambda at, move: move.seat != TABLE,
    "first name the youngest player": lambda at, _: at.phase == Phase.SETUP and at.flipper < 0,
    "first lay the starter of side {side}": lambda at, _, side: (
        at.phase == Phase.SETUP and at.flipper >= 0 and side == first_bare(at)
    ),
    "the card is not visible yet": lambda at, _: at.phase == Phase.READY,
    "a card lies open and has not been called": lambda at, _: at.phase == Phase.OPEN,
    "the starters are in place: the set-up is over": lambda at, move: (
        at.phase != Phase.SETUP and move.verb in {"youngest", "first", "lot", "starter", "laid"}
    ),
    "seat {n} has the call and must name a row": lambda at, _, n: at.phase == Phase.LOCKED and n == at.caller + 1,
    "the house must judge first: right or wrong": lambda at, _: at.phase == Phase.JUDGE,
    "the match is over": lambda at, _: not rules.to_act(at),
    "only the seat that has the call may name a row": lambda at, move: move.seat == TABLE,
    "only the first call counts": lambda at, move: at.phase == Phase.LOCKED and move.seat != at.caller,
    "name a row from 1 to 6, or 0 for impossible": lambda at, move: not 0 <= move.args[0] <= 6,
    "seat {n} does not exist; the seats are 1 to {seats}": lambda at, move, n, seats: (
        seats == at.seats and n - 1 in move.args and not 1 <= n <= seats
    ),
    "seat {n} is eliminated": lambda at, move, n: n - 1 in move.args and n - 1 in at.gone,
    "seat {n} has called this card and named no row in time": lambda at, move, n: (
        n - 1 in move.args and n - 1 in at.late
    ),
    "seat {n} is not in the tie": lambda at, move, n: (
        n - 1 in move.args and len(at.group) > 0 and n - 1 not in at.group
    ),
    "name the card by its colour and object": lambda at, move: move.args[-1] == UNKNOWN,
    "there is no such card": lambda at, move: not UNKNOWN <= move.args[-1] < len(BOX.names),
    "there is no {card} in the deck": lambda at, move, card: (
        card == said_of(move.args[-1]) and move.args[-1] not in BOX.deck
    ),
    "the {card} has already been seen": lambda at, move, card: (
        card == said_of(move.args[-1]) and seen(at, move.args[-1])
    ),
    "seat {n} is already the youngest": lambda at, _, n: n == at.flipper + 1,
    "starters are laid in order: side {due} is next, not side {side}": lambda at, move, side, due: (
        side == move.args[0] != due == first_bare(at)
    ),
    "{card}: side {side} already shows {word}": lambda at, move, card, side, word: (
        (side, card) == (move.args[0], said_of(move.args[1]))
        and side not in fitting(at, move.args[1])
        and word in card
        and word.replace(" ", "") in shown(at, side)
    ),
    "the next card is known: the {card} went under the draw pile": lambda at, move, card: (
        card == said_of(at.under[0]) and at.fresh == 0
    ),
    "an early press costs nothing in this match": lambda at, _: at.rulings.early_buzz != "chip",
    "seat {n} has already paid for an early press": lambda at, move, n: n - 1 == move.args[0] in at.early,
    "in this match a seat calls first, then names its row": lambda at, move: (
        len(move.args) >= 2 and at.rulings.call_input != "direct"
    ),
    "in this match a call also names its row: 1 to 6, or impossible": lambda at, _: (
        at.rulings.call_input == "direct"
    ),
    "a tie needs two or more different seats": lambda at, move: len(set(move.args)) in {0, 1},
    "real cards are not named in this match: the house judges": lambda at, _: at.rulings.judged_by == "house",
    "in this match each starter is named": lambda at, _: at.rulings.judged_by == "cards",
    "rows are 1 to {sides}": lambda _, move, sides: not 1 <= move.args[0] <= sides == 6,
    "all cards of row {row} are known": lambda at, move, row: (
        row == move.args[0] and UNKNOWN not in at.rows[row - 1]
    ),
    "the open card is already known: the {card}": lambda at, _, card: card == said_of(at.card),
}
"""For each refusal, the condition that must hold."""


def test_every_verb_of_the_notation_is_covered():
    assert NEARBY.keys() == set(rules.VERBS.names)


def test_every_refusal_gives_a_true_reason():
    told = set()
    for seed in range(96):
        luck = Random(f"refusals {seed}")
        box = BOX if seed % 2 else BOX._replace(hands=(25, 16, 12, 10))  # a small draw pile: its cards come back
        start = rules.setup(box, some_rulings(luck), luck.choice(rules.SEATS))
        for state in (start, *(after for _, _, after, _ in wander(start, luck, unread=0.2))):
            for verb, numbers in NEARBY.items():
                move = Move(luck.choice((TABLE, TABLE, luck.randrange(state.seats))), verb, luck.choice(numbers))
                told |= reasons(rules, state, move, TRUE_WHEN)
    are_all_in_both_languages(told, TRUE_WHEN)

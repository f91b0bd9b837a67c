"""Each refused move has a true reason, in both languages."""

from itertools import product
from random import Random

from companion.core.move import TABLE, Move
from companion.games.buro_crazy import rules
from companion.games.buro_crazy.rules import Phase, State
from tests.games.buro_crazy.bc_table import BOX, STAIRS, Play, at_the_roof, some_rulings, wander
from tests.games.contract import are_all_in_both_languages, reasons

VERBS: dict[str, tuple[int, ...]] = {
    "colour": (0, 1),
    "place": (),
    "commit": (1, 0, 0, 0, 0),
    "total": (3,),
    "retract": (),
    "coin": (0,),
    "roof": (5,),
    "report": (160,),
    "counted": (30,),
}

EACH = {3: 5, 4: 4, 5: 3}
"""The figures of each seat, by number of seats."""


def in_duel(at: State, move: Move) -> bool:
    return at.phase == Phase.BID and move.seat in at.duel


def bid_of(at: State, move: Move) -> object:
    return at.bids[at.duel.index(move.seat)]


def tracking(at: State) -> str:
    return at.terms.rulings.tracking


def card(at: State, value: int, counts: tuple[int, ...]) -> int:
    """Return the number of cards of `value`."""
    return counts[at.terms.values.index(value)]


def how_many(at: State, verb: str) -> int:
    """Return the number of arguments of a verb."""
    return len(at.terms.values) if verb == "commit" else len(VERBS[verb])


def reports(at: State, move: Move) -> list[int]:
    return [legal.args[0] for legal in rules.legal(at, move.seat)]


def are_duellists(at: State, *named: str) -> bool:
    return [*named] == [str(seat + 1) for seat in at.duel]


TRUE_WHEN = {
    "the match is over": lambda at, _: not rules.to_act(at),
    "{seat}: the seats are 1 to {n}": lambda at, move, seat, n: (
        n == at.terms.seats and not 1 <= seat <= n and seat - 1 in (move.seat, *move.args)
    ),
    "only the house can do this": lambda at, move: move.seat != TABLE,
    "only a player can do this": lambda at, move: move.seat == TABLE,
    "seats {one} and {other} bid at {pair}": lambda at, move, one, other, pair: (
        are_duellists(at, one, other) and move.seat not in at.duel and pair == rules.view(at, None).pair
    ),
    "the figures are already placed: colours are chosen before that": lambda at, _: at.phase != Phase.SETUP,
    "the figures are already placed": lambda at, _: at.phase != Phase.SETUP,
    "your bid is locked; reopen it first": lambda at, move: in_duel(at, move) and bid_of(at, move) is not None,
    "every card is tracked: a bid is its cards, not a total": lambda at, move: (
        (tracking(at), move.verb) == ("cards", "total")
    ),
    "only points are tracked: a bid is a total, not cards": lambda at, move: (
        (tracking(at), move.verb) == ("points", "commit")
    ),
    "bids start once the figures are placed": lambda at, _: at.phase == Phase.SETUP,
    "a coin decides; nobody bids now": lambda at, _: at.phase == Phase.COIN,
    "the last duel is over: bidding has ended": lambda at, _: at.phase == Phase.ROOF,
    "you have not locked a bid yet": lambda at, move: in_duel(at, move) and bid_of(at, move) is None,
    "no coin is needed: it only decides ties at 0": lambda at, _: at.phase != Phase.COIN,
    "the roof is dealt after the last duel": lambda at, _: at.phase != Phase.ROOF,
    "players enter their points: they deal the roof by hand": lambda at, _: (
        at.phase == Phase.ROOF and tracking(at) == "cards" and set(at.reports) != {None}
    ),
    "only points are tracked: players deal the roof by hand": lambda at, _: (
        at.phase == Phase.ROOF and tracking(at) == "points"
    ),
    "points are entered after the last duel": lambda at, _: at.phase != Phase.ROOF,
    "the companion deals the roof: no points are entered": lambda at, _: at.phase == Phase.ROOF and at.dealt > 0,
    "your points are in; the house can undo": lambda at, move: at.reports[move.seat] is not None,
    "every card is tracked: the companion counts the roof itself": lambda at, _: tracking(at) == "cards",
    "count the roof during the bids, or after them before any points are entered": lambda at, _: (
        at.phase not in {Phase.BID, Phase.ROOF}
    ),
    "the roof is counted before points are entered; undo the points first": lambda at, _: (
        at.phase == Phase.ROOF and tracking(at) == "points" and set(at.reports) != {None} and not at.told
    ),
    "this needs {n} number": lambda at, move, n: n == how_many(at, move.verb) != len(move.args),
    "a bid is reopened as a whole: this needs no number": lambda at, move: len(move.args) > 0,
    "allowed colours: {values}": lambda at, move, values: (
        values == ", ".join(BOX.colours) and move.args[1] not in range(5)
    ),
    "{colour} has {n} figures; {each} are needed": lambda at, move, colour, n, each: (
        colour == BOX.colours[move.args[1]] and n == BOX.figures[move.args[1]] < each == EACH[at.terms.seats]
    ),
    "{colour} is taken by seat {seat}": lambda at, move, colour, seat: (
        colour == BOX.colours[move.args[1]] and at.colours[seat - 1] == move.args[1]
    ),
    "{n} figure; expected {size}, {each} for each seat": lambda at, move, n, size, each: (
        n == len(move.args) != size == each * at.terms.seats and each == EACH[at.terms.seats]
    ),
    "{n} figures of seat {seat}; expected {each}": lambda at, move, n, seat, each: (
        n == move.args.count(seat - 1) != each == EACH[at.terms.seats] and max(move.args) < at.terms.seats
    ),
    "P{pair} has two figures of seat {seat}: they cannot fight": lambda at, move, pair, seat: (
        set(move.args[2 * pair - 2 : 2 * pair]) == {seat - 1} and pair <= len(move.args) // 2
    ),
    "{n} cards of {value}: you hold {held}": lambda at, move, n, value, held: (
        (n, held) == (card(at, value, move.args), card(at, value, at.hands[move.seat])) and not 0 <= n <= held
    ),
    "{n} point: you hold {held}": lambda at, move, n, held: (
        n == move.args[0] and not 0 <= n <= held == at.hands[move.seat][0]
    ),
    "only {one} or {other} can win the toss": lambda at, move, one, other: (
        are_duellists(at, one, other) and move.args[0] not in at.duel
    ),
    "no card is worth {n}; the values are {values}": lambda at, move, n, values: (
        n == move.args[0] not in at.terms.values and values == ", ".join(map(str, at.terms.values))
    ),
    "there is no {n} left on the roof": lambda at, move, n: (
        n == move.args[0] and at.roof[at.terms.values.index(n)] == 0
    ),
    "{n} point: your hand alone has {least}": lambda at, move, n, least: (
        n == move.args[0] < least == min(reports(at, move))
    ),
    "{n} point: with your piles of {each} it is {most} at most": lambda at, move, n, each, most: (
        n == move.args[0] > most == max(reports(at, move)) > min(reports(at, move))
        and each == at.told // BOX.piles > 0
    ),
    "{n} point: with your piles it is {most} at most": lambda at, move, n, most: (
        (tracking(at) == "cards" or not at.told)
        and n == move.args[0] > most == max(reports(at, move)) > min(reports(at, move))
    ),
    "{n} point: your hand has {most}, and you get no card of the roof": lambda at, move, n, most: (
        n == move.args[0] > most
        and reports(at, move) == [most]
        and (move.seat not in at.board[24:] or at.told in range(1, BOX.piles) or not any(at.roof))
    ),
    "{n} card: the points entered need at least {least}": lambda at, move, n, least: (
        n == move.args[0] < least == at.told and set(at.reports) != {None}
    ),
    "{n} cards: the game has only {most}": lambda at, move, n, most: (
        n == move.args[0] and not 0 <= n <= most == 150
    ),
}
"""For each refusal, the condition that must hold."""


def numbers_near(state: State, verb: str) -> list[tuple[int, ...]]:
    """Return arguments of a verb, valid or wrong in one place."""
    if verb == "colour":
        return [*product(range(-1, 6), range(-1, 6)), (0,), (0, 1, 2)]
    args = STAIRS[state.terms.seats] if verb == "place" else VERBS[verb]
    near = [args, args[:-1], (*args, 0), (*args, 1), tuple(sorted(args))]
    return near + [
        (*args[:place], n, *args[place + 1 :]) for place in range(len(args)) for n in (-1, 0, 1, 5, 99, 2000)
    ]


def test_every_refusal_gives_a_true_reason():
    told = set()
    counted = Play(4, tracking="points").to("roof")
    counted.make("counted", 17)
    keyed = Play(4, tracking="points").to("roof")
    keyed.make("counted", 17)
    keyed.make("report", keyed.points(0), seat=0)
    reported = at_the_roof([1] * 9)
    reported.make("report", reported.points(0), seat=0)
    for number in range(24):
        luck = Random(f"why {number}")
        rulings = some_rulings(luck, tracking=("cards", "points")[number % 2], zero_tie_limit=1)
        start = rules.setup(BOX, rulings, 3 + number % 3)
        coloured = rules.apply(start, Move(TABLE, "colour", (1, 3)))
        seldom = [start, coloured, at_the_roof([1] * 9).state, counted.state, keyed.state, reported.state] * 10
        for state in (*seldom, *(after for _, _, after, _ in wander(start, luck))):
            for verb in VERBS:
                seat = luck.choice((TABLE, *range(state.terms.seats + 1)))
                told |= reasons(rules, state, Move(seat, verb, luck.choice(numbers_near(state, verb))), TRUE_WHEN)
                told |= reasons(rules, state, Move(TABLE, verb, luck.choice(numbers_near(state, verb))), TRUE_WHEN)
    are_all_in_both_languages(told, TRUE_WHEN)

"""Tests that every refusal gives a true reason."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from companion.core.move import TABLE, Move
from companion.games.de_et_boulanger import rules
from companion.games.de_et_boulanger.rules import VERBS
from companion.games.de_et_boulanger.rules.components import Phase, State
from tests.games.contract import are_all_in_both_languages, reasons
from tests.games.de_et_boulanger.db_table import BOX, some_rulings, wander

NUMBERS = {"tiles": 6, "unload": 4, "bake": 2, "ready": 0, "end": 0, "validate": 0, "stay": 0}
"""The number of a verb's arguments, if not one."""


def nearby(state: State, luck: Random) -> Iterator[Move]:
    """Yield random moves of every verb, and small changes of legal ones."""
    seats = (TABLE, *range(state.setting.seats), state.turn, state.turn)
    for verb in VERBS.names:
        count = NUMBERS.get(verb, 1)
        yield Move(luck.choice(seats), verb, tuple(luck.choice((0, 1, 2, 5, 7, 16)) for _ in range(count)))
    seat = luck.choice(seats)
    legal = rules.legal(state, seat)
    if len(legal) and (move := legal[luck.randrange(len(legal))]).args:
        yield move._replace(args=(move.args[0] + luck.choice((-1, 1)), *move.args[1:]))
        yield move._replace(args=(*move.args[:-1], move.args[-1] + luck.choice((-1, 1))))


PRICES = BOX.price._asdict()


def is_seat(at: State, move: Move) -> bool:
    return 0 <= move.seat < at.setting.seats


def here(at: State, move: Move) -> str:
    return str(BOX.board.kinds[at.places[move.seat]])


def may_not(verb: str, *places: str) -> Callable[[State, Move], bool]:
    """Return a predicate: the verb needs these places and the own turn."""

    def holds(at: State, move: Move) -> bool:
        arrived = at.die > 0 and at.steps == at.die
        elsewhere = here(at, move) not in places or (places == ("shop",) and arrived)
        return move.verb == verb and (at.phase != Phase.MOVE or (move.seat == at.turn and elsewhere))

    return holds


def in_own_turn(verb: str, *, rolled: bool) -> Callable[[State, Move], bool]:
    """Return a predicate: the verb needs the own turn, before or after the roll."""
    return lambda at, move: (
        move.verb == verb
        and walks(at)
        and (at.phase != Phase.MOVE or move.seat != at.turn or (at.die > 0) != rolled)
    )


def walks(at: State) -> bool:
    return at.setting.rulings.movement == "full"


def due(at: State) -> str:
    """Return the roll that is due, or `none`."""
    return next((move.verb for move in rules.legal(at, TABLE)), "none")


def enough(at: State, move: Move, bread: int) -> int:
    """Return the maximum of croissants with some breads; of breads if `bread` is negative."""
    of = [recipe._asdict() for recipe in BOX.recipes]
    baked = at.products[move.seat]
    has = {
        name: count + sum(n * recipe[name] for n, recipe in zip(baked, of, strict=True))
        for name, count in at.labs[move.seat]._asdict().items()
        if name in of[0]
    }
    if bread < 0:
        return min(has[name] // need for name, need in of[0].items() if need)
    return min((has[name] - bread * of[0][name]) // need for name, need in of[1].items() if need)


TRUE_WHEN = {
    "the match is over": lambda at, _: not rules.to_act(at),
    "that seat cannot make this move": lambda at, move: not is_seat(at, move) or move.verb in VERBS.draws,
    "load sous in your own shop, before the roll or on arrival": may_not("load", "shop"),
    "unload in your own shop, before the roll or on arrival": may_not("unload", "shop"),
    "buy flour on a mill, before you ask for the die or after the roll": may_not("flour", "mill"),
    "buy butter on a farm, before you ask for the die or after the roll": may_not("butter", "farm"),
    "take water at the fountain, before you ask for the die or after the roll": may_not("water", "fountain"),
    "ask for the die on your own turn, once": in_own_turn("ready", rolled=False),
    "walk on your own turn, after the roll": in_own_turn("step", rolled=True),
    "end your own turn, after the roll": in_own_turn("end", rolled=True),
    "choose to stay at home on your own turn": lambda at, move: (
        move.verb == "stay" and walks(at) and (at.phase != Phase.MOVE or move.seat != at.turn)
    ),
    "steps and rolls are not entered in this match": lambda at, move: (
        not walks(at) and move.verb in {"ready", "step", "end", "stay"}
    ),
    "this match follows every step: walk home instead": lambda at, move: move.verb == "home" and walks(at),
    "say whether you are home while everybody moves": lambda at, move: (
        move.verb == "home" and not walks(at) and at.phase != Phase.MOVE
    ),
    "it's {seat}'s turn": lambda at, move, seat: (
        at.phase == Phase.MOVE and str(seat) == f"Seat {at.turn + 1}" and move.seat != at.turn
    ),
    "you have already asked for the die": lambda at, move: at.ready and move.seat == at.turn,
    "your errands are already finished": lambda at, move: at.turn < 0 and at.done[move.seat],
    "this roll is for an incident": lambda at, move: move.verb != due(at) == "incident",
    "this roll is for a sale": lambda at, move: move.verb != due(at) == "sale",
    "this roll is for a walk": lambda at, move: move.verb != due(at) == "roll",
    "this roll is for the first turn": lambda at, move: move.verb != due(at) == "start",
    "no roll is due now": lambda at, _: due(at) == "none",
    "a die shows 1 to 6, not {n}": lambda at, move, n: n == str(move.args[0]) and not 1 <= move.args[0] <= 6,
    "seat {n} already has bakery {side}": lambda at, move, n, side: (
        n == move.seat + 1 and str(side) == "NESW"[at.sides[move.seat]]
    ),
    "that bakery is taken; free: {sides}": lambda at, _, sides: (
        str(sides) == ", ".join(side for number, side in enumerate("NESW") if number not in at.sides)
    ),
    "seat {n} has already laid out tiles": lambda at, move, n: n == move.seat + 1 and at.tiles[move.seat] != (),
    "a row has each tile from 1 to {n} once": lambda at, move, n: (
        n == 6 and sorted(move.args) != [0, 1, 2, 3, 4, 5]
    ),
    "not enough sous: only {n}": lambda at, move, n: (
        n == (at.cash[move.seat] if move.verb == "load" else at.loads[move.seat].sous)
        and move.args[0] * PRICES.get(move.verb, 1) > n
    ),
    "the amount must be 1 or more": lambda at, move: move.args[0] < 1,
    "a baker carries at most {n} token": lambda at, move, n: n == 6 and sum(at.loads[move.seat]) + move.args[0] > n,
    "the baker carries only {flour} flour, {water} water, {butter} butter and {sous} sous": lambda at, move, **on: (
        on == at.loads[move.seat]._asdict() and any(on.values())
    ),
    "the baker carries nothing": lambda at, move: not any(at.loads[move.seat]),
    "no steps are left": lambda at, move: at.steps == 0,
    "another baker is there": lambda at, move: move.args[0] in at.places,
    "that is the shop of another bakery": lambda at, move: (
        move.args[0] in BOX.board.shops and move.args[0] != BOX.board.shops[at.sides[move.seat]]
    ),
    "that square is not next to the baker": lambda at, move: (
        move.args not in BOX.board.ways[at.sides[move.seat]][at.places[move.seat]]
    ),
    "that is already baked": lambda at, move: move.args == at.products[move.seat],
    "there is enough for {n} bread at most": lambda at, move, n: n == enough(at, move, -1),
    "there is enough for {n} croissant at most": lambda at, move, n: (
        move.args[0] == 0 and n == enough(at, move, 0) < move.args[1]
    ),
    "with that bread, there is enough for {n} croissant at most": lambda at, move, n: (
        move.args[0] > 0 and n == enough(at, move, move.args[0]) < move.args[1]
    ),
    "this bakery has finished baking": lambda at, move: (
        at.phase == Phase.SALE or (at.phase == Phase.PRODUCE and at.done[move.seat])
    ),
    "baking begins when all bakers are at home": lambda at, _: at.phase in {Phase.SETUP, Phase.START, Phase.MOVE},
    "bakeries and tiles are chosen before the first round": lambda at, _: at.phase != Phase.SETUP,
    "say 1 if the baker is home, 0 if not": lambda at, move: move.args[0] not in {0, 1},
    "you can only stay at home in your own shop": lambda at, move: here(at, move) != "shop",
}
"""For each refusal, a predicate of position, move and values that must hold."""


def test_refusals_give_true_reasons():
    told = set()
    for number in range(12):
        luck = Random(f"refusals {number}")
        rulings = replace(some_rulings(luck), movement="full" if number % 3 else "trust")
        start = rules.setup(BOX, rulings, rules.SEATS[number % len(rules.SEATS)])
        for state in (start, *(after for _, _, after, _ in wander(start, luck))):
            for move in nearby(state, luck):
                told |= reasons(rules, state, move, TRUE_WHEN)
    are_all_in_both_languages(told, TRUE_WHEN)

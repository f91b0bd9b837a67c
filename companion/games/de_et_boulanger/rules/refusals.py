"""Why a move is refused, and what is allowed instead."""

from collections.abc import Callable
from typing import Final

from companion.core.choices import Args
from companion.core.move import TABLE, Seat
from companion.core.text import Text, listed, msg, seat_name
from companion.core.verbs import Reason, Why
from companion.games.de_et_boulanger.rules.board import SIDE_NAMES
from companion.games.de_et_boulanger.rules.components import NO_SIDE, NOBODY, Box, Phase, State, is_seat
from companion.games.de_et_boulanger.rules.goods import how_many, left_after
from companion.games.de_et_boulanger.rules.production import all_goods
from companion.games.de_et_boulanger.rules.start import rolls_first

NOT_YOURS: Final = msg("that seat cannot make this move")


def _elsewhere(rule: str, where: Text, on_trust: Text | None = None) -> Why[State]:
    """Return why a baker cannot do this now or here. `on_trust` replaces `where` in trust mode."""

    def why(state: State, seat: Seat, _: Args) -> Reason:
        if not is_seat(state, seat):
            return NOT_YOURS
        if state.phase is Phase.MOVE and NOBODY != state.turn != seat:
            return "DB-R8", msg("it's {seat}'s turn", seat=seat_name(state.turn))
        if state.ready:
            return "DB-A18", msg("the die is asked for")
        if state.phase is Phase.MOVE and state.turn == NOBODY and state.done[seat]:
            return "DB-R17", msg("this baker has ended the day")
        return rule, on_trust if on_trust and state.setting.rulings.movement == "trust" else where

    return why


_NO_WALKS: Final = msg("walks and their dice are not keyed here")

LOAD: Final = _elsewhere("DB-A4", msg("bakers load sous in their own shop, before the roll or on arrival"))
UNLOAD: Final = _elsewhere("DB-A4", msg("bakers put tokens away in their own shop, before the roll or on arrival"))
FLOUR: Final = _elsewhere("DB-R14", msg("flour is bought on a mill, before the die is asked for or after it"))
BUTTER: Final = _elsewhere("DB-R14", msg("butter is bought on a farm, before the die is asked for or after it"))
WATER: Final = _elsewhere("DB-R14", msg("water is taken at the fountain, before the die is asked for or after it"))
READY: Final = _elsewhere("DB-A18", msg("bakers ask for the die on their own turn, once"), _NO_WALKS)
WALK: Final = _elsewhere("DB-R11", msg("bakers walk on their own turn, after the roll"), _NO_WALKS)
END: Final = _elsewhere("DB-R11", msg("a turn is ended by its baker, after the roll"), _NO_WALKS)
STAY: Final = _elsewhere("DB-R11", msg("bakers who stay at home say so on their own turn"), _NO_WALKS)
HOME: Final = _elsewhere(
    "DB-R17",
    msg("who came home is only said where every step is not keyed"),
    msg("who came home is said while everybody moves"),
)


def no_die(state: State, seat: Seat, _: Args) -> Reason:
    if seat != TABLE:
        return NOT_YOURS
    if state.phase is Phase.SALE:
        return msg("an incident is rolled for") if state.die else msg("a sale is rolled for")
    if state.phase is Phase.MOVE and state.turn != NOBODY and not state.die:
        return msg("a walk is rolled for")
    return msg("the first turn is rolled for") if rolls_first(state) else msg("no die is due now")


def one_to_six(_: State, __: Seat, args: Args) -> Reason:
    return msg("{n}; a die shows 1 to 6", n=" ".join(map(str, args)))


def bakery_taken(state: State, seat: Seat, args: Args) -> Reason:
    if state.sides[seat] != NO_SIDE:
        return msg("seat {n} has the bakery {side} already", n=seat + 1, side=SIDE_NAMES[state.sides[seat]])
    free = [name for side, name in enumerate(SIDE_NAMES) if side not in state.sides]
    return msg("that bakery is taken; free: {sides}", sides=listed(free))


def row_refused(state: State, seat: Seat, _: Args) -> Reason:
    if state.tiles[seat]:
        return msg("the tiles of seat {n} lie already", n=seat + 1)
    return msg("a row is each tile from 1 to {n} once", n=len(state.setting.box.tiles))


def too_much(price: Callable[[Box], int], held: Callable[[State, Seat], int]) -> Callable[..., Reason]:
    """Return why an amount is refused."""

    def why(state: State, seat: Seat, args: Args) -> Reason:
        box = state.setting.box
        if len(args) == 1 and args[0] * price(box) > held(state, seat):
            return msg("not enough sous: {n}", n=held(state, seat))
        if args and args[0] < 1:
            return msg("an amount is 1 or more")
        return "DB-R10", msg(
            "no more than {n} token on a baker", "no more than {n} tokens on a baker", n=box.load_limit
        )

    return why


def not_loaded(state: State, seat: Seat, _: Args) -> Reason:
    load = state.loads[seat]
    return (
        msg("on the baker are {flour} flour, {water} water, {butter} butter and {sous} sous", **load._asdict())
        if any(load)
        else msg("nothing is on the baker")
    )


def step_refused(state: State, seat: Seat, args: Args) -> Reason:
    if not state.steps:
        return "DB-R11", msg("no steps are left")
    board, side = state.setting.box.board, state.sides[seat]
    if args in board.ways[side][state.places[seat]]:
        return "DB-R13", msg("another baker stands there")
    if args and args[0] in board.shops and args[0] != board.shops[side]:
        return "DB-A15", msg("that is the shop of another bakery")
    return msg("that square is not next to the baker")


def bake_refused(state: State, seat: Seat, args: Args) -> Reason:
    goods, recipes = all_goods(state, seat), state.setting.box.recipes
    if args == state.products[seat]:
        return msg("so much is baked already")
    breads = how_many(goods, recipes[0])
    if len(args) != len(recipes) or min(args) < 0 or args[0] > breads:
        return msg("there is enough for {n} bread at most", "there is enough for {n} breads at most", n=breads)
    beside = how_many(left_after(goods, recipes, args[0], 0), recipes[1])
    if not args[0]:
        return msg(
            "there is enough for {n} croissant at most", "there is enough for {n} croissants at most", n=beside
        )
    return msg(
        "beside the bread there is enough for {n} croissant at most",
        "beside the bread there is enough for {n} croissants at most",
        n=beside,
    )


def done_baking(state: State, seat: Seat, _: Args) -> Reason:
    if not is_seat(state, seat):
        return NOT_YOURS
    if state.phase in {Phase.PRODUCE, Phase.SALE}:
        return msg("this bakery has finished baking")
    return msg("baking begins when all bakers are at home")


def no_stay(_: State, __: Seat, ___: Args) -> Reason:
    return msg("only bakers in their own shop stay there")


def no_setup(state: State, seat: Seat, _: Args) -> Reason:
    return msg("bakeries and tiles are chosen before the first round") if is_seat(state, seat) else NOT_YOURS

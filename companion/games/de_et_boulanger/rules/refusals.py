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
            return "DB-A18", msg("you have already asked for the die")
        if state.phase is Phase.MOVE and state.turn == NOBODY and state.done[seat]:
            return "DB-R17", msg("your errands are already finished")
        return rule, on_trust if on_trust and state.setting.rulings.movement == "trust" else where

    return why


_NO_WALKS: Final = msg("steps and rolls are not entered in this match")

LOAD: Final = _elsewhere("DB-A4", msg("load sous in your own shop, before the roll or on arrival"))
UNLOAD: Final = _elsewhere("DB-A4", msg("unload in your own shop, before the roll or on arrival"))
FLOUR: Final = _elsewhere("DB-R14", msg("buy flour on a mill, before you ask for the die or after the roll"))
BUTTER: Final = _elsewhere("DB-R14", msg("buy butter on a farm, before you ask for the die or after the roll"))
WATER: Final = _elsewhere("DB-R14", msg("take water at the fountain, before you ask for the die or after the roll"))
READY: Final = _elsewhere("DB-A18", msg("ask for the die on your own turn, once"), _NO_WALKS)
WALK: Final = _elsewhere("DB-R11", msg("walk on your own turn, after the roll"), _NO_WALKS)
END: Final = _elsewhere("DB-R11", msg("end your own turn, after the roll"), _NO_WALKS)
STAY: Final = _elsewhere("DB-R11", msg("choose to stay at home on your own turn"), _NO_WALKS)
HOME: Final = _elsewhere(
    "DB-R17",
    msg("this match follows every step: walk home instead"),
    msg("say whether you are home while everybody moves"),
)


def no_die(state: State, seat: Seat, _: Args) -> Reason:
    if seat != TABLE:
        return NOT_YOURS
    if state.phase is Phase.SALE:
        return msg("this roll is for an incident") if state.die else msg("this roll is for a sale")
    if state.phase is Phase.MOVE and state.turn != NOBODY and not state.die:
        return msg("this roll is for a walk")
    return msg("this roll is for the first turn") if rolls_first(state) else msg("no roll is due now")


def one_to_six(_: State, __: Seat, args: Args) -> Reason:
    return msg("a die shows 1 to 6, not {n}", n=" ".join(map(str, args)))


def bakery_taken(state: State, seat: Seat, args: Args) -> Reason:
    if state.sides[seat] != NO_SIDE:
        return msg("seat {n} already has bakery {side}", n=seat + 1, side=SIDE_NAMES[state.sides[seat]])
    free = [name for side, name in enumerate(SIDE_NAMES) if side not in state.sides]
    return msg("that bakery is taken; free: {sides}", sides=listed(free))


def row_refused(state: State, seat: Seat, _: Args) -> Reason:
    if state.tiles[seat]:
        return msg("seat {n} has already laid out tiles", n=seat + 1)
    return msg("a row has each tile from 1 to {n} once", n=len(state.setting.box.tiles))


def too_much(price: Callable[[Box], int], held: Callable[[State, Seat], int]) -> Callable[..., Reason]:
    """Return why an amount is refused."""

    def why(state: State, seat: Seat, args: Args) -> Reason:
        box = state.setting.box
        if len(args) == 1 and args[0] * price(box) > held(state, seat):
            return msg("not enough sous: only {n}", n=held(state, seat))
        if args and args[0] < 1:
            return msg("the amount must be 1 or more")
        return "DB-R10", msg(
            "a baker carries at most {n} token", "a baker carries at most {n} tokens", n=box.load_limit
        )

    return why


def not_loaded(state: State, seat: Seat, _: Args) -> Reason:
    load = state.loads[seat]
    return (
        msg(
            "the baker carries only {flour} flour, {water} water, {butter} butter and {sous} sous", **load._asdict()
        )
        if any(load)
        else msg("the baker carries nothing")
    )


def step_refused(state: State, seat: Seat, args: Args) -> Reason:
    if not state.steps:
        return "DB-R11", msg("no steps are left")
    board, side = state.setting.box.board, state.sides[seat]
    if args in board.ways[side][state.places[seat]]:
        return "DB-R13", msg("another baker is there")
    if args and args[0] in board.shops and args[0] != board.shops[side]:
        return "DB-A15", msg("that is the shop of another bakery")
    return msg("that square is not next to the baker")


def bake_refused(state: State, seat: Seat, args: Args) -> Reason:
    goods, recipes = all_goods(state, seat), state.setting.box.recipes
    if args == state.products[seat]:
        return msg("that is already baked")
    breads = how_many(goods, recipes[0])
    if len(args) != len(recipes) or min(args) < 0 or args[0] > breads:
        return msg("there is enough for {n} bread at most", "there is enough for {n} breads at most", n=breads)
    beside = how_many(left_after(goods, recipes, args[0], 0), recipes[1])
    if not args[0]:
        return msg(
            "there is enough for {n} croissant at most", "there is enough for {n} croissants at most", n=beside
        )
    return msg(
        "with that bread, there is enough for {n} croissant at most",
        "with that bread, there is enough for {n} croissants at most",
        n=beside,
    )


def done_baking(state: State, seat: Seat, _: Args) -> Reason:
    if not is_seat(state, seat):
        return NOT_YOURS
    if state.phase in {Phase.PRODUCE, Phase.SALE}:
        return msg("this bakery has finished baking")
    return msg("baking begins when all bakers are at home")


def no_stay(_: State, __: Seat, ___: Args) -> Reason:
    return msg("you can only stay at home in your own shop")


def no_setup(state: State, seat: Seat, _: Args) -> Reason:
    return msg("bakeries and tiles are chosen before the first round") if is_seat(state, seat) else NOT_YOURS

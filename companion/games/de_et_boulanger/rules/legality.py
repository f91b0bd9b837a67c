"""Who may do what, and doing it: every legal move is listed here and nowhere else."""

from collections.abc import Callable, Hashable, Sequence
from typing import Final

from companion.core.choices import ONE, Args, Choices
from companion.core.move import TABLE, Move, Seat, each_seat
from companion.core.text import msg
from companion.core.verbs import Reason, Verb, Verbs, always
from companion.games.de_et_boulanger.rules import spelling
from companion.games.de_et_boulanger.rules.board import SIDE_NAMES, SIDES, Kind, board_of
from companion.games.de_et_boulanger.rules.choices import Bakes, Orders, parts
from companion.games.de_et_boulanger.rules.components import (
    AMOUNT_MOST,
    FACES,
    MOVE,
    NO_SIDE,
    NOBODY,
    SALE,
    SETUP,
    START,
    Box,
    Phase,
    State,
    in_shop,
)
from companion.games.de_et_boulanger.rules.goods import how_many, left_after
from companion.games.de_et_boulanger.rules.moving import (
    apply_butter,
    apply_end,
    apply_flour,
    apply_home,
    apply_load,
    apply_ready,
    apply_roll,
    apply_stay,
    apply_step,
    apply_unload,
    apply_water,
)
from companion.games.de_et_boulanger.rules.production import all_goods, apply_bake, apply_validate
from companion.games.de_et_boulanger.rules.sale import apply_incident, apply_sale
from companion.games.de_et_boulanger.rules.start import apply_bakery, apply_start, apply_tiles, owes_setup, roller

_ROLLS: Final = tuple((die,) for die in range(1, FACES + 1))

_AMOUNTS: Final = tuple(tuple((n,) for n in range(1, most + 1)) for most in range(AMOUNT_MOST + 1))

_YES_OR_NO: Final = ((1,), (0,))


def _bakery_choices(state: State, seat: Seat) -> Choices:
    if state.sides[seat] != NO_SIDE:
        return ()
    return tuple((side,) for side in range(len(SIDES)) if side not in state.sides)


def _tiles_choices(state: State, seat: Seat) -> Choices:
    return () if state.tiles[seat] else Orders(len(state.setting.box.tiles))


def _load_choices(state: State, seat: Seat) -> Choices:
    # DB-R9, DB-R10
    return _AMOUNTS[min(state.cash[seat], state.setting.box.load_limit - sum(state.loads[seat]))]


def _unload_choices(state: State, seat: Seat) -> Choices:
    return parts(state.loads[seat])


def _flour_choices(state: State, seat: Seat) -> Choices:
    return _trades(state, seat, state.setting.box.price.flour)


def _water_choices(state: State, seat: Seat) -> Choices:
    return _trades(state, seat, state.setting.box.price.water)


def _butter_choices(state: State, seat: Seat) -> Choices:
    return _trades(state, seat, state.setting.box.price.butter)


def _trades(state: State, seat: Seat, price: int) -> Choices:
    # DB-R15: what is paid for takes the place of sous, so only what is free needs room.
    load = state.loads[seat]
    return _AMOUNTS[load.sous // price if price else state.setting.box.load_limit - sum(load)]


def _step_choices(state: State, seat: Seat) -> Choices:
    if not state.steps:
        return ()
    board = board_of(state.setting.box.map)
    places = state.places
    ways = board.ways[state.sides[seat]][places[seat]]
    # DB-R13, DB-A13, DB-A14: no square with another baker; the fountain has room for all.
    for way in ways:
        if way[0] in places and way[0] != board.fountain:
            return tuple(way for way in ways if way[0] not in places or way[0] == board.fountain)
    return ways


def _bake_choices(state: State, seat: Seat) -> Choices:
    return Bakes(all_goods(state, seat), state.setting.box.recipes, state.products[seat])


def _any_roll(_: State, __: Seat) -> Choices:
    return _ROLLS


def _home_choices(_: State, __: Seat) -> Choices:
    return _YES_OR_NO


def _stay_choices(state: State, seat: Seat) -> Choices:
    return ONE if state.setting.rulings.edition > 2 and in_shop(state, seat) else ()


# --- Who may use a verb -----------------------------------------------------------------------------------


def _is_seat(state: State, seat: Seat) -> bool:
    return 0 <= seat < state.setting.seats


def _bakes(state: State, seat: Seat) -> bool:
    return 0 <= seat < state.setting.seats and not state.done[seat]


def _asks(state: State, seat: Seat) -> bool:
    """Tell whether a baker may still ask for the die (DB-A18)."""
    return seat == state.turn != NOBODY and not state.die and not state.ready


def _walks(state: State, seat: Seat) -> bool:
    return seat == state.turn != NOBODY and state.die > 0


def _passes(state: State, seat: Seat) -> bool:
    """Tell whether a baker may give up the launches that are left: not while his die is due."""
    return seat == state.turn != NOBODY and (state.die > 0 or not state.ready)


def _comes_home(state: State, seat: Seat) -> bool:
    return state.turn == NOBODY and _bakes(state, seat)


def _at(kind: Kind) -> Callable[[State, Seat], bool]:
    """Return what tells whether a baker stands where this can be had, before the roll or after it (DB-R14)."""

    def at(state: State, seat: Seat) -> bool:
        if seat == state.turn != NOBODY:
            if not state.die and state.ready:
                return False
            if board_of(state.setting.box.map).kinds[state.places[seat]] is not kind:
                return False
            # DB-A4: in the shop he may load on arrival, not when he has only rolled.
            return kind is not Kind.SHOP or not state.die or state.steps != state.die
        return _comes_home(state, seat)  # on trust, all at once

    return at


def _rolls_first(state: State, seat: Seat) -> bool:
    """Tell whether the TABLE rolls for the first turn: before the tiles or after them (DB-R2, DB-R5)."""
    if seat != TABLE or roller(state) == NOBODY:
        return False
    return state.phase is Phase.START or state.setting.rulings.edition > 1


def _rolls(state: State, seat: Seat) -> bool:
    return seat == TABLE and state.turn != NOBODY and not state.die


def _sells(state: State, seat: Seat) -> bool:
    return seat == TABLE and not state.die


def _suffers(state: State, seat: Seat) -> bool:
    return seat == TABLE and state.die > 0


def _situation(state: State, seat: Seat) -> Hashable:
    """Return all that decides which verbs a seat may use."""
    phase, turn, die = state.phase, state.turn, state.die
    if seat == turn != NOBODY:
        kind = board_of(state.setting.box.map).kinds[state.places[seat]]
        return phase, state.ready, die > 0, state.steps == die, kind
    if 0 <= seat < state.setting.seats:
        return phase, turn == NOBODY, state.done[seat]
    return phase, seat == TABLE, turn == NOBODY, die > 0, phase is SETUP and _rolls_first(state, seat)


# --- Why a move is refused --------------------------------------------------------------------------------

_NOT_YOURS: Final = msg("this is not a move of that seat")

_LOAD: Final = ("DB-A4", msg("bakers load sous in their own shop, before the roll or on arrival"))
_UNLOAD: Final = ("DB-A4", msg("bakers put tokens away in their own shop, before the roll or on arrival"))
_FLOUR: Final = ("DB-R14", msg("flour is bought on a mill, before the die is asked for or after it"))
_BUTTER: Final = ("DB-R14", msg("butter is bought on a farm, before the die is asked for or after it"))
_WATER: Final = ("DB-R14", msg("water is taken at the fountain, before the die is asked for or after it"))
_READY: Final = ("DB-A18", msg("bakers ask for the die on their own turn, once"))
_WALK: Final = ("DB-R11", msg("bakers walk on their own turn, after the roll"))
_END: Final = ("DB-R11", msg("a turn is ended by its baker, after the roll"))
_STAY: Final = ("DB-R11", msg("bakers who stay at home say so on their own turn"))
_HOME: Final = ("DB-R17", msg("who came home is only said where every step is not keyed"))


def _elsewhere(where: Reason) -> Callable[[State, Seat, Args], Reason]:
    """Return what says why a baker cannot do now what is done on his own turn, at some place."""

    def why(state: State, seat: Seat, _: Args) -> Reason:
        if not _is_seat(state, seat):
            return _NOT_YOURS
        if state.phase is Phase.MOVE and NOBODY != state.turn != seat:
            return "DB-R8", msg("it is the turn of seat {n}", n=state.turn + 1)
        if state.ready:
            return "DB-A18", msg("the die is asked for")
        if state.phase is Phase.MOVE and state.turn == NOBODY and state.done[seat]:
            return "DB-R17", msg("this baker has come home for today")
        return where

    return why


def _no_die(state: State, seat: Seat, _: Args) -> Reason:
    if seat != TABLE:
        return _NOT_YOURS
    if state.phase is Phase.SALE:
        return msg("an incident is rolled for") if state.die else msg("a sale is rolled for")
    return msg("no die is due now")


def _one_to_six(_: State, __: Seat, args: Args) -> Reason:
    return msg("{n}; a die shows 1 to 6", n=" ".join(map(str, args)))


def _bakery_taken(state: State, seat: Seat, args: Args) -> Reason:
    if state.sides[seat] != NO_SIDE:
        return msg("seat {n} has the bakery {side} already", n=seat + 1, side=SIDE_NAMES[state.sides[seat]])
    *others, free = (name for side, name in enumerate(SIDE_NAMES) if side not in state.sides)
    for name in reversed(others):
        free = msg("{first}, {rest}", first=name, rest=free)
    return msg("that bakery is taken; free: {sides}", sides=free)


def _row_refused(state: State, seat: Seat, _: Args) -> Reason:
    if state.tiles[seat]:
        return msg("the tiles of seat {n} lie already", n=seat + 1)
    return msg("a row is each tile from 1 to {n} once", n=len(state.setting.box.tiles))


def _too_much(price: Callable[[Box], int], held: Callable[[State, Seat], int]) -> Callable[..., Reason]:
    """Return what says why an amount is refused: not enough sous, or no room."""

    def why(state: State, seat: Seat, args: Args) -> Reason:
        box = state.setting.box
        if len(args) == 1 and args[0] * price(box) > held(state, seat):
            return msg("not enough sous: {n}", n=held(state, seat))
        if args and args[0] < 1:
            return msg("an amount is 1 or more")
        return "DB-R10", msg("no more than {n} tokens on a baker", n=box.load_limit)

    return why


def _one_sou(_: Box) -> int:
    return 1


def _of_flour(box: Box) -> int:
    return box.price.flour


def _of_butter(box: Box) -> int:
    return box.price.butter


def _of_water(box: Box) -> int:
    return box.price.water


def _cash(state: State, seat: Seat) -> int:
    return state.cash[seat]


def _loaded_sous(state: State, seat: Seat) -> int:
    return state.loads[seat].sous


def _not_loaded(state: State, seat: Seat, _: Args) -> Reason:
    load = state.loads[seat]
    return (
        msg("on the baker are {flour} flour, {water} water, {butter} butter and {sous} sous", **load._asdict())
        if any(load)
        else msg("nothing is on the baker")
    )


def _step_refused(state: State, seat: Seat, args: Args) -> Reason:
    if not state.steps:
        return "DB-R11", msg("no steps are left")
    board, side = state.setting.box.board, state.sides[seat]
    if args in board.ways[side][state.places[seat]]:
        return "DB-R13", msg("another baker stands there")
    if args and args[0] in board.shops and args[0] != board.shops[side]:
        return "DB-A15", msg("that is the shop of another bakery")
    return msg("that square is not next to the baker")


def _bake_refused(state: State, seat: Seat, args: Args) -> Reason:
    goods, recipes = all_goods(state, seat), state.setting.box.recipes
    if args == state.products[seat]:
        return msg("so much is baked already")
    breads = how_many(goods, recipes[0])
    if len(args) != len(recipes) or min(args) < 0 or args[0] > breads:
        return msg("there is enough for {n} bread at most", "there is enough for {n} breads at most", n=breads)
    beside = how_many(left_after(goods, recipes, args[0], 0), recipes[1])
    return msg(
        "beside the bread there is enough for {n} croissant at most",
        "beside the bread there is enough for {n} croissants at most",
        n=beside,
    )


def _done_baking(state: State, seat: Seat, _: Args) -> Reason:
    if not _is_seat(state, seat):
        return _NOT_YOURS
    if state.phase is Phase.PRODUCE:
        return msg("this bakery has finished baking")
    return msg("baking begins when all bakers are at home")


def _no_setup(state: State, seat: Seat, _: Args) -> Reason:
    return msg("bakeries and tiles are chosen before the first round") if _is_seat(state, seat) else _NOT_YOURS


# --- The verbs --------------------------------------------------------------------------------------------

VERBS: Final = Verbs[State, Box](
    "Dé et Boulanger",
    {
        "bakery": Verb(
            "DB-R4", {Phase.SETUP}, _is_seat, _bakery_choices, apply_bakery, spelling.SIDE, _no_setup, _bakery_taken
        ),
        "tiles": Verb(
            "DB-R5", {Phase.SETUP}, _is_seat, _tiles_choices, apply_tiles, spelling.ROW, _no_setup, _row_refused
        ),
        "start": Verb(
            "DB-R2",
            {Phase.SETUP, Phase.START},
            _rolls_first,
            _any_roll,
            apply_start,
            spelling.DIE,
            _no_die,
            _one_to_six,
            draw=True,
        ),
        "step": Verb(
            "DB-R12",
            {Phase.MOVE},
            _walks,
            _step_choices,
            apply_step,
            spelling.SQUARE,
            _elsewhere(_WALK),
            _step_refused,
        ),
        "load": Verb(
            "DB-R9",
            {Phase.MOVE},
            _at(Kind.SHOP),
            _load_choices,
            apply_load,
            spelling.AMOUNT,
            _elsewhere(_LOAD),
            _too_much(_one_sou, _cash),
        ),
        "unload": Verb(
            "DB-R16",
            {Phase.MOVE},
            _at(Kind.SHOP),
            _unload_choices,
            apply_unload,
            spelling.TOKENS,
            _elsewhere(_UNLOAD),
            _not_loaded,
        ),
        "flour": Verb(
            "DB-R15",
            {Phase.MOVE},
            _at(Kind.MILL),
            _flour_choices,
            apply_flour,
            spelling.AMOUNT,
            _elsewhere(_FLOUR),
            _too_much(_of_flour, _loaded_sous),
        ),
        "butter": Verb(
            "DB-R15",
            {Phase.MOVE},
            _at(Kind.FARM),
            _butter_choices,
            apply_butter,
            spelling.AMOUNT,
            _elsewhere(_BUTTER),
            _too_much(_of_butter, _loaded_sous),
        ),
        "water": Verb(
            "DB-R15",
            {Phase.MOVE},
            _at(Kind.FOUNTAIN),
            _water_choices,
            apply_water,
            spelling.AMOUNT,
            _elsewhere(_WATER),
            _too_much(_of_water, _loaded_sous),
        ),
        "ready": Verb("DB-A18", {Phase.MOVE}, _asks, always, apply_ready, not_now=_elsewhere(_READY)),
        "roll": Verb(
            "DB-R8", {Phase.MOVE}, _rolls, _any_roll, apply_roll, spelling.DIE, _no_die, _one_to_six, draw=True
        ),
        "end": Verb("DB-R11", {Phase.MOVE}, _walks, always, apply_end, not_now=_elsewhere(_END)),
        "home": Verb(
            "DB-R17",
            {Phase.MOVE},
            _comes_home,
            _home_choices,
            apply_home,
            spelling.HOME,
            _elsewhere(_HOME),
            msg("1 is home, 0 is not"),
        ),
        "bake": Verb(
            "DB-R19",
            {Phase.PRODUCE},
            _bakes,
            _bake_choices,
            apply_bake,
            spelling.BAKED,
            _done_baking,
            _bake_refused,
        ),
        "validate": Verb("DB-R20", {Phase.PRODUCE}, _bakes, always, apply_validate, not_now=_done_baking),
        "sale": Verb(
            "DB-R21", {Phase.SALE}, _sells, _any_roll, apply_sale, spelling.DIE, _no_die, _one_to_six, draw=True
        ),
        "incident": Verb(
            "DB-R24",
            {Phase.SALE},
            _suffers,
            _any_roll,
            apply_incident,
            spelling.DIE,
            _no_die,
            _one_to_six,
            draw=True,
        ),
        "stay": Verb(
            "DB-R11",
            {Phase.MOVE},
            _passes,
            _stay_choices,
            apply_stay,
            not_now=_elsewhere(_STAY),
            refused=msg("only bakers in their own shop stay there"),
        ),
    },
    over=("DB-R27", Phase.OVER),
    situation=_situation,
)

_DRAWN: Final = {verb: tuple(Move(TABLE, verb, roll) for roll in _ROLLS) for verb in VERBS.draws}


def legal(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of one seat, or of the TABLE."""
    return _rolls_due(state) if seat == TABLE else VERBS.legal(state, seat)


def draws(state: State) -> Sequence[Move]:
    """Return the six rolls of the die that is due; not while seats choose, and in a turn only when he is ready."""
    phase = state.phase
    return () if phase is SETUP or (phase is MOVE and not state.ready) else _rolls_due(state)


def _rolls_due(state: State) -> Sequence[Move]:
    phase = state.phase
    if phase is MOVE:
        return _DRAWN["roll"] if _rolls(state, TABLE) else ()
    if phase is SALE:
        return _DRAWN["incident" if state.die else "sale"]
    return _DRAWN["start"] if phase in (SETUP, START) and _rolls_first(state, TABLE) else ()


def to_act(state: State) -> tuple[Seat, ...]:
    """Return who may move. A baker who has not rolled may go on loading, or his die may come."""
    phase = state.phase
    if phase is MOVE and state.turn != NOBODY:
        if state.die:
            return (state.turn,)
        return (TABLE,) if state.ready else (state.turn, TABLE)
    if phase is Phase.OVER:
        return ()
    if phase is SALE or phase is START:
        return (TABLE,)
    seats = each_seat(state.setting.seats)
    if phase is SETUP:
        choosing = tuple(seat for seat in seats if owes_setup(state, seat))
        return (*choosing, TABLE) if _rolls_first(state, TABLE) else choosing
    return tuple(seat for seat in seats if not state.done[seat])

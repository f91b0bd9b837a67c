"""Who may do what, and doing it: every legal move is listed here and nowhere else."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from companion.core.choices import ONE, Args, Choices, Moves
from companion.core.errors import IllegalMove
from companion.core.move import TABLE, Move, Seat, each_seat
from companion.core.text import Text, msg
from companion.games.de_et_boulanger.rules.board import SIDES, Kind, board_of
from companion.games.de_et_boulanger.rules.choices import Bakes, Orders, Parts
from companion.games.de_et_boulanger.rules.components import (
    AMOUNT_MOST,
    DRAWS,
    FACES,
    NO_SIDE,
    NOBODY,
    Phase,
    State,
    Told,
)
from companion.games.de_et_boulanger.rules.moving import (
    apply_butter,
    apply_end,
    apply_flour,
    apply_home,
    apply_load,
    apply_ready,
    apply_roll,
    apply_step,
    apply_unload,
    apply_water,
)
from companion.games.de_et_boulanger.rules.production import all_goods, apply_bake, apply_validate
from companion.games.de_et_boulanger.rules.sale import apply_incident, apply_sale
from companion.games.de_et_boulanger.rules.start import apply_bakery, apply_start, apply_tiles, owes_setup

_ROLLS: Final = tuple((die,) for die in range(1, FACES + 1))

_DRAWN: Final = {verb: tuple(Move(TABLE, verb, roll) for roll in _ROLLS) for verb in DRAWS}

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
    return Parts(state.loads[seat])


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


def _always(_: State, __: Seat) -> Choices:
    return ONE


def _any_roll(_: State, __: Seat) -> Choices:
    return _ROLLS


def _home_choices(_: State, __: Seat) -> Choices:
    return _YES_OR_NO


class _Verb(NamedTuple):
    """One kind of move: the paragraph that governs it, its legal arguments (the only place), what it does."""

    rule: str
    choices: Callable[[State, Seat], Choices]
    apply: Callable[[State, Seat, Args], Told]


_VERBS: Final = {
    "bakery": _Verb("DB-R4", _bakery_choices, apply_bakery),
    "tiles": _Verb("DB-R5", _tiles_choices, apply_tiles),
    "start": _Verb("DB-R2", _any_roll, apply_start),
    "load": _Verb("DB-R9", _load_choices, apply_load),
    "unload": _Verb("DB-R16", _unload_choices, apply_unload),
    "flour": _Verb("DB-R15", _flour_choices, apply_flour),
    "butter": _Verb("DB-R15", _butter_choices, apply_butter),
    "water": _Verb("DB-R15", _water_choices, apply_water),
    "ready": _Verb("DB-A18", _always, apply_ready),
    "roll": _Verb("DB-R8", _any_roll, apply_roll),
    "step": _Verb("DB-R12", _step_choices, apply_step),
    "end": _Verb("DB-R11", _always, apply_end),
    "home": _Verb("DB-R17", _home_choices, apply_home),
    "bake": _Verb("DB-R19", _bake_choices, apply_bake),
    "validate": _Verb("DB-R20", _always, apply_validate),
    "sale": _Verb("DB-R21", _any_roll, apply_sale),
    "incident": _Verb("DB-R24", _any_roll, apply_incident),
}

# What a baker may do where he stands, before the roll and after it.
_BEFORE: Final = {
    Kind.PLAIN: ("ready",),
    Kind.MILL: ("flour", "ready"),
    Kind.FARM: ("butter", "ready"),
    Kind.FOUNTAIN: ("water", "ready"),
    Kind.SHOP: ("load", "unload", "ready"),
}

_AFTER: Final = {
    Kind.PLAIN: ("step", "end"),
    Kind.MILL: ("step", "flour", "end"),
    Kind.FARM: ("step", "butter", "end"),
    Kind.FOUNTAIN: ("step", "water", "end"),
    Kind.SHOP: ("step", "load", "unload", "end"),
}

_NOT_ARRIVED: Final = ("step", "end")

_ON_TRUST: Final = ("load", "unload", "flour", "butter", "water", "home")


def to_act(state: State) -> tuple[Seat, ...]:
    """Return who may move. A baker who has not rolled may go on loading, or his die may come."""
    phase = state.phase
    if phase is Phase.MOVE and state.turn != NOBODY:
        if state.die:
            return (state.turn,)
        return (TABLE,) if state.ready else (state.turn, TABLE)
    if phase is Phase.OVER:
        return ()
    if phase in {Phase.START, Phase.SALE}:
        return (TABLE,)
    seats = each_seat(state.setting.seats)
    if phase is Phase.SETUP:
        return tuple(seat for seat in seats if owes_setup(state, seat))
    return tuple(seat for seat in seats if not state.done[seat])


def legal(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of one seat, or of the TABLE."""
    if seat == TABLE:
        return _rolls_due(state)
    return Moves(seat, *[(verb, _VERBS[verb].choices(state, seat)) for verb in _verbs_of(state, seat)])


def draws(state: State) -> Sequence[Move]:
    """Return the six rolls of the die that is due; in a baker's turn only when he is ready."""
    return _rolls_due(state) if state.ready or state.phase is not Phase.MOVE else ()


def _rolls_due(state: State) -> Sequence[Move]:
    verbs = _table_verbs(state)
    return _DRAWN[verbs[0]] if verbs else ()


def apply(state: State, move: Move) -> Told:
    """Return the position after a move and what to tell of it. Raise IllegalMove."""
    seat, name, args = move
    if name not in _verbs_of(state, seat):
        raise _refusal(state, move)
    verb = _VERBS[name]
    if args not in verb.choices(state, seat):
        raise _refusal(state, move)
    return verb.apply(state, seat, args)


def _verbs_of(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the kinds of moves that a seat, or the TABLE, may make now."""
    phase = state.phase
    if phase is Phase.MOVE and seat == state.turn != NOBODY:
        if not state.die and state.ready:
            return ()
        kind = board_of(state.setting.box.map).kinds[state.places[seat]]
        if not state.die:
            return _BEFORE[kind]
        # DB-A4: in the shop he may load on arrival, not when he has only rolled.
        return _NOT_ARRIVED if kind is Kind.SHOP and state.steps == state.die else _AFTER[kind]
    if seat == TABLE:
        return _table_verbs(state)
    if not 0 <= seat < state.setting.seats:
        return ()
    if phase is Phase.SETUP:
        return ("bakery", "tiles")
    if state.done[seat] or state.turn != NOBODY:
        return ()
    return {Phase.MOVE: _ON_TRUST, Phase.PRODUCE: ("bake", "validate")}.get(phase, ())


def _table_verbs(state: State) -> tuple[str, ...]:
    if state.phase is Phase.START:
        return ("start",)
    if state.phase is Phase.SALE:
        return ("incident",) if state.die else ("sale",)
    return ("roll",) if state.phase is Phase.MOVE and state.turn != NOBODY and not state.die else ()


def _refusal(state: State, move: Move) -> IllegalMove:
    """Say which paragraph refuses a move."""
    seat, name, _ = move
    if state.phase is Phase.OVER:
        return IllegalMove(seat, "DB-R27", msg("the match is over"))
    if name not in _VERBS:
        return IllegalMove(seat, "DB-R7", msg("Dé et Boulanger knows no move {name!r}", name=name))
    rule = _VERBS[name].rule
    if (seat == TABLE) != (name in DRAWS):
        return IllegalMove(seat, rule, msg("this is not a move of that seat"))
    if state.phase is Phase.MOVE and NOBODY != state.turn != seat != TABLE:
        return IllegalMove(seat, "DB-R8", msg("it is the turn of seat {n}", n=state.turn + 1))
    if state.ready and seat != TABLE:
        return IllegalMove(seat, "DB-A18", msg("the die is asked for"))
    if name in _verbs_of(state, seat):
        return IllegalMove(seat, *_refused_args(state, move))
    return IllegalMove(seat, *_NOT_NOW.get(name, (rule, msg("this move is not due now"))))


def _refused_args(state: State, move: Move) -> tuple[str, Text]:
    """Say why a move is refused that with other arguments could be made."""
    seat, name, args = move
    rule = _VERBS[name].rule
    if name == "step":
        if not state.steps:
            return "DB-R11", msg("no steps are left")
        board, side = state.setting.box.board, state.sides[seat]
        if args in board.ways[side][state.places[seat]]:
            return "DB-R13", msg("another baker stands there")
        if args and args[0] in board.shops and args[0] != board.shops[side]:
            return "DB-A15", msg("that is the shop of another bakery")
        return rule, msg("that square is not next to the baker, or closed to him")
    if name in {"load", "flour", "butter", "water"} and len(args) == 1 and args[0] > 0:
        price: dict[str, int] = {"load": 1, **state.setting.box.price._asdict()}
        held = state.cash[seat] if name == "load" else state.loads[seat].sous
        if args[0] * price[name] > held:
            return rule, msg("not enough sous: {n}", n=held)
        return "DB-R10", msg("no more than {n} tokens on a baker", n=state.setting.box.load_limit)
    return rule, _WRONG_ARGS.get(name, msg("this is not possible now"))


_NOT_NOW: Final = {
    "load": ("DB-A4", msg("sous are loaded in the own shop, before the roll or on arrival")),
    "unload": ("DB-A4", msg("tokens are put away in the own shop, before the roll or on arrival")),
    "flour": ("DB-R14", msg("flour is bought on a mill, before the die is asked for or after it")),
    "butter": ("DB-R14", msg("butter is bought on a farm, before the die is asked for or after it")),
    "water": ("DB-R14", msg("water is taken at the fountain, before the die is asked for or after it")),
    "ready": ("DB-A18", msg("the die is asked for in the own turn, once")),
    "step": ("DB-R11", msg("a baker walks in the own turn, after the roll")),
    "end": ("DB-R11", msg("a turn is ended by its baker, after the roll")),
}

_WRONG_ARGS: Final = {
    "bakery": msg("this bakery is taken, or one was chosen before"),
    "tiles": msg("each tile once, and the order was not chosen before"),
    "unload": msg("these tokens are not on the baker"),
    "bake": msg("not enough in the laboratory, or nothing changes"),
}

"""The verbs of Dé et Boulanger: the only place that says which moves are legal."""

from collections.abc import Callable, Hashable, Sequence
from typing import Final

from companion.core.choices import ONE, Args, Choices
from companion.core.errors import IllegalMove
from companion.core.event import EventFacts
from companion.core.move import TABLE, Move, Seat, each_seat
from companion.core.text import msg
from companion.core.verbs import Told, Verb, Verbs, Why, always, during, fixed
from companion.games.de_et_boulanger.rules import kinds, refusals, spelling
from companion.games.de_et_boulanger.rules.board import SIDES, Kind, board_of
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
    is_seat,
)
from companion.games.de_et_boulanger.rules.goods import Goods
from companion.games.de_et_boulanger.rules.moving import (
    apply_end,
    apply_home,
    apply_load,
    apply_ready,
    apply_roll,
    apply_stay,
    apply_step,
    apply_unload,
    buys,
)
from companion.games.de_et_boulanger.rules.production import all_goods, apply_bake, apply_validate
from companion.games.de_et_boulanger.rules.sale import apply_incident, apply_sale
from companion.games.de_et_boulanger.rules.start import (
    apply_bakery,
    apply_start,
    apply_tiles,
    owes_setup,
    rolls_first,
)

_ROLLS: Final = tuple((die,) for die in range(1, FACES + 1))
_any_roll: Final = fixed(_ROLLS)

_AMOUNTS: Final = tuple(tuple((n,) for n in range(1, most + 1)) for most in range(AMOUNT_MOST + 1))


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


def _step_choices(state: State, seat: Seat) -> Choices:
    if not state.steps:
        return ()
    board = board_of(state.setting.box.map)
    places = state.places
    ways = board.ways[state.sides[seat]][places[seat]]
    # DB-R13, DB-A13, DB-A14: only the fountain has room for several bakers.
    for way in ways:
        if way[0] in places and way[0] != board.fountain:
            return tuple(way for way in ways if way[0] not in places or way[0] == board.fountain)
    return ways


def _bake_choices(state: State, seat: Seat) -> Choices:
    return Bakes(all_goods(state, seat), state.setting.box.recipes, state.products[seat])


def _stay_choices(state: State, seat: Seat) -> Choices:
    return ONE if in_shop(state, seat) else ()


# --- Who may use a verb -----------------------------------------------------------------------------------


def _bakes(state: State, seat: Seat) -> bool:
    return 0 <= seat < state.setting.seats and not state.done[seat]


def _asks(state: State, seat: Seat) -> bool:
    return seat == state.turn != NOBODY and not state.die and not state.ready


def _walks(state: State, seat: Seat) -> bool:
    return seat == state.turn != NOBODY and state.die > 0


def _passes(state: State, seat: Seat) -> bool:
    """Return True if a baker may give up the remaining rolls: not while the die is due."""
    return seat == state.turn != NOBODY and (state.die > 0 or not state.ready)


def _comes_home(state: State, seat: Seat) -> bool:
    return state.turn == NOBODY and _bakes(state, seat)


def _at(kind: Kind) -> Callable[[State, Seat], bool]:
    """Return a predicate: the baker may use a place of this kind now (DB-R14)."""

    def at(state: State, seat: Seat) -> bool:
        if seat == state.turn != NOBODY:
            if not state.die and state.ready:
                return False
            if board_of(state.setting.box.map).kinds[state.places[seat]] is not kind:
                return False
            # DB-A4: loading is allowed on arrival, not right after the roll
            return kind is not Kind.SHOP or not state.die or state.steps != state.die
        return _comes_home(state, seat)  # trust mode: all at once

    return at


def _rolls_first(state: State, seat: Seat) -> bool:
    return seat == TABLE and rolls_first(state)


def _rolls(state: State, seat: Seat) -> bool:
    return seat == TABLE and state.turn != NOBODY and not state.die


def _sells(state: State, seat: Seat) -> bool:
    return seat == TABLE and not state.die


def _suffers(state: State, seat: Seat) -> bool:
    return seat == TABLE and state.die > 0


def _situation(state: State, seat: Seat) -> Hashable:
    """Return everything that decides which verbs a seat may use."""
    phase, turn, die = state.phase, state.turn, state.die
    if seat == turn != NOBODY:
        kind = board_of(state.setting.box.map).kinds[state.places[seat]]
        return phase, state.ready, die > 0, state.steps == die, kind
    if 0 <= seat < state.setting.seats:
        return phase, turn == NOBODY, state.done[seat]
    return phase, seat == TABLE, turn == NOBODY, die > 0, phase is SETUP and _rolls_first(state, seat)


# --- The verbs --------------------------------------------------------------------------------------------


def _trade(
    goods: str, told_as: Callable[[int, int], EventFacts], at: Kind, elsewhere: Why[State]
) -> Verb[State, Box]:
    place = Goods._fields.index(goods)

    def choices(state: State, seat: Seat) -> Choices:
        # Paid goods replace sous, so only free goods need room.
        load, price = state.loads[seat], state.setting.box.price[place]
        return _AMOUNTS[load.sous // price if price else state.setting.box.load_limit - sum(load)]

    return Verb(
        "DB-R15",
        during({Phase.MOVE}, _at(at), elsewhere),
        choices,
        buys(place, told_as),
        spelling.AMOUNT,
        refusals.too_much(lambda box: box.price[place], lambda state, seat: state.loads[seat].sous),
    )


def _die(
    rule: str,
    phases: set[str],
    by: Callable[[State, Seat], bool],
    apply: Callable[[State, Seat, Args, Told], State],
) -> Verb[State, Box]:
    return Verb(
        rule, during(phases, by, refusals.no_die), _any_roll, apply, spelling.DIE, refusals.one_to_six, draw=True
    )


VERBS: Final = Verbs[State, Box](
    "Dé et Boulanger",
    {
        "bakery": Verb(
            "DB-R4",
            during({Phase.SETUP}, is_seat, refusals.no_setup),
            _bakery_choices,
            apply_bakery,
            spelling.SIDE,
            refusals.bakery_taken,
        ),
        "tiles": Verb(
            "DB-R5",
            during({Phase.SETUP}, is_seat, refusals.no_setup),
            _tiles_choices,
            apply_tiles,
            spelling.ROW,
            refusals.row_refused,
        ),
        "start": _die("DB-R2", {Phase.SETUP, Phase.START}, _rolls_first, apply_start),
        "step": Verb(
            "DB-R12",
            during({Phase.MOVE}, _walks, refusals.WALK),
            _step_choices,
            apply_step,
            spelling.SQUARE,
            refusals.step_refused,
        ),
        "load": Verb(
            "DB-R9",
            during({Phase.MOVE}, _at(Kind.SHOP), refusals.LOAD),
            _load_choices,
            apply_load,
            spelling.AMOUNT,
            refusals.too_much(lambda _: 1, lambda state, seat: state.cash[seat]),
        ),
        "unload": Verb(
            "DB-R16",
            during({Phase.MOVE}, _at(Kind.SHOP), refusals.UNLOAD),
            _unload_choices,
            apply_unload,
            spelling.TOKENS,
            refusals.not_loaded,
        ),
        "flour": _trade("flour", kinds.Flour, Kind.MILL, refusals.FLOUR),
        "butter": _trade("butter", kinds.Butter, Kind.FARM, refusals.BUTTER),
        "water": _trade("water", kinds.Water, Kind.FOUNTAIN, refusals.WATER),
        "ready": Verb("DB-A18", during({Phase.MOVE}, _asks, refusals.READY), always, apply_ready),
        "roll": _die("DB-R8", {Phase.MOVE}, _rolls, apply_roll),
        "end": Verb("DB-R11", during({Phase.MOVE}, _walks, refusals.END), always, apply_end),
        "home": Verb(
            "DB-R17",
            during({Phase.MOVE}, _comes_home, refusals.HOME),
            fixed(((1,), (0,))),
            apply_home,
            spelling.HOME,
            msg("say 1 if the baker is home, 0 if not"),
        ),
        "bake": Verb(
            "DB-R19",
            during({Phase.PRODUCE}, _bakes, refusals.done_baking),
            _bake_choices,
            apply_bake,
            spelling.BAKED,
            refusals.bake_refused,
        ),
        "validate": Verb("DB-R20", during({Phase.PRODUCE}, _bakes, refusals.done_baking), always, apply_validate),
        "sale": _die("DB-R21", {Phase.SALE}, _sells, apply_sale),
        "incident": _die("DB-R24", {Phase.SALE}, _suffers, apply_incident),
        "stay": Verb(
            "DB-R11",
            during({Phase.MOVE}, _passes, refusals.STAY),
            _stay_choices,
            apply_stay,
            refused=refusals.no_stay,
        ),
    },
    over=("DB-R27", Phase.OVER),
    situation=_situation,
)

_DRAWN: Final = {verb: tuple(Move(TABLE, verb, roll) for roll in _ROLLS) for verb in VERBS.draws}


def legal(state: State, seat: Seat) -> Sequence[Move]:
    return _rolls_due(state) if seat == TABLE else VERBS.legal(state, seat)


def draws(state: State) -> Sequence[Move]:
    """Return the dealer's rolls: not during set-up, and in a turn only once the baker is ready."""
    phase = state.phase
    return () if phase is SETUP or (phase is MOVE and not state.ready) else _rolls_due(state)


def belongs(was: State, now: State, move: Move) -> None:
    """Raise IllegalMove for an `end` that gave up less in `was` than it would in `now`.

    Turns end by themselves when nothing is left to do; then the player has not given anything up.
    """
    if move.verb == "end" and not _left(now, move.seat) <= _left(was, move.seat):
        raise IllegalMove(move.seat, "DB-R11", msg("this turn ended when less was left to do than now"))


def _left(state: State, seat: Seat) -> set[str]:
    return {move.verb for move in legal(state, seat)}


def _rolls_due(state: State) -> Sequence[Move]:
    phase = state.phase
    if phase is MOVE:
        return _DRAWN["roll"] if _rolls(state, TABLE) else ()
    if phase is SALE:
        return _DRAWN["incident" if state.die else "sale"]
    return _DRAWN["start"] if phase in (SETUP, START) and _rolls_first(state, TABLE) else ()


def to_act(state: State) -> tuple[Seat, ...]:
    """Return who may move. Before the roll it is the TABLE, and until they are ready also the baker."""
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

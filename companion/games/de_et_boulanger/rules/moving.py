"""Moving and buying, until all bakers are home (DB-R7 to DB-R18)."""

from collections.abc import Callable

from companion.core.choices import Args
from companion.core.event import EventFacts
from companion.core.move import Seat, with_item
from companion.core.verbs import Told, tell
from companion.games.de_et_boulanger.rules import kinds
from companion.games.de_et_boulanger.rules.board import Kind, board_of
from companion.games.de_et_boulanger.rules.components import (
    NOBODY,
    Phase,
    State,
    in_shop,
)
from companion.games.de_et_boulanger.rules.goods import Load, put_away

# --- Moving and buying (DB-R7 to DB-R18) ----------------------------------------------------------------


def next_round(state: State, told: Told) -> State:
    trust = state.setting.rulings.movement == "trust"
    seats = state.setting.seats
    state = state._replace(
        phase=Phase.MOVE,
        round=state.round + 1,
        series=0 if trust else 1,
        turn=NOBODY if trust else state.order[0],
        die=0,
        trips=(False,) * seats,
        stayed=(False,) * seats,
        done=(0,) * seats,
        bonus=(0,) * seats,
    )
    tell(told, kinds.Round, round=state.round, of=state.setting.box.rounds)
    if trust:
        tell(told, kinds.Errands)
    else:
        _tell_turn(state, told)
    return state


def _tell_turn(state: State, told: Told) -> None:
    tell(told, kinds.Turn, state.turn, state.series, state.setting.box.rolls_per_round)


def apply_load(state: State, seat: Seat, args: Args, told: Told) -> State:
    (sous,) = args
    load, cash = state.loads[seat], state.cash[seat] - sous
    tell(told, kinds.Load, seat, sous, cash)
    return state._replace(
        loads=with_item(state.loads, seat, load._replace(sous=load.sous + sous)),
        cash=with_item(state.cash, seat, cash),
    )


def apply_unload(state: State, seat: Seat, args: Args, told: Told) -> State:
    flour, water, butter, sous = args
    load = state.loads[seat]
    left = Load(load.flour - flour, load.water - water, load.butter - butter, load.sous - sous)
    tell(told, kinds.Unload, seat, *args)
    return state._replace(
        loads=with_item(state.loads, seat, left),
        labs=with_item(state.labs, seat, put_away(state.labs[seat], Load(*args))),
        cash=with_item(state.cash, seat, state.cash[seat] + sous),
    )


def buys(place: int, kind: Callable[[int, int], EventFacts]) -> Callable[[State, Seat, Args, Told], State]:
    """Return the `apply` of a purchase; `place` is the index in Goods."""

    def apply(state: State, seat: Seat, args: Args, told: Told) -> State:
        (n,) = args
        paid = n * state.setting.box.price[place]
        tokens = list(state.loads[seat])
        tokens[place] += n
        tokens[-1] -= paid
        tell(told, kind, seat, n, paid)
        return state._replace(loads=with_item(state.loads, seat, Load(*tokens)))

    return apply


def apply_ready(state: State, _: Seat, __: Args, ___: Told) -> State:
    return state._replace(ready=True)


def apply_roll(state: State, _: Seat, args: Args, told: Told) -> State:
    (die,) = args
    tell(told, kinds.Roll, state.turn, die)
    return state._replace(ready=False, die=die, steps=die)


def apply_step(state: State, seat: Seat, args: Args, told: Told) -> State:
    (square,) = args
    box, rulings, _ = state.setting
    board = board_of(box.map)
    steps, kind = state.steps - 1, board.kinds[square]
    if rulings.shop_stops_move and kind is Kind.SHOP:
        steps = 0  # DB-A6
    tell(told, kinds.Step, seat, board.names[square], str(kind), steps)
    return state._replace(
        trips=with_item(state.trips, seat, True),  # the first step of a phase always leaves the shop
        places=with_item(state.places, seat, square),
        steps=steps,
    )


def apply_end(state: State, seat: Seat, _: Args, told: Told) -> State:
    state = _turn_ended(state, told)
    while state.phase is Phase.MOVE and state.done[state.turn]:
        state = _turn_ended(state, told)  # bakers who stay at home need no roll
    if state.phase is Phase.MOVE:
        _tell_turn(state, told)
    return state


def apply_stay(state: State, seat: Seat, args: Args, told: Told) -> State:
    tell(told, kinds.Stay, seat)
    return apply_end(state._replace(done=with_item(state.done, seat, 1)), seat, args, told)


def _turn_ended(state: State, told: Told) -> State:
    """Pass the turn on, or end the phase after its last turn."""
    seat, order, series = state.turn, state.order, state.series
    last_series = series == state.setting.box.rolls_per_round
    if _stays(state, seat):  # DB-A7
        state = state._replace(stayed=with_item(state.stayed, seat, True))
    after_own = state.setting.rulings.carried_home == "after_own"  # DB-A9
    if last_series and after_own:
        state = _home(state, seat, told)
    place = order.index(seat) + 1
    if place == len(order):
        if last_series:
            return _production(state, told) if after_own else _all_home(state, told)
        place = 0
        state = state._replace(series=series + 1)  # DB-R8
    return state._replace(turn=order[place], ready=False, die=0, steps=0)


def apply_home(state: State, seat: Seat, args: Args, told: Told) -> State:
    (home,) = args
    state = state._replace(done=with_item(state.done, seat, 1), bonus=with_item(state.bonus, seat, home))
    tell(told, kinds.Home, seat, home=home)
    return _all_home(state, told) if all(state.done) else state


def _stays(state: State, seat: Seat) -> bool:
    """Return True if a baker who has not left could leave in the turn that ends now."""
    if state.trips[seat]:
        return False
    board, places = board_of(state.setting.box.map), state.places
    doors = board.ways[state.sides[seat]][places[seat]]
    return any(door[0] not in places or door[0] == board.fountain for door in doors)


def _home(state: State, seat: Seat, told: Told) -> State:
    box, rulings, _ = state.setting
    home = state.bonus[seat] if rulings.movement == "trust" else in_shop(state, seat)
    load, cash = state.loads[seat], state.cash[seat]
    if _is_paid(state, seat):
        cash += box.home_bonus
        tell(told, kinds.Bonus, seat, sous=box.home_bonus, cash=cash)
    if not home:
        tell(told, kinds.Carried, seat)
    if any(load):
        tell(told, kinds.Unload, seat, *load)
    return state._replace(
        places=with_item(state.places, seat, box.board.shops[state.sides[seat]]),
        loads=with_item(state.loads, seat, Load()),
        cash=with_item(state.cash, seat, cash + load.sous),
        labs=with_item(state.labs, seat, put_away(state.labs[seat], load)),
    )


def _is_paid(state: State, seat: Seat) -> bool:
    """Return True if a baker gets the bonus at the end of the phase (DB-R17, DB-A7)."""
    rulings = state.setting.rulings
    if rulings.movement == "trust":
        return bool(state.bonus[seat])
    return in_shop(state, seat) and (state.trips[seat] or not (state.stayed[seat] and rulings.bonus_needs_trip))


def earns_bonus(state: State, seat: Seat) -> bool:
    """Return True if a baker would get the bonus if brought home now, and has not had it."""
    rulings = state.setting.rulings
    if rulings.movement == "full":
        if rulings.carried_home == "after_own" and _was_brought_home(state, seat):
            return False
        if rulings.bonus_needs_trip and not state.trips[seat]:
            walks = seat == state.turn and state.die > 0
            began = walks or state.series > 1 or state.order.index(seat) < state.order.index(state.turn)
            if not began or (walks and _stays(state, seat)):
                return False
    return _is_paid(state, seat)


def _was_brought_home(state: State, seat: Seat) -> bool:
    order = state.order
    return state.series == state.setting.box.rolls_per_round and order.index(seat) < order.index(state.turn)


def _production(state: State, told: Told) -> State:
    tell(told, kinds.Production)
    return state._replace(phase=Phase.PRODUCE, turn=NOBODY, die=0, steps=0, done=(0,) * state.setting.seats)


def _all_home(state: State, told: Told) -> State:
    for seat in state.order:
        state = _home(state, seat, told)
    return _production(state, told)

"""Moving and buying: from the first roll of a round until all bakers are home (DB-R7 to DB-R18)."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from companion.core.choices import Args
from companion.core.event import Event, event
from companion.core.move import Seat
from companion.games.de_et_boulanger.rules import kinds
from companion.games.de_et_boulanger.rules.board import Kind, board_of
from companion.games.de_et_boulanger.rules.components import (
    NOBODY,
    Phase,
    State,
    Told,
    in_shop,
    with_item,
)
from companion.games.de_et_boulanger.rules.goods import Load, put_away

# --- Moving and buying (DB-R7 to DB-R18) ----------------------------------------------------------------


def next_round(state: State) -> Told:
    trust = state.setting.rulings.movement == "trust"
    seats = state.setting.seats
    state = state._replace(
        phase=Phase.MOVE,
        round=state.round + 1,
        series=0 if trust else 1,
        turn=NOBODY if trust else state.order[0],
        die=0,
        trips=(False,) * seats,
        done=(0,) * seats,
        bonus=(0,) * seats,
    )
    opened = event(kinds.Round(round=state.round, of=state.setting.box.rounds))
    return state, (opened, event(kinds.Errands()) if trust else _turn_event(state))


def _turn_event(state: State) -> Event:
    return _turn_told(state.turn, state.series, state.setting.box.rolls_per_round)


# Loads and trades are made often: each builds its load by itself, in half the time of `_replace`.
def apply_load(state: State, seat: Seat, args: Args) -> Told:
    (sous,) = args
    load, cash = state.loads[seat], state.cash[seat] - sous
    state = state._replace(
        loads=with_item(state.loads, seat, Load(load.flour, load.water, load.butter, load.sous + sous)),
        cash=with_item(state.cash, seat, cash),
    )
    return state, (_load_told(seat, sous, cash),)


def apply_unload(state: State, seat: Seat, args: Args) -> Told:
    flour, water, butter, sous = args
    load = state.loads[seat]
    left = Load(load.flour - flour, load.water - water, load.butter - butter, load.sous - sous)
    state = state._replace(
        loads=with_item(state.loads, seat, left),
        labs=with_item(state.labs, seat, put_away(state.labs[seat], Load(*args))),
        cash=with_item(state.cash, seat, state.cash[seat] + sous),
    )
    return state, (unload_event(seat, args),)


def apply_flour(state: State, seat: Seat, args: Args) -> Told:
    (n,) = args
    load, paid = state.loads[seat], n * state.setting.box.price.flour
    loaded = Load(load.flour + n, load.water, load.butter, load.sous - paid)
    return state._replace(loads=with_item(state.loads, seat, loaded)), (_trade_told(seat, kinds.Flour, n, paid),)


def apply_water(state: State, seat: Seat, args: Args) -> Told:
    (n,) = args
    load, paid = state.loads[seat], n * state.setting.box.price.water
    loaded = Load(load.flour, load.water + n, load.butter, load.sous - paid)
    return state._replace(loads=with_item(state.loads, seat, loaded)), (_trade_told(seat, kinds.Water, n, paid),)


def apply_butter(state: State, seat: Seat, args: Args) -> Told:
    (n,) = args
    load, paid = state.loads[seat], n * state.setting.box.price.butter
    loaded = Load(load.flour, load.water, load.butter + n, load.sous - paid)
    return state._replace(loads=with_item(state.loads, seat, loaded)), (_trade_told(seat, kinds.Butter, n, paid),)


def apply_ready(state: State, seat: Seat, _: Args) -> Told:
    return state._replace(ready=True), ()


def apply_roll(state: State, _: Seat, args: Args) -> Told:
    (die,) = args
    return state._replace(ready=False, die=die, steps=die), (_roll_told(state.turn, die),)


def apply_step(state: State, seat: Seat, args: Args) -> Told:
    (square,) = args
    box, rulings, _ = state.setting
    board = board_of(box.map)
    steps, trips = state.steps - 1, state.trips
    kind = board.kinds[square]
    if kind is Kind.SHOP and rulings.shop_stops_move:
        steps = 0  # DB-A6
    if not trips[seat]:
        trips = with_item(trips, seat, True)  # the first step of a phase is always out of the shop
    state = state._replace(steps=steps, places=with_item(state.places, seat, square), trips=trips)
    return state, (_step_told(seat, board.names[square], kind, steps),)


def apply_end(state: State, seat: Seat, _: Args) -> Told:
    order, series = state.order, state.series
    place = order.index(seat) + 1
    if place == len(order):
        if series == state.setting.box.rolls_per_round:
            return _go_home(state, ())
        place, series = 0, series + 1  # DB-R8
    state = state._replace(series=series, turn=order[place], die=0, steps=0)
    return state, (_turn_event(state),)


def apply_home(state: State, seat: Seat, args: Args) -> Told:
    (home,) = args
    state = state._replace(done=with_item(state.done, seat, 1), bonus=with_item(state.bonus, seat, home))
    told = (event(kinds.Home(home=home), seat),)
    return _go_home(state, told) if all(state.done) else (state, told)


def _go_home(state: State, told: tuple[Event, ...]) -> Told:
    """All bakers come home at once (DB-A9): who was there gets the bonus, and every load is put away."""
    box, rulings, seats = state.setting
    events, cash, labs = list(told), list(state.cash), list(state.labs)
    for seat in state.order:
        load = state.loads[seat]
        trust = rulings.movement == "trust"
        home = state.bonus[seat] if trust else in_shop(state, seat)
        if home and (trust or state.trips[seat] or not rulings.bonus_needs_trip):  # DB-R17, DB-A7
            cash[seat] += box.home_bonus
            events.append(event(kinds.Bonus(sous=box.home_bonus, cash=cash[seat]), seat))
        if not home:
            events.append(event(kinds.Carried(), seat))  # DB-R18
        if any(load):
            cash[seat] += load.sous
            labs[seat] = put_away(labs[seat], load)
            events.append(unload_event(seat, load))
    state = state._replace(
        phase=Phase.PRODUCE,
        turn=NOBODY,
        die=0,
        steps=0,
        places=tuple(box.board.shops[side] for side in state.sides),
        loads=(Load(),) * seats,
        cash=tuple(cash),
        labs=tuple(labs),
        done=(0,) * seats,
    )
    return state, (*events, event(kinds.Production()))


# --- Events of the moves that are made most often: there are few different ones, so each is built once --


@cache
def _turn_told(seat: Seat, series: int, of: int) -> Event:
    return event(kinds.Turn(series=series, of=of), seat)


@cache
def _load_told(seat: Seat, sous: int, cash: int) -> Event:
    return event(kinds.Load(sous=sous, cash=cash), seat)


@cache
def unload_event(seat: Seat, tokens: Args) -> Event:
    return event(kinds.Unload(*Load(*tokens)), seat)


@cache
def _trade_told(seat: Seat, what: Callable[[int, int], NamedTuple], n: int, paid: int) -> Event:
    return event(what(n, paid), seat)


@cache
def _roll_told(seat: Seat, die: int) -> Event:
    return event(kinds.Roll(die=die), seat)


@cache
def _step_told(seat: Seat, to: str, kind: Kind, steps: int) -> Event:
    return event(kinds.Step(to=to, at=str(kind), steps=steps), seat)

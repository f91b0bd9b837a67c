"""Dé et Boulanger: fetch, bake and sell for five days. docs/rules/de_et_boulanger.md, in its order.

Nothing is secret. A square is a number (board.py); tokens are counted; a tile is its place in the box's list.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from companion.core.choices import ONE, Args, Choices, Moves
from companion.core.errors import IllegalMove, OptionError
from companion.core.event import Event, event
from companion.core.move import TABLE, Move, Seat
from companion.core.rules import Outcome
from companion.core.text import Text, msg
from companion.games.de_et_boulanger.board import SIDES, Kind, Square, board_of
from companion.games.de_et_boulanger.choices import Bakes, Orders, Parts
from companion.games.de_et_boulanger.components import (
    AMOUNT_MOST,
    FACES,
    INCIDENT,
    NO_SIDE,
    NOBODY,
    NOWHERE,
    OUT,
    Box,
    Phase,
    Rulings,
    Setting,
    State,
    in_shop,
    tile_text,
    under_marker,
)
from companion.games.de_et_boulanger.goods import Goods, Load, Products, left_after, put_away

SEATS: Final = range(2, 5, 2)

DRAWS: Final = frozenset({"start", "roll", "sale", "incident"})

SECRETS: Final[frozenset[str]] = frozenset()

Told = tuple[State, tuple[Event, ...]]
"""The position after a move, and what to tell of it."""


# --- Set-up (DB-R1 to DB-R6) ------------------------------------------------------------------------------


def setup(box: Box, rulings: Rulings, seats: int) -> State:
    """Return the position before bakeries and tiles are chosen. Raise OptionError."""
    if seats not in SEATS:
        raise OptionError(msg("Dé et Boulanger is for 2 or 4 players, not {n}", n=seats))  # DB-R1
    return State(
        setting=Setting(box, rulings, seats),
        phase=Phase.SETUP,
        round=0,
        series=0,
        order=(),
        turn=NOBODY,
        ready=False,
        die=0,
        steps=0,
        rolls=(0,) * seats,
        sides=(NO_SIDE,) * seats,
        places=(NOWHERE,) * seats,
        trips=(False,) * seats,
        loads=(Load(),) * seats,
        cash=(box.start_sous,) * seats,  # DB-R6
        labs=(Goods(),) * seats,
        products=(Products(),) * seats,
        done=(0,) * seats,
        bonus=(0,) * seats,
        tiles=((),) * seats,
        markers=(0,) * seats,
    )


def _bakery(state: State, seat: Seat, args: Args) -> Told:
    side, sides = args[0], state.sides
    chosen = [(seat, side)]
    if state.setting.seats == 2:
        chosen.append((1 - seat, (side + 2) % len(SIDES)))  # DB-R4: face to face
    shops = state.setting.box.board.shops
    places = state.places
    for owner, own in chosen:
        sides, places = _put(sides, owner, own), _put(places, owner, shops[own])
    told = tuple(event("bakery", owner, side=SIDES[own]) for owner, own in chosen)
    return _when_set_up(state._replace(sides=sides, places=places), told)


def _tiles(state: State, seat: Seat, args: Args) -> Told:
    row = tuple(tile_text(state.setting.box.tiles[tile]) for tile in args)
    state = state._replace(tiles=_put(state.tiles, seat, args))
    return _when_set_up(state, (event("tiles", seat, tiles=row),))


def _when_set_up(state: State, told: tuple[Event, ...]) -> Told:
    if any(_owes_setup(state, seat) for seat in range(state.setting.seats)):
        return state, told
    return state._replace(phase=Phase.START, turn=0), (*told, event("start_rolls"))


def _owes_setup(state: State, seat: Seat) -> bool:
    return state.sides[seat] == NO_SIDE or not state.tiles[seat]


def _start(state: State, _: Seat, args: Args) -> Told:
    rolls = _put(state.rolls, state.turn, args[0])
    told: tuple[Event, ...] = (event("start_roll", state.turn, die=args[0]),)
    if 0 in rolls:
        return state._replace(rolls=rolls, turn=rolls.index(0)), told
    best = tuple(seat for seat, roll in enumerate(rolls) if roll == max(rolls))
    if len(best) > 1:  # DB-A19
        again = tuple(0 if seat in best else OUT for seat in range(len(rolls)))
        state = state._replace(rolls=again, turn=best[0])
        return state, (*told, event("start_again", seats=best))
    seats = state.setting.seats
    order = tuple((best[0] - step) % seats for step in range(seats))  # DB-R3: counter-clockwise
    state, opened = _next_round(state._replace(rolls=rolls, order=order))
    return state, (*told, event("first", best[0], seats=order), *opened)


# --- Moving and buying (DB-R7 to DB-R18) ------------------------------------------------------------------


def _next_round(state: State) -> Told:
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
    opened = event("round", round=state.round, of=state.setting.box.rounds)
    return state, (opened, event("errands") if trust else _turn_event(state))


def _turn_event(state: State) -> Event:
    return _turn_told(state.turn, state.series, state.setting.box.rolls_per_round)


# Loads and trades are made often: each builds its load by itself, in half the time of `_replace`.
def _load(state: State, seat: Seat, args: Args) -> Told:
    (sous,) = args
    load, cash = state.loads[seat], state.cash[seat] - sous
    state = state._replace(
        loads=_put(state.loads, seat, Load(load.flour, load.water, load.butter, load.sous + sous)),
        cash=_put(state.cash, seat, cash),
    )
    return state, (_load_told(seat, sous, cash),)


def _unload(state: State, seat: Seat, args: Args) -> Told:
    flour, water, butter, sous = args
    load = state.loads[seat]
    left = Load(load.flour - flour, load.water - water, load.butter - butter, load.sous - sous)
    state = state._replace(
        loads=_put(state.loads, seat, left),
        labs=_put(state.labs, seat, put_away(state.labs[seat], Load(*args))),
        cash=_put(state.cash, seat, state.cash[seat] + sous),
    )
    return state, (_unload_told(seat, args),)


def _flour(state: State, seat: Seat, args: Args) -> Told:
    (n,) = args
    load, paid = state.loads[seat], n * state.setting.box.price.flour
    loaded = Load(load.flour + n, load.water, load.butter, load.sous - paid)
    return state._replace(loads=_put(state.loads, seat, loaded)), (_trade_told(seat, "flour", n, paid),)


def _water(state: State, seat: Seat, args: Args) -> Told:
    (n,) = args
    load, paid = state.loads[seat], n * state.setting.box.price.water
    loaded = Load(load.flour, load.water + n, load.butter, load.sous - paid)
    return state._replace(loads=_put(state.loads, seat, loaded)), (_trade_told(seat, "water", n, paid),)


def _butter(state: State, seat: Seat, args: Args) -> Told:
    (n,) = args
    load, paid = state.loads[seat], n * state.setting.box.price.butter
    loaded = Load(load.flour, load.water, load.butter + n, load.sous - paid)
    return state._replace(loads=_put(state.loads, seat, loaded)), (_trade_told(seat, "butter", n, paid),)


def _ready(state: State, seat: Seat, _: Args) -> Told:
    return state._replace(ready=True), ()


def _roll(state: State, _: Seat, args: Args) -> Told:
    (die,) = args
    return state._replace(ready=False, die=die, steps=die), (_roll_told(state.turn, die),)


def _step(state: State, seat: Seat, args: Args) -> Told:
    (square,) = args
    box, rulings, _ = state.setting
    board = board_of(box.map)
    steps, trips = state.steps - 1, state.trips
    kind = board.kinds[square]
    if kind is Kind.SHOP and rulings.shop_stops_move:
        steps = 0  # DB-A6
    if not trips[seat]:
        trips = _put(trips, seat, True)  # the first step of a phase is always out of the shop
    state = state._replace(steps=steps, places=_put(state.places, seat, square), trips=trips)
    return state, (_step_told(seat, board.names[square], kind, steps),)


def _end(state: State, seat: Seat, _: Args) -> Told:
    order, series = state.order, state.series
    place = order.index(seat) + 1
    if place == len(order):
        if series == state.setting.box.rolls_per_round:
            return _go_home(state, ())
        place, series = 0, series + 1  # DB-R8
    state = state._replace(series=series, turn=order[place], die=0, steps=0)
    return state, (_turn_event(state),)


def _home(state: State, seat: Seat, args: Args) -> Told:
    (home,) = args
    state = state._replace(done=_put(state.done, seat, 1), bonus=_put(state.bonus, seat, home))
    told = (event("home", seat, home=home),)
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
            events.append(event("bonus", seat, sous=box.home_bonus, cash=cash[seat]))
        if not home:
            events.append(event("carried", seat))  # DB-R18
        if any(load):
            cash[seat] += load.sous
            labs[seat] = put_away(labs[seat], load)
            events.append(_unload_told(seat, load))
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
    return state, (*events, event("production"))


# --- Production (DB-R19, DB-R20) --------------------------------------------------------------------------


def _bake(state: State, seat: Seat, args: Args) -> Told:
    bread, croissant = args
    lab = left_after(_all_goods(state, seat), state.setting.box.recipes, bread, croissant)
    state = state._replace(
        labs=_put(state.labs, seat, lab), products=_put(state.products, seat, Products(bread, croissant))
    )
    return state, (event("bake", seat, bread=bread, croissant=croissant, **lab._asdict()),)


def _all_goods(state: State, seat: Seat) -> Goods:
    """Return what the laboratory would hold if nothing had been baked yet."""
    bread, croissant = state.products[seat]
    return left_after(state.labs[seat], state.setting.box.recipes, -bread, -croissant)


def _validate(state: State, seat: Seat, _: Args) -> Told:
    state = state._replace(done=_put(state.done, seat, 1))
    told = event("validate", seat)
    if not all(state.done):
        return state, (told,)
    state = state._replace(phase=Phase.SALE, turn=state.order[0])
    return state, (told, event("selling"))


# --- Sale (DB-R21 to DB-R26) ------------------------------------------------------------------------------


def _sale(state: State, _: Seat, args: Args) -> Told:
    seat, (die,) = state.turn, args
    at = under_marker(state, seat, die)
    tile = state.setting.box.tiles[state.tiles[seat][at]]
    told = event("sale", seat, die=die, tile=tile_text(tile))
    state = state._replace(markers=_put(state.markers, seat, at))
    if tile == INCIDENT:
        return state._replace(die=die), (told,)
    baked, price = state.products[seat], state.setting.box.sell
    sold = Products(min(baked.bread, tile[0]), min(baked.croissant, tile[1]))  # DB-R22, DB-A23
    earned = sold.bread * price.bread + sold.croissant * price.croissant
    cash = state.cash[seat] + earned
    events = [told, event("sold", seat, **sold._asdict(), sous=earned, cash=cash)]
    left = Products(baked.bread - sold.bread, baked.croissant - sold.croissant)
    return _sold_out(state._replace(cash=_put(state.cash, seat, cash)), left, events)


def _incident(state: State, _: Seat, args: Args) -> Told:
    seat, (die,) = state.turn, args
    effect = state.setting.box.effects[die - 1]
    events = [event("incident", seat, die=die, effect=effect)]
    if effect == "earthquake":
        if any(state.labs[seat]):
            events.append(event("ruined", seat, **state.labs[seat]._asdict()))
        state = state._replace(labs=_put(state.labs, seat, Goods()))
    elif effect == "gift":
        given = state.cash[seat] // 2  # half, and of an odd number half of one less; DB-A26
        cash = state.cash[seat] - given
        events.append(event("gift", seat, sous=given, cash=cash))
        state = state._replace(cash=_put(state.cash, seat, cash))
    return _sold_out(state, state.products[seat], events)


def _sold_out(state: State, left: Products, events: list[Event]) -> Told:
    """Lose what was not sold (DB-R23), take the tile away (DB-R25), and go on to the next seller."""
    seat, box = state.turn, state.setting.box
    if any(left):
        events.append(event("lost", seat, **left._asdict()))
    row, at = state.tiles[seat], state.markers[seat]
    rest = (*row[:at], *row[at + 1 :])
    marker = at % len(rest)  # DB-A24: behind the last one comes the first
    events.append(
        event("tile_used", seat, tile=tile_text(box.tiles[row[at]]), marker=tile_text(box.tiles[rest[marker]]))
    )
    state = state._replace(
        products=_put(state.products, seat, Products()),
        tiles=_put(state.tiles, seat, rest),
        markers=_put(state.markers, seat, marker),
        die=0,
    )
    place = state.order.index(seat) + 1
    if place < len(state.order):
        return state._replace(turn=state.order[place]), tuple(events)
    if state.round < box.rounds:
        state, opened = _next_round(state)
        return state, (*events, *opened)
    state = state._replace(phase=Phase.OVER, turn=NOBODY)
    result = outcome(state)
    assert result is not None
    return state, (*events, event("over", ranking=result.ranking, cash=state.cash))


# --- End (DB-R27) -----------------------------------------------------------------------------------------


def outcome(state: State) -> Outcome | None:
    """Return the ranking by what the cash boxes hold; equal ones share a place (DB-A28)."""
    if state.phase is not Phase.OVER:
        return None
    cash = state.cash
    amounts = sorted(set(cash), reverse=True)
    ranking = [tuple(seat for seat, sous in enumerate(cash) if sous == amount) for amount in amounts]
    return Outcome(tuple(ranking), msg("the most sous in the cash box win"))


# --- Events of the moves that are made most often: there are few different ones, so each is built once ----


@cache
def _turn_told(seat: Seat, series: int, of: int) -> Event:
    return event("turn", seat, series=series, of=of)


@cache
def _load_told(seat: Seat, sous: int, cash: int) -> Event:
    return event("load", seat, sous=sous, cash=cash)


@cache
def _unload_told(seat: Seat, tokens: Args) -> Event:
    return event("unload", seat, **Load(*tokens)._asdict())


@cache
def _trade_told(seat: Seat, what: str, n: int, paid: int) -> Event:
    return event(what, seat, n=n, sous=paid)


@cache
def _roll_told(seat: Seat, die: int) -> Event:
    return event("roll", seat, die=die)


@cache
def _step_told(seat: Seat, to: str, kind: Kind, steps: int) -> Event:
    return event("step", seat, to=to, at=str(kind), steps=steps)


# --- The contract: who may do what, and doing it ----------------------------------------------------------

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
    return Bakes(_all_goods(state, seat), state.setting.box.recipes, state.products[seat])


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
    "bakery": _Verb("DB-R4", _bakery_choices, _bakery),
    "tiles": _Verb("DB-R5", _tiles_choices, _tiles),
    "start": _Verb("DB-R2", _any_roll, _start),
    "load": _Verb("DB-R9", _load_choices, _load),
    "unload": _Verb("DB-R16", _unload_choices, _unload),
    "flour": _Verb("DB-R15", _flour_choices, _flour),
    "butter": _Verb("DB-R15", _butter_choices, _butter),
    "water": _Verb("DB-R15", _water_choices, _water),
    "ready": _Verb("DB-A18", _always, _ready),
    "roll": _Verb("DB-R8", _any_roll, _roll),
    "step": _Verb("DB-R12", _step_choices, _step),
    "end": _Verb("DB-R11", _always, _end),
    "home": _Verb("DB-R17", _home_choices, _home),
    "bake": _Verb("DB-R19", _bake_choices, _bake),
    "validate": _Verb("DB-R20", _always, _validate),
    "sale": _Verb("DB-R21", _any_roll, _sale),
    "incident": _Verb("DB-R24", _any_roll, _incident),
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
    seats = range(state.setting.seats)
    if phase is Phase.SETUP:
        return tuple(seat for seat in seats if _owes_setup(state, seat))
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


# --- Views ------------------------------------------------------------------------------------------------


class View(NamedTuple):
    """What an audience may see; here all see everything. `you` is the reader, the rest is as in State."""

    you: Seat | None
    box: Box
    rulings: Rulings
    phase: Phase
    round: int
    series: int
    order: tuple[Seat, ...]
    turn: Seat
    ready: bool
    die: int
    steps: int
    rolls: tuple[int, ...]
    sides: tuple[int, ...]
    places: tuple[Square, ...]
    trips: tuple[bool, ...]
    loads: tuple[Load, ...]
    cash: tuple[int, ...]
    labs: tuple[Goods, ...]
    products: tuple[Products, ...]
    done: tuple[int, ...]
    bonus: tuple[int, ...]
    tiles: tuple[tuple[int, ...], ...]
    markers: tuple[int, ...]
    outcome: Outcome | None


def view(state: State, seat: Seat | None) -> View:
    """Return what a seat, or everybody, may see: all of it."""
    return View(
        you=seat,
        box=state.setting.box,
        rulings=state.setting.rulings,
        phase=state.phase,
        round=state.round,
        series=state.series,
        order=state.order,
        turn=state.turn,
        ready=state.ready,
        die=state.die,
        steps=state.steps,
        rolls=state.rolls,
        sides=state.sides,
        places=state.places,
        trips=state.trips,
        loads=state.loads,
        cash=state.cash,
        labs=state.labs,
        products=state.products,
        done=state.done,
        bonus=state.bonus,
        tiles=state.tiles,
        markers=state.markers,
        outcome=outcome(state),
    )


def position(view: View) -> State:
    """Return the position that a view shows, for those who think ahead from it."""
    # A view has the fields of a state in the same order, between its reader, box and rulings and its outcome.
    return State(Setting(view.box, view.rulings, len(view.cash)), *view[3:-1])


def _put(values: tuple[Any, ...], seat: Seat, value: Any) -> tuple[Any, ...]:
    return (*values[:seat], value, *values[seat + 1 :])

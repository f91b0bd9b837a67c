"""Set-up: bakeries, tiles and the starting player (DB-R1 to DB-R6)."""

from companion.core.choices import Args
from companion.core.errors import OptionError
from companion.core.event import event
from companion.core.handicaps import handicaps
from companion.core.move import Seat, by_seat, each_seat, with_item
from companion.core.text import msg
from companion.core.verbs import Told, tell
from companion.games.de_et_boulanger.rules import kinds
from companion.games.de_et_boulanger.rules.board import SIDES
from companion.games.de_et_boulanger.rules.components import (
    NO_SIDE,
    NOBODY,
    NOWHERE,
    OUT,
    SEATS,
    Box,
    Phase,
    Rulings,
    Setting,
    State,
    tile_text,
)
from companion.games.de_et_boulanger.rules.goods import Goods, Load, Products
from companion.games.de_et_boulanger.rules.moving import next_round


def setup(box: Box, rulings: Rulings, seats: int) -> State:
    """Return the position before set-up. Raise OptionError for a wrong number of seats."""
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
        stayed=(False,) * seats,
        loads=(Load(),) * seats,
        cash=tuple(box.start_sous + extra for extra in handicaps(rulings, seats)),  # DB-R6, DB-A32
        labs=(Goods(),) * seats,
        products=(Products(),) * seats,
        done=(0,) * seats,
        bonus=(0,) * seats,
        tiles=((),) * seats,
        markers=(0,) * seats,
    )


def apply_bakery(state: State, seat: Seat, args: Args, told: Told) -> State:
    side, sides = args[0], state.sides
    chosen = [(seat, side)]
    if state.setting.seats == 2:
        chosen.append((Seat(1 - seat), (side + 2) % len(SIDES)))  # DB-R4: face to face
    shops = state.setting.box.board.shops
    places = state.places
    for owner, own in chosen:
        sides, places = with_item(sides, owner, own), with_item(places, owner, shops[own])
    if told is not None:
        told += [event(kinds.Bakery(side=SIDES[own]), owner) for owner, own in chosen]
    return _when_set_up(state._replace(sides=sides, places=places), told)


def apply_tiles(state: State, seat: Seat, args: Args, told: Told) -> State:
    tell(told, kinds.Tiles, seat, tiles=tuple(tile_text(state.setting.box.tiles[tile]) for tile in args))
    return _when_set_up(state._replace(tiles=with_item(state.tiles, seat, args)), told)


def offered_side(state: State, seat: Seat) -> int:
    """Return a free side, preferably the one that makes play counter-clockwise by seats as well (DB-A1).

    The first seat sits below the screen and is offered the south, which is drawn there.
    """
    sides, apart = state.sides, len(SIDES) // state.setting.seats
    turned = next((side - other * apart for other, side in by_seat(sides) if side != NO_SIDE), SIDES.index("S"))
    wanted = turned + seat * apart
    return next((wanted + on) % len(SIDES) for on in range(len(SIDES)) if (wanted + on) % len(SIDES) not in sides)


def _when_set_up(state: State, told: Told) -> State:
    if any(owes_setup(state, seat) for seat in each_seat(state.setting.seats)):
        return state
    if told is not None:
        more = by_seat(handicaps(state.setting.rulings, state.setting.seats))
        told += [event(kinds.Handicap(extra), seat) for seat, extra in more if extra]
    if state.order:
        return next_round(state, told)  # the start rolls came before the tiles
    tell(told, kinds.StartRolls)
    return state._replace(phase=Phase.START, turn=roller(state))


def roller(state: State) -> Seat:
    """Return the seat that rolls next for the first turn (DB-R2), or NOBODY."""
    if state.order or NO_SIDE in state.sides:
        return NOBODY
    return Seat(state.rolls.index(0))


def rolls_first(state: State) -> bool:
    """Return True if a start roll is due, before or after the tiles (DB-R2, DB-R5)."""
    if state.phase is Phase.START:
        return True
    return state.phase is Phase.SETUP and roller(state) != NOBODY


def owes_setup(state: State, seat: Seat) -> bool:
    return state.sides[seat] == NO_SIDE or not state.tiles[seat]


def _order_of_play(state: State, first: Seat) -> tuple[Seat, ...]:
    """Return the seats in order of play: counter-clockwise by bakery (DB-R3, DB-A1)."""
    sides = state.sides
    return tuple(sorted(each_seat(state.setting.seats), key=lambda seat: (sides[first] - sides[seat]) % len(SIDES)))


def apply_start(state: State, _: Seat, args: Args, told: Told) -> State:
    seat = roller(state)
    rolls = with_item(state.rolls, seat, args[0])
    tell(told, kinds.StartRoll, seat, die=args[0])
    best = tuple(seat for seat, roll in by_seat(rolls) if roll == max(rolls))
    if 0 not in rolls and len(best) > 1:  # DB-A19
        rolls = tuple(0 if seat in best else OUT for seat in range(len(rolls)))
        tell(told, kinds.StartAgain, seats=best)
    state = state._replace(rolls=rolls)
    if 0 in rolls:
        return state._replace(turn=roller(state)) if state.phase is Phase.START else state
    order = _order_of_play(state, best[0])
    tell(told, kinds.First, best[0], seats=order)
    state = state._replace(order=order)
    return next_round(state, told) if state.phase is Phase.START else state

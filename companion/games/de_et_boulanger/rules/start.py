"""Set-up: bakeries, tiles, and who begins (DB-R1 to DB-R6)."""

from companion.core.choices import Args
from companion.core.errors import OptionError
from companion.core.event import Event, event
from companion.core.move import Seat, by_seat, each_seat
from companion.core.text import msg
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
    Told,
    tile_text,
    with_item,
)
from companion.games.de_et_boulanger.rules.goods import Goods, Load, Products
from companion.games.de_et_boulanger.rules.moving import next_round


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


def apply_bakery(state: State, seat: Seat, args: Args) -> Told:
    side, sides = args[0], state.sides
    chosen = [(seat, side)]
    if state.setting.seats == 2:
        chosen.append((Seat(1 - seat), (side + 2) % len(SIDES)))  # DB-R4: face to face
    shops = state.setting.box.board.shops
    places = state.places
    for owner, own in chosen:
        sides, places = with_item(sides, owner, own), with_item(places, owner, shops[own])
    told = tuple(event(kinds.Bakery(side=SIDES[own]), owner) for owner, own in chosen)
    return _when_set_up(state._replace(sides=sides, places=places), told)


def apply_tiles(state: State, seat: Seat, args: Args) -> Told:
    row = tuple(tile_text(state.setting.box.tiles[tile]) for tile in args)
    state = state._replace(tiles=with_item(state.tiles, seat, args))
    return _when_set_up(state, (event(kinds.Tiles(tiles=row), seat),))


def _when_set_up(state: State, told: tuple[Event, ...]) -> Told:
    if any(owes_setup(state, seat) for seat in each_seat(state.setting.seats)):
        return state, told
    return state._replace(phase=Phase.START, turn=Seat(0)), (*told, event(kinds.StartRolls()))


def owes_setup(state: State, seat: Seat) -> bool:
    return state.sides[seat] == NO_SIDE or not state.tiles[seat]


def apply_start(state: State, _: Seat, args: Args) -> Told:
    rolls = with_item(state.rolls, state.turn, args[0])
    told: tuple[Event, ...] = (event(kinds.StartRoll(die=args[0]), state.turn),)
    if 0 in rolls:
        return state._replace(rolls=rolls, turn=Seat(rolls.index(0))), told
    best = tuple(seat for seat, roll in by_seat(rolls) if roll == max(rolls))
    if len(best) > 1:  # DB-A19
        again = tuple(0 if seat in best else OUT for seat in range(len(rolls)))
        state = state._replace(rolls=again, turn=best[0])
        return state, (*told, event(kinds.StartAgain(seats=best)))
    seats = state.setting.seats
    order = tuple(Seat((best[0] - step) % seats) for step in range(seats))  # DB-R3: counter-clockwise
    state, opened = next_round(state._replace(rolls=rolls, order=order))
    return state, (*told, event(kinds.First(seats=order), best[0]), *opened)

"""Sale: marker, customers and incidents (DB-R21 to DB-R26)."""

from companion.core.choices import Args
from companion.core.move import Seat, with_item
from companion.core.verbs import Told, tell
from companion.games.de_et_boulanger.rules import kinds
from companion.games.de_et_boulanger.rules.components import (
    INCIDENT,
    NOBODY,
    Phase,
    State,
    tile_text,
    under_marker,
)
from companion.games.de_et_boulanger.rules.end import outcome
from companion.games.de_et_boulanger.rules.goods import Goods, Products
from companion.games.de_et_boulanger.rules.moving import next_round


def apply_sale(state: State, _: Seat, args: Args, told: Told) -> State:
    seat, (die,) = state.turn, args
    at = under_marker(state, seat, die)
    tile = state.setting.box.tiles[state.tiles[seat][at]]
    tell(told, kinds.Sale, seat, die=die, tile=tile_text(tile))
    markers = with_item(state.markers, seat, at)
    if tile == INCIDENT:
        return state._replace(markers=markers, die=die)
    baked, price = state.products[seat], state.setting.box.sell
    sold = Products(min(baked.bread, tile[0]), min(baked.croissant, tile[1]))  # DB-R22, DB-A23
    earned = sold.bread * price.bread + sold.croissant * price.croissant
    cash = state.cash[seat] + earned
    tell(told, kinds.Sold, seat, *sold, sous=earned, cash=cash)
    left = Products(baked.bread - sold.bread, baked.croissant - sold.croissant)
    return _sold_out(state._replace(markers=markers, cash=with_item(state.cash, seat, cash)), left, told)


def apply_incident(state: State, _: Seat, args: Args, told: Told) -> State:
    seat, (die,) = state.turn, args
    effect = state.setting.box.effects[die - 1]
    tell(told, kinds.Incident, seat, die=die, effect=effect)
    if effect == "earthquake":
        if any(state.labs[seat]):
            tell(told, kinds.Ruined, seat, *state.labs[seat])
        state = state._replace(labs=with_item(state.labs, seat, Goods()))
    elif effect == "gift":
        given = state.cash[seat] // 2  # half, rounded down (DB-A26)
        cash = state.cash[seat] - given
        tell(told, kinds.Gift, seat, sous=given, cash=cash)
        state = state._replace(cash=with_item(state.cash, seat, cash))
    return _sold_out(state, state.products[seat], told)


def _sold_out(state: State, left: Products, told: Told) -> State:
    """Remove unsold products (DB-R23) and the tile (DB-R25), then continue with the next seller."""
    seat, box = state.turn, state.setting.box
    row, at = state.tiles[seat], state.markers[seat]
    rest = (*row[:at], *row[at + 1 :])
    marker = at % len(rest)  # DB-A24: after the last tile comes the first
    if any(left):
        tell(told, kinds.Lost, seat, *left)
    tell(told, kinds.TileUsed, seat, tile=tile_text(box.tiles[row[at]]), marker=tile_text(box.tiles[rest[marker]]))
    sellers = state.order[state.order.index(seat) + 1 :]
    state = state._replace(
        products=with_item(state.products, seat, Products()),
        tiles=with_item(state.tiles, seat, rest),
        markers=with_item(state.markers, seat, marker),
        turn=sellers[0] if sellers else NOBODY,
        die=0,
    )
    if sellers:
        return state
    if state.round < box.rounds:
        return next_round(state, told)
    state = state._replace(phase=Phase.OVER)
    result = outcome(state)
    assert result is not None
    tell(told, kinds.Over, ranking=result.ranking, cash=state.cash)
    return state

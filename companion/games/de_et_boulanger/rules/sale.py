"""Sale: the marker, the customers, incidents (DB-R21 to DB-R26)."""

from companion.core.choices import Args
from companion.core.event import Event, event
from companion.core.move import Seat
from companion.games.de_et_boulanger.rules import kinds
from companion.games.de_et_boulanger.rules.components import (
    INCIDENT,
    NOBODY,
    Phase,
    State,
    Told,
    tile_text,
    under_marker,
    with_item,
)
from companion.games.de_et_boulanger.rules.end import outcome
from companion.games.de_et_boulanger.rules.goods import Goods, Products
from companion.games.de_et_boulanger.rules.moving import next_round


def apply_sale(state: State, _: Seat, args: Args) -> Told:
    seat, (die,) = state.turn, args
    at = under_marker(state, seat, die)
    tile = state.setting.box.tiles[state.tiles[seat][at]]
    told = event(kinds.Sale(die=die, tile=tile_text(tile)), seat)
    state = state._replace(markers=with_item(state.markers, seat, at))
    if tile == INCIDENT:
        return state._replace(die=die), (told,)
    baked, price = state.products[seat], state.setting.box.sell
    sold = Products(min(baked.bread, tile[0]), min(baked.croissant, tile[1]))  # DB-R22, DB-A23
    earned = sold.bread * price.bread + sold.croissant * price.croissant
    cash = state.cash[seat] + earned
    events = [told, event(kinds.Sold(*sold, sous=earned, cash=cash), seat)]
    left = Products(baked.bread - sold.bread, baked.croissant - sold.croissant)
    return _sold_out(state._replace(cash=with_item(state.cash, seat, cash)), left, events)


def apply_incident(state: State, _: Seat, args: Args) -> Told:
    seat, (die,) = state.turn, args
    effect = state.setting.box.effects[die - 1]
    events = [event(kinds.Incident(die=die, effect=effect), seat)]
    if effect == "earthquake":
        if any(state.labs[seat]):
            events.append(event(kinds.Ruined(*state.labs[seat]), seat))
        state = state._replace(labs=with_item(state.labs, seat, Goods()))
    elif effect == "gift":
        given = state.cash[seat] // 2  # half, and of an odd number half of one less; DB-A26
        cash = state.cash[seat] - given
        events.append(event(kinds.Gift(sous=given, cash=cash), seat))
        state = state._replace(cash=with_item(state.cash, seat, cash))
    return _sold_out(state, state.products[seat], events)


def _sold_out(state: State, left: Products, events: list[Event]) -> Told:
    """Lose what was not sold (DB-R23), take the tile away (DB-R25), and go on to the next seller."""
    seat, box = state.turn, state.setting.box
    if any(left):
        events.append(event(kinds.Lost(*left), seat))
    row, at = state.tiles[seat], state.markers[seat]
    rest = (*row[:at], *row[at + 1 :])
    marker = at % len(rest)  # DB-A24: behind the last one comes the first
    events.append(
        event(kinds.TileUsed(tile=tile_text(box.tiles[row[at]]), marker=tile_text(box.tiles[rest[marker]])), seat)
    )
    state = state._replace(
        products=with_item(state.products, seat, Products()),
        tiles=with_item(state.tiles, seat, rest),
        markers=with_item(state.markers, seat, marker),
        die=0,
    )
    place = state.order.index(seat) + 1
    if place < len(state.order):
        return state._replace(turn=state.order[place]), tuple(events)
    if state.round < box.rounds:
        state, opened = next_round(state)
        return state, (*events, *opened)
    state = state._replace(phase=Phase.OVER, turn=NOBODY)
    result = outcome(state)
    assert result is not None
    return state, (*events, event(kinds.Over(ranking=result.ranking, cash=state.cash)))

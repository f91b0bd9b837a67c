"""Production: what is baked of the goods in the laboratory (DB-R19, DB-R20)."""

from companion.core.choices import Args
from companion.core.event import event
from companion.core.move import Seat
from companion.games.de_et_boulanger.rules import kinds
from companion.games.de_et_boulanger.rules.components import (
    Phase,
    State,
    Told,
    with_item,
)
from companion.games.de_et_boulanger.rules.goods import Goods, Products, left_after


def apply_bake(state: State, seat: Seat, args: Args) -> Told:
    bread, croissant = args
    lab = left_after(all_goods(state, seat), state.setting.box.recipes, bread, croissant)
    state = state._replace(
        labs=with_item(state.labs, seat, lab), products=with_item(state.products, seat, Products(bread, croissant))
    )
    return state, (event(kinds.Bake(bread, croissant, *lab), seat),)


def all_goods(state: State, seat: Seat) -> Goods:
    """Return what the laboratory would hold if nothing had been baked yet."""
    bread, croissant = state.products[seat]
    return left_after(state.labs[seat], state.setting.box.recipes, -bread, -croissant)


def apply_validate(state: State, seat: Seat, _: Args) -> Told:
    state = state._replace(done=with_item(state.done, seat, 1))
    told = event(kinds.Validate(), seat)
    if not all(state.done):
        return state, (told,)
    state = state._replace(phase=Phase.SALE, turn=state.order[0])
    return state, (told, event(kinds.Selling()))

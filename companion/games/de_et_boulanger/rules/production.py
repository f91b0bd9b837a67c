"""Production: baking in the laboratory (DB-R19, DB-R20)."""

from companion.core.choices import Args
from companion.core.move import Seat, with_item
from companion.core.verbs import Told, tell
from companion.games.de_et_boulanger.rules import kinds
from companion.games.de_et_boulanger.rules.components import (
    Phase,
    State,
)
from companion.games.de_et_boulanger.rules.goods import Goods, Products, left_after


def apply_bake(state: State, seat: Seat, args: Args, told: Told) -> State:
    bread, croissant = args
    lab = left_after(all_goods(state, seat), state.setting.box.recipes, bread, croissant)
    tell(told, kinds.Bake, seat, bread, croissant, *lab)
    return state._replace(
        labs=with_item(state.labs, seat, lab), products=with_item(state.products, seat, Products(bread, croissant))
    )


def all_goods(state: State, seat: Seat) -> Goods:
    """Return the laboratory's goods as they were before baking."""
    bread, croissant = state.products[seat]
    return left_after(state.labs[seat], state.setting.box.recipes, -bread, -croissant)


def apply_validate(state: State, seat: Seat, _: Args, told: Told) -> State:
    state = state._replace(done=with_item(state.done, seat, 1))
    tell(told, kinds.Validate, seat)
    if not all(state.done):
        return state
    tell(told, kinds.Selling)
    return state._replace(phase=Phase.SALE, turn=state.order[0])

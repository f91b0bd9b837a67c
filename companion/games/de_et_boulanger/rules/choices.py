"""Long lists of arguments, computed on demand or cached."""

from functools import cache, lru_cache
from itertools import product
from math import factorial

from companion.core.choices import Args, Computed
from companion.games.de_et_boulanger.rules.goods import Goods, Load, Products, how_many, left_after


class Orders(Computed[Args]):
    """All permutations of the tiles (DB-R5)."""

    def __init__(self, tiles: int) -> None:
        self._tiles = tiles

    def __len__(self) -> int:
        return factorial(self._tiles)

    def __contains__(self, args: object) -> bool:
        if not isinstance(args, tuple) or len(args) != self._tiles:
            return False
        return all(tile in args for tile in range(self._tiles))

    def item(self, place: int) -> Args:
        """Return an order by its lexicographic index."""
        left, order = list(range(self._tiles)), []
        for size in range(self._tiles - 1, -1, -1):
            which, place = divmod(place, factorial(size))
            order.append(left.pop(which))
        return tuple(order)


class Bakes(Computed[Args]):
    """All pairs of breads and croissants that can be baked, except what is baked already (DB-R19)."""

    def __init__(self, goods: Goods, recipes: tuple[Goods, Goods], baked: Products) -> None:
        self._most = _croissants_beside(goods, recipes)
        self._baked = baked

    def __len__(self) -> int:
        return sum(self._most) + len(self._most) - 1

    def __contains__(self, args: object) -> bool:
        if not isinstance(args, tuple) or len(args) != len(self._baked) or args == self._baked:
            return False
        bread, croissant = args
        return bread in range(len(self._most)) and croissant in range(self._most[bread] + 1)

    def item(self, place: int) -> Args:
        """Return a pair by its index in sorted order."""
        baked = self._baked
        if place >= sum(self._most[: baked.bread]) + baked.bread + baked.croissant:
            place += 1
        bread = 0
        while place > self._most[bread]:
            place -= self._most[bread] + 1
            bread += 1
        return bread, place


@lru_cache(maxsize=64)
def _croissants_beside(goods: Goods, recipes: tuple[Goods, Goods]) -> tuple[int, ...]:
    """Return the maximum number of croissants beside each number of breads."""
    breads = how_many(goods, recipes[0])
    return tuple(how_many(left_after(goods, recipes, n, 0), recipes[1]) for n in range(breads + 1))


@cache
def parts(load: Load) -> tuple[Args, ...]:
    """Return all parts of a load but the empty one (DB-R16)."""
    amounts = [range(tokens + 1) for tokens in reversed(load)]
    return tuple(part[::-1] for part in product(*amounts))[1:]

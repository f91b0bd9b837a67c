"""Long lists of arguments: each is counted, searched and computed when it is asked, or kept."""

from functools import cache, lru_cache
from itertools import product
from math import factorial

from companion.core.choices import Args, Computed
from companion.games.de_et_boulanger.rules.goods import Goods, Load, Products, how_many, left_after


class Orders(Computed[Args]):
    """Every order of so many tiles (DB-R5)."""

    def __init__(self, tiles: int) -> None:
        self._tiles = tiles

    def __len__(self) -> int:
        return factorial(self._tiles)

    def __contains__(self, args: object) -> bool:
        if not isinstance(args, tuple) or len(args) != self._tiles:
            return False
        return all(tile in args for tile in range(self._tiles))

    def item(self, place: int) -> Args:
        """Return the order of that number, as in a dictionary."""
        left, order = list(range(self._tiles)), []
        for size in range(self._tiles - 1, -1, -1):
            which, place = divmod(place, factorial(size))
            order.append(left.pop(which))
        return tuple(order)


class Bakes(Computed[Args]):
    """Every pair of breads and croissants that `goods` are enough for, but what is baked already (DB-R19)."""

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
        """Return the pair of that number, counted by breads and then by croissants."""
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
    """Return for each number of breads how many croissants can be made of what they leave."""
    breads = how_many(goods, recipes[0])
    return tuple(how_many(left_after(goods, recipes, n, 0), recipes[1]) for n in range(breads + 1))


@cache
def parts(load: Load) -> tuple[Args, ...]:
    """Return every part of a load but nothing at all (DB-R16); the flour changes first."""
    amounts = [range(tokens + 1) for tokens in reversed(load)]
    return tuple(part[::-1] for part in product(*amounts))[1:]

"""Goods that bakers carry, store and sell, and the arithmetic of recipes."""

from typing import NamedTuple


class Goods(NamedTuple):
    """Measures of each ingredient, in a laboratory or a recipe."""

    flour: int = 0
    water: int = 0
    butter: int = 0


class Load(NamedTuple):
    """The tokens on a pawn."""

    flour: int = 0
    water: int = 0
    butter: int = 0
    sous: int = 0


class Products(NamedTuple):
    """Baked products to sell."""

    bread: int = 0
    croissant: int = 0


def left_after(goods: Goods, recipes: tuple[Goods, Goods], bread: int, croissant: int) -> Goods:
    """Return the goods left after baking; negative numbers undo it."""
    of_bread, of_croissant = recipes
    return Goods(
        goods.flour - bread * of_bread.flour - croissant * of_croissant.flour,
        goods.water - bread * of_bread.water - croissant * of_croissant.water,
        goods.butter - bread * of_bread.butter - croissant * of_croissant.butter,
    )


def how_many(goods: Goods, recipe: Goods) -> int:
    return min(held // needed for held, needed in zip(goods, recipe, strict=True) if needed)


def put_away(goods: Goods, load: Load) -> Goods:
    return Goods(goods.flour + load.flour, goods.water + load.water, goods.butter + load.butter)

"""Dé et Boulanger's guide: what it is about, the way, the keys, baking and selling, by the rulings in force."""

from companion.core.guide import Page, Row
from companion.core.text import msg
from companion.games.de_et_boulanger.rules.components import Rulings


def pages(rulings: Rulings) -> tuple[Page, ...]:
    """Return how Dé et Boulanger is played here."""
    keys = (_trust_keys(),) if rulings.movement == "trust" else (_walking_keys(), _goods_keys())
    return (_about(), _setup(), _way(rulings), _home(rulings), *keys, _baking(), _sale())


def _about() -> Page:
    return Page(
        msg("What it is about"),
        (
            Row("", msg("You are bakers. Fetch flour, butter and water with the die, and bring them home.")),
            Row("", msg("Bake bread and croissants, and sell what your tile allows.")),
            Row("", msg("Five rounds. Who then has the most sous wins.")),
        ),
        "baker",
    )


def _setup() -> Page:
    return Page(
        msg("Before the first round"),
        (
            Row("8 6 2 4", msg("Your side of the board: top, right, bottom, left.")),
            Row("A 1-6", msg("A, then your six tiles in the order that you like.")),
            Row("marker", msg("The marker lies on the first. Each sale moves it on, by a die.")),
        ),
        "bakery",
    )


def _way(rulings: Rulings) -> Page:
    rows = [
        Row("sou", msg("Take sous along from your shop. You carry six things at most, sous too.")),
        Row("mill farm", msg("Flour at a mill, butter at a farm: 1 sou each.")),
        Row("fountain", msg("Water at the fountain is free.")),
        Row("die_5", msg("You roll five times a round, and go as far as you like up to the die.")),
    ]
    if rulings.movement == "trust":
        rows[-1] = Row("die_5", msg("Roll and move on the real board, five times a round."))
    return Page(msg("On the way"), tuple(rows), "baker")


def _home(rulings: Rulings) -> Page:
    bonus = msg("Home again after the fifth roll: 2 sous. Others are carried home for nothing.")
    if not rulings.bonus_needs_trip:
        bonus = msg("At home after the fifth roll, even if you never left: 2 sous.")
    stop = msg("Coming home ends your move, even with steps left.")
    if not rulings.shop_stops_move:
        stop = msg("Coming home does not end your move: use the steps that are left.")
    return Page(
        msg("Home again"),
        (
            Row("door", stop),
            Row("sou", bonus),
            Row("person", msg("Nobody walks through another baker, but at the fountain there is room for all.")),
        ),
        "bakery",
    )


def _walking_keys() -> Page:
    return Page(
        msg("Keys: walking"),
        (
            Row("# buzzer", msg("The die, please!")),
            Row("8 6 2 4", msg("One step. Out of the fountain add the number of the exit, as it is shown.")),
            Row("#", msg("That is all: the next baker.")),
        ),
        "die_5",
    )


def _goods_keys() -> Page:
    return Page(
        msg("Keys: taking and putting back"),
        (
            Row("A 1-9", msg("So many: sous in your shop, flour, butter or water where you stand.")),
            Row("B", msg("At home: everything off.")),
            Row("C 1-4 1-9", msg("A part off: 1 flour, 2 water, 3 butter, 4 sous; and how many.")),
            Row("*", msg("Takes back what you have typed.")),
        ),
        "bag",
    )


def _trust_keys() -> Page:
    return Page(
        msg("Your keys"),
        (
            Row("A 1-4 1-9", msg("You take: 1 flour, 2 water, 3 butter, 4 sous; and how many.")),
            Row("B", msg("Everything off.")),
            Row("C 1-4 1-9", msg("A part off: which, and how many.")),
            Row("D 0-1", msg("At the end: 1 if you are home, 0 if not.")),
        ),
        "bag",
    )


def _baking() -> Page:
    return Page(
        msg("Baking"),
        (
            Row("bread", msg("3 flour and 2 water. It sells for 10 sous.")),
            Row("croissant", msg("1 flour, 1 water and 2 butter. It sells for 8 sous.")),
            Row("0-9 A", msg("First so many breads,")),
            Row("0-9 D", msg("then so many croissants.")),
            Row("# buzzer", msg("You have done. What is left over keeps.")),
        ),
        "oven",
    )


def _sale() -> Page:
    return Page(
        msg("Selling"),
        (
            Row("marker", msg("A die moves your marker over your tiles. The one it stops on is used up.")),
            Row("bread croissant", msg("It says how many of each you sell. The rest is lost.")),
            Row("incident", msg("Incident! A flood takes what you baked, an earthquake also what you stored.")),
            Row("present", msg("Or what you baked, and half of your sous, are given away.")),
        ),
        "sou",
    )

"""Dé et Boulanger's guide, adapted to house rules and box."""

from companion.core.guide import Page, Row
from companion.core.text import Text, listed, msg
from companion.games.de_et_boulanger.rules.components import Box, Rulings
from companion.games.de_et_boulanger.rules.goods import Goods


def pages(rulings: Rulings, box: Box) -> tuple[Page, ...]:
    keys = (_trust_keys(),) if rulings.movement == "trust" else (_walking_keys(), _goods_keys())
    return (_about(box), _setup(box), _way(rulings, box), _home(rulings, box), *keys, _baking(box), _sale())


def _about(box: Box) -> Page:
    rounds = msg(
        "{n} round. Who then has the most sous wins.", "{n} rounds. Who then has the most sous wins.", n=box.rounds
    )
    return Page(
        msg("What it is about"),
        (
            Row("", msg("You are bakers. Fetch flour, butter and water with the die, and bring them home.")),
            Row("", msg("Bake bread and croissants, and sell what your tile allows.")),
            Row("", rounds),
        ),
        "baker",
    )


def _setup(box: Box) -> Page:
    tiles = len(box.tiles)
    return Page(
        msg("Before the first round"),
        (
            Row("8 6 2 4", msg("Your shop, by its number on the board.")),
            Row("# buzzer", msg("The shop offered, and the tiles as they lie. Play then goes by seats.")),
            Row(f"A 1-{tiles}", msg("Your own order of the {n} tiles; # adds the rest.", n=tiles)),
            Row("marker", msg("The marker lies on the first. Each sale moves it on, by a die.")),
        ),
        "bakery",
    )


def _way(rulings: Rulings, box: Box) -> Page:
    most = msg(
        "Take sous along from your shop. You carry {n} thing at most, sous too.",
        "Take sous along from your shop. You carry {n} things at most, sous too.",
        n=box.load_limit,
    )
    rolls = msg(
        "You roll {n} time a round, and go as far as you like up to the die.",
        "You roll {n} times a round, and go as far as you like up to the die.",
        n=box.rolls_per_round,
    )
    if rulings.movement == "trust":
        rolls = msg(
            "Roll and move on the real board, {n} time a round.",
            "Roll and move on the real board, {n} times a round.",
            n=box.rolls_per_round,
        )
    rows = [Row("sou", most), *_prices(box.price), Row("die_5", rolls)]
    return Page(msg("On the way"), tuple(rows), "baker")


def _prices(price: Goods) -> tuple[Row, ...]:
    flour, butter, water = _sous(price.flour), _sous(price.butter), _sous(price.water)
    return (
        Row("mill farm", msg("Flour at a mill: {flour}. Butter at a farm: {butter}.", flour=flour, butter=butter)),
        Row("fountain", msg("Water at the fountain: {water}.", water=water)),
    )


def _sous(n: int) -> Text:
    return msg("{n} sou", "{n} sous", n=n) if n else msg("nothing to pay")


def _home(rulings: Rulings, box: Box) -> Page:
    sous = msg("{n} sou", "{n} sous", n=box.home_bonus)
    bonus = msg("Home again after the last roll: {sous}. Others are carried home for nothing.", sous=sous)
    walked = rulings.movement == "full"
    own = walked and rulings.carried_home == "after_own"
    if own:
        bonus = msg("Home again after your last roll: {sous} at once. Else you are carried home then.", sous=sous)
    blocked = Row(
        "bakery", msg("You can never leave, your door is blocked in all your turns: that counts as a trip.")
    )
    trip = [blocked] if walked else []
    if not rulings.bonus_needs_trip:
        bonus, trip = msg("At home after the last roll, even if you never left: {sous}.", sous=sous), []
        if own:
            bonus = msg(
                "At home after your last roll, even if you never left: {sous}. Else you are carried home.",
                sous=sous,
            )
    stop = msg("Coming home ends your move, even with steps left.")
    if not rulings.shop_stops_move:
        stop = msg("Coming home does not end your move: use the steps that are left.")
    return Page(
        msg("Home again"),
        (
            Row("door", stop),
            Row("sou", bonus),
            *trip,
            Row("person", msg("Nobody walks through another baker, but at the fountain there is room for all.")),
        ),
        "bakery",
    )


def _walking_keys() -> Page:
    return Page(
        msg("Keys: walking"),
        (
            Row("# buzzer", msg("Rolls the die. A real one: key what it shows.")),
            Row("mill farm", msg("A number on the board: you walk there, or nearer.")),
            Row("8 6 2 4", msg("One step. Out of the fountain add the number of the exit, as it is shown.")),
            Row("#", msg("That is all: the next baker.")),
        ),
        "die_5",
    )


def _goods_keys() -> Page:
    return Page(
        msg("Keys: taking and putting back"),
        (
            Row("A", msg("All you can have here: flour, butter or water; sous at home.")),
            Row("C 1-9", msg("The same, but that many.")),
            Row("B", msg("At home: everything off.")),
            Row("D", msg("At home: you stay, without the die.")),
        ),
        "bag",
    )


def _trust_keys() -> Page:
    return Page(
        msg("Your keys"),
        (
            Row("1-4 1-9", msg("You take: 1 flour, 2 water, 3 butter, 4 sous; and how many.")),
            Row("B", msg("Everything off.")),
            Row("C 1-4 1-9", msg("A part off: which, and how many.")),
            Row("D 0-1", msg("At the end: 1 if you are home, 0 if not.")),
        ),
        "bag",
    )


def _baking(box: Box) -> Page:
    bread, croissant = (_recipe(*each) for each in zip(box.recipes, box.sell, strict=True))
    return Page(
        msg("Baking"),
        (
            Row("bread", bread),
            Row("croissant", croissant),
            Row("B", msg("Bakes what sells best, no more than a tile of yours buys.")),
            Row("1 2 0", msg("Another mix: a bread for each 1, a croissant for each 2; 0 is nothing. # bakes it.")),
            Row("# buzzer", msg("You have done. What is left over keeps.")),
        ),
        "oven",
    )


def _recipe(recipe: Goods, sous: int) -> Text:
    parts = (
        recipe.flour and msg("{n} flour", "{n} flour", n=recipe.flour),
        recipe.water and msg("{n} water", "{n} water", n=recipe.water),
        recipe.butter and msg("{n} butter", "{n} butter", n=recipe.butter),
    )
    goes_in = listed([part for part in parts if part])
    return msg("{parts}. It sells for {sous}.", parts=goes_in, sous=msg("{n} sou", "{n} sous", n=sous))


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

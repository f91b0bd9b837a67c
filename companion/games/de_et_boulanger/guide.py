"""Dé et Boulanger's guide, adapted to house rules and box."""

from companion.core.guide import Page, Row
from companion.core.text import Text, listed, msg
from companion.games.de_et_boulanger.rules.components import Box, Rulings
from companion.games.de_et_boulanger.rules.goods import Goods


def pages(rulings: Rulings, box: Box) -> tuple[Page, ...]:
    keys = (_trust_keys(),) if rulings.movement == "trust" else (_walking_keys(), _goods_keys())
    return (_about(box), _setup(box), _way(rulings, box), _home(rulings, box), *keys, _baking(box), _sale())


def _about(box: Box) -> Page:
    rounds = msg("After {n} round, the most sous win.", "After {n} rounds, the most sous win.", n=box.rounds)
    return Page(
        msg("What it is about"),
        (
            Row("", msg("You are bakers. Roll the die to fetch flour, butter and water, and bring them home.")),
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
            Row("# buzzer", msg("Takes the shop offered and these tiles. Play follows the seats.")),
            Row(f"A 1-{tiles}", msg("Your own order of the {n} tiles; # adds the rest.", n=tiles)),
            Row("marker", msg("A die moves the marker at each sale.")),
        ),
        "bakery",
    )


def _way(rulings: Rulings, box: Box) -> Page:
    most = msg(
        "Take sous with you from your shop. You carry at most {n} token, sous included.",
        "Take sous with you from your shop. You carry at most {n} tokens, sous included.",
        n=box.load_limit,
    )
    rolls = msg(
        "You roll {n} time a round. Walk as many steps as the die shows, or fewer.",
        "You roll {n} times a round. Walk as many steps as the die shows, or fewer.",
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
    return msg("{n} sou", "{n} sous", n=n) if n else msg("free of charge")


def _home(rulings: Rulings, box: Box) -> Page:
    sous = msg("{n} sou", "{n} sous", n=box.home_bonus)
    bonus = msg("Home again after the last roll: {sous}. The others are carried home and get nothing.", sous=sous)
    walked = rulings.movement == "full"
    own = walked and rulings.carried_home == "after_own"
    if own:
        bonus = msg("Home again after your last roll: {sous} at once. Otherwise you are carried home.", sous=sous)
    blocked = Row("bakery", msg("If your door is blocked on all your turns, that counts as a trip."))
    trip = [blocked] if walked else []
    if not rulings.bonus_needs_trip:
        bonus, trip = msg("At home after the last roll, even if you never left: {sous}.", sous=sous), []
        if own:
            bonus = msg(
                "At home after your last roll, even if you never left: {sous}. Otherwise you are carried home.",
                sous=sous,
            )
    stop = msg("Coming home ends your move, even with steps left.")
    if not rulings.shop_stops_move:
        stop = msg("Coming home does not end your move: use your remaining steps.")
    return Page(
        msg("Home again"),
        (
            Row("door", stop),
            Row("sou", bonus),
            *trip,
            Row("person", msg("You cannot walk through another baker, but the fountain has room for all.")),
        ),
        "bakery",
    )


def _walking_keys() -> Page:
    return Page(
        msg("Keys: walking"),
        (
            Row("# buzzer", msg("Rolls the die. With a real die, press what it shows.")),
            Row("mill farm", msg("A number on the board: you walk there, or as near as you can.")),
            Row("8 6 2 4", msg("One step. To leave the fountain, add the number of the exit as shown.")),
            Row("#", msg("Ends your turn.")),
        ),
        "die_5",
    )


def _goods_keys() -> Page:
    return Page(
        msg("Keys: taking and putting back"),
        (
            Row("A", msg("Takes all you can: flour, butter or water here, sous at home.")),
            Row("C 1-9", msg("Takes only that many.")),
            Row("B", msg("At home: unloads everything.")),
            Row("D", msg("At home: you stay there without rolling any more.")),
        ),
        "bag",
    )


def _trust_keys() -> Page:
    return Page(
        msg("Your keys"),
        (
            Row("1-4 1-9", msg("1: flour, 2: water, 3: butter, 4: sous. Then how many you take.")),
            Row("B", msg("Unloads everything.")),
            Row("C 1-4 1-9", msg("Unloads a part: press the kind, then how many.")),
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
            Row("B", msg("Bakes what sells best, but no more than one of your tiles buys.")),
            Row(
                "1 2 0",
                msg("Another mix: 1 for each bread, 2 for each croissant, 0 for nothing. # bakes it."),
            ),
            Row("# buzzer", msg("You are done. Leftover ingredients keep.")),
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
            Row("marker", msg("A die moves your marker along your tiles. The tile it stops on is used up.")),
            Row("bread croissant", msg("That tile says how many of each you sell. The rest is lost.")),
            Row("incident", msg("Incident! A flood takes what you baked, an earthquake also what you stored.")),
            Row("present", msg("Or you give away all you baked and half of your sous.")),
        ),
        "sou",
    )

"""What Dé et Boulanger tells each seat to do, and what its own screen shows below that."""

from collections.abc import Callable
from operator import le
from typing import Final

from companion.core.console import digits_of
from companion.core.move import Seat
from companion.core.text import Text, listed, msg, seat_name
from companion.games.de_et_boulanger import walks
from companion.games.de_et_boulanger.rules import View, legal, position
from companion.games.de_et_boulanger.rules.board import DIRECTIONS
from companion.games.de_et_boulanger.rules.components import INCIDENT, NO_SIDE, NOBODY, Phase
from companion.games.de_et_boulanger.rules.goods import Products
from companion.games.de_et_boulanger.rules.start import offered_side

KIND_VERBS: Final = ("flour", "water", "butter", "load")
"""The verbs that take the kinds 1 to 4 in trust mode."""


def prompt(view: View) -> Text:
    """Say what the reader may do now, where the companion rolls."""
    return _prompt(view, real_dice=False)


def prompt_by_hand(view: View) -> Text:
    """Say what the reader may do now, where real dice are keyed."""
    return _prompt(view, real_dice=True)


def _prompt(view: View, *, real_dice: bool) -> Text:
    if view.phase == Phase.OVER:
        return msg("The match is over")
    if view.phase in {Phase.START, Phase.SALE}:
        return _rolling_prompt(view, real_dice=real_dice)
    if view.phase == Phase.SETUP:
        return _setup_prompt(view)
    if view.phase == Phase.PRODUCE:
        return _baking_prompt(view)
    return _errand_prompt(view) if view.turn == NOBODY else _turn_prompt(view, real_dice=real_dice)


def _own_roll(*, real_dice: bool) -> Text:
    return msg("Your roll; a real die: 1-6") if real_dice else msg("Your roll")


def _rolling_prompt(view: View, *, real_dice: bool) -> Text:
    if view.you == view.turn:
        return _own_roll(real_dice=real_dice)
    if view.phase == Phase.START:
        return msg("{seat} rolls for the first turn", seat=seat_name(view.turn))
    if view.die:
        return msg("{seat} rolls for the incident", seat=seat_name(view.turn))
    return msg("{seat} rolls for the sale", seat=seat_name(view.turn))


def _setup_prompt(view: View) -> Text:
    if view.you is None:
        return msg("Everybody chooses a side and orders tiles")
    if view.sides[view.you] == NO_SIDE:
        offered = walks.STEP_KEYS[offered_side(position(view), view.you)]
        free = " ".join(walks.STEP_KEYS[side] for side in DIRECTIONS if side not in view.sides)
        if view.tiles[view.you]:
            return msg("Your side: {free}; # takes {side}", free=free, side=offered)
        return msg("Your side: {free}; # takes {side}; A: your tiles", free=free, side=offered)
    if not view.tiles[view.you]:
        return msg("Your tiles in order: A, then 1 to {n}; # the rest", n=len(view.box.tiles))
    return msg("Wait for the others")


def bakes(view: View, seat: Seat) -> list[Products]:
    """Return what can be baked."""
    return [Products(*move.args) for move in legal(position(view), seat) if move.verb == "bake"]


def dearest(view: View, seat: Seat) -> Products:
    """Return the products that sell for most, among equals with the most breads.

    They are limited to the largest number of each kind that a tile still buys.
    """
    tiles = [tile for place in view.tiles[seat] if (tile := view.box.tiles[place]) != INCIDENT]
    most, sell = tuple(map(max, zip(Products(), *tiles, strict=True))), view.box.sell
    return max(
        (p for p in (view.products[seat], *bakes(view, seat)) if all(map(le, p, most))),
        key=lambda p: (p.bread * sell.bread + p.croissant * sell.croissant, p),
    )


def _baking_prompt(view: View) -> Text:
    if view.you is None:
        return msg("Everybody bakes and validates")
    if view.done[view.you]:
        return msg("Wait for the others")
    if not bakes(view, view.you):
        return msg("There is nothing to bake; #: done")
    if dearest(view, view.you) == view.products[view.you]:
        return msg("Breads 0-9, A, croissants, D: bakes; #: done")
    return msg("B best; or breads 0-9, A, croissants, D; #: done")


def _errand_prompt(view: View) -> Text:
    if view.you is None:
        return msg("Everybody moves; key what is bought, D at the end")
    if view.done[view.you]:
        return msg("Wait for the others")
    verbs = [move.verb for move in legal(position(view), view.you)]
    kinds = digits_of([place for place, verb in enumerate(KIND_VERBS, 1) if verb in verbs])
    if not kinds and "unload" not in verbs:
        return msg("Home? D 1: yes, D 0: no")
    if not kinds:
        return msg("B: unload, C: part. Home? D 1: yes, D 0: no")
    if "unload" not in verbs:
        return msg("Take: (A) {digits}, number. Home? D 1: yes, D 0: no", digits=kinds)
    return msg("(A) {digits}, number; B, C: unload; D 1: home, D 0 not", digits=kinds)


def _turn_prompt(view: View, *, real_dice: bool) -> Text:
    if view.you != view.turn:
        if view.die:
            return msg("{seat} moves", seat=seat_name(view.turn))
        return msg("{seat} is about to roll", seat=seat_name(view.turn))
    if view.ready:
        return _own_roll(real_dice=real_dice)
    seat, state = view.turn, position(view)
    most: dict[str, int] = {}
    for move in legal(state, seat):
        most[move.verb] = max(most.get(move.verb, 0), *move.args[:1], 0)
    digits = {verb: digits_of(range(1, most[verb] + 1)) for verb in _KEY_HELP if verb in most}
    keys = [_KEY_HELP[verb](digits[verb]) for verb in digits]
    if view.steps and len(keys) > 1 and digits.keys() <= _SHOP_KEYS.keys():  # they were told before the roll
        keys = [msg("shop: {keys}", keys=", ".join(_SHOP_KEYS[verb].format(digits[verb]) for verb in digits))]
    roll = msg("#, 1-6: roll") if real_dice else msg("#: roll")
    said = listed([*keys, msg("#: end") if view.die else roll])
    if not view.steps:
        return said
    keys_there = " ".join(part for part in (walks.walking_keys(view, seat), _steps(view, seat)) if part)
    if keys_there:
        said = listed([Text("{keys}", (("keys", keys_there),)), said])
    return msg("{n} step: {keys}", "{n} steps: {keys}", n=view.steps, keys=said)


def _steps(view: View, seat: Seat) -> str:
    """Return the keys of the single steps that are free, out of the fountain with its exits."""
    board, place, side = view.box.board, view.places[seat], view.sides[seat]
    free = {move.args[0] for move in legal(position(view), seat) if move.verb == "step"}
    if place == board.fountain:
        ways, most = [set(exits) & free for exits in board.exits], max(map(len, board.exits))
        keys = "".join(sorted(walks.step_key(direction, side) for direction, there in enumerate(ways) if there))
        return f"{keys} 1-{most}" if keys else ""
    return "".join(
        sorted(
            walks.step_key(direction, side) for direction in DIRECTIONS if board.beside(place, direction) in free
        )
    )


_KEY_HELP: Final[dict[str, Callable[[str], Text]]] = {
    "load": lambda digits: msg("A {digits}: sous", digits=digits),
    "flour": lambda digits: msg("A, C {digits}: flour", digits=digits),
    "butter": lambda digits: msg("A, C {digits}: butter", digits=digits),
    "water": lambda digits: msg("A, C {digits}: water", digits=digits),
    "unload": lambda _: msg("B, C: unload"),
    "stay": lambda _: msg("D: stay"),
}


_SHOP_KEYS: Final = {"load": "A {}", "unload": "B, C", "stay": "D"}
"""The keys of what can be done in the own shop alone."""


def typed(_view: View, entry: str) -> Text | None:
    """Say what a seat has typed so far."""
    if entry == "#":
        return msg("Bake nothing? # again")
    return msg("Typed: {entry}", entry=entry) if entry else None


def private(view: View, _entry: str) -> Text | None:
    """Say what a seat carries, or has baked."""
    you = view.you
    if you is None:
        return None
    if view.phase == Phase.MOVE and (view.turn != NOBODY or not view.done[you]):
        flour, water, butter, sous = view.loads[you]
        return msg(
            "1 flour {flour}, 2 water {water}, 3 butter {butter}, 4 sous {sous}",
            flour=flour,
            water=water,
            butter=butter,
            sous=sous,
        )
    if view.phase == Phase.PRODUCE:
        bread, croissant = view.products[you]
        return msg(
            "Baked: {breads}, {croissants}",
            breads=msg("{n} bread", "{n} breads", n=bread),
            croissants=msg("{n} croissant", "{n} croissants", n=croissant),
        )
    return None

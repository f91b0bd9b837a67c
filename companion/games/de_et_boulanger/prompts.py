"""Dé et Boulanger's prompts and private texts."""

from collections.abc import Collection
from operator import le
from typing import Final

from companion.core.console import digits_of
from companion.core.move import Seat
from companion.core.text import Text, listed, msg, seat_name
from companion.games.de_et_boulanger import walks
from companion.games.de_et_boulanger.rules import View, legal, position
from companion.games.de_et_boulanger.rules.board import Kind
from companion.games.de_et_boulanger.rules.components import INCIDENT, NO_SIDE, NOBODY, Phase
from companion.games.de_et_boulanger.rules.goods import Products
from companion.games.de_et_boulanger.rules.kinds import goods_text
from companion.games.de_et_boulanger.rules.start import offered_side

KIND_VERBS: Final = ("flour", "water", "butter", "load")
"""The verbs of kinds 1 to 4 in trust mode."""

TRADE: Final = {Kind.SHOP: "load", Kind.MILL: "flour", Kind.FARM: "butter", Kind.FOUNTAIN: "water"}
"""The verb of each kind of square."""

GOODS: Final = {"flour": msg("Flour"), "water": msg("Water"), "butter": msg("Butter"), "load": msg("Coins")}


def most(view: View, seat: Seat, verb: str) -> int:
    """Return the maximum amount of a verb now."""
    return max((move.args[0] for move in legal(position(view), seat) if move.verb == verb), default=0)


def can_unload(view: View, seat: Seat) -> bool:
    return any(move.verb == "unload" for move in legal(position(view), seat))


def prompt(view: View) -> Text:
    return _prompt(view, real_dice=False)


def prompt_by_hand(view: View) -> Text:
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
    return msg("Roll your die, then press 1-6") if real_dice else msg("Your roll")


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
        return msg("Everybody chooses a shop and arranges tiles")
    if view.sides[view.you] == NO_SIDE:
        offered = walks.STEP_KEYS[offered_side(position(view), view.you)]
        if view.tiles[view.you]:
            return msg("Your shop: press its number on the board. # takes {side}", side=offered)
        return msg("Your shop: a number on the board. # takes {side}. A: tiles", side=offered)
    if not view.tiles[view.you]:
        return msg("# keeps this order of tiles. A: choose your own")
    return msg("Wait for the others")


def bakes(view: View, seat: Seat) -> list[Products]:
    return [Products(*move.args) for move in legal(position(view), seat) if move.verb == "bake"]


def dearest(view: View, seat: Seat) -> Products:
    """Return the products that sell for most, but at most the largest number on a tile; prefer breads."""
    tiles = [tile for place in view.tiles[seat] if (tile := view.box.tiles[place]) != INCIDENT]
    most, sell = tuple(map(max, zip(Products(), *tiles, strict=True))), view.box.sell
    return max(
        (p for p in (view.products[seat], *bakes(view, seat)) if all(map(le, p, most))),
        key=lambda p: (p.bread * sell.bread + p.croissant * sell.croissant, p),
    )


def _baking_prompt(view: View) -> Text:
    if view.you is None:
        return msg("Everybody bakes and confirms")
    if view.done[view.you]:
        return msg("Wait for the others")
    if not bakes(view, view.you):
        return msg("Nothing to bake; #: done")
    there = view.products[view.you]
    made = [*bakes(view, view.you), there]
    keys = [text for kind, text in _MIX.items() if any(getattr(each, kind) for each in made)]
    if not any(there):
        return msg("B: bake the best mix. Or {products}. #: done", products=listed(keys))
    keys.append(msg("0: none"))
    if dearest(view, view.you) == there:
        return msg("#: done. Or start over, {keys}", keys=listed(keys))
    return msg("B: best mix. Or {keys}. #: done", keys=listed(keys))


_MIX: Final = {"bread": msg("1: bread"), "croissant": msg("2: croissant")}


def _errand_prompt(view: View) -> Text:
    if view.you is None:
        return msg("Everybody moves. Enter what you buy, then D")
    if view.done[view.you]:
        return msg("Wait for the others")
    verbs = [move.verb for move in legal(position(view), view.you)]
    kinds = digits_of([place for place, verb in enumerate(KIND_VERBS, 1) if verb in verbs])
    if not kinds and "unload" not in verbs:
        return msg("D: finish your errands")
    if not kinds:
        return msg("B: put all back. C: a part. D: done")
    if "unload" not in verbs:
        return msg("What do you take? {digits}, and how many. D: done", digits=kinds)
    return msg("Take {digits}, how many. B, C: put back. D: done", digits=kinds)


def _turn_prompt(view: View, *, real_dice: bool) -> Text:
    if view.you != view.turn:
        if view.die:
            return msg("{seat} moves", seat=seat_name(view.turn))
        return msg("{seat} is about to roll", seat=seat_name(view.turn))
    if view.ready:
        return _own_roll(real_dice=real_dice)
    verbs = {move.verb for move in legal(position(view), view.turn)}
    if not view.die:
        return _before_roll(verbs, msg("#, 1-6: roll") if real_dice else msg("# rolls"))
    goods = next((GOODS[verb] for verb in GOODS if verb in verbs), None)
    if "stay" in verbs:
        return _in_shop(view, verbs)
    if not (view.steps and "step" in verbs):
        if goods:
            return msg("{goods}: A takes all you can, C some. # ends your turn", goods=goods)
        return msg("# ends your turn")
    if goods:
        return msg("{goods}: A all, C some. Or a number on the board. #: end", goods=goods)
    return msg("Walk up to {n}: a number on the board. # stops", n=view.steps)


def _before_roll(verbs: Collection[str], roll: Text) -> Text:
    if "stay" not in verbs:
        goods = next((GOODS[verb] for verb in GOODS if verb in verbs), None)
        if goods:
            return msg("{roll}. {goods}: A takes all you can, C some", roll=roll, goods=goods)
        return msg("Your turn: {roll}", roll=roll)
    if "load" in verbs and "unload" in verbs:
        return msg("{roll}. Coins: A all, C some. B unloads. D stays", roll=roll)
    if "load" in verbs:
        return msg("{roll}. Coins: A all, C some. D stays home", roll=roll)
    if "unload" in verbs:
        return msg("{roll}. B unloads all, C a part. D stays home", roll=roll)
    return msg("{roll}. D stays home", roll=roll)


def _in_shop(view: View, verbs: Collection[str]) -> Text:
    if "step" in verbs:
        letters = "A, " * ("load" in verbs) + "B, " * ("unload" in verbs)
        letters += "C, " * bool(letters) + "D"
        if letters == "D":
            return msg("Walk up to {n}: a number on the board. D: stay. # ends", n=view.steps)
        return msg("Walk: a number on the board. Or {letters}. # ends", letters=letters)
    if "load" in verbs and "unload" in verbs:
        return msg("Coins: A all, C some. B unloads. D stays. # ends")
    if "load" in verbs:
        return msg("Coins: A all, C some. D stays home. # ends your turn")
    if "unload" in verbs:
        return msg("B unloads all, C a part. D stays home. # ends")
    return msg("D stays home. # ends your turn")


def typed(view: View, entry: str) -> Text | None:
    if not entry or view.you is None:
        return None
    if view.phase == Phase.PRODUCE:
        return _typed_mix(entry)
    if view.phase == Phase.SETUP:
        return msg("Your tiles: {entry}. # adds the others in order", entry=" ".join(entry[1:]) or "–")
    if view.turn == NOBODY:
        return _typed_errand(entry)
    if entry == "C":
        kind = view.box.board.kinds[view.places[view.you]]
        verb = TRADE[kind]
        if kind == Kind.SHOP and can_unload(view, view.you):
            return msg("Coins: how many? 0: put something back")
        return msg("{goods}: how many? 1-{n}", goods=GOODS[verb], n=most(view, view.you, verb))
    if entry[0] == "C":
        return _typed_part(entry.removeprefix("C0"))
    return msg("Which exit? 1 to {n}", n=max(map(len, view.box.board.exits)))


def _typed_mix(entry: str) -> Text:
    if entry == "#":
        return msg("Bake nothing? Press # again")
    if entry == "0":
        return msg("Nothing after all: # bakes nothing")
    breads, croissants = entry.count("1"), entry.count("2")
    return msg(
        "{breads}, {croissants}: # bakes them",
        breads=msg("{n} bread", "{n} breads", n=breads),
        croissants=msg("{n} croissant", "{n} croissants", n=croissants),
    )


def _typed_errand(entry: str) -> Text:
    if entry == "D":
        return msg("Are you home? 1: yes, 0: no")
    return _typed_part(entry.removeprefix("C"))


def _typed_part(entry: str) -> Text:
    if not entry:
        return msg("Put back: 1 flour, 2 water, 3 butter, 4 sous")
    return msg("{goods}: how many? 1 to 9", goods=GOODS[KIND_VERBS[int(entry) - 1]])


Own = tuple[tuple[str, int], ...]
"""The kinds and numbers of goods that a seat carries or has baked."""


def own(view: View, _entry: str) -> Own | None:
    you = view.you
    if you is None:
        return None
    if view.phase == Phase.MOVE and (view.turn != NOBODY or not view.done[you]):
        return tuple(view.loads[you]._asdict().items())
    return tuple(view.products[you]._asdict().items()) if view.phase == Phase.PRODUCE else None


def private(view: View, entry: str) -> Text | None:
    there = own(view, entry)
    if there is None:
        return None
    if view.phase == Phase.MOVE:
        return msg("You carry: {load}", load=goods_text(dict(there)))
    (_, bread), (_, croissant) = there
    return msg(
        "Baked: {breads}, {croissants}",
        breads=msg("{n} bread", "{n} breads", n=bread),
        croissants=msg("{n} croissant", "{n} croissants", n=croissant),
    )

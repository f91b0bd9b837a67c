"""Dé et Boulanger's console: numbers walk, letters trade, `#` continues.

* Set-up: 8, 6, 2 or 4 chooses a side, `A` begins the tiles, `#` accepts the offer.
* Turn: a place's number walks there; 8, 6, 2 and 4 are steps (walks.py). `A` takes as much as possible, `C` and a
  number that many. In the shop, `B` unloads all, `C` `0` with a kind and a number a part; `D` stays for the round.
* Trust mode: a kind and a number take goods, `D` ends the errand.
* Oven: `B` bakes the best mix; `1` and `2` add products to another, which `#` bakes.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from companion.core.console import BACK, BUZZ, Deal, HouseEntry, Keyed, Lamp, Stage, no_effect
from companion.core.move import TABLE, Move, Seat
from companion.core.text import Text, msg
from companion.games.de_et_boulanger import prompts, walks
from companion.games.de_et_boulanger.prompts import KIND_VERBS, TRADE, bakes, can_unload, dearest, most
from companion.games.de_et_boulanger.rules import VERBS, View, apply, legal, position, to_act
from companion.games.de_et_boulanger.rules.board import Kind
from companion.games.de_et_boulanger.rules.components import NO_SIDE, NOBODY, Phase, in_shop
from companion.games.de_et_boulanger.rules.goods import Products
from companion.games.de_et_boulanger.rules.start import offered_side

ROLL_MS: Final = 600

SALE_MS: Final = 2000
"""The pause before a sale's die, so that players can follow."""

FACES: Final = "123456"

ENTER: Final = "#"


PART: Final = "C0"
"""Begins a partial unload; `C` and another digit loads sous."""

BREAD: Final = "1"
CROISSANT: Final = "2"
NONE: Final = "0"


def stage(view: View) -> Stage:
    if view.phase == Phase.START:
        return Stage(deal=Deal(ROLL_MS, together=True))
    if view.phase == Phase.SALE:
        return Stage(deal=Deal(SALE_MS))
    if view.phase == Phase.MOVE and view.ready:
        return Stage(deal=Deal(ROLL_MS))
    number = view.round * len(Phase) + list(Phase).index(view.phase)
    if view.phase in {Phase.SETUP, Phase.PRODUCE} or (view.phase == Phase.MOVE and view.turn == NOBODY):
        return Stage(keying=number, question=number)
    if view.phase == Phase.MOVE:  # all steps of a turn are one question
        return Stage(question=(number * len(view.cash) + view.turn) * 2 + bool(view.die))
    return Stage()


# Nobody races to the buzzer in this game, and the house only keys real dice.
called: Final = no_effect
early: Final = no_effect
house: Final = no_effect


# --- Keys -------------------------------------------------------------------------------------------------


def key(view: View, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
    """Return the effect of a key; on the house's keypad it is the face of a real die."""
    if seat == TABLE:
        return _die_key(view, key)
    typed = entries.get(seat, "")
    if key in set(FACES) and not typed and _rolls(view, seat):
        return _die_key(view, key)
    if seat not in to_act(position(view)):
        return Keyed(typed, why=_waits(view, seat))
    if key == BACK:
        return Keyed("")
    read = _buzzed(view, seat, typed) if key == BUZZ else _reader(view)(view, seat, typed + key)
    return Keyed(typed, why=read) if isinstance(read, Text) else read


def _rolls(view: View, seat: Seat) -> bool:
    due = view.phase in {Phase.START, Phase.SALE} or (view.phase == Phase.MOVE and not view.die)
    return due and seat == view.turn


def _waits(view: View, seat: Seat) -> Text:
    if view.phase in {Phase.START, Phase.SALE}:
        return msg("wait for the dice")
    return _why(view, seat, {Phase.SETUP: "tiles", Phase.PRODUCE: "validate"}.get(view.phase, "ready"))


def _buzzed(view: View, seat: Seat, typed: str) -> Keyed | Text:
    """Return the effect of the buzzer. It never ends a turn, since it may be hit by accident."""
    if typed and not (view.phase == Phase.PRODUCE and typed == ENTER):
        return msg("{entry} is not complete; {back} deletes it", entry=typed, back=BACK)
    if view.phase == Phase.MOVE and (view.die or view.turn == NOBODY):
        return msg("the buzzer does nothing here: use the keypad")
    return _reader(view)(view, seat, typed + ENTER)


Reader = Callable[[View, Seat, str], Keyed | Text]
"""Reads an entry: a move, the beginning of one, or why it is neither."""


def _reader(view: View) -> Reader:
    if view.phase == Phase.SETUP:
        return _read_setup
    if view.phase == Phase.PRODUCE:
        return _read_baking
    return _read_errand if view.turn == NOBODY else _read_turn


def house_entry(view: View, entry: str) -> HouseEntry | None:
    """Return the task of keying a real die. Each key is a face, so there is nothing to explain."""
    return HouseEntry(prompt(view), due=False) if legal(position(view), TABLE) else None


def _die_key(view: View, key: str) -> Keyed:
    rolls = legal(position(view), TABLE)
    if not rolls:
        return Keyed(why=_why(view, TABLE, "roll"))
    if key not in FACES:
        return Keyed(why=msg("a die shows 1 to 6, not {n}", n=key))
    return Keyed(move=rolls[int(key) - 1])


def _made(view: View, seat: Seat, verb: str, *args: int) -> Keyed | Text:
    move = Move(seat, verb, args)
    return Keyed(move=move) if move in legal(position(view), seat) else _why(view, seat, verb, *args)


def _why(view: View, seat: Seat, verb: str, *args: int) -> Text:
    return VERBS.refusal(position(view), Move(seat, verb, args)).text


def _done(view: View, seat: Seat, *moves: Move, home: bool = False) -> Keyed:
    """Return a key's moves, then `end` if no other move is left.

    An illegal first move is returned alone, to be refused. With `home`, goods are unloaded on arrival.
    """
    state, made = position(view), [*moves]
    if moves[0] not in legal(state, seat):
        return Keyed(move=moves[0])
    for move in moves:
        state = apply(state, move)
    if home and in_shop(state, seat):
        goods = Move(seat, "unload", state.loads[seat]._replace(sous=0))
        if goods in legal(state, seat):
            made.append(goods)
            state = apply(state, goods)
    left = legal(state, seat)
    is_over = home and in_shop(state, seat) and not state.steps
    if is_over or (len(left) == 1 and left[0].verb == "end"):
        made.append(Move(seat, "end"))
    return Keyed(move=made[0], then=tuple(made[1:]))


def _read_setup(view: View, seat: Seat, typed: str) -> Keyed | Text:
    """Read a side, `A` and tiles in order, or `#` for the offer.

    Without the `A`, a key for a side that was just chosen by another would count as a tile.
    """
    if typed == ENTER:
        owed = []
        if view.sides[seat] == NO_SIDE:
            owed.append(Move(seat, "bakery", (offered_side(position(view), seat),)))
        if not view.tiles[seat]:
            owed.append(Move(seat, "tiles", tuple(range(len(view.box.tiles)))))
        return Keyed(move=owed[0], then=tuple(owed[1:]))
    if typed in set(walks.STEP_KEYS):
        return _made(view, seat, "bakery", walks.STEP_KEYS.index(typed))
    if typed[0] != "A":
        return msg("press 8, 6, 2 or 4 for your shop, A for your tiles")
    order, tiles = typed[1:], "123456789"[: len(view.box.tiles)]
    if view.tiles[seat]:
        return _why(view, seat, "tiles")
    if order.endswith(ENTER):
        order = order[:-1] + "".join(tile for tile in tiles if tile not in order)
    if not all(digit in tiles for digit in order):
        return msg("{key} is not a tile: your tiles are 1 to {n}", key=order[-1], n=len(tiles))
    if len(set(order)) < len(order):
        return msg("tile {n} is already in your row", n=order[-1])
    if len(order) < len(tiles):
        return Keyed(typed)
    return _made(view, seat, "tiles", *(int(digit) - 1 for digit in order))


def _read_turn(view: View, seat: Seat, typed: str) -> Keyed | Text:
    kind, side = view.box.board.kinds[view.places[seat]], view.sides[seat]
    first = typed[0]
    if typed == ENTER:
        return _made(view, seat, "end" if view.die else "ready")
    if typed == "D":
        return _made(view, seat, "stay")
    if (direction := walks.direction_of(first, side)) is not None:
        return _read_step(view, seat, typed, direction)
    if typed in walks.places(view.box.map, side):
        return _read_walk(view, seat, typed)
    if kind == Kind.SHOP and (typed == "B" or typed.startswith(PART)):
        return _read_unload(view, seat, typed, PART)
    if kind == Kind.SHOP and typed == "C" and can_unload(view, seat):
        return Keyed(typed)
    if first in "AC":
        return _read_trade(view, seat, typed)
    return msg("this key does nothing here")


def _read_walk(view: View, seat: Seat, key: str) -> Keyed | Text:
    place = walks.places(view.box.map, view.sides[seat])[key]
    steps = [Move(seat, "step", (square,)) for square in walks.walk(view, seat, key)]
    if steps:
        return _done(view, seat, *steps, home=key == walks.HOME_KEY)
    if place == view.places[seat]:
        return msg("you are there already")
    return msg("the way there is blocked") if view.steps else _why(view, seat, "step")


def _read_step(view: View, seat: Seat, typed: str, direction: int) -> Keyed | Text:
    board, place = view.box.board, view.places[seat]
    if place != board.fountain:
        square = board.beside(place, direction)
        return msg("the board ends there") if square is None else _done(view, seat, Move(seat, "step", (square,)))
    exits = board.exits[direction]
    if not view.steps:
        return _why(view, seat, "step")
    if not exits:
        return msg("the board ends there")
    if len(typed) == 1:
        return Keyed(typed)
    number = "123456789".find(typed[1])
    if not 0 <= number < len(exits):
        return msg("{key} is not an exit: that side has exits 1 to {n}", key=typed[1], n=len(exits))
    return _done(view, seat, Move(seat, "step", (exits[number],)))


def _read_trade(view: View, seat: Seat, typed: str) -> Keyed | Text:
    verb = TRADE.get(view.box.board.kinds[view.places[seat]])
    if verb is None:
        return msg("there is nothing to buy or take here")
    there = most(view, seat, verb)
    if not there:
        return _why(view, seat, verb, 1)
    if typed == "C":
        return Keyed(typed)
    if typed == "A":
        return _done(view, seat, Move(seat, verb, (there,)))
    number = typed[1:]
    return _done(view, seat, Move(seat, verb, (int(number),))) if _is_amount(number) else _no_amount(number)


def _read_errand(view: View, seat: Seat, typed: str) -> Keyed | Text:
    first, rest = typed[0], typed[1:]
    if first == "D":
        if not rest:
            return Keyed(typed)
        if rest not in {"0", "1"}:
            return msg("{key}: press 1 if you are home, 0 if not", key=rest)
        return _made(view, seat, "home", int(rest))
    if first in "BC":
        return _read_unload(view, seat, typed, "C")
    kind = _kind(first)
    if kind is None:
        return msg("press 1 to 4 to take, B or C to put back, D to finish")
    verb = KIND_VERBS[kind]
    if not rest:
        return Keyed(typed) if most(view, seat, verb) else _why(view, seat, verb, 1)
    return Keyed(move=Move(seat, verb, (int(rest),))) if _is_amount(rest) else _no_amount(rest)


def _is_amount(digits: str) -> bool:
    return digits in set("123456789")


def _no_amount(key: str) -> Text:
    return msg("{key}: press 1 to 9 for how many", key=key)


def _no_kind(key: str) -> Text:
    return msg("{key}: 1 is flour, 2 water, 3 butter, 4 sous", key=key)


def _kind(digit: str) -> int | None:
    return "1234".index(digit) if digit in set("1234") else None


def _read_unload(view: View, seat: Seat, typed: str, part: str) -> Keyed | Text:
    """Read what is put back: `B` for everything, or `part`, a kind and a number."""
    load, keys = view.loads[seat], typed.removeprefix(part)
    if typed == "B":
        return _made(view, seat, "unload", *load)
    if typed == part:
        return Keyed(typed) if can_unload(view, seat) else _why(view, seat, "unload", *load)
    kind, number = _kind(keys[0]), keys[1:]
    if kind is None:
        return _no_kind(keys[0])
    if number and not _is_amount(number):
        return _no_amount(number)
    read = _made(view, seat, "unload", *(int(number or 1) if place == kind else 0 for place in range(len(load))))
    return read if number or isinstance(read, Text) else Keyed(typed)


def _read_baking(view: View, seat: Seat, typed: str) -> Keyed | Text:
    """Read what is baked; `#` alone validates.

    A baker who could bake and has not must confirm: the `#` may have been meant for the turn before.
    """
    if typed == ENTER and _bakes_nothing(view, seat):
        return Keyed(ENTER)
    if typed in {ENTER, 2 * ENTER}:
        return _made(view, seat, "validate")
    typed = typed.removeprefix(ENTER)
    if typed == "B":
        return _made(view, seat, "bake", *dearest(view, seat))
    mix, last = (typed[:-1], ENTER) if typed[-1] == ENTER else (typed, "")
    if mix != NONE and not set(mix) <= {BREAD, CROISSANT}:
        return msg("1 adds a bread, 2 a croissant, # bakes")
    baked = mixed(mix)
    if last and baked == view.products[seat]:
        return _made(view, seat, "validate")
    read = _made(view, seat, "bake", *baked)
    if isinstance(read, Text):
        return Keyed(typed) if baked == view.products[seat] and any(baked) else read
    return read._replace(then=(Move(seat, "validate"),)) if last else Keyed(typed)


def mixed(mix: str) -> Products:
    return Products(mix.count(BREAD), mix.count(CROISSANT))


def _bakes_nothing(view: View, seat: Seat) -> bool:
    return not any(view.products[seat]) and bool(bakes(view, seat))


def keys_for(view: View, move: Move) -> tuple[str, ...]:
    """Return the keys of a move; () for a part of a load with several kinds."""
    seat, verb, args = move
    if seat == TABLE:
        return ()
    if verb == "bakery":
        return (walks.STEP_KEYS[args[0]],)
    if verb == "tiles":
        return _row_keys(view, seat, args)
    if verb == "validate" and _bakes_nothing(view, seat):
        return (ENTER, ENTER)
    if verb in {"ready", "end", "validate"}:
        return (ENTER,)
    if verb == "stay":
        return ("D",)
    if verb == "home":
        return ("D", str(args[0]))
    if verb == "step":
        return walks.step_keys(view, seat, args[0])
    if verb == "unload":
        return _unload_keys(view, seat, args)
    if verb == "bake":
        mix = (BREAD * args[0] + CROISSANT * args[1]) or NONE
        return ("B",) if args == dearest(view, seat) else (*mix, ENTER)
    if view.turn == NOBODY:
        return (str(KIND_VERBS.index(verb) + 1), str(args[0]))
    return ("A",) if args == (most(view, seat, verb),) else ("C", str(args[0]))


def _row_keys(view: View, seat: Seat, row: Sequence[int]) -> tuple[str, ...]:
    """Return the keys of a row of tiles. One `#` adds the last tiles if they are in order."""
    if list(row) == sorted(row) and view.sides[seat] != NO_SIDE:
        return (ENTER,)
    kept = len(row)
    while kept and list(row[kept - 1 :]) == sorted(row[kept - 1 :]):
        kept -= 1
    digits = [str(tile + 1) for tile in row]
    return ("A", *digits) if kept > len(row) - 2 else ("A", *digits[:kept], ENTER)


def _unload_keys(view: View, seat: Seat, args: tuple[int, ...]) -> tuple[str, ...]:
    if args == view.loads[seat]:
        return ("B",)
    kinds = [place for place, number in enumerate(args) if number]
    if len(kinds) > 1:
        return ()
    return (*("C" if view.turn == NOBODY else PART), str(kinds[0] + 1), str(args[kinds[0]]))


# --- Prompts and lamps ------------------------------------------------------------------------------------


prompt: Final = prompts.prompt
prompt_by_hand: Final = prompts.prompt_by_hand
private: Final = prompts.private
own: Final = prompts.own
typed: Final = prompts.typed


def lamps(view: View) -> tuple[Lamp, ...]:
    """Return each seat's lamp: on for the turn, blinking for open choices."""
    seats = range(len(view.cash))
    if view.turn != NOBODY:
        return tuple(Lamp.ON if seat == view.turn else Lamp.OFF for seat in seats)
    waited_for = to_act(position(view))
    return tuple(Lamp.BLINK if seat in waited_for else Lamp.OFF for seat in seats)

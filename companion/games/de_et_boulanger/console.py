"""Dé et Boulanger's console: steps as on a number pad, letters for trades, `#` to go on.

In the own turn 8, 6, 2 and 4 are a step up, right, down and left; out of the fountain the direction is followed by
the exit, from left to right or from top to bottom. `A` and a number loads, buys or takes; `B` puts everything back;
`C`, a kind and a number puts back a part. Where squares are not followed, `A` needs the kind too, and `D` ends.
"""

from collections.abc import Callable, Mapping
from typing import Final, NoReturn

from companion.core.console import BACK, BUZZ, Call, Deal, Keyed, Lamp, Stage
from companion.core.move import TABLE, Move, Seat
from companion.core.text import Text, msg, seat_name
from companion.games.de_et_boulanger.rules import View, legal, position, to_act
from companion.games.de_et_boulanger.rules.board import DOWN, LEFT, RIGHT, SIDES, UP, Kind, Square
from companion.games.de_et_boulanger.rules.components import NO_SIDE, NOBODY, Phase
from companion.games.de_et_boulanger.rules.goods import Load

ROLL_MS: Final = 600
"""The pause before a die that was asked for."""

SALE_MS: Final = 2000
"""The pause before the die of a sale, so that each can be followed."""

DIRECTION_KEYS: Final = {UP: "8", RIGHT: "6", DOWN: "2", LEFT: "4"}
"""The keys of the directions, and of the sides of the board: N is up."""

KINDS: Final = Load._fields
"""What the kind digits 1 to 4 mean."""

_DIRECTIONS: Final = {key: direction for direction, key in DIRECTION_KEYS.items()}
_TRADE: Final = {Kind.SHOP: "load", Kind.MILL: "flour", Kind.FARM: "butter", Kind.FOUNTAIN: "water"}
_KIND_VERBS: Final = ("flour", "water", "butter", "load")
_LONGEST_NUMBER: Final = 4


def stage(view: View) -> Stage:
    """Say what the referee waits for."""
    if view.phase == Phase.START:
        return Stage(deal=Deal(ROLL_MS, together=True))
    if view.phase == Phase.SALE:
        return Stage(deal=Deal(SALE_MS))
    if view.phase == Phase.MOVE and view.ready:
        return Stage(deal=Deal(ROLL_MS))
    if view.phase in {Phase.SETUP, Phase.PRODUCE} or (view.phase == Phase.MOVE and view.turn == NOBODY):
        return Stage(keying=view.round * len(Phase) + list(Phase).index(view.phase))
    return Stage()


def called(view: View, winners: tuple[Call, ...]) -> NoReturn:
    """Raise NotImplementedError: this game has no race."""
    raise NotImplementedError("nobody calls in Dé et Boulanger")


def early(view: View, seat: Seat) -> Move | None:
    """Return None: this game has no race."""
    return None


def house(view: View, control: str) -> Move | None:
    """Return None: the house has no part but keying real dice."""
    return None


# --- Keys -------------------------------------------------------------------------------------------------


def key(view: View, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
    """Return what a key means; for the house's keypad the face of a real die."""
    if seat == TABLE:
        return _die_key(view, key)
    typed = entries.get(seat, "")
    if seat not in to_act(position(view)):
        return Keyed(typed, accepted=False)
    if key == BACK:
        return Keyed("")
    read = _buzzed(view, seat, typed) if key == BUZZ else _reader(view)(view, seat, typed + key)
    return Keyed(typed, accepted=False) if read is None else read


def _buzzed(view: View, seat: Seat, typed: str) -> Keyed | None:
    """The buzzer asks for the die, or validates; it ends no turn, since it is hit in passing."""
    if typed:
        return None
    return _made(view, seat, "ready") or _made(view, seat, "validate")


Reader = Callable[[View, Seat, str], Keyed | None]
"""Reads what a seat has typed up to now: a move, the beginning of one, or None for neither."""


def _reader(view: View) -> Reader:
    if view.phase == Phase.SETUP:
        return _read_setup
    if view.phase == Phase.PRODUCE:
        return _read_baking
    return _read_errand if view.turn == NOBODY else _read_turn


def _die_key(view: View, key: str) -> Keyed:
    rolls = legal(position(view), TABLE)
    if not rolls or key not in "123456":
        return Keyed(accepted=False)
    return Keyed(move=rolls[int(key) - 1])


def _made(view: View, seat: Seat, verb: str, *args: int) -> Keyed | None:
    move = Move(seat, verb, args)
    return Keyed(move=move) if move in legal(position(view), seat) else None


def _asked(seat: Seat, verb: str, *args: int) -> Keyed:
    """Return a whole move even if the rules will refuse it, because they say why."""
    return Keyed(move=Move(seat, verb, args))


def _read_setup(view: View, seat: Seat, typed: str) -> Keyed | None:
    """Read a side, one key of 8 6 2 4; or `A` and the tiles in their order.

    Without the `A` a side that somebody else has decided meanwhile would be taken for a tile.
    """
    if typed in _DIRECTIONS and view.sides[seat] == NO_SIDE:
        return _made(view, seat, "bakery", _DIRECTIONS[typed])
    order = typed.removeprefix("A")
    tiles = len(view.box.tiles)
    if view.tiles[seat] or not _is_order(order, tiles) or order == typed:
        return None
    if len(order) < tiles:
        return Keyed(typed)
    return _made(view, seat, "tiles", *(int(digit) - 1 for digit in order))


def _is_order(digits: str, tiles: int) -> bool:
    return len(set(digits)) == len(digits) and all(digit in "123456789"[:tiles] for digit in digits)


def _read_turn(view: View, seat: Seat, typed: str) -> Keyed | None:
    """Read a key of the baker whose turn it is."""
    board, place = view.box.board, view.places[seat]
    first, rest = typed[0], typed[1:]
    if typed == "#":
        return _made(view, seat, "end" if view.die else "ready")
    if first in _DIRECTIONS and board.kinds[place] == Kind.FOUNTAIN:
        exits = board.exits[_DIRECTIONS[first]]
        if not rest:
            return Keyed(typed) if exits and view.steps else None
        number = int(rest) if rest.isdecimal() else 0
        return _asked(seat, "step", exits[number - 1]) if 1 <= number <= len(exits) else None
    if typed in _DIRECTIONS:
        square = board.beside(place, _DIRECTIONS[typed])
        return None if square is None else _asked(seat, "step", square)
    if first == "A":
        verb = _TRADE.get(board.kinds[place])
        return None if verb is None else _amount(view, seat, verb, typed, rest)
    return _read_unload(view, seat, typed)


def _read_errand(view: View, seat: Seat, typed: str) -> Keyed | None:
    """Read a key of a baker whose squares are not followed."""
    first, rest = typed[0], typed[1:]
    if first == "D":
        if not rest:
            return Keyed(typed)
        return _made(view, seat, "home", int(rest)) if rest in {"0", "1"} else None
    if first == "A":
        if not rest:
            return Keyed(typed)
        kind = _kind(rest[0])
        return None if kind is None else _amount(view, seat, _KIND_VERBS[kind], typed, rest[1:])
    return _read_unload(view, seat, typed)


def _amount(view: View, seat: Seat, verb: str, typed: str, digits: str) -> Keyed | None:
    if not digits:
        return Keyed(typed) if any(move.verb == verb for move in legal(position(view), seat)) else None
    return _asked(seat, verb, int(digits)) if digits in set("123456789") else None


def _kind(digit: str) -> int | None:
    return "1234".index(digit) if digit in set("1234") else None


def _read_unload(view: View, seat: Seat, typed: str) -> Keyed | None:
    """Read what is put back: `B` everything, `C` a number of one kind."""
    if typed == "B":
        return _made(view, seat, "unload", *view.loads[seat])
    if typed[0] != "C":
        return None
    if len(typed) == 1:
        return Keyed(typed) if any(move.verb == "unload" for move in legal(position(view), seat)) else None
    kind = _kind(typed[1])
    if kind is None or not view.loads[seat][kind]:
        return None
    if len(typed) == 2:
        return Keyed(typed)
    number = int(typed[2]) if typed[2].isdecimal() else 0
    return _made(view, seat, "unload", *(number if place == kind else 0 for place in range(len(KINDS))))


def _read_baking(view: View, seat: Seat, typed: str) -> Keyed | None:
    """Read what is baked: breads `A` croissants `D`; `#` alone validates."""
    if typed == "#":
        return _made(view, seat, "validate")
    bread, a, rest = typed.partition("A")
    croissant, d, more = rest.partition("D")
    if not _is_number(bread) or more or (a and croissant and not _is_number(croissant)) or (d and not croissant):
        return None
    if not d:
        return Keyed(typed)
    # What cannot be baked is typed anew from its first digit.
    return _made(view, seat, "bake", int(bread), int(croissant)) or Keyed("", accepted=False)


def _is_number(digits: str) -> bool:
    plain = digits.isascii() and digits.isdecimal() and len(digits) <= _LONGEST_NUMBER
    return plain and (digits == "0" or digits[0] != "0")


def keys_for(view: View, move: Move) -> tuple[str, ...]:
    """Return the keys of a move; () for a part of a load that has several kinds: each is put back by itself."""
    seat, verb, args = move
    if seat == TABLE:
        return ()
    if verb == "bakery":
        return (DIRECTION_KEYS[args[0]],)
    if verb == "tiles":
        return ("A", *(str(tile + 1) for tile in args))
    if verb in {"ready", "end", "validate"}:
        return ("#",)
    if verb == "home":
        return ("D", str(args[0]))
    if verb == "step":
        return _step_keys(view, view.places[seat], args[0])
    if verb == "unload":
        return _unload_keys(view.loads[seat], args)
    if verb == "bake":
        return (*str(args[0]), "A", *str(args[1]), "D")
    kind = () if view.turn != NOBODY else (str(_KIND_VERBS.index(verb) + 1),)
    return ("A", *kind, str(args[0]))


def _step_keys(view: View, place: Square, to: Square) -> tuple[str, ...]:
    board = view.box.board
    for direction, key in DIRECTION_KEYS.items():
        if place == board.fountain:
            if to in board.exits[direction]:
                return key, str(board.exits[direction].index(to) + 1)
        elif board.beside(place, direction) == to:
            return (key,)
    return ()


def _unload_keys(load: Load, args: tuple[int, ...]) -> tuple[str, ...]:
    if args == load:
        return ("B",)
    kinds = [place for place, number in enumerate(args) if number]
    return ("C", str(kinds[0] + 1), str(args[kinds[0]])) if len(kinds) == 1 else ()


# --- What is said and lit ---------------------------------------------------------------------------------


def prompt(view: View) -> Text:
    """Say what the reader may do now."""
    if view.phase == Phase.OVER:
        return msg("The match is over")
    if view.phase in {Phase.START, Phase.SALE}:
        return _rolling_prompt(view)
    if view.phase == Phase.SETUP:
        return _setup_prompt(view)
    if view.phase == Phase.PRODUCE:
        return _baking_prompt(view)
    return _errand_prompt(view) if view.turn == NOBODY else _turn_prompt(view)


def _rolling_prompt(view: View) -> Text:
    if view.you == view.turn:
        return msg("Your roll")
    if view.phase == Phase.START:
        return msg("{seat} rolls for the first turn", seat=seat_name(view.turn))
    if view.die:
        return msg("{seat} rolls for the incident", seat=seat_name(view.turn))
    return msg("{seat} rolls for the sale", seat=seat_name(view.turn))


def _setup_prompt(view: View) -> Text:
    if view.you is None:
        return msg("Everybody chooses a side and orders tiles")
    if view.sides[view.you] == NO_SIDE:
        taken = "".join(SIDES[side] for side in view.sides if side != NO_SIDE)
        if taken:
            return msg("Your side: 8 N, 6 E, 2 S, 4 W; taken: {taken}", taken=taken)
        return msg("Your side: 8 N, 6 E, 2 S, 4 W")
    if not view.tiles[view.you]:
        return msg("A, then your tiles: 1 to {n}, each once", n=len(view.box.tiles))
    return msg("Wait for the others")


def _baking_prompt(view: View) -> Text:
    if view.you is None:
        return msg("Everybody bakes and validates")
    if view.done[view.you]:
        return msg("Wait for the others")
    return msg("Breads A croissants D bakes, # validates")


def _errand_prompt(view: View) -> Text:
    if view.you is None:
        return msg("Everybody moves; key trades, D at the end")
    if view.done[view.you]:
        return msg("Wait for the others")
    return msg("A kind n takes, B back, D1 home or D0 not")


def _turn_prompt(view: View) -> Text:
    if view.you != view.turn:
        if view.die:
            return msg("{seat} moves", seat=seat_name(view.turn))
        return msg("{seat} is about to roll", seat=seat_name(view.turn))
    if view.ready:
        return msg("Your roll")
    verbs = {move.verb for move in legal(position(view), view.turn)}
    keys = [text for verb, text in _KEY_HELP.items() if verb in verbs]
    if "step" in verbs and view.places[view.turn] == view.box.board.fountain:
        keys[0] = msg("2468 1-{n} step", n=max(map(len, view.box.board.exits)))
    said = msg("# ends") if view.die else msg("# rolls")
    for text in reversed(keys):
        said = msg("{first}, {rest}", first=text, rest=said)
    return msg("{n} left: {keys}", n=view.steps, keys=said) if view.steps else said


_KEY_HELP: Final = {
    "step": msg("2468 step"),
    "load": msg("A 1-9 sous"),
    "flour": msg("A 1-9 flour"),
    "butter": msg("A 1-9 butter"),
    "water": msg("A 1-9 water"),
    "unload": msg("B unloads"),
}


def private(view: View, entry: str) -> Text | None:
    """Say what a seat has typed so far; else what it carries, or has baked."""
    if entry:
        return msg("Typed: {entry}", entry=entry)
    you = view.you
    if you is None:
        return None
    if view.phase == Phase.MOVE and not view.done[you]:
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


def lamps(view: View) -> tuple[Lamp, ...]:
    """Return each seat's lamp: on for whose turn it is, blinking for those who still have to choose."""
    seats = range(len(view.cash))
    if view.turn != NOBODY:
        return tuple(Lamp.ON if seat == view.turn else Lamp.OFF for seat in seats)
    waited_for = to_act(position(view))
    return tuple(Lamp.BLINK if seat in waited_for else Lamp.OFF for seat in seats)

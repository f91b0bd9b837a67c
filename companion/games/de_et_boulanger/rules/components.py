"""What a match of Dé et Boulanger is made of: the house rules, the box, and a position."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from companion.core.handicaps import handicap
from companion.core.move import Seat
from companion.core.options import option
from companion.core.text import msg, seat_name
from companion.games.de_et_boulanger.rules.board import Board, Square, board_of
from companion.games.de_et_boulanger.rules.goods import Goods, Load, Products

NOBODY: Final = Seat(-1)
"""No seat has the turn: none has it yet, or several act at once."""

NOWHERE: Final[Square] = -1
"""The place of a pawn whose bakery is not chosen yet."""

NO_SIDE: Final = -1
"""The side of a bakery that is not chosen yet."""

OUT: Final = -1
"""The start roll of a seat that others have beaten."""

FACES: Final = 6

AMOUNT_MOST: Final = 9
"""The most tokens that a box may allow on a pawn, so that one key names any amount."""

INCIDENT: Final[tuple[int, ...]] = ()
"""The tile on which nothing is sold; all others are (breads, croissants)."""

EFFECTS: Final = ("flood", "earthquake", "gift")


def _handicap(number: int) -> int:
    seat = seat_name(number - 1)
    return handicap(
        msg("sous that {seat} has more in the cash box at the start", seat=seat),
        label=msg("Handicap, {seat} (sous)", seat=seat),
        badge=lambda n: msg("+{n} sou", "+{n} sous", n=n),
        maximum=50,
        steps=(5, 10, 15, 20, 30, 50),
    )


@dataclass(frozen=True)
class Rulings:
    """The house rules of one match (docs/rules/de_et_boulanger.md, "Rulings")."""

    movement: str = option(
        "full",
        msg("key every step and trade, or only what was bought and who came home"),
        choices={"full": msg("every step"), "trust": msg("only trades")},
        label=msg("Keyed"),
        ours=True,
    )
    shop_stops_move: bool = option(
        True,
        msg("a baker who comes home loses the steps that are left"),
        label=msg("Home ends the move"),
    )
    bonus_needs_trip: bool = option(
        True,
        msg("only a baker who has been out gets the sous for being home"),
        label=msg("Bonus only after a trip"),
    )
    carried_home: str = option(
        "after_all",
        msg("a baker who is not home is carried there when all have ended their last turn, or after his own"),
        choices={"after_all": msg("all together"), "after_own": msg("after the own last turn")},
        label=msg("Carried home"),
    )
    handicap_1: int = _handicap(1)
    handicap_2: int = _handicap(2)
    handicap_3: int = _handicap(3)
    handicap_4: int = _handicap(4)


class Box(NamedTuple):
    """What is in the box. Prices are in sous, `price` for one measure, `sell` for one product.

    `recipes` are those of bread and croissant; `effects` says for each face of the die what an incident is.
    """

    map: str
    rounds: int
    rolls_per_round: int
    load_limit: int
    start_sous: int
    home_bonus: int
    price: Goods
    sell: Products
    recipes: tuple[Goods, Goods]
    tiles: tuple[tuple[int, ...], ...]
    effects: tuple[str, ...]

    @property
    def board(self) -> Board:
        """The board that the map describes."""
        return board_of(self.map)


class Phase(StrEnum):
    """Where in a round the match stands."""

    SETUP = "setup"  # bakeries and tiles are chosen
    START = "start"  # the dice for the first turn
    MOVE = "move"
    PRODUCE = "produce"
    SALE = "sale"
    OVER = "over"


SETUP: Final = Phase.SETUP
START: Final = Phase.START
MOVE: Final = Phase.MOVE
SALE: Final = Phase.SALE
"""The phases by names of their own: to look a member up in its class takes time."""


class Setting(NamedTuple):
    """What stays the same throughout a match."""

    box: Box
    rulings: Rulings
    seats: int


class State(NamedTuple):
    """A position. Tuples of values have one for each seat.

    `round` and `series` count from 1. `order` are the seats in the order of play, from the first. `turn` is who
    moves, rolls or sells; NOBODY when all act at once. `ready` tells that the moving baker has asked for the die.
    `die` is the last roll of the turn, 0 before it; `steps` are left of it. `rolls` are the start rolls: 0 is owed,
    OUT beaten. `sides` are those of the bakeries. `trips` tells who has left the shop in this phase, `stayed` who
    has ended a launch there before that although the door was free. `done` is 1 for a seat that has finished a
    phase in which all act at once, or stays at home while others walk; `bonus` is 1
    for one that said to be home at its end. `tiles` are what is left of each row, `markers` the place of the marker
    in it.
    """

    setting: Setting
    phase: Phase
    round: int
    series: int
    order: tuple[Seat, ...]
    rolls: tuple[int, ...]
    sides: tuple[int, ...]
    trips: tuple[bool, ...]
    stayed: tuple[bool, ...]
    loads: tuple[Load, ...]
    cash: tuple[int, ...]
    labs: tuple[Goods, ...]
    products: tuple[Products, ...]
    done: tuple[int, ...]
    bonus: tuple[int, ...]
    tiles: tuple[tuple[int, ...], ...]
    markers: tuple[int, ...]
    places: tuple[Square, ...]
    turn: Seat
    ready: bool
    die: int
    steps: int


def is_seat(state: State, seat: Seat) -> bool:
    return 0 <= seat < state.setting.seats


def in_shop(state: State, seat: Seat) -> bool:
    side = state.sides[seat]
    return side != NO_SIDE and state.places[seat] == state.setting.box.board.shops[side]


def tile_text(tile: tuple[int, ...]) -> str:
    """Return a tile as `5/1`, breads before croissants, or `incident`."""
    return f"{tile[0]}/{tile[1]}" if tile else "incident"


def under_marker(state: State, seat: Seat, roll: int) -> int:
    """Return the place in a seat's row to which a roll takes its marker (DB-R21, DB-A24)."""
    return (state.markers[seat] + roll) % len(state.tiles[seat])


SEATS: Final = range(2, 5, 2)

"""The house rules, the box and the position of Dé et Boulanger."""

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
"""The value of `turn` before the first round, and while several seats act at once."""

NOWHERE: Final[Square] = -1
"""The square of a pawn before its bakery is chosen."""

NO_SIDE: Final = -1
"""The side of a bakery before it is chosen."""

OUT: Final = -1
"""The start roll of a seat that was beaten."""

FACES: Final = 6

AMOUNT_MOST: Final = 9
"""Maximum load limit of a box: amounts are single digits."""

INCIDENT: Final[tuple[int, ...]] = ()
"""The tile of an incident; all others are (breads, croissants)."""

EFFECTS: Final = ("flood", "earthquake", "gift")


def _handicap(number: int) -> int:
    seat = seat_name(number - 1)
    return handicap(
        msg("extra sous for {seat} in the cash box at the start", seat=seat),
        label=msg("Handicap, {seat} (sous)", seat=seat),
        badge=lambda n: msg("+{n} sou", "+{n} sous", n=n),
        maximum=50,
        steps=(5, 10, 15, 20, 30, 50),
    )


@dataclass(frozen=True)
class Rulings:
    """The house rules of a match (docs/rules/de_et_boulanger.md, "Rulings")."""

    movement: str = option(
        "full",
        msg("enter every step and trade, or only what was bought and who came home"),
        choices={"full": msg("every step"), "trust": msg("only trades")},
        label=msg("You enter"),
        ours=True,
    )
    shop_stops_move: bool = option(
        True,
        msg("a baker who comes home loses the steps that are left"),
        label=msg("Home ends the move"),
    )
    bonus_needs_trip: bool = option(
        True,
        msg("only a baker who has been out gets the bonus for being home"),
        label=msg("Bonus only after a trip"),
    )
    carried_home: str = option(
        "after_all",
        msg("bakers who are not home are carried there after everyone's last turn, or after their own"),
        choices={"after_all": msg("all together"), "after_own": msg("after their last turn")},
        label=msg("Carried home"),
    )
    handicap_1: int = _handicap(1)
    handicap_2: int = _handicap(2)
    handicap_3: int = _handicap(3)
    handicap_4: int = _handicap(4)


class Box(NamedTuple):
    """The contents of the box. Prices are in sous per measure (`price`) and product (`sell`).

    `recipes` are for bread and croissant; `effects` are by face of the incident's die.
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
        return board_of(self.map)


class Phase(StrEnum):
    """The phase of a match."""

    SETUP = "setup"  # choosing bakeries and tiles
    START = "start"  # rolling for the first turn
    MOVE = "move"
    PRODUCE = "produce"
    SALE = "sale"
    OVER = "over"


SETUP: Final = Phase.SETUP
START: Final = Phase.START
MOVE: Final = Phase.MOVE
SALE: Final = Phase.SALE
"""Aliases of phases: attribute lookup on the enum is slow."""


class Setting(NamedTuple):
    """The constants of a match."""

    box: Box
    rulings: Rulings
    seats: int


class State(NamedTuple):
    """A position. Tuples other than `order` have an entry for each seat.

    `round` counts from 1, as does `series`, the roll of the round (0 in trust mode). `order` is the order of play,
    `turn` the seat that moves, rolls or sells. `ready` means that its baker has requested the die. `die` is the
    last roll (0 before it), with `steps` left. `rolls` are the start rolls: 0 is due, OUT is beaten.

    `trips` are the bakers that left the shop in this phase, `stayed` those that ended a turn there before although
    the door was free. `done` is 1 if the seat has finished a simultaneous phase, or stays at home for the round.
    `bonus` is 1 if the baker reported being home. `tiles` are the remaining rows, `markers` the indexes in them.
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
    return f"{tile[0]}/{tile[1]}" if tile else "incident"


def under_marker(state: State, seat: Seat, roll: int) -> int:
    """Return the index in a seat's row that a roll leads to (DB-R21, DB-A24)."""
    return (state.markers[seat] + roll) % len(state.tiles[seat])


SEATS: Final = range(2, 5, 2)

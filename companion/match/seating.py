"""The players at the places of a table, and the options that the program was started with. Pure."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from companion.core.console import BUZZ
from companion.core.game import LEVELS, Game, Sign
from companion.core.match import Match
from companion.core.move import TABLE, Seat
from companion.core.place import HOUSE, MOST_PLACES, Place, by_place
from companion.core.text import Text, msg, one_of
from companion.games import signs_of

PLACES: Final = MOST_PLACES

NAME_KEY: Final = "A"
ROBOT_KEY: Final = "B"
ONE_MORE_KEY: Final = "C"

NAMES: Final = ("Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "Greta", "Hugo", "Ida", "Jon")

ROBOTS: Final = {
    "easy": msg("easy"),
    "middle": msg("middle"),
    "strong": msg("strong"),
    "random": msg("random"),
}


class Sitter(NamedTuple):
    """A player, with the kind of robot or "" for a person."""

    name: str
    robot: str = ""


class Seating(NamedTuple):
    """The player at each place; None if it is free. Seats are counted clockwise from the `first` place."""

    places: tuple[Sitter | None, ...]
    names: tuple[str, ...]
    robots: tuple[str, ...]
    first: Place = Place(0)

    @property
    def taken(self) -> tuple[Place, ...]:
        """The occupied places, in the order of seats."""
        count = len(self.places)
        around = (Place((self.first + step) % count) for step in range(count))
        return tuple(place for place in around if self.places[place])

    def place_of(self, seat: Seat) -> Place:
        return HOUSE if seat == TABLE else self.taken[seat]

    @property
    def sitters(self) -> tuple[Sitter, ...]:
        around = (*self.places[self.first :], *self.places[: self.first])
        return tuple(sitter for sitter in around if sitter)

    def is_robot(self, place: Place) -> bool:
        sitter = self.places[place]
        return bool(sitter and sitter.robot)

    def with_common_robots(self) -> "Seating":
        places = tuple(
            sitter._replace(robot=self.robots[0])
            if sitter and sitter.robot and sitter.robot not in self.robots
            else sitter
            for sitter in self.places
        )
        return self._replace(places=places)

    def again(self, names: Mapping[Place, str], robots: Mapping[Place, str]) -> "Seating":
        there = {place: Sitter(name, robots.get(place, "")) for place, name in names.items()}
        return self._replace(places=tuple(there.get(place) for place, _ in by_place(self.places)))

    def as_last(self, players: Sequence[str], robots: Sequence[str], presser: Place) -> "Seating":
        """Return the seating of the last match. The robot at `presser`, if any, gives up its place.

        The names of these players remain the first choice at their places.
        """
        names = dict(by_place(players))
        kinds = dict(by_place(robots))
        there = {place: Sitter(name, kinds.get(place, "")) for place, name in names.items() if name}
        if there.get(presser, Sitter("")).robot:
            del there[presser]
        of_place = (names.get(place) or name for place, name in by_place(self.names))
        places = tuple(there.get(place) for place, _ in by_place(self.places))
        return self._replace(places=places, names=tuple(dict.fromkeys((*of_place, *self.names))))

    def to_learn(self, place: Place, seats: int) -> "Seating":
        learner = None if self.is_robot(place) else self.places[place]
        seating = self._replace(places=(None,) * len(self.places), first=place)
        seating = seating._put(place, learner or Sitter(seating._free_name(place)))
        for step in range(1, seats):
            seating = seating.press(Place((place + step) % len(self.places)), ROBOT_KEY)
        return seating

    def press(self, place: Place, control: str) -> "Seating":
        """Return the seating after a press: the buzzer sits down or stands up, A sits down or renames.

        B changes the kind of robot. C seats a robot at the next free place, since on a PC free places do not have
        keys.
        """
        if place == HOUSE:
            return self
        sitter = self.places[place]
        if control == BUZZ:
            return self._put(place, None if sitter else Sitter(self._free_name(place)))
        if control == NAME_KEY:  # also for players without a buzzer
            name = self._next_name(sitter.name) if sitter else self._free_name(place)
            return self._put(place, (sitter or Sitter(name))._replace(name=name))
        if control == ROBOT_KEY:
            kinds = ("", *self.robots)
            kind = kinds[(kinds.index(sitter.robot if sitter else "") + 1) % len(kinds)]
            return self._put(place, (sitter or Sitter(self._free_name(place)))._replace(robot=kind))
        if control == ONE_MORE_KEY:
            return self._with_one_more_robot(place)
        return self

    def named(self, place: Place, name: str) -> "Seating":
        """Return the seating with a person at a place. A robot of the same name is renamed."""
        seating = self._put(place, Sitter(name))
        for other, sitter in by_place(self.places):
            if sitter and sitter.robot and sitter.name == name and other != place:
                seating = seating._put(other, sitter._replace(name=seating._free_name(other)))
        return seating

    def place_named(self, name: str) -> Place | None:
        named = (place for place, one in by_place(self.places) if one and not one.robot and one.name == name)
        return next(named, None)

    def stood_up(self, place: Place) -> "Seating":
        return self._put(place, None)

    def _with_one_more_robot(self, place: Place) -> "Seating":
        count = len(self.places)
        around = (Place((place + step) % count) for step in range(count))
        free = next((other for other in around if not self.places[other]), None)
        if free is None:
            return self
        return self._put(free, Sitter(self._free_name(free), self.robots[0]))

    def _put(self, place: Place, sitter: Sitter | None) -> "Seating":
        return self._replace(places=(*self.places[:place], sitter, *self.places[place + 1 :]))

    def _used(self) -> set[str]:
        return {sitter.name for sitter in self.places if sitter}

    def _free_name(self, place: Place) -> str:
        wanted = [*self.names[place : place + 1], *self.names]
        return next(name for name in wanted if name not in self._used())

    def _next_name(self, name: str) -> str:
        start = self.names.index(name) if name in self.names else -1
        around = [self.names[(start + step) % len(self.names)] for step in range(1, len(self.names) + 1)]
        return next((other for other in around if other not in self._used()), name)


def common_robots(games: Sequence[Sign]) -> tuple[str, ...]:
    """Return the levels of robots that all games have, otherwise their common kinds, otherwise all kinds."""
    kinds = tuple(dict.fromkeys(kind for game in games for kind in game.robots))
    shared = tuple(kind for kind in kinds if all(kind in game.robots for game in games))
    return tuple(kind for kind in LEVELS if kind in shared) or shared or kinds


class Wanted(NamedTuple):
    """The players and the game that the program was started for.

    If a `game` is given, no other is offered; with `lesson` it is taught at once. A `match` begins at once.
    """

    sitters: Sequence[Sitter | None] = ()
    game: str | None = None
    match: Match | None = None
    lesson: bool = False

    def games(self, games: Mapping[str, Game]) -> Mapping[str, Game]:
        return {self.game: games[self.game]} if self.game else games

    def seating(self, games: Mapping[str, Game], names: Sequence[str]) -> Seating:
        """Return the initial seating; `names` come from the table's configuration."""
        places = (*self.sitters, *[None] * PLACES)[:PLACES]
        playable = self.games(games)
        asked = {sitter.robot: None for sitter in self.sitters if sitter and sitter.robot}
        others = (kind for kind in asked if all(kind in game.bots for game in playable.values()))
        robots = dict.fromkeys((*common_robots(signs_of(playable)), *others))
        return Seating(places, tuple(dict.fromkeys((*names, *NAMES))), tuple(robots))


def players_text(seats: Sequence[int]) -> Text:
    return msg("{n} players are needed", n=one_of(seats))


def span_of(seats: Sequence[int]) -> Text:
    least, most = min(seats), max(seats)
    return one_of(seats) if len(seats) < most - least + 1 or len(seats) < 3 else Text(f"{least}\N{EN DASH}{most}")

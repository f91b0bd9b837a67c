"""Numbered lists and the list of who sits where: what the table asks before, between and after matches. Pure.

Everything works by buzzers and keys alone: a digit chooses a line, a buzzer goes to the next one, `#` or the
house's ok takes it, `*` or the house's undo, pause or menu goes back.
"""

import dataclasses
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion.core import options
from companion.core.console import BUZZ
from companion.core.game import Game
from companion.core.move import TABLE, Seat
from companion.core.rules import Rulings
from companion.core.text import Text, msg

PLACES: Final = 5
"""How many people a table has room for."""

OK_CONTROLS: Final = frozenset({"#", "ok"})
BACK_CONTROLS: Final = frozenset({"*", "undo", "pause", "menu"})
NEXT_CONTROLS: Final = frozenset({BUZZ, "skip"})
MENU_CONTROLS: Final = frozenset({"0", "pause", "menu"})
"""What opens the table's menu where nobody plays; 0 for tables without controls of the house."""

NAME_KEY: Final = "A"
ROBOT_KEY: Final = "B"
ONE_MORE_KEY: Final = "C"
HELP_KEY: Final = "A"
"""In a list of games or house rules: how it is played."""

NAMES: Final = ("Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "Greta", "Hugo", "Ida", "Jon")
"""Names to choose from, where the table has none of its own."""

ROBOTS: Final = {
    "random": msg("random"),
    "human-slow": msg("slow"),
    "human": msg("human"),
    "human-quick": msg("quick"),
    "planner": msg("planner"),
}
"""What people call the kinds of robots; on a command line they have the names of the keys."""

BACK: Final = "back"
"""The act of leaving a menu without choosing."""

SELF_TEST: Final = "self_test"
"""The act of looking after the table's own devices."""


Help = tuple[str, Rulings]
"""What a help is about: a game by its name, with rulings, or None for those of the table."""


class Item(NamedTuple):
    """A line of a menu: what it says, what it does, with what, what explains it, and what its help is about."""

    label: Text
    act: str
    value: Any = None
    detail: Text | None = None
    help: Help | None = None


class Choice(NamedTuple):
    """A menu: a numbered list of at most nine lines."""

    title: Text
    items: tuple[Item, ...]
    selected: int = 0

    def press(self, control: str) -> "tuple[Choice, Item | None]":
        """Return the menu after a press, and the line that was taken, if one was."""
        if control in BACK_CONTROLS:
            return self, Item(self.title, BACK)
        if control in OK_CONTROLS:
            return self, self.items[self.selected]
        if control in NEXT_CONTROLS:
            return self._replace(selected=(self.selected + 1) % len(self.items)), None
        if control == HELP_KEY and self.items[self.selected].help:
            return self, Item(self.title, "help", self.items[self.selected].help)
        if control.isdecimal() and 1 <= int(control) <= len(self.items):
            place = int(control) - 1
            return self._replace(selected=place), self.items[place]
        return self, None


class Sitter(NamedTuple):
    """Who sits at a place: a person, or a robot of some kind."""

    name: str
    robot: str = ""


class Seating(NamedTuple):
    """Who sits at which place; None where nobody does. Seats are counted clockwise from the `first` place on."""

    places: tuple[Sitter | None, ...]
    names: tuple[str, ...]
    robots: tuple[str, ...]
    first: int = 0

    @property
    def taken(self) -> tuple[int, ...]:
        """The places that are taken; in a match they are seats 0, 1, ... in this order."""
        count = len(self.places)
        around = ((self.first + step) % count for step in range(count))
        return tuple(place for place in around if self.places[place])

    def is_robot(self, place: int) -> bool:
        """Tell whether a robot sits at a place."""
        sitter = self.places[place]
        return bool(sitter and sitter.robot)

    def with_common_robots(self) -> "Seating":
        """Return the seating with the last of `robots` for those that are none of them."""
        places = tuple(
            sitter._replace(robot=self.robots[-1])
            if sitter and sitter.robot and sitter.robot not in self.robots
            else sitter
            for sitter in self.places
        )
        return self._replace(places=places)

    def again(self, names: Mapping[int, str], robots: Container[str]) -> "Seating":
        """Return who sits where when a match goes on: by place the `names`, and whoever is one of the `robots`."""

        def sits(place: int, now: Sitter | None) -> Sitter | None:
            robot = now.robot if now and now.robot in robots else ""
            return Sitter(names[place], robot) if place in names else None

        return self._replace(places=tuple(sits(place, now) for place, now in enumerate(self.places)))

    def to_learn(self, place: int, seats: int) -> "Seating":
        """Return who sits where in a lesson: who learns at a place, robots at those behind it."""
        seating = self._replace(places=(None,) * len(self.places), first=place)
        for step in range(seats):
            seating = seating.press((place + step) % len(self.places), ROBOT_KEY if step else BUZZ)
        return seating

    def press(self, place: Seat, control: str) -> "Seating":
        """Return the seating after a press at a place: buzzer sits or stands up, A sits or renames, B robot.

        C seats a robot at the next free place: on a PC with one keyboard a place nobody sits at has no keys.
        """
        if place == TABLE:
            return self
        sitter = self.places[place]
        if control == BUZZ:
            return self._put(place, None if sitter else Sitter(self._free_name(place)))
        if control == NAME_KEY:  # also for who has no buzzer
            return self._put(place, Sitter(self._free_name(place)) if sitter is None else self._renamed(sitter))
        if control == ROBOT_KEY:
            kinds = ("", *self.robots)
            kind = kinds[(kinds.index(sitter.robot if sitter else "") + 1) % len(kinds)]
            return self._put(place, (sitter or Sitter(self._free_name(place)))._replace(robot=kind))
        if control == ONE_MORE_KEY:
            return self._with_one_more_robot(place)
        return self

    def _with_one_more_robot(self, place: int) -> "Seating":
        count = len(self.places)
        free = (other % count for other in range(place, place + count) if not self.places[other % count])
        for other in free:
            return self._put(other, Sitter(self._free_name(other), self.robots[-1]))
        return self

    def _renamed(self, sitter: Sitter) -> Sitter:
        return sitter._replace(name=self._next_name(sitter.name))

    def _put(self, place: int, sitter: Sitter | None) -> "Seating":
        return self._replace(places=(*self.places[:place], sitter, *self.places[place + 1 :]))

    def _used(self) -> set[str]:
        return {sitter.name for sitter in self.places if sitter}

    def _free_name(self, place: int) -> str:
        wanted = [*self.names[place : place + 1], *self.names]
        return next(name for name in wanted if name not in self._used())

    def _next_name(self, name: str) -> str:
        start = self.names.index(name) if name in self.names else -1
        around = [self.names[(start + step) % len(self.names)] for step in range(1, len(self.names) + 1)]
        return next((other for other in around if other not in self._used()), name)


def common_robots(games: Mapping[str, Game]) -> tuple[str, ...]:
    """Return the kinds of robots that all of these games have, in the order of the first."""
    first, *others = games.values()
    return tuple(kind for kind in first.bots if all(kind in game.bots for game in others))


class Wanted(NamedTuple):
    """What was asked for when the program began: who sits there, which game and no other, who deals."""

    sitters: tuple[Sitter | None, ...] = ()
    game: str | None = None
    deal: str = "pi"

    def games(self, games: Mapping[str, Game]) -> Mapping[str, Game]:
        """Return which of these games can be played."""
        return {self.game: games[self.game]} if self.game else games

    def seating(self, games: Mapping[str, Game], names: Sequence[str]) -> Seating:
        """Return who sits there before anybody has pressed something; `names` are the table's own."""
        places = (*self.sitters, *[None] * PLACES)[:PLACES]
        return Seating(places, tuple(dict.fromkeys((*names, *NAMES))), common_robots(self.games(games)))


def players_text(seats: Sequence[int]) -> Text:
    """Say how many players are needed: any of these numbers."""
    *rest, last = seats
    if not rest:
        return msg("{n} players are needed", n=last)
    return msg("{some} or {last} players are needed", some=", ".join(map(str, rest)), last=last)


def games_menu(games: Mapping[str, Game], seats: int) -> Choice:
    """Return the list of the games that so many can play."""
    items = [
        Item(Text(game.title), "game", name, help=_help(game, None))
        for name, game in games.items()
        if seats in game.rules.SEATS
    ]
    return Choice(msg("Which game?"), tuple(items))


def lessons_menu(games: Iterable[Game]) -> Choice:
    """Return the list of the games that can be learnt at the table."""
    items = [Item(Text(game.title), "lesson", game.name) for game in games if game.lesson]
    return Choice(msg("Which game do you want to learn?"), tuple(items))


def rulings_menu(game: Game, rulings: Rulings) -> Choice:
    """Return the house rules of a game; taking one goes to its next value, the first line starts."""
    helps = _help(game, rulings)
    items = [Item(msg("Start"), "start", None, msg("Play {game} by these rules", game=game.title), helps)]
    for field in dataclasses.fields(rulings):
        items.append(Item(options.line(rulings, field.name), "ruling", field.name, field.metadata["help"], helps))
    return Choice(msg("House rules of {game}", game=game.title), tuple(items))


def _help(game: Game, rulings: Rulings) -> Help | None:
    return (game.name, rulings) if game.guide else None


def table_menu(*, off: bool = False) -> Choice:
    """Return what can be done at a table where nobody plays; also to switch it `off` where that is possible."""
    items = [
        Item(msg("Play"), "join"),
        Item(msg("How to play"), "help", None, msg("What the games are about, and which keys they need")),
        Item(msg("Learn a game"), "lessons", None, msg("A short match in which every press is told")),
        Item(msg("Past matches"), "past", None, msg("Who won, and how: replays and photo finishes")),
        Item(msg("Statistics"), "statistics", None, msg("Wins, seats, reaction times, the closest calls")),
        Item(msg("Settings"), "settings", None, msg("Sound, language, what is easier to see, time")),
        Item(msg("Self-test"), SELF_TEST, None, msg("Every buzzer, key and lamp; sound, display and clock")),
    ]
    if off:
        items.append(Item(msg("Switch off"), "off", None, msg("Or hold menu for five seconds")))
    return Choice(msg("The table"), tuple(items))


def pause_menu(
    undone: Sequence[str], correctable: bool, photo: bool = False, helps: bool = False, kept: bool = True
) -> Choice:
    """Return what can be done in a pause; `undone` are the moves that an undo would take back.

    With a `photo` the last photo finish can be looked at, with `helps` how the game is played. A match that is not
    `kept` is said to be so.
    """
    items = [Item(msg("Go on"), "go_on", None, None if kept else msg("This match is not kept"))]
    if undone:
        detail = msg("Takes back: {moves}", moves=", ".join(undone))
        items.append(Item(msg("Undo"), "undo", tuple(undone), detail))
    if correctable:
        items.append(Item(msg("Correct a move"), "correct"))
    if photo:
        items.append(Item(msg("Photo finish"), "photo", None, msg("Shows the last contested call again")))
    if helps:
        items.append(Item(msg("How to play"), "help", None, msg("Which keys there are, and the rulings in force")))
    items.append(Item(msg("Settings"), "settings", None, msg("Sound, language, what is easier to see, time")))
    items.append(Item(msg("Start again"), "restart", None, msg("This match stays in the history, unfinished")))
    items.append(Item(msg("Leave"), "leave", None, msg("This match stays in the history, unfinished")))
    return Choice(msg("Pause"), tuple(items))


def lesson_menu() -> Choice:
    """Return what can be done in a pause of a lesson."""
    items = (
        Item(msg("Go on"), "go_on"),
        Item(msg("How to play"), "help", None, msg("Which keys there are, and the rulings in force")),
        Item(msg("Settings"), "settings", None, msg("Sound, language, what is easier to see, time")),
        Item(msg("Leave the lesson"), "leave_lesson"),
    )
    return Choice(msg("Pause"), items)


def sure_menu(question: Text, act: str) -> Choice:
    """Ask whether something is really meant."""
    return Choice(question, (Item(msg("No"), BACK), Item(msg("Yes"), act)))


def resume_menu(summary: Text, path: Path) -> Choice:
    """Offer to go on with a match that was interrupted, by its record."""
    items = (
        Item(msg("Go on with it"), "resume", path, summary),
        Item(msg("Later"), "attract", None, msg("It stays in the history")),
    )
    return Choice(msg("A match was interrupted"), items)


def result_menu() -> Choice:
    """Return what can be done when a match is over."""
    return Choice(msg("Again?"), (Item(msg("Again"), "restart"), Item(msg("Another game"), "attract")))

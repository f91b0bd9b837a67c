"""What the table asks before, between and after matches: its menus. Pure."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from companion.core import options
from companion.core.game import Game
from companion.core.menu import BACK, Choice, Help, Item
from companion.core.rules import Rulings
from companion.core.text import Text, msg

SELF_TEST: Final = "self_test"
"""The act of looking after the table's own devices."""


def games_menu(games: Mapping[str, Game], seats: int) -> Choice:
    """Return the list of the games that so many can play."""
    items = [
        Item(Text(game.title), "game", name, help=help_about(game, None))
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
    helps = help_about(game, rulings)
    items = [Item(msg("Start"), "start", None, msg("Play {game} by these rules", game=game.title), helps)]
    for field in dataclasses.fields(rulings):
        items.append(Item(options.line(rulings, field.name), "ruling", field.name, field.metadata["help"], helps))
    return Choice(msg("House rules of {game}", game=game.title), tuple(items))


def help_about(game: Game, rulings: Rulings | None) -> Help | None:
    """Return what the help of a game by these rulings is about; None when it has none."""
    return (game.name, rulings) if game.guide else None


def table_menu(*, off: bool = False, end: bool = False) -> Choice:
    """Return what can be done at a table where nobody plays; also to switch it `off`, or `end` the program."""
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
    if end:
        items.append(Item(msg("End"), "end", None, msg("Closes the companion; all matches are kept")))
    return Choice(msg("The table"), tuple(items))


def pause_menu(
    undone: Sequence[str], *, correctable: bool, photo: bool = False, helps: Help | None = None, kept: bool = True
) -> Choice:
    """Return what can be done in a pause; `undone` are the moves that an undo would take back.

    Moves may be `correctable`; with a `photo` the last photo finish can be looked at, `helps` is what the help is
    about, if there is one. A match that is not `kept` is said to be so.
    """
    items = [Item(msg("Go on"), "go_on", None, None if kept else msg("This match is not kept"))]
    if undone:
        detail = msg("Takes back: {moves}", moves=", ".join(undone))
        items.append(Item(msg("Undo"), "undo", tuple(undone), detail))
    if correctable:
        items.append(Item(msg("Correct a move"), "correct"))
    if photo:
        items.append(Item(msg("Photo finish"), "photo", None, msg("Shows the last contested call again")))
    items += _rules_and_settings(helps)
    items.append(Item(msg("Start again"), "restart", None, msg("This match stays in the history, unfinished")))
    items.append(Item(msg("Leave"), "leave", None, msg("This match stays in the history, unfinished")))
    return Choice(msg("Pause"), tuple(items))


def lesson_menu(helps: Help | None) -> Choice:
    """Return what can be done in a pause of a lesson; `helps` is what the help is about, if there is one."""
    items = (
        Item(msg("Go on"), "go_on"),
        *_rules_and_settings(helps),
        Item(msg("Leave the lesson"), "leave_lesson"),
    )
    return Choice(msg("Pause"), items)


def _rules_and_settings(helps: Help | None) -> list[Item]:
    """Return what every pause leads to."""
    detail = msg("Which keys there are, and the rulings in force")
    items = [Item(msg("How to play"), "help", helps, detail)] if helps else []
    return [*items, Item(msg("Settings"), "settings", None, msg("Sound, language, what is easier to see, time"))]


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

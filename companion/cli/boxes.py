"""`companion box`: lists, creates, checks and shows custom boxes."""

import argparse
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TextIO

from companion.cli.arguments import table_config
from companion.cli.status import BAD_INPUT, DONE
from companion.config import box_drafts, boxes
from companion.config.table_file import TableConfig
from companion.core.errors import BoxError
from companion.core.game import Game
from companion.core.text import _, msg, reason
from companion.games import all_games, load
from companion.referee.durable import write_new


def main(arguments: argparse.Namespace) -> int:
    if arguments.action == "check":
        return DONE if check(arguments.file, sys.stdout) else BAD_INPUT
    if arguments.action == "new":
        new(load(arguments.game), arguments.name, sys.stdout)
    elif arguments.action == "list":
        show_list(table_config(arguments), sys.stdout)
    else:
        game = load(arguments.game) if arguments.game else None
        show(table_config(arguments), game, arguments.name, sys.stdout)
    return DONE


def show_list(config: TableConfig, out: TextIO) -> None:
    """Print the boxes of each game with their mistakes. A star marks the one in use."""
    for game in all_games().values():
        wanted = config.box_of(game)
        print(f"{game.name}:", file=out)
        print(f"  {_star(not wanted)} {boxes.USUAL}", file=out)
        shelf = boxes.on_shelf(game)
        for kept in shelf:
            print(f"  {_star(kept.name == wanted)} {kept.name}  {kept.path}", file=out)
            for mistake in kept.mistakes:
                print(f"      {mistake}", file=out)
        for draft in box_drafts.begun(game) if game.form else ():
            print(_("    {name}: started at the table, not saved yet").format(name=draft.name), file=out)
        if wanted and wanted not in {kept.name for kept in shelf}:
            print(_("  * {name}: there is no such box").format(name=wanted), file=out)


def _star(wanted: bool) -> str:
    return "*" if wanted else " "


def new(game: Game, name: str, out: TextIO) -> None:
    """Write a copy of the built-in box for editing."""
    path = boxes.path_of(game, name)
    line = f'[games.{game.name}] box = "{name}"'
    head = (
        f"# {name}: a box of {game.title}. Check it: companion box check {path.name}, in its folder.\n"
        f"# Play with it: {line} in table.toml, or choose it in the menu before a match.\n\n"
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_new(path, head + game.box_text)
    except FileExistsError:
        why = msg("{file} already exists; it was not changed", file=path)
        raise BoxError(why) from None
    except OSError as error:
        raise BoxError(msg("{path}: {why}", path=path, why=reason(error))) from error
    print(_("{file} written; edit it, then run: companion box check '{file}'").format(file=path), file=out)
    print(_("To play with it, add to table.toml: {line}").format(line=line), file=out)


def check(path: Path, out: TextIO) -> bool:
    """Print all mistakes in a file. Return True if there are none."""
    try:
        game = _game_of(path)
        boxes.checked(game, path)
    except BoxError as error:
        for mistake in error.mistakes:
            print(mistake, file=out)
        return False
    print(_("{file} is a valid box for {game}").format(file=path, game=game.title), file=out)
    return True


def _game_of(path: Path) -> Game:
    """Identify a box's game by its folder or else by its keys."""
    games = all_games()
    folder = path.resolve().parent.name
    if folder in games:
        return games[folder]
    text = boxes.read_text(path)
    try:
        found = set(tomllib.loads(text))
    except (ValueError, RecursionError):
        return next(iter(games.values()))  # any game's reader reports the TOML error
    keys = {name: set(tomllib.loads(game.box_text)) for name, game in games.items()}
    alike = {name: len(found & own) / len(found | own) for name, own in keys.items()}
    best = max(alike, key=lambda name: alike[name])
    if not alike[best]:
        raise BoxError(msg("{path}: not a box of any of these games: {games}", path=path, games=", ".join(games)))
    return games[best]


def show(config: TableConfig, only: Game | None, name: str | None, out: TextIO) -> None:
    for game in [only] if only else all_games().values():
        chosen = boxes.named(game, config.box_of(game) if name is None else name)
        title = _("{game}, box: {name}").format(game=game.title, name=chosen.name or str(boxes.USUAL))
        print(title, file=out)
        for line in _lines(tomllib.loads(chosen.text)):
            print(f"  {line}", file=out)


def _lines(found: Mapping[str, object], before: str = "") -> Iterator[str]:
    for key, value in found.items():
        name = f"{before}{key}"
        if isinstance(value, dict):
            yield from _lines(value, f"{name}.")
        elif isinstance(value, list) and any(isinstance(each, dict) for each in value):
            for place, each in enumerate(value, 1):
                yield f"{name}[{place}] = {_said(each)}"
        elif isinstance(value, str) and "\n" in value:
            yield f"{name} ="
            yield from (f"    {line}" for line in value.split())
        else:
            yield f"{name} = {_said(value)}"


def _said(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_said(each)}" for key, each in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)

"""Reads which match to play, with its players and rules."""

import argparse
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from companion.cli.arguments import named_config
from companion.config import boxes
from companion.config.sections import Seats
from companion.config.table_file import TableConfig
from companion.core import options
from companion.core.dealer import DEALS
from companion.core.errors import OptionError
from companion.core.game import LEVELS, Game
from companion.core.match import SEED_TAG, Match
from companion.core.move import Seat
from companion.core.names import read_name
from companion.core.rules import Rulings
from companion.core.seats import parse_seat
from companion.core.tags import DEAL_TAG, is_lesson
from companion.core.text import msg, printable
from companion.games import all_games, load
from companion.match.new_match import NAMES, new_match
from companion.match.robots import bots_named
from companion.referee.journal import Journal

Keeper = AbstractContextManager[Journal | None]
"""Stores the record of a match, if one is wanted."""

DEMO_GAME: Final = "buntherum"


def asked_rulings(arguments: argparse.Namespace, game: Game, config: TableConfig, deal: str = DEALS[0]) -> Rulings:
    """Return the house rules: those of the table, overridden by the options."""
    given = _scripted(game, deal) | options.words(arguments.ruling, "--ruling")
    kept = {key: value for key, value in options.changed(config.rulings_of(game)).items() if key not in given}
    return options.read(game.rulings, kept | given, "--ruling")


def _scripted(game: Game, deal: str | None) -> dict[str, object]:
    """Return the house rules that a script with real cards needs."""
    return options.scripted(game.rulings) if deal == "table" else {}


def asked_names(arguments: argparse.Namespace, config: TableConfig, game: Game) -> tuple[str, ...]:
    """Return the players: from the options, the table, or as many as the game seats."""
    if arguments.seats is None and config.seats.names != Seats().names:
        return config.seats.names
    if arguments.seats is None:
        usual = len(config.seats.names)
        return NAMES[: min(game.rules.SEATS, key=lambda seats: (abs(seats - usual), -seats))]
    written = arguments.seats.split(",")
    if not 2 <= len(written) <= 5:
        raise OptionError(
            msg("--seats {found}: allowed: 2 to 5 names, such as Anna,Ben,Cleo", found=arguments.seats)
        )
    try:
        return tuple(map(read_name, written))
    except OptionError as error:
        raise OptionError(msg("--seats {found}: {why}", found=arguments.seats, why=error.text)) from error


def asked_match(
    arguments: argparse.Namespace, config: TableConfig, deal: str = DEALS[0], *, show: bool = False
) -> Match:
    game = load(arguments.game or DEMO_GAME)
    if deal == "table" and arguments.seed is not None:
        raise OptionError(msg("--seed: real cards need no seed; leave it out"))
    rulings = asked_rulings(arguments, game, config, deal)
    names, box = asked_names(arguments, config, game), boxes.named(game, config.box_of(game))
    robots = kinds_for(game, rulings, len(names), arguments.bots) if show else ()
    return new_match(
        game, names, rulings=rulings, box=box, deal=deal, seed=arguments.seed, demo=show, robots=robots
    )


def kinds_for(game: Game, rulings: Rulings, seats: int, kinds: str | None) -> list[str]:
    """Return each seat's robot in a demo: those named, or one per level."""
    levels = [kind for kind in LEVELS if kind in game.bots]
    names = (levels or list(game.bots))[:seats] if kinds is None else kinds.split(",")
    bots_named(game, names, seats, rulings)
    return [names[seat % len(names)] for seat in range(seats)]


def asked_audience(word: str | None, match: Match) -> Seat | None:
    if word is None:
        return None
    if word not in map(str, range(1, len(match.names) + 1)):
        raise OptionError(msg("--as {word}: allowed: 1 to {seats}", word=word, seats=len(match.names)))
    return parse_seat(word)


def begun(arguments: argparse.Namespace) -> tuple[Match, Keeper]:
    match = asked_match(arguments, named_config(arguments), arguments.deal or DEALS[0])
    asked_audience(arguments.audience, match)  # before the record is created
    return match, journal_of(arguments, match)


def resumed(arguments: argparse.Namespace) -> tuple[Match, Keeper]:
    if not arguments.journal:
        raise OptionError(msg("--resume: which match? Name it with --journal FILE"))
    game = load(arguments.game)
    journal, opened = Journal.resume(arguments.journal, all_games())
    try:
        _check_same(arguments, game, opened.match)
    except OptionError:
        journal.close()
        raise
    if opened.damage:
        sys.stderr.write(f"companion: {printable(str(arguments.journal))}: {opened.damage.text}\n")
    return opened.match, journal


def _check_same(arguments: argparse.Namespace, game: Game, match: Match) -> None:
    if is_lesson(match):
        raise OptionError(
            msg("{file} is a lesson, which cannot be resumed; start it again", file=arguments.journal)
        )
    if match.game is not game:
        raise OptionError(msg("{file} is a match of {game}", file=arguments.journal, game=match.game.name))
    names = None if arguments.seats is None else asked_names(arguments, TableConfig(), game)
    asked = _scripted(game, match.tags.get(DEAL_TAG)) | options.words(arguments.ruling, "--ruling")
    rulings = options.read(game.rulings, asked, "--ruling")
    for name, given, kept in (
        ("--seats", names, match.names),
        ("--seed", arguments.seed, match.tags.get(SEED_TAG)),
        ("--deal", arguments.deal, match.tags.get(DEAL_TAG)),
        ("--ruling", rulings if arguments.ruling else None, match.rulings),
    ):
        if given is not None and given != kept:
            raise OptionError(
                msg("{name} differs from the match in {file}; leave it out", name=name, file=arguments.journal)
            )


def journal_of(arguments: argparse.Namespace, match: Match) -> Keeper:
    return Journal.create(arguments.journal, match) if arguments.journal else nullcontext()

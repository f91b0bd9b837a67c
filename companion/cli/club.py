"""`companion club`: runs a tournament over several tables."""

import argparse
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, TextIO

from companion.cli.arguments import asked_club, check_folders
from companion.cli.progress import progress
from companion.cli.status import DONE
from companion.club import report, schedule
from companion.club.draw import rounds_for
from companion.club.ledger import Ledger, read
from companion.club.schedule import Finished
from companion.club.topics import NAME_SIGNS
from companion.club.tournament import Left, Plan, Tables
from companion.config.sections import LogOptions
from companion.core.errors import OptionError
from companion.core.files import ENCODING, read_regular
from companion.core.game import Game
from companion.core.limits import RECORD_LINE_BYTES
from companion.core.names import read_name
from companion.core.text import _, msg, reason
from companion.diagnostics import logbook
from companion.games import all_games, load
from companion.records import history
from companion.records.stats import statistics

PATIENCE_S: Final = 2.0
"""Silence after which all retained messages have arrived."""

USUAL_SEATS: Final = 4


def main(arguments: argparse.Namespace) -> int:
    with logbook.kept(LogOptions()):
        ACTIONS[arguments.action](arguments, sys.stdout)
    return DONE


def new(arguments: argparse.Namespace, out: TextIO) -> None:
    game = load(arguments.game)
    players = _names_of(arguments.names)
    most = min(USUAL_SEATS, len(players))
    seats = arguments.seats
    if seats is None:
        seats = max((n for n in game.rules.SEATS if n <= most), default=min(game.rules.SEATS))
    plan = Plan(
        game.name,
        players,
        _tables(arguments.tables),
        arguments.system,
        seats,
        tuple(game.rules.SEATS),
        rounds_for(len(players), seats, arguments.system) if arguments.rounds is None else arguments.rounds,
        secrets.token_hex(16) if arguments.seed is None else arguments.seed,
        _advantage(game, arguments.folders),
    )
    Ledger.create(arguments.file, plan).close()
    line = _(
        "{file} written: {players} players, {rounds} rounds at tables of {seats}; companion club next draws "
        "the first round"
    )
    print(
        line.format(file=arguments.file, players=len(players), rounds=plan.rounds, seats=plan.seats),
        file=out,
    )


def go_on(arguments: argparse.Namespace, out: TextIO) -> None:
    """Record new results, draw the next round and call players."""
    with Ledger.open(arguments.file) as ledger:
        tournament = ledger.tournament
        if arguments.tables is not None and _tables(arguments.tables) != tournament.tables:
            ledger.take(Tables(_tables(arguments.tables)))
        quiet = True
        for event in schedule.advance(ledger, _arrived(arguments.folders, out)):
            print(report.told(tournament, event), file=out)
            quiet = False
        if quiet:
            print(report.now(tournament), file=out)
        if schedule.is_over(tournament):
            print(report.standings(tournament), file=out)


def run(arguments: argparse.Namespace, out: TextIO) -> None:
    """Run a tournament over the club's broker until it ends."""
    from companion.club.evening import Evening  # noqa: PLC0415  results that are typed need no broker

    club = asked_club(arguments.table)
    with (
        Ledger.open(arguments.file) as ledger,
        Evening(ledger, club, arguments.file.stem[:NAME_SIGNS]) as evening,
    ):
        tournament, trouble = ledger.tournament, None
        print(report.now(tournament), file=out, flush=True)
        while not schedule.is_over(tournament):
            for event in evening.go_on(PATIENCE_S):
                print(report.told(tournament, event), file=out, flush=True)
            if evening.trouble != trouble:
                trouble = evening.trouble
                line = _("the broker {broker}: {state}")
                state = trouble or msg("connected")
                print(line.format(broker=club.broker, state=state), file=out, flush=True)
        print(report.standings(tournament), file=out)


def result(arguments: argparse.Namespace, out: TextIO) -> None:
    with Ledger.open(arguments.file) as ledger:
        event = schedule.said(ledger.tournament, arguments.round, arguments.players)
        ledger.take(event)
        print(report.told(ledger.tournament, event), file=out)


def leave(arguments: argparse.Namespace, out: TextIO) -> None:
    with Ledger.open(arguments.file) as ledger:
        ledger.take(Left(arguments.player))
    print(_("{name} is not drawn again").format(name=arguments.player), file=out)


def standings(arguments: argparse.Namespace, out: TextIO) -> None:
    tournament = read(arguments.file)
    if arguments.csv:
        report.write_csv(tournament, out)
    else:
        print(report.now(tournament), report.title(tournament), report.standings(tournament), sep="\n\n", file=out)
    if arguments.picture:
        from companion.club import picture  # noqa: PLC0415  a command without a picture must not need pygame

        try:
            picture.draw(tournament, arguments.picture)
        except OSError as error:
            raise OptionError(msg("{file}: {why}", file=arguments.picture, why=reason(error))) from error
        if not arguments.csv:
            print(_("{file} written").format(file=arguments.picture), file=out)


ACTIONS: Final[dict[str, Callable[[argparse.Namespace, TextIO], None]]] = {
    "new": new,
    "next": go_on,
    "run": run,
    "result": result,
    "leave": leave,
    "standings": standings,
}


def _tables(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(","))


def _names_of(path: Path) -> tuple[str, ...]:
    """Return the names in a file, one a line, without `#` comments."""
    try:
        text = read_regular(path, RECORD_LINE_BYTES).decode(ENCODING)
    except UnicodeDecodeError:
        raise OptionError(msg("--names {file}: not a UTF-8 text file", file=path)) from None
    except OSError as error:
        raise OptionError(msg("--names {file}: {why}", file=path, why=reason(error))) from error
    lines = enumerate(map(str.strip, text.splitlines()), 1)
    names = {number: line for number, line in lines if line and not line.startswith("#")}
    read: list[str] = []
    for number, name in names.items():
        try:
            read.append(read_name(name))
        except OptionError as error:
            raise OptionError(
                msg("--names {file}: line {n}: {why}", file=path, n=number, why=error.text)
            ) from error
        if name.startswith("="):
            raise OptionError(
                msg("--names {file}: line {n}: {why}", file=path, n=number, why=msg("a name may not begin with ="))
            )
    return tuple(read)


def _arrived(folders: list[Path], out: TextIO) -> list[Finished]:
    check_folders(folders)
    found, damaged = schedule.from_records(folders, all_games(), progress())
    for name in damaged:
        print(
            _("{record} is damaged and was ignored; enter the result with companion club result").format(
                record=name
            ),
            file=out,
        )
    return found


def _advantage(game: Game, folders: list[Path]) -> tuple[float, ...]:
    """Return the advantage of each seat in past matches, or () if unknown."""
    check_folders(folders)
    kept = (each for folder in folders for each in history.kept(folder, all_games(), progress()))
    found = statistics(kept, game.name)
    return schedule.seat_advantage(next(iter(found.games), None))

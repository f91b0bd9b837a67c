"""The command `companion`: what it can do, and how errors reach the person who typed it."""

import argparse
import gc
import io
import json
import os
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from companion.cli import card, demo
from companion.cli.asked import (
    asked_audience,
    asked_club,
    asked_match,
    asked_names,
    asked_rulings,
    begun,
    check_folder,
    check_folders,
    journal_of,
    only_a_lesson,
    resumed,
    table_config,
)
from companion.cli.headless import Classroom, Printer, run_script
from companion.cli.progress import progress
from companion.cli.usage import parse
from companion.config import boxes
from companion.config.sections import CardOptions, LogOptions
from companion.config.table_file import TableConfig, default_config, read_config
from companion.core.errors import CompanionError, OptionError
from companion.core.tags import robots_of
from companion.core.text import _, msg, printable, printable_lines, reason
from companion.games import all_games, load
from companion.health import logbook
from companion.match.begin import NAMES
from companion.match.lessons import Tutor
from companion.match.robots import bots_named
from companion.match.virtual_table import VirtualTable
from companion.records import history, stats, stats_text
from companion.referee.durable import JournalError
from companion.referee.journal import Journal, Opened

BAD_INPUT = 2
FAILED = 1
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit status: 0, 1 when it failed, 2 for bad input, 130 after Ctrl-C."""
    _open_streams()
    logbook.begin()
    try:
        try:
            arguments = parse(argv)
            return COMMANDS[arguments.command](arguments)
        finally:
            sys.stdout.flush()  # what cannot be written is to fail here, not when nobody can say so any more
    except CompanionError as error:
        print(f"companion: {error}", file=sys.stderr)
        return FAILED if isinstance(error, JournalError) else BAD_INPUT
    except KeyboardInterrupt:
        print(_("companion: interrupted"), file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()  # whoever read it has gone
        return FAILED
    except OSError as error:
        _discard_output()
        print(printable(f"companion: {error.filename or _('output')}: {reason(error)}"), file=sys.stderr)
        return FAILED
    except Exception as error:  # noqa: BLE001  the person at the keyboard gets a sentence, the log gets the evidence
        print(_("companion: internal error; {log}").format(log=logbook.crash(error)), file=sys.stderr)
        return FAILED


def _open_streams() -> None:
    """Open a stream that whoever started this has closed, so that it reads nothing, or writes to nobody.

    What the output's encoding has no sign for is written as standard error writes it, like `\\u25cf`.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the lowest number that is free is its own
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123  until the end
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Drop what is still in the buffer, so that nothing is written at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def has_screen() -> bool:
    """Tell whether a window can be opened here."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


# --- Commands ---------------------------------------------------------------------------------------------


def _play(arguments: argparse.Namespace) -> int:
    if arguments.safe:
        from companion.table import safe_mode  # noqa: PLC0415  it draws, as the table does

        with logbook.kept(LogOptions()):
            safe_mode.run(arguments.table, virtual=arguments.virtual)
        return 0
    with logbook.kept(LogOptions()):  # also what is wrong with the table.toml, which says how the log is kept
        config = table_config(arguments)
    with logbook.kept(config.log):
        _open_table(arguments, config)
    return 0


def _open_table(arguments: argparse.Namespace, config: TableConfig) -> None:
    with _here_to_stay():
        from companion.table import app  # noqa: PLC0415  a command without a window must not need pygame

        all_games()
    game = load(arguments.game).name if arguments.game else None
    if arguments.phones:
        config = app.with_phones(config)
    if not arguments.lesson:
        bots = [] if arguments.bots is None else arguments.bots.split(",")
        if arguments.deal:
            config = replace(config, cards=CardOptions(arguments.deal))
        app.play(config, game, bots, virtual=arguments.virtual)
        return
    if game is None:
        raise OptionError(msg("--lesson: of which game? As in companion play buntherum --lesson"))
    only_a_lesson(bots=arguments.bots, deal=arguments.deal)
    app.teach(config, game, virtual=arguments.virtual)


@contextmanager
def _here_to_stay() -> Iterator[None]:
    """Keep what is loaded out of the search for garbage: all of it stays, and a search takes time from a race."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _demo(arguments: argparse.Namespace) -> int:
    config = table_config(arguments)
    match = asked_match(arguments, config, show=True)
    kinds = robots_of(match) or ()
    if not arguments.text and not arguments.journal and has_screen():
        with _here_to_stay():
            from companion.table import app  # noqa: PLC0415

        with logbook.kept(config.log):
            app.demo(config, match, kinds)
        return 0
    path = arguments.journal or history.new_path(config.journal.path, match)
    with Journal.create(path, match) as journal:
        demo.play(match, journal, bots_named(match.game, kinds, len(kinds)), sys.stdout)
    print(_("Record: {path}").format(path=path))
    return 0


def _headless_lesson(arguments: argparse.Namespace) -> int:
    only_a_lesson(
        seed=arguments.seed,
        ruling=arguments.ruling,
        deal=arguments.deal,
        resume=arguments.resume,
        table=arguments.table,
    )
    game = load(arguments.game)
    names = (
        NAMES[: game.lesson and game.lesson.seats]
        if arguments.seats is None
        else asked_names(arguments, TableConfig(), game)
    )
    tutor = Tutor(game, names)
    audience = asked_audience(arguments.audience, tutor.match)
    with journal_of(arguments, tutor.match) as journal:
        table = Classroom(tutor, journal)
        run_script(table, _script(), _("standard input"), Printer(sys.stdout, audience), tutor=tutor)
    return 0


def _script() -> Iterable[str]:
    """Return the lines of standard input; bytes that are no text are no words either: a bad line."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")
    return sys.stdin


def _headless(arguments: argparse.Namespace) -> int:
    if arguments.lesson:
        return _headless_lesson(arguments)
    match, keeper = resumed(arguments) if arguments.resume else begun(arguments)
    with keeper as journal:
        audience = asked_audience(arguments.audience, match)
        run_script(VirtualTable(match, journal), _script(), _("standard input"), Printer(sys.stdout, audience))
    return 0


def _replay(arguments: argparse.Namespace) -> int:
    return history.replay(_named(arguments), sys.stdout)


def _named(arguments: argparse.Namespace) -> Opened:
    """Return the match that was named."""
    return history.open_named(arguments.record, table_config(arguments).journal.path, all_games(), sys.stderr)


def _history(arguments: argparse.Namespace) -> int:
    history.show(table_config(arguments).journal.path, all_games(), sys.stdout)
    return 0


def _stats(arguments: argparse.Namespace) -> int:
    game = load(arguments.game).name if arguments.game else None
    folder = arguments.folder or table_config(arguments).journal.path
    check_folder("--folder", arguments.folder)
    if arguments.folder and not folder.exists():
        raise OptionError(msg("--folder {folder}: there is no such folder", folder=folder))
    check_folders(arguments.folders)
    check_folder("--pictures", arguments.pictures)
    show = progress()
    where = ", ".join(map(str, arguments.folders or [folder]))
    if arguments.club:
        from companion.club import told_results  # noqa: PLC0415  no other statistics need a broker

        club = asked_club(arguments.club)
        where = club.broker
        found = told_results.statistics(told_results.kept_by(club), all_games(), game)
    elif arguments.folders:
        from companion.records import index  # noqa: PLC0415  no other command needs SQLite

        found = index.statistics(arguments.folders, all_games(), game, demos=arguments.demos, progress=show)
    else:
        found = stats.statistics(history.kept(folder, all_games(), show), game, demos=arguments.demos)
    if arguments.json:
        print(json.dumps(stats_text.to_json(found), ensure_ascii=False))
    else:
        print(printable_lines(stats_text.report(found, where)))
    if arguments.pictures:
        from companion.records import stats_pictures  # noqa: PLC0415  a command without a picture must not need pygame

        for path in stats_pictures.draw(found, arguments.pictures):
            print(_("{file} written").format(file=path), file=sys.stderr if arguments.json else sys.stdout)
    return 0


def _export(arguments: argparse.Namespace) -> int:
    opened = _named(arguments)
    text = str(opened.match.log(asked_audience(arguments.audience, opened.match)))
    print(printable_lines(text) if sys.stdout.isatty() else text, end="")
    return FAILED if opened.damage else 0


def _simulate(arguments: argparse.Namespace) -> int:
    from companion.cli import simulate  # noqa: PLC0415  no other command waits for the tools of many processes

    jobs = 1 if arguments.jobs is None else arguments.jobs
    if arguments.matches < 1:
        raise OptionError(msg("{name} {n}: allowed: a whole number from 1", name="-n", n=arguments.matches))
    if not 1 <= jobs <= simulate.MOST_JOBS:
        raise OptionError(
            msg(
                "--jobs {n}: allowed: a whole number from 1 to {most}; for more there is --scheduler",
                n=jobs,
                most=simulate.MOST_JOBS,
            )
        )
    if arguments.scheduler and arguments.jobs is not None:
        raise OptionError(msg("--jobs: the workers of the scheduler play; leave it out"))
    check_folder("--records", arguments.records)
    game, config = load(arguments.game), table_config(arguments)
    names = asked_names(arguments, config, game)
    kinds = [next(iter(game.bots))] if arguments.bots is None else arguments.bots.split(",")
    plan = simulate.Plan(
        game,
        names,
        tuple(kinds),
        asked_rulings(arguments, game, config),
        secrets.token_hex(8) if arguments.seed is None else arguments.seed,
        arguments.records,
        boxes.named(game, config.box_of(game)),
    )
    show, tally = progress(), None
    try:
        for tally in simulate.run(plan, arguments.matches, jobs=jobs, scheduler=arguments.scheduler):
            show(tally.matches, arguments.matches)
    finally:  # also of a run that was interrupted, or lost its cluster
        if tally:
            print(simulate.report(tally, plan))
    return 0


def _doctor(arguments: argparse.Namespace) -> int:
    from companion.club import checks  # noqa: PLC0415
    from companion.devices.findings import Machine  # noqa: PLC0415
    from companion.health import doctor  # noqa: PLC0415  no other command asks the machine for all of this

    config, asks = table_config(arguments), not arguments.no_walk
    more = checks.look(config.club)
    return doctor.run(
        config, Machine(), sys.stdout, walk=asks, jig=arguments.jig, more=more, report_file=arguments.report
    )


def _pod(arguments: argparse.Namespace) -> int:
    from companion.cli import pods  # noqa: PLC0415  no other command needs a serial port
    from companion.devices.pods.options import PodWiring  # noqa: PLC0415

    wiring = table_config(arguments).wiring.of(PodWiring)
    if arguments.micropython and arguments.action != "flash":
        raise OptionError(msg("--micropython: only flash takes a UF2"))
    if arguments.action == "flash":
        pods.flash(arguments.port, wiring, sys.stdout, micropython=arguments.micropython)
        return 0
    if arguments.action == "pair":
        pods.pair(arguments.port, wiring, sys.stdout)
        return 0
    if arguments.port:
        raise OptionError(
            msg(
                "{port}: only flash and pair take a port; others are named in table.toml, [pods] ports",
                port=arguments.port,
            )
        )
    {"list": pods.show, "test": pods.test}[arguments.action](wiring, sys.stdout)
    return 0


def _box(arguments: argparse.Namespace) -> int:
    from companion.cli import boxes as shelf  # noqa: PLC0415  no other command looks at all boxes

    if arguments.action == "check":
        return 0 if shelf.check(arguments.file, sys.stdout) else BAD_INPUT
    if arguments.action == "new":
        shelf.new(load(arguments.game), arguments.name, sys.stdout)
    elif arguments.action == "list":
        shelf.show_list(table_config(arguments), sys.stdout)
    else:
        game = load(arguments.game) if arguments.game else None
        shelf.show(table_config(arguments), game, arguments.name, sys.stdout)
    return 0


def _club(arguments: argparse.Namespace) -> int:
    from companion.cli import club  # noqa: PLC0415  no other command looks at tournaments

    with logbook.kept(LogOptions()):
        club.ACTIONS[arguments.action](arguments, sys.stdout)
    return 0


def _wall(arguments: argparse.Namespace) -> int:
    config = table_config(arguments)
    from companion.table import wall_app  # noqa: PLC0415  a command without a window must not need pygame

    with logbook.kept(config.log):
        wall_app.run(
            config, print, tournament=arguments.tournament, picture=arguments.picture, serve=arguments.serve
        )
    return 0


def _update(arguments: argparse.Namespace) -> int:
    from companion.cli import update  # noqa: PLC0415  no other command changes the system

    update.run(arguments, sys.stdout)
    return 0


def _config(arguments: argparse.Namespace) -> int:
    if arguments.action == "check":
        config = read_config(arguments.file, all_games())
        for game in all_games().values():
            boxes.named(game, config.box_of(game))
        print(_("{file} is fine").format(file=arguments.file))
        return 0
    try:
        with arguments.file.open("x", encoding="utf-8") as file:
            file.write(default_config(all_games()))
    except FileExistsError:
        raise OptionError(msg("{file} exists already; it was not changed", file=arguments.file)) from None
    except OSError as error:
        raise OptionError(msg("{file}: {why}", file=arguments.file, why=reason(error))) from error
    print(_("{file} written").format(file=arguments.file))
    return 0


COMMANDS: Final[dict[str, Callable[[argparse.Namespace], int]]] = {
    "play": _play,
    "demo": _demo,
    "headless": _headless,
    "replay": _replay,
    "history": _history,
    "stats": _stats,
    "export": _export,
    "simulate": _simulate,
    "doctor": _doctor,
    "pod": _pod,
    "config": _config,
    "box": _box,
    "card": lambda arguments: card.run(arguments.action, arguments.file, sys.stdout),
    "club": _club,
    "update": _update,
    "wall": _wall,
}
"""What each command does, and returns as exit status."""

"""`companion demo`: robots play a match, in a window or as text."""

import argparse
import sys
from collections.abc import Callable
from typing import IO

from companion.cli.arguments import table_config
from companion.cli.match_arguments import asked_match
from companion.cli.play import here_to_stay
from companion.cli.status import DONE
from companion.cli.watched import Watched, takes_pictures
from companion.core.event import Event
from companion.core.game import Bot
from companion.core.match import SEED_TAG, Match
from companion.core.tags import robots_of
from companion.core.text import _, msg
from companion.diagnostics import logbook
from companion.display.screen_drivers import has_desktop
from companion.match.robots import bots_named
from companion.match.virtual_table import ROBOTS_SETTLE_NS, VirtualTable
from companion.records import history
from companion.records.feats import best_moment
from companion.referee.journal import Journal, Store


def main(arguments: argparse.Namespace) -> int:
    """Play in a window, or without a screen as text, which is recorded."""
    config = table_config(arguments)
    match = asked_match(arguments, config, show=True)
    kinds = robots_of(match) or ()
    if not arguments.text and not arguments.journal and has_desktop():
        with here_to_stay():
            from companion.table import app  # noqa: PLC0415  a match as text must not need pygame

        with logbook.kept(config.log):
            app.demo(config, match, kinds)
        return DONE
    path = arguments.journal or history.new_path(config.journal.path, match)
    terminal = sys.__stdout__  # sys.stdout escapes control characters
    with Journal.create(path, match) as journal:
        bots = bots_named(match.game, kinds, len(kinds))
        if terminal and takes_pictures(terminal) and not arguments.fast:
            watch(match, journal, bots, Watched(match, terminal))
        else:
            play(match, journal, bots, sys.stdout)
    print(_("Record: {path}").format(path=path))
    return DONE


def play(match: Match, store: Store, bots: list[Bot], out: IO[str]) -> None:
    """Play a match without delays. Print every sentence and the final picture."""

    def tell(t_ns: int, told: Event, sentence: str) -> None:
        del told
        print(f"{t_ns / 1e9:8.3f} s  {sentence}", file=out)

    _run(match, store, bots, tell)
    print(file=out)
    print(match.game.teller.picture(match.view(), match.names, str), file=out)


def watch(match: Match, store: Store, bots: list[Bot], watched: Watched) -> None:
    _run(match, store, bots, watched.tell)
    if best := best_moment(match):
        print(f"\n{msg('Best moment: {moment}', moment=best)}")


def _run(match: Match, store: Store, bots: list[Bot], tell: Callable[[int, Event, str], None]) -> None:
    def follow(t_ns: int, told: Event) -> None:
        sentence = told.sentence(match.names) if told.visible_to(None) else None
        if sentence is not None:
            tell(t_ns, told, str(sentence))

    table = VirtualTable(match, store, settle_ns=ROBOTS_SETTLE_NS, tell=follow)
    table.seat_robots(bots, match.tags[SEED_TAG])
    table.start()
    table.run()

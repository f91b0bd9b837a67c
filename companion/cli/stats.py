"""`companion stats`: statistics of many records."""

import argparse
import json
import sys

from companion.cli.arguments import asked_club, check_folder, check_folders, table_config
from companion.cli.progress import progress
from companion.cli.status import DONE
from companion.core.errors import OptionError
from companion.core.text import _, msg, printable_lines
from companion.games import all_games, load
from companion.records import history, stats, stats_text


def main(arguments: argparse.Namespace) -> int:
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
        from companion.club import reported_results  # noqa: PLC0415  no other statistics need a broker

        club = asked_club(arguments.club)
        where = club.broker
        found = reported_results.statistics(reported_results.kept_by(club), all_games(), game)
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
    return DONE

"""`companion config`: checks a table.toml, or writes the defaults."""

import argparse

from companion.cli.status import DONE
from companion.config import boxes
from companion.config.table_file import default_config, read_config
from companion.core.errors import OptionError
from companion.core.plugins import PLUGINS
from companion.core.text import _, msg, reason
from companion.devices.drivers import all_drivers
from companion.games import all_games
from companion.referee.durable import write_new


def main(arguments: argparse.Namespace) -> int:
    if arguments.action == "check":
        games = all_games()
        all_drivers()  # reports plug-ins that do not load
        named = len(PLUGINS.refused)
        config = read_config(arguments.file, games)
        for game in games.values():
            boxes.named(game, config.box_of(game))
        if len(PLUGINS.refused) > named:  # a section may belong to one of them
            raise OptionError(
                msg("{file}: not all of it can be checked; fix the errors above", file=arguments.file)
            )
        print(_("{file} is valid").format(file=arguments.file))
        return DONE
    try:
        write_new(arguments.file, default_config(all_games()))
    except FileExistsError:
        raise OptionError(msg("{file} already exists; it was not changed", file=arguments.file)) from None
    except OSError as error:
        raise OptionError(msg("{file}: {why}", file=arguments.file, why=reason(error))) from error
    print(_("{file} written").format(file=arguments.file))
    return DONE

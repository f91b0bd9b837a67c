"""What can be typed behind `companion`, and what is said of it: in help, and where it is not understood."""

import argparse
import difflib
import gettext
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from companion.config.table_file import FILE_NAME
from companion.core.dealer import DEALS
from companion.core.names import character, one_form
from companion.core.text import DOMAIN, FOLDER, Text, _, msg, translations
from companion.games import names as names_of_games

NEW_BOX: Final = "mine"
"""What a new box is called where nobody says it."""

SENTENCES: Final = (
    msg("usage: "),
    msg("options"),
    msg("positional arguments"),
    msg("show this help message and exit"),
    msg("%(heading)s:"),
    msg("%(prog)s: error: %(message)s\n"),
    msg("argument %(argument_name)s: %(message)s"),
    msg("ambiguous option: %(option)s could match %(matches)s"),
    msg("expected one argument"),
    msg("expected at least one argument"),
    msg("ignored explicit argument %r"),
    msg("invalid choice: %(value)r (choose from %(choices)s)"),
    msg("not allowed with argument %s"),
    msg("one of the arguments %s is required"),
    msg("the following arguments are required: %s"),
)
"""What Python's own parser says, as it asks gettext for it: all that this program can make it say.

The headings only in newer versions.
"""


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Return what was typed, its `command` by name; end the program where it is not understood."""
    _translate_parser()
    typed = sys.argv[1:] if argv is None else argv
    only = typed[0] if typed and typed[0] in _commands() else None
    arguments, rest = _parser(only).parse_known_args(typed)
    if rest and not rest[0].startswith("-") and getattr(arguments, "port", rest) is None:
        # NOTE: argparse of Python 3.11 overlooks what may be left out behind an option; this goes with 3.11.
        arguments.port = rest.pop(0)
    if rest:
        command: argparse.ArgumentParser = arguments.parser
        # Without the dashes: short words seemed near because of them.
        known = {word.lstrip("-"): word for word in re.findall(r"--?[a-z-]+", command.format_usage())}
        close = [known[name] for name in difflib.get_close_matches(_name(rest[0]), known, n=1)]
        hint = _("did you mean {close}?").format(close=close[0]) if close else _("see --help")
        command.error(_("{word!r} is not understood; {hint}").format(word=rest[0], hint=hint))
    return arguments


def _name(word: str) -> str:
    return word.partition("=")[0].lstrip("-")


def _parser(only: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of all commands, or of `only` one: the others take longer than it runs."""
    description = _("A fair referee for the middle of a real game table.")
    parser = argparse.ArgumentParser(prog="companion", description=description)
    if only is None:
        from importlib.metadata import version  # noqa: PLC0415  it takes as long as a short command

        is_version = f"%(prog)s {version('table-companion')}"
        parser.add_argument("--version", action="version", version=is_version, help=_("show the version and exit"))
    commands = parser.add_subparsers(title=_("commands"), required=True, metavar=_("COMMAND"))
    for name, (sentence, add_arguments) in _commands().items():
        if only in {None, name}:
            text = str(sentence)
            added = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
            added.set_defaults(command=name, parser=added)
            add_arguments(added)
    return parser


def _commands() -> dict[str, tuple[Text, Callable[[argparse.ArgumentParser], None]]]:
    """Return the help of each command, and what adds its arguments."""
    return {
        "play": (
            msg("play at the table, with its buzzers and lamps; with --virtual in a window on this PC"),
            _add_play,
        ),
        "demo": (msg("robots play a whole match on a virtual table"), _add_demo),
        "headless": (msg("a script of presses in, JSON lines out, in virtual time"), _add_headless),
        "replay": (msg("tell a recorded match again, move by move"), _add_replay),
        "history": (msg("list the matches that were kept"), _add_table),
        "stats": (msg("what all kept matches say: wins, seats, reaction times, photo finishes"), _add_stats),
        "export": (msg("print the record of a match"), _add_export),
        "simulate": (msg("let robots play many matches and count who wins"), _add_simulate),
        "doctor": (
            msg("look after chip, wires and display; walk round the table, device by device"),
            _add_doctor,
        ),
        "pod": (msg("seat pods: list them, test them, put firmware and key onto a new one"), _add_pod),
        "club": (msg("a tournament over several tables: rounds, calls, results, standings"), _add_club),
        "wall": (msg("all tables of a club on one screen, as they tell its broker"), _add_wall),
        "box": (msg("boxes of your own: what is in the games as you own them"), _add_box),
        "card": (
            msg("check the companion.txt of a card; the card itself applies it when it starts"),
            _add_card,
        ),
        "update": (
            msg("install another release, or go back to the one before; docs/appliance.md"),
            _add_update,
        ),
        "config": (msg("write or check a table.toml"), _add_config),
    }


def _add_demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--text", action="store_true", help=_("tell it as text even where there is a screen"))
    _add_game(parser, optional=True)
    _add_players(parser)
    parser.add_argument("--bots", metavar="KIND,KIND...", help=_("the robots at seats 1, 2, ..."))
    parser.add_argument("--journal", type=_path, metavar="FILE", help=_("keep the record in FILE"))


def _add_headless(parser: argparse.ArgumentParser) -> None:
    _add_game(parser, lesson=True)
    _add_players(parser)
    parser.add_argument("--deal", choices=DEALS, help=_("who deals: the Pi, or the table's real cards"))
    parser.add_argument("--journal", type=_path, metavar="FILE", help=_("keep the record in FILE"))
    parser.add_argument("--resume", action="store_true", help=_("go on with the match in the journal"))
    parser.add_argument("--as", dest="audience", metavar="N", help=_("print what seat N may see"))


def _add_replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help=_("a file, a match of `companion history`, or `last`"))
    _add_table(parser)


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="ID", help=_("a file, a match of `companion history`, or `last`"))
    parser.add_argument("--as", dest="audience", metavar="N", help=_("as seat N may read it while it goes on"))
    _add_table(parser)


def _add_doctor(parser: argparse.ArgumentParser) -> None:
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--no-walk", action="store_true", help=_("only list what is there; nothing is switched on"))
    how.add_argument(
        "--jig",
        action="store_true",
        help=_("test what was built, seat by seat: each part, passed or failed, and a sheet"),
    )
    parser.add_argument(
        "--report",
        type=_path,
        metavar="FILE",
        help=_("write it into a text file to hand in, without secrets"),
    )
    _add_table(parser)


def _add_card(parser: argparse.ArgumentParser) -> None:
    help_ = _("tell its mistakes, or change this system by it")
    parser.add_argument("action", choices=("check", "apply"), help=help_)
    parser.add_argument("file", type=_path, metavar="FILE", help=_("the companion.txt"))


def _add_update(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("file", nargs="?", type=_path, metavar="FILE", help=_("the file of a release"))
    what.add_argument("--status", action="store_true", help=_("which releases are there, and who may sign others"))
    what.add_argument("--back", action="store_true", help=_("go back to the release before"))
    what.add_argument("--offer", type=_path, metavar="DEVICE", help=_("look for one on a stick, for the menu"))
    what.add_argument("--offered", action="store_true", help=_("install what a stick offers, as the menu asks"))
    parser.add_argument("--allow-older", action="store_true", help=_("also one older than the one that runs"))
    parser.add_argument("--no-start", action="store_true", help=_("let the table run; the next start takes it"))


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("init", "check"), help=_("write the defaults, or check a file"))
    help_ = _("the file (table.toml)")
    parser.add_argument("file", nargs="?", type=_path, default=Path(FILE_NAME), metavar="FILE", help=help_)


def _add_play(parser: argparse.ArgumentParser) -> None:
    _add_game(parser, optional=True, lesson=True)
    parser.add_argument("--virtual", action="store_true", help=_("a virtual table: no real device is used"))
    parser.add_argument(
        "--phones", action="store_true", help=_("phones may join by the codes on the display (docs/phones.md)")
    )
    parser.add_argument(
        "--bots", metavar="KIND,KIND...", help=_("robots at seats 1, 2, ...; `person` leaves one free")
    )
    parser.add_argument(
        "--deal", choices=DEALS, help=_("who deals and rolls: the Pi, or the table; else as table.toml says")
    )
    parser.add_argument(
        "--safe", action="store_true", help=_("no match: say why the table did not start, and what helps")
    )
    _add_table(parser)


def _add_game(parser: argparse.ArgumentParser, *, optional: bool = False, lesson: bool = False) -> None:
    names = ", ".join(names_of_games()).replace("%", "%%")
    if optional:
        parser.add_argument("game", nargs="?", metavar="GAME", help=names)
    else:
        parser.add_argument("game", metavar="GAME", help=names)
    if lesson:
        parser.add_argument("--lesson", action="store_true", help=_("teach the game to seat 1, step by step"))


def _add_players(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seats", metavar="NAMES", help=_("the players, clockwise: Anna,Ben,Cleo"))
    parser.add_argument(
        "--seed", type=_printable, metavar="S", help=_("deal from this seed; the shuffles are no secret then")
    )
    parser.add_argument(
        "--ruling", action="append", default=[], metavar="K=V", help=_("play by another ruling; may be repeated")
    )
    _add_table(parser)


def _add_pod(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("list", "test", "flash", "pair"), help=_("what to do"))
    parser.add_argument(
        "port", nargs="?", metavar="PORT", help=_("flash, pair: the board's port, if there are several")
    )
    parser.add_argument(
        "--micropython",
        type=_path,
        metavar="FILE",
        help=_("flash: a UF2 of MicroPython, put onto the Pico first that was plugged in with BOOTSEL held"),
    )
    _add_table(parser)


def _actions(parser: argparse.ArgumentParser) -> Callable[[str, str], argparse.ArgumentParser]:
    """Return what adds a subcommand to a command."""
    actions = parser.add_subparsers(title=_("commands"), required=True, metavar=_("COMMAND"))

    def action(name: str, text: str) -> argparse.ArgumentParser:
        added = actions.add_parser(name, help=text, description=text, allow_abbrev=False)
        added.set_defaults(action=name, parser=added)
        return added

    return action


def _add_simulate(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
    _add_players(parser)
    parser.add_argument(
        "-n", dest="matches", type=_whole, default=100, metavar="N", help=_("how many matches (100)")
    )
    parser.add_argument(
        "--bots", metavar="KIND,KIND...", help=_("the robots; from match to match they move on a seat")
    )
    parser.add_argument("--jobs", type=_whole, metavar="N", help=_("how many processes play (1)"))
    parser.add_argument(
        "--scheduler",
        type=_printable,
        metavar="ADDRESS",
        help=_("the workers of this Dask scheduler play (docs/simulate.md)"),
    )
    parser.add_argument("--records", type=_path, metavar="DIR", help=_("keep the record of each match in DIR"))


def _add_wall(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--table", type=_path, required=True, metavar="FILE", help=_("a table.toml with [club]"))
    parser.add_argument("--tournament", type=_path, metavar="FILE", help=_("the standings of this tournament, too"))
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--serve", action="store_true", help=_("also as a page in the house's network, to be watched"))
    how.add_argument("--picture", type=_path, metavar="PNG", help=_("write one picture of it, and end"))


def _add_club(parser: argparse.ArgumentParser) -> None:
    from companion.club.tournament import SWISS, SYSTEMS  # noqa: PLC0415  no other command looks at tournaments

    action = _actions(parser)

    def of_file(name: str, text: str) -> argparse.ArgumentParser:
        added = action(name, text)
        added.add_argument("file", type=_path, metavar="FILE", help=_("the file of the tournament"))
        return added

    one = of_file("new", _("begin a tournament"))
    _add_game(one)
    one.add_argument(
        "--names", type=_path, required=True, metavar="FILE", help=_("the players, one a line, in a file of text")
    )
    _add_tables(one, _("what the tables are called: A,B,C"), required=True)
    one.add_argument(
        "--system", choices=SYSTEMS, default=SWISS, help=_("Swiss, or everybody meets everybody (swiss)")
    )
    one.add_argument(
        "--seats", type=_whole, metavar="N", help=_("how many play together (4, or what the game seats)")
    )
    one.add_argument("--rounds", type=_whole, metavar="N", help=_("how many rounds; else as many as are usual"))
    one.add_argument(
        "--seed", type=_printable, metavar="S", help=_("draw from this seed; anybody can foresee it then")
    )
    _add_from(one, _("past matches, by which seats are drawn evenly if one is better"))
    one = of_file("next", _("take the results that have come, draw the next round, call players to tables"))
    _add_tables(one, _("the tables that there are now, if one is lost or new"))
    _add_from(one, _("the records of a table; several may follow"))
    one = of_file("run", _("go on by itself: results come from the club's broker, and players are called by it"))
    one.add_argument("--table", type=_path, required=True, metavar="FILE", help=_("a table.toml with [club]"))
    one = of_file("result", _("what the house says of a match, also in place of what its record says"))
    one.add_argument(
        "players", nargs="+", type=one_form, metavar="PLAYER", help=_("who played, the first first; =NAME shares")
    )
    one.add_argument("--round", type=_whole, metavar="N", help=_("of an earlier round"))
    one = of_file("leave", _("a player has gone, and is not drawn any more"))
    one.add_argument("player", type=one_form, metavar="PLAYER", help=_("who"))
    one = of_file("standings", _("how all stand, and what is played now"))
    one.add_argument("--csv", action="store_true", help=_("print lines with commas instead"))
    one.add_argument("--picture", type=_path, metavar="PNG", help=_("draw them into this file, too"))


def _add_tables(parser: argparse.ArgumentParser, text: str, *, required: bool = False) -> None:
    parser.add_argument("--tables", type=_table_names, required=required, metavar="NAMES", help=text)


def _add_from(parser: argparse._ActionsContainer, text: str) -> None:
    parser.add_argument("--from", dest="folders", nargs="+", type=_path, default=[], metavar="DIR", help=text)


def _add_box(parser: argparse.ArgumentParser) -> None:
    action = _actions(parser)

    _add_table(action("list", _("list them, with a star at those that are played with, and with their mistakes")))
    one = action("new", _("write a copy of the box that comes with a game, to be changed"))
    _add_game(one)
    one.add_argument("name", nargs="?", default=NEW_BOX, metavar="NAME", help=_("what it is called (mine)"))
    one = action("check", _("tell every mistake of a file"))
    one.add_argument("file", type=_path, metavar="FILE", help=_("the file of a box"))
    one = action("show", _("show all numbers of the boxes that are played with, or of another one"))
    _add_game(one, optional=True)
    one.add_argument("name", nargs="?", metavar="NAME", help=_("another box of the game"))
    _add_table(one)


def _add_stats(parser: argparse.ArgumentParser) -> None:
    _add_game(parser, optional=True)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--folder", type=_path, metavar="DIR", help=_("the records in DIR, not those of the table"))
    where.add_argument(
        "--club", type=_path, metavar="FILE", help=_("the results that the broker of a table.toml keeps")
    )
    _add_from(where, _("the records of several tables together, with an index in each folder"))
    parser.add_argument("--pictures", type=_path, metavar="DIR", help=_("draw pictures of them into DIR, too"))
    parser.add_argument("--json", action="store_true", help=_("print one JSON object (docs/stats.md)"))
    parser.add_argument("--demos", action="store_true", help=_("count the matches of robots for show as well"))
    _add_table(parser)


def _add_table(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--table", type=_path, metavar="FILE", help=_("the table.toml of the table; without it all is as usual")
    )


def _path(word: str) -> Path:
    """Return a file or folder of the command line; an empty word would be the folder where one stands."""
    if not word:
        raise argparse.ArgumentTypeError(_("its name is empty"))
    return Path(word)


def _whole(word: str) -> int:
    """Return a whole number of the command line."""
    try:
        return int(word)
    except ValueError:
        raise argparse.ArgumentTypeError(_("{word!r} is no whole number").format(word=word)) from None


def _printable(word: str) -> str:
    """Return a word of the command line that a record can keep."""
    for letter in word:
        if not letter.isprintable():
            told = _("{word!r} has {letter}, which cannot be printed")
            raise argparse.ArgumentTypeError(told.format(word=word, letter=character(letter)))
    return word


def _table_names(word: str) -> str:
    """Return names of tables, as those of players are read."""
    return _printable(one_form(word))


def _translate_parser() -> None:
    """Make argparse use the sentences of our catalogue, if the environment's language has them there."""
    first = SENTENCES[0].msgid
    if translations().gettext(first) != first:  # else gettext would go on to the reader's next language
        gettext.bindtextdomain(DOMAIN, FOLDER)
        gettext.textdomain(DOMAIN)

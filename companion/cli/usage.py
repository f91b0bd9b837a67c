"""The commands of `companion` with their options, and their parser."""

import argparse
import gettext
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from companion.club.systems import SWISS, SYSTEMS
from companion.core.dealer import DEALS
from companion.core.files import TABLE_FILE
from companion.core.names import character, one_form
from companion.core.text import DOMAIN, FOLDER, Text, _, msg, translations
from companion.core.version import program_version

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
"""Sentences of argparse to translate. Only newer versions translate headings."""


def _path(word: str) -> Path:
    """Refuse an empty name, which would be the current folder."""
    if not word:
        raise argparse.ArgumentTypeError(_("its name is empty"))
    return Path(word)


def _whole(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise argparse.ArgumentTypeError(_("{word!r} is not a whole number").format(word=word)) from None


def _printable(word: str) -> str:
    for letter in word:
        if not letter.isprintable():
            told = _("{word!r} contains {letter}, which cannot be printed")
            raise argparse.ArgumentTypeError(told.format(word=word, letter=character(letter)))
    return word


def _games() -> str:
    """Return the names of all games, which is too slow for most commands."""
    from companion.games import names as names_of_games  # noqa: PLC0415  only help pages name them

    return ", ".join(names_of_games()).replace("%", "%%")


TYPES: Final[Mapping[str, Callable[[str], object]]] = {
    **dict.fromkeys(("FILE", "DIR", "PNG", "DEVICE"), _path),
    **dict.fromkeys(("S", "ADDRESS"), _printable),
    "N": _whole,
    "PLAYER": one_form,
}
"""Parsers of arguments by metavar."""


class Argument:
    """An argument of a command. `settings` are for argparse.

    `usage`: its form in the help, such as `--csv`, `--seed S` or `GAME`.
    """

    def __init__(self, usage: str, about: Text | Callable[[], str], **settings: Any) -> None:
        word, _space, value = usage.rpartition(" ")
        if value.isupper():
            settings = {"metavar": value, "type": TYPES.get(value), **settings}
        elif not settings:
            settings = {"action": "store_true"}
        self.name = word or (value.lower() if value.isupper() else value)
        self.about, self.settings = about, settings

    def add_to(self, parser: argparse._ActionsContainer) -> None:
        about = self.about() if callable(self.about) else str(self.about)
        parser.add_argument(self.name, help=about, **self.settings)


class OneOf:
    """Mutually exclusive arguments."""

    def __init__(self, *arguments: Argument, required: bool = False) -> None:
        self.arguments, self.required = arguments, required

    def add_to(self, parser: argparse.ArgumentParser) -> None:
        group = parser.add_mutually_exclusive_group(required=self.required)
        for argument in self.arguments:
            argument.add_to(group)


class Command:
    """A command with arguments, or a group of commands.

    `module` is the module of `companion.cli` with its `main`; default: its name.
    """

    def __init__(self, name: str, about: Text, *parts: "Argument | OneOf | Command", module: str = "") -> None:
        self.name, self.about, self.module = name, about, module or name
        self.arguments = [part for part in parts if not isinstance(part, Command)]
        self.actions = [part for part in parts if isinstance(part, Command)]


GAME: Final = Argument("GAME", _games)
ANY_GAME: Final = Argument("GAME", _games, nargs="?")
LESSON: Final = Argument("--lesson", msg("teach the game to seat 1, step by step"))
JOURNAL: Final = Argument("--journal FILE", msg("save the record in FILE"))
TABLE: Final = Argument(
    "--table FILE", msg("the table's table.toml; docs/configuration.md says what applies without one")
)
CLUB_TABLE: Final = Argument("--table FILE", msg("a table.toml with [club]"), required=True)
TOURNAMENT: Final = Argument("FILE", msg("the file of the tournament"))
RECORD: Final = msg("a file, a match of `companion history`, or `last`")
MATCH: Final = (
    Argument("--seats NAMES", msg("the players, clockwise: Anna,Ben,Cleo")),
    Argument("--seed S", msg("deal from this seed; the shuffles are then not secret")),
    Argument("--ruling K=V", msg("change a house rule; may be repeated"), action="append", default=[]),
    TABLE,
)


def _folders(about: Text) -> Argument:
    return Argument("--from DIR", about, dest="folders", nargs="+", default=[])


def _tables(about: Text, *, required: bool = False) -> Argument:
    return Argument("--tables NAMES", about, type=lambda word: _printable(one_form(word)), required=required)


COMMANDS: Final = (
    Command(
        "play",
        msg("play at the table, with its buzzers and lamps; on a PC in a window"),
        ANY_GAME,
        LESSON,
        Argument("--virtual", msg("a virtual table: no real device is used")),
        Argument("--phones", msg("phones may join by the codes on the display (docs/phones.md)")),
        Argument("--bots KIND,KIND...", msg("robots at seats 1, 2, ...; `person` leaves one free")),
        Argument(
            "--deal",
            msg(
                "who deals and rolls: the companion (pi), or you with real pieces (table); default: as in "
                "table.toml"
            ),
            choices=DEALS,
        ),
        Argument("--safe", msg("no match: show why the table did not start, and how to fix it")),
        TABLE,
    ),
    Command(
        "demo",
        msg("robots play a whole match on a virtual table"),
        Argument("--text", msg("show it as text, even if there is a screen")),
        Argument("--fast", msg("print it all at once, without colours, even on a terminal")),
        ANY_GAME,
        *MATCH,
        Argument("--bots KIND,KIND...", msg("the robots at seats 1, 2, ...")),
        JOURNAL,
    ),
    Command(
        "headless",
        msg("a script of presses in, JSON lines out, in virtual time"),
        GAME,
        LESSON,
        *MATCH,
        Argument("--deal", msg("who deals: the Pi, or the table's real cards"), choices=DEALS),
        JOURNAL,
        Argument("--resume", msg("resume the match in the journal")),
        Argument("--as N", msg("print what seat N may see"), dest="audience", type=str),
    ),
    Command(
        "replay",
        msg("replay a recorded match, move by move"),
        Argument("RECORD", RECORD),
        TABLE,
        module="records",
    ),
    Command("history", msg("list the saved matches"), TABLE, module="records"),
    Command(
        "stats",
        msg("statistics of all saved matches: wins, seats, reaction times, photo finishes"),
        ANY_GAME,
        OneOf(
            Argument("--folder DIR", msg("the records in DIR instead of the table's")),
            Argument("--club FILE", msg("the results on the broker of a table.toml")),
            _folders(msg("the records of several tables together, with an index in each folder")),
        ),
        Argument("--pictures DIR", msg("also draw pictures of them into DIR")),
        Argument("--json", msg("print one JSON object (docs/stats.md)")),
        Argument("--demos", msg("also count robots' demo matches")),
        TABLE,
    ),
    Command(
        "export",
        msg("print the record of a match"),
        Argument("record", RECORD, metavar="ID"),
        Argument("--as N", msg("as seat N may read it during the match"), dest="audience", type=str),
        TABLE,
        module="records",
    ),
    Command(
        "simulate",
        msg("let robots play many matches and count who wins"),
        GAME,
        *MATCH,
        Argument("-n N", msg("number of matches (100)"), dest="matches", default=100),
        Argument("--bots KIND,KIND...", msg("the robots; they move one seat on after each match")),
        Argument("--jobs N", msg("number of processes (1)")),
        Argument("--scheduler ADDRESS", msg("play on the workers of this Dask scheduler (docs/simulate.md)")),
        Argument("--records DIR", msg("save the record of each match in DIR")),
    ),
    Command(
        "doctor",
        msg("check chip, wires and display; walk round the table, device by device"),
        OneOf(
            Argument("--no-walk", msg("only list what is there; nothing is switched on")),
            Argument("--jig", msg("test a new build, seat by seat: pass or fail for each part, and a test sheet")),
            Argument("--fairness", msg("measure who is first, with two jumper wires; into fairness.txt")),
        ),
        Argument("--report FILE", msg("write a text file for a bug report, without secrets")),
        TABLE,
    ),
    Command(
        "pod",
        msg("seat pods: list them, test them, install firmware and a key on a new one"),
        Argument("action", msg("what to do"), choices=("list", "test", "flash", "pair")),
        Argument("PORT", msg("flash, pair: the board's port, if there are several"), nargs="?"),
        Argument(
            "--micropython FILE",
            msg("flash: a UF2 of MicroPython, installed first on a Pico that was plugged in with BOOTSEL held"),
        ),
        Argument("--all", msg("flash: update every pod that has another firmware; its pins.py and its key stay")),
        TABLE,
        module="pods",
    ),
    Command(
        "club",
        msg("a tournament over several tables: rounds, calls, results, standings"),
        Command(
            "new",
            msg("begin a tournament"),
            TOURNAMENT,
            GAME,
            Argument("--names FILE", msg("a text file with the players, one a line"), required=True),
            _tables(msg("the names of the tables: A,B,C"), required=True),
            Argument(
                "--system", msg("Swiss, or everybody meets everybody (swiss)"), choices=SYSTEMS, default=SWISS
            ),
            Argument("--seats N", msg("players in a match (4, or what the game allows)")),
            Argument("--rounds N", msg("number of rounds; default: the usual number")),
            Argument("--seed S", msg("draw from this seed; the draw is then predictable")),
            _folders(msg("past matches; if they show that a seat is better, seats are drawn evenly")),
        ),
        Command(
            "next",
            msg("take the new results, draw the next round, call players to tables"),
            TOURNAMENT,
            _tables(msg("the new list of tables, if one was lost or added")),
            _folders(msg("the records of a table; may be repeated")),
        ),
        Command(
            "run",
            msg("run by itself: the club's broker brings the results and calls the players"),
            TOURNAMENT,
            CLUB_TABLE,
        ),
        Command(
            "result",
            msg("enter the result of a match by hand, even in place of its record's"),
            TOURNAMENT,
            Argument(
                "players",
                msg("the players, winner first; =NAME ties with the one before"),
                nargs="+",
                type=one_form,
                metavar="PLAYER",
            ),
            Argument("--round N", msg("an earlier round")),
        ),
        Command(
            "leave",
            msg("a player has left and is not drawn again"),
            TOURNAMENT,
            Argument("PLAYER", msg("the player")),
        ),
        Command(
            "standings",
            msg("the standings, and the matches being played"),
            TOURNAMENT,
            Argument("--csv", msg("print CSV instead")),
            Argument("--picture PNG", msg("also draw them into this file")),
        ),
    ),
    Command(
        "wall",
        msg("all tables of a club on one screen, as they report to its broker"),
        CLUB_TABLE,
        Argument("--tournament FILE", msg("also show the standings of this tournament")),
        OneOf(
            Argument("--serve", msg("also show it as a page on the local network")),
            Argument("--picture PNG", msg("write one picture of it and exit")),
        ),
    ),
    Command(
        "box",
        msg("custom boxes: cards, boards and prices of the games as you own them"),
        Command(
            "list",
            msg("list them with their mistakes; a star marks those in use"),
            TABLE,
        ),
        Command(
            "new",
            msg("write a copy of a game's built-in box, to edit"),
            GAME,
            Argument("NAME", msg("its name (mine)"), nargs="?", default="mine"),
        ),
        Command("check", msg("list all mistakes in a file"), Argument("FILE", msg("a box file"))),
        Command(
            "show",
            msg("show all numbers of the boxes in use, or of another box"),
            ANY_GAME,
            Argument("NAME", msg("another box of the game"), nargs="?"),
            TABLE,
        ),
        module="boxes",
    ),
    Command(
        "card",
        msg("check the companion.txt of a card; the card itself applies it when it starts"),
        Argument("action", msg("list its mistakes, or apply it to this system"), choices=("check", "apply")),
        Argument("FILE", msg("the companion.txt")),
    ),
    Command(
        "update",
        msg("install another release, or go back to the previous one; docs/appliance.md"),
        OneOf(
            Argument("FILE", msg("a release file"), nargs="?"),
            Argument("--status", msg("list the installed releases and the trusted signers")),
            Argument("--back", msg("go back to the previous release")),
            Argument("--offer DEVICE", msg("look for a release on a USB stick, for the menu")),
            Argument("--offered", msg("install the release on a USB stick, as the menu asks")),
            required=True,
        ),
        Argument("--allow-older", msg("allow a release older than the running one")),
        Argument("--no-start", msg("do not restart the table; use the release from the next start")),
    ),
    Command(
        "config",
        msg("write or check a table.toml"),
        Argument("action", msg("write the defaults, or check a file"), choices=("init", "check")),
        Argument("FILE", msg("the file (table.toml)"), nargs="?", default=Path(TABLE_FILE)),
    ),
)
"""All commands, in the order of the help."""


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line. Exit with a message if it is invalid."""
    _translate_parser()
    typed = sys.argv[1:] if argv is None else argv
    arguments, rest = _parser([each for each in COMMANDS if each.name in typed[:1]]).parse_known_args(typed)
    if rest and not rest[0].startswith("-") and getattr(arguments, "port", rest) is None:
        # NOTE: argparse of Python 3.11 misses an optional positional after an option; remove this with 3.11.
        arguments.port = rest.pop(0)
    if rest:
        import difflib  # noqa: PLC0415  a typing error may wait for it

        command: argparse.ArgumentParser = arguments.parser
        # Dashes would make short words look similar.
        known = {word.lstrip("-"): word for word in re.findall(r"--?[a-z-]+", command.format_usage())}
        word = rest[0].partition("=")[0].lstrip("-")
        close = [known[name] for name in difflib.get_close_matches(word, known, n=1)]
        hint = _("did you mean {close}?").format(close=close[0]) if close else _("see --help")
        command.error(_("{word!r} is not understood; {hint}").format(word=rest[0], hint=hint))
    return arguments


def _parser(typed: Sequence[Command]) -> argparse.ArgumentParser:
    """Return the parser of the `typed` command; one for all is slow."""
    description = _("A fair referee for the middle of a real game table.")
    parser = argparse.ArgumentParser(prog="companion", description=description)
    if not typed:
        is_version = f"%(prog)s {program_version()}"
        parser.add_argument("--version", action="version", version=is_version, help=_("show the version and exit"))
    _add(typed or COMMANDS, parser, "command")
    return parser


def _add(commands: Sequence[Command], parser: argparse.ArgumentParser, dest: str) -> None:
    group = parser.add_subparsers(title=_("commands"), required=True, metavar=_("COMMAND"))
    for command in commands:
        about = str(command.about)
        added = group.add_parser(command.name, help=about, description=about, allow_abbrev=False)
        added.set_defaults(**{dest: command.name, "parser": added})
        for argument in command.arguments:
            argument.add_to(added)
        if command.actions:
            _add(command.actions, added, "action")


def _translate_parser() -> None:
    """Use this program's catalogue if it has the environment's language."""
    first = SENTENCES[0].msgid
    if translations().gettext(first) != first:  # otherwise gettext would try the user's next language
        gettext.bindtextdomain(DOMAIN, FOLDER)
        gettext.textdomain(DOMAIN)

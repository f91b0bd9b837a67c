"""Lists stored matches with game, length, players and result."""

from collections.abc import Mapping
from pathlib import Path
from typing import IO

from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.core.text import LANGUAGES, _, language_of_system, printable
from companion.records import index
from companion.records.facts import Facts, facts_of, minutes
from companion.records.history import listed
from companion.records.stats import Damaged
from companion.referee.journal import SUFFIX, open_record


def show(folder: Path, games: Mapping[str, Game], out: IO[str]) -> None:
    """Print the matches of a folder, oldest first. Raises OSError."""
    paths = listed(folder)
    if not paths:
        print(printable(_("no matches in {folder}").format(folder=folder)), file=out)
        return
    titles = {name: str(game.title) for name, game in games.items()}
    wide = max(len(printable(path.name.removesuffix(SUFFIX))) for path in paths)
    for name, facts in index.facts_in(folder, paths, games):
        if isinstance(facts, Damaged):
            said = _damaged(folder / f"{name}{SUFFIX}", games, titles)
        else:
            said = _summary(facts, titles)
        print(f"{printable(name).ljust(wide)}  {said}", file=out)


def _damaged(path: Path, games: Mapping[str, Game], titles: Mapping[str, str]) -> str:
    try:
        opened = open_record(path, games)
    except CompanionError as error:
        return str(error)
    return _summary(facts_of(opened.match), titles) + (_("  (damaged)") if opened.damage else "")


def _summary(facts: Facts, titles: Mapping[str, str]) -> str:
    title = titles[facts.game].ljust(max(map(len, titles.values())))
    length = _("{n} min").format(n=minutes(facts.played_ns)) if facts.played_ns else ""
    kind = _("  (robot demo)") if facts.demo else _("  (a lesson)") if facts.lesson else ""
    names = list(map(printable, facts.names))  # a record may contain anything
    result = _("not over")
    if facts.winners is not None:
        winners = ", ".join(names[seat] for seat in facts.winners)
        reason = printable(facts.reasons[LANGUAGES.index(language_of_system())])
        result = _("{winners}: {reason}").format(winners=winners, reason=reason)
    return f"{title}  {length:>7}  {', '.join(names)}  {result}{kind}"

"""A whole table of robots in a process of its own: its host, journal and line to the club are the program's.

Whoever is called to it plays, each match in virtual time, slowly enough to be killed in it. `robot_table.py FOLDER`
has its table.toml there; it ends when it is killed.
"""

import logging
import os
import sys
import time
from pathlib import Path

from companion.club.link import ClubLink
from companion.club.topics import TableCall
from companion.config.table_file import TableConfig, read_config
from companion.core.place import HOUSE
from companion.display import theme
from companion.games import all_games, load
from companion.match.new_match import new_match
from companion.match.seating import Sitter
from companion.records import history
from companion.referee.journal import open_record
from tests.host_bench import Bench

STEP_S = float(os.environ.get("STEP_S", "0.002"))
"""Between two looks of the host, of which a match takes some hundreds."""


def play(folder: Path) -> None:
    """Play what is called, one match after the other."""
    config = read_config(folder / "table.toml", all_games())
    with ClubLink(config.club, config.journal.path, all_games(), theme.web_colour, lambda: None) as club:
        while True:
            for asked in club.asked():
                club.call = asked if isinstance(asked, TableCall) else None
            if club.call is None or is_played(config.journal.path, club.call):
                time.sleep(0.05)
                continue
            _play_one(config, club, club.call)


def is_played(folder: Path, call: TableCall) -> bool:
    """Tell whether these have played a match here since they were called; each meets the others once."""
    return any(
        opened.outcome and opened.names == call.players
        for opened in (open_record(path, all_games()).match for path in history.records(folder))
    )


def _play_one(config: TableConfig, club: ClubLink, call: TableCall) -> None:
    game = load(call.game)
    interrupted = history.interrupted(config.journal.path, all_games())
    if interrupted and interrupted[1].match.names == call.players:
        bench = Bench(config.journal.path, config=config, club=club)
        bench.hand(HOUSE, "ok")  # go on with it
        bench.hand(HOUSE, "ok")
    else:
        match = new_match(game, call.players, robots=["easy"] * len(call.players))
        sitters = [Sitter(name, "easy") for name in call.players]
        bench = Bench(config.journal.path, config=config, match=match, sitters=sitters, club=club)
    session = bench.host.session
    while session and not session.match.outcome:
        bench.wait(0.5)
        time.sleep(STEP_S)
    bench.wait(2)
    bench.host.close()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    play(Path(sys.argv[1]))

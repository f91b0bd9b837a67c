"""A table of robots in a separate process, with the program's host, journal and club link.

`robot_table.py FOLDER` reads the folder's table.toml and plays the matches it is called to, in virtual time and
slowly enough to be killed within one. It runs until it is killed.
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
"""The pause between two steps of the host; a match has some hundreds."""


def play(folder: Path) -> None:
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
    """Return whether these players have finished a match here; each group meets once."""
    return any(
        opened.outcome and opened.names == call.players
        for opened in (open_record(path, all_games()).match for path in history.records(folder))
    )


def _play_one(config: TableConfig, club: ClubLink, call: TableCall) -> None:
    game = load(call.game)
    interrupted = history.interrupted(config.journal.path, all_games())
    if interrupted and interrupted[1].match.names == call.players:
        bench = Bench(config.journal.path, config=config, club=club)
        bench.hand(HOUSE, "ok")  # confirm the call
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

"""Reads mutated records and tables, and plays with boxes of extreme numbers, in a separate process.

Arguments: a folder of whole records, a seed, and the numbers of records, tables and boxes. Prints one JSON object.
An alarm of processor time ends hanging cases.
"""

import json
import logging
import os
import random
import re
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.config.table_file import default_config, read_config
from companion.core.boxfile import NamedBox
from companion.core.errors import BoxError, CompanionError
from companion.core.game import Game
from companion.games import all_games
from companion.match.new_match import NAMES, new_match
from companion.records.history import KeptRecord, replay
from companion.records.match_list import show
from companion.records.stats import statistics
from companion.records.stats_text import report
from companion.referee.journal import open_record
from companion.testing.playout import random_move
from tests.forged import bodies, chained

HANG_S: Final = 2
GAMES: Final = all_games()
EXTREMES: Final = ("0", "1", "2", "9", "40", "99", "150", "200", "500", "998", "999", "1000", "9" * 9, "9" * 18)
NUMBER: Final = re.compile(r"(?<![\w.+-])\d+(?!\w| *=)")
"""A standalone number, neither a key nor a part of a word."""

MOVES: Final = 120
"""Enough moves for each game to use its whole box."""
WORDS: Final = (
    *("undo 1", "undo 9", "amend 1. T youngest 1", "{t_ns=1 call=5:buzz@1+-1}", "{open_ns=9 early=4:buzz@0+-0}"),
    *(
        '"',
        "\\",
        "{",
        "}",
        ";",
        "??",
        "T",
        "5",
        "0",
        "-1",
        "9" * 30,
        "9" * 5_000,
        "[" * 3_000,
        "\x00",
        "\x1b[2J",
        "é",
    ),
    *('[Seat4 "D"]', '[Event "demo"]', '[Places "1 2 3"]', '[Ruling.tie_margin_ms "' + "9" * 40 + '"]', "10000000"),
)
PIECES: Final = (
    *(
        "[" * 500,
        "a" + ".a" * 300,
        "0x" + "f" * 500,
        "9" * 4_400,
        "'''",
        '"""',
        "nan",
        "1979-99-99",
        "\x00",
        "\x1b",
    ),
    *("pins = [1, 1]", "[rulings.chess]", "true", "-1", "10000000000", "[[seats]]", "[seats]", "= =", "🂡", "{a=1}"),
)


class HungError(BaseException):
    """Raised by the alarm; the program never catches it."""


def _hung(*_: object) -> None:
    raise HungError


def mutated(lines: list[str], luck: random.Random) -> list[str]:
    """Return a record's lines with one to four changes."""
    lines = list(lines)
    for _ in range(luck.randint(1, 4)):
        place = luck.randrange(len(lines))
        kind = luck.randrange(7)
        if kind == 0:
            del lines[place]
        elif kind == 1:
            lines.insert(place, luck.choice(lines))
        elif kind == 2:
            lines.insert(place, luck.choice(WORDS))
        elif kind == 3:
            words = lines[place].split(" ")
            words[luck.randrange(len(words))] = luck.choice((*WORDS, *luck.choice(lines).split(" ")))
            lines[place] = " ".join(words)
        elif kind == 4:
            start = luck.randrange(len(lines[place]) + 1)
            lines[place] = lines[place][:start] + luck.choice(WORDS) + lines[place][start + luck.randrange(9) :]
        elif kind == 5:
            lines[place] = extreme(lines[place], luck)
        else:
            digits = [spot for spot, sign in enumerate(lines[place]) if sign.isdigit()]
            if digits:
                spot = luck.choice(digits)
                lines[place] = lines[place][:spot] + luck.choice("0123456789") + lines[place][spot + 1 :]
        lines = lines or [""]
    return lines


def extreme(text: str, luck: random.Random) -> str:
    found = list(NUMBER.finditer(text))
    return _with(text, luck.choice(found), luck.choice(EXTREMES)) if found else text


def _with(text: str, found: re.Match[str], number: str) -> str:
    return text[: found.start()] + number + text[found.end() :]


def extreme_box(game: Game, luck: random.Random) -> str:
    """Return a game's box with one or two numbers at the largest accepted value."""
    box = "\n".join(line for line in game.box_text.splitlines() if not line.startswith("#"))
    for _ in range(luck.choice((1, 2))):
        found = luck.choice(list(NUMBER.finditer(box)))
        for number in reversed(EXTREMES):
            with suppress(BoxError):
                game.read_box(_with(box, found, number), game.name)
                box = _with(box, found, number)
                break
    return box


def play_with(game: Game, box: str, luck: random.Random) -> None:
    match = new_match(game, NAMES[: luck.choice(game.rules.SEATS)], box=NamedBox("extreme", box), seed="7")
    for _ in range(MOVES):
        if match.outcome:
            return
        match.push(random_move(game.rules, match.state, luck.randrange))
        match.view()


def mangled(text: str, luck: random.Random) -> bytes:
    """Return a table.toml with one to six changes and some lines uncommented."""
    lines = [line.removeprefix("#") if luck.random() < 0.1 else line for line in text.splitlines()]
    for _ in range(luck.randint(1, 6)):
        place = luck.randrange(len(lines))
        at = luck.randrange(len(lines[place]) + 1)
        piece = luck.choice(PIECES)
        lines[place] = luck.choice((piece, lines[place][:at] + piece + lines[place][at:], lines[place][:at]))
    data = "\n".join(lines).encode()
    if luck.random() < 0.1:
        at = luck.randrange(len(data))
        data = data[:at] + luck.randbytes(8) + data[at:]
    return data


def read_record(path: Path) -> None:
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        show(path.parent, GAMES, nowhere)
        opened = open_record(path, GAMES)
        report(statistics([KeptRecord("a", opened)], demos=True), path)
        replay(opened, nowhere)


def main() -> None:
    folder, seed, records, tables, boxes = Path(sys.argv[1]), *map(int, sys.argv[2:])
    signal.signal(signal.SIGPROF, _hung)
    logging.disable()
    luck = random.Random(seed)
    whole = [bodies(path) for path in folder.iterdir()]
    text = default_config(GAMES)
    failed: list[str] = []
    slowest_s = 0.0
    read = {"readable": 0, "refused": 0}
    with tempfile.TemporaryDirectory() as where:
        path = Path(where) / "mutated.record"
        for number in range(records + tables + boxes):
            is_record, is_table = number < records, records <= number < records + tables
            game = luck.choice(list(GAMES.values()))
            if is_record:
                path.write_bytes(chained(mutated(luck.choice(whole), luck)))
            else:
                path.write_bytes(mangled(text, luck) if is_table else extreme_box(game, luck).encode())
            signal.setitimer(signal.ITIMER_PROF, HANG_S)
            began_s = time.process_time()
            try:
                if is_record:
                    read_record(path)
                elif is_table:
                    read_config(path, GAMES)
                else:
                    play_with(game, path.read_text("utf-8"), luck)
                read["readable"] += 1
            except CompanionError as error:
                read["refused"] += 1
                if "\n" in str(error) or len(str(error)) > 3_000:
                    failed.append(f"{number}: not one line: {error}"[:300])
            except BaseException as error:  # noqa: BLE001  all others are what is looked for
                folder.with_name(f"failed-{number}").write_bytes(path.read_bytes())
                failed.append(f"{number}: {type(error).__name__}: {error}"[:300])
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            slowest_s = max(slowest_s, time.process_time() - began_s)
    # getrusage would include the parent process's memory.
    used_kb = int(Path("/proc/self/status").read_text(encoding="ascii").partition("VmHWM:")[2].split()[0])
    sys.stdout.write(json.dumps({"failed": failed, "slowest_s": slowest_s, "used_mb": used_kb / 1024} | read))


main()

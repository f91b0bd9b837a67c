"""Reads mutated records and tables in a process of its own, which is ended when one takes too long.

Called with a folder of whole records, a seed, and how many records and tables. Prints one JSON object.
"""

import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from forged import bodies, chained

from companion.config.table_file import default_config, read_config
from companion.core.errors import CompanionError
from companion.games import all_games
from companion.records.history import replay, show
from companion.records.stats import KeptRecord, statistics
from companion.records.stats_text import report
from companion.referee.journal import open_record

HANG_S: Final = 2
GAMES: Final = all_games()
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
    """Raised by the alarm; no guard of the program catches it."""


def _hung(*_: object) -> None:
    raise HungError


def mutated(lines: list[str], luck: random.Random) -> list[str]:
    """Return the lines of a record with one to four changes, in any of them or the words of one."""
    lines = list(lines)
    for _ in range(luck.randint(1, 4)):
        place = luck.randrange(len(lines))
        kind = luck.randrange(6)
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
        else:
            digits = [spot for spot, sign in enumerate(lines[place]) if sign.isdigit()]
            if digits:
                spot = luck.choice(digits)
                lines[place] = lines[place][:spot] + luck.choice("0123456789") + lines[place][spot + 1 :]
        lines = lines or [""]
    return lines


def mangled(text: str, luck: random.Random) -> bytes:
    """Return a table.toml with one to six changes, some lines of it in force."""
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
    """Do all that is done with a record: list it, count it, play it again."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        show(path.parent, GAMES, nowhere)
        opened = open_record(path, GAMES)
        report(statistics([KeptRecord("a", opened)], demos=True), path)
        replay(opened, nowhere)


def main() -> None:
    folder, seed, records, tables = Path(sys.argv[1]), *map(int, sys.argv[2:])
    signal.signal(signal.SIGALRM, _hung)
    luck = random.Random(seed)
    whole = [bodies(path) for path in folder.iterdir()]
    text = default_config(GAMES)
    failed: list[str] = []
    slowest_s = 0.0
    read = {"readable": 0, "refused": 0}
    with tempfile.TemporaryDirectory() as where:
        path = Path(where) / "mutated.record"
        for number in range(records + tables):
            is_record = number < records
            path.write_bytes(chained(mutated(luck.choice(whole), luck)) if is_record else mangled(text, luck))
            signal.setitimer(signal.ITIMER_REAL, HANG_S)
            began_s = time.monotonic()
            try:
                read_record(path) if is_record else read_config(path, GAMES)
                read["readable"] += 1
            except CompanionError as error:
                read["refused"] += 1
                if "\n" in str(error) or len(str(error)) > 3_000:
                    failed.append(f"{number}: not one line: {error}"[:300])
            except BaseException as error:  # noqa: BLE001  all others are what is looked for
                folder.with_name(f"failed-{number}").write_bytes(path.read_bytes())
                failed.append(f"{number}: {type(error).__name__}: {error}"[:300])
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            slowest_s = max(slowest_s, time.monotonic() - began_s)
    # Not getrusage's figure: that one also holds what the process which started this one had used.
    used_kb = int(Path("/proc/self/status").read_text(encoding="ascii").partition("VmHWM:")[2].split()[0])
    sys.stdout.write(json.dumps({"failed": failed, "slowest_s": slowest_s, "used_mb": used_kb / 1024} | read))


main()

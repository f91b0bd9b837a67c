"""Starting a table: robots, dealer, imports, Ctrl-C."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.cli.commands import main
from companion.config.table_file import TableConfig, read_config
from companion.core.console import BUZZ
from companion.core.inbox import Inbox
from companion.diagnostics.service import Service
from companion.games import all_games
from companion.match.seating import Sitter
from companion.table import app
from companion.table.app import PERSON, sitters_of
from tests.host_bench import Bench
from tests.running import environment


def test_each_robot_gets_the_name_of_its_place() -> None:
    sitters = sitters_of([PERSON, "middle", "strong"], ["Ann", "Bob"])
    assert sitters == [None, Sitter("Bob", "middle"), Sitter("Robot 3", "strong")]


def test_unwritable_name_is_reported_before_play(tmp_path: Path) -> None:
    bench = Bench(tmp_path, system=app._system(Service({}), Inbox(), ("Anna", "דוד")))
    told, remedy = bench.poster.lines
    assert told == "דוד: the display cannot draw ד ו and shows their numbers"
    assert "--seats" in remedy
    bench.press(0, BUZZ)
    assert bench.poster.lines != (told, remedy)


def test_writable_names_need_no_notice() -> None:
    assert app._system(Service({}), Inbox(), ("Anna", "Zoë", "Зоя")).notices == []


@pytest.mark.parametrize(
    ("option", "file", "deals"),
    [
        ([], "", "pi"),
        ([], "[cards]\ndeal = 'table'\n", "table"),
        (["--deal", "pi"], "[cards]\ndeal = 'table'\n", "pi"),
        (["--deal", "table"], "", "table"),
    ],
)
def test_deal_option_overrides_the_table_file(
    option: list[str], file: str, deals: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    def run(config: TableConfig, _: object, **__: Any) -> None:
        begun.append(config.cards.deal)

    monkeypatch.setattr(app, "_run", run)
    table = tmp_path / "table.toml"
    table.write_text(file, "utf-8")
    assert main(["play", "--virtual", "--table", str(table), *option]) == 0
    assert begun == [deals]


def test_dealer_chosen_before_a_match_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(f'[journal]\nfolder = "{tmp_path / "matches"}"\n', "utf-8")
    bench = Bench(tmp_path / "matches", config=read_config(path, all_games()), game="buntherum")
    bench.sit(2)
    assert bench.menu.items[1] == "Cards and dice: the companion's"
    bench.take("Cards and dice")
    assert bench.menu.items[1] == "Cards and dice: your own"
    bench.take("Start")
    assert bench.match.tags["Deal"] == "table"
    assert read_config(path, all_games()).cards.deal == "table"


WAITS_FOR = """
import sys
import companion.cli.play, companion.table.app, companion.table.host
from companion.config.table_file import TableConfig
from companion.games import all_games
assert len(all_games()) == int(sys.argv[1]) and TableConfig().wiring.of(companion.table.app.PhoneOptions)
late = {"importlib.metadata", "asyncio", "sqlite3", "tomlkit", "tomllib", "companion.devices.drivers"}
late |= {*companion.table.app.LATER, "companion.referee.referee", "companion.records.stats"}
print(*sorted(late & set(sys.modules)))
print(*sorted(name for name in sys.modules if name.startswith(("companion.devices.pods", "companion.games.bun"))))
"""


def test_virtual_table_opens_without_loading_drivers_or_games() -> None:
    asked = [sys.executable, "-c", WAITS_FOR, str(len(all_games()))]
    done = subprocess.run(asked, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-2:] == ["", "companion.games.buntherum"], "its sign"


BEGINS_WITH = """
import sys
from companion.config.sections import JournalOptions
from companion.config.table_file import TableConfig
from companion.core.clock import PlanningClock
from companion.core.place import HOUSE
from companion.core.signal import PC, Signal
from companion.games import all_games, load
from companion.match.seating import Sitter, Wanted
from companion.table.app import load_rest
from companion.table.host import Host
load_rest()
loaded = set(sys.modules)
from companion.match.new_match import new_match
config, clock = TableConfig(journal=JournalOptions(sys.argv[1])), PlanningClock()
names = ("Anna", "Ben")
for wanted in (Wanted([*map(Sitter, names)], match=new_match(load("buntherum"), names)), Wanted()):
    frames = []
    host = Host(all_games(), config, clock, frames.append, wanted, settle_ns=0)
    host.start()
    now_ns = clock.now_ns()
    host.signal(Signal(PC, HOUSE, "menu", now_ns, 0, now_ns))
    print(type(frames[0].screen).__name__, type(frames[-1].screen).__name__)
    host.close()
print(*sorted(name for name in sys.modules.keys() - loaded if name.startswith("companion.")))
"""


def test_match_begins_without_loading_anything(tmp_path: Path) -> None:
    asked = [sys.executable, "-c", BEGINS_WITH, str(tmp_path)]
    done = subprocess.run(asked, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["Play Menu", "Poster Menu", ""]


# --- Ctrl-C -----------------------------------------------------------------------------------------------

WHEN_THE_WINDOW_OPENS = """
def window(**_):
    raise KeyboardInterrupt

app.Window = window
"""

WHEN_THE_HOST_BEGINS = """
class Begins(app.ThreadPoolExecutor):
    def submit(self, serve):
        super().submit(serve)
        raise KeyboardInterrupt

app.ThreadPoolExecutor = Begins
"""


@pytest.mark.parametrize("when", [WHEN_THE_WINDOW_OPENS, WHEN_THE_HOST_BEGINS])
def test_ctrl_c_ends_a_table_that_is_opening(tmp_path: Path, when: str) -> None:
    table = "app.play(TableConfig(), None, [], virtual=True)"
    imports = "from companion.config.table_file import TableConfig\n"
    script = f"{imports}from companion.table import app\n{when}\n{table}"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(tmp_path) | {"SDL_VIDEODRIVER": "dummy"},
        capture_output=True,
        text=True,
        timeout=60,  # it used to hang
        check=False,
    )
    assert done.returncode == -signal.SIGINT, done.stderr
    assert done.stderr.endswith("KeyboardInterrupt\n")

"""The example game of docs/examples in a window, played by robots and by key events."""

import time
from pathlib import Path

import pytest

from companion.games import FOLDERS, by_name, in_folder
from companion.records.history import records
from companion.referee.input_gate import READ_NS
from tests.e2e.pc import Screen, Table, eventually, needs_a_screen

pytestmark = needs_a_screen

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@pytest.fixture(autouse=True)
def _fifth_game(monkeypatch: pytest.MonkeyPatch) -> None:
    games = by_name(in_folder(EXAMPLES))
    monkeypatch.setenv(FOLDERS, str(EXAMPLES))
    monkeypatch.setattr("tests.e2e.pc.all_games", lambda: games)


def called(table: Table) -> bool:
    """Press the second seat's buzzer; it works once the find is visible."""
    table.key("q")
    return table.match.state.points == (0, 2)


def test_people_play_the_example_in_a_window(screen: Screen, tmp_path: Path) -> None:
    """From the attract screen by keys only: a call, throws, and a draw by hand."""
    config = tmp_path / "table.toml"
    config.write_text("[rulings.driftwood]\nebb_s = 60\n", "utf-8")
    with Table(screen, tmp_path, "driftwood", "--deal", "table", "--table", str(config)) as table:
        table.ready()
        for buzzer in "zq":
            table.and_see(lambda buzzer=buzzer: table.key(buzzer))
        table.and_see(lambda: table.key("Return"))
        table.key("Return")  # the default house rules
        eventually(lambda: records(table.folder), "a record")
        table.type_for_house("3")
        table.wait_for(lambda match: match.length == 1, "the find")
        eventually(lambda: called(table), "the call")
        table.type_for_house("5")
        table.wait_for(lambda match: match.length == 3, "the next find")
        time.sleep(READ_NS / 1e9)
        table.type(0, "2#")
        table.type(1, "1#")
        match = table.wait_for(lambda match: match.length == 5, "both throws")
        assert match.state.points == (4, 2)
        assert table.said() == ""


def test_robots_play_the_example_in_a_window(screen: Screen, tmp_path: Path) -> None:
    with Table(screen, tmp_path, "driftwood", command=("demo",)) as table:
        table.ready()
        match = table.wait_for(lambda match: match.length > 3, "robots act")
        assert match.game.name == "driftwood"
        assert table.said() == ""

"""mypy refuses a seat instead of a place, and optional parts of a game unlike their contract."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core import console, game, rules
from companion.core.game import Game
from companion.games import all_games

api = pytest.importorskip("mypy.api", reason="mypy comes with make lint")

ROOT = Path(__file__).parents[1]
USES = """
from companion.core.move import TABLE, Move, Seat
from companion.core.place import HOUSE, Place
from companion.core.signal import SeatSignal, Signal
from companion.match.seating import Seating

def mixed(place: Place, seat: Seat, signal: Signal, heard: SeatSignal, seating: Seating) -> None:
    Signal("pod", place, "buzz", 0, 0, 0).of(seat)
    Move(heard.seat, "call")
    seating.place_of(seat)
    seating.is_robot(signal.place)
    Signal("pod", seat, "buzz", 0, 0, 0)  # refused
    Signal("pod", TABLE, "menu", 0, 0, 0)  # refused
    signal.of(place)  # refused
    Move(signal.place, "call")  # refused
    Move(HOUSE, "call")  # refused
    Move(0, "call")  # refused
    seating.place_of(place)  # refused
    seating.is_robot(seat)  # refused
    place == seat  # refused
"""


MAY_HAVE = {
    "rules": (
        rules.Releasing,
        rules.Concealing,
        rules.Closing,
        rules.Grouping,
        rules.Binding,
        rules.Judging,
    ),
    "console": (
        console.GuidesHouse,
        console.SaysTyped,
        console.ShowsOwn,
        console.PromptsByHand,
        console.LightsByHand,
    ),
    "teller": (game.PieceTasking, game.FewestLead),
}
"""What a room of a game may have besides its contract."""

WRONG = """
import companion.core.rules
class Wrong:
    def undo_unit(self, state: object, moves: object) -> None: ...
wrong: companion.core.rules.Grouping = Wrong()  # refused
"""


def refused(program: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that mypy refuses exactly the marked lines of a program."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("MYPYPATH", str(ROOT))
    uses = folder / "uses.py"
    uses.write_text(program, "utf-8")
    said, went_wrong, _ = api.run(["--no-error-summary", "--hide-error-context", str(uses)])
    assert not went_wrong
    lines = [int(line.rsplit(".py:", 1)[1].split(":")[0]) for line in said.splitlines() if ": error:" in line]
    assert lines == [number for number, line in enumerate(program.splitlines(), 1) if "# refused" in line], said


def test_places_and_seats_are_distinct_types(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused(USES, tmp_path, monkeypatch)


def words(of: Game) -> Iterator[tuple[type, str]]:
    for room, protocols in MAY_HAVE.items():
        module = getattr(of, room)
        yield from ((protocol, module.__name__) for protocol in protocols if isinstance(module, protocol))


def test_optional_parts_of_games_match_their_contracts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [word for of in all_games().values() for word in words(of)]
    assert {protocol for protocol, _ in found} == {protocol for each in MAY_HAVE.values() for protocol in each}
    program = ["from typing import Any"]
    for number, (protocol, module) in enumerate(found):
        generic = "[Any]" if getattr(protocol, "__parameters__", ()) else ""
        program += [f"import {protocol.__module__}, {module}"]
        program += [f"word_{number}: {protocol.__module__}.{protocol.__name__}{generic} = {module}"]
    refused("\n".join(program) + WRONG, tmp_path, monkeypatch)

"""Where one sits and who plays are two types: mypy refuses one where the other is due."""

from pathlib import Path

import pytest

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


def test_a_place_is_no_seat_and_a_seat_no_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("MYPYPATH", str(ROOT))
    uses = tmp_path / "uses.py"
    uses.write_text(USES, "utf-8")
    said, went_wrong, _ = api.run(["--no-error-summary", "--hide-error-context", str(uses)])
    assert not went_wrong
    refused = [int(line.rsplit(".py:", 1)[1].split(":")[0]) for line in said.splitlines() if ": error:" in line]
    assert refused == [number for number, line in enumerate(USES.splitlines(), 1) if "# refused" in line], said

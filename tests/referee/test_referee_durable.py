"""The law "commit before you show": a move is durable before anything shows it."""

import pytest

from companion.core.text import msg
from companion.referee.journal import JournalError
from tests.referee.bench import Bench

KINDS = ("youngest", "starter", "flip", "tie", "call", "declare", "undone")
"""Each entry of this play has exactly one event of these kinds."""


class Watched:
    """A journal, lamps and a screen; each entry notes what was used before."""

    def __init__(self, room: int = 1_000) -> None:
        self.room = room
        self.lit = self.shown = 0
        self.at_entries: list[tuple[int, int, int]] = []
        self.lamps: dict[int, str] = {}
        self.bench = Bench(store=self, screen=self, lamps=self.Lamps(self))

    def append(self, entry) -> None:
        if len(self.at_entries) == self.room:
            raise JournalError(msg("the disk is full"))
        self.at_entries.append(self.used())

    def used(self) -> tuple[int, int, int]:
        kinds = self.bench.kinds() if self.at_entries else []
        return sum(map(kinds.count, KINDS)), self.lit - kinds.count("lamp"), self.shown

    def show(self, view, prompt) -> int:
        self.shown += 1
        return self.bench.table.clock.now_ns() if self.shown > 1 else 0

    class Lamps:
        def __init__(self, watched: "Watched") -> None:
            self.watched = watched

        def show(self, seat, lamp) -> None:
            self.watched.lit += 1
            self.watched.lamps[seat] = lamp

    def play(self) -> None:
        """Play a tie, a call, a declaration, its undo, and another declaration."""
        bench = self.bench.at(1500)
        bench.buzz(0)
        bench.buzz(1)
        bench.at(3000)
        bench.call(1, 0)
        bench.house("undo")
        bench.keys(1, "3")
        bench.at(5000)


def test_entry_is_durable_before_events_lamps_and_frames():
    watched = Watched()
    watched.play()
    assert len(watched.at_entries) == len(watched.bench.match.entries) == 15
    # At each entry: one announced move for each entry before, no unannounced lamp, and one frame each.
    assert watched.at_entries == [(number, 0, number + 1) for number in range(15)]


@pytest.mark.parametrize("room", range(15))
def test_failing_journal_shows_and_changes_nothing(room):
    watched = Watched(room)
    with pytest.raises(JournalError, match="the disk is full"):
        watched.play()
    assert len(watched.bench.match.entries) == room
    assert watched.used() == (room, 0, room + 1)
    due = watched.bench.match.game.console.lamps(watched.bench.view)
    assert [watched.lamps.get(seat, "off") for seat in range(3)] == list(due)


def test_verdict_is_announced_after_its_move_is_durable():
    watched = Watched(room=8)
    watched.bench.at(1500)
    watched.bench.buzz(0)
    with pytest.raises(JournalError):
        watched.bench.at(1600)
    assert watched.bench.of("verdict") == []
    assert watched.bench.view.phase == "open"


def test_limit_refused_by_the_disk_expires_once():
    watched = Watched(room=9)
    watched.bench.at(1500)
    watched.bench.buzz(0)
    with pytest.raises(JournalError):
        watched.bench.at(10_000)
    watched.bench.at(20_000)  # no automatic retry
    assert len(watched.bench.match.entries) == 9
    assert watched.bench.of("late") == []

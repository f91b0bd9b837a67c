"""Two matches that differ in the last bid of a duel look the same until it is shown.

If both bids are undone during the drum, this holds for ever.
"""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import pytest

from companion.core.console import BUZZ, HOUSE_CONTROLS, KEYS
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.place import HOUSE, Place
from companion.display.frame import Beat
from tests.club_line import line_of, linked
from tests.match.test_non_interference import (
    OFFICE,
    Noticed,
    _both_could_bid,
    _listen,
    _press,
    after,
    logged,
    positions,
    same_chance,
    table_that_tells,
    watched,
)

__all__ = ["same_chance"]  # a fixture

pytestmark = pytest.mark.usefixtures("same_chance")

DRUM_MS: Final = 30_000


Told = list[tuple[int, str, Any]]
"""Observations in order, with their times."""


class Duel(NamedTuple):
    """Moves to a duel, its first bid, two choices for its last."""

    rulings: Any
    seats: int
    moves: list[Any]
    first: Seat
    last: Seat
    bid: tuple[str, ...]
    bids: list[tuple[str, ...]]


def duel_of(luck: Random) -> Duel:
    """Return a duel whose last bidder has two bids of more than one key."""
    rulings = OFFICE.rulings(tracking=luck.choice(("cards", "points")), bid_entry=luck.choice(("cards", "total")))
    seats = luck.choice(OFFICE.rules.SEATS)
    found = positions(OFFICE, seats, rulings, luck, due=_both_could_bid)
    while True:
        moves = luck.choice(found[-luck.choice((1, 4, len(found))) :])
        match = after(OFFICE, seats, rulings, moves)
        first, last = luck.sample(match.state.duel, 2)
        (bid, *_), bids = (_keyed(match, seat, luck) or [()] for seat in (first, last))
        if bid and len(bids) > 1:
            return Duel(rulings, seats, moves, first, last, bid, bids[:2])


def _keyed(match: Match, seat: Seat, luck: Random) -> list[tuple[str, ...]]:
    """Return keys of bids; a bid of nothing would need a confirmation."""
    drawn = luck.choices([move for move in OFFICE.rules.legal(match.state, seat) if move.verb != "retract"], k=9)
    keyed = {OFFICE.console.keys_for(match.view(seat), move) for move in drawn}
    return sorted((keys for keys in keyed if len(keys) > 1), key=lambda _: luck.random())


class Table:
    """One match, observed by everybody except its last bidder."""

    def __init__(self, folder: Path, duel: Duel, club: Any, noticed: Noticed, *, wired: bool) -> None:
        match = after(OFFICE, duel.seats, duel.rulings, duel.moves)
        self.duel, self._wired = duel, wired
        self.bench = table_that_tells(folder, noticed, match, wired=wired, drum_ms=DRUM_MS, club=club)
        noticed.now_ns = self.bench.clock.now_ns
        _listen(self.bench, noticed, duel.last)
        self.bench.read()

    def press(self, place: int, *controls: str) -> None:
        for control in controls:
            _press(self.bench, Place(place), control, wired=self._wired)
            if not self._wired and control in KEYS:
                self.bench.hand(Place(place), control, pressed=False)
            self.bench.wait(0.06)

    def bid(self, keys: Sequence[str]) -> None:
        """Let both bid, the last one in a fixed time."""
        self.press(self.duel.first, *self.duel.bid)
        self.bench.read()
        began_ns = self.bench.clock.t_ns
        self.press(self.duel.last, *keys[:-1])
        self.bench.wait(10 - (self.bench.clock.t_ns - began_ns) / 1e9)
        self.press(self.duel.last, keys[-1])

    def undo(self) -> None:
        self.press(HOUSE, "undo")
        self.bench.read()
        self.bench.take("Undo")
        self.bench.read()
        self.bench.take("Go on")
        self.bench.read()


def both(folder: Path, number: int, play: Callable[[Table, Random], None]) -> tuple[Told, Told]:
    duel, told = duel_of(Random(f"unseen {number}")), []
    for which in (0, 1):
        noticed, place = Noticed(place=duel.last), folder / f"{number}-{which}"
        with pytest.MonkeyPatch.context() as patch, logged(noticed), watched(noticed, place), linked(place) as club:
            patch.setenv("XDG_DATA_HOME", str(place))  # a player who leaves may edit a box
            line_of(club).noted = partial(noticed.add, "club")
            table = Table(place, duel, club, noticed, wired=number % 2 == 0)
            table.bid(duel.bids[which])
            assert table.bench.host.session.reveal.beat == Beat.DRUM
            play(table, Random(f"play {number}"))
            table.bench.host.close()
        # Followers receive the lines of a step once it is visible, so lines do not count here.
        told.append([each for each in noticed.public if not each[1].startswith("line")])
    return told[0], told[1]


def compare(one: Told, two: Told) -> None:
    for here, there in zip(one, two, strict=False):
        assert here == there
    assert len(one) == len(two)


def until_seen(told: Told) -> Told:
    """Return the observations before the frame with both bids."""
    beats = (getattr(what.screen, "beat", None) if kind == "frame" else None for _, kind, what in told)
    return list(takewhile(lambda _: next(beats) != Beat.REVEALED, told))


def anything(table: Table, luck: Random) -> None:
    """Press random controls during the drum, also in a pause."""
    table.press(HOUSE, *luck.choice(((), ("menu",), ("undo",))))
    for _ in range(20):
        place = luck.choice((HOUSE, HOUSE, *range(3)))
        table.press(place, luck.choice(HOUSE_CONTROLS if place == HOUSE else (*KEYS, BUZZ)))
        table.bench.wait(luck.choice((0, 0.4)))


def taken_back(table: Table, luck: Random) -> None:
    """Undo both bids, bid again, and see the reveal."""
    table.undo()
    table.bid(luck.choice(table.duel.bids))
    table.bench.wait(DRUM_MS / 1000 + 10)


@pytest.mark.soak
def test_nothing_reveals_bids_during_the_drum(tmp_path: Path, soak_count: Callable[[int], int]) -> None:
    for number in range(soak_count(1_000)):
        one, two = map(until_seen, both(tmp_path, number, anything))
        compare(one, two)


@pytest.mark.soak
def test_nothing_ever_reveals_undone_bids(tmp_path: Path, soak_count: Callable[[int], int]) -> None:
    for number in range(soak_count(1_000)):
        one, two = both(tmp_path, number, taken_back)
        compare(one, two)
        assert until_seen(one) != one, "those that were bid then are shown"


def test_undone_tie_is_not_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    moves = positions(OFFICE, 3, OFFICE.rulings(), Random("tie"), due=_both_could_bid)[0]
    one, other = after(OFFICE, 3, OFFICE.rulings(), moves).state.duel
    duel = Duel(OFFICE.rulings(), 3, moves, one, other, ("1", "#"), [])
    with linked(tmp_path) as club:
        table = Table(tmp_path, duel, club, Noticed(), wired=False)
        table.bid(("1", "#"))
        table.undo()
        table.bench.host.close()
    assert any("went_on" in message for message in caplog.messages)
    assert not any("tie" in message or "points" in message for message in caplog.messages)

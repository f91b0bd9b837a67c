"""Whole matches at phones that are real browsers: the record has what was touched, whatever happens to them.

Two pages are loaded anew, one phone is without a network and one asleep, each while its player is about to touch a
key: the match waits, names the seat, and goes on with what was typed.
"""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.core.console import BUZZ
from companion.core.match import Match
from companion.core.move import Move, Seat
from companion.display.frame import Poster
from companion.games import load
from tests.browser.with_chromium.chromium import Chromium
from tests.browser.with_chromium.page import wait_for
from tests.browser.with_chromium.people import PhoneTable, Trouble

SOAK = os.environ.get("COMPANION_SOAK") == "1"
OFFLINE_S = 20 if SOAK else 3
ASLEEP_S = 2
BACK_S = 2
"""So soon a phone has its seat again when it is looked at, or has a network."""

SEATS = {"buro_crazy": 5, "buntherum": 5, "boese_buben": 4, "de_et_boulanger": 4}
TOUCHED = ("buro_crazy", "boese_buben")
"""The games whose cards are touched."""


def named(table: PhoneTable, seat: Seat) -> None:
    """Wait until the match waits for a seat, and the display says whose phone is missing."""
    wait_for(lambda: seat in table.away, f"the match waits for {seat + 1}")
    words = f"the phone of seat {seat + 1}"
    wait_for(
        lambda: isinstance(table.screen, Poster) and any(words in line for line in table.screen.lines),
        f"{words} is named",
    )


def back(table: PhoneTable, seat: Seat, began: float) -> None:
    """Wait until a phone has its seat again; it may not take longer than that from when it could have it."""
    wait_for(lambda: seat not in table.away and table.phones[seat].state == "there", f"{seat + 1} is back")
    took_s = time.monotonic() - began
    table.took_s.append(took_s)
    assert took_s < BACK_S


def loaded_anew(table: PhoneTable, seat: Seat, key: str) -> bool:
    """The page is loaded anew."""
    began = time.monotonic()
    table.phones[seat].driver.refresh()
    back(table, seat, began)
    return False


def offline(table: PhoneTable, seat: Seat, key: str) -> bool:
    """The network is cut; a key is touched without one, and arrives when it is back."""
    assert table.relay
    table.relay.cut()
    named(table, seat)
    wait_for(lambda: table.phones[seat].state == "away", "the page says so")
    time.sleep(OFFLINE_S)
    touched = key != BUZZ  # a call of before is none
    if touched:
        table.phones[seat].press(key)
    table.relay.mend()
    back(table, seat, time.monotonic())
    return touched


def asleep(table: PhoneTable, seat: Seat, key: str) -> bool:
    """The phone sleeps in a pocket."""
    table.phones[seat].sleep()
    named(table, seat)
    time.sleep(ASLEEP_S)
    began = time.monotonic()
    table.phones[seat].wake()
    back(table, seat, began)
    return False


class Troubles:
    """What happens to whom, once each, when its player is about to touch a key for the second time."""

    def __init__(self) -> None:
        self.left: dict[Seat, Trouble] = {
            Seat(0): offline,  # by whose phone's network the relay is
            Seat(1): loaded_anew,
            Seat(2): loaded_anew,
            Seat(3): asleep,
        }
        self._waited: set[Seat] = set()

    def __call__(self, table: PhoneTable, seat: Seat, key: str) -> bool:
        if seat in self._waited and seat in self.left:
            return self.left.pop(seat)(table, seat, key)
        self._waited.add(seat)
        return False


@pytest.fixture
def table_of(tmp_path: Path, chromium: Chromium) -> Iterator[Callable[[str], PhoneTable]]:
    tables = []

    def begun(name: str) -> PhoneTable:
        luck = f"people of {name}"
        # A busy machine may take longer to touch than a person.
        tables.append(PhoneTable(tmp_path, load(name), SEATS[name], chromium, luck, timers="off"))
        return tables[-1]

    yield begun
    for table in tables:
        table.close()


@pytest.mark.usefixtures("fixed_secrets")
@pytest.mark.parametrize("name", SEATS if SOAK else TOUCHED)
def test_a_whole_match_is_what_was_touched(table_of: Callable[[str], PhoneTable], name: str) -> None:
    table, troubles = table_of(name), Troubles()
    began = time.monotonic()
    table.begin()
    table.play(troubles)
    assert troubles.left == {}
    wait_for(lambda: {phone.lamp for phone in table.phones.values()} == {"off"}, "all lamps are dark")
    match = table.opened()
    assert match.outcome
    assert match.state == table.match.state
    for seat, meant in table.meant.items():
        assert keyed(match, seat) == meant
    touches = sum(map(len, table.meant.values()))
    took = ", ".join(f"{took_s:.2f}" for took_s in table.took_s)
    print(f"{name}: {time.monotonic() - began:.0f} s, {touches} decisions, back after {took} s")


def keyed(match: Match, seat: Seat) -> list[Move]:
    """Return the moves of a seat in a record, without what a key makes besides."""
    made = zip(match.moves, match.entries, strict=True)
    return [move for move, entry in made if move.seat == seat and entry.evidence.key_move is None]

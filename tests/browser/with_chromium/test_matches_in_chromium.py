"""Whole matches with real browsers as phones, recorded exactly as touched.

Two pages are reloaded, one phone goes offline and one sleeps, each just before a touch: the match waits, names the
seat, and resumes with the typed keys.
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
"""The longest time until an awake, connected phone has its seat again."""

SEATS = {"buro_crazy": 5, "buntherum": 5, "boese_buben": 4, "de_et_boulanger": 4}
TOUCHED = ("buro_crazy", "boese_buben")


def named(table: PhoneTable, seat: Seat) -> None:
    wait_for(lambda: seat in table.away, f"the match waits for {seat + 1}")
    words = f"the phone of seat {seat + 1}"
    wait_for(
        lambda: isinstance(table.screen, Poster) and any(words in line for line in table.screen.lines),
        f"{words} is named",
    )


def back(table: PhoneTable, seat: Seat, began: float) -> None:
    """Wait until a phone has its seat again, at most BACK_S after `began`."""
    wait_for(lambda: seat not in table.away and table.phones[seat].state == "there", f"{seat + 1} is back")
    took_s = time.monotonic() - began
    table.took_s.append(took_s)
    assert took_s < BACK_S


def loaded_anew(table: PhoneTable, seat: Seat, key: str) -> bool:
    began = time.monotonic()
    table.phones[seat].driver.refresh()
    back(table, seat, began)
    return False


def offline(table: PhoneTable, seat: Seat, key: str) -> bool:
    """Cut the network; a key touched offline arrives after reconnecting."""
    assert table.relay
    table.relay.cut()
    named(table, seat)
    wait_for(lambda: table.phones[seat].state == "away", "the page says so")
    time.sleep(OFFLINE_S)
    touched = key != BUZZ  # calls made offline do not count
    if touched:
        table.phones[seat].press(key)
    table.relay.mend()
    back(table, seat, time.monotonic())
    return touched


def asleep(table: PhoneTable, seat: Seat, key: str) -> bool:
    table.phones[seat].sleep()
    named(table, seat)
    time.sleep(ASLEEP_S)
    began = time.monotonic()
    table.phones[seat].wake()
    back(table, seat, began)
    return False


class Troubles:
    """Troubles by seat, each once, before the player's second touch."""

    def __init__(self) -> None:
        self.left: dict[Seat, Trouble] = {
            Seat(0): offline,  # the relay is in its network
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
        # A busy machine may touch more slowly than a person.
        tables.append(PhoneTable(tmp_path, load(name), SEATS[name], chromium, luck, timers="off"))
        return tables[-1]

    yield begun
    for table in tables:
        table.close()


@pytest.mark.usefixtures("fixed_secrets")
@pytest.mark.parametrize("name", SEATS if SOAK else TOUCHED)
def test_record_contains_exactly_what_was_touched(table_of: Callable[[str], PhoneTable], name: str) -> None:
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
    """Return a seat's recorded moves, except those a key caused besides."""
    made = zip(match.moves, match.entries, strict=True)
    return [move for move, entry in made if move.seat == seat and entry.evidence.key_move is None]

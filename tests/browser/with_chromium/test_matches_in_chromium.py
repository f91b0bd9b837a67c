"""Whole matches at phones that are real browsers: what was touched is what the record has."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Chromium, wait_for
from people import PhoneTable, there_again

from companion.core.move import Seat
from companion.games import load

SEATS = {"buntherum": 5, "buro_crazy": 5, "boese_buben": 4, "de_et_boulanger": 4}


@pytest.mark.parametrize("name", SEATS)
def test_a_whole_match(tmp_path: Path, chromium: Chromium, name: str) -> None:
    table = PhoneTable(tmp_path, load(name), SEATS[name], chromium, f"people of {name}")
    try:
        began=time.time()
        table.begin()
        print("begun", time.time()-began)
        table.play(lambda table, seat: print(round(time.time()-began,1), table.match.length, seat, flush=True))
    finally:
        table.close()
    match = table.opened()
    assert match.outcome
    for seat, meant in enumerate(table.meant):
        made = [move for move in match.moves if move.seat == seat]
        assert made == meant

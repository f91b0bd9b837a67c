"""Matches that version 1.0 stored end as they did. Their files, `1.0-GAME.record`, never change.

Each is `companion demo GAME --seed 1 --journal FILE`; any other game with `--ruling play=sealed`.
"""

from pathlib import Path

import pytest

from companion.games import all_games
from companion.referee.journal import open_record

ENDS = {
    "any": (30, ((2,), (1,), (0,)), "e41669807145bb63a2be0c32f7e6202b"),
    "boese_buben": (46, ((2,), (0,), (1,)), "360aff023739863a83ae944fbfa66b2c"),
    "buntherum": (52, ((2,), (1,), (0,)), "1b46b61e1f8965320b1ce96750544b9c"),
    "buro_crazy": (58, ((0,), (1,), (2,)), "5fa70ac06284d853888190fa53fb4c04"),
    "de_et_boulanger": (608, ((0,), (2,), (1,), (3,)), "53fc28ebdf4457d96bdbee836e639347"),
}
"""Moves and ranking of each, and the last seal."""


@pytest.mark.parametrize("name", ENDS)
def test_match_of_1_0_ends_as_it_did(name: str) -> None:
    opened = open_record(Path(__file__).with_name(f"1.0-{name}.record"), all_games())
    assert opened.damage is None
    assert opened.match.outcome
    assert (len(opened.match.moves), opened.match.outcome.ranking, opened.seal) == ENDS[name]

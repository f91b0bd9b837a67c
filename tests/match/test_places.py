"""A match stores its seats' places: elsewhere a player might read another's secret."""

import pytest

from companion.core.errors import RecordError
from companion.core.match import Match
from companion.core.tags import PLACES_TAG, places_of
from companion.games import load
from companion.match.new_match import new_match

GAME = load("buntherum")


def test_places_are_stored_with_the_match() -> None:
    match = new_match(GAME, ["Anna", "Cleo"], places=(0, 2))
    assert match.tags[PLACES_TAG] == "1 3"
    assert places_of(match, 5) == (0, 2)


def test_match_without_places_uses_the_first_ones() -> None:
    assert places_of(new_match(GAME, ["Anna", "Cleo"]), 5) == (0, 1)


@pytest.mark.parametrize("said", ["", "1", "1 2 3", "3 1", "2 2", "0 1", "1 6", "1 x"])
def test_invalid_places_are_refused(said: str) -> None:
    match = Match(GAME, ["Anna", "Cleo"], tags={PLACES_TAG: said})
    with pytest.raises(RecordError, match="the places of 2 seats, clockwise, each 1 to 5"):
        places_of(match, 5)

"""Every refused key of each seat and the house has a reason."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Final

import pytest

from companion.core.console import BUZZ, HOUSE_CONTROLS, KEYS
from companion.core.errors import IllegalMove
from companion.core.game import Game
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat, each_seat
from companion.core.text import Text
from companion.match.new_match import NAMES, new_match
from companion.testing.playout import random_move
from tests.match.test_key_law import CATCH_ALLS, GAMES
from tests.running import sampled_rulings

DEPTH: Final = 3
"""Number of keys typed one after the other."""

BRANCHES: Final = 4
"""Number of unfinished entries that are continued."""


def positions(game: Game, number: int) -> Iterator[Match]:
    """Yield positions of a random match, perhaps with real pieces."""
    luck = Random(f"reasons {game.name} {number}")
    seats = luck.choice(game.rules.SEATS)
    match = new_match(game, NAMES[:seats], rulings=sampled_rulings(game, luck), deal=luck.choice(("pi", "table")))
    for count in range(400):
        if count % 20 == number % 20:
            yield match
        if match.outcome:
            return
        match.push(random_move(game.rules, match.state, luck.randrange))


def reasons(match: Match, seat: Seat, luck: Random) -> Iterator[tuple[str, Text]]:
    """Yield typed keys of a seat or the house, and why they are refused."""
    view = match.view(None if seat == TABLE else seat)
    begun = {""}
    for _ in range(DEPTH):
        further = set()
        for typed in luck.sample(sorted(begun), min(len(begun), BRANCHES)):
            for key in KEYS if seat == TABLE else (*KEYS, BUZZ):
                keyed = match.game.console.key(view, seat, key, {seat: typed})
                if keyed.why:
                    yield f"{typed} {key}", keyed.why
                elif keyed.move and (why := refusal(match, keyed.move)):
                    yield f"{typed} {key}", why
                elif not keyed.move and keyed.entry:
                    further.add(keyed.entry)
        begun = further
    for control in HOUSE_CONTROLS if seat == TABLE else ():
        move = match.game.console.house(view, control)
        if move and (why := refusal(match, move)):
            yield control, why


def refusal(match: Match, move: Move) -> Text | None:
    """Return why the rules refuse a move, or None."""
    try:
        match.game.rules.apply(match.state, move)
    except IllegalMove as refused:
        return refused.own
    return None


@pytest.mark.parametrize("name", GAMES)
def test_every_refused_key_has_a_reason(name: str) -> None:
    told: Counter[str] = Counter()
    for number in range(12):
        luck = Random(f"keys {name} {number}")
        for match in positions(GAMES[name], number):
            for seat in (TABLE, *each_seat(len(match.names))):
                for keys, why in reasons(match, seat, luck):
                    assert why.msgid not in CATCH_ALLS, (match.names, seat, keys, match.moves[-3:])
                    told[why.msgid] += 1
    assert len(told) > 3, told

"""Any correction is made or refused with a reason; none raises."""

from collections.abc import Callable
from random import Random

import pytest

from companion.core.dealer import Dealer
from companion.core.errors import IllegalMove
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat, each_seat
from companion.games import all_games, load
from companion.match.new_match import NAMES, new_match
from companion.match.virtual_table import VirtualTable
from companion.testing.conformance import some_rulings
from companion.testing.playout import random_move

LAST = 4
"""The number of last moves to correct."""


def some_match(name: str, luck: Random) -> Match:
    """Return a random match, over or with its last moves undone."""
    game = load(name)
    seats = luck.choice(game.rules.SEATS)
    rulings = some_rulings(game, luck.randrange) if luck.random() < 0.5 else game.rulings()
    match, dealer = new_match(game, NAMES[:seats], rulings=rulings, deal="table"), Dealer(str(luck.random()))
    while match.to_act:
        draws = game.rules.draws(match.state)
        move = dealer.choose(match.drawn, draws) if draws else random_move(game.rules, match.state, luck.randrange)
        match.push(move)
    if luck.random() < 0.7:
        match.undo(min(luck.randrange(1, 12), match.length))
    return match


def some_other(match: Match, number: int, luck: Random) -> Move:
    """Return another move, usually one that was legal then."""
    seats = (TABLE, *each_seat(len(match.names)))
    before = match.before(min(max(number, 1), match.length))
    legal = [moves for seat in seats if (moves := match.game.rules.legal(before, seat))]
    if legal and luck.random() < 0.9:
        moves = luck.choice(legal)
        return moves[luck.randrange(len(moves))]
    return luck.choice([*match.moves, Move(Seat(7), "nonsense", (9,))])


@pytest.mark.soak
@pytest.mark.parametrize("name", all_games())
def test_correction_is_made_or_refused_and_never_raises(name: str, soak_count: Callable[..., int]) -> None:
    made, refused = 0, 0
    for seed in range(soak_count(2_000, 40)):
        luck = Random(f"corrections {name} {seed}")
        match = some_match(name, luck)
        table = VirtualTable(match)
        table.start()
        for number in range(match.length + 1, max(0, match.length - LAST) - 1, -1):
            entries, now_ns = len(match.entries), table.clock.now_ns()
            if luck.random() < 0.3:
                table.devices.house(luck.choice(("right", "wrong")))
                continue
            refusal = table.amend(number, some_other(match, number, luck), now_ns)
            if refusal:
                assert str(refusal.text)
                assert len(match.entries) == entries
                assert not isinstance(refusal, IllegalMove) or refusal.rule
            made, refused = made + (refusal is None), refused + (refusal is not None)
    assert made
    assert refused

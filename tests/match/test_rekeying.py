"""Correcting a move changes only that move."""

from random import Random

from companion.core.match import Match
from companion.games import load
from companion.match.new_match import new_match
from companion.match.rekeying import Rekeying
from companion.testing.playout import random_move

BOESE_BUBEN = load("boese_buben")


def answered() -> Match:
    """Return a match whose last move answers for the first of several cards in the mud."""
    luck = Random(3)
    for seed in range(100):
        match = new_match(BOESE_BUBEN, ("Ann", "Ben"), seed=f"rekeyed {seed}")
        while match.outcome is None:
            match.push(random_move(BOESE_BUBEN.rules, match.state, luck.randrange))
            if match.moves[-1].verb == "answer":
                asked = Rekeying(match, match.length)
                if "A: all" in str(asked.prompt()):
                    return match
    raise AssertionError("nobody has two cards in the mud of a lane")


def test_key_for_several_moves_corrects_none():
    match = answered()
    asked = Rekeying(match, match.length)
    assert asked.key("A") is None
    assert asked.why
    assert "one move" in str(asked.typed())
    assert asked.key("0") == match.moves[-1]._replace(args=(0,))

"""The engine agrees with the model after every move."""

import dataclasses
from collections import Counter
from random import Random

import pytest

from companion.core.move import TABLE
from companion.games.any import rules
from companion.games.any.box import AnyBox
from companion.games.any.game import GAME
from companion.games.any.rules import Kind, Phase
from tests.games.any.an_model import HOUSE, Model
from tests.games.any.an_table import QUIZ, some_rulings, wander

MATCHES = 10_000

SEATS_FIRST = {"early", "call", "tie", "pass", "flag", "add", "take"}
"""Verbs whose first numbers are seats."""

DOING = {
    Phase.READY: "waiting",
    Phase.OPEN: "open",
    Phase.ANSWER: "answer",
    Phase.SEALED: "numbers",
    Phase.NUMBER: "number",
    Phase.CLOCK: "running",
    Phase.LOTS: "falling",
    Phase.POINTS: "pad",
    Phase.OVER: "over",
}


def named(seat):
    return HOUSE if seat == TABLE else seat + 1


def said(move):
    if move.verb == "tie":
        return tuple(seat + 1 for seat in move.args)
    return (move.args[0] + 1, *move.args[1:]) if move.verb in SEATS_FIRST else move.args


def compare_moves(state, model, luck):
    for seat in (TABLE, *state.seats):
        mine = model.legal(named(seat))
        found = rules.legal(state, seat)
        lengths = {
            "pass": lambda allowed: allowed[1],
            "add": lambda allowed: len(allowed) * 999,
            "take": lambda allowed: len(allowed) * 999,
        }
        count = sum(lengths.get(verb, len)(allowed) for verb, allowed in mine.items())
        assert (named(seat), len(found)) == (named(seat), count)
        for _ in range(min(10, count)):
            move = found[luck.randrange(count)]
            allowed, args = mine[move.verb], said(move)
            if move.verb == "pass":
                assert args[0] == allowed[0]
                assert 0 <= args[1] < allowed[1]
            elif move.verb in {"add", "take"}:
                assert args[0] in allowed
                assert 1 <= args[1] <= 999
            else:
                assert args in allowed


def compare(state, model):
    assert DOING[state.phase] == model.doing
    assert dict(zip(model.seats, state.points, strict=True)) == model.points
    assert (state.number, [seat + 1 for seat in state.locked]) == (model.played, model.out)
    assert [seat + 1 for seat in state.tied] == model.tied
    assert (state.caller + 1 or None) == model.word
    assert dict(zip(model.seats, state.rest_ms, strict=False)) == model.clocks
    assert list(state.drawn) == model.fallen
    assert dict(zip(model.seats, state.shown, strict=False)) == model.shown
    assert [seat + 1 for seat in state.won] == model.won
    assert state.right == (rules.UNKNOWN if model.right is None else model.right)
    outcome = rules.outcome(state)
    assert (outcome and [[seat + 1 for seat in place] for place in outcome.ranking]) == model.ranking()


@pytest.mark.soak
def test_engine_agrees_with_the_model_after_every_move(soak_count):
    seen = Counter()
    for number in range(soak_count(MATCHES)):
        luck = Random(f"model {number}")
        rulings = some_rulings(luck)
        box_text = QUIZ if number % 2 else GAME.box_text
        if number % 3 == 0:
            rulings = dataclasses.replace(rulings, play=str(luck.choice([kind.value for kind in Kind])))
        seats = luck.choice(rules.SEATS)
        state = rules.setup(AnyBox.read(box_text, ""), rulings, seats)
        model = Model(box_text, dataclasses.asdict(rulings), seats)
        compare(state, model)
        for before, move, after, _ in wander(state, luck):
            if luck.random() < 0.2:
                compare_moves(before, model, luck)
            model.play(named(move.seat), move.verb, *said(move))
            compare(after, model)
            seen[move.verb] += 1
    assert set(seen) == set(rules.VERBS.names)

"""Each value of each house rule of Buntherum."""

import dataclasses

import pytest
from bh_table import Play, card, kinds

from companion.core import options
from companion.core.console import BUZZ
from companion.core.errors import OptionError
from companion.core.move import TABLE, Move
from companion.games.buntherum import console, rules
from companion.games.buntherum.rules import Phase, Rulings


def test_the_defaults_are_the_rulebook():
    assert dataclasses.asdict(Rulings()) == {
        "call_input": "buzz_then_key",
        "tie_margin_ms": 1,
        "declare_s": 3,
        "late_declare": "chip",
        "early_buzz": "ignore",
        "nobody_after_s": 0,
        "last_card": "turn_wins",
        "printed_counts": True,
    }


@pytest.mark.parametrize(
    "found",
    [
        {"call_input": "shout"},
        {"tie_margin_ms": -1},
        {"declare_s": 0},
        {"late_declare": "out"},
        {"early_buzz": "sit_out"},  # an alternative of BH-A14 that is no option
        {"nobody_after_s": -1},
        {"last_card": "plays_on"},
        {"printed_counts": "perhaps"},
        {"eliminated_cards": "under_draw"},  # nor is this one of BH-A8
    ],
)
def test_unknown_options_and_values_are_refused_by_name(found):
    (key,) = found
    with pytest.raises(OptionError, match=f"here: .*{key}"):
        options.read(Rulings, found, "here")


def test_call_input_buzz_then_key():
    play = Play(call_input="buzz_then_key")
    play.flip("sky car")
    assert console.stage(play.view).race.controls == {BUZZ}
    assert play.refused("call", 1, 4) == "BH-R8"
    play.make("call", 1)
    assert play.view.phase == Phase.LOCKED
    play.make("declare", 4, seat=1)
    assert card("sky car") in play.view.rows[3]


def test_call_input_direct():
    play = Play(call_input="direct")
    play.flip("sky car")
    assert console.stage(play.view).race.controls == set("0123456")
    assert play.refused("call", 1) == "BH-R8"
    events = play.make("call", 1, 4)
    assert kinds(events) == ["call", "declare", "right", "placed", "next"]
    assert card("sky car") in play.view.rows[3]


def test_call_input_direct_takes_impossible_and_wrong_rows_too():
    play = Play(call_input="direct")
    play.flip("pink car")
    play.make("call", 2, 0)
    assert (play.view.flipper, play.view.source) == (2, 2)
    play.flip("red flower")
    play.make("call", 0, 6)
    assert play.view.chips == (1, 0, 0)


@pytest.mark.parametrize(("option", "ms"), [(1, 1000), (3, 3000), (10, 10000)])
def test_declare_s_limits_the_declaration(option, ms):
    play = Play(declare_s=option)
    play.flip("sky car")
    assert console.stage(play.view).limit is None
    play.make("call", 1)
    limit = console.stage(play.view).limit
    assert (limit.ms, limit.move) == (ms, Move(TABLE, "late"))


def test_late_declare_chip():
    play = Play(late_declare="chip")
    play.turn()
    play.make("call", 1)
    play.make("late")
    assert play.view.chips == (0, 1, 0)


def test_late_declare_skip():
    play = Play(late_declare="skip")
    play.flip("sky car")
    play.make("call", 1)
    events = play.make("late")
    assert kinds(events) == ["late", "under", "next"]
    assert play.view.chips == (0, 0, 0)
    assert play.view.draw_pile == 25
    assert play.view.source == TABLE
    assert play.view.callers == (0, 1, 2)


def test_late_declare_skip_ends_a_tie_break():
    play = Play(4, late_declare="skip")
    play.flip("sky car")
    play.make("tie", 0, 3)
    play.turn()
    play.make("call", 3)
    play.make("late")
    assert play.view.callers == (0, 1, 2, 3)


def test_early_buzz_ignore():
    play = Play(early_buzz="ignore")
    assert console.early(play.view, 1) is None
    assert play.refused("early", 1) == "BH-A14"


def test_early_buzz_chip():
    play = Play(early_buzz="chip")
    assert console.early(play.view, 1) == Move(TABLE, "early", (1,))
    events = play.make("early", 1)
    assert kinds(events) == ["early", "chip"]
    assert play.view.chips == (0, 1, 0)
    assert play.view.phase == Phase.READY
    assert play.view.draw_pile == 25
    play.flip("sky car")
    play.make("call", 1)  # the chip is the whole penalty


def test_early_buzz_chip_also_when_the_press_is_heard_after_the_card():
    play = Play(early_buzz="chip")
    play.flip("sky car")
    play.make("early", 1)
    assert play.view.chips == (0, 1, 0)
    assert play.view.phase == Phase.OPEN
    assert play.view.card == card("sky car")


def test_early_buzz_chip_costs_one_chip_a_card():
    play = Play(early_buzz="chip")
    play.make("early", 1)
    assert console.early(play.view, 1) is None
    assert play.refused("early", 1) == "BH-A14"
    play.turn()
    assert play.refused("early", 1) == "BH-A14"
    play.make("nobody")
    play.make("early", 1)
    assert play.view.chips == (0, 2, 0)


def test_early_buzz_chip_eliminates_and_ends_a_match():
    play = Play(2, early_buzz="chip")
    for _ in range(2):
        play.make("early", 1)
        play.turn()
        play.make("nobody")
    play.make("early", 1)
    assert play.view.gone == (1,)
    assert play.view.outcome.winners == (0,)


def test_early_buzz_chip_when_the_whole_tie_is_eliminated_everybody_plays():
    play = Play(4, early_buzz="chip")
    play.wrong(0, 2)
    play.wrong(3, 2)
    play.turn()
    play.make("tie", 0, 3)
    play.make("early", 0)
    play.make("early", 3)
    assert play.view.gone == (0, 3)
    play.turn()
    assert play.view.callers == (1, 2)


def test_early_buzz_chip_tells_anew_who_turns_what_when_the_due_pile_leaves():
    play = Play(3, early_buzz="chip")
    play.wrong(1, 2)
    play.right(1)
    assert (play.view.flipper, play.view.source) == (1, 1)
    events = play.make("early", 1)
    assert play.view.source == TABLE
    assert "next" in kinds(events)


@pytest.mark.parametrize("seconds", [1, 20])
def test_nobody_after_s_skips_by_the_clock(seconds):
    play = Play(nobody_after_s=seconds)
    play.flip("sky car")
    limit = console.stage(play.view).limit
    assert (limit.ms, limit.move) == (seconds * 1000, Move(TABLE, "nobody"))


def test_nobody_after_s_0_leaves_it_to_the_house():
    play = Play(nobody_after_s=0)
    play.flip("sky car")
    assert console.stage(play.view).limit is None
    assert console.house(play.view, "skip") == Move(TABLE, "nobody")


def test_last_card_turn_wins():
    play = Play(5, last_card="turn_wins")
    play.right(2, 6)
    assert play.view.outcome.winners == (2,)


def test_last_card_must_place():
    play = Play(5, last_card="must_place")
    play.right(2, 6)
    assert play.view.outcome is None
    play.right(2)
    assert play.view.outcome.winners == (2,)


@pytest.mark.parametrize("option", [True, False])
def test_printed_counts(option):
    play = Play(printed_counts=option)
    assert rules.fits(play.state, card("green car"), 1) is not option
    play.flip("green car")
    play.say(0, 1)
    assert play.view.chips == ((1, 0, 0) if option else (0, 0, 0))


@pytest.mark.parametrize(("option", "room"), [(True, 7), (False, 8)])
def test_printed_counts_sets_how_long_a_row_can_be(option, room):
    play = Play(printed_counts=option)
    row = play.state.rows[0]
    longest = (*row, *row * (room - 1))
    for cards, answer in ((longest[:-1], None), (longest, False)):
        state = play.state._replace(rows=(cards, *play.state.rows[1:]))
        assert rules.fits(state, rules.UNKNOWN, 1) is answer

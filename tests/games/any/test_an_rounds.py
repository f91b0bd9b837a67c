"""Any other game: the list of rounds, points and the end."""

from dataclasses import replace

import pytest

from companion.core.errors import OptionError
from companion.core.move import Seat
from companion.games.any import rules
from companion.games.any.game import GAME
from companion.games.any.rules import Kind, Phase, Rulings
from companion.games.any.rules.components import CHANGES_MOST, CORRECTIONS_MOST, PASSES_MOST
from tests.games.any.an_table import BOX, Play, box_of
from tests.games.contract import find, kinds


def kinds_of(play: Play) -> list[str]:
    return [each.kind.value for each in play.state.rounds]


def test_an_r1_rounds_of_the_box_are_played_in_order():
    play = Play(5)
    assert kinds_of(play)[:5] == ["first", "sealed", "sealed", "first", "lots"]
    assert play.state.points == (0,) * 5
    usual = Play(box=GAME.read_box(GAME.box_text, "box.toml"))
    assert kinds_of(usual) == ["first"] * 10
    for seats in (1, 6):
        with pytest.raises(OptionError):
            rules.setup(BOX, Rulings(), seats)


@pytest.mark.parametrize("kind", [kind.value for kind in Kind])
def test_an_r2_other_games_repeat_one_kind(kind):
    assert kinds_of(Play(play=kind, rounds=7)) == [kind] * (1 if kind == "clock" else 7)


@pytest.mark.parametrize("kind", [kind.value for kind in Kind])
def test_an_r3_skip_ends_a_round_of_any_kind(kind):
    play = Play(play=kind, rounds=2)
    told = kinds(play.make("skip"))
    assert play.state.points == (0, 0, 0)
    assert ("nobody" in told) == (kind in {"first", "sealed", "clock"})
    if kind != "clock":
        assert find(play.told, "next_round").data.number == 2
        play.make("skip")
    assert play.state.phase == Phase.OVER


def test_an_r4_most_points_win_and_equal_points_share():
    play = Play(4, play="points", rounds=1)
    for seat, amount in ((0, 3), (1, 5), (2, 3)):
        play.make("add", seat, amount)
    over = find(play.make("skip"), "over").data
    assert (over.ranking, over.reason) == (((1,), (0, 2), (3,)), "rounds")
    assert play.refused("skip") == "AN-R4"


def test_an_r4_target_ends_the_match_in_any_round():
    play = Play(play="first", target=3, points=3)
    play.make("open")
    play.make("call", 2)
    assert find(play.make("right"), "over").data.reason == "target"
    assert rules.outcome(play.state).winners == (2,)
    pad = Play(play="points", target=50)
    pad.make("add", 1, 49)
    assert pad.state.phase == Phase.POINTS
    pad.make("add", 1, 1)
    assert pad.state.phase == Phase.OVER


def test_an_r5_house_changes_points_outside_races_and_secrets():
    play = Play(play="first", asks="nobody", rounds=2)
    play.make("add", 1, 10)
    play.make("take", 1, 3)
    assert play.state.points == (0, 7, 0)
    play.make("open")
    assert play.refused("add", 1, 10) == "AN-R5"
    play.make("call", 0)
    assert play.refused("add", 1, 1000) == play.refused("take", 3, 1) == "AN-R5"
    assert Play(play="sealed").refused("add", 1, 1) == "AN-R5"


def test_an_a1_round_may_differ_from_every_house_rule():
    box = box_of('kind = "first"', 'kind = "first"\npoints = 5\nwrong = 2\nopens = "secret"\nasks = "turns"')
    usual, other = Play(box=box, points=3, answer_s=9).state.rounds
    assert (usual.points, usual.wrong, usual.opens, usual.answer_s) == (3, 0, "ok", 9)
    assert (other.points, other.wrong, other.opens, other.answer_s) == (5, 2, "secret", 9)


@pytest.mark.parametrize(("kind", "most"), [("points", CHANGES_MOST), ("first", CORRECTIONS_MOST)])
def test_an_a6_points_change_a_limited_number_of_times(kind, most):
    play = Play(play=kind)
    for _ in range(most):
        play.make("add", 0, 1)
    assert play.refused("add", 0, 1) == play.refused("take", 0, 1) == "AN-A6"
    play.make("skip")
    play.make("add", 0, 1)
    assert play.state.points[0] == most + 1


def test_an_a6_nobody_has_or_owes_more_than_9999():
    play = Play(play="points")
    for _ in range(11):
        play.make("add", 0, 999)
        play.make("take", 1, 999)
    assert play.state.points == (9999, -9999, 0)


@pytest.mark.parametrize("play", ["clock", "lots"])
def test_an_a6_round_ends_after_999_turns_or_throws(play):
    game = Play(2, play=play, rounds=2, lots="begins")
    game.make("open")
    game.state = replace_passes(game.state, PASSES_MOST - 1)
    game.make("pass", game.state.caller, 1) if play == "clock" else game.make("draw", 1)
    assert (game.state.phase == Phase.OVER) == (play == "clock")
    assert game.state.number == 1


def replace_passes(state, passes):
    return state._replace(passes=passes)


def test_an_e1_quiz_question_with_false_start_and_wrong_answer():
    play = Play(3, play="first", points=2, wrong=1)
    play.make("early", 1)
    play.make("open")
    play.make("call", 0)
    play.make("wrong")
    assert play.state.points == (-1, 0, 0)
    assert rules.view(play.state, None).callers == (Seat(2),)
    play.make("call", 2)
    play.make("right")
    assert play.state.points == (-1, 0, 2)
    assert rules.view(play.state, None).callers == (0, 1, 2)


def test_rulings_of_every_round_come_from_declarations():
    given = replace(Rulings(), play="sealed", largest=9, wins="lowest")
    first = rules.setup(BOX, given, 2).rounds[0]
    assert (first.largest, first.wins, first.tokens) == (9, "lowest", False)

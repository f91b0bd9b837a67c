"""Any other game: First!"""

import pytest

from companion.core.console import Call
from companion.core.move import TABLE, Move, Seat
from companion.games.any import console, rules
from companion.games.any.rules import NOBODY, Phase
from companion.games.any.rules.components import TICKS_MOST
from tests.games.any.an_table import Play
from tests.games.contract import find, kinds


def callers(play: Play) -> tuple[Seat, ...]:
    race = console.stage(play.view).race
    return race.callers if race else ()


def answer(play: Play, seat: Seat, verdict: str) -> None:
    play.make("call", seat)
    play.make(verdict)


def test_an_r6_ok_opens_and_so_does_the_asking_seat():
    play = Play(play="first", asks="turns")
    assert console.stage(play.view).deal.pause_ms is None
    assert console.house(play.view, "ok") == Move(TABLE, "open")
    assert console.key(play.own(0), Seat(0), "#", {}).move == Move(TABLE, "open")
    assert not console.key(play.own(1), Seat(1), "#", {}).accepted
    assert find(play.make("open"), "open").data.seats == (1, 2)


def test_an_r7_at_once_opens_by_the_only_draw():
    play = Play(play="first", opens="at_once")
    assert rules.draws(play.state) == [Move(TABLE, "tick", (0,))]
    assert console.stage(play.view).deal.by_itself.move == Move(TABLE, "open")
    play.make("tick", 0)
    assert play.state.phase == Phase.OPEN


def test_an_r7_secret_delay_opens_by_one_of_four_draws():
    play = Play(play="first", opens="secret")
    pauses = set()
    for step in range(TICKS_MOST):
        assert [move.args[0] for move in rules.draws(play.state)] == [0, 1, 2, 3]
        assert kinds(play.make("tick", step % 3 + 1)) == []
        pauses.add(console.stage(play.view).deal.pause_ms)
    assert len(pauses) == 3  # no rhythm to count along
    assert rules.draws(play.state) == [Move(TABLE, "tick", (0,))]
    assert play.refused("tick", 1) == "AN-R7"
    assert kinds(play.make("tick", 0)) == ["open"]
    assert Play(play="first").refused("tick", 0) == "AN-R7"


def test_an_r8_first_call_has_the_word():
    play = Play(play="first")
    play.make("open")
    assert callers(play) == (0, 1, 2)
    assert console.called(play.view, (Call(Seat(1), 5),)) == Move(TABLE, "call", (1,))
    play.make("call", 1)
    assert (play.state.phase, play.state.caller) == (Phase.ANSWER, 1)
    assert play.refused("call", 2) == "AN-R8"


def test_an_r8_players_ask_in_turn_and_do_not_call():
    play = Play(play="first", asks="turns")
    for asker in (0, 1, 2, 0):
        assert play.view.asker == asker
        play.make("open")
        assert asker not in callers(play)
        assert play.refused("call", asker) == "AN-R8"
        answer(play, callers(play)[0], "right")


def test_an_r8_nobody_asks_and_first_call_wins():
    play = Play(play="first", asks="nobody")
    play.make("open")
    assert kinds(play.make("call", 2))[:1] == ["won"]
    assert play.state.points == (0, 0, 1)
    assert play.view.asker == NOBODY


def test_an_r9_false_start_costs_the_round():
    play = Play(play="first")
    assert console.early(play.view, Seat(1)) == Move(TABLE, "early", (1,))
    play.make("early", 1)
    assert console.early(play.view, Seat(1)) is None
    assert play.refused("early", 1) == "AN-R9"
    play.make("open")
    assert callers(play) == (0, 2)
    play.make("early", 0)  # reported late
    assert kinds(play.make("early", 2))[:2] == ["early", "nobody"]
    assert (play.state.number, play.state.locked) == (1, ())


@pytest.mark.parametrize(("opens", "phase"), [("ok", Phase.OPEN), ("secret", Phase.READY)])
def test_an_r10_tied_seats_alone_call_once_more(opens, phase):
    play = Play(4, play="first", opens=opens)
    play.make("open")
    turn = play.state.turn
    tied = (Call(Seat(3), 5), Call(Seat(0), 5))
    assert console.called(play.view, tied) == Move(TABLE, "tie", (0, 3))
    play.make("tie", 0, 3)
    assert (play.state.phase, play.view.callers) == (phase, (0, 3))
    assert play.state.turn > turn  # a new race
    if opens == "secret":
        play.make("tick", 0)
    assert play.refused("call", 1) == "AN-R8"
    answer(play, Seat(3), "wrong")
    assert callers(play) == (0, 1, 2)


def test_an_r11_right_scores_and_wrong_locks_out():
    play = Play(play="first", points=3, wrong=2)
    play.make("open")
    answer(play, Seat(0), "wrong")
    assert (play.state.points, callers(play)) == ((-2, 0, 0), (1, 2))
    answer(play, Seat(1), "wrong")
    answer(play, Seat(2), "wrong")
    assert (play.state.points, play.state.number) == ((-2, -2, -2), 1)
    play.make("open")
    answer(play, Seat(0), "right")
    assert play.state.points == (1, -2, -2)


def test_an_r11_without_go_on_a_wrong_answer_ends_the_round():
    play = Play(play="first", go_on=False)
    play.make("open")
    answer(play, Seat(0), "wrong")
    assert play.state.number == 1


def test_an_r11_house_or_asking_seat_judges():
    play = Play(play="first", asks="turns")
    play.make("open")
    play.make("call", 1)
    assert console.house(play.view, "right") == Move(TABLE, "right")
    assert console.house(play.view, "wrong") == Move(TABLE, "wrong")
    for key, verdict in (("1", "right"), ("0", "wrong")):
        assert console.key(play.own(0), Seat(0), key, {}).entry == key
        assert console.key(play.own(0), Seat(0), "#", {0: key}).move == Move(TABLE, verdict)
    for seat in (1, 2):
        assert not console.key(play.own(seat), Seat(seat), "1", {}).accepted


def test_an_r12_answer_in_time_or_it_is_wrong():
    play = Play(play="first", answer_s=10, wrong=1)
    play.make("open")
    play.make("call", 1)
    limit = console.stage(play.view).limit
    assert (limit.ms, limit.move) == (10_000, Move(TABLE, "late"))
    assert kinds(play.make("late")) == ["late", "open"]
    assert (play.state.points, callers(play)) == ((0, -1, 0), (0, 2))
    untimed = Play(play="first")
    untimed.make("open")
    untimed.make("call", 1)
    assert console.stage(untimed.view).limit is None


def test_an_a7_seat_outside_the_tie_presses_in_vain():
    play = Play(3, play="first")
    play.make("open")
    play.make("tie", 0, 1)
    assert console.early(play.view, Seat(2)) is None
    assert str(console.prompt(play.own(2))) == "Wait: a tie is played off"

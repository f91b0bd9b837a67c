"""Any other game: secret numbers."""

import pytest

from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.games.any import console, rules
from companion.games.any.rules import Phase
from tests.games.any.an_table import Play, box_of
from tests.games.contract import find, kinds


def test_an_r13_each_locks_a_number_up_to_the_largest():
    play = Play(play="sealed", largest=20)
    assert rules.to_act(play.state) == (-1, 0, 1, 2)
    assert play.refused("lock", 21, seat=Seat(0)) == "AN-R13"
    play.make("lock", 20, seat=Seat(0))
    assert play.refused("lock", 3, seat=Seat(0)) == "AN-R13"
    words = Play(box=box_of('kind = "sealed"\nwords = ["red", "green"]'))
    assert [move.args[0] for move in rules.legal(words.state, Seat(0))] == [1, 2]


def test_an_r14_number_is_taken_back_until_the_last_lock():
    play = Play(2, play="sealed")
    assert play.refused("retract", seat=Seat(0)) == "AN-R14"
    play.make("lock", 4, seat=Seat(0))
    play.make("retract", seat=Seat(0))
    play.make("lock", 5, seat=Seat(0))
    play.make("lock", 5, seat=Seat(1))
    assert play.refused("retract", seat=Seat(0)) == "AN-R14"


@pytest.mark.parametrize(
    ("wins", "order", "won"),
    [
        ("highest", ((1, 3, 2, 0), (9, 9, 5, 2)), {1, 3}),
        ("lowest", ((0, 2, 1, 3), (2, 5, 9, 9)), {0}),
        ("shown", ((1, 3, 2, 0), (9, 9, 5, 2)), set()),
    ],
)
def test_an_r15_all_are_shown_in_order_and_ties_share(wins, order, won):
    play = Play(4, play="sealed", wins=wins)
    play.lock(2, 9, 5)
    assert "reveal" not in kinds(play.told)
    play.make("lock", 9, seat=Seat(3))
    shown = find(play.told, "reveal").data
    assert (shown.seats, shown.numbers) == order
    assert {seat for seat, points in enumerate(play.state.points) if points} == won
    assert (play.state.shown, set(play.state.won)) == ((2, 9, 5, 9), won)
    play.make("skip")
    assert play.state.shown == ()


@pytest.mark.parametrize(("wins", "won"), [("closest", {0, 2}), ("exact", set())])
def test_an_r15_right_number_of_the_box_decides(wins, won):
    play = Play(3, box=box_of(f'kind = "sealed"\nnumber = 27\nwins = "{wins}"'))
    play.lock(25, 40, 29)
    assert find(play.told, "number").data.number == 27
    assert set(play.state.won) == won


def test_an_r16_house_keys_a_missing_right_number():
    play = Play(3, play="sealed", wins="closest")
    play.lock(1900, 34, 1881)
    assert (play.state.phase, play.state.shown) == (Phase.NUMBER, (1900, 34, 1881))
    assert play.refused("number", 10_000) == "AN-R16"
    typed = ""
    for key in "1889":
        typed = console.key(play.view, TABLE, key, {TABLE: typed}).entry
    play.push(console.key(play.view, TABLE, "#", {TABLE: typed}).move)
    assert play.state.won == (2,)


def test_an_e2_closest_to_27_wins():
    play = Play(3, box=box_of('kind = "sealed"\nnumber = 27'))
    play.lock(20, 34, 30)
    assert find(play.told, "reveal").data.numbers == (34, 30, 20)
    assert play.state.points == (0, 0, 1)


def bidding(*points: int) -> Play:
    play = Play(len(points), box=box_of('kind = "points"', 'kind = "sealed"\ntokens = true\nlargest = 9'))
    for seat, amount in enumerate(points):
        play.make("add" if amount > 0 else "take", seat, abs(amount))
    play.make("skip")
    return play


def test_an_r17_bids_are_limited_by_own_points():
    play = bidding(5, 12, -3)
    most = [max(move.args[0] for move in rules.legal(play.state, seat)) for seat in play.state.seats]
    assert most == [5, 9, 0]
    assert play.refused("lock", 6, seat=Seat(0)) == "AN-R13"


def test_an_r17_tied_highest_bids_pay_and_win_nothing():
    play = bidding(5, 5, 2)
    play.lock(4, 4, 2)
    assert play.state.points == (5, 5, 2)
    assert "nobody" in kinds(play.told)


def test_an_e3_highest_bid_pays_and_wins_a_point():
    play = bidding(5, 5, 2)
    play.lock(4, 3, 2)
    assert find(play.told, "paid").data.paid == 4
    assert play.state.points == (2, 5, 2)


def test_an_a9_words_are_a_vote_or_have_a_right_one():
    vote, quiz = (
        Play(2, box=box_of(f'kind = "sealed"\nwords = ["red", "green"]{right}')) for right in ("", "\nnumber = 2")
    )
    assert (vote.state.round.wins, quiz.state.round.wins) == ("shown", "exact")
    quiz.lock(1, 2)
    assert quiz.state.points == (0, 1)


@pytest.mark.parametrize(
    ("typed", "key", "entry", "move"),
    [
        ("", "4", "4", None),
        ("4", "2", "42", None),
        ("42", "*", "4", None),
        ("188", "9", "1889", None),
        ("1889", "#", "", SecretMove(Seat(0), "lock", (1889,))),
        ("42", "buzz", "", SecretMove(Seat(0), "lock", (42,))),
    ],
)
def test_digits_then_hash_lock_a_number(typed, key, entry, move):
    keyed = console.key(Play(play="sealed").own(0), Seat(0), key, {0: typed})
    assert (keyed.entry, keyed.move, type(keyed.move)) == (entry, move, type(move))
    assert keyed.accepted


@pytest.mark.parametrize(
    ("typed", "key"), [("", "#"), ("10", "1"), ("0", "5"), ("100", "0"), ("", "*"), ("4", "A")]
)
def test_other_keys_say_what_is_allowed(typed, key):
    keyed = console.key(Play(play="sealed", largest=100).own(0), Seat(0), key, {0: typed})
    assert keyed.why
    assert keyed.move is None


def test_star_takes_a_locked_number_back():
    play = Play(play="sealed")
    play.make("lock", 4, seat=Seat(0))
    assert console.key(play.own(0), Seat(0), "*", {}).move == Move(Seat(0), "retract")
    assert not console.key(play.own(0), Seat(0), "5", {}).accepted
    assert str(console.private(play.own(0), "")) == "Your number: 4"
    assert console.private(play.view, "") is None

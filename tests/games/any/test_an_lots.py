"""Any other game: dice and lots."""

from collections import Counter

import pytest

from companion.core.dealer import Dealer
from companion.core.move import TABLE, Move, Seat
from companion.games.any import console, rules
from companion.games.any.rules import Phase
from tests.games.any.an_table import Play, box_of
from tests.games.contract import find, kinds


def thrown(play: Play, seed: str = "lots") -> list[int]:
    dealer, number = Dealer(seed), 0
    play.make("open")
    while draws := rules.draws(play.state):
        play.push(dealer.choose(number, draws))
        number += 1
    return list(play.state.drawn)


def test_an_r21_dice_fall_one_after_the_other():
    play = Play(play="lots", dice=3, sides=20)
    assert rules.draws(play.state) == []
    assert len(thrown(play)) == 3
    play.make("open")
    assert [move.args[0] for move in rules.draws(play.state)] == list(range(1, 21))
    assert not console.stage(play.view).deal.together
    play.make("draw", 20)
    assert console.stage(play.view).deal.together  # the others follow at once
    assert len(rules.draws(play.state)) == 20


def test_an_r21_every_side_is_equally_likely():
    seen = Counter(side for seed in range(300) for side in thrown(Play(play="lots", dice=9), str(seed)))
    assert set(seen) == set(range(1, 7))
    assert all(380 < count < 520 for count in seen.values())


def test_an_r21_no_name_is_drawn_twice():
    play = Play(box=box_of('kind = "lots"\nnames = ["Ann", "Ben", "Cid"]\ndice = 9'))
    assert sorted(thrown(play)) == [1, 2, 3]
    assert find(play.told, "drawn").data.name in {"Ann", "Ben", "Cid"}
    play.make("open")
    play.make("draw", 2)
    assert play.refused("draw", 2) == "AN-R21"


@pytest.mark.parametrize("seats", rules.SEATS)
def test_an_r21_one_seat_begins_and_teams_are_even(seats):
    assert len(thrown(Play(seats, play="lots", lots="begins"))) == 1
    play = Play(seats, play="lots", lots="teams")
    play.make("open")
    teams = [find(play.make("draw", seat), "team").data.team for seat in range(seats, 0, -1)]
    assert teams == [1, 2, 1, 2, 1][:seats]


def test_an_r22_hash_throws_again_and_ok_goes_on():
    play = Play(play="lots", dice=1)
    assert console.house(play.view, "ok") == Move(TABLE, "open")
    thrown(play)
    for control in ("#", "buzz"):
        assert console.key(play.own(2), Seat(2), control, {}).move == Move(TABLE, "open")
    assert console.house(play.view, "ok") == Move(TABLE, "skip")
    play.make("open")
    assert play.state.drawn == ()
    play.make("draw", 6)
    assert kinds(play.make("skip")) == ["next_round"]
    assert play.state.phase == Phase.READY


def test_an_a5_house_keys_real_dice():
    play = Play(play="lots", dice=2, sides=20)
    play.make("open")
    assert console.key(play.view, TABLE, "1", {}).entry == "1"
    assert console.key(play.view, TABLE, "2", {TABLE: "1"}).entry == "12"
    assert console.key(play.view, TABLE, "#", {TABLE: "12"}).move == Move(TABLE, "draw", (12,))
    assert play.refused("draw", 21) == "AN-R21"

"""Büro Crazy's sentences for events, and its text picture."""

from random import Random

import pytest

from companion.core.event import Event
from companion.games.buro_crazy import rules, text
from companion.games.buro_crazy.rules import Rulings
from tests.games.buro_crazy.bc_table import BOX, Play, at_the_roof, own_in_g4, wander

NAMES = ("Ada", "Bo", "Cy", "Di", "Eve")


def told(event: Event, seats: int = 4) -> str:
    return str(event.sentence(NAMES[:seats]))


def all_told(events: tuple[Event, ...], seats: int = 4) -> list[str]:
    return [told(event, seats) for event in events]


def picture(play: Play, seat: int | None = None) -> str:
    return text.picture(rules.view(play.state, seat), NAMES[: play.state.terms.seats], str)


def test_event_of_another_game_has_no_sentence():
    assert Event("flip", 0).sentence(NAMES) is None


def test_duel_is_narrated_step_by_step():
    assert all_told(Play(4).fight([20, 2, 1], [2, 2])) == [
        "Ada bids 23 = 20+2+1, Bo bids 4 = 2+2",
        "Ada moves up from P1 to G1",
        "Ada lays 23 = 20+2+1 on the roof",
        "The kitchen gives Bo 19 = 10+5+2+2",
        "P2: Cy and Di bid in secret",
    ]


def test_tie_is_narrated_step_by_step():
    play = Play(4)
    play.put({0: [20, 2, 1], 1: [20, 2, 1]})
    assert all_told(play.fight([20, 2, 1], [20, 2, 1])) == [
        "Ada bids 23 = 20+2+1, Bo bids 23 = 20+2+1",
        "A tie at 23: each loses 12",
        "Ada changes 20 for 10+10 with the stock",
        "Ada lays 12 on the roof: 2 cards",
        "Ada lays these on the roof: 10+2",
        "Bo changes 20 for 10+10 with the stock",
        "Bo lays 12 on the roof: 2 cards",
        "Bo lays these on the roof: 10+2",
        "P1 again: Ada and Bo bid in secret",
    ]
    assert all_told(play.fight([], []))[1] == "A tie at 0"


def test_loss_rounded_down_is_narrated():
    play = Play(4, change="none", tie_rounding="down")
    play.put({0: [5], 1: [5]})
    assert all_told(play.fight([5], [5]))[1:4] == [
        "A tie at 5: each loses 2",
        "Ada lays 0 on the roof, not 2: no change",
        "Bo lays 0 on the roof, not 2: no change",
    ]
    play.put({0: [20, 2], 1: [20, 2]})
    assert "Ada lays 2 on the roof, not 11: no change" in all_told(play.fight([20, 2], [20, 2]))


def test_one_card_on_the_roof_is_singular():
    assert all_told(Play(4, tracking="points").make("counted", 1)) == ["1 card is on the roof"]


@pytest.mark.parametrize(
    ("kitchen", "sentence"),
    [
        ([], "The kitchen has nothing for Bo"),
        ([5, 2], "The kitchen gives Bo only 7 = 5+2, not 10"),
        ([10, 5], "The kitchen gives Bo 10"),
    ],
)
def test_kitchens_payment_is_narrated(kitchen, sentence):
    play = Play(4)
    play.put(kitchen=kitchen)
    assert sentence in all_told(play.fight([10], []))


def test_kitchen_without_fitting_cards_has_nothing_for_loser():
    play = Play(4, change="none")
    play.put(kitchen=[20, 20])
    assert "The kitchen has nothing for Bo" in all_told(play.fight([10], []))
    assert play.kitchen == 40


def test_free_forfeit_says_that_nothing_is_paid():
    play = Play(5, box=BOX._replace(forfeit=0)).to("P7")
    single = NAMES[play.at("P8")[0]]
    play.decide()
    assert f"P8: {single} is unopposed and pays nothing" in all_told(play.told, 5)


def test_change_is_narrated():
    play = Play(4)
    play.put(kitchen=[20], stock=[10, 10])
    assert "With the stock: the kitchen changes 20 for 10+10" in all_told(play.fight([10], []))


@pytest.mark.parametrize(
    ("kitchen", "stock", "roof", "sentence"),
    [
        ([20] * 3 + [1], [], [], "The kitchen gives 1 to the stock, now 60"),
        ([20, 20], [20], [], "The kitchen gets 20 from the stock, now 60"),
        ([20, 20], [10], [10], "The kitchen gets 10 (stock), 10 (roof), now 60"),
        ([20, 20, 20], [10], [10], "The kitchen has 60"),
    ],
)
def test_kitchens_new_target_is_narrated(kitchen, stock, roof, sentence):
    play = Play(4).to("P8")
    play.put({seat: [] for seat in play.duel}, kitchen=kitchen, stock=stock, roof=roof)
    play.decide()
    assert sentence in all_told(play.told)


def test_automatic_moves_are_narrated():
    play = own_in_g4()
    play.decide()
    assert "G4: both figures are Ada's, one moves up" in all_told(play.told)
    play = Play(3).to("P7")
    play.decide()
    assert "P8: Cy is unopposed and pays 10" in all_told(play.told)


def test_coin_is_narrated():
    play = Play(4, zero_tie_limit=1)
    assert "A coin decides between Ada, Bo" in all_told(play.fight([], []))
    assert all_told(play.make("coin", 1))[:2] == ["Bo wins the toss", "Bo moves up from P1 to G1"]


def test_end_is_narrated_with_points():
    play = at_the_roof([1] * 20)
    play.hold(dict(enumerate((10, 40, 30, 40))))
    assert "The roof has 20 cards, 2 per pile. Ada 3, Cy 2, Bo 1, Ada 1" in all_told(play.told)
    for seat, points in enumerate((10, 40, 30, 40)):
        play.make("report", points, seat=seat)
    assert all_told(play.told) == [
        "Di has entered all points",
        "Bo wins. Points: Ada 10, Bo 40, Cy 30, Di 40",
    ]


def test_picture_shows_the_building():
    play = Play(4)
    play.fight([20, 2, 1], [2, 2])
    shown = picture(play)
    lines = shown.splitlines()
    assert any("roof" in line and "3 cards" in line for line in lines)
    assert any("kitchen" in line and "61" in line for line in lines)
    assert any("stock" in line and "452" in line for line in lines)
    assert "G1[Ada]" in shown
    assert "P1[Bo]" in shown
    assert ">P2[Cy Di]" in shown
    assert shown.count(">") == 1


def test_picture_says_if_the_roof_is_counted():
    play = Play(4, tracking="points")
    assert "roof: 0 cards" in picture(play)
    play.fight([23], [4])
    assert "roof: not counted" in picture(play)
    play.make("counted", 3)
    assert "roof: 3 cards" in picture(play)


def test_picture_shows_locks_and_final_points_not_hands():
    play = Play(4)
    assert "locked" not in picture(play)
    play.bid(1, [20])
    (line,) = [line for line in picture(play).splitlines() if "locked" in line]
    assert "Bo" in line
    assert "152" not in picture(play)
    assert picture(play) == picture(play, 3)
    over = at_the_roof([1])
    for seat, points in enumerate(over.view.points):
        assert any(NAMES[seat] in line and f"{points} point" in line for line in picture(over).splitlines())


@pytest.mark.parametrize("seats", rules.SEATS)
def test_every_position_has_a_picture(seats):
    luck = Random(seats)
    for rulings in (Rulings(), Rulings(tracking="points")):
        for state, *_ in wander(rules.setup(BOX, rulings, seats), luck):
            assert "{" not in text.picture(rules.view(state, None), NAMES[:seats], str)

"""Tests of each house rule of Böse Buben."""

import pytest

from companion.core.console import BUZZ
from companion.core.errors import OptionError
from companion.core.handicaps import badge_of
from companion.core.move import SecretMove
from companion.games.boese_buben import console, guide, rules
from companion.games.boese_buben.rules import Phase, Rulings
from tests.games.boese_buben.bb_table import BOX, Play, ender, rearranged
from tests.games.contract import find


@pytest.mark.parametrize(("variant", "phase"), [("basic", Phase.TURN), ("action", Phase.ACTION)])
@pytest.mark.parametrize("card", ["3a", "4a", "5a"])
def test_variant_decides_whether_actions_count(variant, phase, card):
    play = Play(2, variant=variant).put(["R5 B2", "B5 R2", ""], hands=[f"{card} 1", "1"])
    play.lay(f"R{card}", 3)
    assert play.phase == phase


@pytest.mark.parametrize(
    ("value", "starters"), [("after_last_play", {0: 1, 1: 2, 2: 0}), ("after_starter", {0: 2, 1: 2, 2: 2})]
)
def test_bb_r24_next_start_decides_who_begins(value, starters):
    for seat, starter in starters.items():
        play = ender(3, seat=seat, hands=["6", "6", "6"], race=2, next_start=value)
        play.put_books(starter=1)
        play.end()
        play.leave_all()
        assert (play.race, play.turn, play.starter) == (3, starter, starter)


def test_after_starter_counts_a_starter_who_skipped():
    play = Play(3, next_start="after_starter").put(
        ["R5", "R5a", "", ""], zones=["R1", "", "", ""], hands=["0", "6", "6"], race=1
    )
    play.lay("R0", 1)
    play.lay("B6", 3)
    play.lay("G6", 4)
    assert play.phase == Phase.BRIBERY
    play.answer("buy")
    assert (play.race, play.starter, play.turn) == (2, 1, 0)  # blue starts, but only red has a card
    play.lay("R1", 3)
    assert play.phase == Phase.OVER


def test_bb_a25_kostenlos_all_yes_means_free():
    play = ender(2, closing="1a", variant="action", kostenlos="all", purses=(0, 6))
    play.end()
    for key, free in (("0", False), ("1", True), ("2", True), (BUZZ, True)):
        assert play.answers() == {"leave", "free"}
        assert play.price == 0
        made = console.key(rules.view(play.state, 0), 0, key, {}).move
        assert made == SecretMove(0, "answer", (2 if free else 0,))
        play.answer("free" if free else "leave")
    assert play.hand(0) == {"R4a", "R5a", "R2"}
    assert play.purses == (0, 6)


@pytest.mark.parametrize("kostenlos", ["one", "all"])
@pytest.mark.parametrize("key", ["1", "2", BUZZ])
def test_bb_a25_kostenlos_is_never_spent_on_a_zero(kostenlos, key):
    """The right remains for the 3 that follows."""
    play = Play(2, variant="action", kostenlos=kostenlos).put(
        ["R2 R3 R5", "", ""], zones=["R0 R3a B4", "", ""], hands=["1a", ""], purses=(0, 6)
    )
    play.lay("R1a", 1)
    assert (play.asked, play.answers()) == ("R0", {"buy", "leave"})
    play.make("answer", *console.key(rules.view(play.state, 0), 0, key, {}).move.args, seat=0)
    assert play.hand(0) == {"R0"}
    assert play.view.free == 0
    assert (play.asked, "free" in play.answers()) == ("R3a", True)
    play.answer("free")
    assert play.hand(0) == {"R0", "R3a"}
    assert play.purses[0] == 0


def test_kostenlos_all_covers_only_own_cards():
    play = ender(2, closing="1a", variant="action", kostenlos="all", zones=["B4"])
    play.end()
    assert play.asked == "B4"
    assert play.answers() == {"buy", "leave"}


def test_bb_a19_rauswurf_must_cannot_be_declined():
    for value in ("may", "must"):
        play = Play(2, variant="action", rauswurf=value).put(["R5 B2", "B6", ""], hands=["4a 1", "1"])
        play.lay("R4a", 3)
        targets = {("eject", (1, 1)), ("eject", (2, 1))}
        assert play.actions() == targets | ({("decline", ())} if value == "may" else set())
    assert play.refused("decline", seat=0) == "BB-A19"
    play.make("eject", 1, 1, seat=0)
    assert (play.zones[0], play.purses[0], play.turn) == ("R5", 7, 1)


def test_bb_a19_rauswurf_must_needs_a_five_or_six():
    play = Play(2, variant="action", rauswurf="must").put(["R1 B2", "", ""], hands=["4a 2", "6"])
    play.lay("R4a", 3)
    assert (play.phase, play.turn) == (Phase.TURN, 1)


@pytest.mark.parametrize(("card", "target"), [("3a", "exchange"), ("5a", "reorder")])
def test_bb_a19_other_actions_may_still_be_declined(card, target):
    play = Play(2, variant="action", rauswurf="must").put(["R1 B2", "R2", ""], hands=[f"{card} 6", "6"])
    play.lay(f"R{card}", 3)
    assert {verb for verb, _ in play.actions()} == {target, "decline"}


@pytest.mark.parametrize(("value", "lanes"), [(False, {1, 3}), (True, {3})])
def test_bb_a2_mud_counts_blocks_numbers_from_its_lane(value, lanes):
    """R2 fell in lane 1, and a 2 is on the track of lane 2."""
    play = Play(2, mud_counts=value).put(["B5 R3 R6", "R2a", ""], zones=["R2", "", ""], hands=["0", "2 6"], turn=1)
    assert {lane for card, lane in play.can(1) if card == "B2"} == lanes
    if value:
        assert play.cannot("B2", 1) == "BB-A2"
        assert play.cannot("B2", 2) == "BB-R6"
    else:
        play.lay("B2", 1)
        assert play.tracks[0] == "R3 R6 B2"


def test_bb_a2_mud_counts_until_the_mud_is_cleared():
    play = Play(2, mud_counts=True).put(
        ["R5 B1", "R5a B6", "R6 B3"], zones=["B4", "R4 B0", "B4a"], hands=["4a", "5"], race=1
    )
    assert play.can(0) == set()
    play.state = rearranged(play.state, mover=1)
    assert play.can(1) == {("B5", 3)}
    play.lay("B5", 3)
    assert play.phase == Phase.BRIBERY  # a 4 is in the mud of each lane
    assert play.mc == (0, 0)
    play.leave_all()
    assert play.race == 2
    assert play.can(0) == {("R4a", 1), ("R4a", 2), ("R4a", 3)}


def test_bb_a23_austausch_mud_swaps_with_the_mud():
    for value in (False, True):
        play = Play(2, variant="action", austausch_mud=value).put(
            ["R4 B2", "B1", ""], zones=["", "B4 R2", "R5"], hands=["3a 6", "6"]
        )
        play.lay("R3a", 3)
        assert (play.phase == Phase.ACTION) == value
    assert play.actions() == {
        ("exchange", (1, 1, 2, -1)),
        ("exchange", (1, 2, 2, -2)),
        ("decline", ()),
    }
    events = play.make("exchange", 1, 1, 2, -1, seat=0)
    assert play.tracks == ["B4 B2", "B1", "R3a"]
    assert play.zones == ["", "R4 R2", "R5"]
    assert find(events, "exchanged").facts == {
        "cards": ("4", "4"),
        "seats": (0, 1),
        "lanes": (1, 2),
        "mud": (False, True),
    }


def test_bb_a23_austausch_mud_swaps_inside_lane_and_mud():
    play = Play(2, variant="action", austausch_mud=True).put(
        ["R4", "", ""], zones=["B4", "B1 R1a", ""], hands=["3a 6", "6"]
    )
    play.lay("R3a", 3)
    assert play.actions() == {("exchange", (1, -1, 1, 1)), ("exchange", (2, -2, 2, -1)), ("decline", ())}
    play.make("exchange", 2, -2, 2, -1, seat=0)
    assert play.zones == ["B4", "R1a B1", ""]


def test_bb_a23_mud_is_not_swapped_by_default():
    play = Play(2, variant="action").put(["R4", "B4", ""], zones=["B4a", "", ""], hands=["3a 6", "6"])
    play.lay("R3a", 3)
    assert play.actions() == {("exchange", (1, 1, 2, 1)), ("decline", ())}
    assert play.refused("exchange", 1, -1, 1, 1, seat=0) == "BB-A23"


@pytest.mark.parametrize(
    ("purses", "mc", "by_debt", "all_last"),
    [
        ((0, 0, 9), (1, 2, 0), ((2,), (0,), (1,)), ((2,), (0, 1))),
        ((2, 9, 0), (2, 0, 1), ((1,), (0, 2)), ((1,), (0, 2))),
        ((0, 2, 0), (1, 3, 2), ((0,), (1, 2)), ((0, 1, 2),)),
    ],
)
def test_bb_a31_cannot_pay_decides_the_ranking(purses, mc, by_debt, all_last):
    for value, ranking in (("by_debt", by_debt), ("all_last", all_last)):
        play = ender(3, race=4, purses=purses, mc=(mc[0] - 1, *mc[1:]), cannot_pay=value)
        events = play.end()
        assert play.ranking == ranking
        over = find(events, "over")
        assert over.facts["ranking"] == ranking
        if len(ranking) == 1:
            assert over.facts["reason"] == "all_last"
            assert "share" in str(rules.outcome(play.state).reason)


def test_bb_a29_cards_left_breaks_ties():
    """Red has 5 points in hand; blue 2, and 15 on a track."""
    ends = {"hand": (((0,), (1,)), "cards"), "hand_and_track": (((1,), (0,)), "cards_and_tracks")}
    for value, (ranking, reason) in ends.items():
        play = ender(2, race=4, purses=(7, 6), hands=["4 1", "2"], lanes=["B6 B5 B4a"], cards_left=value)
        events = play.end()
        assert play.purses == (6, 6)
        assert play.ranking == ranking
        assert find(events, "over").facts["reason"] == reason


def test_bb_a29_only_own_track_cards_count():
    """Tied in hand; red has 8 points on a track, blue 5."""
    play = ender(2, race=4, purses=(7, 6), hands=["1", "1"], lanes=["B0 B2 B3"], cards_left="hand_and_track")
    play.end()
    points = [sum(int(card[1]) for track in play.tracks for card in track.split() if card[0] == c) for c in "RB"]
    assert points[0] > points[1]
    assert play.ranking == ((0,), (1,))


@pytest.mark.parametrize(
    ("kostenlos", "sentence"),
    [("one", "never used on a 0, which is always free"), ("all", "yes takes the card")],
)
def test_bb_a25_guide_explains_kostenlos(kostenlos, sentence):
    pages = guide.pages(Rulings(variant="action", kostenlos=kostenlos), BOX)
    assert sum(sentence in str(row.text) for page in pages for row in page.rows) == 1


def test_bb_a37_handicap_ducats_come_from_the_bank():
    plain = rules.setup(BOX, Rulings(), 3)
    state = rules.setup(BOX, Rulings(handicap_2=4, handicap_4=9), 3)  # nobody sits at seat 4
    assert plain.books.purses == (6, 6, 6)
    assert state.books.purses == (6, 10, 6)
    assert state.books.bank == plain.books.bank - 4
    assert [str(badge_of(Rulings(handicap_2=more), 1)) for more in (1, 4)] == ["+1 ducat", "+4 ducats"]


def test_bb_a37_handicaps_beyond_the_box_are_refused():
    with pytest.raises(OptionError, match="with the handicaps, players need 32 ducats, but the box has 27"):
        rules.setup(BOX._replace(ducats=27), Rulings(handicap_1=10, handicap_2=10), 2)

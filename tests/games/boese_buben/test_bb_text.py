"""Tests of Böse Buben's sentences and its text picture."""

import pytest

from companion.core.event import Event
from companion.core.move import TABLE, Move
from companion.core.rules import narrated
from companion.games.boese_buben import guide, rules, text
from companion.games.boese_buben.rules import Rulings
from tests.games.boese_buben.bb_table import BOX, Play, ender
from tests.games.contract import find

NAMES = ("Ada", "Bo", "Cy", "Di")


def told(event: Event) -> str:
    return str(event.sentence(NAMES))


def all_told(events: tuple[Event, ...]) -> list[str]:
    return [told(event) for event in events]


def test_bb_a37_handicap_is_announced():
    _, events = narrated(rules, rules.setup(BOX, Rulings(handicap_2=3), 2), Move(TABLE, "first", (0,)))
    assert [told(event) for event in events if event.kind == "handicap"] == ["Bo begins with 3 extra ducats"]
    assert [(order.seat, str(order.text)) for order in text.piece_tasks(events, NAMES)][-1] == (1, "Take 3 ducats")


def test_turn_is_narrated():
    play = Play(2).run("R2 1, B5 1, R3 1, B0 2")
    assert all_told(play.lay("R6", 1)) == [
        "Ada plays 6 in lane 1",
        "Ada's 2 falls into the mud of lane 1",
    ]
    assert "Bo plays 4a in lane 3" in all_told(play.lay("B4a", 3))


def test_skip_is_narrated():
    play = Play(3).put(["R5", "B5", "G5", ""], hands=["5a 1", "5a", "0"])
    assert "Bo cannot play a card and skips the turn" in all_told(play.lay("R5a", 4))


@pytest.mark.parametrize(
    ("lane", "names", "word"),
    [
        ("R3 R2 R5", (), "colour"),
        ("R3 R2", ("Ada",), "3"),
        ("R0", (), "zero"),
        ("R6 B1 B5", ("Bo",), "more cards"),
        ("", (), "empty"),
    ],
)
def test_lane_payment_is_narrated(lane, names, word):
    events = ender(4, seat=3, lanes=[lane]).end()
    sentence = told(next(event for event in events if event.kind == "lane"))
    assert "1" in sentence
    assert word in sentence
    assert [name for name in NAMES if name in sentence] == list(names)


def test_bribery_is_narrated():
    play = ender(2, zones=["B1", ""])
    play.end()
    assert all_told(play.answer("buy"))[0] == "Bo buys back 1 from lane 1 for 1 ducat"
    assert all_told(play.answer("buy"))[0] == "Ada buys back 3a from lane 3 for 2 ducats"
    assert all_told(play.answer("leave"))[0] == "Ada leaves 4a in the mud of lane 3"
    play = ender(2, closing="1a", variant="action")
    assert "Ada may take back one card for free" in all_told(play.end())
    assert all_told(play.answer("free"))[0] == "Ada takes back 3a from lane 3 for free"


def test_austausch_sentence_names_both_cards_and_lanes():
    play = Play(2, variant="action").put(["R4 B2", "B4 R1", ""], hands=["3a 6", "6"])
    play.lay("R3a", 3)
    sentence = told(find(play.make("exchange", 1, 1, 2, 1, seat=0), "exchanged"))
    for part in ("Ada 4 (1)", "Bo 4 (2)"):
        assert part in sentence


def test_raengelei_sentence_names_the_new_order():
    play = Play(2, variant="action").put(["R1 B2 R3", "", ""], hands=["5a 6", "6"])
    play.lay("R5a", 3)
    sentence = told(find(play.make("reorder", 1, 3, 1, 2, seat=0), "reordered"))
    assert sentence.endswith("Ada 3, Ada 1, Bo 2")


def test_rauswurf_is_narrated_with_card_and_ducat():
    play = Play(2, variant="action").put(["R5 B6", "", ""], hands=["4a 1", "1"])
    play.lay("R4a", 3)
    assert all_told(play.make("eject", 1, 2, seat=0)) == [
        "Bo's 6 is thrown into the mud of lane 1",
        "The bank gives Ada 1 ducat",
    ]


def test_schiebung_sentence_names_giver_and_taker():
    play = ender(3, closing="2a", variant="action", mc=(0, 1, 0))
    play.end()
    assert all_told(play.make("move_mc", 1, 2, seat=0))[0] == "Ada moves an MC card from Bo to Cy"


def test_end_is_narrated():
    events = all_told(ender(3, race=4, purses=(9, 5, 2), mc=(1, 1, 1)).end())
    assert "Ada pays 3 for 2 MC cards" in events
    assert "Bo pays 1 for 1 MC card" in events
    assert events[-1] == "Ada wins with 6 ducats"
    events = all_told(ender(2, race=4, purses=(1, 0), mc=(1, 0)).end())
    assert "Ada cannot pay 3 for 2 MC cards" in events
    assert events[-1] == "Bo wins with 0 ducats"
    assert all_told(ender(2, race=4, purses=(2, 0)).end())[-1] == "Ada wins with 1 ducat"
    events = all_told(ender(2, race=4, purses=(13, 12), hands=["2 4", "6"]).end())
    assert events[-1] == "Ada, Bo share the win with 12 ducats"
    events = all_told(ender(2, race=4, purses=(13, 12), hands=["4", "6"]).end())
    assert events[-1] == "Bo wins, 12 ducats and more points in hand"
    events = all_told(ender(2, race=4, purses=(0, 2), mc=(0, 3)).end())
    assert events[-1].startswith("Everyone is in debt: Ada owes the least and wins")


def test_bb_r27_sentence_credits_points_instead_of_cards():
    """A 6 beats 4 and 1; a 5 loses to 4 and 2."""
    for hands, winner in ((["4 1", "6"], "Bo"), (["4 2", "5"], "Ada")):
        events = all_told(ender(2, race=4, purses=(13, 12), hands=hands).end())
        assert events[-1] == f"{winner} wins, 12 ducats and more points in hand"
    # red has 8 points on a track
    events = all_told(ender(2, race=4, purses=(13, 12), hands=["", "6"], cards_left="hand_and_track").end())
    assert events[-1] == "Ada wins, 12 ducats and more points on cards"


@pytest.mark.parametrize("cards_left", ["hand", "hand_and_track"])
def test_bb_r27_guide_says_the_sum_decides(cards_left):
    rows = [str(row.text) for page in guide.pages(Rulings(cards_left=cards_left), BOX) for row in page.rows]
    assert sum("if tied, the highest sum of cards in hand" in row for row in rows) == 1


def test_bb_a31_shared_debt_is_not_called_equal_ducats():
    """Red has 2 of 3 ducats, blue 4 of 5: both owe 1."""
    play = ender(2, race=4, purses=(2, 4), mc=(1, 3))
    last = all_told(play.end())[-1]
    assert play.ranking == ((0, 1),)
    assert play.purses == (2, 4)
    assert "with 2 ducats" not in last
    assert "tied in ducats" not in str(rules.outcome(play.state).reason)


def test_empty_bank_is_announced():
    play = Play(4, variant="action").put(
        ["R5 B2", "", "", "", ""], hands=["4a 1", "1", "1", "1"], purses=(21, 21, 21, 21)
    )
    play.lay("R4a", 3)
    assert any("bank" in sentence.lower() for sentence in all_told(play.make("eject", 1, 1, seat=0))[2:])


def test_picture_shows_lanes_zones_and_players():
    play = ender(2, lanes=["R6 B5"], zones=["B4"], purses=(7, 9), hands=["2", "0 1"])
    play.end()
    picture = text.picture(play.view, NAMES[:2], str)
    lines = picture.splitlines()
    zone, track = lines[0].split("|")
    assert "Bo 4" in zone
    assert track.index("Ada 6") < track.index("Bo 5")
    assert "Ada" in track.split("=")[1]  # the winner
    zone, track = lines[2].split("|")
    assert [zone.index(card) for card in ("Ada 3a", "Ada 4a", "Ada 5a", "Ada 1a")] == sorted(
        zone.index(card) for card in ("Ada 3a", "Ada 4a", "Ada 5a", "Ada 1a")
    )
    players = [line.split() for line in lines[3:]]
    assert [line[0] for line in players] == ["Ada", "Bo"]
    assert "1 card" in lines[3]
    assert "1 MC" in lines[3]
    assert "2 cards" in lines[4]
    assert "ducat" not in picture


def test_picture_shows_ducats_only_at_the_end():
    play = ender(2, race=4, purses=(8, 5))
    assert "ducat" not in text.picture(play.view, NAMES[:2], str)
    play.end()
    picture = text.picture(play.view, NAMES[:2], str)
    assert "7 ducats" in picture
    assert "5 ducats" in picture

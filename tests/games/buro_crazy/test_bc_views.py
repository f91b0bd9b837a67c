"""Views show no hand, and no bid before the reveal; refusals reveal nothing."""

from itertools import product

import pytest

from companion.core.errors import IllegalMove
from companion.core.event import to_json
from companion.core.match import SEED_TAG, Match
from companion.core.move import TABLE, Move, SecretMove
from companion.games.buro_crazy import console, rules, text
from companion.games.buro_crazy.game import GAME
from companion.games.buro_crazy.rules import Rulings, View
from tests.games.buro_crazy.bc_table import STAIRS, Play, at_the_roof, counts
from tests.games.contract import kinds

NAMES = ("Ada", "Bo", "Cy", "Di")

BIDS = (counts([]), counts([1]), counts([20, 20, 20, 20]), counts([5, 5, 2]), counts([1, 2, 5, 10, 20] * 4))


class Told:
    """Everything that a single audience sees of a match, as text."""

    def __init__(self, audience: int | None, **rulings) -> None:
        self.audience = audience
        self.match = Match(GAME, NAMES, rulings=Rulings(**rulings), tags={SEED_TAG: "nobody may see this"})
        self.seen: list[str] = []
        self.push(Move(TABLE, "place", STAIRS[4]))

    def push(self, move: Move) -> None:
        events = self.match.push(move)
        for event in events:
            if event.visible_to(self.audience):
                self.seen += [repr(event), str(to_json(0, event)), str(event.sentence(NAMES))]
        view = self.match.view(self.audience)
        self.seen += [
            repr(view),
            str(console.prompt(view)),
            repr(console.lamps(self.match.view())),
            repr(console.stage(view)),
        ]
        self.seen += [str(console.private(view, "")), text.picture(view, NAMES, str)]
        self.seen += [str(self.match.log(self.audience)), *self.match.last_moves(5), str(self.match.to_act)]
        self.seen += [str(len(rules.legal(self.match.state, seat))) for seat in self.match.to_act]


@pytest.mark.parametrize("audience", [None, 1, 2, 3])
def test_bc_p5_other_views_do_not_reveal_a_bid(audience):
    for one, other in product(BIDS, BIDS):
        tables = Told(audience), Told(audience)
        for told, bid in zip(tables, (one, other), strict=True):
            told.push(SecretMove(0, "commit", bid))
            told.push(Move(0, "retract"))
            told.push(SecretMove(0, "commit", bid))
        assert tables[0].seen == tables[1].seen
        for told in tables:
            told.push(SecretMove(1, "commit", counts([2])))
        assert (tables[0].seen == tables[1].seen) == (one == other)


@pytest.mark.parametrize("audience", [None, 0, 2])
def test_other_views_do_not_reveal_a_total(audience):
    tables = Told(audience, tracking="points"), Told(audience, tracking="points")
    for told, points in zip(tables, (0, 152), strict=True):
        told.push(SecretMove(1, "total", (points,)))
        told.push(Move(TABLE, "counted", (7,)))
    assert tables[0].seen == tables[1].seen


@pytest.mark.parametrize("reader", [None, 0, 1, 3])
def test_other_views_hide_reports_until_the_last(reader):
    tables = []
    for points in (5, 7):
        play = at_the_roof([1] * 9)
        play.hold({2: 5, 0: 10, 3: 20, 1: 30})
        told = []
        for seat, reported in ((2, points), (0, 10), (3, 20), (1, 30)):
            events = play.make("report", reported, seat=seat)
            view = rules.view(play.state, reader)
            told.append(
                (events, view, console.prompt(view), console.lamps(play.view), play.state.reports.count(None))
            )
        tables.append(told)
    assert tables[0][:3] == tables[1][:3]
    assert tables[0][3] != tables[1][3]


def test_views_hide_what_hands_stock_and_roof_hold():
    """The cards of stock and roof would reveal hands."""
    play, other = Play(4), Play(4)
    play.put({2: [1]}, stock=[5, 5, 10], roof=[20, 1])
    other.put({2: [20, 20]}, stock=[20], roof=[2, 5])
    for reader in (None, 0, 1, 3):
        assert rules.view(play.state, reader) == rules.view(other.state, reader)


def test_view_has_only_known_fields():
    public = (
        "you box rulings values seats phase colours chosen board step pair to_come duel locked attempt zeros "
        "kitchen kitchen_points stock_points roof_cards roof_counted pile_size dealt reporting reported last "
        "points outcome"
    )
    assert set(View._fields) == {*public.split(), "hand", "bid", "reportable"}
    play = Play(4)
    play.bid(0, [20])
    assert (play.view.hand, play.view.bid) == (None, None)
    assert rules.view(play.state, 2)._replace(you=None, hand=None) == play.view
    assert rules.view(play.state, 0)._replace(you=None, hand=None, bid=None) == play.view


@pytest.mark.parametrize(
    "move",
    [
        SecretMove(0, "commit", counts([20] * 5)),
        SecretMove(0, "commit", (-1, 0, 0, 0, 0)),
        SecretMove(0, "commit", (0, 0)),
        SecretMove(0, "total", (12,)),
        SecretMove(1, "commit", counts([1])),  # locked already
        SecretMove(2, "commit", counts([1])),  # not in this duel
        SecretMove(7, "commit", ()),
    ],
)
def test_every_refused_bid_reads_the_same(move):
    play = Play(4)
    play.bid(1, [20])
    before = play.state
    with pytest.raises(IllegalMove) as refused:
        rules.apply(play.state, move)
    assert str(refused.value) == "not accepted (BC-R7)"
    assert refused.value.seat == move.seat
    assert play.state == before


@pytest.mark.parametrize(
    ("verb", "args", "seat", "rule"),
    [
        ("colour", (0, 0), TABLE, "BC-A29"),
        ("place", STAIRS[4], TABLE, "BC-R3"),
        ("coin", (0,), TABLE, "BC-A10"),
        ("roof", (5,), TABLE, "BC-R23"),
        ("counted", (5,), TABLE, "BC-R23"),
        ("report", (5,), 0, "BC-R23"),
        ("retract", (), 0, "BC-A25"),
        ("total", (5,), 0, "BC-R7"),
        ("dance", (), 0, "BC-R25"),
    ],
)
def test_refusal_names_its_paragraph(verb, args, seat, rule):
    play = Play(4)
    assert play.refused(verb, *args, seat=seat) == rule


@pytest.mark.parametrize(
    "move",
    [
        Move(0, "commit", (True, 0, 0, 0, 0)),
        Move(0, "commit", (1.0, 0, 0, 0, 0)),
        Move(0, "commit", ("1", 0, 0, 0, 0)),
        Move(0, "commit", None),
        Move(None, "commit", (0, 0, 0, 0, 0)),
        Move("0", "commit", (0, 0, 0, 0, 0)),
        Move(0, "commit", [0, 0, 0, 0, 0]),
    ],
)
def test_malformed_bids_are_illegal(move):
    play = Play(4)
    assert move not in rules.legal(play.state, move.seat)
    with pytest.raises(IllegalMove):
        rules.apply(play.state, move)


def test_last_secret_move_releases_all_of_them():
    play = Play(4)
    one, other = SecretMove(0, "commit", counts([20])), SecretMove(1, "commit", counts([5]))
    assert rules.released(play.state, one) is None
    assert rules.released(play.state, other) is None
    play.bid(0, [20])
    assert rules.released(play.state, Move(0, "retract")) is None
    assert rules.released(play.state, other) == (one.args, other.args)
    end = at_the_roof([1] * 9)
    end.hold({seat: seat for seat in range(4)})
    for seat in range(4):
        released = rules.released(end.state, SecretMove(seat, "report", (seat,)))
        assert released == ((0, 1, 2, 3) if seat == 3 else None)
        end.make("report", seat, seat=seat)


def test_dealt_roof_cards_stay_secret():
    play = at_the_roof([1] + [5] * 8 + [20] * 9)
    views = []
    for card in (5, 20):
        other = at_the_roof([1] + [5] * 8 + [20] * 9)
        assert kinds(other.make("roof", card)) == []
        views.append(other.view)
    assert views[0] == views[1]
    assert play.view.dealt == 0

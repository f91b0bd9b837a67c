"""The feats of a match, and its best moment."""

import pytest

from companion.core.tags import ROBOTS_TAG
from companion.games import load
from companion.games.boese_buben.rules import kinds as bb
from companion.games.buro_crazy.rules import kinds as bc
from companion.games.de_et_boulanger.rules import kinds as db
from companion.records.feats import best_moment, feats
from tests.host_bench import Bench
from tests.running import played
from tests.stats_matches import Hand

ANNA, BEN, CLEO = range(3)


def test_closest_call_is_the_best_moment() -> None:
    hand = Hand().call((ANNA, 400, 0.2), (BEN, 460, 0.2)).call((CLEO, 500, 0.2), (ANNA, 512, 0.2)).over(BEN)
    assert str(best_moment(hand.match)) == "Cleo calls 12.0 ms before Anna"


def test_tie_is_not_a_close_call() -> None:
    assert best_moment(Hand().call((ANNA, 400, 1), (BEN, 400.4, 1)).over(ANNA).match) is None


def test_persons_feat_comes_before_a_robots() -> None:
    hand = Hand().call((ANNA, 400, 0.2), (BEN, 410, 0.2)).call((BEN, 400, 0.2), (ANNA, 440, 0.2)).over(ANNA)
    hand.match._tags[ROBOTS_TAG] = "easy person person"
    assert str(best_moment(hand.match)) == "Ben calls 40.0 ms before Anna"


def test_fast_call_counts_only_if_right(tmp_path) -> None:
    bench = Bench(tmp_path)
    bench.play()
    bench.wait(0.5)
    bench.call(0, bench.wrong())
    bench.next_card()
    bench.wait(1.5)
    bench.call(1, bench.fitting()[0])
    [fastest] = feats(bench.match)
    assert (fastest.feat.name, fastest.seats) == ("fast", (1,))
    assert 1.4e9 < fastest.amount < 1.8e9


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("boese_buben", bb.Lane(1, "sum", 3)),
        ("buro_crazy", bc.Reveal("P1", (0, 1), ((20, 1), (20,)), (21, 20))),
        ("de_et_boulanger", db.Sold(1, 0, 10, 12)),
    ],
)
def test_games_declare_the_feats_of_their_events(name, told) -> None:
    achieved = list(told.feats(0))
    assert achieved
    assert {each.feat for each in achieved} <= set(load(name).feats)


def test_ducats_of_one_race_are_added_up() -> None:
    match = played("boese_buben", ("Anna", "Ben"), "feats")
    richest = max(each.amount for each in feats(match) if each.feat is bb.RICHEST_RACE)
    assert richest in {6, 9, 12}


@pytest.mark.parametrize(("totals", "names"), [((9, 20), ["bid", "duel"]), ((0, 20), ["bid"]), ((7, 7), ["bid"])])
def test_duel_is_close_only_if_both_bid(totals, names) -> None:
    achieved = list(bc.Reveal("P1", (0, 1), ((), ()), totals).feats(None))
    assert [each.feat.name for each in achieved] == names


def test_shared_win_has_no_lead() -> None:
    assert not list(bc.Over(((0, 1), (2,)), (9, 9, 3)).feats(None))
    [lead] = bc.Over(((1,), (0, 2)), (7, 9, 3)).feats(None)
    assert (lead.seats, lead.amount) == ((1, 0), 2)

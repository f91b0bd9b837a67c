"""The hall of fame of people; robots are counted separately."""

import json
from fractions import Fraction

import pytest

from companion.core.feats import Feat
from companion.core.match import SEED_TAG
from companion.core.tags import DRAWN, ORIGIN_TAG, ROBOTS_TAG
from companion.core.text import msg
from companion.records.facts import FeatOfMatch, facts_of, from_json
from companion.records.feats import CALLS
from companion.records.hall import hall_of_fame
from companion.records.stats import Counted, Statistics, statistics
from tests.stats_matches import Hand, tiny

ANNA, BEN, CLEO = range(3)

SLOWEST = Feat("slow", msg("Slowest turn"), msg("{who} needs {amount}"), lambda n: msg("{n} points", n=n), great=10)

GAMES = {"tiny": tiny()._replace(feats=(SLOWEST,)), "goose": tiny("goose")}


def with_robots(hand: Hand, kinds: str, **tags: str) -> Hand:
    hand.match._tags.update({ROBOTS_TAG: kinds} | tags)
    return hand


def lines(found: Statistics) -> list[tuple[str, ...]]:
    return [tuple(map(str, line)) for line in hall_of_fame(found, GAMES)]


def test_hall_lists_most_wins_and_longest_streak() -> None:
    winners = (BEN, ANNA, ANNA, BEN, ANNA, BEN)
    kept = [Hand().over(winner).kept(f"{number:05}-x") for number, winner in enumerate(winners)]
    assert lines(statistics(reversed(kept))) == [
        ("Most wins", "Anna, Ben", "3 wins", ""),
        ("Wins in a row", "Anna", "2 wins", ""),
    ]


def test_missed_match_does_not_end_a_streak() -> None:
    away = Hand(("Ben", "Cleo")).over(0)
    kept = [Hand().over(ANNA).kept("1-x"), away.kept("2-x"), Hand().over(ANNA, CLEO).kept("3-x")]
    assert ("Wins in a row", "Anna", "2 wins", "") in lines(statistics(kept))


def test_shared_wins_are_split() -> None:
    assert lines(statistics([Hand().over(ANNA, BEN).kept()])) == [("Most wins", "Anna, Ben", "0.5 wins", "")]
    three = [Hand().over(winner).kept(str(winner)) for winner in range(3)]
    assert lines(statistics(three)) == [("Most wins", "3 players", "1 win", "")]


def test_robots_are_counted_separately() -> None:
    person = Hand().call((ANNA, 900, 0.2)).over(ANNA)
    robot = with_robots(Hand().call((ANNA, 300, 0.2), (BEN, 310, 0.2)).over(ANNA), "easy person easy")
    found = statistics([person.kept("1-x"), robot.kept("2-x")])
    assert [(each.who, each.matches, each.wins) for each in found.players] == [
        ("Ben", 2, 0),
        ("Anna", 1, 1),
        ("Cleo", 1, 0),
    ]
    assert [tuple(each) for each in found.robots] == [("easy", 1, Fraction(1), Fraction(2, 3))]
    assert [(each.who, len(each.times_ns), each.first) for each in found.reactions] == [
        ("Ben", 1, 0),
        ("Anna", 1, 1),
    ]
    assert lines(found) == [("Most wins", "Anna", "1 win", "")]


def test_match_of_robots_alone_is_a_demo() -> None:
    alone = with_robots(Hand().over(ANNA), "easy easy easy", **{SEED_TAG: "1", ORIGIN_TAG: DRAWN})
    found = statistics([alone.kept()])
    assert (found.matches, found.demos, found.robots) == (0, 1, ())
    simulated = with_robots(Hand().over(ANNA), "easy easy easy")
    assert [each.who for each in statistics([simulated.kept()]).players] == ["Anna", "Ben", "Cleo"]


def test_hall_lists_the_best_feats_of_all_games() -> None:
    counted = Counted()
    plain = facts_of(Hand().over(ANNA).match)
    goose = facts_of(Hand(game=tiny("goose")).over(ANNA).match)
    slow, fast = (FeatOfMatch("slow", (seat,), amount) for seat, amount in ((ANNA, 7), (BEN, 9)))
    near, nearer = (FeatOfMatch("close", (CLEO, ANNA), ns) for ns in (9_000_000, 3_000_000))
    for number, facts in enumerate(
        (plain._replace(feats=(slow, near)), goose._replace(feats=(nearer, fast)), plain)
    ):
        counted.count_facts(f"{number}-x", facts._replace(match=str(number)), "Title")
    counted.count_facts("9-x", plain._replace(feats=(fast,), match="9"), "Title")
    assert lines(counted.statistics())[2:] == [
        ("Closest call", "Cleo before Anna", "3.0 ms", "goose"),
        ("Slowest turn", "Ben", "9 points", "tiny"),
    ]


def test_facts_store_robots_and_the_best_feats() -> None:
    hand = Hand().call((BEN, 400, 0.2), (ANNA, 430, 0.2)).call((BEN, 400, 0.2), (ANNA, 405, 0.2)).over(ANNA)
    facts = facts_of(with_robots(hand, "easy person person").match)
    assert facts.robots == ("easy", "", "")
    assert facts.feats == (FeatOfMatch(CALLS[1].name, (BEN, ANNA), 5_000_000),)
    said = json.loads(json.dumps(facts))
    assert from_json(said) == facts
    for place, bad in ((-1, [["close", [], 5]]), (-1, [["close", [7], 5]]), (-2, ["easy"])):
        with pytest.raises(ValueError, match="no match says that"):
            from_json([*said[:place], bad, *said[len(said) + place + 1 :]])

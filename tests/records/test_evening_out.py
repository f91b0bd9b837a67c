"""Matches with handicaps are told apart, and past matches without one say which handicap would make it even."""

from pathlib import Path

import pytest
from stats_matches import Hand, by_kind, played

from companion.core.match import Match
from companion.records.evening_out import LEAST, NEWEST, EveningOut
from companion.records.facts import facts_of
from companion.records.stats import Kept, Statistics, statistics
from companion.records.stats_text import report, to_json
from companion.referee.journal import Opened


def together(*matches: Match) -> Statistics:
    """Return the statistics of matches in which a name is a kind of robot, wherever it sat."""
    return statistics(Kept(str(number), Opened(match, None, 0, "")) for number, match in enumerate(matches))


@pytest.mark.parametrize(
    ("game", "who", "least", "most"), [("boese_buben", "Ben", 2, 30), ("buntherum", "Anna", 200, 2000)]
)
def test_who_surely_needs_a_handicap_is_told_with_how_sure_that_is(
    tmp_path: Path, game: str, who: str, least: float, most: float
) -> None:
    found = together(*map(by_kind, played(tmp_path / "folder", game, 14)))
    (proposal,) = found.games[0].proposals
    assert proposal.who == who
    assert proposal.matches == 14
    assert least < proposal.low < proposal.amount < proposal.high < most
    assert proposal.amount - proposal.low == pytest.approx(proposal.high - proposal.amount)
    unit = {"boese_buben": "ducats", "buntherum": "ms"}[game]
    line = next(line for line in report(found, tmp_path).splitlines() if line.startswith(who) and unit in line)
    assert f"+{round(proposal.amount)} {unit}" in line
    assert f"{round(proposal.low)} to {round(proposal.high)}" in line
    assert to_json(found)["games"][0]["proposals"] == [  # type: ignore[index]
        {
            "player": who,
            "matches": 14,
            "handicap": proposal.amount,
            "interval": [proposal.low, proposal.high],
        }
    ]


def test_fewer_matches_say_nothing(tmp_path: Path) -> None:
    matches = [by_kind(match) for match in played(tmp_path / "folder", "boese_buben", LEAST)]
    assert together(*matches).games[0].proposals
    assert not together(*matches[1:]).games[0].proposals


def test_a_match_with_a_handicap_counts_for_nobody_and_is_told_apart(tmp_path: Path) -> None:
    plain = played(tmp_path / "plain", "boese_buben", 3)
    even = played(tmp_path / "even", "boese_buben", 2, handicap_2=5)
    found = together(*plain, *even)
    (game,) = found.games
    assert (game.matches, game.handicapped, found.handicapped) == (5, 2, 2)
    assert [wins.matches for wins in (*found.players, *game.seats)] == [3, 3, 3, 3]
    assert "; 2 with handicaps, whose wins are not counted" in report(found, tmp_path)
    assert not together(*even).players
    assert "wins by" not in report(together(*even), tmp_path)


def test_a_handicap_of_a_seat_where_nobody_sits_is_none(tmp_path: Path) -> None:
    assert not together(*played(tmp_path / "folder", "boese_buben", 1, handicap_4=5)).handicapped


def test_reaction_times_are_those_of_the_presses_without_the_handicap(tmp_path: Path) -> None:
    found = together(*played(tmp_path / "folder", "buntherum", 1, handicap_1=2000, handicap_2=2000))
    assert min(each.spread_ns.least for each in found.reactions) < 2_000_000_000


def test_a_game_without_handicaps_is_left_alone() -> None:
    evening_out, facts = EveningOut(), facts_of(Hand().call((0, 412, 0.2)).over(0).match)
    for _ in range(LEAST):
        evening_out.count(facts)
    assert (facts.scores, evening_out.proposals()) == (None, ())


def test_the_newest_matches_of_a_player_say_what_he_needs_today(tmp_path: Path) -> None:
    match = facts_of(played(tmp_path / "folder", "boese_buben", 1)[0])
    evening_out = EveningOut()
    for ahead in [(0, 50, 50)] * NEWEST + [(50, 10 + number % 3, 50) for number in range(NEWEST)]:
        evening_out.count(match._replace(names=("Anna", "Ben", "Cleo"), scores=(*ahead,)))
    [proposal] = evening_out.proposals()
    assert (proposal.who, proposal.matches, round(proposal.amount)) == ("Ben", NEWEST, 39)

"""Handicaps in statistics: matches played with one, and proposals for one."""

import re
from pathlib import Path
from random import Random

import pytest

from companion.core.match import Match
from companion.core.replay import loads
from companion.core.units import MS
from companion.games import all_games
from companion.records.evening_out import LEAST, NEWEST, EveningOut, _median_ns, student
from companion.records.facts import Facts, JudgedPress, Judgement, facts_of
from companion.records.history import KeptRecord
from companion.records.stats import Statistics, statistics
from companion.records.stats_text import report, to_json
from companion.referee.journal import Opened
from tests.stats_matches import Hand, by_kind, played

TRIALS = 2000


def together(*matches: Match) -> Statistics:
    return statistics(KeptRecord(str(number), Opened(match, None, 0, "")) for number, match in enumerate(matches))


@pytest.mark.parametrize(
    ("game", "who", "least", "most"), [("boese_buben", "Ben", 2, 30), ("buntherum", "Anna", 200, 4000)]
)
def test_proposed_handicap_comes_with_its_confidence_interval(
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


def test_fewer_matches_propose_no_handicap(tmp_path: Path) -> None:
    matches = [by_kind(match) for match in played(tmp_path / "folder", "boese_buben", LEAST)]
    assert together(*matches).games[0].proposals
    assert not together(*matches[1:]).games[0].proposals


def test_handicapped_match_counts_no_wins_and_is_reported(tmp_path: Path) -> None:
    plain = played(tmp_path / "plain", "boese_buben", 3)
    even = played(tmp_path / "even", "boese_buben", 2, handicap_2=5)
    found = together(*plain, *even)
    (game,) = found.games
    assert (game.matches, game.handicapped, found.handicapped) == (5, 2, 2)
    assert [wins.matches for wins in (*found.players, *game.seats)] == [3, 3, 3, 3]
    assert "; 2 with handicaps, whose wins are not counted" in report(found, tmp_path)
    assert not together(*even).players
    assert "wins by" not in report(together(*even), tmp_path)


def test_handicap_of_an_empty_seat_is_ignored(tmp_path: Path) -> None:
    assert not together(*played(tmp_path / "folder", "boese_buben", 1, handicap_4=5)).handicapped


def test_reaction_times_exclude_the_handicap(tmp_path: Path) -> None:
    found = together(*played(tmp_path / "folder", "buntherum", 1, handicap_1=2000, handicap_2=2000))
    assert min(each.spread_ns.least for each in found.reactions) < 2_000_000_000


def test_game_without_handicaps_gets_no_proposal() -> None:
    evening_out, facts = EveningOut(), facts_of(Hand().call((0, 412, 0.2)).over(0).match)
    for _ in range(LEAST):
        evening_out.count(facts, "")
    assert (facts.scores, evening_out.proposals()) == (None, ())


def test_newest_matches_decide_the_proposal(tmp_path: Path) -> None:
    match = facts_of(played(tmp_path / "folder", "boese_buben", 1)[0])
    evening_out = EveningOut()
    for ahead in [(0, 50, 50)] * NEWEST + [(50, 10 + number % 3, 50) for number in range(NEWEST)]:
        evening_out.count(match._replace(names=("Anna", "Ben", "Cleo"), scores=(*ahead,)), "")
    [proposal] = evening_out.proposals()
    assert (proposal.who, proposal.matches, round(proposal.amount)) == ("Ben", NEWEST, 39)


def test_match_numbers_decide_which_are_newest(tmp_path: Path) -> None:
    match = facts_of(played(tmp_path / "folder", "boese_buben", 1)[0])
    evening_out = EveningOut()
    for number in range(2 * NEWEST):  # the first half was named by hand
        scores, name = ((0, 50, 50), "2026-{}") if number < NEWEST else ((50, 10 + number % 3, 50), "{}-2025-01-01")
        named = match._replace(names=("Anna", "Ben", "Cleo"), scores=scores)
        evening_out.count(named, name.format(f"{number:05}"))
    assert [proposal.who for proposal in evening_out.proposals()] == ["Ben"]


@pytest.mark.parametrize(
    ("freedom", "errors"), [(9, 2.262), (10, 2.228), (15, 2.131), (20, 2.086), (30, 2.042), (60, 2.0), (99, 1.984)]
)
def test_student_matches_the_published_table(freedom: int, errors: float) -> None:
    assert student(freedom) == pytest.approx(errors, abs=1e-3)


@pytest.mark.parametrize("raced", [True, False])
def test_five_percent_of_small_sample_intervals_miss(*, raced: bool) -> None:
    luck, hit = Random(7), 0
    for _ in range(TRIALS):
        evening_out = EveningOut()
        for _ in range(LEAST):
            evening_out.count(by_luck(luck, 1000) if raced else by_luck(luck, None), "")
        [proposal] = evening_out.proposals()
        hit += proposal.low <= 1000 <= proposal.high
    assert 0.935 < hit / TRIALS < 0.965


# --- Calls ------------------------------------------------------------------------------------------------


def raced(times_ms: tuple[tuple[int, int], ...], *, untimed: tuple[int, ...] = ()) -> Facts:
    """Return a match of Anna and Ben; presses of `untimed` seats lack timestamps."""
    judgements = tuple(
        Judgement(
            number,
            (0,),
            tie=False,
            opened=True,
            heard=tuple(
                JudgedPress(seat, at * MS, 0, 0, timed=seat not in untimed) for seat, at in enumerate(pressed)
            ),
            callers=(0, 1),
        )
        for number, pressed in enumerate(times_ms, 1)
    )
    return Facts("buntherum", ("Anna", "Ben"), winners=(0,), judgements=judgements, scores=(0, 9), raced=True)


def by_luck(luck: Random, ahead_ms: int | None) -> Facts:
    """Return a match that Anna leads by about `ahead_ms` a card, or for None loses by about 1000."""
    if ahead_ms is None:
        return Facts("buro_crazy", ("Anna", "Ben"), winners=(1,), scores=(round(luck.gauss(1000, 300)), 2000))
    cards = ((round(luck.gauss(2000, 200)), round(luck.gauss(2000 + ahead_ms, 200))) for _ in range(5))
    return raced(tuple(cards))


def proposed(*matches: Facts) -> list[tuple[str, int, int]]:
    evening_out = EveningOut()
    for facts in matches:
        evening_out.count(facts, "")
    return [(each.who, each.matches, round(each.amount)) for each in evening_out.proposals()]


@pytest.mark.parametrize("calls", [*range(2, 121, 2), 844, 1000])
def test_median_of_even_count_is_the_lower_middle(calls: int) -> None:
    # Rounding keeps the product of 1 - 1/n above a half for 24, 28, 30 and many others.
    assert _median_ns(2 * time for time in range(1, calls + 1)) == calls // 2


def test_match_without_call_times_proposes_no_handicap(tmp_path: Path) -> None:
    kept = [by_kind(match) for match in played(tmp_path / "folder", "buntherum", 2 * LEAST)]
    by_hand = [loads(re.sub(r" \{.*\}$", "", match.dumps(), flags=re.MULTILINE), all_games()) for match in kept]
    assert together(*kept).games[0].proposals
    assert together(*by_hand).matches == 2 * LEAST
    assert not together(*by_hand).games[0].proposals, "cards that are left over are no milliseconds"
    [proposal] = together(*kept, *by_hand).games[0].proposals
    assert proposal.matches == 2 * LEAST


def test_untimed_press_is_left_out_of_proposals() -> None:
    known = raced(((1000, 1300), (1100, 1400), (1200, 1500)))
    assert proposed(*[known] * LEAST) == [("Anna", LEAST, 300)]
    unknown = raced(((10, 1300), (20, 1300), (30, 1300), (40, 1300)), untimed=(0,))
    assert proposed(*[known, unknown] * LEAST) == [("Anna", 2 * LEAST, 200)]
    assert not proposed(*[unknown] * LEAST)


def test_player_against_themselves_needs_no_handicap() -> None:
    match = raced(((1000, 1300),))._replace(names=("Anna", "Anna"))
    assert not proposed(*[match] * LEAST)
    scores = Facts("boese_buben", ("Anna", "Anna", "Ben"), winners=(0,), scores=(50, 50, 10))
    assert proposed(*[scores] * LEAST) == [("Ben", LEAST, 40)]
    scores = scores._replace(names=("Anna", "Ben", "Anna"), scores=(10, 50, 10))
    assert not proposed(*[scores] * LEAST)

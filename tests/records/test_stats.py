"""Statistics of stored matches."""

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.move import TABLE, Move
from companion.core.signal import LEVEL_ONLY
from companion.core.text import msg
from companion.records.history import KeptRecord
from companion.records.stats import (
    Contender,
    Damaged,
    Spread,
    chance_above,
    interval,
    spread,
    statistics,
)
from companion.referee.journal import Damage, Opened
from tests.stats_matches import MS, Hand, S, tiny

ANNA, BEN, CLEO = range(3)


# --- Numbers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wins", "matches", "low", "high"),
    [
        (0, 10, 0.0, 0.277533),  # 3.8416 / 13.8416
        (10, 10, 0.722467, 1.0),
        (5, 10, 0.236590, 0.763410),
        (50, 100, 0.403830, 0.596170),
        (1, 3, 0.061491, 0.792344),
        (0.5, 1, 0.054617, 0.945383),
    ],
)
def test_wilson_interval_matches_known_values(wins: float, matches: int, low: float, high: float) -> None:
    assert interval(wins, matches) == pytest.approx((low, high), abs=2e-5)


def test_wilson_interval_solves_its_equation() -> None:
    """The observed share is 1.96 standard deviations from each end."""
    for wins, matches in ((3, 20), (7.5, 20), (19, 20), (1, 400)):
        for end in interval(wins, matches):
            away = abs(wins / matches - end) / math.sqrt(end * (1 - end) / matches)
            assert away == pytest.approx(1.96)


@pytest.mark.parametrize(
    ("square", "freedom", "chance"),
    [
        (0, 1, 1.0),
        (0, 6, 1.0),
        (3.841459, 1, 0.05),
        (5.991465, 2, 0.05),
        (7.814728, 3, 0.05),
        (9.487729, 4, 0.05),
        (11.070498, 5, 0.05),
        (23.209251, 10, 0.01),
        (30.577914, 15, 0.01),
    ],
)
def test_chi_square_matches_the_published_tables(square: float, freedom: int, chance: float) -> None:
    assert chance_above(square, freedom) == pytest.approx(chance, abs=1e-6)


def test_spread_gives_extremes_quartiles_and_median() -> None:
    assert spread([7]) == Spread(7, 7, 7, 7, 7)
    assert spread([4, 1]) == Spread(1, 1.75, 2.5, 3.25, 4)
    assert spread([5, 3, 1, 2, 4]) == Spread(1, 2, 3, 4, 5)
    with pytest.raises(ValueError, match="nothing"):
        spread([])


# --- A small set by hand ----------------------------------------------------------------------------------


@pytest.fixture
def found():
    """The statistics of three finished matches and two unfinished ones."""
    first = Hand().call((ANNA, 400, 0.2)).call((BEN, 500, 0.2), (CLEO, 500.5, 0.2)).over(ANNA)
    second = Hand().call((ANNA, 600, 1), (BEN, 604, 1)).over(BEN, CLEO)
    third = Hand(("Ben", "Anna")).call((0, 450, 0.2)).over(0)
    going_on = Hand().call((CLEO, 1, 0.2))
    kept = [first.kept("a"), second.kept("b"), third.kept("c"), going_on.kept("d"), Hand().kept("e")]
    return statistics(kept)


def test_matches_and_lengths_are_counted(found) -> None:
    [game] = found.games
    assert (game.name, str(game.title), game.matches, game.unfinished, game.timed) == ("tiny", "Tiny", 3, 2, 3)
    assert (found.matches, found.unfinished, found.demos, found.damaged) == (3, 2, 0, ())
    assert game.moves == Spread(2, 2, 2, 2.5, 3)
    assert game.length_ns == Spread(S, S, S, 2.5 * S, 4 * S)
    assert game.played_ns == 6 * S


def test_names_sort_without_their_accents() -> None:
    one = Hand(("Zoë", "Élise", "anne", "Bo")).call((0, 500, 1), (1, 500, 1), (2, 500, 1), (3, 500, 1)).over(3)
    found = statistics([one.kept("a")])
    assert [player.who for player in found.players] == ["anne", "Bo", "Élise", "Zoë"]


def test_wins_are_counted_by_player(found) -> None:
    anna, ben, cleo = found.players
    assert anna == ("Anna", 3, Fraction(1), Fraction(7, 6))
    assert ben == ("Ben", 3, Fraction(3, 2), Fraction(7, 6))
    assert cleo == ("Cleo", 2, Fraction(1, 2), Fraction(2, 3))
    assert (ben.share, ben.expected_share) == (0.5, pytest.approx(7 / 18))
    assert ben.interval == interval(1.5, 3)


def test_player_at_two_seats_plays_one_match() -> None:
    twice = Hand(("Anna", "Ben", "Anna"))
    found = statistics([twice.over(0, 1).kept("a"), Hand(("Anna", "Ben")).over(1).kept("b")])
    anna, ben = found.players
    assert anna == ("Anna", 2, Fraction(1, 2), Fraction(2, 3) + Fraction(1, 2))
    assert ben == ("Ben", 2, Fraction(3, 2), Fraction(1, 3) + Fraction(1, 2))
    assert [seat.matches for seat in found.games[0].seats] == [2, 2, 1]


def test_wins_are_counted_by_seat(found) -> None:
    [game] = found.games
    assert game.seats == (
        ("1", 3, Fraction(2), Fraction(7, 6)),
        ("2", 3, Fraction(1, 2), Fraction(7, 6)),
        ("3", 2, Fraction(1, 2), Fraction(2, 3)),
    )
    assert game.luck is None
    assert game.swapped


def test_reaction_times_are_listed_by_player(found) -> None:
    assert found.reactions == (
        ("Anna", (400 * MS, 600 * MS), 2),
        ("Ben", (450 * MS, 500 * MS, 604 * MS), 1),
        ("Cleo", (500_500_000,), 0),
    )


def test_photo_finishes_name_ties_and_near_ties(found) -> None:
    tie, near_tie = found.finishes
    assert (tie.record, tie.move, tie.tie, tie.winners) == ("a", 2, True, ("Ben", "Cleo"))
    assert tie.presses == (Contender("Ben", 0, 200_000), Contender("Cleo", 500_000, 200_000))
    assert (tie.margin_ns, tie.uncertainty_ns) == (500_000, 400_000)
    assert (near_tie.record, near_tie.move, near_tie.tie, near_tie.winners) == ("b", 1, False, ("Anna",))
    assert (near_tie.margin_ns, near_tie.uncertainty_ns) == (4 * MS, 2 * MS)
    assert (found.verdicts, found.ties) == (4, 1)


# --- What counts ------------------------------------------------------------------------------------------


def test_empty_set_has_empty_statistics() -> None:
    found = statistics([])
    assert (found.matches, found.games, found.players, found.reactions, found.finishes) == (0, (), (), (), ())


def test_unfinished_match_counts_only_as_unfinished() -> None:
    quiet, busy = Hand(), Hand().call((ANNA, 300, 0.2), (BEN, 301, 0.2))
    assert statistics([quiet.kept()]) == statistics([busy.kept()])
    assert statistics([busy.kept()]).unfinished == 1


def test_demos_count_only_on_request() -> None:
    kept = [Hand(demo=True).over(0).kept(), Hand().over(1).kept()]
    found = statistics(kept)
    assert (found.matches, found.demos) == (1, 1)
    found = statistics(kept, demos=True)
    assert (found.matches, found.demos) == (2, 0)


def test_statistics_can_be_limited_to_one_game() -> None:
    kept = [Hand(game=tiny("goose")).over(0).kept(), Hand(game=tiny("ludo"), demo=True).over(1).kept()]
    assert [game.name for game in statistics(kept, demos=True).games] == ["goose", "ludo"]
    found = statistics(kept, "goose")
    assert ([game.name for game in found.games], found.demos) == (["goose"], 0)


def test_damaged_record_is_named_and_left_out() -> None:
    hand = Hand().over(0)
    damage = Damage(7, msg("it is not text"))
    torn = KeptRecord("torn", Opened(hand.match, damage, 0, 0))
    found = statistics([torn, KeptRecord("milk", None), hand.kept()])
    assert found.damaged == (Damaged("torn", 7), Damaged("milk", None))
    assert found.matches == 1


def test_undone_moves_do_not_count() -> None:
    hand = Hand().call((ANNA, 300, 0.2), (BEN, 302, 0.2)).call((BEN, 400, 0.2))
    hand.match.undo(2)
    found = statistics([hand.call((CLEO, 900, 0.2)).over(0).kept()])
    assert [(each.who, each.times_ns) for each in found.reactions] == [("Cleo", (900 * MS,))]
    assert (found.verdicts, found.finishes) == (1, ())


def test_correction_changes_the_verdict_not_the_presses() -> None:
    hand = Hand().call((ANNA, 300, 0.2), (BEN, 302, 0.2)).over(0)
    hand.match.amend(1, Move(TABLE, "call", (BEN, 4)))  # the caller, then the answer that the call gives
    found = statistics([hand.kept()])
    assert [(each.who, each.times_ns, each.first) for each in found.reactions] == [
        ("Anna", (300 * MS,), 0),
        ("Ben", (302 * MS,), 1),
    ]
    assert found.finishes[0].winners == ("Ben",)


def test_call_corrected_to_nobody_has_no_winner() -> None:
    hand = Hand().call((ANNA, 300, 0.2), (BEN, 302, 0.2)).over(0)
    hand.match.amend(1, Move(TABLE, "nobody"))
    [finish] = statistics([hand.kept()]).finishes
    assert (finish.winners, finish.tie) == ((), False)


def test_call_corrected_to_early_press_has_no_winner() -> None:
    hand = Hand().call((ANNA, 300, 0.2), (BEN, 302, 0.2)).over(0)
    hand.match.amend(1, Move(TABLE, "early", (ANNA,)))
    found = statistics([hand.kept()])
    assert (found.finishes[0].winners, [each.first for each in found.reactions]) == ((), [0, 0])


def test_tie_corrected_to_early_press_has_no_winner() -> None:
    hand = Hand().call((ANNA, 300, 0.2), (BEN, 300.1, 0.2)).over(0)
    hand.match.amend(1, Move(TABLE, "early", (ANNA,)))
    found = statistics([hand.kept()])
    assert (found.finishes[0].winners, [each.first for each in found.reactions]) == ((), [0, 0])


def test_tie_corrected_to_a_call_has_its_winner() -> None:
    hand = Hand().call((ANNA, 300, 0.2), (BEN, 300.1, 0.2)).over(0)
    hand.match.amend(1, Move(TABLE, "call", (BEN, 4)))
    [finish] = statistics([hand.kept()]).finishes
    assert (finish.winners, finish.tie) == (("Ben",), False)


def test_press_without_an_edge_has_no_reaction_time() -> None:
    found = statistics([Hand().call((ANNA, 300, 9), flags=(LEVEL_ONLY,)).over(0).kept()])
    assert (found.reactions, found.verdicts) == ((), 1)


def test_breaks_and_restarts_are_not_playing_time() -> None:
    hand = Hand().call((ANNA, 300, 0.2)).wait(601).call((ANNA, 300, 0.2)).wait(-900).call((ANNA, 300, 0.2))
    found = statistics([hand.wait(600 - 3).call((ANNA, 300, 0.2)).over(0).kept()])
    assert found.games[0].played_ns == 601 * S


def test_record_without_timestamps_counts_as_untimed() -> None:
    hand = Hand()
    hand.match.push(Move(TABLE, "over", (0,)), "what a match!")
    [game] = statistics([hand.kept()]).games
    assert (game.matches, game.timed, game.played_ns, game.length_ns) == (1, 0, 0, None)


def test_malformed_evidence_is_only_a_comment() -> None:
    hand = Hand()
    hand.match.push(Move(TABLE, "call", (0,)), "t_ns=5 call=9:buzz@1+-1")
    assert statistics([hand.over(0).kept()]).verdicts == 0


# --- Luck -------------------------------------------------------------------------------------------------


def _all(games: list[tuple[int, tuple[int, ...]]]) -> list[KeptRecord]:
    names = ("Anna", "Ben", "Cleo", "Dan", "Eva")
    return [Hand(names[:seats]).over(*winners).kept() for seats, winners in games]


def test_sixty_forty_wins_match_the_chi_square_chance() -> None:
    [game] = statistics(_all([(2, (0,))] * 60 + [(2, (1,))] * 40)).games
    assert game.luck == pytest.approx(0.0455, abs=1e-4)  # chi-square 4 with one degree of freedom
    assert not game.swapped


def test_shared_wins_differ_less_by_luck() -> None:
    """Two of three players share each win, so the variance is a quarter of that of whole wins."""
    pairs = [(3, (0, 1))] * 40 + [(3, (0, 2))] * 40 + [(3, (1, 2))] * 10
    [game] = statistics(_all(pairs)).games
    unequal = 10**2 + 5**2 + 5**2  # 40, 25 and 25 wins; 30 expected
    assert game.luck == pytest.approx(chance_above(unequal / (90 * (1 / 6 - 1 / 9) * 3 / 2), 2))


def test_wins_shared_by_everybody_give_no_luck_value() -> None:
    [game] = statistics(_all([(2, (0, 1))] * 50)).games
    assert game.luck is None


def test_fewer_than_ten_matches_give_no_luck_value() -> None:
    assert statistics(_all([(2, (0,))] * 9)).games[0].luck is None
    assert statistics(_all([(2, (0,))] * 10)).games[0].luck == pytest.approx(chance_above(10, 1))


def test_chance_results_look_unequal_only_rarely() -> None:
    """By chance alone, one table in twenty is below 0.05."""
    luck = random.Random(5)
    rare = 0
    for _ in range(400):
        games = []
        for _ in range(60):
            seats = luck.choice((2, 4))
            games.append((seats, tuple(luck.sample(range(seats), luck.choice((1, 1, 1, 2)) if seats > 2 else 1))))
        found = statistics(_all(games)).games[0].luck
        assert found is not None
        rare += found < 0.05
    assert 10 <= rare <= 32


# --- Properties -------------------------------------------------------------------------------------------

OUTCOMES = st.lists(
    st.integers(2, 5).flatmap(
        lambda seats: st.tuples(
            st.permutations(("Anna", "Ben", "Cleo", "Dan", "Eva")).map(lambda names: tuple(names[:seats])),
            st.sets(st.integers(0, seats - 1), min_size=1).map(sorted),
            st.sampled_from(("goose", "ludo")),
        )
    ),
    max_size=12,
)


@given(OUTCOMES)
def test_shares_of_wins_sum_to_matches(played) -> None:
    found = statistics(Hand(names, tiny(game)).over(*winners).kept() for names, winners, game in played)
    assert found.matches == len(played)
    for rows in (found.players, [seat for game in found.games for seat in game.seats]):
        assert sum(row.wins for row in rows) == len(played)
        assert sum(row.expected for row in rows) == len(played)
        assert all(row.interval[0] <= row.share <= row.interval[1] for row in rows)


@given(OUTCOMES, st.randoms(use_true_random=False))
def test_order_of_records_does_not_matter(played, luck) -> None:
    kept = [Hand(names, tiny(game)).over(*winners).kept() for names, winners, game in played]
    mixed = luck.sample(kept, len(kept))
    assert statistics(kept) == statistics(mixed)

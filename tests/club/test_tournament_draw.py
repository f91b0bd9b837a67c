"""The draw of a tournament: opponents, byes, seats, tables and standings."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.club.draw import rounds_for, sizes_for
from companion.club.schedule import Finished, following, is_over, results, said, seat_advantage
from companion.club.systems import ROUND_ROBIN
from companion.club.tournament import Called, Drawn, GroupResult, Left, Plan, Tables, Tournament
from companion.core.errors import OptionError
from companion.core.text import Text
from companion.records.stats import GameStatistics, Wins
from tests.club.evenings_of_robots import GAME, arrived, plan
from tests.running import for_each


def to_its_end(wanted: Plan, leaving: tuple[str, ...] = ()) -> Tournament:
    tournament = Tournament(wanted)
    gone = list(leaving)
    while event := following(tournament):
        tournament.take(event)
        if isinstance(event, Called):
            for result in results(tournament, arrived(tournament)):
                tournament.take(result)
            if gone:
                tournament.take(Left(gone.pop()))
    return tournament


def met(tournament: Tournament) -> Counter[frozenset[str]]:
    groups = (group for each in tournament.rounds for group in each.drawn.groups)
    return Counter(frozenset(pair) for group in groups for pair in combinations(group, 2))


@given(st.integers(2, 30), st.sampled_from((2, 3, 4, 5)), st.sampled_from(("swiss", "robin")), st.data())
@settings(max_examples=60, deadline=None)
def test_each_round_seats_everybody_once_with_few_byes(
    players: int, seats: int, system: str, data: st.DataObject
) -> None:
    seats = min(seats, players)
    wanted = plan(players, 3, seats, sizes=(2, 3, 4, 5), system=system, rounds=4)
    leaving = data.draw(st.lists(st.sampled_from(wanted.players), unique=True, max_size=min(3, players - seats)))
    tournament = to_its_end(wanted, tuple(leaving))
    assert is_over(tournament)
    assert tournament.over or leaving
    for each in tournament.rounds:
        drawn = [name for group in each.drawn.groups for name in group] + list(each.drawn.out)
        assert len(drawn) == len(set(drawn))
        assert all(abs(len(group) - seats) <= (seats > 2) for group in each.drawn.groups)
    assert set(drawn) == set(tournament.playing) | (set(leaving) & set(drawn))
    if not leaving and system == "swiss":
        often = [tournament.sat_out().get(name, 0) for name in wanted.players]
        assert max(often) - min(often) <= 1
    total = sum((each.points for each in tournament.standings()), Fraction())
    half = sum(Fraction(len(g), 2) for each in tournament.rounds for g in (*each.drawn.groups, each.drawn.out))
    assert total == half, "what one wins another has lost"


def test_players_are_divided_into_allowed_group_sizes() -> None:
    assert sizes_for(64, 4, (2, 3, 4, 5)) == (4,) * 16
    assert sorted(sizes_for(9, 4, (2, 3, 4, 5))) == [4, 5]
    assert sorted(sizes_for(7, 4, (2, 3, 4, 5))) == [3, 4]
    assert sizes_for(7, 2, (2, 3)) == (2, 2, 2)
    assert sizes_for(7, 4, (2, 4)) == (4,)
    assert sizes_for(1, 2, (2,)) == ()


@for_each(6, 7, 8, 15)
def test_pairs_round_robin_meets_everybody_once(players: int) -> None:
    rounds = rounds_for(players, 2, ROUND_ROBIN)
    tournament = to_its_end(plan(players, 4, 2, sizes=(2,), system=ROUND_ROBIN, rounds=rounds))
    names = tournament.plan.players
    assert met(tournament) == {frozenset(pair): 1 for pair in combinations(names, 2)}


@for_each((3, 1), (4, 1), (5, 2), (6, 1), (6, 3), (7, 2))
def test_remaining_players_of_a_round_robin_meet_once(players: int, going: int) -> None:
    for seed in range(20):
        rounds = rounds_for(players, 2, ROUND_ROBIN)
        wanted = plan(players, 4, 2, sizes=(2,), system=ROUND_ROBIN, rounds=rounds, seed=str(seed))
        tournament = to_its_end(wanted, wanted.players[:going])
        assert is_over(tournament)
        found = met(tournament)
        assert {found[frozenset(pair)] for pair in combinations(tournament.playing, 2)} <= {1}
        assert set(found.values()) == {1}


@cache
def swiss(players: int, seats: int) -> Tournament:
    return to_its_end(plan(players, 16, seats, sizes=(2, 3, 4, 5)))


@for_each((64, 4), (64, 2), (30, 3), (25, 5))
def test_swiss_system_avoids_rematches(players: int, seats: int) -> None:
    assert set(met(swiss(players, seats)).values()) == {1}


@for_each(2, 4)
def test_swiss_system_pairs_players_of_equal_points(seats: int) -> None:
    tournament = swiss(64, seats)
    was = Tournament(tournament.plan)
    for each in tournament.rounds[:-1]:
        was.take(each.drawn)
        for result in each.results.values():
            was.take(result)
    points = was.points()

    def apart(pairs: Iterable[tuple[str, str]]) -> Fraction:
        found = [abs(points[one] - points[other]) for one, other in pairs]
        return sum(found, Fraction()) / len(found)

    last = (pair for group in tournament.rounds[-1].drawn.groups for pair in combinations(group, 2))
    assert apart(last) < apart(combinations(points, 2)) / 3


def test_seats_rotate_without_a_known_advantage() -> None:
    tournament = to_its_end(plan(16, 4, rounds=4))
    sat = Counter((name, seat) for r in tournament.rounds for g in r.drawn.groups for seat, name in enumerate(g))
    most = max(sat.values())
    assert most <= 2
    assert sum(times > 1 for times in sat.values()) <= 8, "of 64 seats that were taken"


def test_advantageous_seats_are_evened_out() -> None:
    known = (0.2, 0.05, -0.05, -0.2)

    def gained(tournament: Tournament) -> float:
        """Return the greatest sum of seat advantages of a player after any round."""
        sums, most = Counter[str](), 0.0
        for each in tournament.rounds:
            for group in each.drawn.groups:
                for seat, name in enumerate(group):
                    sums[name] += known[seat]
            most = max(most, *map(abs, sums.values()))
        return most

    one_seat = max(known) + 1e-9
    assert gained(to_its_end(plan(16, 4, rounds=6, advantage=known))) <= one_seat
    assert gained(to_its_end(plan(16, 4, rounds=6))) > one_seat


def test_seat_advantage_needs_more_than_luck() -> None:
    seats = (Wins("1", 100, Fraction(70), Fraction(50)), Wins("2", 100, Fraction(30), Fraction(50)))
    game = GameStatistics("tiny", Text("Tiny"), 100, 0, 0, 0, None, None, seats, 0.0001, swapped=True)
    assert seat_advantage(game) == (0.2, -0.2)
    assert seat_advantage(game._replace(luck=0.2)) == ()
    assert seat_advantage(game._replace(swapped=False)) == ()
    assert seat_advantage(None) == ()


# --- Tables and results -----------------------------------------------------------------------------------


def begun(tables: int = 1) -> Tournament:
    tournament = Tournament(plan(8, tables, sizes=(4,), rounds=2))
    while event := following(tournament):
        tournament.take(event)
    return tournament


def finish(tournament: Tournament, group: int, name: str) -> Finished:
    names = tournament.rounds[-1].drawn.groups[group]
    return Finished(name, GAME, {player: place for place, player in enumerate(names, 1)})


def take_all(tournament: Tournament, *found: Finished) -> int:
    count = 0
    for result in results(tournament, found):
        tournament.take(result)
        count += 1
    return count


def test_waiting_group_is_called_to_a_free_table() -> None:
    tournament = begun()
    assert tournament.rounds[0].called == {0: "T1"}
    tournament.take(Tables(("T2",)))
    assert following(tournament) == Called(0, "T2")
    tournament.take(Called(0, "T2"))
    assert following(tournament) is None
    assert take_all(tournament, finish(tournament, 0, "m")) == 1
    assert following(tournament) == Called(1, "T2")


def test_match_counts_once_however_often_it_arrives() -> None:
    tournament = begun(2)
    one, other = finish(tournament, 0, "m"), finish(tournament, 1, "m")
    assert take_all(tournament, one, one, other, one) == 2, "two tables may give a record the same name"
    assert take_all(tournament, one, other) == 0
    assert tournament.rounds[0].over


def test_match_before_the_round_does_not_count() -> None:
    tournament = Tournament(plan(4, 1, sizes=(4,), rounds=2))
    names = tournament.plan.players
    old = Finished("old", GAME, dict(zip(names, (1, 2, 3, 4), strict=True)))
    drawn = following(tournament, [old])
    assert isinstance(drawn, Drawn)
    tournament.take(drawn)
    assert take_all(tournament, old) == 0
    assert take_all(tournament, old._replace(match="new"), old) == 1
    assert take_all(tournament, old._replace(match="other", game="buntherum")) == 0


def test_house_result_overrides_records() -> None:
    tournament = begun(2)
    take_all(tournament, finish(tournament, 0, "m"))
    names = tournament.rounds[0].drawn.groups[0]
    turned = said(tournament, None, [names[3], "=" + names[2], names[1], names[0]])
    assert turned == GroupResult(1, 0, (4, 3, 1, 1))
    tournament.take(turned)
    points = tournament.points()
    assert [points[name] for name in names] == [0, Fraction(1, 3), Fraction(5, 6), Fraction(5, 6)]
    assert take_all(tournament, finish(tournament, 0, "m"), finish(tournament, 0, "later")) == 0
    with pytest.raises(OptionError, match="are not a group of round 1; did you mean"):
        said(tournament, 1, names[:3])


def test_ties_are_broken_by_opponents_then_first_places() -> None:
    tournament = Tournament(plan(4, 2, 2, sizes=(2,), rounds=2))
    a, b, c, d = tournament.plan.players
    for groups, places in (((a, b), (c, d)), ((1, 2), (1, 1))), (((a, c), (b, d)), ((1, 2), (1, 2))):
        tournament.take(Drawn(groups))
        for group, each in enumerate(places):
            tournament.take(GroupResult(len(tournament.rounds), group, each))
    found = [(each.player, each.points, each.met, each.firsts) for each in tournament.standings()]
    half = Fraction(1, 2)
    assert found == [
        (a, 2, Fraction(3, 4), 2),
        (b, 1, Fraction(5, 4), 1),
        (c, half, Fraction(5, 4), half),
        (d, half, Fraction(3, 4), half),
    ]


def test_byes_and_leavers_count_as_computed_by_hand() -> None:
    tournament = Tournament(plan(5, 2, 2, sizes=(2,), rounds=3))
    a, b, c, d, e = tournament.plan.players
    half = Fraction(1, 2)
    rounds = (
        (((a, b), (c, d)), (e,), ((1, 2), (1, 1))),
        (((a, c), (e, b)), (d,), ((1, 2), (1, 2))),
        (((d, e),), (b, c), ((2, 1),)),
    )
    for number, (groups, out, places) in enumerate(rounds, 1):
        if number == 3:
            tournament.take(Left(a))
        tournament.take(Drawn(groups, out))
        for group, each in enumerate(places):
            tournament.take(GroupResult(number, group, each))
    assert [(each.player, each.points, each.met, each.firsts) for each in tournament.standings()] == [
        (e, Fraction(5, 2), Fraction(3, 4), 2),  # sat out, beat b and d
        (a, 2, Fraction(3, 4), 2),  # beat b and c, and went
        (d, 1, Fraction(7, 4), half),  # a tie with c, sat out, lost to e
        (c, 1, Fraction(3, 2), half),  # a tie with d, lost to a, sat out
        (b, half, Fraction(9, 4), 0),  # lost twice, sat out
    ]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"players": ("A", "A", "B", "C")}, "--names: 'A' appears twice"),
        ({"players": ("A", "", "B", "C")}, "--names: allowed: names, at least 2"),
        ({"tables": ()}, "--tables: allowed: names, at least 1"),
        ({"seats": 3}, "--seats 3: allowed: 4"),
        ({"rounds": 0}, "--rounds 0: allowed: a whole number from 1"),
        ({"system": "swis"}, "--system swis: did you mean 'swiss'"),
    ],
)
def test_unplayable_plan_is_refused_with_a_reason(changed: dict[str, object], says: str) -> None:
    with pytest.raises(OptionError, match=says):
        Tournament(plan(8, 2, sizes=(4,))._replace(**changed))


def test_next_round_waits_for_the_last() -> None:
    tournament = begun(2)
    with pytest.raises(OptionError, match="round 2 cannot be drawn now"):
        tournament.take(tournament.rounds[0].drawn)

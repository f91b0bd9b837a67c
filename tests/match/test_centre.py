"""The result screen: ranks, standings, and the chart of the score."""

from collections.abc import Sequence

import pytest

from companion.core.match import Match
from companion.display.frame import Result
from companion.games import all_games, load
from companion.match import match_screens
from companion.match.new_match import NAMES, new_match
from tests import running


def played(name: str, seats: int, names: Sequence[str] = NAMES) -> Match:
    return running.played(name, tuple(names[:seats]), "result")


def result(match: Match) -> Result:
    return match_screens.result(match, match.outcome)


@pytest.mark.parametrize("name", sorted(all_games()))
def test_chart_ends_with_the_final_score(name: str) -> None:
    match = played(name, load(name).rules.SEATS[-1])
    shown = result(match)
    assert [curve.name for curve in shown.chart.curves] == list(match.names)
    scores = match.game.teller.score(match.view())
    for curve, score in zip(shown.chart.curves, scores, strict=True):
        assert curve.values[-1] == score
        assert len(curve.values) <= match_screens.SAMPLES + 1
    assert len({curve.colour for curve in shown.chart.curves}) == len(match.names)


@pytest.mark.parametrize("name", sorted(all_games()))
def test_each_chart_value_was_public_at_its_time(name: str) -> None:
    match = played(name, load(name).rules.SEATS[-1])
    chart = result(match).chart
    public = {
        match.game.teller.score(match.game.rules.view(match.before(number), None))
        for number in range(1, match.length + 1)
    }
    public.add(match.game.teller.score(match.view()))
    assert set(zip(*(curve.values for curve in chart.curves), strict=True)) <= public


def test_hidden_purses_join_the_chart_at_the_end() -> None:
    chart = result(played("boese_buben", 3)).chart
    assert all(value is None for curve in chart.curves for value in curve.values[:-1])
    assert all(curve.values[-1] is not None for curve in chart.curves)


@pytest.mark.parametrize(
    ("name", "unit"),
    [("buntherum", "card"), ("buro_crazy", "point"), ("boese_buben", "ducat"), ("de_et_boulanger", "sou")],
)
def test_each_standing_names_its_unit(name: str, unit: str) -> None:
    shown = result(played(name, load(name).rules.SEATS[-1]))
    for standing in shown.standings:
        assert unit in standing.how or standing.how == "out"


def test_unusual_names_each_have_one_result_line() -> None:
    names = ("Lee, Anna", "Bo", "Bo")
    match = played("buntherum", 3, names)
    shown = result(match).standings
    assert {standing.seat: standing.name for standing in shown} == dict(enumerate(names))
    view = match.view()
    assert all(standing.how == str(match.game.teller.stands(view, standing.seat)) for standing in shown)


def test_no_seat_has_a_score_before_the_deal() -> None:
    match = new_match(load("buntherum"), NAMES[:3], seed="result")
    assert match.game.teller.score(match.view()) == (None,) * 3

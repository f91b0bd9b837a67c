"""Photo finishes, results, posters, strips and failing scenes."""

from itertools import pairwise
from typing import Final

import pytest

from companion.core.game import Sign
from companion.core.move import Seat
from companion.display import scenes
from companion.display.canvas import Canvas
from companion.display.frame import (
    Beat,
    Chart,
    Curve,
    Frame,
    PhotoFinish,
    Play,
    Poster,
    PressKind,
    PressLine,
    Result,
    ResultLine,
    Side,
)
from companion.display.pages import chart, finish_page
from companion.match.centre import attract
from tests.display import show_moments
from tests.display.gallery import NAMES, drawn, every_size

MS: Final = 1_000_000


# --- Posters ----------------------------------------------------------------------------------------------


def test_attract_screen_shows_every_game() -> None:
    emblems = ["icecream", "figure", "goblin_on_pig", "baker", "die_5", "star"]
    shown = attract(games=[Sign(name, 5, name) for name in emblems])
    canvas = drawn(Frame(1, shown, (Side("Anna"), Side("Ben"))), (800, 480))
    pictures = [placed for placed in canvas.placed if placed.what in emblems]
    assert [placed.what for placed in pictures] == emblems
    assert all(one.rect.right <= other.rect.left for one, other in pairwise(pictures))


# --- Photo finish -----------------------------------------------------------------------------------------


def line(
    seat: int, after_ms: float, half_ms: float = 0.5, kind: PressKind = PressKind.CALL, *, first: bool = False
) -> PressLine:
    return PressLine(seat, NAMES[seat], round(after_ms * MS), round(half_ms * MS), first, kind)


def photo(*lines: PressLine, margin_ms: float = 12.4) -> PhotoFinish:
    colours = ("red", "sky", "yellow", "green", "purple")
    return PhotoFinish(lines, round(margin_ms * MS), MS, "Bo calls first", colours=colours)


def frame(shown: PhotoFinish, seats: int = 3) -> Frame:
    view = show_moments.new(seats).view()
    play = Play("companion.games.buntherum.scene", view, Beat.FINISH, finish=shown)
    return Frame(1, play, tuple(Side(name) for name in NAMES[:seats]))


def words(canvas: Canvas) -> list[str]:
    return [placed.what for placed in canvas.placed]


@every_size
def test_finish_shows_names_distances_and_the_margin(size: tuple[int, int]) -> None:
    found = words(drawn(frame(photo(line(0, 0, first=True), line(1, 12.4), line(2, 57.8))), size))
    assert {"12.4 ms", "+12.4", "+57.8", "flag", "camera", *NAMES[:3]} <= set(found)
    assert found.count("flag") == 1


def test_tie_has_a_flag_for_each_first() -> None:
    tied = photo(line(0, 0, first=True), line(1, 0.4, first=True), line(2, 30), margin_ms=0.4)
    found = words(drawn(frame(tied), (800, 480)))
    assert found.count("flag") == 2
    assert "0.4 ms" in found


@every_size
def test_flag_stays_off_uncertain_names(size: tuple[int, int]) -> None:
    canvas = drawn(frame(photo(line(0, 0, 9, first=True), line(1, 2, 9, first=True), margin_ms=2)), size)
    flags = [placed.rect for placed in canvas.placed if placed.what == "flag"]
    names = [placed.rect for placed in canvas.placed if placed.what in NAMES]
    assert len(flags) == 2
    assert not [flag for flag in flags if flag.collidelist(names) >= 0]


def test_early_and_late_presses_have_their_own_icons() -> None:
    early, late = line(2, -812, kind=PressKind.EARLY), line(1, 3.1, kind=PressKind.LATE)
    canvas = drawn(frame(photo(early, line(0, 0, first=True), late)), (800, 480))
    assert {"cross", "clock", "+3.1"} <= set(words(canvas))


def places(canvas: Canvas, shown: PhotoFinish) -> list[int]:
    lane = canvas.rect.inflate(-100, -100)
    scale = finish_page._Scale(shown, lane, 60)
    return [scale.at(press.after_ns / MS) for press in shown.presses]


def test_presses_are_placed_in_proportion_to_time() -> None:
    shown = photo(line(0, 0, first=True), line(1, 10), line(2, 40))
    first, second, third = places(drawn(frame(shown), (800, 480)), shown)
    assert third - first == pytest.approx(4 * (second - first), abs=3)


# --- Result -----------------------------------------------------------------------------------------------


def result(*standings: ResultLine, curves: tuple[Curve, ...] = ()) -> Frame:
    shown = Result("Bo wins", "the most ducats", standings, "1: again", Chart("Ducats", curves) if curves else None)
    return Frame(1, shown, tuple(Side(name) for name in NAMES[:3]))


CURVES: Final = (
    Curve(0, NAMES[0], (0, 4, 9), "red"),
    Curve(1, NAMES[1], (0, 5, 7), "sky"),
    Curve(2, NAMES[2], (0, 1, 7), "black"),
)


@every_size
def test_tied_players_share_a_rank(size: tuple[int, int]) -> None:
    standings = (
        ResultLine(1, 0, NAMES[0], "9 ducats"),
        ResultLine(2, 1, NAMES[1], "7 ducats"),
        ResultLine(2, 2, NAMES[2], "6 ducats"),
    )
    found = words(drawn(result(*standings, curves=CURVES), size))
    assert {"1", *NAMES[:3], "9 ducats", "7 ducats", "6 ducats"} <= set(found)
    assert found.count("2") == 2


def test_result_without_a_chart_has_its_ranking() -> None:
    found = words(drawn(result(ResultLine(1, 0, NAMES[0], "9 ducats"), ResultLine(2, 1, NAMES[1])), (800, 480)))
    assert {"Bo wins", *NAMES[:2], "9 ducats"} <= set(found)


def test_names_and_standings_may_contain_commas() -> None:
    found = words(drawn(result(ResultLine(1, 0, "Lee, Anna", "12 points, 3 stones")), (800, 480)))
    assert {"Lee, Anna", "12 points, 3 stones"} <= set(found)


def test_players_with_one_name_have_different_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    marks: list[Seat] = []
    monkeypatch.setattr(chart, "mark", lambda canvas, curve, rect: marks.append(curve.seat))
    curves = tuple(curve._replace(name="Bo") for curve in CURVES)
    drawn(result(ResultLine(1, 1, "Bo"), ResultLine(2, 0, "Bo"), ResultLine(3, 2, "Bo"), curves=curves), (800, 480))
    assert marks == [1, 0, 2]


@pytest.mark.parametrize("last", [1, 3])
def test_chart_shows_the_lowest_and_highest_score(last: int) -> None:
    curves = tuple(curve._replace(values=curve.values[-last:]) for curve in CURVES)
    canvas = Canvas(drawn(result(ResultLine(1, 0, NAMES[0])), (800, 480)).surface)
    chart.draw(canvas, Chart("Ducats", curves), canvas.rect.inflate(-300, -200), 20)
    assert words(canvas) == ["Ducats", "0", "9"]


@pytest.mark.parametrize(
    ("ends", "moved"),
    [
        ([10, 60, 90], [10, 60, 90]),
        ([40, 40, 40], [40, 60, 80]),
        ([85, 88, 100], [60, 80, 100]),
        ([], []),
    ],
)
def test_marks_at_line_ends_make_room(ends: list[int], moved: list[int]) -> None:
    assert chart._apart(ends, 20, 100) == moved


# --- Strips -----------------------------------------------------------------------------------------------


def test_strip_shows_older_sentences_that_fit() -> None:
    few = Side("Bo", "The newest", older=("An older one",))
    many = Side("Cleo", "The newest", older=tuple(f"The older sentence number {n}" for n in range(9, 0, -1)))
    told = " ".join(words(drawn(Frame(1, Poster("x"), (few, many)), (800, 480))))
    assert "An older one. The newest" in told
    assert "number 1. The newest" in told
    assert "number 9" not in told


# --- Scenes that fail -------------------------------------------------------------------------------------


class Failing:
    """A scene with an error."""

    def centre(self, *_: object) -> None:
        raise ZeroDivisionError

    def strip(self, *_: object) -> None:
        raise KeyError("seat")


@pytest.mark.logs_errors
def test_strips_continue_when_a_scene_fails(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(scenes, "scene_of", lambda name: Failing())
    sides = (Side("Bo", "Press 1 or 2", seat=Seat(0)), Side("Cleo", "Wait", seat=Seat(1)))
    told = words(drawn(Frame(1, Play("failing", None), sides), (800, 480)))
    assert {"Bo", "Press 1 or 2", "Cleo", "Wait", "wrench"} <= set(told)
    assert "the scene failing" in caplog.text
    assert "how seat 2 stands, by the scene failing" in caplog.text

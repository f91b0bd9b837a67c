"""Strips that cut no letter, open cards that give no hint, and frames of Buntherum that are as they are called."""

import itertools

import gallery
import pytest

from companion.core.console import Lamp
from companion.display import theme
from companion.display.canvas import Canvas
from companion.display.frame import Frame, Play, Poster, Side
from companion.display.geometry import Glass
from companion.display.layout import layout

TURNS = range(4)


@pytest.fixture(params=gallery.ALL_SIZES, ids=lambda size: "{}x{}".format(*size))
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    return request.param


@pytest.fixture(params=TURNS, ids=lambda turn: f"turn{turn}")
def turn(request: pytest.FixtureRequest) -> int:
    return request.param


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("Éggjpqy", ""),
        ("Éggjpqy", "jugglers guess pyjamas"),
        # Above two lines of a note an accent may lose a pixel.
        ("Eggjpqy", "Égypte, Ångström: jugglers guess any pyjamas"),
    ],
)
def test_no_letter_is_cut_at_the_rim_of_a_strip(size, turn, name, note):
    for seats in gallery.SEATS:
        sides = (Side(name, note, lit=True),) * seats
        canvas = gallery.drawn(Frame(0, Poster("Title"), sides), size, turn)
        plan = layout(size, seats, Glass(turn=turn))
        for strip in plan.strips:
            inside = strip.rect.inflate(-plan.cap_px // 8, -plan.cap_px // 8)
            part = canvas.surface.subsurface(inside)
            width, height = inside.size
            rim = {part.get_at((x, y))[:3] for x in range(width) for y in (0, height - 1)}
            rim |= {part.get_at((x, y))[:3] for x in (0, width - 1) for y in range(height)}
            assert rim == {theme.LIT}, (seats, strip)


# --- No hint while a call is open -------------------------------------------------------------------------


def _pixels(canvas: Canvas) -> bytes:
    return gallery.pygame.image.tobytes(canvas.surface, "RGB")


@pytest.mark.parametrize("seats", gallery.SEATS)
def test_the_open_card_gives_no_hint_which_rows_fit(tmp_path, seats):
    """Two positions that look the same, though the card fits into different rows (BH-A25: printed_counts)."""
    strict = gallery.new(seats)
    while True:
        loose = gallery.new(seats, laid=False, printed_counts=False)
        for move in strict.moves[1:]:
            loose.push(move)
        card = strict.state.card
        if card >= 0 and gallery.fitting(strict, card) != gallery.fitting(loose, card):
            break
        if card >= 0:
            strict.push(gallery.Move(gallery.TABLE, "nobody"))
        draws = strict.game.rules.draws(strict.state)
        strict.push(draws[strict.length % len(draws)])
    frames = [gallery.Table(tmp_path / str(n), match).frame for n, match in enumerate((strict, loose))]
    for size in gallery.ALL_SIZES:
        assert _pixels(gallery.drawn(frames[0], size)) == _pixels(gallery.drawn(frames[1], size))


@pytest.mark.parametrize("seats", gallery.SEATS)
def test_the_open_card_gives_no_hint_what_comes_next(tmp_path, seats):
    """Another seed, so other cards below: the same picture."""
    match = gallery.flip(gallery.fill(gallery.new(seats), 3, 8))
    other = gallery.Match(match.game, match.names, tags={**match._tags, "Seed": "another"})
    for move in match.moves:
        other.push(move)
    frames = [gallery.Table(tmp_path / str(n), one).frame for n, one in enumerate((match, other))]
    assert _pixels(gallery.drawn(frames[0], (800, 480))) == _pixels(gallery.drawn(frames[1], (800, 480)))


@pytest.mark.parametrize("name", ["open", "open_long", "open_direct", "tie", "eliminated"])
def test_all_who_may_call_see_the_same(all_frames, name):
    for seats, frames in all_frames.items():
        if name not in frames:
            continue
        frame = frames[name]
        assert isinstance(frame.screen, Play)
        callers = frame.screen.view.callers
        sides = [frame.sides[seat] for seat in callers]
        assert len({(side.note, side.lit, side.tone) for side in sides}) == 1, seats
        assert len({frame.panels[seat].lamp for seat in callers}) == 1
        others = set(range(seats)) - set(callers)
        assert all(frame.panels[seat].lamp == Lamp.OFF for seat in others)
        assert frame.calls_open


def test_a_tie_lights_those_who_play_it_off(all_frames):
    for seats in (3, 5):
        frame = all_frames[seats]["tie"]
        assert [side.lit for side in frame.sides] == [True, True] + [False] * (seats - 2)


# --- The gallery itself -----------------------------------------------------------------------------------


def test_the_gallery_shows_what_its_names_say(all_frames):
    for seats, frames in all_frames.items():
        views = {name: frame.screen.view for name, frame in frames.items() if isinstance(frame.screen, Play)}
        assert max(map(len, views["open_long"].rows)) >= 6
        assert len(views["tie"].callers) == 2
        assert views["judge"].card == gallery.UNKNOWN
        assert views["over"].outcome
        assert {views[name].phase for name in ("ready", "right", "wrong")} == {"ready"}
        assert [frames[name].sides[0].tone for name in ("right", "wrong")] == ["good", "bad"]
        assert len(frames["correct"].screen.items) == 6
        if seats > 2:
            assert views["eliminated"].gone == (1,)
            assert " win" in frames["shared"].screen.title
            assert [standing.place for standing in frames["shared"].screen.standings][:2] == [1, 1]


def test_the_gallery_is_the_same_every_time(all_frames, tmp_path):
    again = gallery.frames(tmp_path, 3)
    assert list(again) == list(all_frames[3])
    for name, frame in again.items():
        assert frame.looks_like(all_frames[3][name]), name


def test_frames_differ(all_frames):
    for one, other in itertools.combinations(all_frames[3].items(), 2):
        assert not one[1].looks_like(other[1]), (one[0], other[0])

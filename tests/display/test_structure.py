"""Strips that cut no letter, and open cards without hints."""

import itertools

import pytest

from companion.core.console import Lamp
from companion.display import theme
from companion.display.frame import Frame, Poster, Side
from companion.display.geometry import ScreenGeometry
from companion.display.layout import layout
from tests.display import gallery, show_bh


@pytest.mark.parametrize(("size", "turn"), gallery.GLASSES)
@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("Éggjpqy", ""),
        ("Éggjpqy", "jugglers guess pyjamas"),
        # Above two lines of a note an accent may lose a pixel.
        ("Eggjpqy", "Égypte, Ångström: jugglers guess any pyjamas"),
    ],
)
def test_no_letter_is_cut_at_a_strips_rim(size, turn, name, note):
    for seats in gallery.SEATS:
        sides = (Side(name, note, lit=True),) * seats
        canvas = gallery.drawn(Frame(0, Poster("Title"), sides), size, turn)
        plan = layout(size, seats, ScreenGeometry(turn=turn))
        for strip in plan.strips:
            inside = strip.rect.inflate(-plan.cap_px // 8, -plan.cap_px // 8)
            part = canvas.surface.subsurface(inside)
            width, height = inside.size
            rim = {part.get_at((x, y))[:3] for x in range(width) for y in (0, height - 1)}
            rim |= {part.get_at((x, y))[:3] for x in (0, width - 1) for y in range(height)}
            assert rim == {theme.LIT}, (seats, strip)


# --- No hint while a call is open -------------------------------------------------------------------------


@pytest.mark.parametrize("seats", gallery.SEATS)
def test_open_card_does_not_hint_which_rows_fit(tmp_path, seats):
    """Two positions look the same, though the card fits different rows (BH-A25: printed_counts)."""
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
        assert gallery.pixels(frames[0], size) == gallery.pixels(frames[1], size)


@pytest.mark.parametrize("seats", gallery.SEATS)
def test_open_card_does_not_hint_the_next_card(tmp_path, seats):
    """Another seed gives the same picture."""
    match = gallery.flip(gallery.fill(gallery.new(seats), 3, 8))
    other = gallery.Match(match.game, match.names, tags={**match._tags, "Seed": "another"})
    for move in match.moves:
        other.push(move)
    frames = [gallery.Table(tmp_path / str(n), one).frame for n, one in enumerate((match, other))]
    assert gallery.pixels(frames[0], gallery.WIDE) == gallery.pixels(frames[1], gallery.WIDE)


@pytest.mark.parametrize("seats", show_bh.SEATS)
def test_all_possible_callers_see_the_same(frames_of, seats):
    frames = frames_of("buntherum")[seats]
    for name in {"open", "open_long", "open_direct", "tie_open", "eliminated"} & frames.keys():
        frame = frames[name]
        callers = frame.screen.view.callers
        sides = [frame.sides[seat] for seat in callers]
        assert len({(side.note, side.lit, side.tone) for side in sides}) == 1, name
        assert len({frame.panels[seat].lamp for seat in callers}) == 1
        others = set(range(seats)) - set(callers)
        assert all(frame.panels[seat].lamp == Lamp.OFF for seat in others)
        assert frame.calls_open


def test_tie_lights_its_players(frames_of):
    frame = frames_of("buntherum")[5]["tie_open"]
    assert [side.lit for side in frame.sides] == [True, True, False, False, False]


def test_frames_are_reproducible_and_distinct(tmp_path):
    one, again = (show_bh.frames(tmp_path / name, 3) for name in ("one", "again"))
    assert list(one) == list(again)
    assert all(frame.looks_like(again[name]) for name, frame in one.items())
    for (name, frame), (another, other) in itertools.combinations(one.items(), 2):
        assert not frame.looks_like(other), (name, another)

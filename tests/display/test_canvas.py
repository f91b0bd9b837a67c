"""The canvas: texts, pictures, turned parts, recorded items."""

import pygame
import pytest
from pygame import Rect

from companion.core.console import BUZZ
from companion.display import theme
from companion.display.canvas import (
    CENTRE,
    LEAST_CAP_PX,
    LEFT,
    RIGHT,
    Canvas,
    Target,
    if_it_fits,
    lines_height,
    piece,
)
from companion.display.frame import Look
from companion.display.theme import Style

ROOM = Rect(20, 10, 200, 40)
STYLE = Style(20)
CONTRAST = Look(high_contrast=True)


@pytest.fixture
def canvas() -> Canvas:
    canvas = Canvas(pygame.Surface((240, 120), 0, 32))
    canvas.fill(theme.BACKGROUND)
    return canvas


def drawn(canvas: Canvas, on: theme.Colour = theme.BACKGROUND) -> Rect:
    mask = pygame.mask.from_threshold(canvas.surface, on, (1, 1, 1, 255))
    mask.invert()
    rects = mask.get_bounding_rects()
    return rects[0].unionall(rects[1:])


# --- One line ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("align", [LEFT, CENTRE, RIGHT])
def test_text_is_aligned_in_its_room(canvas, align):
    rect = canvas.text("Hello", ROOM, STYLE, align=align)
    (placed,) = canvas.placed
    assert placed.what == "Hello"
    assert placed.room == ROOM
    assert (placed.cap_px, placed.colour, placed.on) == (20, theme.TEXT, theme.BACKGROUND)
    assert ROOM.inflate(2, 2).contains(placed.rect)
    assert rect.contains(drawn(canvas))
    edges = {
        LEFT: rect.left == ROOM.left,
        CENTRE: abs(rect.centerx - ROOM.centerx) <= 1,
        RIGHT: rect.right == ROOM.right,
    }
    assert edges[align]


def test_capitals_stay_in_the_recorded_area(canvas):
    canvas.text("HALT", ROOM, STYLE)
    assert canvas.placed[0].rect.contains(drawn(canvas))


def test_wide_text_shrinks(canvas):
    canvas.text("a much longer text than fits there", ROOM, STYLE)
    (placed,) = canvas.placed
    assert LEAST_CAP_PX < placed.cap_px < 20
    assert placed.rect.width <= ROOM.width
    assert theme.text_width(placed.what, Style(placed.cap_px + 1)) > ROOM.width, "smaller than it had to be"


def test_text_that_never_fits_is_truncated(canvas):
    canvas.text("W" * 300, ROOM, STYLE)
    (placed,) = canvas.placed
    assert placed.cap_px == LEAST_CAP_PX
    assert placed.what.endswith("W…")
    assert ROOM.width - theme.text_width("W", Style(LEAST_CAP_PX)) < placed.rect.width <= ROOM.width


def test_empty_text_draws_nothing(canvas):
    assert canvas.text("", ROOM, STYLE).size == (0, 0)
    canvas.lines("", ROOM, STYLE)
    assert canvas.placed == []


def test_background_colour_is_recorded(canvas):
    canvas.text("on paper", ROOM, STYLE, on=theme.PAPER)
    canvas.fill(theme.LIT)
    canvas.text("on light", ROOM, STYLE)
    assert [item.on for item in canvas.placed] == [theme.PAPER, theme.LIT]
    assert canvas.surface.get_at((0, 0))[:3] == theme.LIT


# --- Lines ------------------------------------------------------------------------------------------------


def test_lines_break_between_words(canvas):
    room = Rect(10, 10, 200, 100)
    canvas.lines("one two three four five six seven", room, Style(16))
    texts = [item.what for item in canvas.placed]
    assert len(texts) > 1
    assert " ".join(texts) == "one two three four five six seven"
    for item in canvas.placed:
        assert item.room == room
        assert room.contains(item.rect)
    for above, below in zip(canvas.placed, canvas.placed[1:], strict=False):
        assert above.rect.bottom <= below.rect.top + 1


def test_lines_shrink_until_they_fit(canvas):
    room = Rect(10, 10, 200, 60)
    canvas.lines("one two three four five six seven eight nine ten", room, Style(30))
    assert canvas.placed[0].cap_px < 30
    assert len({item.cap_px for item in canvas.placed}) == 1
    assert all(room.contains(item.rect) for item in canvas.placed)


def test_overlong_word_is_broken_without_loss(canvas):
    path = "/dev/null/volumes/family-table/an-unusually-long-folder-name/companion/matches"
    room = Rect(10, 0, 220, 120)
    canvas.lines(f"in {path} now", room, Style(14))
    assert "".join(item.what for item in canvas.placed).replace(" ", "") == f"in{path}now"
    assert all(item.rect.width <= room.width for item in canvas.placed)


def test_ordinary_word_is_not_broken(canvas):
    canvas.lines("Something is wrong", Rect(10, 0, 120, 120), Style(40))
    assert " ".join(item.what for item in canvas.placed) == "Something is wrong"
    assert "Something" in [item.what for item in canvas.placed]
    assert all(item.rect.width <= 120 for item in canvas.placed)


def test_path_breaks_after_its_separators(canvas):
    canvas.lines("/home/family/companion/matches/of-last-year", Rect(10, 0, 220, 120), Style(16))
    rows = [item.what for item in canvas.placed]
    assert len(rows) > 1
    assert all(row[-1] in "/-" for row in rows[:-1])


def test_descenders_clear_the_next_line(canvas):
    """Lines may be closer than the font's spacing."""
    above, below = (theme.text_surface(text, Style(30)) for text in ("gjpqy", "ÉHÀÎ"))
    bottom = pygame.mask.from_surface(above).get_bounding_rects()
    top = pygame.mask.from_surface(below).get_bounding_rects()
    lowest = max(rect.bottom for rect in bottom)
    highest = min(rect.top for rect in top)
    line = lines_height("x", 500, Style(30))
    assert lowest <= line + highest + 30 * 0.3, "an accent may touch a descender, a capital may not"


def test_height_of_lines_is_known_in_advance():
    one = lines_height("short", 500, STYLE)
    assert lines_height("two lines here", theme.text_width("two lines", STYLE), STYLE) == 2 * one


# --- Pictures and turns -----------------------------------------------------------------------------------


def test_picture_fits_and_is_recorded(canvas):
    canvas.picture("car", Rect(10, 10, 80, 60), theme.INKS["red"], on=theme.PAPER, turn=1)
    (placed,) = canvas.placed
    assert (placed.what, placed.cap_px, placed.on) == ("car", 0, theme.PAPER)
    assert placed.rect.size in {(60, 60), (61, 61)}, "SDL rounds some sizes of drawings up"
    assert placed.rect.center == placed.room.center


@pytest.mark.parametrize(
    ("turn", "corner"), [(0, (10, 20)), (1, (10, 79)), (2, (149, 79)), (3, (149, 20)), (4, (10, 20)), (5, (10, 79))]
)
def test_turned_part_begins_at_the_readers_left(canvas, turn, corner):
    """`corner` is the reader's upper left one."""
    area = Rect(10, 20, 140, 60)

    def paint(inner: Canvas) -> None:
        inner.surface.fill((255, 0, 0), (0, 0, 1, 1))
        inner.targets.append(Target(Rect(0, 0, 8, 4), 3, BUZZ))
        inner.text("Hi", Rect(0, 0, 60, 30), Style(12), align=LEFT)

    canvas.turned(area, turn, paint, on=theme.PANEL)
    assert canvas.surface.get_at(corner)[:3] == (255, 0, 0)
    (target,) = canvas.targets
    assert target.rect.collidepoint(corner)
    assert area.contains(target.rect)
    assert target.rect.size == ((8, 4) if turn % 2 == 0 else (4, 8))
    (placed,) = canvas.placed
    assert placed.room.collidepoint(corner)
    assert area.contains(placed.room)
    assert placed.on == theme.PANEL
    ink = pygame.mask.from_threshold(canvas.surface, theme.TEXT, (40, 40, 40, 255)).get_bounding_rects()
    assert placed.rect.inflate(2, 2).contains(ink[0].unionall(ink[1:]))


def test_turns_of_nested_parts_add_up(canvas):
    canvas.turned(Rect(0, 0, 120, 120), 1, lambda inner: inner.turned(inner.rect, 3, _dot))
    assert canvas.surface.get_at((0, 0))[:3] == (255, 0, 0)


def _dot(inner: Canvas) -> None:
    inner.surface.fill((255, 0, 0), (0, 0, 1, 1))


def test_panel_has_a_coloured_outline(canvas):
    canvas.panel(Rect(10, 10, 60, 40), theme.PANEL, outline=theme.LIT)
    assert canvas.surface.get_at((40, 30))[:3] == theme.PANEL
    assert canvas.surface.get_at((40, 11))[:3] == theme.LIT
    assert canvas.surface.get_at((10, 10))[:3] == theme.BACKGROUND, "round corners"


def test_target_moves():
    assert Target(Rect(1, 2, 3, 4), 0, BUZZ).moved((10, 20)) == Target(Rect(11, 22, 3, 4), 0, BUZZ)


# --- Looks ------------------------------------------------------------------------------------------------


def test_ground_darkens_in_high_contrast_only():
    picture = pygame.Surface((40, 40), 0, 32)
    picture.fill((100, 60, 200))
    for look, colour in ((Look(), (100, 60, 200)), (CONTRAST, (40, 24, 80))):
        canvas = Canvas(pygame.Surface((240, 120), 0, 32), look=look)
        canvas.fill(theme.LIT)
        canvas.ground(picture, Rect(10, 10, 40, 40))
        assert canvas.surface.get_at((20, 20))[:3] == pytest.approx(colour, abs=1)
        assert canvas.surface.get_at((60, 60))[:3] == canvas.tone(theme.LIT), "what is beside it stays"


@pytest.mark.parametrize(("colour", "edged"), [(theme.PANEL, True), (theme.BACKGROUND, True), (theme.LIT, False)])
def test_dark_panel_has_an_edge_in_high_contrast(colour, edged):
    for look, wanted in ((CONTRAST, edged), (Look(), False)):
        canvas = Canvas(pygame.Surface((240, 120), 0, 32), look=look)
        canvas.panel(ROOM, colour)
        assert (canvas.surface.get_at(ROOM.midtop)[:3] == theme.EDGE) == wanted


def test_placed_items_record_the_visible_colours():
    canvas = Canvas(pygame.Surface((240, 120), 0, 32), look=CONTRAST)
    canvas.fill(theme.PANEL)
    canvas.text("Anna", ROOM, Style(20, theme.LIT))
    canvas.turned(Rect(0, 60, 240, 60), 2, lambda inner: inner.text("Ben", inner.rect, STYLE), on=theme.LIT)
    assert [(item.colour, item.on) for item in canvas.placed] == [
        (theme.STRONG[theme.LIT], theme.BLACK),
        (theme.WHITE, theme.STRONG[theme.LIT]),
    ]


def test_flying_piece_looks_as_on_the_table():
    for look in (Look(), CONTRAST):
        canvas = Canvas(pygame.Surface((48, 48), 0, 32), look=look)
        canvas.fill(theme.BACKGROUND)
        flying = canvas.surface.copy()
        canvas.picture("chip", canvas.rect, theme.CHIP)
        flying.blit(piece("chip", theme.CHIP, 48, look), (0, 0))
        assert pygame.image.tobytes(flying, "RGB") == pygame.image.tobytes(canvas.surface, "RGB")


def test_large_text_is_used_only_where_it_fits():
    large = Style(30)
    assert if_it_fits("Anna", 200, large, 20) == large
    assert if_it_fits("Anna is the first of all", 200, large, 20) == Style(20)


# --- Parts of a room, and stamps --------------------------------------------------------------------------


def test_stamped_items_are_placed_at_their_new_position() -> None:
    drawn = Canvas(pygame.Surface((40, 40)))
    drawn.picture("star", Rect(5, 5, 20, 20), theme.LIT)
    canvas = Canvas(pygame.Surface((100, 100)))
    canvas.stamp(drawn, Rect(30, 50, 40, 40))
    (item,) = canvas.placed
    assert (item.what, tuple(item.room)) == ("star", (35, 55, 20, 20))
    assert canvas.surface.get_at(item.rect.center) == drawn.surface.get_at(drawn.placed[0].rect.center)


@pytest.mark.parametrize("size", [(0, 20), (20, 0), (-2, 20)])
def test_picture_without_room_is_not_drawn(canvas, size):
    canvas.picture("arrow", Rect((50, 50), size), theme.TEXT, turn=1)
    assert canvas.placed == []

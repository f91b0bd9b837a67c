"""Draws a frame: strips at the edges, and a scene or a page in the centre."""

from collections.abc import Callable, Sequence
from itertools import cycle
from typing import Any, Final

import pygame
from pygame import Rect

from companion.core.console import BUZZ
from companion.core.place import HOUSE, TouchArea, by_place
from companion.display import cut, house_band, scenes, strips, theme
from companion.display.canvas import Canvas, Target
from companion.display.celebration import Celebration
from companion.display.countdown import Countdown
from companion.display.frame import (
    CELEBRATION_NS,
    Beat,
    BoxPage,
    Frame,
    HelpPage,
    HousePlace,
    JoinPage,
    Menu,
    PastMatches,
    Play,
    Poster,
    PrivatePicture,
    Result,
    Screen,
    Wall,
)
from companion.display.geometry import ScreenGeometry
from companion.display.layout import Layout, layout, least_cap_px
from companion.display.pages import (
    box_page,
    finish_page,
    help_page,
    join_page,
    menu_page,
    past_page,
    result_page,
    self_test_edges,
    self_test_page,
    stats_page,
    wall_page,
)
from companion.display.rows import StatsPage
from companion.display.self_test_rows import Findings, SelfTest
from companion.display.theme import Style

PRIVATE_CAP: Final = 0.09  # the capitals of a screen in a player's hand, relative to its shorter side


def plan_of(size: tuple[int, int], frame: Frame, geometry: ScreenGeometry) -> Layout:
    """Return a frame's layout, with room for the house's band."""
    return house_band.make_room(_whole_plan(size, frame, geometry), _house(frame))[0]


def _house(frame: Frame) -> HousePlace | None:
    return frame.screen.house if isinstance(frame.screen, Play) else None


def _whole_plan(size: tuple[int, int], frame: Frame, geometry: ScreenGeometry) -> Layout:
    # The self-test needs all the room of its strips.
    large = frame.look.large_text and not isinstance(frame.screen, SelfTest | Findings)
    places = [side.place for side in frame.sides if side.place is not None]
    plan = layout(size, max(1, len(frame.sides)), geometry, large=large, places=places)
    plan = plan._replace(centre=plan.centre.inflate(-plan.unit_px // 6, -plan.unit_px // 6))
    return plan.thicker_strips if large else plan


def draw(canvas: Canvas, frame: Frame, geometry: ScreenGeometry = ScreenGeometry()) -> None:  # noqa: B008  a value
    canvas.look = frame.look
    canvas.fill(theme.BACKGROUND)
    if isinstance(frame.screen, Wall):
        wall_page.draw(canvas, frame.screen)
        return
    house = _house(frame)
    plan, band = house_band.make_room(_whole_plan(canvas.rect.size, frame, geometry), house)
    canvas.cap_px = plan.unit_px
    strips.draw(canvas, frame, plan)
    screen = frame.screen
    if isinstance(screen, Poster | HelpPage | BoxPage | JoinPage | Result):
        canvas.targets.append(Target(plan.centre, HOUSE, "ok"))
        for (number, strip), side in zip(by_place(plan.strips), frame.sides, strict=False):
            canvas.targets.append(Target(strip.rect, number if side.place is None else side.place, BUZZ))
    if not isinstance(screen, Play):
        canvas.turned(plan.centre, plan.turn, lambda inner: draw_page(inner, screen, plan))
    elif screen.beat == Beat.FINISH and screen.finish:
        photo = screen.finish
        canvas.turned(
            plan.centre,
            plan.turn,
            lambda inner: finish_page.draw(inner, photo, _page(inner, plan), plan.cap_px),
        )
    else:
        scenes.draw_centre(canvas, plan.of_scene, screen)
    if house and band:
        canvas.turned(band, plan.turn, lambda inner: house_band.draw(inner, house, plan.unit_px))
    if isinstance(screen, SelfTest | Findings):
        self_test_edges.rim(canvas, plan.unit_px)


def pixels(size: tuple[int, int], frame: Frame) -> bytes:
    """Return a frame as rows of RGB pixels, without a window."""
    surface = pygame.Surface(size, 0, 32)
    draw(Canvas(surface, noted=False), frame)
    return pygame.image.tobytes(surface, "RGB")


def private_pixels(size: tuple[int, int], picture: PrivatePicture) -> tuple[bytes, tuple[TouchArea, ...]]:
    """Return a seat's private picture as rows of RGB pixels, and its touch areas."""
    surface = pygame.Surface(size, 0, 32)
    canvas = Canvas(surface, cap_px=round(min(size) * PRIVATE_CAP), look=picture.look)
    draw_private(canvas, picture)
    areas = [
        TouchArea(keys, label, _share(canvas.things.get(thing), size)) for keys, label, thing in picture.touches
    ]
    return pygame.image.tobytes(surface, "RGB"), tuple(areas)


def _share(rect: Rect | None, size: tuple[int, int]) -> tuple[float, float, float, float] | None:
    if rect is None:
        return None
    width, height = size
    shares = rect.left / width, rect.top / height, rect.width / width, rect.height / height
    return tuple(round(share, 4) for share in shares)  # type: ignore[return-value]


def draw_private(canvas: Canvas, picture: PrivatePicture) -> None:
    """Draw a seat's private picture over the whole canvas."""
    canvas.fill(theme.BACKGROUND)
    scene: Any = scenes.scene_of(picture.scene)  # only scenes of consoles with `own` have `private`
    scene.private(canvas, picture.own)


def draw_page(canvas: Canvas, page: Screen, plan: Layout) -> None:
    """Draw a page over the whole canvas, which is the centre of the display."""
    _PAINTERS[type(page)](canvas, page, _page(canvas, plan), plan)


def countdown_of(
    frame: Frame, size: tuple[int, int], geometry: ScreenGeometry, dark: pygame.Surface
) -> Countdown | None:
    """Return a frame's countdown, or None. Draw the unlit strips on `dark`."""
    if frame.limit is None:
        return None
    plan = plan_of(size, frame, geometry)
    unlit = tuple(side._replace(lit=False, tone="") for side in frame.sides)
    canvas = Canvas(dark, cap_px=plan.unit_px, look=frame.look, noted=False)
    strips.draw(canvas, frame._replace(sides=unlit, limit=None), plan)
    countdown, play = Countdown.of(frame, strips.rects(plan), dark), frame.screen
    if countdown and isinstance(play, Play) and play.beat == Beat.CALM and scenes.has_figures(play):

        def figures(surface: pygame.Surface, left: float) -> None:
            drawn = Canvas(surface, cap_px=plan.unit_px, look=frame.look, noted=False)
            scenes.draw_running(drawn, plan.of_scene, play, left)

        return countdown._replace(figures=figures)
    return countdown


def celebration_of(
    frame: Frame, picture: pygame.Surface, other: pygame.Surface, geometry: ScreenGeometry, now_ns: int
) -> Celebration:
    """Return the celebration of the result on `picture`. Draw the strips' other light on `other`."""
    plan = plan_of(picture.get_size(), frame, geometry)
    won = tuple(side.tone == "good" for side in frame.sides)
    lit = tuple(side._replace(lit=True, tone="") for side in frame.sides)
    strips.draw(Canvas(other, cap_px=plan.unit_px, look=frame.look, noted=False), frame._replace(sides=lit), plan)
    rects = tuple(rect for rect, is_won in zip(strips.rects(plan), won, strict=False) if is_won)
    time_ns = 2 * CELEBRATION_NS if frame.look.unhurried else CELEBRATION_NS
    return Celebration(picture, other, rects, plan.centre, now_ns, time_ns)


def _page(canvas: Canvas, plan: Layout) -> Rect:
    return canvas.rect.inflate(-plan.unit_px // 2, 0)


def _poster(canvas: Canvas, poster: Poster, rect: Rect, plan: Layout) -> None:
    cap_px = plan.cap_px
    colour = theme.LIT if poster.trouble else theme.TEXT
    title_style = Style(round(cap_px * 1.15), colour, bold=True)
    words, parts = rect, [(" ".join(poster.lines), Style(round(cap_px * 0.64)))]
    parts.append((poster.hint, Style(round(cap_px * 0.54), theme.FAINT)))
    if len(poster.pictures) > 1:
        words = _row_of_pictures(canvas, poster.pictures[1:], words, plan)
    one_line = title_style._replace(cap_px=round(plan.unit_px * 0.95))
    if rect.width > rect.height and theme.text_width(poster.title, one_line) <= rect.width:
        title, words = cut.top(words, round(plan.unit_px * 1.5))
        canvas.text(poster.title, title, one_line)
    else:
        parts.insert(0, (poster.title, title_style))
    if poster.pictures:
        words = _large_picture(canvas, poster, words, plan)
    canvas.paragraphs(parts, words, cap_px, least_cap_px(cap_px))


def _row_of_pictures(canvas: Canvas, names: Sequence[str], rect: Rect, plan: Layout) -> Rect:
    """Draw a poster's small pictures and return the room above them."""
    cap_px = plan.unit_px
    high = min(round(cap_px * 1.9 * cap_px / plan.cap_px), rect.width // len(names), rect.height // 4)
    step = min(rect.width // len(names), high * 2)
    left = rect.centerx - step * len(names) // 2
    row, words = cut.bottom(rect, high, cap_px // 6)
    colours = cycle(("yellow", "sky", "green", "orange"))
    for place, (name, colour) in enumerate(zip(names, colours, strict=False)):
        canvas.picture(name, Rect(left + place * step, row.top, step, high), theme.INKS[colour])
    return words


def _large_picture(canvas: Canvas, poster: Poster, rect: Rect, plan: Layout) -> Rect:
    """Draw a poster's large picture and return the room for its text."""
    gap = plan.unit_px // 3
    wide, high = (0.19, 0.28) if plan.large else (0.34, 0.38)
    ink = theme.CHIP if poster.trouble or poster.pictures[0] == "buzzer" else theme.INKS["sky"]
    room, words = cut.picture(rect, min(round(rect.width * wide), rect.height), round(rect.height * high), gap)
    canvas.picture(poster.pictures[0], room.inflate(-gap, -gap), ink)
    return words


_PAINTERS: Final[dict[type, Callable[[Canvas, Any, Rect, Layout], None]]] = {
    Poster: _poster,
    Menu: menu_page.draw,
    HelpPage: help_page.draw,
    BoxPage: box_page.draw,
    JoinPage: join_page.draw,
    Result: result_page.draw,
    PastMatches: past_page.draw,
    StatsPage: stats_page.draw,
    SelfTest: self_test_page.board,
    Findings: self_test_page.findings,
}

"""The scene of games that have none: the position in words, scores on the strips."""

from collections.abc import Sequence

from pygame import Rect

from companion.core.move import Seat
from companion.display import cut, theme, widgets
from companion.display.canvas import Canvas
from companion.display.frame import Look, Plain, Play
from companion.display.layout import Layout
from companion.display.motion import Flight
from companion.display.theme import Colour, Style


def centre(canvas: Canvas, plan: Layout, play: Play) -> None:
    """Draw the position in words, with the latest event below it."""
    plain = _plain(play)
    canvas.turned(plan.centre, plan.turn, lambda inner: _page(inner, plain, plan.cap_px))


def strip(canvas: Canvas, rect: Rect, play: Play, seat: Seat, ink: Colour) -> Rect:
    """Draw a seat's score, mark and winner's cup. Return the strip's remaining room."""
    plain, height = _plain(play), rect.height
    gap = height // 8
    if seat in plain.winners:
        won, rect = cut.right(rect, height, gap)
        canvas.picture("cup_trophy", won, theme.LIT)
    score = plain.scores[seat]
    if score is not None:
        style = Style(round(height * 0.76), ink, bold=True)
        wide = max(theme.text_width("00", style), theme.text_width(str(score), style))
        room, rect = cut.right(rect, wide, gap)
        widgets.number(canvas, room, score, style)
    badge = cut.sized(round(height * 0.72), round(height * 0.72), midright=rect.midright)
    canvas.panel(badge, theme.PAPER, badge.width // 4)  # marks are designed for paper
    colour = widgets.known_colour(plain.colours[seat], seat)
    widgets.mark(canvas, theme.MARKS[colour], badge.center, badge.width * 3 // 4, theme.INKS[colour])
    return cut.right(rect, badge.width, gap)[1]


def flights(plan: Layout, before: Play, after: Play, look: Look) -> Sequence[Flight]:
    return ()


def _plain(play: Play) -> Plain:
    assert play.plain, "a game without a scene that nobody said in words"
    return play.plain


def _page(canvas: Canvas, plain: Plain, cap_px: int) -> None:
    room = canvas.rect.inflate(-cap_px // 2, -cap_px // 4)
    least_px = round(cap_px * 0.5)
    head, paper = cut.top(room, round(cap_px * 1.3))
    foot, paper = cut.bottom(paper, round(cap_px * 1.9) if plain.last else 0, cap_px // 6)
    canvas.text(plain.title, head, Style(round(cap_px * 0.7), theme.FAINT, bold=True))
    if plain.last:
        canvas.paragraphs([(plain.last, Style(round(cap_px * 0.7)))], foot, cap_px, least_px)
    canvas.panel(paper, theme.PAPER, cap_px // 2)
    canvas.stands_on(theme.PAPER)
    first, *rest = [line for line in plain.lines if line.strip()] or [""]
    parts = [(first, Style(round(cap_px * 1.3), theme.LINE, bold=True))]
    parts += [(line, Style(round(cap_px * 0.8), theme.LINE)) for line in rest]
    canvas.paragraphs(parts, paper.inflate(-cap_px, -cap_px // 2), cap_px, least_px)

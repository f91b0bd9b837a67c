"""Draws a question about a box: a drawing, and beside it the answers or the number."""

from collections.abc import Sequence
from typing import Final

from pygame import Rect

from companion.core.place import HOUSE
from companion.display import cut, scenes, theme, widgets
from companion.display.canvas import LEFT, RIGHT, Canvas, Target, lines_height
from companion.display.frame import Answer, BoxPage
from companion.display.layout import Layout, least_cap_px
from companion.display.pages.help_page import ink_of, key_cap
from companion.display.theme import Style

PICTURE, FIELD = 0.48, 0.56
"""The drawing's share of the page's longer side. A field of squares needs more."""

MARK: Final = "mark"  # in an answer's sign: a colour's mark

ONE_COLUMN: Final = 6  # the most answers in one column


def draw(canvas: Canvas, page: BoxPage, rect: Rect, plan: Layout) -> None:
    faint = Style(least_cap_px(plan.unit_px), theme.FAINT)  # larger text would take room from the picture
    title = _title(canvas, page, rect, plan, faint)
    hint_px, said_px = (lines_height(text, rect.width, faint) if text else 0 for text in (page.hint, page.said))
    gap = plan.unit_px // 10
    room = cut.below(rect, title)
    hint, room = cut.bottom(cut.bottom(room, gap)[1], hint_px, gap)
    said, room = cut.bottom(room, said_px)
    canvas.lines(page.hint, hint, faint)
    canvas.lines(page.said, said, faint._replace(colour=theme.LIT if page.wrong else theme.TEXT))
    room = room.inflate(0, -plan.unit_px // 4)
    share = FIELD if page.spot else PICTURE
    picture, rest = cut.picture(room, round(room.width * share), round(room.height * share), plan.unit_px // 3)
    if page.drawn is None:
        size = min(*picture.size, plan.unit_px * 5)
        canvas.picture(page.sign, cut.square_at(picture.center, size), ink_of(page.sign))
    else:
        scenes.box_scene_of(page.scene).draw(canvas, picture, page.drawn, page.spot)
    if page.answers:
        _answers(canvas, page.answers, rest, plan)
    else:
        _value(canvas, page, rest, plan)


def _title(canvas: Canvas, page: BoxPage, rect: Rect, plan: Layout, faint: Style) -> Rect:
    count = f"{page.number}/{page.of}"
    count_px = theme.text_width(count, faint) + plan.unit_px // 4
    style = Style(round(plan.unit_px * 0.7), theme.TEXT, bold=True)
    high = round(plan.unit_px * 1.1)
    right, words = cut.right(rect, count_px)
    words.height = max(high, lines_height(page.title, words.width, style))
    canvas.lines(page.title, words, style, align=LEFT)
    canvas.text(count, cut.top(right, high)[0], faint, align=RIGHT)
    return words


def _value(canvas: Canvas, page: BoxPage, room: Rect, plan: Layout) -> None:
    """Draw the number, lit while another one is keyed."""
    high = min(room.height, plan.unit_px * 3)
    box = cut.sized(min(room.width, high * 5 // 3), high, center=room.center)
    ink, on = (theme.LINE, theme.LIT) if page.typed else (theme.TEXT, theme.PANEL)
    canvas.panel(box, on, high // 8)
    canvas.text(page.value, box, Style(round(high * 0.5), ink, bold=True), on=on)


def _answers(canvas: Canvas, answers: Sequence[Answer], room: Rect, plan: Layout) -> None:
    columns = 1 if len(answers) <= ONE_COLUMN else 2
    rows = -(-len(answers) // columns)
    high, gap = min(room.height // rows, round(plan.unit_px * 1.6)), plan.unit_px // 12
    listed = [cell for column in cut.equal(room, columns) for cell in cut.stack(column, rows, high)]
    cells = [cell.inflate(-gap, -gap) for cell in listed[: len(answers)]]
    side = min(cells[0].height - gap, round(plan.unit_px * (1.2 if columns == 1 else 0.95)))
    labels = [cut.left(cell, 3 * gap + 2 * side)[1] for cell in cells]
    cap_px = min(
        _fitting_px(answer.label, label, round(plan.cap_px * 0.6), least_cap_px(plan.cap_px))
        for answer, label in zip(answers, labels, strict=True)
    )
    for answer, cell, label in zip(answers, cells, labels, strict=True):
        ink, on = (theme.LINE, theme.LIT) if answer.chosen else (theme.TEXT, theme.PANEL)
        canvas.panel(cell, on)
        canvas.targets.append(Target(cell, HOUSE, answer.key))
        key_cap(canvas, cut.square_at((cell.left + gap + side // 2, cell.centery), round(side * 0.84)), answer.key)
        _sign(canvas, answer.sign, cut.square_at((cell.left + 2 * gap + side * 3 // 2, cell.centery), side), on)
        canvas.lines(answer.label, label, Style(cap_px, ink), align=LEFT, on=on)


def _fitting_px(label: str, room: Rect, cap_px: int, least_px: int) -> int:
    while cap_px > least_px:
        style = Style(cap_px)
        longest_px = max(theme.text_width(word, style) for word in label.split())
        if longest_px <= room.width and lines_height(label, room.width, style) <= room.height:
            break
        cap_px -= 1
    return cap_px


def _sign(canvas: Canvas, sign: str, rect: Rect, on: theme.Colour) -> None:
    name, _, colour = sign.partition(":")
    if not colour:
        if name:
            canvas.picture(name, rect, theme.LINE if on == theme.LIT else ink_of(name), on=on)
        return
    ink = theme.INKS[widgets.known_colour(colour, 0)]
    canvas.box(rect, theme.PAPER, rect.width // 8)
    inside = rect.inflate(-rect.width // 6, -rect.width // 6)
    if name == MARK:
        widgets.mark(canvas, theme.MARKS[widgets.known_colour(colour, 0)], inside.center, inside.width, ink)
    else:
        canvas.picture(name, inside, ink, on=theme.PAPER)

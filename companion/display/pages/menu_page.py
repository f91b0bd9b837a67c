"""Draws a menu: numbered lines in one column or two, and below them what is said about the selected one."""

from collections.abc import Sequence
from math import ceil

from pygame import Rect

from companion.core.menu import PAGE_KEY
from companion.core.place import HOUSE
from companion.display import theme
from companion.display.canvas import LEFT, Canvas, Target, lines_height
from companion.display.frame import Menu
from companion.display.layout import Layout, least_cap_px
from companion.display.theme import Style


def draw(canvas: Canvas, menu: Menu, rect: Rect, plan: Layout) -> None:
    """Draw a menu into `rect`; a touch takes a line, or turns the page."""
    usual_px = _item_px(menu, rect, plan.usual)
    if plan.large and (_item_px(menu, rect, plan) < usual_px or _is_crossed(menu, rect, usual_px, plan)):
        plan = plan.usual  # a larger title and foot leave less room between them
    title, room, foot, pages = _rooms(menu, rect, plan)
    canvas.lines(menu.title, title, _title_style(plan))
    if menu.pages:
        canvas.lines(menu.pages, pages, _pages_style(plan))
        canvas.targets.append(Target(pages, HOUSE, PAGE_KEY))
    said = Style(round(plan.cap_px * 0.54), theme.FAINT)
    if plan.large:  # below its lines are the tails of letters
        foot = Rect(foot.left, foot.top, foot.width, foot.height - plan.unit_px // 8)
    canvas.lines(menu.detail or menu.hint, foot, said, line_share=plan.line_share)
    _items(canvas, menu, room, _item_px(menu, rect, plan), plan)


def _title_style(plan: Layout) -> Style:
    return Style(round(plan.cap_px * 0.7), theme.TEXT, bold=True)


def _pages_style(plan: Layout) -> Style:
    return Style(least_cap_px(plan.cap_px), theme.FAINT)


def _rooms(menu: Menu, rect: Rect, plan: Layout) -> tuple[Rect, Rect, Rect, Rect]:
    """Return where a menu's title, its lines, what is said about them, and which page it is stand."""
    title = Rect(rect.left, rect.top, rect.width, lines_height(menu.title, rect.width, _title_style(plan)))
    pages_px = lines_height(menu.pages, rect.width, _pages_style(plan)) if menu.pages else 0
    pages = Rect(rect.left, title.bottom + plan.unit_px // 12, rect.width, pages_px)  # clear of the title's tails
    # A narrow display has the height for more lines than a wide one. Below a line are the tails of letters.
    said = lines_height(menu.detail or menu.hint, rect.width, Style(least_cap_px(plan.cap_px)))
    needed = min(said + plan.unit_px // 6, rect.height // 4)
    foot_height = max(round(plan.unit_px * (1.9 if plan.large else 1.75)), needed)
    foot = Rect(rect.left, rect.bottom - foot_height, rect.width, foot_height)
    top = title.bottom + pages_px + plan.unit_px // 6
    return title, Rect(rect.left, top, rect.width, foot.top - top), foot, pages


def _item_px(menu: Menu, rect: Rect, plan: Layout) -> int:
    """Return the height of capitals in which all lines of a menu are written, so that each can be read."""
    cap_px = plan.unit_px
    cells, labels = _cells(menu, _rooms(menu, rect, plan)[1], plan)
    high = cells[0].height + cap_px // 18
    size = _fitting_px(menu.items, labels, min(round(cap_px * 0.7), round(high * 0.47)))
    if plan.large:
        size = max(size, _fitting_px(menu.items, labels, min(round(plan.cap_px * 0.7), round(high * 0.56))))
    return max(least_cap_px(plan.cap_px), size)


def _is_crossed(menu: Menu, rect: Rect, least_px: int, plan: Layout) -> bool:
    """Tell whether a rim would cross the words of a menu's line in two rows, even with capitals of `least_px`."""
    style = Style(least_px)
    cells, labels = _cells(menu, _rooms(menu, rect, plan)[1], plan)
    return any(
        theme.text_width(item, style) > label.width and lines_height(item, label.width, style) > cell.height
        for item, cell, label in zip(menu.items, cells, labels, strict=True)
    )


def _cells(menu: Menu, room: Rect, plan: Layout) -> tuple[list[Rect], list[Rect]]:
    """Return a room for each line, in two columns when one would be too tight, and what its words have of it."""
    cap_px, count = plan.unit_px, len(menu.items)
    # A narrow display has no room for two columns of words, however tight one is.
    columns = 1 if count * cap_px * (1.25 if room.width > room.height else 0.9) <= room.height else 2
    rows = -(-count // columns)
    high = min(round(cap_px * 2), room.height // rows)
    wide = room.width // columns
    cells = [
        Rect(room.left + place // rows * wide, room.top + place % rows * high, wide, high).inflate(
            -cap_px // 5, -cap_px // 18
        )
        for place in range(count)
    ]
    return cells, [_label_room(cell, plan, bool(menu.pictures)) for cell in cells]


def _items(canvas: Canvas, menu: Menu, room: Rect, size: int, plan: Layout) -> None:
    cap_px = plan.unit_px
    for place, (item, cell, label) in enumerate(zip(menu.items, *_cells(menu, room, plan), strict=True)):
        chosen = place == menu.selected
        ink, on = (theme.LINE, theme.LIT) if chosen else (theme.TEXT, theme.PANEL)
        canvas.panel(cell, on)
        canvas.targets.append(Target(cell, HOUSE, str(place + 1)))
        number = Rect(cell.left, cell.top, label.left - cell.left, cell.height)
        canvas.text(str(place + 1), number, Style(max(size, ceil(cap_px * 0.48)), ink, bold=True), on=on)
        one_line = theme.text_width(item, Style(size)) <= label.width
        inside = label.clip(cell) if plan.large and not one_line else label
        (canvas.text if one_line else canvas.lines)(item, inside, Style(size, ink), align=LEFT, on=on)
        if menu.pictures:
            side = min(cell.height - cap_px // 8, round(cap_px * (0.8 if _is_tight(cell, plan) else 1.3)))
            icon = Rect(cell.right - side - cap_px // 8, cell.centery - side // 2, side, side)
            canvas.picture(menu.pictures[place], icon, theme.INKS["sky"], on=on)


def _fitting_px(items: Sequence[str], labels: Sequence[Rect], size: int) -> int:
    """Return the size in which all lines of a menu are written, equally large, so that each can be read."""
    fitting = (
        size * label.width // max(1, theme.text_width(item, Style(size)))
        for item, label in zip(items, labels, strict=True)
    )
    return min(size, *fitting)


def _is_tight(cell: Rect, plan: Layout) -> bool:
    """Tell whether a menu's line has no room to spare for large words."""
    return plan.large and cell.width < 10 * plan.unit_px


def _label_room(cell: Rect, plan: Layout, picture: bool) -> Rect:
    """Return the part of a menu's line in which its words stand; if it is tight they get some of the picture's."""
    cap_px, (before, behind) = plan.unit_px, (0.9, 1.0) if _is_tight(cell, plan) else (1.3, 1.4)
    side = min(cell.height, round(cap_px * behind))
    left = cell.left + min(cell.height, round(cap_px * before))
    right = cell.right - (side if picture else cap_px // 8)
    # What letters leave free of their lines may reach over the edge.
    return Rect(left, cell.top - 2, right - left, cell.height + 4)

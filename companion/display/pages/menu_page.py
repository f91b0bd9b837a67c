"""Draws a menu: numbered lines in one or two columns, and the detail of the selected one."""

from collections.abc import Sequence
from math import ceil

from pygame import Rect

from companion.core.menu import PAGE_KEY
from companion.core.place import HOUSE
from companion.display import cut, theme
from companion.display.canvas import LEFT, LINE_SHARE, Canvas, Target, lines_height
from companion.display.frame import Menu
from companion.display.layout import Layout, least_cap_px
from companion.display.theme import Style


def draw(canvas: Canvas, menu: Menu, rect: Rect, plan: Layout) -> None:
    """Draw a menu into `rect`. A touch chooses a line or turns the page."""
    if menu.notes and not _notes_fit(menu, rect, plan):
        plan = plan.usual
        if not _notes_fit(menu, rect, plan):
            menu = menu._replace(notes=(), detail=menu.detail or menu.notes[menu.selected])
    usual_px = _item_px(menu, rect, plan.usual)
    if plan.large and (_item_px(menu, rect, plan) < usual_px or _is_crossed(menu, rect, usual_px, plan)):
        plan = plan.usual  # larger title and foot leave less room for the lines
    title, room, foot, pages = _rooms(menu, rect, plan)
    canvas.lines(menu.title, title, _title_style(plan))
    if menu.pages:
        canvas.lines(menu.pages, pages, _pages_style(plan))
        canvas.targets.append(Target(pages, HOUSE, PAGE_KEY))
    said = Style(round(plan.cap_px * 0.54), theme.FAINT)
    if plan.large or menu.notes:  # room for descenders
        _, foot = cut.bottom(foot, plan.unit_px // 8)
    canvas.lines(menu.detail or menu.hint, foot, said, line_share=plan.line_share)
    _items(canvas, menu, room, _item_px(menu, rect, plan), plan)


def _title_style(plan: Layout) -> Style:
    return Style(round(plan.cap_px * 0.7), theme.TEXT, bold=True)


def _pages_style(plan: Layout) -> Style:
    return Style(least_cap_px(plan.cap_px), theme.FAINT)


def _rooms(menu: Menu, rect: Rect, plan: Layout) -> tuple[Rect, Rect, Rect, Rect]:
    """Return the areas of title, lines, foot and page number."""
    title, room = cut.top(rect, lines_height(menu.title, rect.width, _title_style(plan)))
    pages_px = lines_height(menu.pages, rect.width, _pages_style(plan)) if menu.pages else 0
    pages, _ = cut.top(room.move(0, plan.unit_px // 12), pages_px)  # clear of the title's descenders
    # A narrow display has the height for more lines than a wide one.
    texts = (menu.detail, menu.hint) if menu.notes else (menu.detail or menu.hint,)  # no line must move
    said = max(lines_height(text, rect.width, Style(least_cap_px(plan.cap_px))) for text in texts)
    needed = min(said + plan.unit_px // (4 if menu.notes else 6), rect.height // 4)
    foot_height = needed if menu.notes else max(round(plan.unit_px * (1.9 if plan.large else 1.75)), needed)
    foot, room = cut.bottom(room, foot_height)
    return title, cut.top(room, pages_px + plan.unit_px // 6)[1], foot, pages


def _item_px(menu: Menu, rect: Rect, plan: Layout) -> int:
    """Return the capitals at which all lines can be read."""
    cap_px = plan.unit_px
    cells, labels = _cells(menu, _rooms(menu, rect, plan)[1], plan)
    high = cells[0].height + cap_px // 18
    highest_px = int((high - _notes_px(menu, labels, plan)) / LINE_SHARE) if menu.notes else round(high * 0.47)
    size = _fitting_px(menu.items, labels, min(round(cap_px * 0.7), highest_px))
    if plan.large and not menu.notes:
        size = max(size, _fitting_px(menu.items, labels, min(round(plan.cap_px * 0.7), round(high * 0.56))))
    return max(least_cap_px(plan.cap_px), size)


def _notes_fit(menu: Menu, rect: Rect, plan: Layout) -> bool:
    cells, labels = _cells(menu, _rooms(menu, rect, plan)[1], plan)
    return cells[0].height - _notes_px(menu, labels, plan) >= least_cap_px(plan.cap_px) * LINE_SHARE


def _notes_px(menu: Menu, labels: Sequence[Rect], plan: Layout) -> int:
    style = Style(least_cap_px(plan.cap_px))
    return max(lines_height(note, label.width, style) for note, label in zip(menu.notes, labels, strict=True))


def _is_crossed(menu: Menu, rect: Rect, least_px: int, plan: Layout) -> bool:
    """Return True if a line's text would cross its rim, even with capitals of `least_px`."""
    style = Style(least_px)
    cells, labels = _cells(menu, _rooms(menu, rect, plan)[1], plan)
    return any(
        theme.text_width(item, style) > label.width and lines_height(item, label.width, style) > cell.height
        for item, cell, label in zip(menu.items, cells, labels, strict=True)
    )


def _cells(menu: Menu, room: Rect, plan: Layout) -> tuple[list[Rect], list[Rect]]:
    """Return the areas of lines, in two columns if one is too tight, and of their texts."""
    cap_px, count = plan.unit_px, len(menu.items)
    # A narrow display has room for one column of text only, even if it is tight.
    columns = 1 if count * cap_px * (1.25 if room.width > room.height else 0.9) <= room.height else 2
    rows = -(-count // columns)
    high = min(round(cap_px * (3 if menu.notes else 2)), room.height // rows)
    filled, _ = cut.top(room, rows * high)
    listed = [cell for column in cut.equal(filled, columns) for cell in cut.equal(column, rows, upright=True)]
    cells = [cell.inflate(-cap_px // 5, -cap_px // 18) for cell in listed[:count]]
    return cells, [_label_room(cell, plan, bool(menu.pictures)) for cell in cells]


def _items(canvas: Canvas, menu: Menu, room: Rect, size: int, plan: Layout) -> None:
    cap_px = plan.unit_px
    cells, labels = _cells(menu, room, plan)
    for place, (item, cell, label) in enumerate(zip(menu.items, cells, labels, strict=True)):
        chosen, grey = place == menu.selected, place in menu.grey
        ink, on = (theme.LINE, theme.LIT) if chosen else (theme.FAINT if grey else theme.TEXT, theme.PANEL)
        if chosen and grey:
            ink, on = theme.TEXT, theme.GLOW
        canvas.panel(cell, on)
        canvas.targets.append(Target(cell, HOUSE, str(place + 1)))
        number = cut.before(cell, label)
        canvas.text(str(place + 1), number, Style(max(size, ceil(cap_px * 0.48)), ink, bold=True), on=on)
        if menu.notes:
            note, name = cut.bottom(label, _notes_px(menu, labels, plan))
            style = Style(least_cap_px(plan.cap_px), ink)
            canvas.lines(menu.notes[place], note.move(0, -cap_px // 12), style, align=LEFT, on=on)
        else:
            name = label
        one_line = theme.text_width(item, Style(size)) <= name.width
        inside = name.clip(cell) if plan.large and not one_line else name
        (canvas.text if one_line else canvas.lines)(item, inside, Style(size, ink), align=LEFT, on=on)
        if menu.pictures:
            side = min(cell.height - cap_px // 8, round(cap_px * (0.8 if _is_tight(cell, plan) else 1.3)))
            icon = Rect(cell.right - side - cap_px // 8, cell.centery - side // 2, side, side)
            canvas.picture(menu.pictures[place], icon, theme.FAINT if grey else theme.INKS["sky"], on=on)


def _fitting_px(items: Sequence[str], labels: Sequence[Rect], size: int) -> int:
    fitting = (
        size * label.width // max(1, theme.text_width(item, Style(size)))
        for item, label in zip(items, labels, strict=True)
    )
    return min(size, *fitting)


def _is_tight(cell: Rect, plan: Layout) -> bool:
    return plan.large and cell.width < 10 * plan.unit_px


def _label_room(cell: Rect, plan: Layout, picture: bool) -> Rect:
    """Return the room of a line's text. In a tight line it includes some of the picture's."""
    cap_px, (before, behind) = plan.unit_px, (0.9, 1.0) if _is_tight(cell, plan) else (1.3, 1.4)
    side = min(cell.height, round(cap_px * behind))
    left = cell.left + min(cell.height, round(cap_px * before))
    right = cell.right - (side if picture else cap_px // 8)
    # The free part of a line may reach over the edge.
    return Rect(left, cell.top - 2, right - left, cell.height + 4)

"""Draws the virtual seats of a PC, and maps its keys and clicks to their controls."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import pygame
from pygame import Rect

from companion.core.console import BUZZ, Lamp
from companion.core.place import HOUSE, MOST_PLACES, Place, by_place, each_place
from companion.core.signal import PEEK
from companion.core.text import Render, Text, msg, reader
from companion.display import cut, screens, tabletop, theme
from companion.display.canvas import LEFT, RIGHT, Canvas, Placed, Target, lines_height
from companion.display.frame import Frame, Hint, Look, Panel, PrivatePicture
from companion.display.layout import LARGE
from companion.display.table_plan import FAULTS, TablePlan, table_plan
from companion.display.theme import Style

Held = frozenset[tuple[Place, str]]
"""The controls that are held down, with their places."""

_FAULT_WORDS: Final = {
    "unplug": msg("unplug"),
    "bounce": msg("bounce"),
    "stuck": msg("stuck"),
    "late": msg("late"),
}

_FAULT_PICTURES: Final = {"unplug": "plug", "late": "clock"}
_FAULT_LINES: Final = {
    "bounce": [[(0, 14), (4, 14), (4, 4), (8, 4), (8, 14), (11, 14), (11, 4), (14, 4), (14, 14), (18, 14)]],
    "stuck": [[(9, 0), (9, 10)], [(4, 6), (9, 11), (14, 6)], [(1, 15), (17, 15)]],
}  # polylines in a square of side _FIELD

_FIELD: Final = 18

BUZZER_KEYS: Final = dict(by_place((pygame.K_z, pygame.K_q, pygame.K_t, pygame.K_p, pygame.K_m)))
"""The PC key of each place's buzzer."""

HOUSE_KEYS: Final = {
    "ok": pygame.K_F5,
    "skip": pygame.K_F6,
    "right": pygame.K_F7,
    "wrong": pygame.K_F8,
    "undo": pygame.K_F9,
    "pause": pygame.K_F10,
    "menu": pygame.K_ESCAPE,
}

DIGIT_KEYS: Final = {
    **{getattr(pygame, f"K_{digit}"): str(digit) for digit in range(10)},
    pygame.K_BACKSPACE: "*",
    pygame.K_RETURN: "#",
    pygame.K_a: "A",
    pygame.K_b: "B",
    pygame.K_c: "C",
    pygame.K_d: "D",
}
"""The first keypad: the digit row, Backspace, Return and the letters A to D."""

PAD_KEYS: Final = {
    **{getattr(pygame, f"K_KP_{digit}"): str(digit) for digit in range(10)},
    pygame.K_KP_MULTIPLY: "*",
    pygame.K_KP_ENTER: "#",
    pygame.K_KP_DIVIDE: "A",
    pygame.K_KP_MINUS: "B",
    pygame.K_KP_PLUS: "C",
    pygame.K_KP_PERIOD: "D",
}
"""The second keypad: the number pad."""

_SAME_KEY: Final = dict(zip(PAD_KEYS, DIGIT_KEYS, strict=True))  # from the number pad to the main keyboard

PEEK_KEY: Final = pygame.K_TAB

_LETTER_AT: Final = {
    getattr(pygame, f"KSCAN_{letter}"): getattr(pygame, f"K_{letter.lower()}") for letter in "ZQTPMABCD"
}  # letters with a meaning, by their scancodes on a US keyboard

_FIXED_KEYS: Final[dict[int, tuple[Place, str]]] = {
    PEEK_KEY: (HOUSE, PEEK),
    **{key: (place, BUZZ) for place, key in BUZZER_KEYS.items()},
    **{key: (HOUSE, control) for control, key in HOUSE_KEYS.items()},
}

_CONTROL: Final = re.compile(r"\[(buzz|ok|[0-9*#A-D])\]")


def targets(size: tuple[int, int], places: int) -> list[Target]:
    """Return everything clickable around the display in a window of `size` pixels."""
    plan = table_plan(size)
    found: list[Target] = []
    for place in each_place(places):
        seat = plan.seats[place]
        found.append(Target(seat.buzzer, place, BUZZ))
        found += [Target(rect, place, key) for key, rect in seat.keys.items()]
        # Small windows lack fault switches.
        found += [Target(rect, place, f"fault {fault}") for fault, rect in zip(FAULTS, seat.faults, strict=False)]
    found += [Target(rect, HOUSE, control) for control, rect in plan.house.controls.items()]
    return found


def in_latin(key: int, scancode: int) -> int:
    """Return the Latin letter at a key's position if the layout has none, as in Russian or Greek.

    SDL does the same for digits.
    """
    return key if key < 128 and chr(key).isalnum() else _LETTER_AT.get(scancode, key)


def on_keyboard(key: int, panels: Sequence[Panel], *, house: bool = False) -> Target | None:
    """Return the control of a PC key, or None.

    With `house`, the digit row is the house's keypad. A number pad without an owner acts like the digit row.
    """
    nowhere = Rect(0, 0, 0, 0)
    if key in _FIXED_KEYS:
        return Target(nowhere, *_FIXED_KEYS[key])
    owners = {panel.keys: panel.place for panel in panels}
    if key in PAD_KEYS and "number pad" in owners:
        return Target(nowhere, owners["number pad"], PAD_KEYS[key])
    control, owner = DIGIT_KEYS.get(_SAME_KEY.get(key, key)), HOUSE if house else owners.get("digits")
    return None if control is None or owner is None else Target(nowhere, owner, control)


class Around(NamedTuple):
    """The devices around the display. Controls in `held` look pressed."""

    panels: tuple[Panel, ...] = ()
    house: str | None = None
    story: tuple[str, ...] = ()
    held: Held = frozenset()
    look: Look = Look()
    hint: Hint | None = None

    def held_at(self, place: Place) -> frozenset[str]:
        return frozenset(control for held_place, control in self.held if held_place == place)


def around(frame: Frame, held: Held = frozenset()) -> Around:
    return Around(frame.panels, frame.house, frame.story, held, frame.look, frame.hint)


def draw(canvas: Canvas, now: Around, before: Around | None = None) -> None:
    """Draw everything around the display, or only what changed since `before`."""
    canvas.look = now.look
    plan = table_plan(canvas.rect.size)
    if before is None or len(before.panels) != len(now.panels) or before.look != now.look:
        before = None
        _table(canvas, plan, len(now.panels))
    for number, panel in enumerate(now.panels):
        held = now.held_at(panel.place)
        if before is None or (before.panels[number], before.held_at(panel.place)) != (panel, held):
            _unit(canvas, plan, panel, held)
    held = now.held_at(HOUSE)
    if before is None or (before.house, before.held_at(HOUSE)) != (now.house, held):
        _house_unit(canvas, plan, now.house, held)
    shown = (now.story, now.hint, now.hint and now.panels)  # the hinted keypad may have a new owner
    if before is None or (before.story, before.hint, now.hint and before.panels) != shown:
        _story(canvas, plan, now.story, _note(plan) if now.hint else None)
        if now.hint:
            _hint(canvas, plan, now.hint, now.panels)


def _px(canvas: Canvas, cap_px: float) -> int:
    return round(cap_px * LARGE) if canvas.look.large_text else round(cap_px)


def _read(canvas: Canvas, text: Text) -> str:
    return reader(canvas.look.language)(text)


def wood(plan: TablePlan, places: int = MOST_PLACES) -> pygame.Surface:
    """Return the table top with the shadows of all devices."""
    units = [plan.seats[place].unit for place in each_place(places)]
    standing = (*units, plan.house.unit, plan.story, plan.help, plan.bezel)
    return tabletop.table(plan.size, tuple((*rect.topleft, *rect.size) for rect in standing))


def _table(canvas: Canvas, plan: TablePlan, places: int) -> None:
    canvas.surface.blit(wood(plan, places), (0, 0))
    tabletop.housing(canvas.surface, plan.bezel, tabletop.FRAME)
    _help(canvas, plan)


# --- A seat -----------------------------------------------------------------------------------------------


def _unit(canvas: Canvas, plan: TablePlan, panel: Panel, held: frozenset[str]) -> None:
    seat, cap_px, taken = plan.seats[panel.place], plan.cap_px, bool(panel.name)
    body = tabletop.BODY if taken else tabletop.EMPTY
    tabletop.housing(canvas.surface, seat.unit, canvas.tone(body))
    on = theme.PAPER if taken else body
    canvas.disc(seat.badge.center, seat.badge.width // 2, on)
    number = Style(cap_px + 1, theme.LINE if taken else theme.TEXT, bold=True)
    canvas.text(str(panel.place + 1), seat.badge, number, on=on)
    name = Style(_px(canvas, cap_px * 1.2), theme.TEXT, bold=True)
    canvas.text(panel.name, seat.name, name, align=LEFT, on=tabletop.BODY)
    _private_screen(canvas, plan, panel)
    _dome(canvas, plan, panel, pressed=BUZZ in held or "stuck" in panel.faults)
    _keypad(canvas, plan, panel, held)
    _owner(canvas, plan, panel)
    if panel.own:
        _own_picture(canvas, plan, panel.place, panel.own)
    for fault, rect in zip(FAULTS, seat.faults, strict=False):
        _fault(canvas, rect, fault, on=fault in panel.faults)


def _private_screen(canvas: Canvas, plan: TablePlan, panel: Panel) -> None:
    rect = plan.seats[panel.place].screen
    tabletop.glass(canvas.surface, rect)
    first, second = panel.lines
    if not (panel.name and panel.plugged):
        return  # dark
    inside = rect.inflate(-plan.cap_px, -4)
    style = Style(_px(canvas, plan.cap_px * 1.1), tabletop.GLOW)
    above, below = (lines_height(line, inside.width, style) if line else 0 for line in panel.lines)
    share = min(1.0, inside.height / max(1, above + below))
    least = plan.cap_px if first else 0
    foot, head = cut.bottom(inside, min(round(below * share), inside.height - least))
    canvas.lines(first, head, style, align=LEFT, on=tabletop.GLASS)
    canvas.lines(second, foot, style._replace(colour=theme.LIT), align=LEFT, on=tabletop.GLASS)


def _own_picture(canvas: Canvas, plan: TablePlan, place: Place, own: PrivatePicture) -> None:
    """Draw a seat's private picture over its buzzer and keypad."""
    unit, screen = plan.seats[place].unit, plan.seats[place].screen
    margin = plan.cap_px // 2
    _, below = cut.top(unit, screen.bottom - unit.top, margin)
    rect = cut.top(below.inflate(-2 * margin, 0), below.height - margin)[0]
    drawn = Canvas(canvas.surface.subsurface(rect), cap_px=_px(canvas, plan.cap_px), look=canvas.look)
    screens.draw_private(drawn, own)


def _dome(canvas: Canvas, plan: TablePlan, panel: Panel, *, pressed: bool) -> None:
    rect = plan.seats[panel.place].buzzer
    ring = {Lamp.OFF: None, Lamp.ON: theme.LIT, Lamp.BLINK: theme.GOOD}[panel.lamp]
    dome = tabletop.DOME if panel.name else tabletop.DOME_EMPTY
    dome = dome if panel.plugged else tabletop.DOME_DEAD
    canvas.surface.blit(
        tabletop.buzzer(rect.width, canvas.tone(dome), canvas.tone(ring) if ring else None, pressed), rect
    )
    letter_px = round(rect.width * (0.17 if pressed else 0.19))
    canvas.text(
        key_name(BUZZER_KEYS[panel.place], reader(canvas.look.language)),
        rect,
        Style(letter_px, theme.LINE, bold=True),
        on=dome,
    )


def _keypad(canvas: Canvas, plan: TablePlan, panel: Panel, held: frozenset[str]) -> None:
    usable = panel.plugged and bool(panel.name)
    cap, ink = (tabletop.CAP, theme.TEXT) if usable else (tabletop.CAP_DIM, theme.FAINT)
    for key, rect in plan.seats[panel.place].keys.items():
        face = tabletop.key(canvas.surface, rect, canvas.tone(cap), pressed=key in held)
        style = Style(_px(canvas, plan.cap_px * 1.1), theme.LIT if panel.keys else ink, bold=True)
        canvas.text(key, face, style, on=cap)


def _owner(canvas: Canvas, plan: TablePlan, panel: Panel) -> None:
    rect = plan.seats[panel.place].tag
    if panel.keys:
        canvas.panel(rect, theme.LIT, 6)
        keys = {"digits": msg("digits"), "number pad": msg("number pad")}[panel.keys]
        style = Style(_px(canvas, plan.cap_px), theme.LINE, bold=True)
        canvas.text(_read(canvas, keys), rect.inflate(-plan.cap_px // 2, 0), style, on=theme.LIT)
    elif panel.robot:
        canvas.picture("robot", rect, theme.FAINT, on=tabletop.BODY)


def _fault(canvas: Canvas, rect: Rect, fault: str, *, on: bool) -> None:
    cap, ink = (theme.LIT, theme.LINE) if on else (tabletop.CAP_DIM, theme.FAINT)
    face = tabletop.key(canvas.surface, rect, canvas.tone(cap))
    _fault_sign(canvas, face, fault, ink, cap)


def _fault_sign(canvas: Canvas, rect: Rect, fault: str, ink: theme.Colour, on: theme.Colour) -> None:
    room = cut.square(rect, 0.85)
    if fault in _FAULT_PICTURES:
        canvas.picture(_FAULT_PICTURES[fault], room, ink, on=on)
        return
    share = room.width / _FIELD
    lines = [
        [(room.left + across * share, room.top + down * share) for across, down in line]
        for line in _FAULT_LINES[fault]
    ]
    for line in lines:
        pygame.draw.lines(canvas.surface, canvas.tone(ink), False, line, max(2, round(2 * share)))
    canvas.placed.append(Placed(fault, room, rect, 0, ink, on))


# --- The house, the story, the help -----------------------------------------------------------------------


def _house_unit(canvas: Canvas, plan: TablePlan, line: str | None, held: frozenset[str]) -> None:
    house, cap_px = plan.house, plan.cap_px
    tabletop.housing(canvas.surface, house.unit, canvas.tone(tabletop.BODY))
    title = Style(round(cap_px * 1.2), theme.TEXT, bold=True)
    canvas.text(_read(canvas, msg("House")), house.title, title, align=LEFT, on=tabletop.BODY)
    tabletop.glass(canvas.surface, house.screen)
    style = Style(_px(canvas, cap_px), tabletop.GLOW)
    canvas.text(line or "", house.screen.inflate(-cap_px, 0), style, align=LEFT, on=tabletop.GLASS)
    for control, rect in house.controls.items():
        face = tabletop.key(canvas.surface, rect, canvas.tone(tabletop.CAP), pressed=control in held)
        label = f"{control} {key_name(HOUSE_KEYS[control], reader(canvas.look.language))}"
        canvas.lines(label, face.inflate(-4, 0), Style(cap_px, bold=True), on=tabletop.CAP)
    if house.legend.height:
        _fault_legend(canvas, plan)


def _fault_legend(canvas: Canvas, plan: TablePlan) -> None:
    title, signs = cut.split(plan.house.legend, 0.45, upright=True)
    style = Style(_px(canvas, plan.cap_px), theme.FAINT)
    canvas.text(_read(canvas, msg("Faults to try at a seat:")), title, style, align=LEFT, on=tabletop.BODY)
    for fault, cell in zip(FAULTS, cut.columns(signs, len(FAULTS)), strict=True):
        sign, label = cut.left(cell, round(plan.cap_px * 2.6))
        _fault_sign(canvas, sign, fault, theme.FAINT, tabletop.BODY)
        canvas.text(_read(canvas, _FAULT_WORDS[fault]), label, style, align=LEFT, on=tabletop.BODY)


def _note(plan: TablePlan) -> Rect:
    """Return the hint's area at the foot of the story."""
    story, pad = plan.story, plan.cap_px
    return cut.bottom(story.inflate(-2 * pad, -pad), min(story.height - pad, 10 * plan.cap_px))[0]


def _story(canvas: Canvas, plan: TablePlan, story: Sequence[str], note: Rect | None) -> None:
    """Draw the latest sentences on paper, the newest last, above the note."""
    sheet, cap_px = plan.story, plan.cap_px
    line_px, top_px, margin_px = (round(cap_px * share) for share in (3.5, 4, 2.9))
    tabletop.sheet(canvas.surface, sheet, line_px, top_px, margin_px)
    rows = ((note.top if note else sheet.bottom) - sheet.top - top_px) // line_px + 1
    left = margin_px + cap_px
    room = Rect(sheet.left + left, sheet.top + top_px - line_px, sheet.width - left - cap_px, line_px)
    shown = (story or (_read(canvas, msg("Events at the table appear here.")),))[-rows:]
    for number, sentence in enumerate(shown[:rows]):
        newest = bool(story) and number == len(shown) - 1
        style = Style(_px(canvas, cap_px * 1.33), tabletop.INK if newest else tabletop.INK_FAINT, bold=newest)
        canvas.lines(sentence, room.move(0, number * line_px), style, align=LEFT, on=tabletop.SHEET)


def _hint(canvas: Canvas, plan: TablePlan, hint: Hint, panels: Sequence[Panel]) -> None:
    note, cap_px = _note(plan), plan.cap_px
    canvas.panel(note, theme.LIT, 8)
    foot, says = cut.bottom(note.inflate(-2 * cap_px, -cap_px), 2 * cap_px)
    style = Style(_px(canvas, cap_px * 1.4), theme.LINE, bold=True)
    canvas.lines(with_keys(hint, panels, reader(canvas.look.language)), says, style, align=LEFT, on=theme.LIT)
    off = _read(canvas, msg("Turn these notes off: Esc, Settings"))
    canvas.text(off, foot, Style(cap_px, theme.LINE), align=RIGHT, on=theme.LIT)


def with_keys(hint: Hint, panels: Sequence[Panel], read: Render) -> str:
    """Replace the controls in a hint by PC keys, such as `[#]` by `[Return]`."""
    keys = next((panel.keys for panel in panels if panel.place == hint.place), "")
    pad = PAD_KEYS if keys == "number pad" else DIGIT_KEYS
    names = {control: key_name(key, read) for key, control in pad.items()}
    names |= {BUZZ: key_name(BUZZER_KEYS[hint.place], read), "ok": key_name(HOUSE_KEYS["ok"], read)}
    return _CONTROL.sub(lambda found: f"[{names[found[1]]}]", hint.text)


def key_name(key: int, read: Render) -> str:
    """Return the label printed on a PC key."""
    named = {
        pygame.K_RETURN: msg("Return"),
        pygame.K_BACKSPACE: msg("Backspace"),
        pygame.K_KP_ENTER: msg("Enter"),
        pygame.K_ESCAPE: msg("Esc"),
        PEEK_KEY: Text("Tab"),
    }
    if key in named:
        return read(named[key])
    name = pygame.key.name(key) if pygame.display.get_init() else ""
    return name.strip("[]").upper() or "?"


def _help(canvas: Canvas, plan: TablePlan) -> None:
    cap_px = plan.cap_px
    tabletop.housing(canvas.surface, plan.help, canvas.tone(tabletop.BODY))
    title, says = cut.top(plan.help.inflate(-3 * cap_px, -2 * cap_px), round(cap_px * 2.5), cap_px // 2)
    style = Style(round(cap_px * 1.3), theme.LIT, bold=True)
    canvas.text(_read(canvas, msg("Virtual table")), title, style, align=LEFT, on=tabletop.BODY)
    lines = (
        msg("Nothing here is a real device."),
        msg("The letter on a buzzer presses it."),
        msg("F1: all the keys"),
        msg("F11: full screen"),
    )
    for line, row in zip(lines, cut.equal(says, len(lines), upright=True), strict=True):
        canvas.lines(
            _read(canvas, line), row, Style(_px(canvas, cap_px * 1.1), theme.TEXT), align=LEFT, on=tabletop.BODY
        )

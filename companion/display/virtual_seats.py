"""The virtual seats around the display on a PC: buzzers, keypads, lamps, private screens, faults on demand."""

from collections.abc import Sequence
from typing import Final

import pygame
from pygame import Rect

from companion.core.console import BUZZ, HOUSE_CONTROLS, KEYS, Lamp
from companion.core.move import TABLE
from companion.core.signal import PEEK
from companion.core.text import _
from companion.display import theme
from companion.display.canvas import LEFT, RIGHT, Canvas, Target
from companion.display.frame import Panel
from companion.display.theme import Style

WINDOW: Final = (1280, 720)
DISPLAY: Final = Rect(240, 0, 800, 480)
"""Where the shared display stands in the window."""

FAULTS: Final = ("unplug", "bounce", "stuck", "late")

BUZZER_KEYS: Final = {0: pygame.K_z, 1: pygame.K_q, 2: pygame.K_t, 3: pygame.K_p, 4: pygame.K_m}
"""The PC's key of each place's buzzer."""

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
    pygame.K_F1: "A",
    pygame.K_F2: "B",
    pygame.K_F3: "C",
    pygame.K_F4: "D",
}
"""One keypad on the PC's keyboard: the row of digits, Backspace, Return and F1 to F4."""

PAD_KEYS: Final = {
    **{getattr(pygame, f"K_KP_{digit}"): str(digit) for digit in range(10)},
    pygame.K_KP_MULTIPLY: "*",
    pygame.K_KP_ENTER: "#",
    pygame.K_KP_DIVIDE: "A",
    pygame.K_KP_MINUS: "B",
    pygame.K_KP_PLUS: "C",
    pygame.K_KP_PERIOD: "D",
}
"""The other: the number pad."""

ONE_PAD: Final = dict(zip(PAD_KEYS, DIGIT_KEYS, strict=True))
"""For a table with one keyboard: each key of the number pad as the one that means the same beside the letters."""

PEEK_KEY: Final = pygame.K_TAB

_KEYPAD: Final = ("123A", "456B", "789C", "*0#D")

# The places clockwise, from the lower left: two above the first on the left, two on the right.
_PANELS: Final = (
    Rect(0, 480, 240, 240),
    Rect(0, 240, 240, 240),
    Rect(0, 0, 240, 240),
    Rect(1040, 0, 240, 240),
    Rect(1040, 240, 240, 240),
)
_HOUSE: Final = Rect(240, 480, 800, 240)
_HELP: Final = Rect(1040, 480, 240, 240)


def targets(places: int) -> list[Target]:
    """Return everything that can be clicked."""
    found: list[Target] = []
    for place in range(places):
        panel = _PANELS[place]
        found.append(Target(_buzzer(panel), place, BUZZ))
        found += [Target(_key(panel, key), place, key) for key in KEYS]
        found += [Target(rect, place, f"fault {fault}") for fault, rect in zip(FAULTS, _faults(place), strict=True)]
    found += [Target(rect, TABLE, control) for control, rect in zip(HOUSE_CONTROLS, _house(), strict=True)]
    return found


def on_keyboard(key: int, panels: Sequence[Panel], *, house: bool = False) -> Target | None:
    """Return which control a key of the PC is, None for a key that is none; the house may have the digits."""
    nowhere = Rect(0, 0, 0, 0)
    if key == PEEK_KEY:
        return Target(nowhere, TABLE, PEEK)
    if house and key in DIGIT_KEYS:
        return Target(nowhere, TABLE, DIGIT_KEYS[key])
    for place, buzzer in BUZZER_KEYS.items():
        if key == buzzer:
            return Target(nowhere, place, BUZZ)
    for control, its_key in HOUSE_KEYS.items():
        if key == its_key:
            return Target(nowhere, TABLE, control)
    for keys, pad in ((DIGIT_KEYS, "digits"), (PAD_KEYS, "number pad")):
        owner = [panel.place for panel in panels if panel.keys == pad]
        if key in keys and owner:
            return Target(nowhere, owner[0], keys[key])
    return None


def draw(canvas: Canvas, panels: Sequence[Panel], house: str | None = None) -> None:
    """Draw everything around the display; `house` is what the line of the house's keypad says."""
    for panel in panels:
        _panel(canvas, panel)
    _house_panel(canvas, house)
    _fault_panel(canvas, panels)


def _buzzer(panel: Rect) -> Rect:
    return Rect(panel.left + 14, panel.top + 88, 72, 72)


def _key(panel: Rect, key: str) -> Rect:
    row, column = next((row, keys.index(key)) for row, keys in enumerate(_KEYPAD) if key in keys)
    return Rect(panel.left + 98 + column * 33, panel.top + 84 + row * 36, 31, 34)


def _house() -> list[Rect]:
    return [Rect(_HOUSE.left + 12 + place * 112, _HOUSE.top + 44, 104, 44) for place in range(len(HOUSE_CONTROLS))]


def _faults(place: int) -> list[Rect]:
    top = _HOUSE.top + 122 + place % 3 * 36
    left = _HOUSE.left + 12 + place // 3 * 396
    return [Rect(left + 84 + number * 74, top, 70, 30) for number in range(len(FAULTS))]


def _panel(canvas: Canvas, panel: Panel) -> None:
    area = _PANELS[panel.place].inflate(-8, -8)
    canvas.panel(area, theme.PANEL)
    label = Rect(area.left + 10, area.top + 4, 70, 20)
    canvas.text(f"{panel.place + 1}", label, Style(12, theme.FAINT, bold=True), align=LEFT, on=theme.PANEL)
    if panel.keys:
        room = Rect(area.left + 60, area.top + 4, area.width - 70, 20)
        canvas.text(panel.keys, room, Style(10, theme.FAINT), align=RIGHT, on=theme.PANEL)
    glass = Rect(area.left + 8, area.top + 26, area.width - 16, 48)
    canvas.panel(glass, theme.BACKGROUND, 4)
    for number, line in enumerate(panel.lines):
        canvas.text(
            line,
            Rect(glass.left + 6, glass.top + number * 22 + 2, glass.width - 12, 22),
            Style(10, theme.GOOD),
            align=LEFT,
            on=theme.BACKGROUND,
        )
    _lamp_and_buzzer(canvas, panel)
    for key in KEYS:
        rect = _key(_PANELS[panel.place], key)
        canvas.panel(rect, theme.BACKGROUND, 4)
        canvas.text(key, rect, Style(11, bold=True), on=theme.BACKGROUND)
    if panel.fault:
        below = _buzzer(_PANELS[panel.place]).bottom + 10
        room = Rect(area.left + 6, below, 84, area.bottom - below - 4)
        canvas.lines(panel.fault, room, Style(9, theme.LIT), on=theme.PANEL)


def _lamp_and_buzzer(canvas: Canvas, panel: Panel) -> None:
    """Draw the buzzer with its lamp round it, and the PC's key that presses it."""
    buzzer = _buzzer(_PANELS[panel.place])
    ring = {Lamp.OFF: theme.BACKGROUND, Lamp.ON: theme.LIT, Lamp.BLINK: theme.GOOD}[panel.lamp]
    pygame.draw.circle(canvas.surface, ring, buzzer.center, 42)
    pygame.draw.circle(canvas.surface, theme.CHIP if panel.plugged else theme.FAINT, buzzer.center, 33)
    key = pygame.key.name(BUZZER_KEYS[panel.place]).upper() if pygame.display.get_init() else ""
    canvas.text(key or "?", buzzer, Style(18, theme.LINE, bold=True), on=theme.CHIP)


def _house_panel(canvas: Canvas, line: str | None) -> None:
    canvas.panel(_HOUSE.inflate(-8, -8), theme.PANEL)
    title = Rect(_HOUSE.left + 16, _HOUSE.top + 12, 300, 24)
    canvas.text(_("House"), title, Style(12, theme.FAINT, bold=True), align=LEFT, on=theme.PANEL)
    if line is not None:
        room = Rect(title.right, title.top, _HOUSE.right - title.right - 20, title.height)
        canvas.text(line, room, Style(12, theme.GOOD), align=RIGHT, on=theme.PANEL)
    for control, rect in zip(HOUSE_CONTROLS, _house(), strict=True):
        canvas.panel(rect, theme.BACKGROUND, 6)
        key = {pygame.K_ESCAPE: "Esc"}.get(HOUSE_KEYS[control], f"F{HOUSE_KEYS[control] - pygame.K_F1 + 1}")
        canvas.text(f"{control}  {key}", rect.inflate(-8, 0), Style(11), on=theme.BACKGROUND)


def _fault_panel(canvas: Canvas, panels: Sequence[Panel]) -> None:
    for panel in panels:
        for fault, rect in zip(FAULTS, _faults(panel.place), strict=True):
            canvas.panel(rect, theme.BACKGROUND, 6)
            canvas.text(fault, rect.inflate(-6, 0), Style(10), on=theme.BACKGROUND)
        label = Rect(_faults(panel.place)[0].left - 80, rect.top, 74, 30)
        canvas.text(
            _("seat {n}").format(n=panel.place + 1), label, Style(10, theme.FAINT), align=LEFT, on=theme.PANEL
        )
    canvas.panel(_HELP.inflate(-8, -8), theme.PANEL)
    help_lines = (
        _("Virtual table: nothing here"),
        _("is a real device."),
        "",
        _("Keys are printed on the buzzers."),
        _("Digits: row of digits, then"),
        _("Backspace = *, Return = #,"),
        _("F1 to F4 = A to D."),
        _("Esc: pause and menu. Tab: look."),
    )
    for number, line in enumerate(help_lines):
        room = Rect(_HELP.left + 16, _HELP.top + 12 + number * 26, _HELP.width - 32, 24)
        canvas.text(line, room, Style(10, theme.FAINT if number > 1 else theme.LIT), align=LEFT, on=theme.PANEL)

"""The virtual seats around the display on a PC: buzzers, keypads, lamps, private screens, faults on demand."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import pygame
from pygame import Rect

from companion.core.console import BUZZ, HOUSE_CONTROLS, KEYPAD, KEYS, Lamp
from companion.core.place import HOUSE, Place, by_place, each_place
from companion.core.signal import PEEK
from companion.core.text import Render, Text, msg, reader
from companion.display import cut, tabletop, theme
from companion.display.canvas import LEFT, RIGHT, Canvas, Placed, Target, lines_height
from companion.display.frame import Frame, Hint, Look, Panel
from companion.display.layout import LARGE
from companion.display.theme import Style

Held = frozenset[tuple[Place, str]]
"""The controls that hands hold down, each with its place."""

WINDOW: Final = (1280, 720)
DISPLAY: Final = Rect(240, 14, 800, 480)
"""Where the shared display stands in the window."""

FAULTS: Final = ("unplug", "bounce", "stuck", "late")

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
}
"""The signs of faults: some of our drawings, and lines in a field of 18 by 18."""

BUZZER_KEYS: Final = dict(by_place((pygame.K_z, pygame.K_q, pygame.K_t, pygame.K_p, pygame.K_m)))
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

_SAME_KEY: Final = dict(zip(PAD_KEYS, DIGIT_KEYS, strict=True))
"""Each key of the number pad as the one that means the same beside the letters."""

PEEK_KEY: Final = pygame.K_TAB

_BUZZER_AT: Final = {
    getattr(pygame, f"KSCAN_{letter}"): getattr(pygame, f"K_{letter.lower()}") for letter in "ZQTPM"
}
"""By its scancode, which of the buzzers' keys is there on a US keyboard."""

_FIXED_KEYS: Final[dict[int, tuple[Place, str]]] = {
    PEEK_KEY: (HOUSE, PEEK),
    **{key: (place, BUZZ) for place, key in BUZZER_KEYS.items()},
    **{key: (HOUSE, control) for control, key in HOUSE_KEYS.items()},
}

_SIZE: Final = (226, 232)

# The places clockwise, from the lower left: two above the first on the left, two on the right.
_UNITS: Final = (
    Rect((5, 482), _SIZE),
    Rect((5, 244), _SIZE),
    Rect((5, 6), _SIZE),
    Rect((1049, 6), _SIZE),
    Rect((1049, 244), _SIZE),
)
_HELP: Final = Rect((1049, 482), _SIZE)
_BEZEL: Final = DISPLAY.inflate(14, 14)
_STORY: Final = Rect(_BEZEL.left, 514, 492, 200)
_HOUSE: Final = Rect(_STORY.right + 8, 510, _BEZEL.right - _STORY.right - 8, 204)

_CONTROL: Final = re.compile(r"\[(buzz|ok|[0-9*#A-D])\]")

_STORY_ROWS_BESIDE_HINT: Final = 3
"""The sentences of the story above a hint."""

_CAP_PX: Final = 9
"""The smallest capitals, large enough on a PC's screen."""


def targets(places: int) -> list[Target]:
    """Return everything that can be clicked."""
    found: list[Target] = []
    for place in each_place(places):
        unit = _UNITS[place]
        found.append(Target(_buzzer(unit), place, BUZZ))
        found += [Target(_key(unit, key), place, key) for key in KEYS]
        found += [Target(rect, place, f"fault {fault}") for fault, rect in zip(FAULTS, _faults(unit), strict=True)]
    found += [Target(rect, HOUSE, control) for control, rect in zip(HOUSE_CONTROLS, _house(), strict=True)]
    return found


def in_latin(key: int, scancode: int) -> int:
    """Return the key that is meant: a buzzer's by its position where the layout has no Latin letter there.

    Russian, Greek, Hebrew and Arabic layouts have none. SDL does the same for digits.
    """
    return key if key < 128 and chr(key).isalnum() else _BUZZER_AT.get(scancode, key)


def on_keyboard(key: int, panels: Sequence[Panel], *, house: bool = False) -> Target | None:
    """Return the control of a key of the PC, or None. With `house` the digits belong to the house.

    A number pad that nobody has does the same as the row of digits.
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
    """The devices around the display, in a look; controls that are held look pressed."""

    panels: tuple[Panel, ...] = ()
    house: str | None = None
    story: tuple[str, ...] = ()
    held: Held = frozenset()
    look: Look = Look()
    hint: Hint | None = None

    def held_at(self, place: Place) -> frozenset[str]:
        return frozenset(control for held_place, control in self.held if held_place == place)


def around(frame: Frame, held: Held = frozenset()) -> Around:
    """Return the devices around the display of a frame."""
    return Around(frame.panels, frame.house, frame.story, held, frame.look, frame.hint)


def draw(canvas: Canvas, now: Around, before: Around | None = None) -> None:
    """Draw everything around the display, or only what differs from `before`."""
    canvas.look = now.look
    if before is None or len(before.panels) != len(now.panels) or before.look != now.look:
        before = None
        _table(canvas, len(now.panels))
    for number, panel in enumerate(now.panels):
        held = now.held_at(panel.place)
        if before is None or (before.panels[number], before.held_at(panel.place)) != (panel, held):
            _unit(canvas, panel, held)
    held = now.held_at(HOUSE)
    if before is None or (before.house, before.held_at(HOUSE)) != (now.house, held):
        _house_unit(canvas, now.house, held)
    shown = (now.story, now.hint, now.hint and now.panels)  # whose keypad a hint names may have changed
    if before is None or (before.story, before.hint, now.hint and before.panels) != shown:
        _story(canvas, now.story if now.hint is None else now.story[-_STORY_ROWS_BESIDE_HINT:])
        if now.hint:
            _hint(canvas, now.hint, now.panels)


def _px(canvas: Canvas, cap_px: int) -> int:
    """Return the height of capitals, enlarged for large text."""
    return round(cap_px * LARGE) if canvas.look.large_text else cap_px


def _read(canvas: Canvas, text: Text) -> str:
    """Return words of the virtual table itself in the language of the display."""
    return reader(canvas.look.language)(text)


def wood(places: int = len(_UNITS)) -> pygame.Surface:
    """Return the table with the shadows of what stands on it."""
    standing = (*_UNITS[:places], _HOUSE, _STORY, _HELP, _BEZEL)
    return tabletop.table(WINDOW, tuple((*rect.topleft, *rect.size) for rect in standing))


def _table(canvas: Canvas, places: int) -> None:
    canvas.surface.blit(wood(places), (0, 0))
    tabletop.housing(canvas.surface, _BEZEL, tabletop.FRAME)
    _help(canvas)


# --- Where everything is ----------------------------------------------------------------------------------


def tag(place: Place) -> Rect:
    """Return the place that says which keys of the PC are a seat's keypad."""
    unit = _UNITS[place]
    return Rect(unit.left + 6, unit.bottom - 30, 96, 22)


def house_screen() -> Rect:
    """Return the place of the house's line."""
    return Rect(_HOUSE.left + 68, _HOUSE.top + 7, _HOUSE.width - 80, 22)


def _buzzer(unit: Rect) -> Rect:
    return Rect(unit.left + 5, unit.top + 100, 98, 98)


def _key(unit: Rect, key: str) -> Rect:
    row, column = next((row, keys.index(key)) for row, keys in enumerate(KEYPAD) if key in keys)
    return Rect(unit.left + 105 + column * 29, unit.top + 98 + row * 32, 27, 30)


def _faults(unit: Rect) -> list[Rect]:
    return [Rect(unit.right - 104 + number * 25, unit.top + 6, 24, 24) for number in range(len(FAULTS))]


def _house() -> list[Rect]:
    places = [divmod(number, 4) for number in range(len(HOUSE_CONTROLS))]
    return [Rect(_HOUSE.left + 10 + along * 75, _HOUSE.top + 36 + down * 49, 72, 46) for down, along in places]


# --- A seat -----------------------------------------------------------------------------------------------


def _unit(canvas: Canvas, panel: Panel, held: frozenset[str]) -> None:
    unit, taken = _UNITS[panel.place], bool(panel.name)
    body = tabletop.BODY if taken else tabletop.EMPTY
    tabletop.housing(canvas.surface, unit, canvas.tone(body))
    badge = Rect(unit.left + 6, unit.top + 7, 22, 22)
    on = theme.PAPER if taken else body
    canvas.disc(badge.center, 11, on)
    number = Style(_CAP_PX + 1, theme.LINE if taken else theme.TEXT, bold=True)
    canvas.text(str(panel.place + 1), badge, number, on=on)
    name = Rect(badge.right + 4, badge.top, _faults(unit)[0].left - badge.right - 6, badge.height)
    canvas.text(panel.name, name, Style(_px(canvas, 11), theme.TEXT, bold=True), align=LEFT, on=tabletop.BODY)
    _private_screen(canvas, Rect(unit.left + 10, unit.top + 36, unit.width - 20, 54), panel)
    _dome(canvas, panel, pressed=BUZZ in held or "stuck" in panel.faults)
    _keypad(canvas, panel, held)
    _owner(canvas, tag(panel.place), panel)
    for fault, rect in zip(FAULTS, _faults(unit), strict=True):
        _fault(canvas, rect, fault, on=fault in panel.faults)


def _private_screen(canvas: Canvas, rect: Rect, panel: Panel) -> None:
    """Draw the small screen that only this seat reads: what to do, and below it the secret."""
    tabletop.glass(canvas.surface, rect)
    first, second = panel.lines
    if not (panel.name and panel.plugged):
        return  # dark
    inside = rect.inflate(-12, -4)
    style = Style(_px(canvas, _CAP_PX), tabletop.GLOW)
    below = lines_height(second, inside.width, style) if second else 0
    foot, head = cut.bottom(inside, min(below, inside.height // 2))
    canvas.lines(first, head, style, align=LEFT, on=tabletop.GLASS)
    canvas.lines(second, foot, style._replace(colour=theme.LIT), align=LEFT, on=tabletop.GLASS)


def _dome(canvas: Canvas, panel: Panel, *, pressed: bool) -> None:
    """Draw the buzzer with its lamp, and the PC's key that presses it."""
    place = _buzzer(_UNITS[panel.place])
    ring = {Lamp.OFF: None, Lamp.ON: theme.LIT, Lamp.BLINK: theme.GOOD}[panel.lamp]
    dome = tabletop.DOME if panel.name else tabletop.DOME_EMPTY
    dome = dome if panel.plugged else tabletop.DOME_DEAD
    canvas.surface.blit(
        tabletop.buzzer(place.width, canvas.tone(dome), canvas.tone(ring) if ring else None, pressed), place
    )
    key = pygame.key.name(BUZZER_KEYS[panel.place]).upper() if pygame.display.get_init() else ""
    canvas.text(key or "?", place, Style(16 if pressed else 18, theme.LINE, bold=True), on=dome)


def _keypad(canvas: Canvas, panel: Panel, held: frozenset[str]) -> None:
    usable = panel.plugged and bool(panel.name)
    cap, ink = (tabletop.CAP, theme.TEXT) if usable else (tabletop.CAP_DIM, theme.FAINT)
    for key in KEYS:
        face = tabletop.key(canvas.surface, _key(_UNITS[panel.place], key), canvas.tone(cap), pressed=key in held)
        colour = theme.LIT if panel.keys else ink
        canvas.text(key, face, Style(_px(canvas, 10), colour, bold=True), on=cap)


def _owner(canvas: Canvas, rect: Rect, panel: Panel) -> None:
    """Draw which keys of the PC are this keypad now, or a robot."""
    if panel.keys:
        canvas.panel(rect, theme.LIT, 6)
        keys = {"digits": msg("digits"), "number pad": msg("number pad")}[panel.keys]
        canvas.text(
            _read(canvas, keys),
            rect.inflate(-8, 0),
            Style(_px(canvas, _CAP_PX), theme.LINE, bold=True),
            on=theme.LIT,
        )
    elif panel.robot:
        canvas.picture("robot", rect, theme.FAINT, on=tabletop.BODY)


def _fault(canvas: Canvas, rect: Rect, fault: str, *, on: bool) -> None:
    """Draw a switch for one fault, lit while it is on."""
    cap, ink = (theme.LIT, theme.LINE) if on else (tabletop.CAP_DIM, theme.FAINT)
    face = tabletop.key(canvas.surface, rect, canvas.tone(cap))
    _fault_sign(canvas, face, fault, ink, cap)


def _fault_sign(canvas: Canvas, rect: Rect, fault: str, ink: theme.Colour, on: theme.Colour) -> None:
    room = cut.square_at(rect.center, 18)
    if fault in _FAULT_PICTURES:
        canvas.picture(_FAULT_PICTURES[fault], room, ink, on=on)
        return
    left, top = room.topleft
    lines = [[(left + across, top + down) for across, down in line] for line in _FAULT_LINES[fault]]
    for line in lines:
        pygame.draw.lines(canvas.surface, canvas.tone(ink), False, line, 2)
    canvas.placed.append(Placed(fault, room, rect, 0, ink, on))


# --- The house, the story, the help -----------------------------------------------------------------------


def _house_unit(canvas: Canvas, line: str | None, held: frozenset[str]) -> None:
    tabletop.housing(canvas.surface, _HOUSE, canvas.tone(tabletop.BODY))
    screen = house_screen()
    title = Rect(_HOUSE.left + 12, screen.top, screen.left - _HOUSE.left - 12, screen.height)
    canvas.text(_read(canvas, msg("House")), title, Style(11, theme.TEXT, bold=True), align=LEFT, on=tabletop.BODY)
    tabletop.glass(canvas.surface, screen)
    style = Style(_px(canvas, _CAP_PX), tabletop.GLOW)
    canvas.text(line or "", screen.inflate(-10, 0), style, align=LEFT, on=tabletop.GLASS)
    for control, rect in zip(HOUSE_CONTROLS, _house(), strict=True):
        face = tabletop.key(canvas.surface, rect, canvas.tone(tabletop.CAP), pressed=control in held)
        key = {pygame.K_ESCAPE: "Esc"}.get(HOUSE_KEYS[control], f"F{HOUSE_KEYS[control] - pygame.K_F1 + 1}")
        canvas.text(f"{control}  {key}", face.inflate(-8, 0), Style(_CAP_PX, bold=True), on=tabletop.CAP)
    _fault_legend(canvas, Rect(_HOUSE.left + 10, _HOUSE.bottom - 62, _HOUSE.width - 20, 54))


def _fault_legend(canvas: Canvas, rect: Rect) -> None:
    """Name the small switches at the seats."""
    title, signs = cut.top(rect, 24)
    style = Style(_px(canvas, _CAP_PX), theme.FAINT)
    canvas.text(_read(canvas, msg("What can go wrong at a seat:")), title, style, align=LEFT, on=tabletop.BODY)
    for fault, cell in zip(FAULTS, cut.cells(cut.top(signs, 28)[0], len(FAULTS), len(FAULTS)), strict=True):
        sign, label = cut.left(cell, 24)
        _fault_sign(canvas, sign, fault, theme.FAINT, tabletop.BODY)
        canvas.text(_read(canvas, _FAULT_WORDS[fault]), label, style, align=LEFT, on=tabletop.BODY)


def _story(canvas: Canvas, story: Sequence[str]) -> None:
    """Draw what happened last on a sheet of paper, the newest sentence lowest and darkest."""
    line_px, top_px = 32, 36
    tabletop.sheet(canvas.surface, _STORY, line_px, top_px)
    rows = (_STORY.height - top_px) // line_px
    room = Rect(_STORY.left + 36, _STORY.top + top_px - line_px, _STORY.width - 48, line_px)
    shown = story[-rows - 1 :] or (_read(canvas, msg("What happens at the table is told here.")),)
    for number, sentence in enumerate(shown):
        newest = bool(story) and number == len(shown) - 1
        style = Style(_px(canvas, 12), tabletop.INK if newest else tabletop.INK_FAINT, bold=newest)
        canvas.lines(sentence, room.move(0, number * line_px), style, align=LEFT, on=tabletop.SHEET)


def _hint(canvas: Canvas, hint: Hint, panels: Sequence[Panel]) -> None:
    """Draw a note on the sheet: the next key, and where notes are turned off."""
    note = Rect(_STORY.left + 8, _STORY.bottom - 96, _STORY.width - 16, 92)
    canvas.panel(note, theme.LIT, 8)
    foot, says = cut.bottom(note.inflate(-20, -10), 18)
    style = Style(_px(canvas, 13), theme.LINE, bold=True)
    canvas.lines(with_keys(hint, panels, reader(canvas.look.language)), says, style, align=LEFT, on=theme.LIT)
    off = _read(canvas, msg("Turn these notes off: Esc, Settings"))
    canvas.text(off, foot, Style(_CAP_PX, theme.LINE), align=RIGHT, on=theme.LIT)


def with_keys(hint: Hint, panels: Sequence[Panel], read: Render) -> str:
    """Return a hint with the PC's own keys in place of controls: `[Return]` for `[#]`."""
    keys = next((panel.keys for panel in panels if panel.place == hint.place), "")
    pad = PAD_KEYS if keys == "number pad" else DIGIT_KEYS
    names = {control: key_name(key, read) for key, control in pad.items()}
    names |= {BUZZ: key_name(BUZZER_KEYS[hint.place], read), "ok": key_name(HOUSE_KEYS["ok"], read)}
    return _CONTROL.sub(lambda found: f"[{names[found[1]]}]", hint.text)


def key_name(key: int, read: Render) -> str:
    """Return the name that is printed on a key of the PC."""
    named = {
        pygame.K_RETURN: msg("Return"),
        pygame.K_BACKSPACE: msg("Backspace"),
        pygame.K_KP_ENTER: msg("Enter"),
    }
    if key in named:
        return read(named[key])
    name = pygame.key.name(key) if pygame.display.get_init() else ""
    return name.strip("[]").upper() or "?"


def _help(canvas: Canvas) -> None:
    tabletop.housing(canvas.surface, _HELP, canvas.tone(tabletop.BODY))
    room = _HELP.inflate(-28, -16)
    title = Rect(room.left, room.top, room.width, 24)
    canvas.text(
        _read(canvas, msg("Virtual table")), title, Style(12, theme.LIT, bold=True), align=LEFT, on=tabletop.BODY
    )
    lines = (
        msg("Nothing here is a real device."),
        msg("The letter on a buzzer presses it."),
        msg("Keypad (digits): row of digits,"),
        msg("Backspace is *, Return is #,"),
        msg("F1 to F4 are A to D."),
        msg("Esc: menu. Tab: look at secrets."),
    )
    for number, line in enumerate(lines):
        row = Rect(room.left, title.bottom + 4 + number * 30, room.width, 26)
        canvas.text(_read(canvas, line), row, Style(_CAP_PX, theme.TEXT), align=LEFT, on=tabletop.BODY)

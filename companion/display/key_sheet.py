"""Draws the key sheet: the PC keyboard with the current meaning of each key."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import pygame
from pygame import Rect

from companion.core.text import Render, Text, msg, reader
from companion.display import cut, tabletop, theme
from companion.display.canvas import LEFT, Canvas
from companion.display.frame import Frame
from companion.display.table_plan import table_plan
from companion.display.theme import Colour, Style
from companion.display.virtual_seats import (
    BUZZER_KEYS,
    DIGIT_KEYS,
    HOUSE_KEYS,
    PAD_KEYS,
    PEEK_KEY,
    key_name,
)

SHEET_KEY: Final = pygame.K_F1  # opens the sheet; any key closes it

FULL_KEY: Final = pygame.K_F11  # switches full screen on and off

Row = tuple[tuple[float, int], ...]
"""Keys from left to right with their widths. Key 0 does nothing; GAP is empty space."""

GAP: Final = -1

MAIN_WIDTH: Final = 15.0
PAD_WIDTH: Final = 4.0
ROWS: Final = 6.0
PAD_ROWS: Final = 5.0
SPACE: Final = 0.5  # between the keyboard and its number pad

_BUZZER: Final[Colour] = theme.CHIP
_DIGITS: Final[Colour] = theme.LIT
_PAD: Final[Colour] = theme.INKS["sky"]
_HOUSE: Final[Colour] = theme.GOOD
_WINDOW: Final[Colour] = theme.PAPER


class Meaning(NamedTuple):
    """The current meaning of a key. `does` is empty if the key's label says it."""

    colour: Colour
    does: str = ""


def draw(canvas: Canvas, frame: Frame) -> None:
    """Draw the sheet over the whole canvas."""
    canvas.look = frame.look
    canvas.fill(theme.BACKGROUND)
    cap_px = table_plan(canvas.rect.size).cap_px
    whole = canvas.rect.inflate(-2 * cap_px, -2 * cap_px)
    title, rest = cut.top(whole, 3 * cap_px, cap_px)
    read = reader(frame.look.language)
    canvas.text(read(msg("The keys of this table")), title, Style(round(cap_px * 1.8), theme.LIT, bold=True))
    tall = rest.height > rest.width
    across, down = (MAIN_WIDTH, ROWS + SPACE + PAD_ROWS) if tall else (MAIN_WIDTH + SPACE + PAD_WIDTH, ROWS)
    size = min(rest.width / across, rest.height * (1.0 if tall else 0.7) / down)
    keyboard, below = cut.top(rest, round(size * down), 2 * cap_px)
    keyboard = cut.sized(round(size * across), keyboard.height, midtop=keyboard.midtop)
    pad = (MAIN_WIDTH - PAD_WIDTH, ROWS + SPACE) if tall else (MAIN_WIDTH + SPACE, 1.0)
    meanings = _meanings(read)
    for key, left, top, wide, high in (*_placed(_main(read), (0.0, 0.0)), *_placed(_pad(), pad)):
        edges = (left * size, top * size, (left + wide) * size, (top + high) * size)
        x, y, right, bottom = map(round, edges)
        rect = Rect(keyboard.left + x, keyboard.top + y, right - x - 2, bottom - y - 2)
        _cap(canvas, rect, key, meanings.get(key), round(size))
    if tall:  # beside the number pad
        below, _pad_room = cut.left(cut.bottom(keyboard, round(size * PAD_ROWS))[0], round(size * (pad[0] - SPACE)))
    _legend(canvas, below, frame, cap_px, columns=1 if tall else 2)


def _letters(read: Render) -> list[list[int]]:
    rows = read(msg("QWERTYUIOP ASDFGHJKL ZXCVBNM")).split()
    return [[pygame.key.key_code(letter.lower()) for letter in row] for row in rows]


def _main(read: Render) -> list[Row]:
    upper, middle, lower = ([(1.0, key) for key in row] for row in _letters(read))
    functions = [(1.0, pygame.K_F1 + number) for number in range(12)]
    digits = [(1.0, getattr(pygame, f"K_{digit}")) for digit in "1234567890"]
    row = ((1.0, 0), *digits, (1.0, 0), (1.0, 0), (2.0, pygame.K_BACKSPACE))
    return [
        (
            (1.0, pygame.K_ESCAPE),
            (1.0, GAP),
            *functions[:4],
            (0.5, GAP),
            *functions[4:8],
            (0.5, GAP),
            *functions[8:],
        ),
        row,
        ((1.5, PEEK_KEY), *upper, *[(1.0, 0)] * (12 - len(upper)), (1.5, 0)),
        ((1.75, 0), *middle, *[(1.0, 0)] * (11 - len(middle)), (2.25, pygame.K_RETURN)),
        ((2.25, 0), *lower, *[(1.0, 0)] * (10 - len(lower)), (2.75, 0)),
        ((1.25, 0),) * 3 + ((6.25, 0),) + ((1.25, 0),) * 4,
    ]


def _pad() -> list[Row]:
    kp = {digit: getattr(pygame, f"K_KP_{digit}") for digit in range(10)}
    return [
        ((1.0, 0), (1.0, pygame.K_KP_DIVIDE), (1.0, pygame.K_KP_MULTIPLY), (1.0, pygame.K_KP_MINUS)),
        ((1.0, kp[7]), (1.0, kp[8]), (1.0, kp[9]), (1.0, pygame.K_KP_PLUS)),
        ((1.0, kp[4]), (1.0, kp[5]), (1.0, kp[6]), (1.0, GAP)),
        ((1.0, kp[1]), (1.0, kp[2]), (1.0, kp[3]), (1.0, pygame.K_KP_ENTER)),
        ((2.0, kp[0]), (1.0, pygame.K_KP_PERIOD), (1.0, GAP)),
    ]


_HIGH: Final = {pygame.K_KP_PLUS: 2.0, pygame.K_KP_ENTER: 2.0}  # in rows


def _placed(rows: list[Row], corner: tuple[float, float]) -> Iterator[tuple[int, float, float, float, float]]:
    """Yield each key with its left, top, width and height, in key widths."""
    for number, row in enumerate(rows):
        left = corner[0]
        for wide, key in row:
            if key != GAP:
                yield key, left, corner[1] + number, wide, _HIGH.get(key, 1.0)
            left += wide


def _meanings(read: Render) -> dict[int, Meaning]:
    keypads = ((DIGIT_KEYS, _DIGITS), (PAD_KEYS, _PAD))
    found = {key: Meaning(colour, control) for keys, colour in keypads for key, control in keys.items()}
    found |= {key: Meaning(_BUZZER, str(place + 1)) for place, key in BUZZER_KEYS.items()}
    found |= {key: Meaning(_HOUSE, control) for control, key in HOUSE_KEYS.items()}
    return found | {
        PEEK_KEY: Meaning(_WINDOW, read(msg("look"))),
        SHEET_KEY: Meaning(_WINDOW, read(msg("keys"))),
        FULL_KEY: Meaning(_WINDOW, read(msg("full"))),
    }


def _cap(canvas: Canvas, rect: Rect, key: int, meaning: Meaning | None, size_px: int) -> None:
    small_px, large_px = round(size_px * 0.22), round(size_px * 0.26)
    colour = meaning.colour if meaning else tabletop.CAP_DIM
    face = tabletop.key(canvas.surface, rect, canvas.tone(colour)).inflate(-4, -4)
    label = key_name(key, reader(canvas.look.language)) if key else ""
    if meaning is None:
        canvas.text(label, face, Style(small_px, theme.FAINT), on=colour)
        return
    large = Style(large_px, theme.LINE, bold=True)
    if meaning.does in {"", label}:
        canvas.text(label, face, large, on=colour)
        return
    upper, lower = cut.equal(face, 2, upright=True)
    canvas.text(label, upper, Style(small_px, theme.LINE), on=colour)
    canvas.text(meaning.does, lower, large, on=colour)


def _legend(canvas: Canvas, rect: Rect, frame: Frame, cap_px: int, columns: int) -> None:
    owners = {panel.keys: panel.name for panel in frame.panels if panel.keys}
    read = reader(frame.look.language)
    digits = read(msg("House")) if frame.house is not None else owners.get("digits", "")
    seated = ", ".join(f"{panel.place + 1}\N{NO-BREAK SPACE}{panel.name}" for panel in frame.panels if panel.name)
    lines = (
        (_BUZZER, msg("Buzzers of the seats: {names}", names=seated or "1–5")),
        (_DIGITS, msg("Keypad: {name} has it now", name=digits) if digits else msg("Keypad of the player to act")),
        (_PAD, _second_keypad(owners.get("number pad", ""))),
        (_HOUSE, msg("The buttons of the house")),
        (_WINDOW, msg("Hold Tab to see what is hidden")),
        (_WINDOW, msg("Any key closes this page")),
    )
    rows = -(-len(lines) // columns)
    room = cut.top(rect, min(rect.height, 5 * cap_px * rows))[0]
    for (colour, text), cell in zip(lines, cut.cells(room, len(lines), columns), strict=True):
        chip, says = cut.left(cell.inflate(-cap_px, -2), 2 * cap_px, cap_px)
        canvas.panel(cut.square(chip), colour, 3)
        canvas.lines(read(text), says, Style(round(cap_px * 1.4), theme.TEXT), align=LEFT)


def _second_keypad(name: str) -> Text:
    return msg("Second keypad: {name} has it now", name=name) if name else msg("Second keypad")

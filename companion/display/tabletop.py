"""Draws the parts of a virtual table: wood, housings, buttons, keys and paper."""

import random
from functools import lru_cache
from typing import Final

import pygame
from pygame import Rect

from companion.display import theme
from companion.display.theme import Colour

BODY: Final[Colour] = (0x2B, 0x2F, 0x34)  # a device's housing

EMPTY: Final[Colour] = (0x3B, 0x29, 0x1B)  # the housing of an empty seat, coloured like the table

FRAME: Final[Colour] = (0x17, 0x1A, 0x1D)  # the shared display's housing

GLASS: Final[Colour] = (0x06, 0x0B, 0x0D)  # a private screen

GLOW: Final[Colour] = (0x8D, 0xF2, 0xC8)  # text on a private screen

CAP: Final[Colour] = (0x45, 0x4B, 0x53)  # a key

CAP_DIM: Final[Colour] = (0x34, 0x39, 0x3F)  # a key without a function

DOME: Final[Colour] = theme.CHIP
DOME_EMPTY: Final[Colour] = (0xC4, 0x62, 0x58)  # of an empty seat
DOME_DEAD: Final[Colour] = (0x8A, 0x92, 0x9B)  # of an unplugged device

SHEET: Final[Colour] = (0xEF, 0xE6, 0xD2)
INK: Final[Colour] = (0x2A, 0x22, 0x1C)
INK_FAINT: Final[Colour] = (0x6B, 0x5E, 0x52)

_WOOD: Final[Colour] = (0x8A, 0x5A, 0x34)

_TRAVEL_PX: Final = 3  # how far a key sinks

_PLANK_PX: Final = 90
_FAINT: Final = bytes(value // 9 for value in range(256))  # turns noise into a slight darkening

_FINE: Final = 4  # round shapes are drawn larger and scaled down, which smooths them


@lru_cache(maxsize=2)
def table(size: tuple[int, int], standing: tuple[tuple[int, int, int, int], ...]) -> pygame.Surface:
    """Return a wooden table top with the shadows of the devices at `standing`."""
    drawn = pygame.Surface(size)
    drawn.fill(_WOOD)
    _planks(drawn)
    _grain(drawn)
    _lamplight(drawn)
    for rect in standing:
        _shadow(drawn, Rect(rect))
    return drawn


def _planks(surface: pygame.Surface) -> None:
    width, height = surface.get_size()
    for number, top in enumerate(range(0, height, _PLANK_PX)):
        tone = (0, 9, 4, 12, 2)[number % 5]
        surface.fill((tone, tone * 3 // 4, tone // 2), (0, top, width, _PLANK_PX), pygame.BLEND_RGB_SUB)
        pygame.draw.line(surface, (0x2A, 0x1A, 0x10), (0, top), (width, top), 2)


def _grain(surface: pygame.Surface) -> None:
    wide, high = 24, surface.get_height() // 2
    noise = random.Random(7).randbytes(wide * high)  # fixed seed: always the same wood
    grey = bytearray(3 * len(noise))
    grey[0::3] = grey[1::3] = grey[2::3] = noise.translate(_FAINT)
    streaks = pygame.image.frombytes(bytes(grey), (wide, high), "RGB").convert(surface)
    surface.blit(
        pygame.transform.smoothscale(streaks, surface.get_size()), (0, 0), special_flags=pygame.BLEND_RGB_SUB
    )


def _lamplight(surface: pygame.Surface) -> None:
    wide, high = 16, 9
    light = pygame.Surface((wide, high))
    for across in range(wide):
        for down in range(high):
            away = ((across + 0.5) / wide - 0.5) ** 2 + ((down + 0.5) / high - 0.5) ** 2
            light.set_at((across, down), (round(255 - 250 * away),) * 3)
    surface.blit(
        pygame.transform.smoothscale(light, surface.get_size()), (0, 0), special_flags=pygame.BLEND_RGB_MULT
    )


def _shadow(surface: pygame.Surface, rect: Rect) -> None:
    soft = 8
    area = rect.inflate(4 * soft, 4 * soft).move(0, soft // 2)
    small = pygame.Surface((area.width // soft, area.height // soft), pygame.SRCALPHA)
    pygame.draw.rect(small, (0, 0, 0, 110), small.get_rect().inflate(-2, -2))
    surface.blit(pygame.transform.smoothscale(small, area.size), area)


def housing(surface: pygame.Surface, rect: Rect, colour: Colour = BODY) -> None:
    surface.blit(_housing(rect.size, colour), rect)


@lru_cache(maxsize=16)
def _housing(size: tuple[int, int], colour: Colour) -> pygame.Surface:
    drawn = pygame.Surface(size, pygame.SRCALPHA)
    rect = drawn.get_rect()
    pygame.draw.rect(drawn, theme.mixed(colour, theme.BLACK, 0.45), rect, border_radius=12)
    pygame.draw.rect(drawn, theme.mixed(colour, theme.WHITE, 0.16), rect.move(0, -2), border_radius=12)
    pygame.draw.rect(drawn, colour, rect.inflate(-2, -4), border_radius=12)
    return drawn


def glass(surface: pygame.Surface, rect: Rect) -> None:
    pygame.draw.rect(surface, theme.mixed(BODY, theme.WHITE, 0.12), rect.inflate(4, 4).move(0, 1), border_radius=6)
    pygame.draw.rect(surface, theme.BLACK, rect.inflate(4, 4), border_radius=6)
    pygame.draw.rect(surface, GLASS, rect, border_radius=4)


def key(surface: pygame.Surface, rect: Rect, colour: Colour, *, pressed: bool = False) -> Rect:
    """Draw a key and return its face, which sinks when pressed."""
    surface.blit(_key(rect.size, colour, pressed), rect)
    return Rect(rect.left, rect.top + _TRAVEL_PX * pressed, rect.width, rect.height - _TRAVEL_PX)


@lru_cache(maxsize=32)
def _key(size: tuple[int, int], colour: Colour, pressed: bool) -> pygame.Surface:
    drawn = pygame.Surface(size, pygame.SRCALPHA)
    rect = drawn.get_rect()
    face = Rect(0, _TRAVEL_PX * pressed, rect.width, rect.height - _TRAVEL_PX)
    radius_px = min(5, rect.height // 6)
    pygame.draw.rect(drawn, theme.mixed(colour, theme.BLACK, 0.6), rect, border_radius=radius_px)
    shown = theme.mixed(colour, theme.BLACK, 0.35) if pressed else colour
    pygame.draw.rect(drawn, shown, face, border_radius=radius_px)
    return drawn


def sheet(surface: pygame.Surface, rect: Rect, line_px: int, top_px: int, margin_px: int) -> None:
    """Draw ruled paper with a margin. The first line is `top_px` below the upper edge."""
    pygame.draw.rect(surface, SHEET, rect, border_radius=3)
    for below in range(rect.top + top_px, rect.bottom - 4, line_px):
        pygame.draw.line(
            surface, theme.mixed(SHEET, (0x6E, 0x8F, 0xB5), 0.35), (rect.left, below), (rect.right - 1, below)
        )
    margin = rect.left + margin_px
    pygame.draw.line(surface, theme.mixed(SHEET, theme.CHIP, 0.4), (margin, rect.top), (margin, rect.bottom - 1))


@lru_cache(maxsize=32)
def buzzer(size_px: int, dome: Colour, ring: Colour | None, pressed: bool) -> pygame.Surface:
    """Return a dome button in its collar. `ring` is the colour of its lit ring, or None."""
    full = size_px * _FINE
    drawn = pygame.Surface((full, full), pygame.SRCALPHA)
    middle, reach = full / 2, full / 2
    if ring:
        for step in range(12):
            pygame.draw.circle(drawn, (*ring, 14 + 7 * step), (middle, middle), reach * (1 - step * 0.012))
    pygame.draw.circle(drawn, (0x12, 0x15, 0x18), (middle, middle), reach * 0.88)
    pygame.draw.circle(drawn, ring or (0x3A, 0x40, 0x46), (middle, middle), reach * 0.84)
    pygame.draw.circle(drawn, (0x0C, 0x0E, 0x10), (middle, middle), reach * 0.72)
    _dome(drawn, (middle, middle), reach * (0.63 if pressed else 0.68), dome, pressed=pressed)
    return pygame.transform.smoothscale(drawn, (size_px, size_px))


def _dome(
    surface: pygame.Surface, middle: tuple[float, float], reach: float, colour: Colour, *, pressed: bool
) -> None:
    steps = 24
    dark, light = (0.5, 0.05) if pressed else (0.42, 0.0)
    for step in range(steps):
        share = step / (steps - 1)
        tone = theme.mixed(colour, theme.BLACK, dark + (light - dark) * min(1.0, share * 1.9))
        if share > 0.75 and not pressed:
            tone = theme.mixed(colour, theme.WHITE, (share - 0.75) * 0.5)
        centre = (middle[0], middle[1] - reach * 0.22 * share)
        pygame.draw.circle(surface, tone, centre, reach * (1 - 0.8 * share))
    if not pressed:
        shine = pygame.Surface((round(reach), round(reach * 0.42)), pygame.SRCALPHA)
        pygame.draw.ellipse(shine, (255, 255, 255, 70), shine.get_rect())
        surface.blit(shine, shine.get_rect(center=(middle[0], middle[1] - reach * 0.66)))

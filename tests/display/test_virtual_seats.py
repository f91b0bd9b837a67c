"""The virtual seats: everything a hand needs is there, on the mouse and on the keyboard."""

import pygame
import pytest
from pygame import Rect

from companion.core.console import BUZZ, HOUSE_CONTROLS, KEYS, Lamp
from companion.core.move import TABLE
from companion.display import theme, virtual_seats
from companion.display.canvas import Canvas
from companion.display.frame import Panel
from companion.host import PLACES

TARGETS = virtual_seats.targets(PLACES)
SCREEN = Rect((0, 0), virtual_seats.WINDOW)

LONG = "House: key the card (object, colour), or right or wrong"


def drawn(*panels: Panel) -> Canvas:
    canvas = Canvas(pygame.Surface(virtual_seats.WINDOW, 0, 32))
    canvas.fill(theme.BACKGROUND)
    virtual_seats.draw(canvas, panels)
    return canvas


ALL = tuple(Panel(place) for place in range(PLACES))
BUSY = tuple(
    Panel(place, Lamp.ON, (LONG, "too late"), "bounces, late, stuck, unplugged", place != 2, "number pad")
    for place in range(PLACES)
)


# --- What can be clicked ----------------------------------------------------------------------------------


def test_every_target_is_inside_the_window_and_outside_the_display():
    for target in TARGETS:
        assert SCREEN.contains(target.rect), target
        assert not target.rect.colliderect(virtual_seats.DISPLAY), target


def test_no_two_targets_overlap():
    rects = [target.rect for target in TARGETS]
    for number, target in enumerate(TARGETS):
        assert target.rect.collidelist(rects[number + 1 :]) == -1, target


def test_every_target_is_large_enough_for_a_mouse():
    assert min(min(target.rect.size) for target in TARGETS) >= 24


@pytest.mark.parametrize("place", range(PLACES))
def test_every_place_has_its_buzzer_its_keys_and_its_faults(place):
    controls = [target.control for target in TARGETS if target.place == place]
    assert sorted(controls) == sorted([BUZZ, *KEYS, *(f"fault {fault}" for fault in virtual_seats.FAULTS)])
    assert len(KEYS) == 16


def test_the_house_has_all_its_controls():
    assert [target.control for target in TARGETS if target.place == TABLE] == list(HOUSE_CONTROLS)


def test_there_are_as_many_seats_as_are_asked_for():
    assert {target.place for target in virtual_seats.targets(2)} == {0, 1, TABLE}


def test_the_display_is_a_display_of_the_table():
    assert virtual_seats.DISPLAY.size == (800, 480)
    assert SCREEN.contains(virtual_seats.DISPLAY)


# --- The keyboard -----------------------------------------------------------------------------------------

HANDS = (Panel(0), Panel(1, keys="digits"), Panel(2, keys="number pad"), Panel(3), Panel(4))


def test_no_key_has_two_meanings():
    keys = [
        *virtual_seats.BUZZER_KEYS.values(),
        *virtual_seats.HOUSE_KEYS.values(),
        *virtual_seats.DIGIT_KEYS,
        *virtual_seats.PAD_KEYS,
    ]
    assert len(set(keys)) == len(keys)


def test_both_keypads_have_all_keys():
    assert sorted(virtual_seats.DIGIT_KEYS.values()) == sorted(KEYS)
    assert sorted(virtual_seats.PAD_KEYS.values()) == sorted(KEYS)


@pytest.mark.parametrize("place", range(PLACES))
def test_every_place_has_a_buzzer_on_the_keyboard(place):
    target = virtual_seats.on_keyboard(virtual_seats.BUZZER_KEYS[place], ALL)
    assert target
    assert (target.place, target.control) == (place, BUZZ)


@pytest.mark.parametrize("control", HOUSE_CONTROLS)
def test_every_control_of_the_house_is_on_the_keyboard(control):
    target = virtual_seats.on_keyboard(virtual_seats.HOUSE_KEYS[control], ())
    assert target
    assert (target.place, target.control) == (TABLE, control)


@pytest.mark.parametrize(
    ("key", "place", "control"),
    [
        (pygame.K_5, 1, "5"),
        (pygame.K_RETURN, 1, "#"),
        (pygame.K_F4, 1, "D"),
        (pygame.K_KP_5, 2, "5"),
        (pygame.K_KP_ENTER, 2, "#"),
        (pygame.K_KP_PERIOD, 2, "D"),
    ],
)
def test_keypads_belong_to_whom_the_panels_say(key, place, control):
    target = virtual_seats.on_keyboard(key, HANDS)
    assert target
    assert (target.place, target.control) == (place, control)


@pytest.mark.parametrize("key", [pygame.K_x, pygame.K_SPACE, pygame.K_F11, pygame.K_LSHIFT])
def test_other_keys_mean_nothing(key):
    assert virtual_seats.on_keyboard(key, HANDS) is None


def test_a_keypad_that_nobody_has_means_nothing():
    assert virtual_seats.on_keyboard(pygame.K_5, ALL) is None
    assert virtual_seats.on_keyboard(pygame.K_KP_5, ()) is None


# --- The drawing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("panels", [(), ALL[:2], ALL, HANDS, BUSY], ids=["none", "two", "all", "hands", "busy"])
def test_nothing_overlaps_or_is_cut(panels):
    canvas = drawn(*panels)
    rects = [item.rect.inflate(-1, -1) for item in canvas.placed]
    for number, item in enumerate(canvas.placed):
        assert item.room.inflate(2, 2).contains(item.rect), item
        other = rects[number].collidelist(rects[number + 1 :])
        assert other == -1, (item, canvas.placed[number + 1 + other])
        assert not item.rect.colliderect(virtual_seats.DISPLAY), item


def test_every_text_stands_out():
    for item in drawn(*BUSY).placed:
        assert theme.contrast(item.colour, item.on) >= 4.5, item


def test_every_control_is_labelled():
    pygame.display.init()
    try:
        canvas = drawn(*ALL)
    finally:
        pygame.display.quit()
    for target in TARGETS:
        inside = [item.what for item in canvas.placed if target.rect.contains(item.rect)]
        assert len(inside) == 1, target
        if target.control == BUZZ:
            assert inside == [pygame.key.name(virtual_seats.BUZZER_KEYS[target.place]).upper()] or not inside[0]
        else:
            assert target.control.removeprefix("fault ") in inside[0]


@pytest.mark.parametrize(
    ("lamp", "colour"), [(Lamp.ON, theme.LIT), (Lamp.BLINK, theme.GOOD), (Lamp.OFF, theme.BACKGROUND)]
)
def test_the_lamp_is_round_the_buzzer(lamp, colour):
    canvas = drawn(*ALL[:3], Panel(3, lamp))
    buzzer = next(target.rect for target in TARGETS if (target.place, target.control) == (3, BUZZ))
    assert canvas.surface.get_at((buzzer.centerx + 38, buzzer.centery))[:3] == colour
    assert canvas.surface.get_at((buzzer.centerx + 24, buzzer.centery + 18))[:3] == theme.CHIP


def test_an_unplugged_buzzer_is_grey():
    canvas = drawn(Panel(0, plugged=False))
    buzzer = TARGETS[0].rect
    assert canvas.surface.get_at((buzzer.centerx + 24, buzzer.centery + 18))[:3] == theme.FAINT

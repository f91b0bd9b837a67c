"""The remote mirror shows the display without join codes."""

import io

import pygame
import pytest

from companion.core.clock import MonotonicClock
from companion.devices.phones.options import PhoneOptions
from companion.devices.phones.phones import Phones
from companion.display.frame import Frame, JoinCode, JoinPage, Poster
from companion.display.table_plan import table_plan
from companion.display.window import Window
from companion.table.mirror import STEP_NS, Mirror

POSTER = Frame(1, Poster("Who plays?"), (), ())
CODES = Frame(2, JoinPage("Who plays?", (JoinCode("Seat 1", ("1" * 29,) * 29),)), (), ())


@pytest.fixture
def window(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    window = Window(virtual=True)
    yield window
    window.close()


@pytest.fixture
def phones():
    return Phones(PhoneOptions(), lambda _: None, MonotonicClock())


def test_mirror_shows_the_pixels_of_the_display(window, phones):
    mirror = Mirror(window, phones)
    assert phones.wall.picture() is None  # asking for a picture registers a viewer
    window.show(POSTER)
    mirror.look(STEP_NS)
    picture = phones.wall.picture()
    read = pygame.image.load(io.BytesIO(picture.png), "x.png")
    assert (read.get_size(), pygame.image.tobytes(read, "RGB")) == window.pixels()
    assert read.get_size() == table_plan(window._size).display.size
    mirror.look(3 * STEP_NS)
    assert phones.wall.picture() is picture  # nothing has changed


def test_mirror_shows_no_join_code(window, phones):
    mirror = Mirror(window, phones)
    phones.wall.picture()
    window.show(POSTER)
    mirror.look(STEP_NS)
    window.show(CODES)
    mirror.look(3 * STEP_NS)
    assert phones.wall.picture() is None
    window.show(POSTER)
    mirror.look(5 * STEP_NS)
    assert phones.wall.picture() is not None


def test_picture_after_a_restart_has_another_number(window):
    numbers = set()
    for _ in range(2):
        phones = Phones(PhoneOptions(), lambda _: None, MonotonicClock())
        mirror = Mirror(window, phones)
        phones.wall.picture()
        window.show(POSTER)
        mirror.look(STEP_NS)
        numbers.add(phones.wall.picture().number)
    assert len(numbers) == 2


def test_no_pixels_are_read_without_a_viewer(window, phones, monkeypatch):
    mirror = Mirror(window, phones)
    window.show(POSTER)
    monkeypatch.setattr(Window, "pixels", None)
    mirror.look(STEP_NS)
    assert phones.wall.picture() is None

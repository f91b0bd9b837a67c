"""The sheet of a PC's keys."""

from pathlib import Path

import pygame
import pytest

from companion.core.text import LANGUAGES, reader
from companion.display import key_sheet, theme, virtual_seats
from companion.display.canvas import Canvas
from companion.display.frame import Frame, Look, Panel, Poster
from tests import pictures
from tests.display import shows

SIZES = ((800, 480), (1024, 600), (1366, 768), (1920, 1080), (720, 1280), (1000, 900))
NAMES = ("Bo", "Maximilienne", "Cleo", "Alexandre", "Eva")
SEATED = tuple(Panel(place, name=name) for place, name in enumerate(NAMES))
TYPING = (SEATED[0], SEATED[1]._replace(keys="digits"), SEATED[2]._replace(keys="number pad"), *SEATED[3:])
NOBODY = Frame(1, Poster("Who plays?"), ())
EVERYBODY = NOBODY._replace(panels=TYPING)

LEAST_CAP_PX = 6

GOLDEN = Path(__file__).parent


@pytest.fixture(autouse=True)
def _names_of_keys():
    pygame.display.init()
    yield
    pygame.display.quit()


def drawn(frame: Frame, size: tuple[int, int] = SIZES[0], language: str = "en") -> Canvas:
    with shows.in_language(language):
        canvas = Canvas(pygame.Surface(size, 0, 32))
        key_sheet.draw(canvas, frame)
        return canvas


def texts(frame: Frame, language: str = "en") -> list[str]:
    return [item.what for item in drawn(frame, language=language).placed]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "{}x{}".format(*size))
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("look", [Look(), Look(True), Look(False, True), Look(True, True)])
def test_everything_fits_and_can_be_read(look, language, size):
    for frame in (NOBODY, EVERYBODY, EVERYBODY._replace(house="")):
        canvas = drawn(frame._replace(look=look), size, language)
        for number, item in enumerate(canvas.placed):
            assert canvas.rect.contains(item.rect), item
            assert item.room.inflate(2, 2).contains(item.rect), item
            assert item.cap_px >= LEAST_CAP_PX, item
            assert "…" not in item.what
            assert theme.contrast(item.colour, item.on) >= 4, item
            others = [other.rect.inflate(-1, -1) for other in canvas.placed[number + 1 :]]
            assert item.rect.inflate(-1, -1).collidelist(others) == -1, item


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_with_a_meaning_is_shown(language):
    with shows.in_language(language):
        keys = [key for row in (*key_sheet._main(str), *key_sheet._pad()) for _, key in row if key > 0]
        meant = key_sheet._meanings(str)
    assert len(set(keys)) == len(keys)
    assert meant.keys() <= set(keys)


def test_french_keyboards_have_their_own_layout():
    rows = {}
    for language in LANGUAGES:
        rows[language] = ["".join(map(pygame.key.name, row)) for row in key_sheet._letters(reader(language))]
    assert [row[:6] for row in rows["en"]] == ["qwerty", "asdfgh", "zxcvbn"]
    assert [row[:6] for row in rows["fr"]] == ["azerty", "qsdfgh", "wxcvbn"]
    assert all(sorted("".join(each)) == sorted(map(chr, range(97, 123))) for each in rows.values())


def test_sheet_says_who_has_each_keypad():
    assert "Keypad: Maximilienne has it now" in texts(EVERYBODY)
    assert "Second keypad: Cleo has it now" in texts(EVERYBODY)
    assert "Keypad: House has it now" in texts(EVERYBODY._replace(house=""))
    assert {"Keypad of the player to act", "Second keypad"} <= set(texts(NOBODY))


def test_sheet_and_full_screen_keys_belong_to_nobody():
    for key in (key_sheet.SHEET_KEY, key_sheet.FULL_KEY):
        assert virtual_seats.on_keyboard(key, TYPING) is None
        assert virtual_seats.on_keyboard(key, TYPING, house=True) is None


@pytest.mark.parametrize("size", shows.SIZES, ids=lambda size: "{}x{}".format(*size))
@pytest.mark.parametrize("language", LANGUAGES)
def test_sheet_matches_its_golden_picture(request, language, size):
    path = GOLDEN / f"key_sheet-{language}-{size[0]}x{size[1]}.png"
    actual = drawn(EVERYBODY, size, language).surface
    if request.config.getoption("update_golden"):
        pictures.write(path, actual)
    assert pictures.wrong(actual, path) == 0, f"look at it, then pytest {__file__} --update-golden"

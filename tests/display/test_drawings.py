"""The drawings and the style guide of assets/README.md."""

import io
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Final
from xml.etree import ElementTree

import pygame
import pytest

from companion.core.files import assets_folder
from companion.display import theme
from companion.games import load
from tests.running import for_each

BOX: Final = load("buntherum").read_box(load("buntherum").box_text, "box.toml")

SIZE_PX: Final = 100
"""One pixel per unit of the drawing."""

MARGIN: Final = 20
"""Units around its box in which a drawing is searched."""

SVG: Final = "{http://www.w3.org/2000/svg}"
ELEMENTS: Final = {"svg", "g", "path", "circle", "ellipse", "rect"}
ATTRIBUTES: Final = {
    *("viewBox", "transform", "fill", "stroke", "stroke-width", "stroke-linejoin", "stroke-linecap"),
    *("d", "x", "y", "width", "height", "cx", "cy", "r", "rx", "ry"),
}
TONES: Final = {*theme.INK_TONES, *theme.TONES}

CONTRACT: Final = {
    "Buntherum": "ball butterfly car cube cup flower icecream telephone",
    "Büro Crazy": "figure boss_chair desk stairs coffee roof influence door",
    "Böse Buben": "goblin goblin_on_pig ducat mud flag present hat_moves swap kick_out scramble hat bag",
    "Dé et Boulanger": "baker bakery mill farm fountain bread croissant flour water butter sou incident marker "
    "oven die_1 die_2 die_3 die_4 die_5 die_6",
    "Any other game": "quiz",
    "all": "padlock_closed padlock_open chip cup_trophy crown robot person buzzer clock arrow cross equal cards "
    "hand_cards camera wrench plug star loudspeaker book bell",
    "menus": "gear bubble contrast letters motion hourglass bulb knob mortarboard question history bars "
    "stethoscope",
}
"""Drawings that scenes may use."""

FOLDER: Final = assets_folder() / "pictograms"
NAMES: Final = sorted(path.stem for path in FOLDER.glob("*.svg"))
EVERY: Final = for_each(*NAMES)


def source(name: str) -> str:
    return (FOLDER / f"{name}.svg").read_text("utf-8")


def elements(name: str) -> Iterator[ElementTree.Element]:
    return ElementTree.fromstring(source(name)).iter()


def drawn(name: str) -> pygame.Surface:
    return theme.pictogram(name, theme.INKS["sky"], SIZE_PX)


def silhouette(name: str, turn: int = 0) -> pygame.mask.Mask:
    return pygame.mask.from_surface(pygame.transform.rotate(drawn(name), 90 * turn))


def likeness(one: pygame.mask.Mask, other: pygame.mask.Mask) -> float:
    """Return the shared part of two silhouettes, from 0 to 1."""
    common = one.overlap_area(other, (0, 0))
    return common / (one.count() + other.count() - common)


# --- The source -------------------------------------------------------------------------------------------


def test_every_drawing_of_the_contract_exists():
    assert {name for names in CONTRACT.values() for name in names.split()} == set(NAMES)


@EVERY
def test_drawing_uses_only_supported_elements(name):
    for element in elements(name):
        assert element.tag.removeprefix(SVG) in ELEMENTS
        assert set(element.attrib) <= ATTRIBUTES
    assert 'viewBox="0 0 100 100"' in source(name)


@EVERY
def test_drawing_names_tones_instead_of_colours(name):
    paints = {element.get(what) for element in elements(name) for what in ("fill", "stroke")} - {None, "none"}
    assert paints <= TONES


@EVERY
def test_all_tones_are_replaced_by_colours(name):
    inked = theme.inked(source(name), theme.INKS["sky"])
    assert not re.findall("[A-Z]{3,}", inked)
    root = ElementTree.fromstring(inked)
    paints = {element.get(what) for element in root.iter() for what in ("fill", "stroke")} - {None, "none"}
    assert all(re.fullmatch("#[0-9a-f]{6}", paint) for paint in paints)


@EVERY
def test_lines_are_bold(name):
    widths = [
        float(element.get("stroke-width", "5")) for element in elements(name) if element.get("stroke") != "none"
    ]
    assert min(width for width in widths if width) >= 3


def test_words_are_not_mistaken_for_tones():
    assert theme.inked("INKY DRAINK PAPERBACK", theme.TEXT) == "INKY DRAINK PAPERBACK"
    assert theme.inked('"INK"', (1, 2, 3)) == '"#010203"'


def test_shade_is_darker_and_tint_is_lighter():
    for ink in theme.INKS.values():
        shade, tint = (pygame.Color(theme.inked(tone, ink)) for tone in ("SHADE", "TINT"))
        assert theme.contrast(shade[:3], theme.LINE) < theme.contrast(ink, theme.LINE)
        assert theme.contrast(tint[:3], theme.PAPER) < theme.contrast(ink, theme.PAPER)


# --- The picture ------------------------------------------------------------------------------------------


@EVERY
def test_drawing_fills_its_box(name):
    shape = silhouette(name)
    assert 0.2 <= shape.count() / SIZE_PX**2 <= 0.9
    half = SIZE_PX // 2
    for left, top in ((0, 0), (half, 0), (0, half), (half, half)):
        quarter = pygame.mask.Mask((half, half), fill=True)
        assert shape.overlap_area(quarter, (left, top)) > 0.02 * half**2


@EVERY
def test_drawing_stays_in_its_box(name):
    """The box is enlarged first, since the rasteriser clips."""
    side = 100 + 2 * MARGIN
    wider = source(name).replace("0 0 100 100", f"{-MARGIN} {-MARGIN} {side} {side}")
    inked = theme.inked(wider, theme.INKS["sky"]).encode()
    picture = pygame.image.load_sized_svg(io.BytesIO(inked), (side, side))
    assert pygame.Rect(MARGIN, MARGIN, 100, 100).inflate(-4, -4).contains(picture.get_bounding_rect())


@EVERY
def test_drawing_is_visible_on_the_dark_table(name):
    """The outline does not count, as it is equally dark."""
    light = silhouette(name)
    light.erase(pygame.mask.from_threshold(drawn(name), theme.LINE, (40, 40, 40, 255)), (0, 0))
    assert light.count() >= 0.15 * SIZE_PX**2


@pytest.mark.parametrize(("name", "at", "wide"), [("figure", (50, 62), 36), ("baker", (50, 66), 34)])
def test_figure_has_a_field_for_its_mark(name, at, wide):
    field = pygame.Surface((SIZE_PX, SIZE_PX), pygame.SRCALPHA)
    pygame.draw.circle(field, theme.PAPER, at, wide // 2 - 1)
    blank = pygame.mask.from_threshold(drawn(name), theme.PAPER, (3, 3, 3, 255))
    wanted = pygame.mask.from_surface(field)
    assert blank.overlap_area(wanted, (0, 0)) == wanted.count()


# --- The eight objects ------------------------------------------------------------------------------------

ALIKE: Final = 0.8
"""The least likeness of silhouettes that could be confused."""


def test_objects_differ_in_every_quarter_turn():
    for one, other in combinations(BOX.objects, 2):
        for turn in range(4):
            share = likeness(silhouette(one), silhouette(other, turn))
            assert share < ALIKE, f"{one} and {other} turned {turn}: {share:.2f}"


def test_object_is_like_itself():
    assert all(likeness(silhouette(name), silhouette(name)) == 1 for name in BOX.objects)

"""Colours, marks, fonts and drawings."""

from itertools import combinations, product

import pygame
import pytest

from companion.display import theme
from companion.display.theme import Style
from companion.games import load
from tests.display.colour_science import APART, SIGHTS, ciede2000, grey, seen, simulated
from tests.running import for_each

BOX = load("buntherum").read_box(load("buntherum").box_text, "box.toml")


# --- Colours ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [  # from the test data of Sharma, Wu and Dalal: each takes another branch of the formula
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
        ((50.0, -0.001, 2.49), (50.0, 0.0009, -2.49), 4.8045),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((50.0, 2.5, 0.0), (56.0, -27.0, -3.0), 31.9030),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((63.0109, -31.0961, -5.8663), (62.8187, -29.7946, -4.0864), 1.2630),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_colour_difference_matches_the_published_values(one, other, difference):
    assert ciede2000(one, other) == pytest.approx(difference, abs=1e-4)
    assert ciede2000(other, one) == pytest.approx(difference, abs=1e-4)


def test_simulated_sight_keeps_unaffected_colours():
    for sight in SIGHTS:
        for level in (0, 1, 8, 128, 255):
            assert simulated((level,) * 3, sight) == grey((level,) * 3) == (level,) * 3
    for ink in theme.INKS.values():
        assert simulated(ink, "normal") == ink


def test_protan_eye_sees_red_darker_without_hue():
    red = theme.INKS["red"]
    assert max(simulated(red, "protan")) < max(red) / 2
    assert abs(simulated(red, "protan")[0] - simulated(red, "protan")[1]) < 30


@pytest.mark.parametrize("sight", SIGHTS)
def test_inks_stay_distinct_for_all_eyes(sight):
    for one, other in combinations(theme.INKS, 2):
        difference = ciede2000(seen(theme.INKS[one], sight), seen(theme.INKS[other], sight))
        assert difference >= APART, f"{one} and {other}: {difference:.1f}"


@pytest.mark.parametrize("sight", SIGHTS)
def test_every_ink_shows_on_paper(sight):
    """Yellow and pink show less, and so have a dark outline."""
    for name, ink in theme.INKS.items():
        assert ciede2000(seen(ink, sight), seen(theme.PAPER, sight)) >= 9, name


def test_strip_colours_differ_for_colour_blind_eyes():
    strips = {"lit": theme.LIT, "good": theme.GOOD, "bad": theme.CHIP, "dark": theme.PANEL}
    for sight in SIGHTS:
        for one, other in combinations(strips, 2):
            assert ciede2000(seen(strips[one], sight), seen(strips[other], sight)) >= 10, (sight, one, other)


every_pair_in_use = pytest.mark.parametrize(
    ("ink", "on"),
    [
        (theme.TEXT, theme.BACKGROUND),
        (theme.TEXT, theme.PANEL),
        (theme.FAINT, theme.BACKGROUND),
        (theme.FAINT, theme.PANEL),
        (theme.LIT, theme.BACKGROUND),
        (theme.LIT, theme.PANEL),
        (theme.LINE, theme.LIT),
        (theme.LINE, theme.GOOD),
        (theme.LINE, theme.CHIP),
        (theme.LINE, theme.PAPER),
    ],
)


@every_pair_in_use
def test_every_pair_in_use_has_contrast(ink, on):
    assert theme.contrast(ink, on) >= 4.5
    assert theme.contrast(ink, on) == theme.contrast(on, ink)


def test_contrast_ranges_from_1_to_21():
    assert theme.contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert theme.contrast((9, 9, 9), (9, 9, 9)) == 1


def test_each_colour_has_its_own_mark():
    assert set(theme.MARKS) == set(theme.INKS)
    assert len(set(theme.MARKS.values())) == len(theme.INKS) == 8


# --- Letters ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("cap_px", [16, 20, 38, 57, 81])
def test_capitals_have_the_requested_height(cap_px, bold):
    drawn = theme.text_surface("HEILT", Style(cap_px, theme.TEXT, bold))
    high = pygame.mask.from_surface(drawn).get_bounding_rects()[0].height
    assert high == pytest.approx(cap_px, abs=max(1, cap_px * 0.04))


def test_font_has_the_letters_of_both_languages():
    assert theme.missing_letters("éèêëàâîïôùûüçœæÉÈÀÇŒ’«»…·×\u202f") == ""
    for bold in (False, True):
        missing = theme._font(20, bold).render("\ue000", True, theme.TEXT)
        look = pygame.image.tobytes(missing, "RGBA")
        for letter in "éèêëàâîïôùûüçœæÉÈÀÇŒ’«»…·×\u202f":
            drawn = theme.text_surface(letter, Style(20, bold=bold))
            assert pygame.image.tobytes(drawn, "RGBA") != look, letter


def test_text_is_drawn_once():
    assert theme.text_surface("Anna", Style(20)) is theme.text_surface("Anna", Style(20))
    assert theme.text_width("Anna", Style(20)) == theme.text_surface("Anna", Style(20)).get_width()


@pytest.mark.parametrize(
    ("name", "missing", "shown"),
    [
        ("דוד", "דו", r"\u05d3\u05d5\u05d3"),
        ("محمد", "محد", r"\u0645\u062d\u0645\u062f"),
        ("李明", "李明", r"\u674e\u660e"),
        ("Ana😀", "😀", r"Ana\U0001f600"),
        ("Ana\u2764\ufe0f", "\u2764\ufe0f", r"Ana\u2764\ufe0f"),
        ("\u034f", "\u034f", r"\u034f"),
    ],
)
def test_missing_letter_is_written_as_its_code(name, missing, shown):
    """Boxes would look alike, and SDL refuses texts without width."""
    assert theme.missing_letters(name) == missing
    for bold in (False, True):
        style = Style(20, bold=bold)
        drawn, wanted = theme.text_surface(name, style), theme.text_surface(shown, style)
        assert pygame.image.tobytes(drawn, "RGBA") == pygame.image.tobytes(wanted, "RGBA")
        assert theme.text_width(name, style) == drawn.get_width()


@pytest.mark.parametrize(
    "name", ["Zoë", "Łukasz", "Þórunn", "İnci", "Ελένη", "Зоя", "Nguyễn", "Rene\u0301", "O’Neil", "Léa\u202f!"]
)
def test_european_name_is_drawn_as_written(name):
    assert theme.missing_letters(name) == ""
    assert theme.text_width(name, Style(20)) == pygame.font.Font.size(theme._font(20, bold=False), name)[0]


# --- Drawings ---------------------------------------------------------------------------------------------

SIZE_PX = 64


def silhouette(name: str, turn: int = 0) -> pygame.mask.Mask:
    return pygame.mask.from_surface(pygame.transform.rotate(theme.pictogram(name, (255, 0, 0), SIZE_PX), 90 * turn))


def test_every_object_has_a_drawing():
    assert len(BOX.objects) == 8
    for name in BOX.objects:
        drawn = theme.pictogram(name, theme.INKS["red"], SIZE_PX)
        assert drawn.get_size() == (SIZE_PX, SIZE_PX)
        assert silhouette(name).count() > 0.2 * SIZE_PX**2
        assert pygame.mask.from_threshold(drawn, theme.INKS["red"], (3, 3, 3, 255)).count() > 0.1 * SIZE_PX**2


def test_drawings_differ_in_every_rotation():
    """Ink and lines both count: a ball and a cube have similar outlines."""
    for one, other in combinations(BOX.objects, 2):
        first = theme.pictogram(one, theme.INKS["sky"], SIZE_PX)
        for turn in range(4):
            second = pygame.transform.rotate(theme.pictogram(other, theme.INKS["sky"], SIZE_PX), 90 * turn)
            union = silhouette(one)
            union.draw(silhouette(other, turn), (0, 0))
            alike = pygame.transform.threshold(None, _on_paper(first), None, (60,) * 3, None, 0, _on_paper(second))
            same = union.count() - (SIZE_PX**2 - alike)
            assert same / union.count() < 0.75, f"{one} and {other} turned {turn}: {same / union.count():.2f}"


def _on_paper(drawn: pygame.Surface) -> pygame.Surface:
    paper = pygame.Surface(drawn.get_size(), 0, 32)
    paper.fill(theme.PAPER)
    paper.blit(drawn, (0, 0))
    return paper


def test_missing_drawing_is_an_error():
    with pytest.raises(FileNotFoundError):
        theme.pictogram("unicorn", theme.TEXT, 20)


# --- High contrast ----------------------------------------------------------------------------------------


def test_usual_contrast_changes_no_colour():
    for colour in (*theme.TONES.values(), *theme.INKS.values(), theme.PANEL, (1, 2, 3)):
        assert theme.toned(colour, strong=False) == colour


def test_high_contrast_keeps_inks_and_darkens_grounds():
    assert all(theme.toned(ink, strong=True) == ink for ink in theme.INKS.values())
    assert theme.toned(theme.BACKGROUND, strong=True) == theme.toned(theme.PANEL, strong=True) == theme.BLACK
    wall, bread = (0x2C, 0x40, 0x50), (0xD9, 0x9A, 0x4E)
    assert theme.toned(bread, strong=True) == bread
    assert theme.contrast(theme.toned(wall, strong=True), theme.BLACK) < theme.contrast(wall, theme.BLACK)
    assert theme.toned(wall, strong=True) != theme.BLACK, "walls are still seen"


@every_pair_in_use
def test_high_contrast_increases_the_contrast(ink, on):
    before = theme.contrast(ink, on)
    after = theme.contrast(theme.toned(ink, strong=True), theme.toned(on, strong=True))
    assert after > before
    assert after >= 7


@for_each(*product(theme.INKS, (theme.BLACK, theme.WHITE, *theme.INKS.values())))
def test_every_piece_shows_on_every_ground(ink, on):
    rim = theme.rim_of(theme.INKS[ink], on)
    assert max(theme.contrast(colour, on) for colour in (theme.INKS[ink], rim) if colour) >= theme.PIECE_CONTRAST


def test_all_pieces_have_a_white_rim_on_black():
    assert {theme.rim_of(ink, theme.BLACK) for ink in theme.INKS.values()} == {theme.WHITE}


def test_contrasting_piece_has_no_rim():
    assert theme.rim_of(theme.LINE, theme.WHITE) is None
    assert theme.rim_of(theme.TEXT, theme.BLACK) is None
    assert theme.rim_of(theme.INKS["yellow"], theme.WHITE) == theme.BLACK


def test_rim_does_not_enlarge_a_drawing():
    plain, rimmed = (theme.pictogram("car", theme.INKS["blue"], SIZE_PX, rim=rim) for rim in (None, theme.WHITE))
    assert plain.get_size() == rimmed.get_size() == (SIZE_PX, SIZE_PX)
    assert pygame.mask.from_threshold(rimmed, theme.WHITE, (3, 3, 3, 255)).count() > SIZE_PX
    assert not pygame.mask.from_threshold(plain, theme.WHITE, (3, 3, 3, 255)).count()

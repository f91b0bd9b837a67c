"""Every frame of the gallery matches its picture and obeys the laws.

`pytest tests/display/test_golden.py --update-golden` makes the pictures and their page again. One file has all
these tests, to make the frames once.
"""

import importlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, combinations, islice, pairwise, product
from pathlib import Path
from typing import get_args

import pygame
import pytest

from companion.core.text import LANGUAGES
from companion.display import scenes, screens, strips, theme
from companion.display.canvas import Canvas, Placed, lines_height, turned_rect
from companion.display.frame import Frame, JoinPage, Look, Play, Screen, Wall
from companion.display.geometry import ScreenGeometry
from companion.display.layout import LARGE
from companion.display.self_test_rows import Findings, SelfTest
from companion.display.theme import Style
from companion.games import all_games, load
from tests import pictures
from tests.display import gallery, laws, robots, shows
from tests.display.colour_science import APART, SIGHTS, ciede2000, seen

MOST_BYTES = 8 * 2**20

GLASSES = (
    (shows.WIDE, 0),
    (shows.TALL, 0),
    (shows.WIDE, 2),
    ((1024, 600), 0),
    (shows.WIDE, 1),
    (shows.TALL, 1),
    ((1280, 720), 0),
    (shows.WIDE, 3),
)
"""Every size, the smallest in every turn, and a turned tall one."""

LYING = {(shows.WIDE, 2): shows.WIDE, (shows.TALL, 1): shows.TALL[::-1]}
"""Turned displays, and their counterparts without a turn."""

FREE = "companion.games.buntherum.scene"
"""Its hexagon lies like the display in every turn."""

CONTRAST, LARGE_TEXT, BOTH = Look(high_contrast=True), Look(large_text=True), Look(True, True)

LOOKS = (
    (CONTRAST, shows.WIDE),
    (LARGE_TEXT, shows.TALL),
    (BOTH, shows.WIDE),
    (LARGE_TEXT, shows.WIDE),
    (BOTH, shows.TALL),
)

SEEN = 6.5
"""Least contrast of text in the pixels."""

LARGER = 1.2
"""Least growth of names and notes in large text."""

REPLACED = tuple({*theme.STRONG} - {*theme.INKS.values(), theme.BACKGROUND, theme.PAPER})
"""Colours that high contrast replaces. Paper and dark text are excluded: near equivalents remain."""

LEAST_PX = 40
"""Fewer pixels of a colour are a rim, or a mixture."""

SHOWN = 0.2
"""Least share of a piece that differs from its ground."""

PIECES = {"figure", "goblin", "goblin_on_pig", "baker", "bakery"}
"""Drawings in a player's colour."""

LEAST_CUT = 0.004
"""Largest hidden share of a sentence that is not a cut."""

NOBODYS = theme.FAINT
"""The colour of a piece without an owner."""

IN_NO_SHOW = {Wall, JoinPage}
"""Screens of a club's wall and of phones."""

NAMES, FRAMES = ("Anna", "Ben", "Cleo", "Dan"), 60
"""Matches with flying pieces."""

EACH_SHOW = pytest.mark.parametrize("show", shows.all_shows(), scope="module")
"""The tests of a show run together, to share drawings."""


@pytest.fixture
def make_gallery(monkeypatch):
    monkeypatch.syspath_prepend(pictures.FOLDER.parent)
    return importlib.import_module("make_gallery")


def fuller(frames: dict[int, gallery.Frames]) -> gallery.Frames:
    return frames[max(frames)]


# --- As it was --------------------------------------------------------------------------------------------


@EACH_SHOW
def test_frames_match_their_golden_pictures(frames_of, request, tmp_path: Path, show):
    faults = []
    for name, frames in shows.sheets_of(frames_of(show)).items():
        for size in shows.sizes_of(show, name):
            path = pictures.sheet_path(show, name, size)
            actual = pictures.sheet([gallery.drawn(frame, size).surface for frame in shows.shown_at(size, frames)])
            wrong = pictures.wrong(actual, path)
            if wrong and request.config.getoption("update_golden"):
                pictures.write(path, actual)
                wrong = pictures.wrong(actual, path)
            if wrong:
                faults.append(f"{wrong} pixels are not as in {path}")
                _keep(actual, path, tmp_path)
    assert not faults, "\n".join([*faults, f"look at {tmp_path}, then pytest {__file__} --update-golden"])


def _keep(actual: pygame.Surface, path: Path, folder: Path) -> None:
    pygame.image.save(actual, folder / f"{path.stem}-actual.png")
    if path.exists():
        golden = pygame.transform.scale(pictures.loaded(path), actual.get_size())
        pygame.image.save(pictures.difference(actual, golden), folder / f"{path.stem}-difference.png")


def test_golden_pictures_are_small_and_complete(frames_of, request, make_gallery):
    kept = {make_gallery.phone_path(name) for name in make_gallery.PHONE_CAPTIONS} | {
        pictures.sheet_path(show, name, size)
        for show in shows.all_shows()
        for name in shows.sheets_of(frames_of(show))
        for size in shows.sizes_of(show, name)
    }
    found = set(pictures.FOLDER.rglob("*.png"))
    if request.config.getoption("update_golden"):
        for path in found - kept:
            path.unlink()
        found &= kept
    assert found == kept
    assert sum(path.stat().st_size for path in found) < MOST_BYTES


@EACH_SHOW
def test_every_caption_belongs_to_a_picture(frames_of, show):
    captions = shows.all_shows()[show].captions
    assert set(captions) <= set(shows.sheets_of(frames_of(show)))


def test_gallery_page_shows_all_pictures(frames_of, request, make_gallery):
    page = make_gallery.page({show: shows.sheets_of(frames_of(show)) for show in shows.all_shows()})
    if request.config.getoption("update_golden"):
        make_gallery.PAGE.write_text(page, "utf-8")
    assert make_gallery.PAGE.read_text("utf-8") == page, f"pytest {__file__} --update-golden makes it anew"


# --- On every display -------------------------------------------------------------------------------------


@EACH_SHOW
def test_every_frame_obeys_the_laws_on_every_display(frames_of, show):
    faults = [
        f"{name}: {fault}"
        for name, frame, (size, turn) in shows.by_turns(frames_of(show), GLASSES)
        for placed in [gallery.placed(frame, size, turn)]
        for fault in (*laws.faults(frame, placed, size), *_names_elsewhere(frame, placed, size, turn))
    ]
    assert not faults, "\n".join(faults)


def _names_elsewhere(frame: Frame, placed: list[Placed], size: tuple[int, int], turn: int) -> Iterator[str]:
    plan = screens.plan_of(size, frame, ScreenGeometry(turn=turn))
    for side, strip in zip(frame.sides, plan.strips, strict=True):
        mine = [item for item in placed if item.cap_px and strip.rect.contains(item.rect)]
        if not {side.name} - {""} <= {item.what for item in mine}:
            yield f"{side.name} is not in the strip {tuple(strip.rect)}"
        for item in mine:
            upright = item.rect.height <= item.rect.width or len(item.what) < 3
            if item.what == side.name and len(item.what) > 2 and upright != (strip.turn % 2 == 0):
                yield f"{laws.short(item)} does not run along its edge"


@EACH_SHOW
def test_turned_display_shows_what_an_upright_one_shows(frames_of, show):
    faults = []
    for name, frame, (size, turn) in shows.by_turns(frames_of(show), tuple(LYING)):
        if isinstance(frame.screen, Play) and frame.screen.scene == FREE:
            continue
        lies = LYING[size, turn]
        for one, other in zip(gallery.placed(frame, lies), gallery.placed(frame, size, turn), strict=True):
            rect = turned_rect(one.rect, lies, turn)
            # Half pixels are rounded up in every turn.
            if one.what != other.what or not rect.inflate(4, 4).contains(other.rect):
                faults.append(f"{name}: {laws.short(one)} is {laws.short(other)}")
    assert not faults, "\n".join(faults)


@EACH_SHOW
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_translations_fit(tmp_path: Path, show, language):
    """A translation may be longer; strips are shortest with the most seats."""
    most = shows.all_shows()[show].module.SEATS[-1:]
    faults = [
        f"{name} on {size}: {fault}"
        for name, frame in fuller(shows.frames_of(shows.all_shows()[show], tmp_path, language, most)).items()
        for size in shows.SIZES
        for law in laws.LAWS
        if law is not laws.is_large_at_a_glance
        for fault in law(frame, gallery.placed(frame, size), size)
    ]
    assert not faults, "\n".join(faults)


# --- Colours that everybody can distinguish -----------------------------------------------------------------


@EACH_SHOW
def test_inks_and_pieces_stay_distinct_for_all_eyes(frames_of, show):
    """Each piece must also stand out from its ground."""
    faults = set()
    for name, frame in fuller(frames_of(show)).items():
        canvas = gallery.drawn(frame, shows.WIDE)
        inks = {ink for ink in theme.INKS.values() if _count(canvas.surface, ink) >= LEAST_PX}
        pieces = [item for item in canvas.placed if item.what in PIECES]
        faults |= {f"{name}: inks {fault}" for fault in _too_near(inks)}
        faults |= {f"{name}: pieces {fault}" for fault in _too_near({item.colour for item in pieces} - {NOBODYS})}
        faults |= {f"{name}: {item.what} {fault}" for item in pieces for fault in _hidden(canvas, item)}
    assert not faults, "\n".join(sorted(faults))


def _count(surface: pygame.Surface, colour: theme.Colour) -> int:
    return pygame.mask.from_threshold(surface, colour, (1, 1, 1, 255)).count()


@cache
def _apart(one: theme.Colour, other: theme.Colour, sight: str) -> float:
    return ciede2000(seen(one, sight), seen(other, sight))


def _too_near(colours: set[theme.Colour]) -> Iterator[str]:
    """Yield pairs of colours that somebody can hardly distinguish."""
    for one, other in combinations(sorted(colours), 2):
        for sight in SIGHTS:
            if _apart(one, other, sight) < APART:
                yield f"{one} and {other} are {_apart(one, other, sight):.1f} apart for {sight} eyes"


def _hidden(canvas: Canvas, item: Placed) -> Iterator[str]:
    """Yield kinds of sight that can hardly see a piece."""
    counts = _colours(canvas.surface, item)
    for sight in SIGHTS:
        apart = (count for colour, count in counts.most_common() if _apart(colour, item.on, sight) >= APART)
        if all(seen_px < SHOWN * counts.total() for seen_px in accumulate(apart)):
            yield f"of {item.colour} on {item.on} does not show for {sight} eyes"


def _colours(surface: pygame.Surface, item: Placed) -> Counter[theme.Colour]:
    words = memoryview(pygame.image.tobytes(surface.subsurface(item.rect), "RGBX")).cast("I")
    return Counter(
        {(word & 255, word >> 8 & 255, word >> 16 & 255): count for word, count in Counter(words).items()}
    )


# --- High contrast and large text ---------------------------------------------------------------------------


def in_looks(frames_of, show: str) -> Iterator[tuple[str, Frame, tuple[int, int]]]:
    """Yield name, frame in one look in turn, display."""
    for name, frame, (look, size) in shows.by_turns(frames_of(show), LOOKS):
        yield name, frame._replace(look=look), size


@EACH_SHOW
def test_every_frame_obeys_the_laws_in_every_look(frames_of, show):
    of_looks = (shows_its_pictures, is_no_smaller, has_larger_names_and_notes, has_inks_apart)
    faults = []
    for name, frame, size in in_looks(frames_of, show):
        placed = gallery.placed(frame, size)
        faults += [f"{name}: {fault}" for law in (*laws.LAWS, *of_looks) for fault in law(frame, placed, size)]
    assert not faults, "\n".join(faults)


def test_every_kind_of_screen_meets_every_look(frames_of):
    met = {
        (type(frame.screen), frame.look) for show in shows.all_shows() for _, frame, _ in in_looks(frames_of, show)
    }
    needed = set(product({*get_args(Screen)} - IN_NO_SHOW, (CONTRAST, LARGE_TEXT, BOTH)))
    assert met == needed, "three frames of a kind of screen, in any of the shows, share these looks among them"


def shows_its_pictures(frame: Frame, placed: list[Placed], size: tuple[int, int]) -> Iterator[str]:
    """In high contrast, every picture stands out by its colour or its rim."""
    for item in placed:
        colours = [item.colour, *([item.rim] if item.rim else [])]
        best = max(theme.contrast(colour, item.on) for colour in colours)
        if frame.look.high_contrast and not item.cap_px and best < theme.PIECE_CONTRAST:
            yield f"{laws.short(item)} has a contrast of {best:.2f}"


def has_inks_apart(frame: Frame, placed: list[Placed], size: tuple[int, int]) -> Iterator[str]:
    """In high contrast, inks stay distinct and mean nothing else."""
    if frame.look.high_contrast:
        yield from _too_near({item.colour for item in placed if not item.cap_px} & set(theme.INKS.values()))


def is_no_smaller(frame: Frame, placed: list[Placed], size: tuple[int, int]) -> Iterator[str]:
    """Large text makes no other text smaller."""
    usual, now = (_by_text(items) for items in (gallery.placed(frame._replace(look=Look()), size), placed))
    for text, sizes in now.items():
        if len(usual.get(text, ())) == len(sizes):
            for before, after in zip(usual[text], sizes, strict=True):
                if after < before:
                    yield f"{text!r} has capitals of {after} px, not {before}"


def _by_text(placed: list[Placed]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for item in placed:
        if item.cap_px:
            found.setdefault(item.what, []).append(item.cap_px)
    return found


def has_larger_names_and_notes(frame: Frame, placed: list[Placed], size: tuple[int, int]) -> Iterator[str]:
    """Names and notes grow unless they fill their lines."""
    if not frame.look.large_text or isinstance(frame.screen, SelfTest | Findings):
        return
    before = frame._replace(look=Look())
    usual = _on_strips(before, gallery.placed(before, size), size)
    now = _on_strips(frame, placed, size)
    for (place, said), item in now.items():
        if (place, said) not in usual:
            continue
        wanted = round(usual[place, said].cap_px * LARGER) - laws.PIXEL
        whole = said if said == frame.sides[place].name else frame.sides[place].note
        if item.cap_px < wanted and _fits(whole, max(item.room.size), wanted):
            yield f"{laws.short(item)} has capitals of {item.cap_px} px, not {wanted}"


def _fits(text: str, width: int, cap_px: int) -> bool:
    """Return whether a text fits the one or two lines that it had."""
    usual, larger = Style(round(cap_px / LARGER)), Style(cap_px)
    rows = min(2, lines_height(text, width, usual) // lines_height("", width, usual))
    return lines_height(text, width, larger) <= rows * lines_height("", width, larger)


def _on_strips(frame: Frame, placed: list[Placed], size: tuple[int, int]) -> dict[tuple[int, str], Placed]:
    strips = screens.plan_of(size, frame, ScreenGeometry()).strips
    return {
        (place, item.what): item
        for place, (side, strip) in enumerate(zip(frame.sides, strips, strict=True))
        for item in placed
        if strip.rect.contains(item.rect)
        and (item.what == side.name or (item.what in side.note and not item.what.isdecimal()))
    }


@EACH_SHOW
def test_direct_drawing_also_uses_high_contrast_colours(frames_of, show):
    """Text contrasts with the most frequent colour behind it."""
    faults = []
    for name, frame in [*fuller(frames_of(show)).items()][::2]:
        canvas = gallery.drawn(frame._replace(look=CONTRAST), shows.WIDE)
        for item in canvas.placed:
            if item.cap_px and theme.contrast(item.colour, _behind(canvas.surface, item)) < SEEN:
                faults.append(f"{name}: {laws.short(item)} is on {_behind(canvas.surface, item)}")
        faults += [f"{name}: {fault}" for fault in left_in_contrast(canvas.surface)]
    assert not faults, "\n".join(faults)


def left_in_contrast(surface: pygame.Surface) -> Iterator[str]:
    for colour in REPLACED:
        count = _count(surface, colour)
        if count >= LEAST_PX:
            yield f"{count} pixels are {colour}"


def _behind(surface: pygame.Surface, item: Placed) -> theme.Colour:
    colours = _colours(surface, item).most_common()
    return next((colour for colour, _ in colours if colour != item.colour), item.on)


def test_large_text_takes_no_room_from_a_scene(frames_of):
    for usual_frame in frames_of("buntherum")[5].values():
        frame = usual_frame._replace(look=LARGE_TEXT)
        for size in gallery.ALL_SIZES:
            large = screens.plan_of(size, frame, ScreenGeometry())
            usual = screens.plan_of(size, usual_frame, ScreenGeometry())
            assert large.centre == usual.centre
            assert large.of_scene.cap_px == usual.cap_px
            assert large.cap_px == int(usual.cap_px * LARGE)
            for strip in large.strips:
                assert not strip.rect.colliderect(large.centre)


@pytest.mark.parametrize("look", [Look(), LARGE_TEXT], ids=["usual", "large"])
@pytest.mark.parametrize("name", ["Ève", "Éléonore", "Marie-Hélène d’Été", "Ångström"])
def test_accents_are_not_cut_at_the_strips_edge(frames_of, look, name):
    for usual in frames_of("buntherum")[5].values():
        frame = usual._replace(look=look)
        for size in gallery.ALL_SIZES:
            plan = screens.plan_of(size, frame, ScreenGeometry())
            canvas = Canvas(pygame.Surface(size, 0, 32), cap_px=plan.unit_px, look=look)
            strips.draw(canvas, frame._replace(sides=(frame.sides[0]._replace(name=name),)), plan)
            strip = strips.rects(plan)[0]
            written = next(item for item in canvas.placed if item.what == name and strip.contains(item.rect))
            drawn = theme.text_surface(name, theme.Style(written.cap_px, written.colour))
            ink = drawn.get_bounding_rect().move(drawn.get_rect(center=written.rect.center).topleft)
            assert ink.top >= strip.top, (frame, size)


@pytest.mark.parametrize("look", [Look(), LARGE_TEXT], ids=["usual", "large"])
@pytest.mark.parametrize("show", ["table", "past"])
def test_descenders_are_not_cut_off(frames_of, show, look):
    """Upright lines only: the same code draws turned ones."""
    faults = []
    for name, usual in frames_of(show)[2].items():
        frame = usual._replace(look=look)
        for size in ((480, 320), shows.WIDE):
            faults += [f"{name} on {size}: {what}" for what in _cut(frame, size)]
    assert not faults, "\n".join(faults)


def _cut(frame, size):
    """Yield upright sentences that are partly covered."""
    canvas = gallery.drawn(frame, size)
    turned = [strip.rect for strip in screens.plan_of(size, frame, ScreenGeometry()).strips if strip.turn]
    masks = {}
    for item in canvas.placed:
        if not item.cap_px or len(item.what) < 8 or any(rect.contains(item.rect) for rect in turned):
            continue
        if item.colour not in masks:
            masks[item.colour] = pygame.mask.from_threshold(canvas.surface, item.colour, (60, 60, 60, 255))
        seen, hidden = masks[item.colour], []
        for bold in (False, True):
            drawn = theme.text_surface(item.what, theme.Style(item.cap_px, item.colour, bold))
            if drawn.get_width() != item.rect.width:
                continue
            letters = pygame.mask.from_surface(drawn, 230)
            left, top = drawn.get_rect(center=item.rect.center).topleft
            hidden += [letters.count() - seen.overlap_area(letters, (left, top + by)) for by in (-1, 0, 1)]
        if hidden and min(hidden) > LEAST_CUT * letters.count():
            yield item.what


# --- High contrast beyond the gallery -----------------------------------------------------------------------


@pytest.mark.parametrize("sight", SIGHTS)
def test_high_contrast_strips_are_distinct_for_all_eyes(sight):
    strips = [theme.toned(colour, strong=True) for colour in (theme.LIT, theme.GOOD, theme.CHIP, theme.PANEL)]
    for one, other in combinations(strips, 2):
        assert ciede2000(seen(one, sight), seen(other, sight)) >= APART, (one, other)


@pytest.mark.parametrize("game", all_games())
def test_flying_pieces_use_high_contrast_colours(game, tmp_path):
    plays = [frame for _, frame in islice(robots.watched(game, NAMES, "looks", tmp_path), FRAMES)]
    faults, seen_flying = [], 0
    for before, after in pairwise(frame for frame in plays if isinstance(frame.screen, Play)):
        plan = screens.plan_of(shows.WIDE, after, ScreenGeometry()).of_scene
        for flight in scenes.scene_of(load(game).scene).flights(plan, before.screen, after.screen, CONTRAST):
            seen_flying += 1
            on_black = pygame.Surface(flight.picture.get_size(), 0, 32)
            on_black.blit(flight.picture, (0, 0))
            faults += [f"{flight.start} to {flight.end}: {fault}" for fault in left_in_contrast(on_black)]
    assert seen_flying
    assert not faults, "\n".join(faults)

"""The virtual seats, for mouse and keyboard."""

import re

import pygame
import pytest
from pygame import Rect

from companion.core.console import BUZZ, HOUSE_CONTROLS, KEYS, Lamp
from companion.core.place import HOUSE
from companion.display import tabletop, theme, virtual_seats
from companion.display.canvas import Canvas
from companion.display.frame import Hint, Look, Panel
from companion.display.table_plan import FAULTS, LEAST_SIZE, table_plan
from companion.display.virtual_seats import Around
from companion.match.seating import PLACES

WINDOW = (1280, 720)
SIZES = ((800, 480), (1024, 600), WINDOW, (1366, 768), (1920, 1080), (720, 1280), (600, 1024), (1000, 900))
EVERY_SIZE = pytest.mark.parametrize("size", SIZES, ids=lambda size: "{}x{}".format(*size))
TARGETS = virtual_seats.targets(WINDOW, PLACES)
DISPLAY = table_plan(WINDOW).display

STORY = ("Cleo begins", "Bo is first, 12.4 ms before Maximilienne", *["The kitchen gives Ben 19: 10+5+2+2"] * 4)
KEYED = "House keys (row of digits): 12 12 12"
LONG = "House: object, colour; or right or wrong"


def painted(*steps: Around, size: tuple[int, int] = WINDOW) -> Canvas:
    canvas = Canvas(pygame.Surface(size, 0, 32))
    before = None
    for step in steps:
        virtual_seats.draw(canvas, step, before)
        before = step
    return canvas


def drawn(*panels: Panel) -> Canvas:
    return painted(Around(panels, KEYED, STORY))


def rect_of(place: int, control: str) -> Rect:
    return next(target.rect for target in TARGETS if (target.place, target.control) == (place, control))


LEAST_TARGET_PX = 15

NAMES = ("Bo", "Maximilienne", "Cleo", "Alexandre", "Eva")
ALL = tuple(Panel(place) for place in range(PLACES))
SEATED = tuple(Panel(place, name=name) for place, name in enumerate(NAMES))
BUSY = tuple(
    Panel(place, Lamp.ON, (LONG, "too late"), FAULTS, place != 2, "number pad", name)
    for place, name in enumerate(NAMES)
)
ROBOTS = tuple(Panel(place, name=name, robot=True) for place, name in enumerate(NAMES))


# --- What can be clicked ----------------------------------------------------------------------------------


@EVERY_SIZE
def test_targets_are_apart_in_every_window(size):
    targets = virtual_seats.targets(size, PLACES)
    rects = [table_plan(size).display, *(target.rect for target in targets)]
    assert min(min(rect.size) for rect in rects) >= LEAST_TARGET_PX
    for number, rect in enumerate(rects):
        assert Rect((0, 0), size).contains(rect)
        assert rect.collidelist(rects[number + 1 :]) == -1, rect


@EVERY_SIZE
def test_display_has_most_of_the_room(size):
    plan = table_plan(size)
    sides = [*(seat.unit for seat in plan.seats.values()), plan.house.unit, plan.story, plan.help]
    assert plan.display.width * plan.display.height > 3 * max(rect.width * rect.height for rect in sides)


@pytest.mark.parametrize("size", [(1, 1), (480, 100), (100, 400)])
def test_tiny_window_shows_only_a_part(size):
    least = table_plan(tuple(map(max, zip(size, LEAST_SIZE, strict=True))))
    assert table_plan(size) == least
    painted(Around(SEATED, KEYED, STORY), size=size)


@pytest.mark.parametrize("place", range(PLACES))
def test_every_place_has_buzzer_keys_and_faults(place):
    controls = [target.control for target in TARGETS if target.place == place]
    assert sorted(controls) == sorted([BUZZ, *KEYS, *(f"fault {fault}" for fault in FAULTS)])
    assert len(KEYS) == 16


def test_house_has_all_its_controls():
    assert [target.control for target in TARGETS if target.place == HOUSE] == list(HOUSE_CONTROLS)


def test_targets_match_the_number_of_seats():
    assert {target.place for target in virtual_seats.targets(WINDOW, 2)} == {0, 1, HOUSE}


# --- The keyboard -----------------------------------------------------------------------------------------

HANDS = (
    Panel(0, name="Bo"),
    Panel(1, keys="digits", name="Maximilienne"),
    Panel(2, keys="number pad", name="Cleo"),
    Panel(3),
    Panel(4),
)


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
def test_every_place_has_a_buzzer_key(place):
    target = virtual_seats.on_keyboard(virtual_seats.BUZZER_KEYS[place], ALL)
    assert (target.place, target.control) == (place, BUZZ)


@pytest.mark.parametrize("control", HOUSE_CONTROLS)
def test_every_house_control_has_a_key(control):
    target = virtual_seats.on_keyboard(virtual_seats.HOUSE_KEYS[control], ())
    assert (target.place, target.control) == (HOUSE, control)


@pytest.mark.parametrize(
    ("key", "place", "control"),
    [
        (pygame.K_5, 1, "5"),
        (pygame.K_RETURN, 1, "#"),
        (pygame.K_d, 1, "D"),
        (pygame.K_KP_5, 2, "5"),
        (pygame.K_KP_ENTER, 2, "#"),
        (pygame.K_KP_PERIOD, 2, "D"),
    ],
)
def test_keypads_belong_to_the_assigned_panels(key, place, control):
    target = virtual_seats.on_keyboard(key, HANDS)
    assert (target.place, target.control) == (place, control)


@pytest.mark.parametrize("key", [pygame.K_x, pygame.K_SPACE, pygame.K_F1, pygame.K_F11, pygame.K_LSHIFT])
def test_other_keys_mean_nothing(key):
    assert virtual_seats.on_keyboard(key, HANDS) is None


def test_free_number_pad_repeats_the_digits():
    panels = (Panel(0, name="Bo"), Panel(1, keys="digits", name="Maximilienne"))
    target = virtual_seats.on_keyboard(pygame.K_KP_ENTER, panels)
    assert (target.place, target.control) == (1, "#")


def test_keypad_without_an_owner_means_nothing():
    assert virtual_seats.on_keyboard(pygame.K_5, ALL) is None
    assert virtual_seats.on_keyboard(pygame.K_KP_5, ()) is None


# --- The drawing ------------------------------------------------------------------------------------------


LEAST_CAP_PX = 8

EVERY_LOOK = pytest.mark.parametrize("look", [Look(), Look(True), Look(False, True), Look(True, True)])
MANY = pytest.mark.parametrize(
    "panels",
    [(), ALL[:2], ALL, SEATED, HANDS, BUSY, ROBOTS],
    ids=["none", "two", "all", "seated", "hands", "busy", "robots"],
)


@EVERY_LOOK
@MANY
@EVERY_SIZE
def test_nothing_overlaps_or_is_cut_in_every_look(look, panels, size):
    hint = Hint("Press [#] to begin, or [C] for one robot more", 0)
    shown = Around(panels, KEYED, STORY, look=look, hint=hint if panels == SEATED else None)
    placed = painted(shown, size=size).placed
    rects = [item.rect.inflate(-1, -1) for item in placed]
    for number, item in enumerate(placed):
        assert item.room.inflate(2, 2).contains(item.rect), item
        other = rects[number].collidelist(rects[number + 1 :])
        assert other == -1, (item, placed[number + 1 + other])
        assert not item.rect.colliderect(table_plan(size).display), item


@MANY
@EVERY_SIZE
def test_every_text_stands_out_and_is_large_enough(panels, size):
    named = {panel.name for panel in panels}
    for item in painted(Around(panels, None, STORY), size=size).placed:
        if item.cap_px:
            assert theme.contrast(item.colour, item.on) >= 4.5, item
            assert item.cap_px >= LEAST_CAP_PX - (item.what in named), item


def test_every_control_is_labelled():
    pygame.display.init()
    try:
        canvas = drawn(*ALL)
    finally:
        pygame.display.quit()
    for target in TARGETS:
        inside = [item.what for item in canvas.placed if target.rect.contains(item.rect)]
        assert inside, target
        if target.control == BUZZ:
            assert inside == [pygame.key.name(virtual_seats.BUZZER_KEYS[target.place]).upper()] or not inside[0]
        elif not target.control.startswith("fault "):
            assert target.control in inside[0]


def test_legend_explains_the_icons_of_faults():
    canvas = drawn(*ALL)
    for fault in FAULTS:
        rects = [rect_of(place, f"fault {fault}") for place in range(PLACES)]
        (sign,) = {item.what for rect in rects for item in canvas.placed if rect.contains(item.rect)}
        label = next(item for item in canvas.placed if item.what == fault and item.cap_px)
        beside = [item for item in canvas.placed if item.what == sign and not item.cap_px][-1]
        assert 0 < label.rect.left - beside.rect.right < 20
        assert abs(label.rect.centery - beside.rect.centery) < 4


def test_window_says_that_it_is_virtual():
    texts = " ".join(item.what for item in drawn(*SEATED).placed)
    assert "Virtual table" in texts
    assert "Nothing here is a real device" in texts


def test_names_are_shown_at_their_seats():
    texts = [item.what for item in drawn(*SEATED).placed]
    for name in NAMES:
        assert name in texts


def test_private_screen_is_dark_without_a_reader():
    lines = ("Your bid: 1 to 5", "3 2 1")
    shown = [item.what for item in drawn(Panel(0, lines=lines, name="Bo")).placed]
    assert lines[0] in shown
    assert lines[1] in shown
    for panel in (Panel(0, lines=lines), Panel(0, lines=lines, name="Bo", plugged=False)):
        assert lines[0] not in [item.what for item in drawn(panel).placed]


def test_newest_sentence_is_last_and_darkest():
    canvas = painted(Around(SEATED, None, tuple(f"this was number {number}" for number in range(20))))
    told = [item for item in canvas.placed if item.what.startswith("this was")]
    assert [item.what for item in told] == [f"this was number {number}" for number in range(14, 20)]
    assert [item.rect.top for item in told] == sorted(item.rect.top for item in told)
    assert [item.colour == tabletop.INK for item in told] == [False] * 5 + [True]


@pytest.mark.parametrize(("lamp", "colour"), [(Lamp.ON, theme.LIT), (Lamp.BLINK, theme.GOOD)])
def test_lamp_is_a_ring_around_the_buzzer(lamp, colour):
    canvas = drawn(*SEATED[:3], Panel(3, lamp, name="Eva"))
    ring = pygame.Vector2(rect_of(3, BUZZ).width * 0.39, 0)
    for angle in range(0, 360, 45):
        spot = pygame.Vector2(rect_of(3, BUZZ).center) + ring.rotate(angle)
        assert near(canvas.surface.get_at((round(spot.x), round(spot.y))), colour)


def near(one, other) -> bool:
    return all(abs(a - b) < 12 for a, b in zip(one[:3], other, strict=True))


def middle(canvas: Canvas, place: int) -> pygame.Color:
    """Return the colour beside a buzzer's letter."""
    return canvas.surface.get_at((rect_of(place, BUZZ).centerx + 22, rect_of(place, BUZZ).centery + 4))


def test_buzzer_colour_shows_unplugged_and_free_places():
    canvas = drawn(SEATED[0], SEATED[1]._replace(plugged=False), Panel(2))
    usual, unplugged, empty = (middle(canvas, place) for place in range(3))
    assert usual.r > 2 * usual.b
    assert abs(unplugged.r - unplugged.b) < 20
    assert usual.hsva[1] > empty.hsva[1] > unplugged.hsva[1]


# --- Held controls ----------------------------------------------------------------------------------------

HELD = [(0, BUZZ), (3, BUZZ), (1, "5"), (4, "#"), (HOUSE, "undo"), (2, "fault late")]


@pytest.mark.parametrize("held", HELD[:5])
def test_held_control_looks_pressed(held):
    calm = Around(SEATED, None, STORY)
    rest, pressed = painted(calm).surface, painted(calm, calm._replace(held=frozenset({held}))).surface
    rect = rect_of(*held)
    assert pixels(rest.subsurface(rect)) != pixels(pressed.subsurface(rect))
    for surface in (rest, pressed):
        surface.fill(0, rect)
    assert pixels(rest) == pixels(pressed)


def test_stuck_buzzer_looks_pressed():
    stuck, held = SEATED[0]._replace(faults=("stuck",)), frozenset({(0, BUZZ)})
    rect = rect_of(0, BUZZ)
    pressed = painted(Around((SEATED[0],), held=held)).surface
    assert pixels(drawn(stuck).surface.subsurface(rect)) == pixels(pressed.subsurface(rect))


def pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


STEPS = [
    Around(ALL),
    Around(SEATED, None, STORY[:1]),
    Around(BUSY, KEYED, STORY),
    Around(HANDS, None, STORY, frozenset(HELD)),
    Around(ROBOTS[:2], KEYED),
]


@pytest.mark.parametrize("before", STEPS)
@pytest.mark.parametrize("now", STEPS)
def test_redrawing_equals_drawing_anew(before, now):
    assert pixels(painted(before, now).surface) == pixels(painted(now).surface)


def test_only_changes_are_drawn_again():
    calm = Around(SEATED, None, STORY)
    canvas = painted(calm)
    canvas.placed.clear()
    virtual_seats.draw(canvas, calm, calm)
    assert canvas.placed == []
    lit = calm._replace(panels=(SEATED[0]._replace(lamp=Lamp.ON), *SEATED[1:]))
    virtual_seats.draw(canvas, lit, calm)
    unit = table_plan(WINDOW).seats[0].unit
    assert all(unit.contains(item.rect) for item in canvas.placed)


def test_change_of_language_reaches_every_word():
    english, french = (Around(SEATED, look=Look(language=language)) for language in ("en", "fr"))
    before, at_once, changed = (
        {item.what for item in painted(*steps).placed if item.cap_px}
        for steps in ((english,), (french,), (english, french))
    )
    assert changed >= at_once
    same = (before & at_once) - {*NAMES, *KEYS}
    keys = re.compile(r"[A-Z1-5?]|\w+ (F\d+|Esc|\?)")
    assert not [word for word in same if not keys.fullmatch(word)], "English in French"


# --- Looks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("panels", [SEATED, BUSY])
def test_high_contrast_also_applies_beside_the_display(panels):
    usual, strong = (painted(Around(panels, KEYED, STORY, look=look)).placed for look in (Look(), Look(True)))
    for before, after in zip(usual, strong, strict=True):
        least = min(4.5, theme.contrast(before.colour, before.on))
        assert theme.contrast(after.colour, after.on) >= least, after.what


def test_large_text_grows_beside_the_display():
    usual, large = (painted(Around(SEATED, KEYED, STORY, look=look)).placed for look in (Look(), Look(False, True)))
    before, after = ({item.what: item.cap_px for item in placed} for placed in (usual, large))
    assert all(after[what] >= before[what] for what in before.keys() & after.keys())
    grown = {what for what in before.keys() & after.keys() if after[what] > before[what]}
    assert grown >= {NAMES[0], STORY[-1], *KEYS}


@EVERY_LOOK
def test_change_of_look_redraws_everything(look):
    old, new = (Around(BUSY, KEYED, STORY, look=one) for one in (Look(), look))
    after_change, at_once = (painted(*steps).surface for steps in ((old, new), (new,)))
    assert pixels(after_change) == pixels(at_once)

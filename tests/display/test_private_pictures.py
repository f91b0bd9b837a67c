"""The pictures of a seat's hand."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import cycle
from random import Random

import pygame
import pytest
from pygame import Rect

from companion.core.move import each_seat
from companion.devices.phones.talks import PhoneLink
from companion.display import screens, theme
from companion.display.canvas import Canvas, Placed
from companion.display.frame import Look, PrivatePicture, Touchable
from companion.games import load
from companion.games.boese_buben.rules.cards import value
from tests.display import bc_positions, laws
from tests.display import test_scene_bb as bb
from tests.display import test_scene_db as db

SIZES = ((732, 462), (860, 300), (1180, 620), (356, 180), (180, 420), (700, 700))
LOOKS = (Look(), Look(high_contrast=True), Look(large_text=True), Look(True, True))
LEAST_CAP = 0.032
"""Least capitals, as a share of the shorter side."""

TYPED = {
    "boese_buben": ("", "3", "1A", "0"),
    "buro_crazy": ("", "1", "1355", "2"),
    "de_et_boulanger": ("", "1", "C", "112"),
}


@cache
def placed(picture: PrivatePicture, size: tuple[int, int]) -> list[Placed]:
    canvas = Canvas(pygame.Surface(size, 0, 32), cap_px=round(min(size) * screens.PRIVATE_CAP), look=picture.look)
    screens.draw_private(canvas, picture)
    return canvas.placed


def views(name: str) -> Iterator[object]:
    game = load(name)
    of, variants = {
        "boese_buben": (bb.positions, ("basic", "action")),
        "buro_crazy": (bc_positions.positions, bc_positions.TRACKING),
        "de_et_boulanger": (db.positions, ("full", "trust")),
    }[name]
    for seats in (game.rules.SEATS[0], game.rules.SEATS[-1]):
        for variant in variants:
            for state in of(seats, variant):
                for seat in each_seat(seats):
                    yield game.rules.view(state, seat)


@pytest.mark.parametrize("name", TYPED)
def test_picture_exists_wherever_text_exists(name: str) -> None:
    console, found = load(name).console, Counter()
    for view in views(name):
        for entry in TYPED[name]:
            own, text = console.own(view, entry), console.private(view, entry)
            assert (own is None) == (text is None)
            assert own == console.own(view, entry)
            found[own is None] += 1
    assert min(found.values()) > 10


@pytest.mark.parametrize("name", TYPED)
def test_everything_is_readable_and_in_its_room(name: str) -> None:
    game, luck, faults = load(name), Random("private"), []
    sizes, looks = cycle(SIZES), cycle(LOOKS)
    for view in views(name):
        own = game.console.own(view, luck.choice(TYPED[name]))
        if own is None:
            continue
        size = next(sizes)
        look = next(looks) if luck.random() < 0.5 else Look()
        for item in placed(PrivatePicture(game.scene, own, "", look), size):
            if not Rect((0, 0), size).contains(item.rect) or not item.room.inflate(2, 2).contains(item.rect):
                faults.append(f"{laws.short(item)} leaves its room on {size}: {own}")
            if item.cap_px and item.cap_px < min(size) * LEAST_CAP:
                faults.append(f"{laws.short(item)} has capitals of {item.cap_px} px on {size}: {own}")
            if item.cap_px and theme.contrast(item.colour, item.on) < (7.0 if look.high_contrast else 4.5):
                faults.append(f"{laws.short(item)} has too little contrast on {size}: {own}")
    assert not faults, "\n".join(faults[:20])


@pytest.mark.parametrize("name", TYPED)
@pytest.mark.parametrize("said_px", [(64, 64), (64, 4_096), (4_096, 64)])
def test_any_size_from_a_page_gets_a_picture(name: str, said_px: tuple[int, int]) -> None:
    link = PhoneLink("0123456789ABCDEF", lambda _: None)
    link.picture_px = said_px
    size = link.picture_size
    assert size is not None
    game, looks = load(name), cycle(LOOKS)
    for number, view in enumerate(views(name)):
        own = game.console.own(view, TYPED[name][number % 4])
        if own is not None and number % 5 == 0:
            picture = PrivatePicture(game.scene, own, "", next(looks))
            assert screens.private_pixels((size.width_px, size.height_px), picture)[0]


def numbers(picture: PrivatePicture, size: tuple[int, int]) -> Counter[str]:
    return Counter(item.what for item in placed(picture, size) if item.cap_px)


@pytest.mark.parametrize("size", SIZES)
def test_hand_of_boese_buben_is_complete(size: tuple[int, int]) -> None:
    game, seen = load("boese_buben"), 0
    for view in views("boese_buben"):
        own = game.console.own(view, "")
        if own is None or (seen := seen + 1) % 7:
            continue
        shown = [*own.hand, *(card for card, _ in own.offered)]
        wanted = Counter(str(value(card)) for card in shown) + Counter([str(own.purse)])
        wanted += Counter(str(price) for _, price in own.offered)
        assert numbers(PrivatePicture(game.scene, own, ""), size) == wanted
        ducats = sum(own.box.goblins[card % 12] for card in shown) + 1 + len(own.offered)
        found = Counter(item.what for item in placed(PrivatePicture(game.scene, own, ""), size))
        assert found["ducat"] == ducats
    assert seen > 20


@pytest.mark.parametrize("size", SIZES)
def test_bid_of_buero_crazy_is_complete(size: tuple[int, int]) -> None:
    game, seen = load("buro_crazy"), 0
    for view in views("buro_crazy"):
        own = game.console.own(view, "5")
        if own is None or (seen := seen + 1) % 7:
            continue
        points = sum(number * worth for number, worth in zip(own.hand, own.values, strict=True))
        wanted = Counter([str(points)])
        piles = [own.hand, own.bid] if own.due else [own.hand]
        wanted += Counter([own.number] if own.due and own.number else [])
        for cards in piles if len(own.values) > 1 else []:
            for count, worth in zip(cards, own.values, strict=True):
                wanted += Counter([str(worth)] * bool(count) + [f"×{count}"] * (count > 1))
        if own.keys:
            wanted += Counter(str(place) for place, count in enumerate(own.hand, 1) if count)
        found = numbers(PrivatePicture(game.scene, own, ""), size)
        assert found == wanted
        signs = {item.what for item in placed(PrivatePicture(game.scene, own, ""), size)}
        assert ("padlock_closed" in signs, "padlock_open" in signs) == (own.locked, own.due and not own.locked)
    assert seen > 20


@pytest.mark.parametrize("size", SIZES)
def test_baker_sees_icons_with_the_numbers_carried(size: tuple[int, int]) -> None:
    game = load("de_et_boulanger")
    own = (("flour", 3), ("water", 0), ("butter", 2), ("sous", 1))
    found = Counter(item.what for item in placed(PrivatePicture(game.scene, own, ""), size))
    assert found == Counter(("flour", "3", "water", "0", "butter", "2", "sou", "1"))


def drawn(name: str, own: object) -> bytes:
    return screens.private_pixels(SIZES[0], PrivatePicture(load(name).scene, own, ""))[0]


@pytest.mark.parametrize("name", ["boese_buben", "buro_crazy"])
def test_each_card_is_touched_where_it_is_drawn(name: str) -> None:
    game, areas = load(name), 0
    for number, view in enumerate(views(name)):
        own, offered = game.console.own(view, ""), game.console.touches(view, "")
        if own is None or not offered:
            continue
        touches = tuple(Touchable(touch.keys, "", touch.thing) for touch in offered)
        _, found = screens.private_pixels(SIZES[number % 2], PrivatePicture(game.scene, own, "", touches=touches))
        assert [area.area is not None for area in found] == [bool(touch.thing) for touch in offered]
        places = [Rect(*(round(10_000 * share) for share in area.area)) for area in found if area.area]
        assert all(Rect(0, 0, 10_000, 10_000).contains(place) for place in places)
        assert all(place.collidelist(places[:at]) == -1 for at, place in enumerate(places))
        areas += len(places)
    assert areas > 50


def test_typed_entry_changes_the_picture() -> None:
    buddies, office, _ = (load(name).console for name in TYPED)
    turn = next(view for view in views("boese_buben") if view.you == view.mover and buddies.own(view, "1").typed)
    assert drawn("boese_buben", buddies.own(turn, "1")) != drawn("boese_buben", buddies.own(turn, ""))
    duel = next(view for view in views("buro_crazy") if view.you in view.duel and office.own(view, "1").keys)
    assert drawn("buro_crazy", office.own(duel, "1")) != drawn("buro_crazy", office.own(duel, ""))


def test_unconfirmed_report_shows_the_keyed_points() -> None:
    office = load("buro_crazy").console
    view = next(view for view in views("buro_crazy") if view.reporting and view.you not in view.reported)
    own = office.own(view, "17#")
    assert (own.number, own.due, own.locked) == ("17", True, False)
    assert numbers(PrivatePicture(load("buro_crazy").scene, own, ""), SIZES[0])["17"] == 1

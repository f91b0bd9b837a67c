"""The scene of any other game."""

import pygame
import pytest

from companion.display import theme
from companion.display.canvas import Placed
from companion.display.frame import Beat, Frame, Play
from companion.games import load
from tests.display import gallery, show_an
from tests.display.gallery import every_size
from tests.display.show_an import TOWER, WORDS, locked, made, new

HIDDEN = 'kind = "first"\ntext = "Nobody reads this"\nanswer = "Nor this"'


def frame(match) -> Frame:
    return gallery.frame_of(load("any"), match.view, len(match.names))


def texts(shown: Frame, size: tuple[int, int] = gallery.WIDE) -> list[str]:
    return [item.what for item in gallery.placed(shown, size) if item.cap_px]


def revealed(match, *last: str) -> tuple[Frame, Frame]:
    before = frame(match)
    made(match, *last)
    shown = Play(match.game.scene, match.view(), Beat.REVEALED, before.screen.view)
    return before, frame(match)._replace(screen=shown)


def green(shown: Frame, size: tuple[int, int]) -> int:
    return pygame.mask.from_threshold(gallery.drawn(shown, size).surface, theme.GOOD, (1, 1, 1, 255)).count()


@every_size
def test_field_is_filled_only_while_buzzers_are_open(size):
    match = new(5, show_an.FIRST, show_an.FIRST)
    seen = [green(frame(match), size)]
    for move in ("T open", "T call 2", "T wrong", "T call 1", "T right"):
        seen.append(green(frame(made(match, move)), size))
    filled = size[0] * size[1] // 8
    assert [count > filled for count in seen] == [False, True, False, True, False, False]
    assert [count for count in seen if count < filled] == [0] * 4


def test_display_has_no_text_for_the_house_alone():
    match = new(3, HIDDEN, HIDDEN)
    for move in ("T open", "T call 2"):
        assert not {"Nobody reads this", "Nor this"} & set(texts(frame(match)))
        made(match, move)
    assert "Nor this" in texts(frame(made(match, "T right")))


def test_question_is_read_from_both_long_sides():
    for seats, copies in ((3, 1), (4, 2), (5, 2)):
        assert " ".join(texts(frame(new(seats, TOWER)))).count("Eiffel") == copies


@every_size
@pytest.mark.parametrize(("wins", "order"), [("highest", ["1900", "34", "3"]), ("lowest", ["3", "34", "1900"])])
def test_reveal_shows_all_numbers_in_order(size, wins, order):
    match = locked(new(4, play="sealed", wins=wins), 34, 1900, 34)
    assert not {"34", "1900", "3"} & set(texts(frame(match), size))
    before, after = revealed(match, "4 lock 3")
    shown = [item for item in gallery.placed(after, size) if item.what in order and item.room.width > 30]
    assert [item.what for item in shown] == order, "equal numbers share a card"
    places = [item.rect.center for item in shown]
    assert places == sorted(places)
    assert not gallery.flown(before, after, size)[1], "nothing hides a number"
    lit = [item.what for item in shown if item.on == theme.LIT]
    assert lit == order[:1]


@every_size
@pytest.mark.parametrize("number", ["\nnumber = 1889", ""], ids=["box", "house"])
def test_next_round_shows_who_was_closest_to_what(size, number):
    match = locked(new(5, f'kind = "sealed"\nwins = "closest"{number}', 'kind = "first"'), *show_an.BIDS)
    if not number:
        made(match, "T number 1889")
    shown = gallery.placed(frame(match), size)
    assert "1889" in [item.what for item in shown if item.cap_px]
    assert [item.what for item in shown if item.on == theme.LIT and item.what.isdecimal()] == ["1900"]


def test_reveal_of_words_shows_words_and_number():
    _, after = revealed(locked(new(2, WORDS), 1), "2 lock 3")
    assert {"1", "Garda", "3", "Po", "= 1"} <= set(texts(after))
    assert "Etna" not in texts(after)


def clocks(shown: Frame) -> dict[str, list[Placed]]:
    found: dict[str, list[Placed]] = {}
    for item in gallery.placed(shown, gallery.WIDE):
        if ":" in item.what:
            found.setdefault(item.what, []).append(item)
    return found


def test_running_clock_is_lit_and_largest():
    shown = clocks(frame(made(new(5, play="clock"), "T open", "T pass 1 12000", "T pass 2 1000")))
    assert {time: len(items) for time, items in shown.items()} == {"9:48": 1, "9:59": 1, "10:00": 3}
    every = [item for items in shown.values() for item in items]
    (running,) = [item for item in every if item.on == theme.LIT]
    assert running.what == "10:00"
    assert running.cap_px == max(item.cap_px for item in every)


def test_fallen_flag_replaces_the_clock():
    fallen = frame(made(new(3, play="clock"), "T open", "T flag 1"))
    assert "0:00" not in clocks(fallen)
    assert [item.what for item in gallery.placed(fallen, gallery.WIDE)].count("flag") == 2, "clock and strip"


@every_size
def test_dice_fall_and_padlocks_close(size):
    lots = made(new(3, play="lots", dice=5), "T open", "T draw 3")
    sealed = locked(new(3, TOWER), 20)
    for match, move in ((lots, "T draw 6"), (sealed, "2 lock 34")):
        before = frame(match)
        plan, (flight,) = gallery.flown(before, frame(made(match, move)), size)
        assert flight.start[1] < flight.end[1]
        assert plan.centre.collidepoint(flight.end)
    before = frame(sealed)
    drum = before._replace(screen=before.screen._replace(beat=Beat.DRUM))
    assert [flight.shake_px > 0 for flight in gallery.flown(before, drum, size)[1]] == [True] * 3

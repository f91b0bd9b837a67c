"""The beats of a reveal in Büro Crazy, and its flying pieces."""

from itertools import pairwise

import pytest
from pygame import Rect

from companion.core.move import SecretMove
from companion.display import screens
from companion.display.frame import Beat, Frame, Look
from companion.display.geometry import ScreenGeometry
from companion.display.layout import layout
from companion.games.buro_crazy import rules, scene
from companion.games.buro_crazy.rules import Phase
from tests.display import gallery
from tests.display.bc_positions import every_table, every_tracking, frame_of, played
from tests.display.gallery import every_size, flown

BIDS = (((0, 2, 1, 0, 1), (1, 0, 0, 0, 0)), ((1, 0, 0, 0, 0), (0, 2, 1, 0, 1)), ((1, 1, 0, 0, 0), (1, 1, 0, 0, 0)))
"""The left seat wins, the right seat wins, a tie."""


def revealed(seats: int, bids: tuple[tuple[int, ...], ...]) -> tuple[Frame, Frame]:
    state = next(state for state in played(seats, 1, "cards") if state.phase == Phase.BID)
    states = [state]
    for seat, cards in zip(state.duel, bids, strict=True):
        states.append(rules.apply(states[-1], SecretMove(seat, "commit", cards)))
    return frame_of(states[1]), frame_of(states[2])


def at(frame: Frame, beat: Beat, before: Frame | None = None) -> Frame:
    return frame._replace(screen=frame.screen._replace(beat=beat, before=before and before.screen.view))


def centre_pixels(frame: Frame, size: tuple[int, int] = (800, 480)) -> bytes:
    whole = gallery.drawn(frame, size).surface
    part = whole.subsurface(screens.plan_of(size, frame, ScreenGeometry()).centre)
    return gallery.pygame.image.tobytes(part, "RGB")


def pictures(frame: Frame, name: str, size: tuple[int, int] = (800, 480), turn: int = 0) -> list[Rect]:
    room = screens.plan_of(size, frame, ScreenGeometry(turn=turn)).centre
    placed = gallery.placed(frame, size, turn)
    return [item.rect for item in placed if item.what == name and room.contains(item.rect)]


def test_drum_shows_two_padlocks_whatever_was_bid():
    drums = [at(revealed(4, bids)[0], Beat.DRUM) for bids in BIDS]
    assert len({centre_pixels(frame) for frame in drums}) == 1
    assert len(pictures(drums[0], "padlock_closed")) == 2
    assert not pictures(drums[0], "padlock_open")


@every_size
@pytest.mark.parametrize("bids", BIDS)
def test_reveal_shows_both_bids_without_their_effects(bids, size):
    before, after = revealed(4, bids)
    shown = at(after, Beat.REVEALED, before)
    room = layout(size, 4).centre
    texts = [item.what for item in gallery.placed(shown, size) if item.cap_px and room.contains(item.rect)]
    last = after.screen.view.last
    assert all(str(total) in texts for total in last.totals)
    assert not [text for text in texts if text[0] in "+\N{MINUS SIGN}"]
    assert not any(pictures(shown, name, size) for name in ("roof", "equal", "arrow", "padlock_closed"))
    # The result changes nothing yet, and the building stays the same.
    other = last._replace(winner=last.seats[1], losses=(5, 5), gain=7, paid=(0, 1, 1, 0, 0))
    changed = shown._replace(screen=shown.screen._replace(view=after.screen.view._replace(last=other)))
    assert centre_pixels(changed, size) == centre_pixels(shown, size)
    house = [pictures(frame, "figure", size)[:-2] for frame in (before, shown)]
    assert house[0] == house[1]


@every_size
@pytest.mark.parametrize("turn", range(4))
def test_padlocks_shake_in_place(size, turn):
    before, _ = revealed(4, BIDS[0])
    drum = at(before, Beat.DRUM)
    _, found = flown(before, drum, size, turn)
    places = pictures(drum, "padlock_closed", size, turn)
    assert len(found) == len(places) == 2
    for flight, place in zip(found, places, strict=True):
        assert flight.shake_px > 0
        assert flight.start == flight.end
        assert Rect(place).inflate(4, 4).collidepoint(flight.start)
        assert max(abs(flight.end[0] - place.centerx), abs(flight.end[1] - place.centery)) <= 1
        assert flight.picture.get_rect(center=flight.end).contains(place)


@every_size
@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("side", [0, 1])
def test_winner_climbs_to_its_new_place(side, size, turn):
    before, after = revealed(4, BIDS[side])
    shown = at(after, Beat.REVEALED, before)
    plan, found = flown(shown, after, size, turn)
    climbing = found[0]
    old, new = (pictures(frame, "figure", size, turn) for frame in (shown, after))
    assert any(near(climbing.start, place) for place in old)
    assert any(near(climbing.end, place) for place in new)
    assert not any(near(climbing.end, place) for place in old)
    assert len(found) <= 10
    assert all(plan.centre.collidepoint(flight.start) and plan.centre.collidepoint(flight.end) for flight in found)


def test_flying_pieces_turn_with_the_display():
    before, after = revealed(4, BIDS[0])
    shown = at(after, Beat.REVEALED, before)
    _, upright = flown(shown, after, (720, 1280))
    _, turned = flown(shown, after, (1280, 720), 1)
    assert upright
    for one, other in zip(upright, turned, strict=True):
        picture = gallery.pygame.transform.rotate(one.picture, 90)
        assert gallery.pygame.image.tobytes(picture, "RGBA") == gallery.pygame.image.tobytes(other.picture, "RGBA")


def near(point: tuple[int, int], place: Rect) -> bool:
    return max(abs(point[0] - place.centerx), abs(point[1] - place.centery)) <= 1


def test_cards_fly_to_the_roof_and_from_kitchen():
    before, after = revealed(4, BIDS[0])
    _, found = flown(at(after, Beat.REVEALED, before), after)
    last = after.screen.view.last
    assert len(found) == 1 + 3 + sum(count > 0 for count in last.paid)
    before, after = revealed(4, BIDS[2])
    _, found = flown(at(after, Beat.REVEALED, before), after)
    assert len(found) == 2 * 2


@every_tracking
@every_table
def test_pieces_move_only_forwards_after_the_reveal(seats, tracking):
    for before, after in pairwise(map(frame_of, played(seats, 1, tracking))):
        plan, found = flown(before, after)
        assert all(plan.centre.collidepoint(flight.end) for flight in found)
        assert not scene.flights(plan, after.screen, before.screen, Look())
        assert not scene.flights(plan, before.screen, at(after, Beat.REVEALED, before).screen, Look())
        moved = before.screen.view.board != after.screen.view.board
        assert bool(found) >= moved


def test_figures_fly_to_the_stairs():
    states = played(5, 1, "cards")
    before = next(states)
    after = next(state for state in states if state.phase == Phase.BID)
    _, found = flown(frame_of(before), frame_of(after))
    assert len(found) == 8


def test_building_is_upright_on_a_turned_display():
    before, after = revealed(4, BIDS[0])
    for frame in (before, after):
        for name in ("figure", "coffee"):
            upright, turned = pictures(frame, name, (720, 1280)), pictures(frame, name, (1280, 720), 1)
            assert [Rect(at.top, 720 - at.right, *at.size) for at in upright] == turned

"""Buntherum's scene: complete, without hints, with flights to the right places."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from pygame import Rect

from companion.core.match import Match
from companion.core.move import TABLE, Move
from companion.display import screens, theme
from companion.display.canvas import Canvas
from companion.display.frame import Frame, Look, Play
from companion.display.geometry import ScreenGeometry
from companion.display.layout import Layout, layout
from companion.games.buntherum import scene, scene_board
from companion.games.buntherum.rules import IMPOSSIBLE, NO_CARD, SIDES, UNKNOWN, Phase, View
from companion.games.buntherum.scene_board import board_in
from tests.display import gallery, laws, show_bh
from tests.display.gallery import answer, call, every_size, fill, fitting, flip, new

TABLES = range(2, 6)

every_table = pytest.mark.parametrize("seats", TABLES)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[int, dict[str, Frame]]:
    folder: Path = tmp_path_factory.mktemp("buntherum")
    return {seats: show_bh.frames(folder / str(seats), seats) for seats in TABLES}


def plan_of(seats: int, size: tuple[int, int] = (800, 480)) -> Layout:
    return layout(size, seats)


def play_of(match: Match) -> Play:
    return Play("companion.games.buntherum.scene", match.game.rules.view(match.state, None))


def objects_of(view: View) -> Counter[str]:
    cards = [*view.box.printed, *(card for row in view.rows for card in row)]
    if view.card not in {NO_CARD, UNKNOWN}:
        cards.append(view.card)
    return Counter(view.box.objects[card % len(view.box.objects)] for card in cards)


# --- Every frame ------------------------------------------------------------------------------------------


@every_table
def test_every_frame_obeys_the_laws(shown, seats):
    faults = laws.faults_by_turns(shown[seats].items(), seats)
    assert not faults, "\n".join(faults)


@every_table
def test_all_open_cards_and_numbers_are_shown(shown, seats):
    for (name, frame), (size, turn) in laws.in_turn(shown[seats].items(), seats):
        if name == "house_list":
            continue  # a menu covers the board
        view: View = frame.screen.view
        # The house's entry is below it.
        room = screens.plan_of(size, frame, ScreenGeometry(turn=turn)).centre
        inside = [item for item in gallery.placed(frame, size, turn) if room.contains(item.rect)]
        pictures = Counter(item.what for item in inside if not item.cap_px)
        assert {thing: pictures[thing] for thing in view.box.objects} == {
            thing: objects_of(view)[thing] for thing in view.box.objects
        }, name
        numbers = Counter(item.what for item in inside if item.what.isdecimal())
        assert numbers == Counter([*map(str, range(SIDES + 1)), str(view.draw_pile)]), name
        assert ("?" in {item.what for item in inside}) == (view.card == UNKNOWN and not view.armed)


def test_gallery_frames_match_their_names(shown):
    for seats, frames in shown.items():
        views = {name: frame.screen.view for name, frame in frames.items() if name != "house_list"}
        assert views["setup_half"].phase == Phase.SETUP
        assert 0 < sum(map(bool, views["setup_half"].rows)) < SIDES
        assert views["ready"].source != TABLE
        assert views["ready_from_draw_pile"].source == TABLE
        assert (views["judge"].said, views["judge_impossible"].said) == (3, IMPOSSIBLE)
        assert views["tie_open"].callers == (0, 1)
        assert (len(views["tie"].callers), views["tie"].phase) == (2, Phase.READY)
        assert views["over"].outcome
        assert ("eliminated" in views) == (seats > 2)


@every_table
@pytest.mark.parametrize("most", [1, 3, 4, 12, 999])
def test_many_red_chips_leave_room_for_names(shown, seats, most):
    frame = shown[seats]["open"]
    view = frame.screen.view
    taken = (most - 1, *view.chips[1:])
    more = view._replace(box=view.box._replace(chips_out=most), chips=taken)
    frame = frame._replace(screen=frame.screen._replace(view=more))
    faults = laws.faults_by_turns([("open", frame)], seats)
    assert not faults, "\n".join(faults)
    chips = [item.what for item in gallery.placed(frame, (800, 480))].count("chip")
    assert chips == (seats if most > scene.MOST_CHIPS else sum(taken))


@every_table
def test_strips_mark_winners_and_eliminated_seats(shown, seats):
    def in_strips(name: str, what: str) -> list[int]:
        frame = shown[seats][name]
        placed = [item.rect for item in gallery.placed(frame, (800, 480)) if item.what == what]
        strips = screens.plan_of((800, 480), frame, ScreenGeometry()).strips
        return [seat for rect in placed for seat, strip in enumerate(strips) if strip.rect.contains(rect)]

    assert in_strips("over", "cup_trophy") == [0]
    if seats > 2:
        assert in_strips("eliminated", "cross") == [1]
        assert sorted(in_strips("eliminated", "chip")) == [0, 0, 2]


# --- The board --------------------------------------------------------------------------------------------


@every_size
@every_table
@pytest.mark.parametrize("turn", range(2))
def test_rows_grow_outwards_without_overlap(seats, size, turn):
    board = board_in(layout(size, seats, ScreenGeometry(turn=turn)).centre)
    signs = [board.card, board.pile, board.zero, *map(board.badge, range(SIDES))]
    for count in scene.ROOMS:
        rows = [board.cells(side, count) for side in range(SIDES)]
        cells = [cell for row in rows for cell in row]
        assert all(board.room.contains(place) for place in (*signs, *board.notches, *cells))
        for others in (signs, board.notches):
            assert not [pair for pair in combinations([*cells, *others], 2) if pair[0].colliderect(pair[1])]
        assert len({cell.size for cell in cells}) == 1
        for row in rows:
            away = [abs(cell.center[board.tall] - board.middle[board.tall]) for cell in row]
            assert away == sorted(away)


@every_size
def test_open_card_fills_most_of_the_hexagon(size):
    for seats in TABLES:
        board = board_in(layout(size, seats).centre)
        assert board.card.width >= 0.6 * board.reach_px * 3**0.5 - 1


@pytest.mark.parametrize("said", range(SIDES + 1))
def test_only_the_declared_row_is_lit(said):
    match = call(show_bh.unread(4), 1, said)
    canvas, board = centre_of(play_of(match), 4)
    places = [board.zero, *map(board.badge, range(SIDES))]
    badges = [canvas.surface.get_at((place.centerx, place.top + 8))[:3] for place in places]
    assert [number for number, colour in enumerate(badges) if colour == theme.LIT] == [said]
    assert [item.what for item in canvas.placed if item.on == theme.LIT] == [str(said)]


def test_only_the_side_of_the_next_starter_waits(shown):
    def waiting(name: str) -> list[int]:
        canvas, board = centre_of(shown[3][name].screen, 3)
        first = [canvas.surface.subsurface(board.cells(side, scene.ROOMS[0])[1]) for side in range(SIDES)]
        masks = [gallery.pygame.mask.from_threshold(cell, theme.LIT, (1, 1, 1, 255)) for cell in first]
        return [side for side, mask in enumerate(masks) if mask.count()]

    laid = sum(map(bool, shown[3]["setup_half"].screen.view.rows))
    assert (waiting("setup_half"), waiting("open")) == ([laid], [])


def centre_of(play: Play, seats: int) -> tuple[Canvas, scene_board.Board]:
    plan = plan_of(seats)
    canvas = Canvas(gallery.pygame.Surface((800, 480), 0, 32), cap_px=plan.cap_px)
    scene.centre(canvas, plan, play)
    return canvas, board_in(plan.centre)


# --- Who acts ---------------------------------------------------------------------------------------------


class _Watched(Canvas):
    """Records arrows and their turns."""

    def picture(self, name, rect, colour, *, on=None, turn=0):
        if name == "arrow":
            self.arrows = [*getattr(self, "arrows", []), (rect, turn, colour)]
        super().picture(name, rect, colour, on=on, turn=turn)


def arrows(play: Play, plan: Layout) -> list[tuple[Rect, int, theme.Colour]]:
    canvas = _Watched(gallery.pygame.Surface((800, 480), 0, 32), cap_px=plan.cap_px)
    scene.centre(canvas, plan, play)
    return getattr(canvas, "arrows", [])


@every_table
def test_arrow_points_to_the_caller(seats):
    plan = plan_of(seats)
    for seat in range(seats):
        ((place, turn, colour),) = arrows(play_of(call(flip(new(seats)), seat)), plan)
        # The drawing points to the right edge; a quarter turn anticlockwise makes that the upper one.
        assert (turn + 1) % 4 == plan.strips[seat].turn
        assert colour == theme.LIT
        if len([strip for strip in plan.strips if strip.turn == plan.strips[seat].turn]) > 1:
            assert (place.centerx < plan.centre.centerx) == (plan.strips[seat].rect.centerx < plan.centre.centerx)


@every_table
def test_each_tied_seat_has_an_arrow(seats):
    assert arrows(play_of(flip(new(seats))), plan_of(seats)) == []
    if seats > 2:
        tie = flip(show_bh.tied(seats))
        assert len(arrows(play_of(tie), plan_of(seats))) == 2


# --- All that is public -----------------------------------------------------------------------------------


def _changed(view: View) -> Iterator[tuple[str, View]]:
    for side, row in enumerate(view.rows):
        shorter = (*view.rows[:side], row[:-1], *view.rows[side + 1 :])
        yield f"row {side + 1}", view._replace(rows=shorter)
        yield f"said {side + 1}", view._replace(said=side + 1)
    yield "impossible", view._replace(said=IMPOSSIBLE)
    yield "draw pile", view._replace(draw_pile=view.draw_pile + 1)
    yield "card", view._replace(card=view.card + 1)
    yield "no card", view._replace(card=NO_CARD)
    yield "phase", view._replace(phase=Phase.OPEN)
    for seat in range(len(view.piles)):
        yield f"pile {seat}", view._replace(piles=_plus(view.piles, seat))
        yield f"chips {seat}", view._replace(chips=_plus(view.chips, seat))
        yield f"gone {seat}", view._replace(gone=(seat,))
        if seat != view.caller:
            yield f"caller {seat}", view._replace(caller=seat)


def _plus(counts: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + 1, *counts[seat + 1 :])


@pytest.mark.parametrize("size", [(800, 480), (720, 1280)])
def test_every_public_change_alters_the_picture(tmp_path, size):
    frame = gallery.Table(tmp_path, call(flip(fill(new(5), 3, 8)), 1)).frame
    view = frame.screen.view

    def pixels(other: View) -> int:
        changed = frame._replace(screen=Play("companion.games.buntherum.scene", other))
        return gallery.pixels(changed, size)

    drawn = {name: pixels(other) for name, other in _changed(view)}
    assert pixels(view) not in drawn.values(), [name for name, other in drawn.items() if other == pixels(view)]
    assert len(set(drawn.values())) == len(drawn)


@every_table
def test_turner_and_source_of_the_card_are_visible(seats):
    view = play_of(fill(new(seats), 3, 8)).view
    views = [view._replace(flipper=seat, source=source) for seat in range(seats) for source in (seat, TABLE)]
    surfaces = [centre_of(Play("companion.games.buntherum.scene", one), seats)[0].surface for one in views]
    assert len({gallery.pygame.image.tobytes(surface, "RGB") for surface in surfaces}) == len(views)


# --- Flights ----------------------------------------------------------------------------------------------


def flights(before: Play, after: Play, seats: int):
    return scene.flights(plan_of(seats), before, after, Look())


def judged(seats: int, *, right: bool, caller: int = 1) -> tuple[Play, Play, int]:
    match = call(flip(fill(new(seats), 3, 8)), caller)
    before, said = play_of(match), answer(match, right=right)
    match.push(Move(caller, "declare", (said,)))
    return before, play_of(match), said


@every_table
def test_right_card_flies_to_its_row(seats):
    before, after, said = judged(seats, right=True)
    (flight,) = flights(before, after, seats)
    board = board_in(plan_of(seats).centre)
    assert flight.start == board.card.center
    canvas, _ = centre_of(after, seats)
    row = after.view.rows[said - 1]
    ends = [item for item in canvas.placed if item.rect.collidepoint(flight.end)]
    assert [item.what for item in ends] == [after.view.box.objects[row[-1] % 8]]
    assert flight.picture.get_at((flight.picture.get_width() // 2, 1))[:3] == theme.GOOD


@every_table
def test_wrong_card_hops_and_a_chip_flies(seats):
    for caller in range(seats):
        before, after, _ = judged(seats, right=False, caller=caller)
        card, chip = flights(before, after, seats)
        board = board_in(plan_of(seats).centre)
        assert card.start == card.end == board.middle
        assert card.lift_px
        # It covers the card that it shows.
        assert card.picture.get_rect(center=card.end).contains(board.card)
        assert card.picture.get_at((card.picture.get_width() // 2, 1))[:3] == theme.CHIP
        landed = chip.picture.get_rect(center=chip.end)
        assert plan_of(seats).centre.contains(landed)
        assert landed.inflate(4, 4).colliderect(plan_of(seats).strips[caller].rect)


def test_card_without_a_row_flies_to_the_pile():
    match = call(show_bh.unread(3), 1, IMPOSSIBLE)
    before = play_of(match)
    match.push(Move(TABLE, "judge", (1,)))
    (flight,) = flights(before, play_of(match), 3)
    assert flight.end == board_in(plan_of(3).centre).pile.center


def test_third_chip_flies_too():
    match = gallery.be_wrong(new(4), 2, 2)
    call(flip(match), 2)
    before = play_of(match)
    match.push(Move(2, "declare", (answer(match, right=False),)))
    assert match.state.gone == (2,)
    assert len(flights(before, play_of(match), 4)) == 2


@every_table
def test_nothing_flies_when_a_card_is_turned(seats):
    """A passing piece would hide the card from somebody."""
    match = fill(new(seats), 3, 8)
    ready = play_of(match)
    opened = play_of(flip(match))
    locked = play_of(call(match, 0))
    assert not flights(ready, opened, seats)
    assert not flights(opened, locked, seats)
    assert not flights(locked, opened, seats)  # undone
    assert not flights(ready, ready, seats)


def test_undoing_a_verdict_moves_nothing():
    for right in (True, False):
        before, after, _ = judged(4, right=right)
        assert not flights(after, before, 4)
        assert not flights(after, play_of(fill(new(4), 3, 8)), 4)


def test_starters_fly_from_the_stack_in_turn():
    before = play_of(new(5, laid=False))
    found = flights(before, play_of(new(5)), 5)
    assert len(found) == SIDES
    assert [flight.begins for flight in found] == sorted({flight.begins for flight in found})
    assert max(flight.begins for flight in found) < 1


def test_tie_moves_nothing():
    match = flip(new(3))
    before = play_of(match)
    match.push(Move(TABLE, "tie", (0, 1)))
    assert not flights(before, play_of(match), 3)


# --- No hint ----------------------------------------------------------------------------------------------


def test_fitting_rows_look_like_other_rows():
    """Outside the card, all pictures are the same."""
    match = flip(fill(new(4), 3, 8))
    draws = [move.args[0] for move in match.game.rules.draws(fill(new(4), 3, 8).state)]
    play = play_of(match)
    board = board_in(plan_of(4).centre)
    pictures = []
    for card in draws:
        surface = centre_of(play._replace(view=play.view._replace(card=card)), 4)[0].surface.copy()
        surface.fill(theme.LINE, board.card)
        pictures.append(gallery.pygame.image.tobytes(surface, "RGB"))
    assert len({tuple(fitting(match, card)) for card in draws}) > 5
    assert len(set(pictures)) == 1

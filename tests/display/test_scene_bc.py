"""Büro Crazy's scene in many random positions."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pygame
import pytest
from pygame import Rect

from companion.core.move import TABLE, Move, SecretMove
from companion.display import screens, theme
from companion.display.canvas import Canvas
from companion.display.frame import Frame, HousePlace, Look, Play, Side
from companion.display.geometry import ScreenGeometry
from companion.display.layout import layout
from companion.games.buro_crazy import rules, scene_pieces
from companion.games.buro_crazy.game import GAME
from companion.games.buro_crazy.rules import NOBODY, Phase, Rulings, State, building, components, end
from companion.games.buro_crazy.rules.building import BOSS
from companion.games.buro_crazy.scene_plan import plan_of
from companion.match.new_match import NAMES, new_match
from tests.display import gallery, laws
from tests.display.bc_positions import BOX, every_table, every_tracking, frame_of, pixels, played, positions
from tests.display.gallery import every_size


@every_tracking
@every_table
def test_every_picture_obeys_the_laws(seats, tracking):
    faults = laws.faults_by_turns(((state.phase, frame_of(state)) for state in positions(seats, tracking)), seats)
    assert not faults, "\n".join(faults)


@every_size
@every_table
def test_parts_of_the_building_do_not_overlap(seats, size):
    for turn in range(2):
        whole = layout(size, seats, ScreenGeometry(turn=turn))
        room = Rect((0, 0), whole.centre.size if turn == 0 else whole.centre.size[::-1])
        plan = plan_of(room, whole.cap_px)
        rooms = {number: place.rect for number, place in plan.places.items()}
        parts = [plan.roof, *rooms.values(), plan.kitchen, plan.stock, *plan.sides]
        assert len(rooms) == 16
        assert all(room.contains(part) and min(part.size) > 0 for part in parts)
        assert not any(one.colliderect(other) for one, other in combinations(parts, 2))
        # The winner goes up, so the next place is above the two below it.
        for place in range(14):
            above = rooms[BOSS if place == 14 else (building.STAIRS + place) // 2]
            assert above.bottom <= rooms[place].top
        for place in plan.places.values():
            inside = [*place.spots, *filter(None, [place.label])]
            assert all(place.rect.contains(part) for part in inside)
            assert not any(one.colliderect(other) for one, other in combinations(inside, 2))


# --- All that is public -----------------------------------------------------------------------------------


def texts_in_the_centre(state: State, size: tuple[int, int], turn: int = 0) -> list[str]:
    room = layout(size, state.terms.seats, ScreenGeometry(turn=turn)).centre
    placed = gallery.placed(frame_of(state), size, turn)
    return [item.what for item in placed if item.cap_px and room.contains(item.rect)]


def expected(state: State) -> Counter[str]:
    """Return the expected texts of the centre, except names of rooms."""
    view = rules.view(state, None)
    texts: list[object] = [view.kitchen_points, view.stock_points, *_cards(view, view.kitchen)]
    texts += [view.roof_cards] if view.roof_counted else []
    bids = [card for bid in view.last.bids for card in _cards(view, bid)] if view.last else []
    if view.phase == Phase.SETUP:
        texts.append(f"×{components.figures_each(BOX, view.seats)}")
    elif view.phase in {Phase.ROOF, Phase.OVER}:
        texts += [view.pile_size] * BOX.piles if view.pile_size and not view.outcome else ()
        texts += view.points
        texts += (*view.last.totals, *bids) if view.last else ()
        texts += _places(view)
    elif view.last and not view.locked:
        texts += (*view.last.totals, *bids, *_effects(view))
    else:
        ties = view.attempt - 1
        texts += [ties] * (ties > 0)
        texts += [f"{view.zeros}/{view.rulings.zero_tie_limit}"] * (view.zeros > 0)
    return Counter(map(str, texts))


def _places(view: rules.View) -> list[object]:
    ranking = view.outcome.ranking if view.outcome else ()
    return [f"{sum(map(len, ranking[:place])) + 1}." for place, tied in enumerate(ranking) for _ in tied]


def _effects(view: rules.View) -> list[object]:
    """Return the texts of a reveal's effects, or the number of ties."""
    last = view.last
    decided = last.winner != NOBODY
    cards = len(view.values) > 1
    gained = [decided and last.gain > 0 and seat != last.winner for seat in last.seats]
    losses = [loss for loss, also in zip(last.losses, gained, strict=True) if loss and not (also and cards)]
    texts: list[object] = [f"\N{MINUS SIGN}{loss}" for loss in losses]
    if any(gained):
        texts += [f"+{last.gain}", *_cards(view, last.paid)]
    if not decided and view.phase != Phase.COIN:
        texts += [view.attempt - 1] * 2
    if view.zeros and not last.losses[1] and not gained[1]:
        texts.append(f"{view.zeros}/{view.rulings.zero_tie_limit}")
    return texts


def _cards(view: rules.View, cards: tuple[int, ...]) -> list[object]:
    if len(view.values) == 1:
        return []
    counts = [f"×{count}" for count in cards if count > 1]
    return [*counts, *(value for value, count in zip(view.values, cards, strict=True) if count)]


@every_tracking
@every_table
def test_centre_shows_exactly_the_public_numbers(seats, tracking):
    for state, (size, turn) in laws.in_turn(positions(seats, tracking), seats):
        found = [text for text in texts_in_the_centre(state, size, turn) if text not in {*building.PAIRS, "B"}]
        assert Counter(found) == expected(state), state


@every_size
@every_table
def test_every_room_has_its_name(seats, size):
    state = positions(seats, "points")[0]
    assert set(texts_in_the_centre(state, size)) >= {*building.PAIRS, "B"}


@every_size
def test_names_mark_the_duel_and_its_destination(size):
    state = next(state for state in played(4, 1, "cards") if state.step == 2 and not any(state.bids))
    rooms = Counter([*building.PAIRS, "B"])
    # P2 is over: the loser is still there, the winner is in G1.
    assert Counter(texts_in_the_centre(state, size)) & Counter(3 * [*rooms]) == rooms + Counter(["P2", "G1"])
    locked = rules.apply(state, SecretMove(state.duel[0], "commit", (0,) * 5))
    assert Counter(texts_in_the_centre(locked, size)) & Counter(3 * [*rooms]) == rooms + Counter(["P3", "G2"])


def _changed(state: State) -> Iterator[tuple[str, State]]:
    board, last = state.board, state.last
    swapped = (board[1], board[0], *board[2:])
    yield "board", state._replace(board=swapped)
    yield "figure", state._replace(board=(*board[:16], (board[16] + 1) % 4, *board[17:]))
    yield "colours", state._replace(colours=(state.colours[1], state.colours[0], *state.colours[2:]))
    yield "pair", state._replace(step=state.step + 1)
    yield "kitchen", state._replace(kitchen=(state.kitchen[0] + 1, *state.kitchen[1:]))
    yield "stock", state._replace(stock=(state.stock[0] + 1, *state.stock[1:]))
    yield "roof", state._replace(roof=(state.roof[0] + 1, *state.roof[1:]))
    yield "left", state._replace(bids=((0,) * 5, None))
    yield "right", state._replace(bids=(None, (0,) * 5))
    for name, other in (
        ("last pair", {"pair": "P8"}),
        ("last seats", {"seats": last.seats[::-1]}),
        ("bids", {"bids": ((0, 0, 1, 2, 3), last.bids[1])}),
        ("totals", {"totals": (last.totals[0], 99)}),
        ("winner", {"winner": last.seats[0] if last.winner != last.seats[0] else last.seats[1]}),
        ("tie", {"winner": NOBODY}),
        ("losses", {"losses": (7, 8)}),
        ("gain", {"gain": last.gain + 1}),
        ("paid", {"paid": (last.paid[0] + 1, *last.paid[1:])}),
    ):
        yield name, state._replace(last=last._replace(**other))


def test_every_public_change_alters_the_picture():
    states = (state for state in played(4, 1, "cards") if state.step > 1 and not any(state.bids))
    state = next(state for state in states if state.last.gain and state.attempt == 1)
    drawn = {name: pixels(other) for name, other in _changed(state)}
    assert pixels(state) not in drawn.values(), [name for name, other in drawn.items() if other == pixels(state)]
    assert len(set(drawn.values())) == len(drawn)


def test_number_of_ties_is_visible():
    states = [state for state in played(4, 0, "cards") if state.phase == Phase.BID and state.zeros]
    tied = next(state for state in states if not any(state.bids))
    more = [tied._replace(attempt=9), tied._replace(zeros=2)]
    locked = [state._replace(bids=((0,) * 5, None)) for state in (tied, *more)]
    assert len({pixels(state) for state in (tied, *more, *locked)}) == 6


def test_coin_and_its_winner_are_visible():
    state = next(state for state in played(4, 0, "cards") if state.phase == Phase.COIN)
    fallen = [rules.apply(state, Move(TABLE, "coin", (seat,))) for seat in state.duel]
    assert len({pixels(state), *map(pixels, fallen)}) == 3


def pixels_of(state: State, colour: tuple[int, int, int]) -> int:
    surface = gallery.drawn(frame_of(state), (800, 480)).surface
    return sum(surface.get_at((x, y))[:3] == colour for x in range(85, 320) for y in range(85, 225))


def test_uncounted_roof_has_no_number():
    roof = next(state for state in played(4, 1, "points") if state.phase == Phase.ROOF)
    assert not rules.view(roof, None).roof_counted
    few, many = (rules.apply(roof, Move(TABLE, "counted", (n,))) for n in (8, 18))
    for state in (roof, few, many):
        found = [text for text in texts_in_the_centre(state, (800, 480)) if text not in {*building.PAIRS, "B"}]
        assert Counter(found) == expected(state)
    back = scene_pieces.BACK
    backs = [pixels_of(state, back) for state in (roof, few, many)]
    assert backs[1] < backs[0] < backs[2]


def test_reports_and_dealt_piles_are_visible():
    roof = next(state for state in played(4, 1, "cards") if state.phase == Phase.ROOF)
    least = [rules.view(roof, seat).reportable[0] for seat in range(4)]
    reported = [rules.apply(roof, SecretMove(seat, "report", (least[seat],))) for seat in range(4)]
    each = end.pile_size(roof)
    assert each > 1
    dealt = roof
    for _ in range(each):
        dealt = rules.apply(dealt, rules.draws(dealt)[0])
    shown = {pixels(state) for state in (roof, dealt, *reported)}
    assert len(shown) == 6


# --- Colours ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "colours",
    [
        BOX.colours,
        ("black", "white", "brown", "grey", "red"),
        ("brown", "sky", "pink", "teal", "orange"),
        ("sky", "purple", "pink", "green", "black"),
    ],
)
def test_every_seat_has_its_own_colour_and_mark(colours):
    box = BOX._replace(colours=colours)
    view = rules.view(rules.setup(box, Rulings(), 5), None)
    inks = scene_pieces.inks(view)
    assert len({ink for ink, _ in inks}) == len({mark for _, mark in inks}) == 5
    for name, (ink, mark) in zip(colours, inks, strict=True):
        if name in theme.INKS:
            assert (ink, mark) == (theme.INKS[name], theme.MARKS[name])


@pytest.mark.parametrize("size_px", [24, 36, 48, 120])
def test_figures_stand_out_in_every_room(size_px):
    """Each figure has a light rim and its mark."""
    view = rules.view(rules.setup(BOX, Rulings(), 5), None)
    for ink, mark in scene_pieces.inks(view):
        drawn = scene_pieces.figure_surface(ink, mark, size_px)
        row = [drawn.get_at((x_px, round(size_px * 0.86))) for x_px in range(size_px)]
        solid = [colour[:3] for colour in row if colour[3] > 200]
        assert min(*solid[0], *solid[-1]) > 200
        pixels_of_ink = sum(drawn.get_at((x, y))[:3] == ink for x in range(size_px) for y in range(size_px))
        assert pixels_of_ink > size_px * size_px / 12
        for other in theme.MARKS.values():
            alike = pygame.image.tobytes(scene_pieces.figure_surface(ink, other, size_px), "RGBA")
            assert (alike == pygame.image.tobytes(drawn, "RGBA")) == (other == mark)


# --- Secrets (BC-A26, BC-P5) ------------------------------------------------------------------------------


def _other_secrets(state: State) -> Iterator[tuple[str, State]]:
    cards, seats = state.terms.by_cards, state.terms.seats
    none = (0,) * len(state.roof)
    full = (9,) * 5 if cards else (333,)
    if state.phase != Phase.OVER:
        yield "empty hands", state._replace(hands=(none,) * seats)
        yield "full hands", state._replace(hands=tuple(full if seat % 2 else none for seat in range(seats)))
        yield (
            "reports",
            state._replace(reports=tuple(points if points is None else 1000 - points for points in state.reports)),
        )
    yield "bids", state._replace(bids=tuple(bid if bid is None else full for bid in state.bids))
    yield "no bids", state._replace(bids=tuple(bid if bid is None else none for bid in state.bids))
    other = state.roof[::-1] if cards else (state.roof[0] + 100,)
    yield "worth of the roof", state._replace(roof=other)


@every_tracking
@every_table
def test_hidden_values_do_not_change_the_picture(seats, tracking):
    for state in positions(seats, tracking):
        drawn = pixels(state)
        for name, other in _other_secrets(state):
            assert pixels(other) == drawn, (name, state)


@every_size
def test_locked_bid_looks_the_same_whatever_its_value(size):
    first = next(state for state in played(3, 3, "cards") if state.phase == Phase.BID)
    bids = ((0,) * 5, (4,) * 5, (0, 1, 0, 2, 0))
    locked = [rules.apply(first, SecretMove(first.duel[1], "commit", cards)) for cards in bids]
    assert len({pixels(state, size) for state in locked}) == 1
    assert pixels(first, size) != pixels(locked[0], size)


def test_tied_seats_have_the_same_rank():
    *_, state = played(3, 1, "cards")
    view = rules.view(state, None)
    shared = view._replace(outcome=view.outcome._replace(ranking=((1, 2), (0,))))
    frame = frame_of(state)._replace(screen=Play(GAME.scene, shared))
    texts = [item.what for item in gallery.placed(frame, (1024, 600))]
    assert [text for text in texts if text in {"0.", "1.", "2.", "3."}] == ["1.", "1.", "3."]


def test_result_fits_beside_a_refusal_in_large_text():
    match = new_match(GAME, NAMES[:4], seed="7")
    match.push(Move(TABLE, "place", (1, 0, 3, 1, 3, 2, 2, 0, 1, 3, 1, 0, 0, 2, 2, 3)))
    for seat, cards in ((1, (0, 1, 0, 0, 4)), (0, (1, 1, 1, 0, 1))):
        match.push(SecretMove(seat, "commit", cards))
    view = match.view()
    view = view._replace(last=view.last._replace(gain=54, paid=(0, 2, 0, 5, 0)))
    refused = "wrong ne veut rien dire maintenant\u202f; le meneur a\u202f: undo, pause"
    house = HousePlace("", refused=refused, hint="D\u202f: n’importe quel pavé")
    sides = tuple(Side(name, "Ben a rouvert sa mise", seat=seat) for seat, name in enumerate(match.names))
    frame = Frame(1, Play(GAME.scene, view, house=house), sides, look=Look(large_text=True))
    canvas = Canvas(pygame.Surface((800, 480), 0, 32))
    screens.draw(canvas, frame)
    words = {word for placed in canvas.placed for word in placed.what.split()}
    assert {"meneur", "P1", "+54"} <= words

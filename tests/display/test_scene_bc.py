"""Büro Crazy's scene in many random positions: readable, complete, and without a secret."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from random import Random

import gallery
import laws
import pytest
import show_bc
from pygame import Rect

from companion.core.console import Lamp
from companion.core.move import TABLE, Move, SecretMove
from companion.core.text import with_names
from companion.display import screens, theme
from companion.display.frame import Beat, Frame, Play, Side
from companion.display.layout import Glass, layout
from companion.games.buro_crazy import GAME, console, rules, scene, scene_pieces
from companion.games.buro_crazy.box import read_box
from companion.games.buro_crazy.building import BOSS
from companion.games.buro_crazy.rules import NOBODY, Phase, Rulings, State
from companion.games.buro_crazy.scene_plan import plan_of

BOX = read_box(GAME.box_text, "box.toml")

SHOWN = 4
"""So many positions of each phase are drawn: the first, the last, and some between."""

TRACKING = ("cards", "points")


def played(seats: int, seed: int, tracking: str, *, report: bool = False) -> Iterator[State]:
    """Return all positions of a random match in which many bids are tied, low or empty."""
    luck = Random(seed)
    state = rules.setup(BOX, Rulings(tracking=tracking, zero_tie_limit=2), seats)
    yield state
    while rules.to_act(state):
        state, _ = rules.apply(state, some_move(state, luck, report=report))
        yield state


def some_move(state: State, luck: Random, *, report: bool) -> Move:
    drawn = rules.draws(state)
    if drawn and not (report and state.phase == Phase.ROOF):
        return drawn[luck.randrange(len(drawn))]
    seats = [seat for seat in rules.to_act(state) if seat != TABLE or luck.random() < 0.1]
    if not seats:
        return some_move(state, luck, report=report)
    moves = rules.legal(state, luck.choice(seats))
    move = moves[luck.randrange(len(moves))]
    if move.verb not in {"commit", "total"} or luck.random() < 0.4:
        return move
    others = [bid for bid in state.bids if bid is not None]
    bid = others[0] if others else tuple(count // 3 * (luck.random() < 0.5) for count in move.args)
    same = move._replace(args=tuple(map(min, bid, state.hands[move.seat])))
    assert isinstance(same, SecretMove)
    return same


@cache
def positions(seats: int, tracking: str) -> tuple[State, ...]:
    """Return some positions of every phase, and two with all that is rare."""
    found: dict[tuple[str, bool], list[State]] = {}
    for seed in range(6):
        for state in played(seats, seed, tracking, report=seed % 2 == 0):
            found.setdefault((state.phase, any(bid is not None for bid in state.bids)), []).append(state)
    assert {phase for phase, _ in found} == set(Phase)
    shown = [
        states[place * (len(states) - 1) // (SHOWN - 1)] for states in found.values() for place in range(SHOWN)
    ]
    assert any(0 < state.reports.count(None) < seats for states in found.values() for state in states)
    return (
        *shown,
        *map(_rare, (found[Phase.BID, False][-1], found[Phase.COIN, False][0], found[Phase.OVER, False][0])),
    )


def _rare(state: State) -> State:
    """Give a position the longest numbers that there can be."""
    many, some, few = (9,) * 5, (9, 5, 4, 2, 1), (1, 2, 1, 1, 0)
    if not state.terms.cards:
        many, some, few = (342,), (80,), (20,)
    last = rules.Result(
        state.last.pair, state.last.seats, (many, many), (342, 342), state.last.seats[1], (342, 342), 20, few
    )
    return state._replace(
        last=last,
        attempt=99,
        zeros=98,
        terms=state.terms._replace(rulings=replace(state.terms.rulings, zero_tie_limit=99)),
        kitchen=some,
        stock=many,
        roof=(30,) * 5 if state.terms.cards else (900,),
        told=150,
        hands=tuple(many for _ in state.hands),
    )


def frame_of(state: State) -> Frame:
    """Return the frame of a position, as the host makes it."""
    view = rules.view(state, None)
    lamps = console.lamps(view)
    names = gallery.NAMES[: state.terms.seats]
    prompts = [str(with_names(console.prompt(rules.view(state, seat)), names)) for seat in range(len(names))]
    sides = (Side(name, prompts[seat], lamps[seat] != Lamp.OFF, seat) for seat, name in enumerate(names))
    return Frame(0, Play(GAME.name, view), tuple(sides))


def pixels(state: State, size: tuple[int, int] = (800, 480)) -> bytes:
    return gallery.pygame.image.tobytes(gallery.drawn(frame_of(state), size).surface, "RGB")


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "en")


every_tracking = pytest.mark.parametrize("tracking", TRACKING)
every_table = pytest.mark.parametrize("seats", rules.SEATS)
every_size = pytest.mark.parametrize("size", gallery.ALL_SIZES, ids=lambda size: "{}x{}".format(*size))


@every_size
@every_tracking
@every_table
def test_every_picture_obeys_the_laws(seats, tracking, size):
    faults = []
    for state in positions(seats, tracking):
        frame = frame_of(state)
        for turn in (0, 1):
            placed = gallery.drawn(frame, size, turn).placed
            faults += [f"{state.phase}: {fault}" for law in laws.LAWS for fault in law(frame, placed, size)]
    assert not faults, "\n".join(faults)


@every_size
@pytest.mark.parametrize("seats", rules.SEATS)
def test_every_moment_obeys_the_laws(moments, seats, size):
    faults = []
    for name, frame in moments[seats].items():
        for turn in (0, 1):
            placed = gallery.drawn(frame, size, turn).placed
            faults += [f"{name}: {fault}" for law in laws.LAWS for fault in law(frame, placed, size)]
    assert not faults, "\n".join(faults)


@pytest.fixture(scope="module")
def moments(tmp_path_factory):
    """Every frame of the gallery by its name, for each number of seats."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LANGUAGE", "en")
        folder = tmp_path_factory.mktemp("moments")
        return {seats: show_bc.frames(folder, seats) for seats in rules.SEATS}


@every_size
@every_table
def test_the_parts_of_the_house_stand_apart(seats, size):
    for turn in range(2):
        whole = layout(size, seats, Glass(turn=turn))
        room = Rect((0, 0), whole.centre.size if turn == 0 else whole.centre.size[::-1])
        plan = plan_of(room, whole.cap_px)
        rooms = {number: place.rect for number, place in plan.places.items()}
        parts = [plan.roof, *rooms.values(), plan.kitchen, plan.stock, *plan.sides]
        assert len(rooms) == 16
        assert all(room.contains(part) and min(part.size) > 0 for part in parts)
        assert not any(one.colliderect(other) for one, other in combinations(parts, 2))
        # Whoever wins goes up: the next place stands over the two below it.
        for place in range(14):
            above = rooms[BOSS if place == 14 else (rules.STAIRS + place) // 2]
            assert above.bottom <= rooms[place].top
        for place in plan.places.values():
            inside = [*place.spots, *filter(None, [place.label])]
            assert all(place.rect.contains(part) for part in inside)
            assert not any(one.colliderect(other) for one, other in combinations(inside, 2))


# --- All that is public -----------------------------------------------------------------------------------


def texts_in_the_centre(state: State, size: tuple[int, int]) -> list[str]:
    room = layout(size, state.terms.seats).centre
    placed = gallery.drawn(frame_of(state), size).placed
    return [item.what for item in placed if item.cap_px and room.contains(item.rect)]


def expected(state: State) -> Counter[str]:
    """Return every text of the centre that is no name of a room."""
    view = rules.view(state, None)
    texts: list[object] = [view.kitchen_points, view.stock_points, view.roof_cards, *_cards(view, view.kitchen)]
    bids = [card for bid in view.last.bids for card in _cards(view, bid)] if view.last else []
    if view.phase == Phase.SETUP:
        texts.append(f"×{rules.figures_each(BOX, view.seats)}")
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
    """Return what a reveal brought: each in its side's place, or there how many ties there were."""
    last = view.last
    assert last is not None
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


@every_size
@every_tracking
@every_table
def test_every_number_that_is_public_is_there_and_no_other(seats, tracking, size):
    for state in positions(seats, tracking):
        found = [text for text in texts_in_the_centre(state, size) if text not in {*rules.PAIRS, "B"}]
        assert Counter(found) == expected(state), state


@every_size
@every_table
def test_every_room_has_its_name(seats, size):
    state = positions(seats, "points")[0]
    assert set(texts_in_the_centre(state, size)) >= {*rules.PAIRS, "B"}


@every_size
def test_names_say_where_the_duel_is_and_where_its_figures_are_then(size):
    state = next(state for state in played(4, 1, "cards") if state.step == 2 and not any(state.bids))
    rooms = Counter([*rules.PAIRS, "B"])
    # P2 is over: the loser is still there, the winner is in G1.
    assert Counter(texts_in_the_centre(state, size)) & Counter(3 * [*rooms]) == rooms + Counter(["P2", "G1"])
    locked, _ = rules.apply(state, SecretMove(state.duel[0], "commit", (0,) * 5))
    assert Counter(texts_in_the_centre(locked, size)) & Counter(3 * [*rooms]) == rooms + Counter(["P3", "G2"])


def _changed(state: State) -> Iterator[tuple[str, State]]:
    """Return positions that differ from one in a bidding in one public thing each."""
    board, last = state.board, state.last
    assert last is not None
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


def test_every_public_thing_changes_the_picture():
    states = (state for state in played(4, 1, "cards") if state.step > 1 and not any(state.bids))
    state = next(state for state in states if state.last.gain and state.attempt == 1)
    drawn = {name: pixels(other) for name, other in _changed(state)}
    assert pixels(state) not in drawn.values(), [name for name, other in drawn.items() if other == pixels(state)]
    assert len(set(drawn.values())) == len(drawn)


def test_how_often_a_duel_was_tied_shows():
    states = [state for state in played(4, 0, "cards") if state.phase == Phase.BID and state.zeros]
    tied = next(state for state in states if not any(state.bids))
    more = [tied._replace(attempt=9), tied._replace(zeros=2)]
    locked = [state._replace(bids=((0,) * 5, None)) for state in (tied, *more)]
    assert len({pixels(state) for state in (tied, *more, *locked)}) == 6


def test_a_coin_and_who_wins_by_it_show():
    state = next(state for state in played(4, 0, "cards") if state.phase == Phase.COIN)
    fallen = [rules.apply(state, Move(TABLE, "coin", (seat,)))[0] for seat in state.duel]
    assert len({pixels(state), *map(pixels, fallen)}) == 3


def test_who_has_reported_and_how_far_the_roof_is_dealt_shows():
    roof = next(state for state in played(4, 1, "cards") if state.phase == Phase.ROOF)
    reported = [rules.apply(roof, SecretMove(seat, "report", (100,)))[0] for seat in range(4)]
    each = rules.pile_size(roof)
    assert each > 1
    dealt = roof
    for _ in range(each):
        dealt, _ = rules.apply(dealt, rules.draws(dealt)[0])
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
def test_every_seat_has_a_colour_and_a_mark_of_its_own(colours):
    box = BOX._replace(colours=colours)
    view = rules.view(rules.setup(box, Rulings(), 5), None)
    inks = scene_pieces.inks(view)
    assert len({ink for ink, _ in inks}) == len({mark for _, mark in inks}) == 5
    for name, (ink, mark) in zip(colours, inks, strict=True):
        if name in theme.INKS:
            assert (ink, mark) == (theme.INKS[name], theme.MARKS[name])


@pytest.mark.parametrize("size_px", [24, 36, 48, 120])
def test_figures_stand_out_in_every_room(size_px):
    """A light rim is round each figure, whatever its colour, and its mark is on it."""
    view = rules.view(rules.setup(BOX, Rulings(), 5), None)
    for ink, mark in scene_pieces.inks(view):
        drawn = scene_pieces.figure_surface(ink, mark, size_px)
        row = [drawn.get_at((x_px, round(size_px * 0.86))) for x_px in range(size_px)]
        solid = [colour[:3] for colour in row if colour[3] > 200]
        assert min(*solid[0], *solid[-1]) > 200
        pixels_of_ink = sum(drawn.get_at((x, y))[:3] == ink for x in range(size_px) for y in range(size_px))
        assert pixels_of_ink > size_px * size_px / 12
        others = [
            scene_pieces.figure_surface(ink, other, size_px) for other in theme.MARKS.values() if other != mark
        ]
        assert all(
            gallery.pygame.image.tobytes(one, "RGBA") != gallery.pygame.image.tobytes(drawn, "RGBA")
            for one in others
        )


# --- Secrets (BC-A26, BC-P5) ------------------------------------------------------------------------------


def _other_secrets(state: State) -> Iterator[tuple[str, State]]:
    cards, seats = state.terms.cards, state.terms.seats
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
def test_hands_bids_reports_and_the_worth_of_the_roof_are_not_drawn(seats, tracking):
    for state in positions(seats, tracking):
        drawn = pixels(state)
        for name, other in _other_secrets(state):
            assert pixels(other) == drawn, (name, state)


@every_size
def test_a_locked_bid_looks_the_same_whatever_it_is(size):
    first = next(state for state in played(3, 3, "cards") if state.phase == Phase.BID)
    bids = ((0,) * 5, (4,) * 5, (0, 1, 0, 2, 0))
    locked = [rules.apply(first, SecretMove(first.duel[1], "commit", cards))[0] for cards in bids]
    assert len({pixels(state, size) for state in locked}) == 1
    assert pixels(first, size) != pixels(locked[0], size)


def test_those_who_share_a_place_have_the_same_number():
    *_, state = played(3, 1, "cards")
    view = rules.view(state, None)
    assert view.outcome
    shared = view._replace(outcome=view.outcome._replace(ranking=((1, 2), (0,))))
    frame = frame_of(state)._replace(screen=Play(GAME.name, shared))
    texts = [item.what for item in gallery.drawn(frame, (1024, 600)).placed]
    assert [text for text in texts if text in {"0.", "1.", "2.", "3."}] == ["1.", "1.", "3."]


# --- The beats of a reveal, and what moves ----------------------------------------------------------------

BIDS = (((0, 2, 1, 0, 1), (1, 0, 0, 0, 0)), ((1, 0, 0, 0, 0), (0, 2, 1, 0, 1)), ((1, 1, 0, 0, 0), (1, 1, 0, 0, 0)))
"""The left one wins, the right one, neither."""


def revealed(seats: int, bids: tuple[tuple[int, ...], ...]) -> tuple[Frame, Frame]:
    """Return the frames before a first duel and after its reveal."""
    state = next(state for state in played(seats, 1, "cards") if state.phase == Phase.BID)
    states = [state]
    for seat, cards in zip(state.duel, bids, strict=True):
        states.append(rules.apply(states[-1], SecretMove(seat, "commit", cards))[0])
    return frame_of(states[1]), frame_of(states[2])


def at(frame: Frame, beat: Beat, before: Frame | None = None) -> Frame:
    """Return a frame at a beat, with the view of the one before."""
    return frame._replace(screen=frame.screen._replace(beat=beat, before=before and before.screen.view))


def centre_pixels(frame: Frame, size: tuple[int, int] = (800, 480)) -> bytes:
    whole = gallery.drawn(frame, size).surface
    part = whole.subsurface(screens.plan_of(size, frame, Glass()).centre)
    return gallery.pygame.image.tobytes(part, "RGB")


def pictures(frame: Frame, name: str, size: tuple[int, int] = (800, 480), turn: int = 0) -> list[Rect]:
    """Return where a drawing is in the centre."""
    room = screens.plan_of(size, frame, Glass(turn=turn)).centre
    placed = gallery.drawn(frame, size, turn).placed
    return [item.rect for item in placed if item.what == name and room.contains(item.rect)]


def test_the_drum_shows_two_closed_padlocks_whatever_was_bid():
    drums = [at(revealed(4, bids)[0], Beat.DRUM) for bids in BIDS]
    assert len({centre_pixels(frame) for frame in drums}) == 1
    assert len(pictures(drums[0], "padlock_closed")) == 2
    assert not pictures(drums[0], "padlock_open")


@every_size
@pytest.mark.parametrize("bids", BIDS)
def test_a_reveal_shows_both_bids_and_nothing_that_follows(bids, size):
    before, after = revealed(4, bids)
    shown = at(after, Beat.REVEALED, before)
    room = layout(size, 4).centre
    texts = [item.what for item in gallery.drawn(shown, size).placed if item.cap_px and room.contains(item.rect)]
    last = after.screen.view.last
    assert all(str(total) in texts for total in last.totals)
    assert not [text for text in texts if text[0] in "+\N{MINUS SIGN}"]
    assert not any(pictures(shown, name, size) for name in ("roof", "equal", "arrow", "padlock_closed"))
    # Who wins and what it costs changes nothing yet, and the house stands as it stood.
    other = last._replace(winner=last.seats[1], losses=(5, 5), gain=7, paid=(0, 1, 1, 0, 0))
    changed = shown._replace(screen=shown.screen._replace(view=after.screen.view._replace(last=other)))
    assert centre_pixels(changed, size) == centre_pixels(shown, size)
    house = [pictures(frame, "figure", size)[:-2] for frame in (before, shown)]
    assert house[0] == house[1]


def flights(before: Frame, after: Frame, size: tuple[int, int], turn: int):
    plan = screens.plan_of(size, after, Glass(turn=turn))
    return plan, scene.flights(plan, before.screen, after.screen)


@every_size
@pytest.mark.parametrize("turn", range(4))
def test_padlocks_tremble_where_they_are(size, turn):
    before, _ = revealed(4, BIDS[0])
    drum = at(before, Beat.DRUM)
    _, found = flights(before, drum, size, turn)
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
def test_the_winner_climbs_from_where_it_stood_to_where_it_stands(side, size, turn):
    before, after = revealed(4, BIDS[side])
    shown = at(after, Beat.REVEALED, before)
    plan, found = flights(shown, after, size, turn)
    climbing = found[0]
    old, new = (pictures(frame, "figure", size, turn) for frame in (shown, after))
    assert any(near(climbing.start, place) for place in old)
    assert any(near(climbing.end, place) for place in new)
    assert not any(near(climbing.end, place) for place in old)
    assert len(found) <= 10
    assert all(plan.centre.collidepoint(flight.start) and plan.centre.collidepoint(flight.end) for flight in found)


def near(point: tuple[int, int], place: Rect) -> bool:
    return max(abs(point[0] - place.centerx), abs(point[1] - place.centery)) <= 1


def test_cards_fly_to_the_roof_and_from_the_kitchen():
    before, after = revealed(4, BIDS[0])
    _, found = flights(at(after, Beat.REVEALED, before), after, (800, 480), 0)
    last = after.screen.view.last
    assert len(found) == 1 + 3 + sum(count > 0 for count in last.paid)
    before, after = revealed(4, BIDS[2])
    _, found = flights(at(after, Beat.REVEALED, before), after, (800, 480), 0)
    assert len(found) == 2 * 2


@every_tracking
@every_table
def test_pieces_move_only_forwards_and_never_before_the_effects(seats, tracking):
    states = list(played(seats, 1, tracking))
    frames = [frame_of(state) for state in states]
    for before, after in pairwise(frames):
        plan, found = flights(before, after, (800, 480), 0)
        assert len(found) <= 10
        assert all(plan.centre.collidepoint(flight.end) for flight in found)
        assert not scene.flights(plan, after.screen, before.screen)
        assert not scene.flights(plan, before.screen, at(after, Beat.REVEALED, before).screen)
        moved = before.screen.view.board != after.screen.view.board
        assert bool(found) >= moved


def test_figures_come_onto_the_stairs():
    states = played(5, 1, "cards")
    before = next(states)
    after = next(state for state in states if state.phase == Phase.BID)
    _, found = flights(frame_of(before), frame_of(after), (800, 480), 0)
    assert len(found) == 8


def test_the_house_is_upright_for_the_bottom_of_the_table():
    before, after = revealed(4, BIDS[0])
    for frame in (before, after):
        for name in ("figure", "coffee"):
            upright, turned = pictures(frame, name, (720, 1280)), pictures(frame, name, (1280, 720), 1)
            assert [Rect(at.top, 720 - at.right, *at.size) for at in upright] == turned

"""Büro Crazy's scene in many random positions: readable, complete, and without a secret."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations
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
from companion.games.buro_crazy.building import BOSS, EMPTY
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
            inside = [*place.spots, *filter(None, (place.label, place.desk))]
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


def test_offices_have_their_names_on_every_display_and_stairs_where_there_is_room():
    for seats, size in ((3, (800, 480)), (5, (720, 1280)), (5, (800, 480))):
        state = positions(seats, "points")[0]
        found = set(texts_in_the_centre(state, size))
        assert found >= {*rules.PAIRS[8:], "B"}
        assert (found >= set(rules.PAIRS)) == (seats == 3 or size[0] < size[1])


def test_names_say_where_the_duel_is_and_where_its_figures_are_then():
    state = next(state for state in played(4, 1, "cards") if state.step == 2 and not any(state.bids))
    loser, winner = ("P2", "G1")
    rooms = Counter([*rules.PAIRS, "B"])
    assert Counter(texts_in_the_centre(state, (720, 1280))) & Counter({loser: 9, winner: 9}) == {
        loser: 2,
        winner: 2,
    }
    locked, _ = rules.apply(state, SecretMove(state.duel[0], "commit", (0,) * 5))
    shown = Counter(texts_in_the_centre(locked, (720, 1280)))
    assert [name for name in rooms if shown[name] > rooms[name]] == ["P3", "G2"]


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


@pytest.mark.parametrize("seats", rules.SEATS)
def test_figures_stand_out_in_every_room(seats):
    """A light rim is round each figure, whatever its colour."""
    state = rules.setup(BOX, Rulings(), seats)
    canvas = gallery.Canvas(gallery.pygame.Surface((60, 60), 0, 32))
    for seat in range(seats):
        canvas.fill(theme.PANEL)
        scene_pieces.figure(canvas, Rect(10, 10, 34, 41), rules.view(state, None), seat)
        row = [canvas.surface.get_at((x, 40))[:3] for x in range(10, 44)]
        assert row.count(theme.PAPER) >= 4
        assert row[4] == scene_pieces.inks(rules.view(state, None))[seat][0]


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

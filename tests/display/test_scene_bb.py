"""Böse Buben's scene in many random positions."""

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from itertools import cycle, pairwise
from typing import Any

import pytest
from pygame import Rect, Surface

from companion.display.canvas import Canvas
from companion.display.frame import Frame
from companion.display.geometry import ScreenGeometry
from companion.display.layout import Layout, layout
from companion.display.motion import Flight
from companion.games.boese_buben import rules, scene_cards
from companion.games.boese_buben.box import BoeseBubenBox
from companion.games.boese_buben.game import GAME
from companion.games.boese_buben.rules import NOBODY, Phase, Rulings, State, View
from companion.games.boese_buben.rules.cards import CARDS, hand_of, indexes_of, value
from companion.games.boese_buben.scene_flights import THIRD
from companion.games.boese_buben.scene_lanes import just_scored
from tests.display import gallery, laws

BOX = BoeseBubenBox.read(GAME.box_text, "box.toml")
played = partial(gallery.played, GAME)

VARIANTS = {Phase.ACTION: "action", Phase.MC: "action"}

SHOWN = 3
"""Number of positions per phase."""


@cache
def positions(seats: int, variant: str) -> tuple[State, ...]:
    """Return positions of every phase, and some with full strips."""
    found: dict[Phase, list[State]] = {}
    for seed in range(12):
        for state in played(seats, seed, variant=variant):
            found.setdefault(state.phase, []).append(state)
    assert found.keys() == {phase for phase in Phase if VARIANTS.get(phase, variant) == variant}
    shown = gallery.spread(found.values(), SHOWN)
    rare = [_rare(found[phase][-1], seat) for phase in (Phase.BRIBERY, Phase.OVER) for seat in range(seats)]
    return (*shown, *rare)


def _rare(state: State, seat: int) -> State:
    """Fill a seat's strip."""
    over = state.phase == Phase.OVER
    mc = tuple((3 + over) * (seat == other) for other in range(state.terms.seats))
    purses = tuple(40 if seat == other else purse for other, purse in enumerate(state.books.purses))
    books = state.books._replace(mc=mc, purses=purses)
    return state._replace(books=books._replace(unpaid=(seat,)) if over else books._replace(free=seat))


def frame_of(state: State) -> Frame:
    return gallery.frame_of(GAME, partial(rules.view, state), state.terms.seats)


def pixels(state: State, size: tuple[int, int] = (800, 480)) -> int:
    return gallery.pixels(frame_of(state), size)


every_game = pytest.mark.parametrize("variant", ["basic", "action"])
every_table = pytest.mark.parametrize("seats", rules.SEATS)


@every_game
@every_table
def test_every_picture_obeys_the_laws(seats, variant):
    faults = laws.faults_by_turns(((state.phase, frame_of(state)) for state in positions(seats, variant)), seats)
    assert not faults, "\n".join(faults)


def in_the_centre(state: State, size: tuple[int, int], turn: int = 0) -> Counter[str]:
    room = layout(size, state.terms.seats, ScreenGeometry(turn=turn)).centre
    placed = gallery.placed(frame_of(state), size, turn)
    return Counter(item.what for item in placed if room.contains(item.rect))


def numbers_in_the_centre(state: State, size: tuple[int, int], turn: int = 0) -> Counter[str]:
    return Counter(what for what in in_the_centre(state, size, turn).elements() if what.isdecimal())


def prizes(view: View) -> int:
    """Return the number of lanes that show a prize."""
    unpaid = sum(result.winner == NOBODY for result in view.results)
    return len(view.tracks) - (unpaid if just_scored(view) else 0)


@every_game
@every_table
def test_centre_shows_exactly_the_public_numbers(seats, variant):
    for state, (size, turn) in laws.in_turn(positions(seats, variant), seats):
        view = rules.view(state, None)
        lanes = range(1, seats + 2 if view.phase != Phase.OVER else 1)  # hands lie there at the end
        shown = [value(card) for cards in (*view.tracks, *view.zones, *view.hands) for card in cards]
        shown += [*lanes, view.out] + [view.race] * (view.race > 0)
        if variant == "action":
            shown += range(1, BOX.track_limit + 1)
        if view.phase in {Phase.ACTION, Phase.MC}:
            shown.append(value(view.last))
        if view.phase == Phase.BRIBERY:
            shown += [value(view.card), view.price]
        shown += [BOX.lane_prize] * prizes(view)
        shown += view.purses
        assert numbers_in_the_centre(state, size, turn) == Counter(map(str, shown)), state


# --- Secrets (BB-R3) --------------------------------------------------------------------------------------


@every_game
@every_table
def test_hidden_values_do_not_change_the_picture(seats, variant):
    for state in positions(seats, variant):
        if state.phase == Phase.OVER:
            continue
        books = state.books
        poor = state._replace(books=books._replace(purses=(0,) * seats, bank=BOX.ducats))
        rich = state._replace(books=books._replace(purses=tuple(range(10, 10 + seats))))
        other = tuple(hand_of(CARDS - 1 - index for index in indexes_of(hand)) for hand in state.hands)
        drawn = pixels(state)
        for secret in (poor, rich, state._replace(hands=other)):
            assert pixels(secret) == drawn, state


# --- Everything else shows --------------------------------------------------------------------------------


def _changed(state: State) -> Iterator[tuple[str, State]]:
    books, tracks, zones = state.books, state.tracks, state.zones
    lane = next(number for number, track in enumerate(tracks) if len(track) > 1)
    for name, books_with in (
        ("race", {"race": books.race % 4 + 1}),
        ("starter", {"starter": (books.starter + 1) % 3}),
        ("mc", {"mc": tuple(count + 1 for count in books.mc)}),
        ("free", {"free": 1}),
        ("out", {"out": (*books.out, 3)}),
        (
            "winner",
            {"results": (books.results[0]._replace(winner=(books.results[0].winner + 1) % 3), *books.results[1:])},
        ),
        ("nobody", {"results": (books.results[0]._replace(winner=NOBODY), *books.results[1:])}),
    ):
        yield name, state._replace(books=books._replace(**books_with))
    turned = (*tracks[:lane], tracks[lane][::-1], *tracks[lane + 1 :])
    yield "order", state._replace(tracks=turned)
    copies = tuple(tuple(card + 6 if 0 < card % CARDS < 6 else card for card in track) for track in tracks)
    yield "copy", state._replace(tracks=copies)
    owners = tuple(tuple((card + CARDS) % (3 * CARDS) for card in track) for track in tracks)
    yield "owner", state._replace(tracks=owners)
    lane = next(number for number, zone in enumerate(zones) if zone and number + 1 != state.asked[0])
    yield "zones", state._replace(zones=(*zones[:lane], zones[lane][1:], *zones[lane + 1 :]))
    yield "hands", state._replace(hands=tuple(hand & hand - 1 for hand in state.hands))


@every_game
def test_every_public_change_alters_the_picture(variant):
    *_, state = (state for state in played(3, 1, variant=variant) if state.phase == Phase.BRIBERY)
    drawn = {name: pixels(other) for name, other in _changed(state)}
    if variant == "basic":  # players see both copies of a value as one card
        assert drawn.pop("copy") == pixels(state)
    assert pixels(state) not in drawn.values(), [name for name, other in drawn.items() if other == pixels(state)]


@every_game
def test_requested_card_and_last_card_are_marked(variant):
    states = list(played(3, 1, variant=variant))
    asked = next(state for state in states if state.phase == Phase.BRIBERY)
    assert pixels(asked) != pixels(asked._replace(asked=(0, 0)))
    turn = next(state for state in states if state.phase == Phase.TURN and state.last >= 0)
    assert pixels(turn) != pixels(turn._replace(last=-1))


@every_game
@every_table
def test_goblins_ducats_and_hats_are_counted(seats, variant):
    """One ducat for each goblin and lane, goblins for seats concerned, hats left to win."""
    for state, (size, turn) in laws.in_turn(positions(seats, variant), seats):
        view, shown = rules.view(state, None), in_the_centre(state, size, turn)
        cards = [card for lane in (*view.tracks, *view.zones) for card in lane]
        if view.phase in {Phase.ACTION, Phase.MC}:
            cards.append(view.last)
        if view.phase == Phase.BRIBERY:
            cards.append(view.card)
        assert shown["ducat"] == sum(BOX.goblins[card % CARDS] for card in cards) + len(view.tracks), state
        winners = sum(result.winner != NOBODY for result in view.results)
        asked = {Phase.SETUP: seats, Phase.OVER: 2 * seats}.get(view.phase, 1)
        assert shown["goblin"] == winners + asked + (view.starter != NOBODY), state
        racing = view.phase not in {Phase.BRIBERY, Phase.OVER}
        assert shown["hat"] == racing * sum(len(zone) < BOX.penalty_limit for zone in view.zones), state


@every_game
@every_table
def test_each_strip_shows_hats_and_the_free_buyback(seats, variant):
    for state, (size, turn) in laws.in_turn(positions(seats, variant), seats):
        placed = gallery.placed(frame_of(state), size, turn)
        for seat, (rect, _) in enumerate(layout(size, seats, ScreenGeometry(turn=turn)).strips):
            mine = Counter(item.what for item in placed if rect.contains(item.rect))
            assert mine["hat"] == state.books.mc[seat]
            assert mine["ducat"] == (state.phase == Phase.OVER)
            if state.phase == Phase.OVER:
                assert mine[str(state.books.purses[seat])] == 1
            assert mine["present"] == (state.books.free == seat)


@every_game
def test_unpaid_ducats_are_crossed_out_at_the_end(variant):
    over = next(state for state in positions(3, variant) if state.phase == Phase.OVER)
    paid, unpaid = (over._replace(books=over.books._replace(unpaid=seats)) for seats in ((), (1,)))
    without, crossed = (_strips(state) for state in (paid, unpaid))
    assert [one == other for one, other in zip(without, crossed, strict=True)] == [True, False, True]


def _strips(state: State) -> list[bytes]:
    surface = gallery.drawn(frame_of(state), (800, 480)).surface
    parts = [surface.subsurface(strip.rect) for strip in layout((800, 480), 3).strips]
    return [gallery.pygame.image.tobytes(part, "RGB") for part in parts]


def test_marks_identify_owners_without_colours(monkeypatch):
    monkeypatch.setattr(scene_cards, "ink_of", lambda seat: (128, 128, 128))
    scene_cards.card_picture.cache_clear()
    scene_cards.goblin_tile.cache_clear()
    for draw in (_card_of, _goblin_of, _back_of):
        assert len({draw(seat) for seat in range(4)}) == 4
    scene_cards.card_picture.cache_clear()
    scene_cards.goblin_tile.cache_clear()


def _pixels_of(canvas: Canvas) -> bytes:
    return gallery.pygame.image.tobytes(canvas.surface, "RGBA")


def _card_of(seat: int) -> bytes:
    face = scene_cards.Face(seat, 3, 2, scene_cards.RIDER, False)
    return _pixels_of(scene_cards.card_picture((60, 54), face, scene_cards.CardLook.PLAIN, compact=False))


def _goblin_of(seat: int) -> bytes:
    return _pixels_of(scene_cards.goblin_tile(60, seat, small=False))


def _back_of(seat: int) -> bytes:
    canvas = Canvas(gallery.pygame.Surface((40, 50)))
    scene_cards.back(canvas, canvas.rect.inflate(-8, -8), seat)
    return _pixels_of(canvas)


# --- Flights ----------------------------------------------------------------------------------------------


def flown(before: State, after: State, *glass: Any) -> tuple[Layout, list[Flight]]:
    return gallery.flown(frame_of(before), frame_of(after), *glass)


def heart(surface: Surface, middle: tuple[int, int], size: tuple[int, int]) -> bytes:
    """Return the pixels around a point, without rim and mud."""
    inner = Rect(0, 0, size[0] // 2, size[1] // 2)
    inner.center = middle
    return gallery.pygame.image.tobytes(surface.subsurface(inner), "RGB")


WAYS = (((800, 480), 0), ((720, 1280), 0), ((720, 1280), 1), ((800, 480), 2), ((720, 1280), 3))


@every_game
@every_table
def test_cards_fly_between_their_old_and_new_places(seats, variant):
    """Each looks like the new picture at its end; played cards start at their seats."""
    checked = 0
    moves = pairwise(list(played(seats, 3, variant=variant))[:16])
    for (before, after), (size, turn) in zip(moves, cycle(WAYS), strict=False):
        racing = {Phase.TURN, Phase.ACTION}
        if before.phase != Phase.TURN or after.phase not in racing or after.books.race > before.books.race:
            continue
        plan, flights = flown(before, after, size, turn)
        surface = gallery.drawn(frame_of(after), size, turn).surface
        assert plan.strips[before.mover].rect.inflate(2, 2).collidepoint(flights[0].start)
        fallen = sum(map(len, after.zones)) > sum(map(len, before.zones))
        assert len(flights) == 1 + fallen * BOX.track_limit
        for flight in flights:
            looks = flight.picture.get_rect()
            assert heart(surface, flight.end, looks.size) == heart(
                _on_paper(flight.picture), looks.center, looks.size
            )
            checked += 1
    assert checked > 5


def _on_paper(picture: Surface) -> Surface:
    paper = Surface(picture.get_size(), 0, 32)
    paper.blit(picture, (0, 0))
    return paper


@every_game
@every_table
def test_ducats_fly_from_lanes_to_their_winners(seats, variant):
    states = [state for seed in range(3) for state in played(seats, seed, variant=variant)]
    scored = 0
    for before, after in pairwise(states):
        plan, flights = flown(before, after)
        if before.phase == Phase.TURN and after.phase == Phase.BRIBERY:
            winners = Counter(result.winner for result in after.books.results if result.winner != NOBODY)
            landed = Counter(flight.end for flight in flights if flight.begins == THIRD)
            assert sorted(landed.values()) == sorted(winners.values())
            assert all(
                plan.strips[seat].rect.inflate(2, 2).collidelist([Rect(end, (1, 1)) for end in landed]) >= 0
                for seat in winners
            )
            scored += 1
    assert scored


def test_nothing_flies_between_two_matches():
    state = next(state for state in played(3, 1) if state.phase == Phase.BRIBERY)
    other = next(state for state in played(3, 1, monochrome_lane="any") if state.phase == Phase.TURN)
    assert flown(state, other)[1] == []


@pytest.mark.parametrize("giver", [1, NOBODY])
def test_top_hat_flies_to_its_new_owner(giver):
    turn = next(state for state in played(3, 1) if state.phase == Phase.TURN)
    before, after = (_with_hat(turn, seat) for seat in (giver, 2))
    plan, [hat] = flown(before, after)
    start = plan.centre.inflate(-100, -100) if giver == NOBODY else plan.strips[giver].rect.inflate(2, 2)
    assert start.collidepoint(hat.start)
    assert plan.strips[2].rect.inflate(2, 2).collidepoint(hat.end)
    other = after._replace(terms=after.terms._replace(box=BOX._replace(lane_prize=BOX.lane_prize + 1)))
    assert flown(before, other)[1] == [], "nothing flies into a match with another box"


def _with_hat(state: State, seat: int) -> State:
    return state._replace(books=state.books._replace(mc=tuple(int(seat == other) for other in range(3))))


def test_bought_card_flies_to_its_owner():
    for before, after in pairwise(played(3, 2)):
        if before.phase == after.phase == Phase.BRIBERY and sum(before.hands) < sum(after.hands):
            plan, flights = flown(before, after)
            assert plan.strips[before.mover].rect.inflate(2, 2).collidepoint(flights[-1].end)
            return
    raise AssertionError("nobody bought a card back")


@pytest.mark.parametrize("size", [(800, 480), (720, 1280), (480, 320)])
@pytest.mark.parametrize("seats", [2, 4])
def test_mud_is_numbered_where_keys_choose_from_it(seats, size):
    found = list(played(seats, 1, variant="action", austausch_mud=True))
    state = next(state for state in found if state.phase == Phase.ACTION and max(map(len, state.zones)) > 1)
    without = state._replace(terms=state.terms._replace(rulings=Rulings(variant="action")))
    more = numbers_in_the_centre(state, size) - numbers_in_the_centre(without, size)
    assert set(more) >= {"1", "2"}

"""Dé et Boulanger's scene in many random positions."""

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from pygame import Rect

from companion.core.move import TABLE, Move, Seat
from companion.display import screens, theme
from companion.display.canvas import Placed
from companion.display.frame import Frame, HousePlace, Look, Play
from companion.display.geometry import ScreenGeometry
from companion.display.layout import Layout, layout
from companion.display.motion import Point
from companion.games.de_et_boulanger import (
    console,
    rules,
    scene,
    scene_board,
    scene_plan,
    scene_signs,
    scene_stage,
    walks,
)
from companion.games.de_et_boulanger.box import DeEtBoulangerBox
from companion.games.de_et_boulanger.game import GAME
from companion.games.de_et_boulanger.rules import components
from companion.games.de_et_boulanger.rules.components import INCIDENT, NOBODY, Phase, State
from companion.games.de_et_boulanger.rules.goods import Goods, Load, Products
from companion.games.de_et_boulanger.rules.moving import earns_bonus
from companion.testing.playout import random_move
from tests.display import gallery, laws

BOX = DeEtBoulangerBox.read(GAME.box_text, "box.toml")
played = partial(gallery.played, GAME)

SLOW = tuple(law for law in laws.LAWS if law is not laws.is_large_at_a_glance)
"""The laws of pictures that stay for seconds."""

SHOWN = 3
"""Number of positions per phase."""


@cache
def positions(seats: int, movement: str) -> tuple[State, ...]:
    """Return positions of every phase, and some with rare features."""
    found: dict[Phase, list[State]] = {}
    for seed in range(4):
        for state in played(seats, seed, movement=movement):
            found.setdefault(state.phase, []).append(state)
    assert found.keys() == set(Phase)
    shown = gallery.spread(found.values(), SHOWN)
    rich = [_rich(found[phase][-1]) for phase in (Phase.MOVE, Phase.PRODUCE, Phase.SALE)]
    together = [_at_the_fountain(state) for state in found[Phase.MOVE][-2:] if movement == "full"]
    incidents = [state for state in found[Phase.SALE] if state.die][:1]
    return (*shown, *rich, *together, *incidents)


def _rich(state: State) -> State:
    seats = len(state.cash)
    labs, cash = (Goods(28, 36, 19),) * seats, (196, 88, 204, 120)[:seats]
    if state.phase == Phase.MOVE:
        return state._replace(labs=labs, cash=cash, loads=(Load(3, 1, 1, 1),) * seats)
    return state._replace(labs=labs, cash=cash, products=(Products(12, 10),) * seats)


def _at_the_fountain(state: State) -> State:
    return state._replace(places=(BOX.board.fountain,) * len(state.places))


def frame_of(state: State, reader: Seat | None = None) -> Frame:
    return gallery.frame_of(GAME, partial(rules.view, state), len(state.cash), reader)


def pixels(state: State, size: tuple[int, int] = (800, 480), reader: Seat | None = None) -> int:
    """Draw a position without prompts, so that only the scene counts."""
    frame = frame_of(state, reader)
    mute = frame._replace(sides=tuple(side._replace(note="", lit=False) for side in frame.sides))
    return gallery.pixels(mute, size)


every_movement = pytest.mark.parametrize("movement", ["full", "trust"])
every_table = pytest.mark.parametrize("seats", rules.SEATS)


@every_movement
@every_table
def test_every_picture_obeys_the_laws(seats, movement):
    faults = laws.faults_by_turns(((state.phase, frame_of(state)) for state in positions(seats, movement)), seats)
    assert not faults, "\n".join(faults)


@every_table
def test_numbers_stay_readable_beside_a_refused_house_key(seats):
    shown = [(state.phase, state) for state in positions(seats, "full") if rules.legal(state, TABLE)]
    assert {Phase.MOVE, Phase.SALE} <= {phase for phase, _ in shown}
    assert all(not console.house_entry(rules.view(state, None), "").codes for _, state in shown)
    frames = [
        (phase, _with_house(state, HousePlace("", refused="a die shows 1 to 6, not 7"))) for phase, state in shown
    ]
    faults = [fault for turn in range(len(gallery.GLASSES)) for fault in laws.faults_by_turns(frames, turn, SLOW)]
    assert not faults, "\n".join(faults)


def _with_house(state: State, house: HousePlace) -> Frame:
    frame = frame_of(state)
    return frame._replace(screen=frame.screen._replace(house=house))


# --- All items, and nothing else --------------------------------------------------------------------------


def _in_the_centre(state: State, size: tuple[int, int], turn: int) -> Counter[str]:
    room = layout(size, len(state.cash), ScreenGeometry(turn=turn)).centre
    return Counter(
        item.what
        for item in gallery.placed(frame_of(state), size, turn)
        if room.contains(item.rect) and (item.what.isdecimal() or not item.cap_px)
    )


def _due(state: State) -> Counter[str]:
    """Count the expected numbers and pictograms, except the fountain's."""
    due: Counter[str] = Counter()
    for seat in range(len(state.cash)):
        due += _in_a_panel(state, seat)
    return due + (_on_the_board(state) if scene_plan.shows_board(rules.view(state, None)) else _on_the_stage(state))


def _in_a_panel(state: State, seat: Seat) -> Counter[str]:
    row = state.tiles[seat]
    due = Counter(baker=1, bread=1, croissant=1, marker=bool(row), flag=state.order[:1] == (seat,))
    due.update(() if row else map(str, range(1, len(BOX.tiles) + 1)))
    due += _tiles(row or tuple(range(len(BOX.tiles))))
    if state.phase == Phase.START:
        due[f"die_{state.rolls[seat]}"] += state.rolls[seat] > 0
    if state.phase in {Phase.SETUP, Phase.START}:
        return due
    due.update(("flour", "water", "butter", *map(str, state.labs[seat])))
    if state.phase != Phase.MOVE:
        return due + Counter(("bread", "croissant", *map(str, state.products[seat])))
    due.update({kind.removesuffix("s"): count for kind, count in state.loads[seat]._asdict().items()})
    due["sou"] += earns_bonus(state, seat)
    if state.turn == seat and state.die:
        due.update((f"die_{state.die}", str(state.steps)))
    return due


def _tiles(row: tuple[int, ...]) -> Counter[str]:
    limits = [BOX.tiles[tile] for tile in row]
    return Counter("incident" if tile == INCIDENT else str(limit) for tile in limits for limit in tile or (0,))


def _on_the_board(state: State) -> Counter[str]:
    at = [BOX.board.kinds[place] for place in state.places if place >= 0]
    due = Counter(mill=2 - at.count("mill"), farm=2 - at.count("farm"), baker=len(at))
    due["bakery"] = len(at) if state.phase == Phase.SETUP else 4
    due.update(key for side, key in enumerate("8624") if state.phase == Phase.SETUP and side not in state.sides)
    view = rules.view(state, None)
    near = scene_board.reached(view, 1)
    numbers = walks.walking_keys(view, state.turn) if near else ""
    due.update(numbers)
    # The number of the own shop replaces the step into it.
    ends = {"plain"} if walks.HOME_KEY in numbers else {"plain", "shop"}
    plain = [square for square in near if BOX.board.kinds[square] in ends]
    steps = [walks.step_keys(view, state.turn, square) for square in plain]
    due.update(key for *_, key in steps)
    due.update({key for key, *exits in steps if exits})
    return due


@every_table
def test_numbers_on_the_board_lead_to_every_square(seats):
    """Together they reach all squares of the next step."""
    walking = [
        state for state in played(seats, 7, movement="full") if scene_board.reached(rules.view(state, None), 1)
    ]
    for state in walking[::3]:
        near, numbers = scene_board.reached(rules.view(state, None), 1), _on_the_board(state)
        seat, view, led = state.turn, rules.view(state, state.turn), set()
        keys = [key for key in numbers if key.isdecimal()]
        for first in keys:
            keyed = console.key(view, seat, first, {})
            assert keyed.accepted or state.places[seat] == BOX.board.fountain, keyed.why
            exits = [console.key(view, seat, key, {seat: first}) for key in keys if keyed.entry]
            led |= {move.args[0] for each in (keyed, *exits) for move in each.moves if move.verb == "step"}
        assert near <= led


def _on_the_stage(state: State) -> Counter[str]:
    """Count what replaces the board."""
    if state.phase == Phase.OVER:
        found = rules.outcome(state)
        places = [
            sum(map(len, found.ranking[:rank])) + 1 for rank, seats in enumerate(found.ranking) for _ in seats
        ]
        sous = Counter(map(str, (*places, *state.cash)))
        return sous + Counter(cup_trophy=1, baker=len(state.cash), sou=len(state.cash))
    if state.phase == Phase.MOVE:
        signs = Counter(("mill", "farm", "arrow", "arrow", "arrow", "flour", "water", "butter", "sou", "sou"))
        return signs + Counter(("1", "1", "1", "2", "3"))
    if state.phase == Phase.PRODUCE:
        recipes = Counter(flour=4, water=3, butter=2, bread=1, croissant=1, arrow=2, oven=1, sou=2)
        return recipes + Counter(map(str, BOX.sell))
    due = Counter(("baker", "bread", "croissant", *map(str, state.products[state.turn])))
    due.update(f"die_{face}" for face in range(1, 7))
    if state.die:
        due.update(
            (f"die_{state.die}", "incident", "water", "scramble", "present", str(state.cash[state.turn] // 2))
        )
        return due + Counter(bread=3, croissant=3, flour=1, water=1, butter=1, sou=1)
    row = state.tiles[state.turn]
    worth = [scene_stage.worth(rules.view(state, None), BOX.tiles[tile]) for tile in row if BOX.tiles[tile]]
    return due + _tiles(row) + Counter(("marker", "bread", "croissant", "sou", *map(str, worth)))


@every_movement
@every_table
def test_centre_shows_exactly_the_numbers_and_tokens(seats, movement):
    for state, (size, turn) in laws.in_turn(positions(seats, movement), seats):
        shown = _in_the_centre(state, size, turn)
        del shown["fountain"]
        assert shown == +_due(state), (shown - _due(state), _due(state) - shown, state)


@every_movement
@every_table
def test_picture_is_the_same_for_every_reader(seats, movement):
    for number, state in enumerate(positions(seats, movement)):
        assert pixels(state, reader=number % seats) == pixels(state)


def _changed(state: State) -> Iterator[tuple[str, State]]:
    seat, other = state.turn, (state.turn + 1) % 4
    fountain = BOX.board.fountain

    def put(name: str, who: Seat, value: Any) -> State:
        values = getattr(state, name)
        return state._replace(**{name: (*values[:who], value, *values[who + 1 :])})

    yield "round", state._replace(round=state.round % 5 + 1)
    yield "series", state._replace(series=state.series % 5 + 1)
    yield "order", state._replace(order=(*state.order[1:], state.order[0]))
    yield "turn", state._replace(turn=other)
    yield "die", state._replace(die=state.die % 6 + 1)
    yield "steps", state._replace(steps=state.steps + 1)
    yield "sides", state._replace(sides=state.sides[::-1])
    for who in range(4):
        away = fountain if state.places[who] != fountain else BOX.board.of_kind("plain")[0]
        yield "places", put("places", who, away)
        yield "cash", put("cash", who, state.cash[who] + 1)
        yield "tiles", put("tiles", who, state.tiles[who][::-1])
        yield "tile used", put("tiles", who, state.tiles[who][:-1])._replace(markers=(0,) * 4)
        yield "marker", put("markers", who, (state.markers[who] + 1) % len(state.tiles[who]))
        for kind in Goods._fields:
            lab = state.labs[who]
            yield f"lab {kind}", put("labs", who, lab._replace(**{kind: getattr(lab, kind) + 1}))
        for kind in Load._fields:
            if sum(state.loads[who]) < BOX.load_limit:
                load = state.loads[who]
                yield f"load {kind}", put("loads", who, load._replace(**{kind: getattr(load, kind) + 1}))
    home = put("places", seat, BOX.board.shops[state.sides[seat]])
    if pixels(home._replace(trips=(True,) * 4)) == pixels(home._replace(trips=(False,) * 4)):
        yield "trips", state


@pytest.mark.parametrize("seed", range(3))
def test_every_change_alters_the_picture(seed):
    states = [state for state in played(4, seed) if state.phase == Phase.MOVE and 0 < state.steps < 6]
    state = states[len(states) // 2]
    drawn = pixels(state)
    assert [name for name, other in _changed(state) if pixels(other) == drawn] == []


@every_table
def test_finished_and_ready_bakers_are_visible(seats):
    full = list(played(seats, 1))
    ready = next(state for state in full if state.ready)
    assert pixels(ready) != pixels(ready._replace(ready=False))
    start = [state for state in full if state.phase == Phase.START]
    assert len({pixels(state._replace(turn=0)) for state in start}) == len({state.rolls for state in start})
    baking = next(state for state in full if state.phase == Phase.PRODUCE)
    assert pixels(baking) != pixels(baking._replace(done=(1,) * seats))
    trust = next(state for state in played(seats, 1, movement="trust") if state.phase == Phase.MOVE)
    assert trust.turn == NOBODY
    done = trust._replace(done=(1,) * seats)
    assert len({pixels(trust), pixels(done), pixels(done._replace(bonus=(1,) * seats))}) == 3


@pytest.mark.parametrize("shop_stops_move", [True, False])
def test_outlined_squares_are_those_within_reach(shop_stops_move):
    states = [s for s in played(4, 2, shop_stops_move=shop_stops_move) if s.phase == Phase.MOVE and s.steps]
    for state in states[:: max(1, len(states) // 40)]:
        reached, edge = set(), [state]
        for _ in range(state.steps):
            edge = [
                rules.apply(one, move)
                for one in edge
                for move in rules.legal(one, state.turn)
                if move.verb == "step"
            ]
            edge = list({one.places[state.turn]: one for one in edge}.values())
            reached |= {one.places[state.turn] for one in edge}
        assert scene_board.reached(rules.view(state, None)) == reached - {state.places[state.turn]}


# --- Motion -----------------------------------------------------------------------------------------------


class _Shown(NamedTuple):
    plan: Layout
    play: Play
    placed: list[Placed]

    def has(self, what: str, at: Point) -> bool:
        middles = [item.rect.center for item in self.placed if item.what == what]
        return any(abs(x - at[0]) <= 2 and abs(y - at[1]) <= 2 for x, y in middles)

    def strip(self, seat: Seat) -> Rect:
        return self.plan.strips[seat].rect


def shown(state: State, size: tuple[int, int], turn: int) -> _Shown:
    frame = frame_of(state)
    plan = screens.plan_of(size, frame, ScreenGeometry(turn=turn))
    return _Shown(plan, frame.screen, gallery.placed(frame, size, turn))


def changes(seats: int, *verbs: str, **rulings: Any) -> Iterator[tuple[Move, State, State]]:
    """Yield moves with the positions before and after; bakers have enough goods."""
    missing = [*verbs] * 3
    for seed in range(20):
        pick = Random(seed).randrange
        state = rules.setup(BOX, components.Rulings(**rulings), seats)
        while rules.to_act(state) and missing:
            if state.phase == Phase.PRODUCE and not any(map(any, state.products)):
                state = state._replace(labs=tuple(Goods(*(max(9, held) for held in lab)) for lab in state.labs))
            while (move := random_move(rules, state, pick)).verb == "stay":
                pass  # staying at home has only one effect
            after = rules.apply(state, move)
            if move.verb in missing:
                missing.remove(move.verb)
                yield move, state, after
            state = after
    assert not missing


every_glass = pytest.mark.parametrize(("size", "turn"), [((800, 480), 1), ((720, 1280), 0), ((1280, 720), 2)])

COMES_FROM: Final = {
    "step": ("baker", "baker"),
    "flour": ("sou", "flour"),
    "butter": ("sou", "butter"),
    "bake": ("flour", "bread"),
}
"""Pictograms where a flight starts and ends, by move."""


@every_glass
@every_table
def test_pieces_fly_from_old_to_new_places(seats, size, turn):
    for move, before, after in changes(seats, *COMES_FROM):
        old, new = shown(before, size, turn), shown(after, size, turn)
        found = scene.flights(new.plan, old.play, new.play, Look())
        start, end = COMES_FROM[move.verb]
        if move.verb == "bake" and after.products[move.seat].bread <= before.products[move.seat].bread:
            end = "croissant"
        assert any(old.has(start, flight.start) for flight in found), move
        assert any(new.has(end, flight.end) for flight in found), move


@every_glass
@every_table
def test_money_flies_between_strip_and_tray(seats, size, turn):
    for move, before, after in changes(seats, "load", "unload"):
        old, new = shown(before, size, turn), shown(after, size, turn)
        found = scene.flights(new.plan, old.play, new.play, Look())
        sous = abs(after.loads[move.seat].sous - before.loads[move.seat].sous)
        ways = [(flight.start, flight.end) for flight in found]
        if move.verb == "unload":
            ways = [(end, start) for start, end in ways]
        with_tray = new if move.verb == "load" else old
        coins = [way for way in ways if old.strip(move.seat).collidepoint(way[0]) and with_tray.has("sou", way[1])]
        assert len(coins) == sous


@every_glass
@every_table
def test_home_bonus_flies_into_the_strip(seats, size, turn):
    before = next(state for state in played(seats, 1) if state.phase == Phase.MOVE)
    for seat, cash in enumerate(before.cash):
        after = before._replace(cash=(*before.cash[:seat], cash + BOX.home_bonus, *before.cash[seat + 1 :]))
        old, new = shown(before, size, turn), shown(after, size, turn)
        [coin] = scene.flights(new.plan, old.play, new.play, Look())
        assert new.plan.centre.collidepoint(coin.start)
        assert new.strip(seat).collidepoint(coin.end)


@every_glass
@every_table
def test_sale_moves_the_marker_and_the_tile(seats, size, turn):
    for _, before, after in changes(seats, "sale"):
        old, new = shown(before, size, turn), shown(after, size, turn)
        found = scene.flights(new.plan, old.play, new.play, Look())
        if after.die:
            assert [flight.start for flight in found] == [flight.end for flight in found]
            assert found[0].shake_px
            continue
        assert any(
            old.plan.centre.collidepoint(way.start) and new.strip(before.turn).collidepoint(way.end)
            for way in found
        )
        assert any(old.has("marker", way.start) and new.has("marker", way.end) for way in found)


@every_glass
@pytest.mark.parametrize("earns", [True, False])
def test_coins_fly_to_or_from_the_seller(earns, size, turn):
    _, before, after = next(change for change in changes(2, "sale") if not change[2].die)
    seller, poor = before.turn, before.cash
    rich = tuple(cash + 15 * (seat == seller) for seat, cash in enumerate(poor))
    first, last = (poor, rich) if earns else (rich, poor)
    old, new = shown(before._replace(cash=first), size, turn), shown(after._replace(cash=last), size, turn)
    found = scene.flights(new.plan, old.play, new.play, Look())
    ways = [(flight.start, flight.end) for flight in found if flight.begins and flight.lift_px]
    assert len(ways) == 2  # one for ten sous and one for the rest
    for way in ways:
        stage, strip = way if earns else reversed(way)
        assert new.plan.centre.collidepoint(stage)
        assert new.strip(seller).collidepoint(strip)


def test_nothing_flies_into_another_match():
    two, four = (
        Play(GAME.scene, rules.view(rules.setup(BOX, components.Rulings(), seats), None)) for seats in (2, 4)
    )
    late = Play(GAME.scene, rules.view(list(played(2, 1))[-1], None))
    plan = layout((800, 480), 2)
    assert scene.flights(plan, four, two, Look()) == scene.flights(plan, late, two, Look()) == ()


@every_table
def test_each_baker_has_its_seats_colour_and_mark(seats):
    colours = [theme.INKS[name] for name in scene_signs.COLOURS[:seats]]
    assert len({theme.MARKS[name] for name in scene_signs.COLOURS}) == len(scene_signs.COLOURS)
    for state in positions(seats, "full"):
        drawn = Counter(item.colour for item in shown(state, (800, 480), 0).placed if item.what == "baker")
        assert drawn.keys() == set(colours)

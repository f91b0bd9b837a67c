"""The laws DB-P1 to DB-P6 for one move."""

from companion.core.event import Event
from companion.core.move import Move, Seat
from companion.games.de_et_boulanger import rules
from companion.games.de_et_boulanger.rules import View
from companion.games.de_et_boulanger.rules.board import Kind
from companion.games.de_et_boulanger.rules.components import Phase, State
from tests.games.contract import is_sound

AT_HOME = (Phase.PRODUCE, Phase.SALE, Phase.OVER)


def check(before: State, move: Move, after: State, events: tuple[Event, ...]) -> None:
    """Raise AssertionError if a move breaks a law."""
    is_sound("Dé et Boulanger", after, events)
    old, new = rules.view(before, None), rules.view(after, None)
    for law in LAWS:
        law(old, move, new, events)


def p1_load(old: View, move: Move, new: View, events: tuple[Event, ...]) -> None:
    """DB-P1: a pawn carries 0 to the box's limit of tokens."""
    for load in new.loads:
        assert min(load) >= 0
        assert sum(load) <= new.box.load_limit


def p2_squares(old: View, move: Move, new: View, events: tuple[Event, ...]) -> None:
    """DB-P2: nobody exceeds their roll; bakers share only the fountain."""
    board = new.box.board
    if new.phase != Phase.SETUP:
        shared = [square for square in new.places if square != board.fountain]
        assert len(set(shared)) == len(shared)
    assert 0 <= new.steps <= new.die
    moved = [seat for seat, place in enumerate(new.places) if place != old.places[seat]]
    if move.verb == "step":
        assert moved == [move.seat]
        assert new.die == old.die
        assert new.steps < old.steps
        home = board.kinds[new.places[move.seat]] == Kind.SHOP
        assert new.steps == (0 if home and new.rulings.shop_stops_move else old.steps - 1)
        assert new.trips[move.seat]
    elif old.phase == Phase.MOVE and new.phase == Phase.MOVE:
        assert set(moved) <= coming_home(old, move)
    if home := [seat for seat in range(len(new.places)) if board.kinds[new.places[seat]] == Kind.SHOP]:
        assert new.phase == Phase.SETUP or all(new.places[seat] == own_shop(new, seat) for seat in home)


def own_shop(view: View, seat: Seat) -> int:
    return view.box.board.shops[view.sides[seat]]


def p3_sous(old: View, move: Move, new: View, events: tuple[Event, ...]) -> None:
    """DB-P3: sous change only by purchase, bonus, sale and gift, and never below 0."""
    price, seller = new.box.price._asdict(), old.turn
    due = [0] * len(new.cash)
    if move.verb in price:
        due[move.seat] = -move.args[0] * price[move.verb]
    if move.verb in {"end", "stay", "home"}:
        paid = {seat for seat in coming_home(old, move) if earned(old, move, new, seat)}
        due = [new.box.home_bonus * (seat in paid) for seat in range(len(due))]
        assert {happened.seat for happened in events if happened.kind == "bonus"} == paid
    if move.verb == "sale":
        row = old.tiles[seller]
        tile = old.box.tiles[row[(old.markers[seller] + move.args[0]) % len(row)]]
        if tile:
            sold = [min(baked, most) for baked, most in zip(old.products[seller], tile, strict=True)]
            due[seller] = sum(n * sous for n, sous in zip(sold, new.box.sell, strict=True))
    if move.verb == "incident" and new.box.effects[move.args[0] - 1] == "gift":
        due[seller] = -(old.cash[seller] // 2)
    assert due == [now - then for now, then in zip(wealth(new), wealth(old), strict=True)]
    assert min(new.cash) >= 0
    assert all(min(kept) >= 0 for kept in (*new.labs, *new.products))
    _ingredients(old, move, new)


def _ingredients(old: View, move: Move, new: View) -> None:
    """Ingredients change only by trade, baking and earthquake."""
    for seat in range(len(new.cash)):
        gained = dict.fromkeys(new.box.price._fields, 0)
        if move.seat == seat and move.verb in gained:
            gained[move.verb] = move.args[0]
        if move.verb == "bake" and move.seat == seat:
            for recipe, now, then in zip(new.box.recipes, new.products[seat], old.products[seat], strict=True):
                for kind, n in recipe._asdict().items():
                    gained[kind] -= n * (now - then)
        if move.verb == "incident" and seat == old.turn and new.box.effects[move.args[0] - 1] == "earthquake":
            gained = {kind: -n for kind, n in old.labs[seat]._asdict().items()}
        for kind, n in gained.items():
            assert owned(new, seat, kind) - owned(old, seat, kind) == n


def owned(view: View, seat: Seat, kind: str) -> int:
    return getattr(view.labs[seat], kind) + getattr(view.loads[seat], kind)


def coming_home(old: View, move: Move) -> set[Seat]:
    if move.verb == "home":
        return set(range(len(old.done))) if sum(old.done) == len(old.done) - 1 else set()
    last = [seat for seat, series in turns_ended(old, move) if series == old.box.rolls_per_round]
    if old.rulings.carried_home == "after_own":
        return set(last)
    return set(old.order) if old.order and old.order[-1] in last else set()


def turns_ended(old: View, move: Move) -> list[tuple[Seat, int]]:
    """Return the (seat, series) of turns that a move ends, staying bakers included."""
    if move.verb not in {"end", "stay"}:
        return []
    staying = {seat for seat, stays in enumerate(old.done) if stays} | (
        {move.seat} if move.verb == "stay" else set()
    )
    turns = [(seat, series) for series in range(1, old.box.rolls_per_round + 1) for seat in old.order]
    ahead = turns[turns.index((move.seat, old.series)) :]
    going = next((place for place, (seat, _) in enumerate(ahead) if place and seat not in staying), len(ahead))
    return ahead[:going]


def earned(old: View, move: Move, new: View, seat: Seat) -> bool:
    if old.rulings.movement == "trust":
        return bool(move.args[0] if seat == move.seat else old.bonus[seat])
    home = old.places[seat] == own_shop(old, seat)
    return home and (old.trips[seat] or not new.stayed[seat] or not old.rulings.bonus_needs_trip)


def wealth(view: View) -> list[int]:
    return [cash + load.sous for cash, load in zip(view.cash, view.loads, strict=True)]


def p4_tiles(old: View, move: Move, new: View, events: tuple[Event, ...]) -> None:
    """DB-P4: each player uses one tile a round, none twice."""
    if new.phase == Phase.SETUP:
        return
    every = set(range(len(new.box.tiles)))
    for seat, row in enumerate(new.tiles):
        assert len(set(row)) == len(row)
        assert every >= set(row)
        sold = new.phase == Phase.OVER
        if new.phase == Phase.SALE:
            sold = new.order.index(seat) < new.order.index(new.turn)
        assert len(row) == len(every) - max(0, new.round - 1) - sold
        assert 0 <= new.markers[seat] < len(row)
        if old.phase != Phase.SETUP:
            assert [tile for tile in old.tiles[seat] if tile in row] == list(row)


def p5_products(old: View, move: Move, new: View, events: tuple[Event, ...]) -> None:
    """DB-P5: products exist only during production and sale."""
    if new.phase not in {Phase.PRODUCE, Phase.SALE}:
        assert not any(map(any, new.products))


def p6_home(old: View, move: Move, new: View, events: tuple[Event, ...]) -> None:
    """DB-P6: after the moving phase all pawns are home and empty."""
    if new.phase in AT_HOME:
        assert [own_shop(new, seat) for seat in range(len(new.places))] == list(new.places)
        assert not any(map(any, new.loads))


LAWS = (p1_load, p2_squares, p3_sous, p4_tiles, p5_products, p6_home)

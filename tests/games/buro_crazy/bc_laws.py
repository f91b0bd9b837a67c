"""Laws checked after every move of Büro Crazy, without the engine's rules."""

from companion.core.event import Event
from companion.core.move import TABLE, Move, Seat
from companion.games.buro_crazy import rules
from companion.games.buro_crazy.rules import Phase, State
from tests.games.buro_crazy.bc_table import BOX, PLACES, Piles, piles_of
from tests.games.contract import is_sound

ADVANCED = ((0, 8, 8), (8, 4, 12), (12, 2, 14), (14, 1, 15))
"""For each floor: pairs decided before it, pairs on it, pairs decided after it."""

Events = tuple[Event, ...]


def check(before: State, move: Move, after: State, events: Events) -> None:
    """Raise AssertionError if a move breaks a law."""
    is_sound("Büro Crazy", after, events)
    if before.phase == Phase.SETUP:
        return
    had, have = piles_of(before), piles_of(after)
    _conserved(after, had, have)
    _accounts(had, have, before, move, events)
    _floors(before, after, have, events)
    _board(before, after)
    _who_moved(before, move, after)
    totals = _fact(events, "reveal", "totals")
    if totals and totals[0] != totals[1]:
        _won(before, had, totals, events)
    elif totals:
        _tied(before, had, have, totals, events)
    if move.verb == "coin":
        assert _of(events, "up")[0].seat == move.args[0]


def _of(events: Events, kind: str) -> list[Event]:
    return [happened for happened in events if happened.kind == kind]


def _fact(events: Events, kind: str, key: str) -> tuple[int, ...]:
    """Return a fact of the only event of `kind`, or ()."""
    found = _of(events, kind)
    assert len(found) <= 1
    return found[0].facts[key] if found else ()


def _conserved(after: State, had: Piles, have: Piles) -> None:
    """BC-P1, BC-P2: all cards remain, and no pile is negative."""
    if after.terms.rulings.tracking == "cards":
        assert have.cards == had.cards
    assert sum(have.points) == sum(had.points)
    for pile in (*after.hands, after.kitchen, after.stock, after.roof):
        assert min(pile) >= 0


def _accounts(had: Piles, have: Piles, before: State, move: Move, events: Events) -> None:
    """The events explain every point that moved."""
    seats = before.terms.seats
    hands = [0] * seats
    kitchen = stock = roof = 0
    for happened in events:
        facts, seat = happened.facts, happened.seat
        if happened.kind in {"discard", "loss"}:
            hands[seat] -= facts["points"]
            roof += facts["points"]
        elif happened.kind == "gain":
            hands[seat] += facts["points"]
            kitchen -= facts["points"]
        elif happened.kind == "kitchen":
            kitchen += facts["change"]
            roof -= facts["roof_points"]
            stock -= facts["change"] - facts["roof_points"]
    if move.verb == "roof":
        gained = [len(now) - len(then) for now, then in zip(have.hands, had.hands, strict=True)]
        assert sorted(gained) == [0] * (seats - 1) + [1]
        hands[gained.index(1)] += move.args[0]
        roof -= move.args[0]
    moved = [now - then for now, then in zip(have.points, had.points, strict=True)]
    assert moved == [*hands, kitchen, stock, roof]


def _floors(before: State, after: State, have: Piles, events: Events) -> None:
    """BC-P3: each floor begins with its kitchen target."""
    told = _of(events, "kitchen")
    begun = [place for place in (8, 12, 14) if before.step < place <= after.step]
    assert [happened.facts["floor"] for happened in told] == [rules.FLOORS[place] for place in begun]
    if not told:
        return
    assert told[-1].facts["points"] == sum(have.kitchen)  # no payment since
    for happened in told:
        facts = happened.facts
        assert facts["target"] == {"ground": 60, "first": 40, "second": 20}[facts["floor"]]
        exact = after.terms.rulings.kitchen_adjust == "exact"
        if _rich(before):
            assert facts["points"] == facts["target"] or (not exact and facts["points"] > facts["target"])
        if not exact:
            assert facts["change"] >= 0


def _rich(state: State) -> bool:
    """Return whether the stock prevents rounding."""
    if state.terms.rulings.tracking == "points":
        return state.stock[0] >= 60
    rulings = state.terms.rulings
    return rulings.change != "none" and rulings.refill == "stock" and min(state.stock) >= 5 and state.stock[3] >= 8


def _board(before: State, after: State) -> None:
    """BC-P4, BC-R14: one figure a pair goes up, no other moves."""
    figures = [sum(seat == one for seat in before.board) for one in range(before.terms.seats)]
    assert figures == [sum(seat == one for seat in after.board) for one in range(before.terms.seats)]
    assert after.step >= before.step
    for floor, (start, pairs, end) in enumerate(ADVANCED):
        first = (16, 24, 28, 30)[floor]
        advanced = sum(seat != rules.EMPTY for seat in after.board[first:]) + _stayed(after, floor)
        assert advanced == min(max(after.step - start, 0), pairs)
        assert (advanced == pairs) == (after.step >= end)
    # Losers stay: the pairs decided before do not change.
    for pair in rules.ORDER[: before.step]:
        assert after.board[2 * pair : 2 * pair + 2] == before.board[2 * pair : 2 * pair + 2]
    for pair in rules.ORDER[before.step : after.step]:
        left = [seat for seat in after.board[2 * pair : 2 * pair + 2] if seat != rules.EMPTY]
        alone = PLACES[pair] == "P8" and after.board.count(rules.EMPTY) == 16
        stayed = _stayed(after, 0)
        assert len(left) == (stayed if alone else 1 - (stayed and PLACES[pair] == "G4"))


def _stayed(state: State, floor: int) -> int:
    """Return 1 for the ground floor if the P8 figure stayed."""
    stays = state.step > 7 and state.board[15] == rules.EMPTY != state.board[14]
    return int(stays and floor == 0 and state.board.count(rules.EMPTY) == 16)


def _who_moved(before: State, move: Move, after: State) -> None:
    """BC-P5: only duellists move while bids are due."""
    if before.phase == Phase.BID:
        assert move.seat in before.duel or move.verb == "counted"
    if after.phase == Phase.BID:
        assert len(set(after.duel)) == 2
        for seat in range(-1, after.terms.seats):
            may = bool(rules.legal(after, seat))
            points = after.terms.rulings.tracking == "points"
            assert may == (seat in after.duel or (points and seat == TABLE))


def _won(before: State, had: Piles, totals: tuple[int, ...], events: Events) -> None:
    """BC-P6: the winner loses the bid, the loser gains what the kitchen can pay."""
    winner, loser = before.duel if totals[0] > totals[1] else before.duel[::-1]
    last = before.step == len(rules.ORDER) - 1
    discards = {happened.seat: happened.facts["points"] for happened in _of(events, "discard")}
    paid = {winner: max(totals)} | ({loser: min(totals)} if last and min(totals) else {})
    assert discards == paid
    assert _of(events, "up")[0].seat == winner
    (gain,) = _of(events, "gain")
    due = min(max(totals) - min(totals), sum(had.kitchen))
    assert gain.seat == loser
    assert gain.facts["due"] == max(totals) - min(totals)
    assert gain.facts["points"] <= due
    if _rich(before):
        assert gain.facts["points"] == due
    assert gain.facts["points"] >= max(total for total in _shown(had.kitchen) if total <= due)
    _forfeits(before, had, events, {winner: -max(totals), loser: gain.facts["points"] - paid.get(loser, 0)})


def _tied(before: State, had: Piles, have: Piles, totals: tuple[int, ...], events: Events) -> None:
    """BC-R13: both lose half their bid, and nobody goes up."""
    if not totals[0]:
        assert have == had
        return
    half = (totals[0] + (before.terms.rulings.tie_rounding == "up")) // 2
    losses = _of(events, "loss")
    assert sorted(before.duel) == [happened.seat for happened in losses]
    for happened in losses:
        down = before.terms.rulings.tie_rounding == "down"
        assert 0 <= happened.facts["points"] <= half if down else half <= happened.facts["points"]
        if _rich(before):
            assert happened.facts["points"] == half
    assert have.kitchen == had.kitchen
    assert not _of(events, "up")


def _forfeits(before: State, had: Piles, events: Events, moved: dict[Seat, int]) -> None:
    """BC-R15: a single figure pays ten, or all that its owner has."""
    for happened in _of(events, "forfeit"):
        held = sum(had.hands[happened.seat]) + moved.get(happened.seat, 0)
        assert happened.facts["points"] == min(BOX.forfeit, held)
        (loss,) = _of(events, "loss")
        assert loss.seat == happened.seat
        assert loss.facts["points"] <= held
        if _rich(before):
            assert loss.facts["points"] == min(BOX.forfeit, held)


def _shown(cards: list[int]) -> set[int]:
    totals = {0}
    for card in cards:
        totals |= {total + card for total in totals}
    return totals

"""The laws BB-P1 to BB-P7 for one move, checked with the naive game."""

from companion.core.event import Event
from companion.core.move import Move
from companion.games.boese_buben import rules
from companion.games.boese_buben.rules import Phase, State
from tests.games.boese_buben.bb_naive import Naive, value
from tests.games.boese_buben.bb_table import hand_of, out_of, pair, prizes_of
from tests.games.contract import is_sound

Events = tuple[Event, ...]


def purses_of(state: State) -> list[int]:
    return [rules.view(state, seat).purse for seat in range(len(state.hands))]


def can_place(state: State, seat: int) -> bool:
    """Return True if a seat has a playable card (BB-R6, BB-A2)."""
    view = rules.view(state, None)
    mud = view.zones if view.rulings.mud_counts else [()] * len(view.zones)
    lanes = [track + zone for track, zone in zip(view.tracks, mud, strict=True)]
    tracks = [{value(pair(card)) for card in lane} for lane in lanes]
    held = {value(pair(card)) for card in hand_of(state, seat)}
    return any(held - shown for shown in tracks)


def check(before: State, move: Move, after: State, events: Events) -> None:
    """Raise AssertionError if a move breaks a law."""
    is_sound("Böse Buben", after, events)
    for law in LAWS:
        law(before, move, after, events)


def p1_every_card_is_in_one_place(_: State, __: Move, after: State, ___: Events) -> None:
    view = rules.view(after, None)
    lying = [card for row in (*view.tracks, *view.zones) for card in row]
    seats = range(len(view.mc))
    held = [card for seat in seats for card in hand_of(after, seat)]
    out = sorted(out_of(after))
    assert sorted([*lying, *held, *out]) == list(range(12 * len(seats))), "BB-P1"
    assert view.out == len(out), "BB-P1: the count of the cards out of the game"


def p2_lanes(_: State, __: Move, after: State, ___: Events) -> None:
    view = rules.view(after, None)
    playing = view.phase in {Phase.SETUP, Phase.TURN, Phase.ACTION}
    for track, zone in zip(view.tracks, view.zones, strict=True):
        values = [value(pair(card)) for card in track]
        assert len(values) == len(set(values)), "BB-P2: a value twice on a track"
        assert len(track) <= 3, "BB-P2: more than 3 cards on a track"
        assert len(zone) <= (3 if playing else 4), "BB-P2: too many penalty cards"
    full = [zone for zone in view.zones if len(zone) == 4]
    assert len(full) <= 1, "BB-P2: two full penalty zones"


def p3_money(_: State, __: Move, after: State, ___: Events) -> None:
    purses = purses_of(after)
    assert min(purses) >= 0, "BB-P3: a purse below zero"
    assert sum(purses) + after.books.bank == 84, "BB-P3"


def p4_mc_cards(before: State, move: Move, after: State, _: Events) -> None:
    was, now = rules.view(before, None), rules.view(after, None)
    assert sum(now.mc) <= min(4, now.race), "BB-P4"
    assert min(now.mc) >= 0, "BB-P4"
    gained = sum(now.mc) - sum(was.mc)
    filled = move.verb in {"play", "eject"} and _fills_a_zone(before, move)
    assert gained == filled, "BB-P4: one card for each race that somebody ended, none else"
    if filled:
        assert now.mc[move.seat] == was.mc[move.seat] + 1, "BB-P4: another than the ender has it"


def _fills_a_zone(before: State, move: Move) -> bool:
    view = rules.view(before, None)
    lane = move.args[1] if move.verb == "play" else move.args[0]
    falls = move.verb == "eject" or len(view.tracks[lane - 1]) == 3
    return falls and len(view.zones[lane - 1]) == 3


def races_scored(state: State) -> int:
    view = rules.view(state, None)
    return view.race if view.phase in {Phase.BRIBERY, Phase.OVER} else max(0, view.race - 1)


def p5_prizes(before: State, _: Move, after: State, events: Events) -> None:
    """Lanes paid 0 or 3, and events cover every ducat that moved."""
    view = rules.view(after, None)
    naive = Naive(len(view.mc), monochrome_lane=view.rulings.monochrome_lane)
    winners = [naive.winner([pair(card) for card in track]) for track in view.tracks]
    prizes = [happened for happened in events if happened.kind == "lane"]
    scored = races_scored(after) - races_scored(before)
    assert [(e.seat, e.facts["lane"], e.facts["ducats"]) for e in prizes] == [
        (winner, lane, 0 if winner is None else 3) for lane, winner in enumerate(winners, 1)
    ] * scored, "BB-P5"
    if scored:
        assert prizes_of(view) == winners, "BB-P5"
    told = dict.fromkeys(range(len(view.mc)), 0)
    for happened in events:
        if happened.seat is not None:
            sign = {"lane": 1, "reward": 1, "bought": -1, "mc_paid": -1}.get(happened.kind, 0)
            told[happened.seat] += sign * happened.facts.get("ducats", 0)
    moved = [now - was for now, was in zip(purses_of(after), purses_of(before), strict=True)]
    assert moved == list(told.values()), "BB-P5: money moved in silence"


def p6_nobody_skips_who_can_place(before: State, move: Move, after: State, events: Events) -> None:
    skipped = [happened.seat for happened in events if happened.kind == "skips"]
    for seat in skipped:
        assert not can_place(after, seat), "BB-P6: somebody skipped with a card that fits"
    was, now = rules.view(before, None), rules.view(after, None)
    if now.phase != Phase.TURN:
        assert not skipped, "BB-P6: somebody skipped and nobody's turn came"
        return
    (mover,) = rules.to_act(after)
    assert can_place(after, mover), "BB-P6: a turn without a card that fits"
    first = move.seat + 1 if now.race == was.race else now.starter
    seats = len(now.mc)
    between = (mover - first) % seats
    assert skipped == [(first + step) % seats for step in range(between)], "BB-P6: passed over in silence"


def p7_no_lane_is_tied(_: State, __: Move, after: State, ___: Events) -> None:
    for track in after.tracks:
        cards = [pair(card) for card in track]
        owners = {seat for seat, _ in cards}
        standing = [
            (sum(value(card) for card in cards if card[0] == seat), sum(card[0] == seat for card in cards))
            for seat in owners
            if [value(card) for card in cards if card[0] == seat] != [0]
        ]
        assert standing.count(max(standing, default=(0, 0))) <= 1, "BB-P7"


LAWS = (
    p1_every_card_is_in_one_place,
    p2_lanes,
    p3_money,
    p4_mc_cards,
    p5_prizes,
    p6_nobody_skips_who_can_place,
    p7_no_lane_is_tied,
)

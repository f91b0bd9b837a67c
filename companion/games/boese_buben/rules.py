"""Böse Buben: four races in which those who stay on the track are paid. docs/rules/boese_buben.md, in its order.

The cards, and what a single lane takes and pays, are in cards.py; what hands and tracks allow is in choices.py.
Lanes and places are counted from 1 in moves, events and `asked`; place 1 of a track is its oldest card, place 1 of
a penalty zone what was thrown out first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple, TypeVar

from companion.core.choices import Args
from companion.core.errors import IllegalMove, OptionError
from companion.core.event import Event, event
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.core.options import option
from companion.core.rules import Outcome
from companion.core.text import Text, msg
from companion.games.boese_buben.cards import (
    CARDS,
    NO_CARD,
    NOBODY,
    VALUES,
    Action,
    Card,
    LaneResult,
    Tracks,
    card_text,
    hand_of,
    hand_points,
    indexes_of,
    lane_result,
    owner,
    value,
)
from companion.games.boese_buben.choices import Plays, can_place, is_pair, targets

T = TypeVar("T")

FURTHER_MC: Final = 3
"""What each master of ceremonies beyond the price list costs (BB-A15)."""

LEAVE, BUY, FREE = range(3)
"""What the owner of a penalty card can answer (BB-R18, BB-R29)."""

SEATS: Final = range(2, 5)

DRAWS: Final = frozenset({"first"})

SECRETS: Final = frozenset({"answer"})

PRIVATE: Final = frozenset({"play"})
"""What a player could place tells the hand, although every card is played openly."""


# --- Options and components -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rulings:
    """The house rules of one match (docs/rules/boese_buben.md, "Rulings")."""

    variant: str = option(
        "basic",
        msg("the basic game, or the game with the action texts"),
        choices=("basic", "action"),
        label=msg("Game"),
        words={"basic": msg("basic"), "action": msg("with the texts")},
    )
    monochrome_lane: str = option(
        "three",
        msg("a lane of one colour pays nothing when it has three cards, or with any number"),
        choices=("three", "any"),
        label=msg("One colour is unpaid"),
        words={"three": msg("with three cards"), "any": msg("with any number")},
    )
    next_start: str = option(
        "after_last_play",
        msg("the next race begins left of who placed the last card, or left of who began this race"),
        choices=("after_last_play", "after_starter"),
        label=msg("Next race begins"),
        words={"after_last_play": msg("after the last card"), "after_starter": msg("after the last starter")},
    )
    kostenlos: str = option(
        "one",
        msg("Kostenlos takes back one card for nothing, or all own cards"),
        choices=("one", "all"),
        label=msg("Kostenlos"),
        words={"one": msg("one card"), "all": msg("all own cards")},
    )


class Box(NamedTuple):
    """What is in the box; `actions` and `goblins` (the price of a card) are in the order of NAMES.

    `ducats` is all the money there is; `mc_cost` what 0, 1, 2... masters of ceremonies cost at the end.
    """

    actions: tuple[Action, ...]
    goblins: tuple[int, ...]
    ducats: int
    start_ducats: int
    races: int
    lane_prize: int
    mc_cards: int
    mc_cost: tuple[int, ...]
    track_limit: int
    penalty_limit: int


class Phase(StrEnum):
    """What the match waits for."""

    SETUP = "setup"  # who begins
    TURN = "turn"  # a card
    ACTION = "action"  # what the player does with the text of the card just placed
    MC = "mc"  # whether a master of ceremonies goes from one player to another
    BRIBERY = "bribery"  # whether an owner buys a card back
    OVER = "over"


class Terms(NamedTuple):
    """What stays the same through a match; `actions` are those in play, none in the basic game."""

    box: Box
    rulings: Rulings
    seats: int
    actions: tuple[Action, ...]


class Books(NamedTuple):
    """What changes from race to race: money, masters of ceremonies, and what came of the last race.

    `free` is who may take back a card for nothing, `out` what left the game, `unpaid` who could not pay at the end.
    """

    race: int
    starter: Seat
    purses: tuple[int, ...]
    bank: int
    mc: tuple[int, ...]
    free: Seat
    results: tuple[LaneResult, ...]
    out: tuple[Card, ...]
    unpaid: tuple[Seat, ...]


class State(NamedTuple):
    """A position. `hands` are sets of indexes as bits, `last` the card placed last in this race.

    `asked` is (lane, place) of the penalty card whose owner is asked, (0, 0) while none is.
    """

    terms: Terms
    books: Books
    phase: Phase
    mover: Seat
    last: Card
    tracks: Tracks
    zones: Tracks
    hands: tuple[int, ...]
    asked: tuple[int, int]


NOT_ASKED: Final = (0, 0)

Told = tuple[State, list[Event]]
"""The position after a move, and what to tell of it."""


def mc_cost(box: Box, cards: int) -> int:
    """Return what so many masters of ceremonies cost (BB-R25, BB-A15)."""
    known = len(box.mc_cost) - 1
    return box.mc_cost[min(cards, known)] + FURTHER_MC * max(0, cards - known)


# --- Set-up (BB-R1 to BB-R4) ------------------------------------------------------------------------------


def setup(box: Box, rulings: Rulings, seats: int) -> State:
    """Return the position before it is known who begins. Raise OptionError for a wrong number of seats."""
    if seats not in SEATS:
        raise OptionError(msg("Böse Buben is for 2 to 4 players, not {n}", n=seats))
    lanes = seats + 1  # BB-R2
    actions = box.actions if rulings.variant == "action" else (Action.NONE,) * CARDS
    books = Books(
        race=0,
        starter=NOBODY,
        purses=(box.start_ducats,) * seats,
        bank=box.ducats - box.start_ducats * seats,
        mc=(0,) * seats,
        free=NOBODY,
        results=(),
        out=(),
        unpaid=(),
    )
    return State(
        terms=Terms(box, rulings, seats, actions),
        books=books,
        phase=Phase.SETUP,
        mover=TABLE,
        last=NO_CARD,
        tracks=((),) * lanes,
        zones=((),) * lanes,
        hands=(hand_of(range(CARDS)),) * seats,
        asked=NOT_ASKED,
    )


def _firsts(state: State) -> Sequence[Move]:
    return [Move(TABLE, "first", (seat,)) for seat in range(state.terms.seats)]


def _first(state: State, args: Args) -> Told:
    box = state.terms.box
    ready = event("ready", cards=CARDS, ducats=box.start_ducats, lanes=len(state.tracks))
    return _begin(state, args[0], [ready])


# --- A turn (BB-R5 to BB-R9) ------------------------------------------------------------------------------


def _plays(state: State) -> Sequence[Move]:
    return Plays(state.mover, state.hands[state.mover], state.tracks)


def _play(state: State, args: Args) -> Told:
    terms, books, _, seat, _, tracks, zones, hands, _ = state
    index, lane = args
    card = seat * CARDS + index
    track = (*tracks[lane - 1], card)
    events = [_told("played", card, lane)]
    ended = False
    if len(track) > terms.box.track_limit:  # BB-R8
        fallen, *_ = track
        track = track[1:]
        zone = (*zones[lane - 1], fallen)
        zones = _with(zones, lane, zone)
        events.append(_told("falls", fallen, lane))
        ended = len(zone) >= terms.box.penalty_limit
    tracks = _with(tracks, lane, track)
    hands = (*hands[:seat], hands[seat] ^ 1 << index, *hands[seat + 1 :])
    state = State(terms, books, Phase.TURN, seat, card, tracks, zones, hands, NOT_ASKED)
    if ended:
        return _race_over(state, seat, events)  # BB-R10
    if terms.actions[index] != Action.NONE and targets(terms.actions[index], seat, tracks):
        return state._replace(phase=Phase.ACTION), events  # BB-A18
    return _go_on(state, events)


@cache
def _told(kind: str, card: Card, lane: int) -> Event:
    """Return an event about a card in a lane; the same few come in every match."""
    return event(kind, owner(card), card=card_text(card), lane=lane)


def _go_on(state: State, events: list[Event]) -> Told:
    """Give the turn to the next seat."""
    return _turn(state, state.mover + 1, events)


def _turn(state: State, first: Seat, events: list[Event]) -> Told:
    """Give the turn to the first seat clockwise that can place a card (BB-R4); the others skip (BB-R9, BB-A1)."""
    terms, books, _, _, last, tracks, zones, hands, asked = state
    for step in range(terms.seats):
        seat = (first + step) % terms.seats
        if can_place(hands[seat], tracks):
            if step:
                events += [event("skips", (first + before) % terms.seats) for before in range(step)]
            return State(terms, books, Phase.TURN, seat, last, tracks, zones, hands, asked), events
    return _race_over(state, NOBODY, events)  # BB-R12, BB-A6


# --- Actions (BB-R28 to BB-R33) ---------------------------------------------------------------------------


def _actions(state: State) -> Sequence[Move]:
    return targets(state.terms.actions[state.last % CARDS], state.mover, state.tracks)


def _exchange(state: State, args: Args) -> Told:
    lane, place, other_lane, other_place = args
    track, other_track = state.tracks[lane - 1], state.tracks[other_lane - 1]
    card, other = track[place - 1], other_track[other_place - 1]
    tracks = _with(state.tracks, lane, _with(track, place, other))
    tracks = _with(tracks, other_lane, _with(other_track, other_place, card))
    pair = (card, other)
    swapped = event(
        "exchanged",
        state.mover,
        cards=tuple(map(card_text, pair)),
        seats=tuple(map(owner, pair)),
        lanes=(lane, other_lane),
    )
    return _go_on(state._replace(tracks=tracks), [swapped])


def _eject(state: State, args: Args) -> Told:
    # BB-R32, BB-A19: to the penalty zone of its lane, and a ducat from the bank for the acting player.
    lane, place = args
    books, seat, track = state.books, state.mover, state.tracks[lane - 1]
    zone = (*state.zones[lane - 1], track[place - 1])
    events = [_told("thrown", track[place - 1], lane), event("reward", seat, ducats=1)]
    books = books._replace(purses=_plus(books.purses, seat, 1), bank=books.bank - 1)
    events += _bank_warning(state.books, books)
    state = state._replace(
        books=books,
        tracks=_with(state.tracks, lane, (*track[: place - 1], *track[place:])),
        zones=_with(state.zones, lane, zone),
    )
    if len(zone) >= state.terms.box.penalty_limit:
        return _race_over(state, seat, events)  # BB-A20
    return _go_on(state, events)


def _reorder(state: State, args: Args) -> Told:
    lane, *order = args
    track = tuple(state.tracks[lane - 1][place - 1] for place in order)
    cards = tuple(map(card_text, track))
    reordered = event("reordered", state.mover, lane=lane, cards=cards, seats=tuple(map(owner, track)))
    return _go_on(state._replace(tracks=_with(state.tracks, lane, track)), [reordered])


def _decline(state: State, _: Args) -> Told:
    declined = event("declined", state.mover)
    return _score(state, [declined]) if state.phase == Phase.MC else _go_on(state, [declined])


# --- The end of a race (BB-R10 to BB-R12, BB-R29, BB-R30) -------------------------------------------------


def _race_over(state: State, ender: Seat, events: list[Event]) -> Told:
    books, terms = state.books, state.terms
    if ender == NOBODY:
        return _score(state, [*events, event("early_end", race=books.race)])  # BB-A5, BB-A28
    mc = _plus(books.mc, ender, 1)  # BB-R11
    events += [event("race_end", ender, race=books.race), event("mc", ender, cards=mc[ender])]
    action = terms.actions[state.last % CARDS]
    free = ender if action == Action.KOSTENLOS and books.race < terms.box.races else NOBODY  # BB-A26
    if free != NOBODY:
        events.append(event("free_right", ender, cards=terms.rulings.kostenlos))
    state = state._replace(books=books._replace(mc=mc, free=free))
    if action == Action.SCHIEBUNG:
        return state._replace(phase=Phase.MC, mover=ender), events  # BB-A27
    return _score(state, events)


def _mc_moves(state: State) -> Sequence[Move]:
    seats = range(state.terms.seats)
    moves = [
        Move(state.mover, "move_mc", (giver, taker))
        for giver in seats
        for taker in seats
        if state.books.mc[giver] and taker != giver
    ]
    return [*moves, Move(state.mover, "decline")]


def _move_mc(state: State, args: Args) -> Told:
    giver, taker = args
    mc = _plus(_plus(state.books.mc, giver, -1), taker, 1)
    moved = event("mc_moved", state.mover, source=giver, seats=(taker,), cards=mc[taker])
    return _score(state._replace(books=state.books._replace(mc=mc)), [moved])


# --- Scoring (BB-R13 to BB-R17) ---------------------------------------------------------------------------


def _score(state: State, events: list[Event]) -> Told:
    books, prize = state.books, state.terms.box.lane_prize
    results = tuple(lane_result(track, state.terms.rulings.monochrome_lane) for track in state.tracks)
    purses = books.purses
    for lane, (winner, why) in enumerate(results, 1):
        if winner == NOBODY:
            events.append(_lane_told(lane, None, why, 0))
            continue
        events.append(_lane_told(lane, winner, why, prize))
        purses = _plus(purses, winner, prize)
    paid = sum(purses) - sum(books.purses)
    after = books._replace(purses=purses, bank=books.bank - paid, results=results)
    events += _bank_warning(books, after)
    state = state._replace(books=after)
    if books.race < state.terms.box.races:
        return _ask(state, 1, 1, events)
    return _settle(state, events)  # BB-R22


@cache
def _lane_told(lane: int, winner: Seat | None, why: str, ducats: int) -> Event:
    return event("lane", winner, lane=lane, why=why, ducats=ducats)


def _bank_warning(before: Books, after: Books) -> list[Event]:
    return [event("bank_empty")] if before.bank >= 0 > after.bank else []  # BB-A33


# --- Bribery (BB-R18 to BB-R22) ---------------------------------------------------------------------------


def _ask(state: State, lane: int, place: int, events: list[Event]) -> Told:
    """Ask for the next penalty card, from this one on: lanes from the top, oldest card first (BB-A12)."""
    terms, books, _, _, last, tracks, zones, hands, _ = state
    for later in range(lane, len(zones) + 1):
        zone = zones[later - 1]
        if place <= len(zone):
            seat, asked = owner(zone[place - 1]), (later, place)
            return State(terms, books, Phase.BRIBERY, seat, last, tracks, zones, hands, asked), events
        place = 1
    return _next_race(state, events)


def asked_card(zones: Tracks, asked: tuple[int, int]) -> Card:
    """Return the penalty card asked for, NO_CARD while none is."""
    lane, place = asked
    return zones[lane - 1][place - 1] if lane else NO_CARD


@cache
def _answers_of(seat: Seat, free: bool) -> Sequence[Move]:
    return tuple(SecretMove(seat, "answer", (said,)) for said in (BUY, LEAVE, FREE)[: 2 + free])


def _answers(state: State) -> Sequence[Move]:
    return _answers_of(state.mover, state.books.free == state.mover)


def released(state: State, move: Move) -> int | None:
    """Return what everybody sees of an answer: left, bought or for nothing. Without money it is left (BB-A13)."""
    if move.verb != "answer":
        return None
    said = move.args[0]
    price = state.terms.box.goblins[asked_card(state.zones, state.asked) % CARDS]
    return LEAVE if said == BUY and state.books.purses[move.seat] < price else said


def _answer(state: State, args: Args) -> Told:
    (lane, place), seat, books = state.asked, state.mover, state.books
    said = released(state, Move(seat, "answer", args))
    zone = state.zones[lane - 1]
    card = zone[place - 1]
    if said == LEAVE:
        return _ask(state, lane, place + 1, [_told("left", card, lane)])
    price = 0 if said == FREE else state.terms.box.goblins[card % CARDS]
    spent = said == FREE and state.terms.rulings.kostenlos == "one"  # BB-A25
    state = state._replace(
        books=books._replace(
            purses=_plus(books.purses, seat, -price),
            bank=books.bank + price,
            free=NOBODY if spent else books.free,
        ),
        zones=_with(state.zones, lane, (*zone[: place - 1], *zone[place:])),
        hands=_plus(state.hands, seat, 1 << card % CARDS),
    )
    bought = event("bought", seat, card=card_text(card), lane=lane, ducats=price)
    return _ask(state, lane, place, [bought])  # the next card has moved up to this place


# --- The next race, and the end (BB-R23 to BB-R27) --------------------------------------------------------


def _next_race(state: State, events: list[Event]) -> Told:
    books, seats = state.books, state.terms.seats
    left = sum(state.zones, ())
    if left:
        events.append(event("removed", cards=len(left)))  # BB-R21
    last = owner(state.last)
    if state.last == NO_CARD or state.terms.rulings.next_start == "after_starter":
        last = books.starter  # BB-A16
    state = state._replace(
        books=books._replace(free=NOBODY, out=books.out + left), zones=((),) * len(state.zones), asked=NOT_ASKED
    )
    return _begin(state, (last + 1) % seats, events)


def _begin(state: State, starter: Seat, events: list[Event]) -> Told:
    # BB-R23: the tracks stay as they are, nobody gets new cards. BB-A7: perhaps nobody can place one.
    books = state.books._replace(race=state.books.race + 1, starter=starter)
    events.append(event("race", starter, race=books.race))
    return _turn(state._replace(books=books, last=NO_CARD), starter, events)


def _settle(state: State, events: list[Event]) -> Told:
    books, box = state.books, state.terms.box
    purses, left, unpaid = books.purses, sum(state.zones, ()), []
    for seat, cards in enumerate(books.mc):
        cost = mc_cost(box, cards)  # BB-R25
        if purses[seat] < cost:
            unpaid.append(seat)  # BB-R26, BB-A32
            events.append(event("mc_unpaid", seat, cards=cards, ducats=cost))
            continue
        purses = _plus(purses, seat, -cost)
        if cards:
            events.append(event("mc_paid", seat, cards=cards, ducats=cost))
    books = books._replace(
        purses=purses,
        bank=books.bank + sum(books.purses) - sum(purses),
        out=books.out + left,  # BB-A34
        unpaid=tuple(unpaid),
    )
    zones = ((),) * len(state.zones)
    state = state._replace(books=books, phase=Phase.OVER, mover=NOBODY, zones=zones)
    ranking, reason = _ranking(state)
    return state, [*events, event("over", ranking=ranking, purses=purses, reason=reason)]


_REASONS: Final[dict[str, Text]] = {
    "ducats": msg("the most ducats of those who could pay for their masters of ceremonies"),
    "cards": msg("equal in ducats, more points on the cards in hand"),
    "shared": msg("equal in ducats and cards"),
    "debt": msg("nobody could pay for the masters of ceremonies, and this debt is the smallest"),
    "shared_debt": msg("nobody could pay for the masters of ceremonies, and these debts are the smallest"),
}


def _ranking(state: State) -> tuple[tuple[tuple[Seat, ...], ...], str]:
    """Return the places from first to last, and by what the first was decided."""
    books, merits = state.books, []
    for seat in range(state.terms.seats):
        if seat in books.unpaid:  # BB-R26, BB-A31
            merits.append((0, books.purses[seat] - mc_cost(state.terms.box, books.mc[seat]), 0))
        else:
            merits.append((1, books.purses[seat], hand_points(state.hands[seat])))
    ranking = tuple(
        tuple(seat for seat, merit in enumerate(merits) if merit == best)
        for best in sorted(set(merits), reverse=True)
    )
    first = merits[ranking[0][0]]
    shared = len(ranking[0]) > 1
    if not first[0]:
        return ranking, "shared_debt" if shared else "debt"
    if shared:
        return ranking, "shared"  # BB-A30
    level = sum(merit[:2] == first[:2] for merit in merits)
    return ranking, "cards" if level > 1 else "ducats"


def outcome(state: State) -> Outcome | None:
    """Return the ranking: ducats, then cards in hand; those who could not pay come last (BB-R26, BB-R27)."""
    if state.phase != Phase.OVER:
        return None
    ranking, reason = _ranking(state)
    return Outcome(ranking, _REASONS[reason])


# --- The contract: who may do what, and doing it ----------------------------------------------------------


def _nothing(_: State) -> Sequence[Move]:
    return ()


_CHOICES: Final[dict[str, Callable[[State], Sequence[Move]]]] = {
    Phase.SETUP: _firsts,
    Phase.TURN: _plays,
    Phase.ACTION: _actions,
    Phase.MC: _mc_moves,
    Phase.BRIBERY: _answers,
    Phase.OVER: _nothing,
}
"""The moves of whoever has to move: the only place where legality is decided."""


class _Verb(NamedTuple):
    """One kind of move: the paragraph that governs it, why it may be refused, what it does."""

    rule: str
    refusal: Text
    apply: Callable[[State, Args], Told]


_VERBS: Final = {
    "first": _Verb("BB-R4", msg("who begins is one of the seats, named once"), _first),
    "play": _Verb("BB-R5", msg("no card is due now"), _play),
    "exchange": _Verb("BB-R31", msg("an Austausch swaps equal values of two players on the tracks"), _exchange),
    "eject": _Verb("BB-R32", msg("a Rauswurf throws a 5 or 6 off a track"), _eject),
    "reorder": _Verb("BB-R33", msg("a Rängelei puts all cards of one track into another order"), _reorder),
    "decline": _Verb("BB-R28", msg("there is no action to decline"), _decline),
    "move_mc": _Verb("BB-R30", msg("an MC card goes from a player who has one to another player"), _move_mc),
    "answer": _Verb("BB-A13", msg("not accepted"), _answer),
}


def to_act(state: State) -> tuple[Seat, ...]:
    """Return who may move: always one seat, or the TABLE before the first race."""
    return () if state.phase == Phase.OVER else (state.mover,)


def legal(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of one seat, or of the TABLE."""
    return _CHOICES[state.phase](state) if seat == state.mover else ()


def draws(state: State) -> Sequence[Move]:
    """Return the draws of a dealer: any seat may begin (BB-A17)."""
    return _firsts(state) if state.phase == Phase.SETUP else ()


def apply(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the position after a move and what to tell of it. Raise IllegalMove."""
    if move not in legal(state, move.seat):
        raise _refusal(state, move)
    state, events = _VERBS[move.verb].apply(state, move.args)
    return state, tuple(events)


def _refusal(state: State, move: Move) -> IllegalMove:
    """Say which paragraph refuses a move; an answer is refused in the same words whatever the reason (BB-A13)."""
    seat, name, args = move
    if name not in _VERBS:
        return IllegalMove(seat, "BB-R5", msg("Böse Buben knows no move {name!r}", name=name))
    rule, refusal, _ = _VERBS[name]
    if name == "answer":
        return IllegalMove(seat, rule, refusal)
    if state.phase == Phase.OVER:
        return IllegalMove(seat, "BB-R27", msg("the match is over"))
    if seat != state.mover:
        return IllegalMove(seat, "BB-R4", msg("it is not the turn of that seat"))
    if state.phase == Phase.BRIBERY:
        return IllegalMove(seat, "BB-R18", msg("first answer whether you buy your card back"))
    if state.phase == Phase.TURN and name == "play" and is_pair(args):
        return _refused_play(state, seat, *args)
    return IllegalMove(seat, rule, refusal)


def _refused_play(state: State, seat: Seat, index: int, lane: int) -> IllegalMove:
    if not 1 <= lane <= len(state.tracks):
        return IllegalMove(seat, "BB-R2", msg("the lanes are 1 to {lanes}", lanes=len(state.tracks)))
    if not (0 <= index < CARDS and state.hands[seat] >> index & 1):
        return IllegalMove(seat, "BB-R5", msg("you do not hold this card"))
    track = state.tracks[lane - 1]
    falling = len(track) == state.terms.box.track_limit and value(track[0]) == VALUES[index]
    shown = msg("lane {lane} shows a {value} already", lane=lane, value=VALUES[index])
    return IllegalMove(seat, "BB-R7" if falling else "BB-R6", shown)


# --- Views ------------------------------------------------------------------------------------------------


class View(NamedTuple):
    """What an audience may see; `you` is the reader, None for everybody.

    `hand`, `purse` and `moves` are the reader's own; `purses` and `hands` are () until the match is over.
    `card` is the penalty card asked for, `price` what it costs.
    """

    you: Seat | None
    box: Box
    rulings: Rulings
    phase: Phase
    race: int
    mover: Seat
    starter: Seat
    last: Card
    tracks: Tracks
    zones: Tracks
    counts: tuple[int, ...]
    mc: tuple[int, ...]
    asked: tuple[int, int]
    card: Card
    price: int
    free: Seat
    results: tuple[LaneResult, ...]
    out: int
    unpaid: tuple[Seat, ...]
    hand: tuple[Card, ...]
    purse: int | None
    moves: tuple[Move, ...]
    hands: Tracks
    purses: tuple[int, ...]
    outcome: Outcome | None


def view(state: State, seat: Seat | None) -> View:
    """Return what a seat, or everybody, may see: no purse, no hand and no list of moves but the own."""
    books, over = state.books, state.phase == Phase.OVER
    hands = tuple(
        tuple(player * CARDS + index for index in indexes_of(hand)) for player, hand in enumerate(state.hands)
    )
    card = asked_card(state.zones, state.asked)
    return View(
        you=seat,
        box=state.terms.box,
        rulings=state.terms.rulings,
        phase=state.phase,
        race=books.race,
        mover=state.mover,
        starter=books.starter,
        last=state.last,
        tracks=state.tracks,
        zones=state.zones,
        counts=tuple(map(len, hands)),
        mc=books.mc,
        asked=state.asked,
        card=card,
        price=0 if card == NO_CARD else state.terms.box.goblins[card % CARDS],
        free=books.free,
        results=books.results,
        out=len(books.out),
        unpaid=books.unpaid,
        hand=() if seat is None else hands[seat],
        purse=None if seat is None else books.purses[seat],
        moves=() if seat is None else tuple(legal(state, seat)),
        hands=hands if over else (),
        purses=books.purses if over else (),
        outcome=outcome(state),
    )


def _with(items: tuple[T, ...], number: int, item: T) -> tuple[T, ...]:
    """Return the items with another one in the place that is `number`, counted from 1."""
    return (*items[: number - 1], item, *items[number:])


def _plus(counts: tuple[int, ...], seat: Seat, change: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + change, *counts[seat + 1 :])

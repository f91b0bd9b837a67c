"""A turn: a card is placed, and its text is used (BB-R5 to BB-R9, BB-R28 to BB-R33)."""

from collections.abc import Sequence

from companion.core.choices import Args
from companion.core.event import event
from companion.core.move import Move
from companion.games.boese_buben.rules import kinds
from companion.games.boese_buben.rules.cards import (
    CARDS,
    Action,
    card_text,
    owner,
)
from companion.games.boese_buben.rules.choices import Plays, targets
from companion.games.boese_buben.rules.components import (
    NOT_ASKED,
    Phase,
    State,
    Told,
    card_event,
    with_added,
    with_nth,
)
from companion.games.boese_buben.rules.race import bank_warning, end_race, next_turn, score_race

# --- A turn (BB-R5 to BB-R9) ----------------------------------------------------------------------------


def plays(state: State) -> Sequence[Move]:
    return Plays(state.mover, state.hands[state.mover], state.tracks)


def apply_play(state: State, args: Args) -> Told:
    terms, books, _, seat, _, tracks, zones, hands, _ = state
    index, lane = args
    card = seat * CARDS + index
    track = (*tracks[lane - 1], card)
    events = [card_event(kinds.Played, card, lane)]
    ended = False
    if len(track) > terms.box.track_limit:  # BB-R8
        fallen, *_ = track
        track = track[1:]
        zone = (*zones[lane - 1], fallen)
        zones = with_nth(zones, lane, zone)
        events.append(card_event(kinds.Falls, fallen, lane))
        ended = len(zone) >= terms.box.penalty_limit
    tracks = with_nth(tracks, lane, track)
    hands = (*hands[:seat], hands[seat] ^ 1 << index, *hands[seat + 1 :])
    state = State(terms, books, Phase.TURN, seat, card, tracks, zones, hands, NOT_ASKED)
    if ended:
        return end_race(state, seat, events)  # BB-R10
    if terms.actions[index] != Action.NONE and targets(terms.actions[index], seat, tracks):
        return state._replace(phase=Phase.ACTION), events  # BB-A18
    return next_turn(state, events)


# --- Actions (BB-R28 to BB-R33) -------------------------------------------------------------------------


def actions(state: State) -> Sequence[Move]:
    return targets(state.terms.actions[state.last % CARDS], state.mover, state.tracks)


def apply_exchange(state: State, args: Args) -> Told:
    lane, place, other_lane, other_place = args
    track, other_track = state.tracks[lane - 1], state.tracks[other_lane - 1]
    card, other = track[place - 1], other_track[other_place - 1]
    tracks = with_nth(state.tracks, lane, with_nth(track, place, other))
    tracks = with_nth(tracks, other_lane, with_nth(other_track, other_place, card))
    pair = (card, other)
    swapped = event(
        kinds.Exchanged(cards=tuple(map(card_text, pair)), seats=tuple(map(owner, pair)), lanes=(lane, other_lane)),
        state.mover,
    )
    return next_turn(state._replace(tracks=tracks), [swapped])


def apply_eject(state: State, args: Args) -> Told:
    # BB-R32, BB-A19: to the penalty zone of its lane, and a ducat from the bank for the acting player.
    lane, place = args
    books, seat, track = state.books, state.mover, state.tracks[lane - 1]
    zone = (*state.zones[lane - 1], track[place - 1])
    events = [card_event(kinds.Thrown, track[place - 1], lane), event(kinds.Reward(ducats=1), seat)]
    books = books._replace(purses=with_added(books.purses, seat, 1), bank=books.bank - 1)
    events += bank_warning(state.books, books)
    state = state._replace(
        books=books,
        tracks=with_nth(state.tracks, lane, (*track[: place - 1], *track[place:])),
        zones=with_nth(state.zones, lane, zone),
    )
    if len(zone) >= state.terms.box.penalty_limit:
        return end_race(state, seat, events)  # BB-A20
    return next_turn(state, events)


def apply_reorder(state: State, args: Args) -> Told:
    lane, *order = args
    track = tuple(state.tracks[lane - 1][place - 1] for place in order)
    cards = tuple(map(card_text, track))
    reordered = event(kinds.Reordered(lane=lane, cards=cards, seats=tuple(map(owner, track))), state.mover)
    return next_turn(state._replace(tracks=with_nth(state.tracks, lane, track)), [reordered])


def apply_decline(state: State, _: Args) -> Told:
    declined = event(kinds.Declined(), state.mover)
    return score_race(state, [declined]) if state.phase == Phase.MC else next_turn(state, [declined])

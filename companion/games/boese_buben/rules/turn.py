"""A turn: placing a card and using its action text (BB-R5 to BB-R9, BB-R28 to BB-R33)."""

from companion.core.choices import ONE, Args, Choices
from companion.core.move import Seat, with_added, with_item
from companion.core.verbs import Told, tell
from companion.games.boese_buben.rules import kinds
from companion.games.boese_buben.rules.cards import (
    CARDS,
    NO_TEXT,
    Action,
    Card,
    Tracks,
    card_text,
    lying,
    owner,
)
from companion.games.boese_buben.rules.choices import Plays, targets
from companion.games.boese_buben.rules.components import (
    Phase,
    Rulings,
    State,
    action_of,
    barring,
    tell_card,
)
from companion.games.boese_buben.rules.race import end_race, next_turn, score_race, warn_of_bank

# --- A turn (BB-R5 to BB-R9) ----------------------------------------------------------------------------


def plays(state: State, seat: Seat) -> Choices:
    return Plays(state.hands[seat], barring(state.terms.rulings, state.tracks, state.zones))


def apply_play(state: State, seat: Seat, args: Args, told: Told) -> State:
    """Place a card. The oldest may fall and the race may end."""
    box, zones = state.terms.box, state.zones
    index, lane = args
    card = seat * CARDS + index
    track = (*state.tracks[lane - 1], card)
    tell_card(told, kinds.Played, card, lane)
    ended = False
    if len(track) > box.track_limit:  # BB-R8
        fallen, track = track[0], track[1:]
        zone = (*zones[lane - 1], fallen)
        zones = with_item(zones, lane - 1, zone)
        ended = len(zone) >= box.penalty_limit
        tell_card(told, kinds.Falls, fallen, lane)
    state = state._replace(
        last=card,
        tracks=with_item(state.tracks, lane - 1, track),
        zones=zones,
        hands=with_added(state.hands, seat, -(1 << index)),
    )
    if ended:
        return end_race(state, seat, told)  # BB-R10
    if state.terms.actions[index] != NO_TEXT and action_targets(state, seat):  # BB-A18
        return state._replace(phase=Phase.ACTION)
    return next_turn(state, told)


# --- Actions (BB-R28 to BB-R33) -------------------------------------------------------------------------


def action_targets(state: State, _: Seat) -> Choices:
    mud = state.zones if state.terms.rulings.austausch_mud else ()  # BB-A23
    return targets(action_of(state), state.tracks, mud)


def may_decline(state: State, _: Seat) -> Choices:
    """Return whether the action may be declined (BB-R28); a mandatory Rauswurf may not (BB-A19)."""
    return () if must_throw(state.phase, action_of(state), state.terms.rulings) else ONE


def must_throw(phase: Phase, action: Action, rulings: Rulings) -> bool:
    """Return True if a 5 or a 6 must be thrown out now (BB-A19)."""
    return rulings.rauswurf == "must" and phase == Phase.ACTION and action == Action.RAUSWURF


def apply_exchange(state: State, seat: Seat, args: Args, told: Told) -> State:
    lane, place, other_lane, other_place = args
    pair = card, other = lying(state.tracks, state.zones, args[:2]), lying(state.tracks, state.zones, args[2:])
    tracks, zones = _laid(state.tracks, state.zones, args[:2], other)
    tracks, zones = _laid(tracks, zones, args[2:], card)
    if told is not None:
        cards, seats, lanes = tuple(map(card_text, pair)), tuple(map(owner, pair)), (lane, other_lane)
        mud = (place < 0, other_place < 0)
        tell(told, kinds.Exchanged, seat, cards, seats, lanes, mud if any(mud) else None)
    return next_turn(state._replace(tracks=tracks, zones=zones), told)


def _laid(tracks: Tracks, zones: Tracks, spot: Args, card: Card) -> tuple[Tracks, Tracks]:
    lane, place = spot
    if place > 0:
        return with_item(tracks, lane - 1, with_item(tracks[lane - 1], place - 1, card)), zones
    return tracks, with_item(zones, lane - 1, with_item(zones[lane - 1], -place - 1, card))


def apply_eject(state: State, seat: Seat, args: Args, told: Told) -> State:
    """Throw a card into its penalty zone and pay the mover a ducat (BB-R32, BB-A19)."""
    lane, place = args
    books, track = state.books, state.tracks[lane - 1]
    thrown = track[place - 1]
    zone = (*state.zones[lane - 1], thrown)
    tell_card(told, kinds.Thrown, thrown, lane)
    tell(told, kinds.Reward, seat, ducats=1)
    books = books._replace(purses=with_added(books.purses, seat, 1), bank=books.bank - 1)
    warn_of_bank(state.books, books, told)
    state = state._replace(
        books=books,
        tracks=with_item(state.tracks, lane - 1, (*track[: place - 1], *track[place:])),
        zones=with_item(state.zones, lane - 1, zone),
    )
    if len(zone) >= state.terms.box.penalty_limit:
        return end_race(state, seat, told)  # BB-A20
    return next_turn(state, told)


def apply_reorder(state: State, seat: Seat, args: Args, told: Told) -> State:
    lane, *order = args
    track = tuple(state.tracks[lane - 1][place - 1] for place in order)
    if told is not None:
        cards, seats = tuple(map(card_text, track)), tuple(map(owner, track))
        tell(told, kinds.Reordered, seat, lane, cards, seats)
    return next_turn(state._replace(tracks=with_item(state.tracks, lane - 1, track)), told)


def apply_decline(state: State, seat: Seat, _: Args, told: Told) -> State:
    tell(told, kinds.Declined, seat)
    return score_race(state, told) if state.phase == Phase.MC else next_turn(state, told)

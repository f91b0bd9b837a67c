"""Büro Crazy's frames, reached by real moves."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from companion.core.match import Match
from companion.core.move import TABLE, Move, SecretMove
from companion.display.frame import Beat, Frame, Play
from companion.games import load
from companion.games.buro_crazy.rules import State, View, bid_verb
from companion.games.buro_crazy.rules.building import LAST
from companion.games.buro_crazy.rules.components import Phase
from companion.match.new_match import new_match
from tests.display import gallery

SEATS: Final = (3, 5)

CAPTIONS: Final = {
    "setup": "The figures are placed on the stairs.",
    "first": "The first pair on the stairs: two secret bids are due.",
    "ground_floor": "A pair on the ground floor: one of the two will go up.",
    "offices": "The house fills.",
    "own_pair": "A player owned both figures of a pair: one went up without bids.",
    "last_duel": "The last two bid for the boss suite.",
    "points": "Only points are tracked: bids without cards.",
    "tie": "Equal bids: each loses half to the roof, and both bid again. The sign counts ties.",
    "tie_again": "One of the two has locked again.",
    "zero_tie": "Both bid nothing, lose nothing and bid again.",
    "coin": "After several ties at nothing a coin decides.",
    "coin_fallen": "The coin has fallen.",
    "roof": "With real cards: the house counts the roof, and all players key their points.",
    "reports": "The roof is counted, and one player has keyed their points.",
    "locked": "One bid is locked, and stays secret.",
    "drum": "Both are locked: the padlocks tremble.",
    "revealed": "Both bids at once.",
    "effects": "The higher bid goes to the roof; the kitchen pays the other player the difference.",
    "over": "The end: all points.",
}

WAYS: Final = 31

Bid = tuple[int, ...]
NONE: Final[Bid] = (0, 0, 0, 0, 0)


def new(seats: int, *, placed: bool = True, way: int = 20, **rulings: object) -> Match:
    game = load("buro_crazy")
    match = new_match(game, gallery.NAMES[:seats], rulings=game.rulings(**rulings), deal="pi", seed="office")
    if placed:
        draws = game.rules.draws(match.state)
        match.push(draws[len(draws) * way // WAYS % len(draws)])
    return match


def bid(match: Match, left: Bid, right: Bid) -> Match:
    """Lock these cards, or points, for the two seats of the duel."""
    verb = bid_verb(match.state.terms.rulings)
    for seat, cards in zip(match.state.duel, (left, right), strict=True):
        match.push(SecretMove(seat, verb, cards))
    return match


def part(match: Match, seat: int, share: int) -> Bid:
    """Return the cards of a hand divided by `share`, rounded up."""
    return tuple(-(-number // share) for number in match.state.hands[seat])


def duel(match: Match) -> Match:
    """Let the seats take turns to bid their lowest card against nothing."""
    higher = match.state.duel[match.state.step % 2]
    hand = match.state.hands[higher]
    least = next(place for place, number in enumerate(hand) if number)
    one = tuple(int(place == least) for place in range(len(hand)))
    return bid(match, *(one if seat == higher else NONE for seat in match.state.duel))


def until(match: Match, done: Callable[[State], bool]) -> Match:
    while not done(match.state):
        if match.state.phase == Phase.BID:
            duel(match)
        else:
            match.push(match.game.rules.draws(match.state)[0])
    return match


def _at(step: int) -> Callable[[State], bool]:
    return lambda state: state.step >= step


def points(seats: int, step: int) -> Match:
    """Return a points-only match: bids alternate between 12 and 5 until `step`."""
    match = new(seats, tracking="points")
    while match.state.step < step:
        bid(match, *((12,), (5,))[:: 1 if match.state.step % 2 else -1])
    return match


def last_duel(seats: int) -> Match:
    matches = (until(new(seats, way=way), _at(LAST)) for way in range(WAYS))
    return next(match for match in matches if match.state.step == LAST)


def own_pair(seats: int) -> Match:
    """Return a match in which a seat has just won against itself."""
    for way in range(WAYS):
        match = until(new(seats, way=way), _at(8))
        while match.state.phase == Phase.BID:
            step = match.state.step
            if duel(match).state.step > step + 1:
                return match
    raise LookupError("no own pair")


def _beats(folder: Path, match: Match, left: Bid, right: Bid) -> dict[str, Frame]:
    """Return the frames of a reveal: drum, bids, effects."""
    first, second = match.state.duel
    match.push(SecretMove(first, "commit", left))
    before = gallery.Table(folder / "before", match).frame
    assert isinstance(before.screen, Play)
    old: View = before.screen.view
    match.push(SecretMove(second, "commit", right))
    after = gallery.Table(folder / "after", match).frame
    assert isinstance(after.screen, Play)
    return {
        "locked": before,
        "drum": before._replace(screen=before.screen._replace(beat=Beat.DRUM)),
        "revealed": after._replace(screen=after.screen._replace(beat=Beat.REVEALED, before=old)),
        "effects": after,
    }


def _duels(seats: int) -> Iterator[tuple[str, Match]]:
    yield "setup", new(seats, placed=False)
    yield "first", new(seats)
    yield "ground_floor", until(new(seats), _at(8))
    yield "offices", until(new(seats), _at(10))
    yield "own_pair", own_pair(seats)
    yield "last_duel", last_duel(seats)
    yield "points", points(seats, 3)


def _ties(seats: int) -> Iterator[tuple[str, Match]]:
    """Yield stages of the same match, each before it continues."""
    ties = until(new(seats), _at(3))
    yield "tie", bid(ties, (1, 1, 0, 0, 1), (1, 1, 0, 0, 1))
    ties.push(SecretMove(ties.state.duel[0], "commit", NONE))
    yield "tie_again", ties
    zeros = bid(until(new(seats, zero_tie_limit=2), _at(4)), NONE, NONE)
    yield "zero_tie", zeros
    yield "coin", bid(zeros, NONE, NONE)
    zeros.push(Move(TABLE, "coin", (zeros.state.duel[1],)))
    yield "coin_fallen", zeros


def _roof(seats: int) -> Iterator[tuple[str, Match]]:
    """Yield the counting of the roof and the reports of real cards."""
    match = points(seats, LAST + 1)
    yield "roof", match
    match.push(Move(TABLE, "counted", (75,)))
    match.push(SecretMove(0, "report", (match.view(0).reportable[0],)))
    yield "reports", match


def frames(folder: Path, seats: int) -> dict[str, Frame]:
    folder = folder / str(seats)
    found = {}
    for shown in (_duels, _ties, _roof):
        for name, match in shown(seats):
            found[name] = gallery.Table(folder / name, match).frame
    found |= _beats(folder / "beats", until(new(seats), _at(2)), (1, 1, 0, 0, 1), (0, 2, 0, 0, 0))
    match = last_duel(seats)
    left, right = match.state.duel
    bid(match, part(match, left, 2), part(match, right, 3))
    over = until(match, lambda state: state.phase == Phase.OVER)
    found["over"] = gallery.Table(folder / "over", over).plays[-1]
    return found

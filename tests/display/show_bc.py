"""Every scene and moment of Büro Crazy, reached by real moves through a match."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import gallery

from companion.core.match import Match
from companion.core.move import TABLE, Move, SecretMove
from companion.display.frame import Beat, Frame, Play
from companion.games import load
from companion.games.buro_crazy.building import LAST
from companion.games.buro_crazy.components import Phase
from companion.games.buro_crazy.rules import State, View
from companion.table import new_match

SEATS: Final = (3, 5)

WAYS: Final = 31

Bid = tuple[int, ...]
NONE: Final[Bid] = (0, 0, 0, 0, 0)


def new(seats: int, *, placed: bool = True, way: int = 20, **rulings: object) -> Match:
    """Return a match whose figures stand on the stairs, in one of many ways."""
    game = load("buro_crazy")
    match = new_match(game, gallery.NAMES[:seats], rulings=game.rulings(**rulings), deal="pi", seed="office")
    if placed:
        draws = game.rules.draws(match.state)
        match.push(draws[len(draws) * way // WAYS % len(draws)])
    return match


def bid(match: Match, left: Bid, right: Bid) -> Match:
    """Let the two whose duel it is lock these cards."""
    for seat, cards in zip(match.state.duel, (left, right), strict=True):
        match.push(SecretMove(seat, "commit", cards))
    return match


def part(match: Match, seat: int, share: int) -> Bid:
    """Return every so-manieth card of each value of a hand."""
    return tuple(-(-number // share) for number in match.state.hands[seat])


def duel(match: Match) -> Match:
    """Let one of the two whose duel it is bid the least card in hand and the other nothing, by turns."""
    higher = match.state.duel[match.state.step % 2]
    hand = match.state.hands[higher]
    least = next(place for place, number in enumerate(hand) if number)
    one = tuple(int(place == least) for place in range(len(hand)))
    return bid(match, *(one if seat == higher else NONE for seat in match.state.duel))


def until(match: Match, done: Callable[[State], bool]) -> Match:
    """Let everybody bid little until a position is there."""
    while not done(match.state):
        if match.state.phase == Phase.BID:
            duel(match)
        else:
            match.push(match.game.rules.draws(match.state)[0])
    return match


def _at(step: int) -> Callable[[State], bool]:
    return lambda state: state.step >= step


def last_duel(seats: int) -> Match:
    """Return a match in which two seats fight for the boss suite."""
    matches = (until(new(seats, way=way), _at(LAST)) for way in range(WAYS))
    return next(match for match in matches if match.state.step == LAST)


def own_pair(seats: int) -> Match:
    """Return a match in which a figure has just gone up from two of one seat."""
    for way in range(WAYS):
        match = until(new(seats, way=way), _at(8))
        while match.state.phase == Phase.BID:
            step = match.state.step
            if duel(match).state.step > step + 1:
                return match
    raise LookupError("no own pair")


def _beats(folder: Path, match: Match, left: Bid, right: Bid) -> dict[str, Frame]:
    """Return the frames of a reveal: drum, bids, what follows."""
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


def frames(folder: Path, seats: int) -> dict[str, Frame]:
    """Return all frames of a table of so many seats, by name; the hosts write to `folder`."""
    folder = folder / str(seats)
    found = {}

    def show(name: str, match: Match) -> None:
        found[name] = gallery.Table(folder / name, match).frame

    show("setup", new(seats, placed=False))
    show("first", new(seats))
    found |= _beats(folder / "beats", until(new(seats), _at(2)), (1, 1, 0, 0, 1), (0, 2, 0, 0, 0))
    ground = until(new(seats), _at(9))
    show("ground", ground)
    ties = until(new(seats), _at(3))
    show("tie", bid(ties, (1, 1, 0, 0, 1), (1, 1, 0, 0, 1)))
    seat = ties.state.duel[0]
    ties.push(SecretMove(seat, "commit", NONE))
    show("tie_again", ties)
    zeros = bid(until(new(seats, zero_tie_limit=2), _at(4)), NONE, NONE)
    show("zero_tie", zeros)
    show("coin", bid(zeros, NONE, NONE))
    zeros.push(Move(TABLE, "coin", (zeros.state.duel[1],)))
    show("coin_fallen", zeros)
    show("forfeit" if seats != 4 else "floor", until(new(seats), _at(8)))
    show("own_pair", own_pair(seats))
    top = last_duel(seats)
    show("top", top)
    left, right = top.state.duel
    bid(top, part(top, left, 2), part(top, right, 3))
    over = until(top, lambda state: state.phase == Phase.OVER)
    found["over"] = gallery.Table(folder / "over", over).plays[-1]
    show("points", until_points(new(seats, tracking="points"), 3))
    show("roof", until_points(new(seats, tracking="points"), LAST + 1))
    return found


def until_points(match: Match, step: int) -> Match:
    """Let everybody bid by turns 12 or 5 points until a pair is due."""
    while match.state.step < step and match.state.phase == Phase.BID:
        for side, seat in enumerate(match.state.duel):
            points = (12, 5)[(side + match.state.step) % 2]
            match.push(SecretMove(seat, "total", (points,)))
    return match

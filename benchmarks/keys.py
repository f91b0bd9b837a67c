"""Counts key presses per match of planners, who press as few keys as possible.

In Böse Buben: answers to buy-back questions, where one key may answer for all own cards of a zone. In Dé et
Boulanger: all keys of four players, with dice counted separately. In Büro Crazy with real cards: all keys except
those that confirm tasks.
"""

import random
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final, NamedTuple

from companion.core.console import KEYS, Keyed
from companion.core.dealer import Dealer
from companion.core.move import TABLE, Move, Seat, SecretMove, each_seat
from companion.games import load
from companion.games.boese_buben import rules as goblins
from companion.games.boese_buben.bots import Planner as Goblin
from companion.games.boese_buben.rules import Phase
from companion.games.buro_crazy.rules import Phase as OfficePhase
from companion.games.de_et_boulanger import console, rules
from companion.games.de_et_boulanger.bots import Planner
from companion.games.de_et_boulanger.game import GAME
from companion.games.de_et_boulanger.rules.components import Rulings, State

Report = Callable[..., None]

MATCHES: Final = 40
SEATS: Final = 4
LUCK: Final = random.Random(0)


class Count(NamedTuple):
    """Presses, keyed dice and requested dice."""

    presses: int
    dice: int
    asked: int


def match_of(seed: str, rulings: Rulings) -> Count:
    box = GAME.read_box(GAME.box_text, "box.toml")
    state, dealer, count = rules.setup(box, rulings, SEATS), Dealer(seed), Count(0, 0, 0)
    while rules.to_act(state):
        seat = next((seat for seat in rules.to_act(state) if seat != TABLE), None)
        plan = () if seat is None else _plan(state, seat)
        if rules.draws(state) or (plan and plan[0].verb == "ready"):
            count = count._replace(dice=count.dice + 1, asked=count.asked + (not rules.draws(state)))
            if not rules.draws(state):
                state = rules.apply(state, plan[0])
            state = rules.apply(state, dealer.choose(count.dice, rules.draws(state)))
            continue
        assert seat is not None
        keys, moves = _keys(state, seat, plan)
        count = count._replace(presses=count.presses + keys)
        for move in moves:
            state = rules.apply(state, move)
    return count


def _plan(state: State, seat: Seat) -> Sequence[Move]:
    """Return the planner's next move, or a step with all following steps."""
    planner, moves = Planner(), []
    while seat in rules.to_act(state):
        move = planner.decide(rules.view(state, seat), seat, LUCK)
        if move is None or (moves and move.verb != "step"):
            break
        moves.append(move)
        state = rules.apply(state, move)
        if move.verb != "step":
            break
    return tuple(moves)


def _keys(state: State, seat: Seat, plan: Sequence[Move]) -> tuple[int, Sequence[Move]]:
    """Return how many keys do most of a plan, and the moves that they make."""
    view = rules.view(state, seat)
    pressed = [console.key(view, seat, key, {}) for key in KEYS]
    done = max(pressed, key=lambda keyed: _share(keyed, plan))
    if _share(done, plan):
        return 1, done.moves
    keys, typed = console.keys_for(view, plan[0]), ""
    for key in keys:
        done = console.key(view, seat, key, {seat: typed})
        typed = done.entry
    assert done.move == plan[0]
    return len(keys), done.moves


def _share(keyed: Keyed, plan: Sequence[Move]) -> int:
    """Return how many moves of the plan a key makes; 0 if it makes others."""
    own = tuple(move for move in keyed.moves if move.verb == plan[0].verb)
    return len(own) if own and own == tuple(plan[: len(own)]) else 0


class Bribery(NamedTuple):
    """The buy-back questions of one match, and the presses if one key answers for all own cards."""

    questions: int
    presses: int


def bribery_of(seed: str, seats: int) -> Bribery:
    game, luck, dealer = load("boese_buben"), random.Random(seed), Dealer(seed)
    state = goblins.setup(game.read_box(game.box_text, "box.toml"), game.rulings(), seats)
    questions, said = 0, defaultdict[Hashable, list[int]](list)
    while goblins.to_act(state):
        if goblins.draws(state):
            state = goblins.apply(state, dealer.choose(0, goblins.draws(state)))
            continue
        view = goblins.view(state, state.mover)
        move = Goblin().decide(view, state.mover, luck)
        assert move is not None
        if view.phase == Phase.BRIBERY:
            questions += 1
            said[view.race, view.asked[0], state.mover] += move.args
        state = goblins.apply(state, move)
    return Bribery(questions, sum(map(_presses, said.values())))


def _presses(answers: Sequence[int]) -> int:
    """Return the presses; equal answers at the end need one."""
    alike = next((place for place, said in enumerate(answers[::-1]) if said != answers[-1]), len(answers))
    return len(answers) - alike + 1


class Office(NamedTuple):
    """Keys of one match of Büro Crazy with real cards, and its duels."""

    placed: int
    bids: int
    reports: int
    duels: int


def office_of(seed: str, seats: int) -> Office:
    """Play a match of planners; each reports a random possible number of points."""
    game, luck, dealer = load("buro_crazy"), random.Random(seed), Dealer(seed)
    state = game.rules.setup(game.read_box(game.box_text, "box.toml"), game.rulings(), seats)
    drawn, count = 0, Counter[str]()
    while game.rules.to_act(state):
        draws = game.rules.draws(state)
        if game.rules.view(state, None).phase == OfficePhase.ROOF:
            move = _reported(state, luck)
        elif draws:
            drawn += 1
            move = dealer.choose(drawn, draws)
        else:
            move = _bid(state, luck)
        if move.seat == TABLE:
            count[move.verb] += len(move.args) + 1
        else:
            count[move.verb] += len(game.console.keys_for(game.rules.view(state, move.seat), move))
            count["bids"] += move.verb == "commit"
        state = game.rules.apply(state, move)
    return Office(count["place"], count["commit"], count["report"], count["bids"] // 2)


def _bid(state: Any, luck: random.Random) -> Move:
    game = load("buro_crazy")
    bids = (
        game.bots["strong"].decide(game.rules.view(state, seat), seat, luck) for seat in game.rules.to_act(state)
    )
    return next(bid for bid in bids if bid)


def _reported(state: Any, luck: random.Random) -> Move:
    rules = load("buro_crazy").rules
    reported = rules.view(state, None).reported
    seat = next(seat for seat in each_seat(rules.view(state, None).seats) if seat not in reported)
    return SecretMove(seat, "report", (luck.choice(sorted(rules.view(state, seat).reportable)),))


def run(report: Report) -> None:
    for seats in load("buro_crazy").rules.SEATS:
        matches = [office_of(f"keys {number}", seats) for number in range(MATCHES)]
        for what, pick in (("median", statistics.median), ("most", max)):
            figures = ", ".join(f"{pick(column):.0f}" for column in zip(*matches, strict=True))
            report(f"keys of Büro Crazy, {seats} seats, {what}: placed, bids, reports; duels", figures)
    for seats in goblins.SEATS:
        bribed = [bribery_of(f"keys {number}", seats) for number in range(MATCHES)]
        for what, pick in (("median", statistics.median), ("most", max)):
            questions, presses = (pick(column) for column in zip(*bribed, strict=True))
            report(f"keys to buy back, {seats} seats, {what}: before; now", f"{questions:.0f}; {presses:.0f}")
    for movement, target in (("full", "target: at most 300, 60"), ("trust", "target: at most 300, 60")):
        counts = [match_of(f"keys {number}", Rulings(movement=movement)) for number in range(MATCHES)]
        for what, pick in (("median", statistics.median), ("most", max)):
            presses, dice, asked = (pick(column) for column in zip(*counts, strict=True))
            figure = f"{presses:.0f}, {dice:.0f}; {presses + asked:.0f}"
            report(f"keys a match, movement={movement}, {what}: presses, dice; pi", figure, target)

"""Random matches and exact counts of positions."""

from collections.abc import Callable, Sequence

from companion.core.dealer import Dealer
from companion.core.move import TABLE, Move
from companion.core.rules import Rules, State

Pick = Callable[[int], int]
"""Returns a number below its argument, such as `random.Random(7).randrange`."""


def random_move(rules: Rules, state: State, pick: Pick) -> Move:
    """Return a random legal move of a random seat, or a draw if one is due."""
    moves = rules.draws(state) or some_moves(rules, state, pick)
    return moves[pick(len(moves))]


def some_moves(rules: Rules, state: State, pick: Pick) -> Sequence[Move]:
    """Return the legal moves of a random seat that may act; () after the end."""
    choices = [moves for seat in rules.to_act(state) if (moves := rules.legal(state, seat))]
    if len(choices) > 1:
        return choices[pick(len(choices))]
    return choices[0] if choices else ()


def playout(rules: Rules, state: State, pick: Pick, limit: int = 100_000) -> tuple[State, list[Move]]:
    """Play random moves to the end; return the last position and the moves.

    Raise RuntimeError after `limit` moves, since every game ends.
    """
    moves: list[Move] = []
    while rules.to_act(state):
        if len(moves) == limit:
            raise RuntimeError(f"not over after {limit} moves")
        move = random_move(rules, state, pick)
        moves.append(move)
        state = rules.apply(state, move)
    return state, moves


def perft(rules: Rules, state: State, depth: int, dealer: Dealer, drawn: int = 0) -> int:
    """Count the lines of `depth` moves from a position. Draws come from the dealer: they do not branch."""
    choices = rules.draws(state)
    while choices:
        state = rules.apply(state, dealer.choose(drawn, choices))
        drawn += 1
        choices = rules.draws(state)
    actors = rules.to_act(state)
    if depth == 0 or not actors:
        return 1
    count = 0
    for seat in actors:
        for move in rules.legal(state, seat):
            if seat == TABLE and move.verb in rules.DRAWS:
                continue
            following = rules.apply(state, move)
            count += perft(rules, following, depth - 1, dealer, drawn)
    return count

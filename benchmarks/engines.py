"""Measures players' decisions per second in random matches, against four well-known engines.

Everywhere a decision lists the legal moves, chooses one of them and makes it; chance and set-up are within the time
and do not count.
"""

import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Final

from companion.core.game import Game
from companion.core.install import install_command
from companion.games import load
from companion.testing.playout import some_moves

Report = Callable[..., None]

ROUNDS: Final = 5
ROUND_S: Final = 0.7

GOOFSPIEL: Final = "OpenSpiel's goofspiel, C++ through Python"
CATAN: Final = "Catanatron, four random players"
POKER: Final = "PokerKit, no-limit hold'em of four"
CHESS: Final = "python-chess, legal moves and the end checked"

GAMES: Final = ("buntherum", "buro_crazy", "boese_buben", "de_et_boulanger")
"""Not `any`: its players decide beside the program, which only counts and times."""

TARGETS: Final = {
    ("buntherum", GOOFSPIEL): 0.2,
    ("buro_crazy", GOOFSPIEL): 0.2,
    ("boese_buben", CATAN): 5.0,
    ("de_et_boulanger", CATAN): 5.0,
}
"""The minimum speed of a game relative to a peer (results: docs/evidence.md)."""

BEFORE: Final = {"buntherum": 0.066, "buro_crazy": 0.078}
"""The speed relative to the peer at commit 422705c."""

FASTER: Final = 2.5
"""The target factor since then."""

Match = Callable[[random.Random], int]
"""Plays one random match and returns the number of players' decisions."""


def run(report: Report) -> None:
    engines: dict[str, Match] = {name: ours(load(name)) for name in GAMES}
    others = peers(report)
    engines |= others
    luck = random.Random(7)
    found: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(ROUNDS):
        for name, match in engines.items():
            found[name].append(speed(match, luck))
    for name, speeds in found.items():
        report(f"decisions a second: {name}", f"{statistics.median(speeds):,.0f}")
    for name, peer in product(GAMES, others):
        ratio = statistics.median(our / its for our, its in zip(found[name], found[peer], strict=True))
        least = TARGETS.get((name, peer))
        report(f"  {name} : {peer}", f"{ratio:.2f}", f"target: {least}" if least else "")
        if peer == GOOFSPIEL and name in BEFORE:
            report(f"  {name} : itself at 422705c", f"{ratio / BEFORE[name]:.1f}", f"target: {FASTER}")


def speed(match: Match, luck: random.Random) -> float:
    decisions = 0
    began = time.perf_counter()
    while time.perf_counter() - began < ROUND_S:
        decisions += match(luck)
    return decisions / (time.perf_counter() - began)


def ours(game: Game) -> Match:
    """Return a random match; chance does not count as a decision."""
    rules, box, rulings = game.rules, game.read_box(game.box_text, "box.toml"), game.rulings()
    start = rules.setup(box, rulings, rules.SEATS[len(rules.SEATS) // 2])

    def match(luck: random.Random) -> int:
        state, decisions, pick = start, 0, luck.randrange
        while True:
            moves = rules.draws(state)
            if not moves:
                moves = some_moves(rules, state, pick)
                if not moves:
                    return decisions
                decisions += 1
            state = rules.apply(state, moves[pick(len(moves))])

    return match


def peers(report: Report) -> dict[str, Match]:
    found = {}
    for name, engine in ((GOOFSPIEL, _goofspiel), (CATAN, _catan), (POKER, _poker), (CHESS, _chess)):
        try:
            found[name] = engine()
        except ImportError as error:
            report(f"decisions a second: {name}", "not installed", f"{error}; {install_command('bench')}")
    return found


def _goofspiel() -> Match:
    import pyspiel  # noqa: PLC0415  an optional peer

    game = pyspiel.load_game("goofspiel")

    def match(luck: random.Random) -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[luck.randrange(len(outcomes))][0])
                continue
            actions = []
            for player in range(2):
                legal = state.legal_actions(player)
                actions.append(legal[luck.randrange(len(legal))])
            state.apply_actions(actions)
            decisions += 2
        return decisions

    return match


def _catan() -> Match:
    from catanatron import Color, Game, RandomPlayer  # noqa: PLC0415

    def match(luck: random.Random) -> int:
        random.seed(luck.random())
        game = Game([RandomPlayer(colour) for colour in Color])
        ticks = 0
        while game.winning_color() is None and game.state.num_turns < 1000:
            game.play_tick()
            ticks += 1
        return ticks

    return match


def _poker() -> Match:
    from pokerkit import Automation, NoLimitTexasHoldem  # noqa: PLC0415

    automations = tuple(Automation)  # the dealer's part, as our TABLE draws

    def match(luck: random.Random) -> int:
        random.seed(luck.random())
        state = NoLimitTexasHoldem.create_state(automations, True, 0, (1, 2), 2, 200, 4)
        decisions = 0
        while state.status:
            moves: list[Callable[[], object]] = []
            if state.can_fold():
                moves.append(state.fold)
            if state.can_check_or_call():
                moves.append(state.check_or_call)
            if state.can_complete_bet_or_raise_to():
                low = state.min_completion_betting_or_raising_to_amount
                high = state.max_completion_betting_or_raising_to_amount
                assert low is not None
                assert high is not None
                moves.append(partial(state.complete_bet_or_raise_to, luck.randint(low, high)))
            moves[luck.randrange(len(moves))]()
            decisions += 1
        return decisions

    return match


def _chess() -> Match:
    import chess  # noqa: PLC0415

    def match(luck: random.Random) -> int:
        board = chess.Board()
        while not board.is_game_over():
            moves = list(board.legal_moves)
            board.push(moves[luck.randrange(len(moves))])
        return board.ply()

    return match

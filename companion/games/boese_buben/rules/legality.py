"""The verbs of Böse Buben: the only place that says which moves are legal."""

from collections.abc import Callable, Sequence
from typing import Final

from companion.core.choices import Args
from companion.core.move import TABLE, Move, Seat
from companion.core.verbs import ONE_SEAT, Reason, Told, Verb, Verbs, by_table, during
from companion.games.boese_buben.rules import reasons, spelling
from companion.games.boese_buben.rules.bribery import answer_moves, answers, apply_answer
from companion.games.boese_buben.rules.cards import NOBODY, Action
from companion.games.boese_buben.rules.choices import play_moves
from companion.games.boese_buben.rules.components import (
    BRIBERY,
    TURN,
    Box,
    Phase,
    State,
    action_of,
    barring,
    is_mover,
)
from companion.games.boese_buben.rules.race import apply_move_mc, mc_moves
from companion.games.boese_buben.rules.start import apply_first, firsts
from companion.games.boese_buben.rules.turn import (
    action_targets,
    apply_decline,
    apply_eject,
    apply_exchange,
    apply_play,
    apply_reorder,
    may_decline,
    plays,
)


def _after(action: Action) -> Callable[[State, Seat], bool]:
    return lambda state, seat: seat == state.mover and action_of(state) == action


def _text(
    rule: str,
    action: Action,
    apply: Callable[[State, Seat, Args, Told], State],
    refused: Callable[[State, Seat, Args], Reason],
    spelt: spelling.BoxSpelling,
) -> Verb[State, Box]:
    return Verb(
        rule, during((Phase.ACTION,), _after(action), reasons.not_due), action_targets, apply, spelt, refused
    )


VERBS: Final[Verbs[State, Box]] = Verbs(
    "Böse Buben",
    {
        "first": Verb(
            "BB-R4",
            during((Phase.SETUP,), by_table, reasons.not_due),
            firsts,
            apply_first,
            ONE_SEAT,
            reasons.no_first,
            draw=True,
        ),
        "play": Verb(
            "BB-R5",
            during((Phase.TURN,), is_mover, reasons.not_due),
            plays,
            apply_play,
            spelling.PLAY,
            reasons.no_play,
        ),
        "exchange": _text("BB-R31", Action.AUSTAUSCH, apply_exchange, reasons.no_exchange, spelling.TWO_SPOTS),
        "eject": _text("BB-R32", Action.RAUSWURF, apply_eject, reasons.no_eject, spelling.ONE_SPOT),
        "reorder": _text("BB-R33", Action.RAENGELEI, apply_reorder, reasons.no_reorder, spelling.ORDER),
        "move_mc": Verb(
            "BB-R30",
            during((Phase.MC,), is_mover, reasons.not_due),
            mc_moves,
            apply_move_mc,
            spelling.TWO_SEATS,
            reasons.no_mc,
        ),
        "decline": Verb(
            "BB-R28",
            during((Phase.ACTION, Phase.MC), is_mover, reasons.not_due),
            may_decline,
            apply_decline,
            refused=reasons.no_decline,
        ),
        "answer": Verb(
            "BB-A13",
            during((Phase.BRIBERY,), is_mover, reasons.not_due),
            answers,
            apply_answer,
            spelling.ANSWER,
            reasons.no_answer,
            secret=True,
        ),
    },
    over=("BB-R27", Phase.OVER),
)

DRAWS: Final = VERBS.draws
SECRETS: Final = VERBS.secrets
apply: Final = VERBS.apply


def to_act(state: State) -> tuple[Seat, ...]:
    """Return the mover, if any: a seat, or the TABLE before the first race."""
    mover = state.mover
    return () if mover == NOBODY else (mover,)


def legal(state: State, seat: Seat) -> Sequence[Move]:
    if seat == state.mover:  # the most frequent moves, from caches
        if state.phase == TURN:
            return play_moves(seat, state.hands[seat], barring(state.terms.rulings, state.tracks, state.zones))
        if state.phase == BRIBERY:
            return answer_moves(seat, answers(state, seat))
    return VERBS.legal(state, seat)


def draws(state: State) -> Sequence[Move]:
    """Return the dealer's draws: any seat may start (BB-A17)."""
    return VERBS.legal(state, TABLE) if state.mover == TABLE else ()

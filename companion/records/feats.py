"""The feats of a stored match, from its events and the evidence of its calls."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from companion.core.event import GOOD
from companion.core.feats import Achieved, Feat
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.rules import narrated
from companion.core.signal import LEVEL_ONLY, MERGED
from companion.core.tags import robot_seats
from companion.core.text import Text, decimal, msg
from companion.core.units import MS, SECOND
from companion.records.verdicts import JudgedCall, verdicts

UNTIMED: Final = frozenset({LEVEL_ONLY, MERGED})
"""Flags of presses with an unreliable timestamp."""


def _ms_text(time_ns: int) -> Text:
    return msg("{ms} ms", ms=decimal(time_ns / MS))


def _s_text(time_ns: int) -> Text:
    return msg("{s} s", s=decimal(time_ns / SECOND, 2))


CLOSEST_CALL: Final = Feat(
    "close",
    msg("Closest call"),
    msg("{who} calls {amount} before {rival}"),
    _ms_text,
    great=50 * MS,
    least=True,
)
FASTEST_CALL: Final = Feat(
    "fast",
    msg("Fastest call"),
    msg("{who} calls after {amount}, and is right"),
    _s_text,
    great=600 * MS,
    least=True,
)
CALLS: Final = (FASTEST_CALL, CLOSEST_CALL)


def feats(match: Match) -> Iterator[Achieved]:
    """Yield the feats of a match in order, from public information only."""
    judged = {each.number: each for each in verdicts(match)}
    answered: Achieved | None = None
    for number, move in enumerate(match.moves, 1):
        if number in judged:
            yield from _closest(judged[number])
            answered = _fastest(judged[number])
        _, events = narrated(match.game.rules, match.before(number), move)
        added: Counter[tuple[Feat, tuple[Seat, ...]]] = Counter()
        for told in (each for each in events if each.visible_to(None)):
            for each in told.data.feats(told.seat):
                added[each.feat, each.seats] += each.amount
            if answered and told.seat == answered.seats[0] and told.data.tone:
                if told.data.tone == GOOD:
                    yield answered
                answered = None
        for (feat, seats), amount in added.items():
            yield Achieved(feat, seats, amount)


def best_moment(match: Match) -> Text | None:
    """Return the most remarkable feat, a person's before a robot's; None without any."""
    found, robots = list(feats(match)), robot_seats(match)
    of_people = [each for each in found if each.seats[0] not in robots]
    # Among equals the last, which people remember best.
    best = max(reversed(of_people or found), key=lambda each: each.weight, default=None)
    return best and best.sentence(match.names)


def _closest(judged: JudgedCall) -> Iterator[Achieved]:
    calls, margin_ns = judged.evidence.calls, judged.evidence.margin_ns
    if len(calls) > 1 and margin_ns is not None and judged.seats == (calls[0].seat,):
        yield CLOSEST_CALL.by(margin_ns, calls[0].seat, calls[1].seat)


def _fastest(judged: JudgedCall) -> Achieved | None:
    call, open_ns = judged.evidence.calls[0], judged.evidence.open_ns
    if open_ns is None or judged.seats != (call.seat,) or not UNTIMED.isdisjoint(call.flags):
        return None
    return FASTEST_CALL.by(max(0, call.t_ns - call.handicap_ns - open_ns), call.seat)

"""The facts of a record that statistics count, as plain values for an index."""

import hashlib
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from typing import Any, Final, NamedTuple

from companion.core.feats import Achieved
from companion.core.handicaps import handicaps
from companion.core.match import SEED_TAG, Match
from companion.core.move import TABLE
from companion.core.record import print_record
from companion.core.tags import is_demo, is_drawn, is_lesson, robot_kinds
from companion.core.text import LANGUAGES, reader
from companion.core.units import SECOND
from companion.records.feats import UNTIMED, feats
from companion.records.verdicts import JudgedCall, verdicts

BREAK_NS: Final = 600 * SECOND
"""A longer gap between two moves is a break."""


class JudgedPress(NamedTuple):
    """A judged press; `after_ns` is its time after the card, or else after the earliest press.

    `handicap_ns` is included in it. `timed`: its timestamp is reliable.
    """

    seat: int
    after_ns: int
    handicap_ns: int
    uncertainty_ns: int
    timed: bool


class Judgement(NamedTuple):
    """A verdict, with its presses, earliest first.

    `opened`: it is known when the card appeared. `callers` are the seats that could have called; () if unknown.
    """

    move: int
    seats: tuple[int, ...]
    tie: bool
    opened: bool
    heard: tuple[JudgedPress, ...]
    callers: tuple[int, ...] = ()


class FeatOfMatch(NamedTuple):
    """The best feat of one kind in a match."""

    name: str
    seats: tuple[int, ...]
    amount: int


class Facts(NamedTuple):
    """The facts of a match. An unfinished one has only game, names, kind, time and identity."""

    game: str
    names: tuple[str, ...] = ()
    demo: bool = False
    lesson: bool = False
    winners: tuple[int, ...] | None = None
    moves: int = 0
    played_ns: int | None = None
    handicapped: bool = False
    judgements: tuple[Judgement, ...] = ()
    scores: tuple[int | None, ...] | None = None
    """Final scores, without handicaps and in a game that has them; otherwise None."""
    raced: bool = False
    """Whether calls were judged in a match with `scores`, even without times."""
    match: str = ""
    """An identity that all copies of a record share; "" if there is none."""
    reasons: tuple[str, ...] = ()
    """Why the match ended, in each of LANGUAGES."""
    robots: tuple[str, ...] = ()
    """The kind of each seat's robot, "" for a person; () without robots against people."""
    feats: tuple[FeatOfMatch, ...] = ()
    """The best feats of people, one of each kind."""

    def people(self) -> Iterator[tuple[int, str]]:
        return ((seat, name) for seat, name in enumerate(self.names) if not (self.robots and self.robots[seat]))


def facts_of(match: Match) -> Facts:
    kinds = robot_kinds(match)
    robots = kinds if any(kinds) and not all(kinds) else ()
    # Robots alone at a table play for show. `companion simulate` does not draw its seeds.
    demo = is_demo(match) or (all(kinds) and is_drawn(match))
    outcome = match.outcome
    if outcome is None:
        return Facts(
            match.game.name,
            match.names,
            demo,
            is_lesson(match),
            played_ns=played_ns(match),
            match=identity(match),
        )
    handicapped = is_handicapped(match)
    even = not handicapped and any(option.name == "handicap_1" for option in fields(match.game.rulings))
    return Facts(
        match.game.name,
        match.names,
        demo,
        is_lesson(match),
        tuple(outcome.winners),
        match.length,
        played_ns(match),
        handicapped,
        tuple(_judgement(match, judged, callers=even) for judged in verdicts(match)),
        tuple(match.game.teller.score(match.view())) if even else None,
        even and _is_raced(match),
        identity(match),
        tuple(reader(language)(outcome.reason) for language in LANGUAGES),
        robots,
        _best_feats(match, robots),
    )


def _best_feats(match: Match, robots: tuple[str, ...]) -> tuple[FeatOfMatch, ...]:
    best: dict[str, Achieved] = {}
    for each in feats(match):
        known = best.get(each.feat.name)
        if not (robots and robots[each.seats[0]]) and (known is None or each.weight > known.weight):
            best[each.feat.name] = each
    return tuple(FeatOfMatch(name, each.seats, each.amount) for name, each in best.items())


def is_handicapped(match: Match) -> bool:
    return any(handicaps(match.rulings, len(match.names)))


def played_ns(match: Match) -> int | None:
    """Return the playing time without breaks; None if unknown."""
    times_ns = [t_ns for t_ns in (entry.evidence.t_ns for entry in match.entries) if t_ns is not None]
    if len(times_ns) < 2:
        return None
    gaps = (after - before for before, after in pairwise(times_ns))
    return sum(gap for gap in gaps if 0 < gap <= BREAK_NS)


def played_minutes(match: Match) -> int:
    return minutes(played_ns(match))


def minutes(played_ns: int | None) -> int:
    """Return a time in minutes, rounded up; 0 if unknown."""
    return -(-(played_ns or 0) // (60 * SECOND))


def identity(match: Match) -> str:
    """Return an identity that does not depend on the record's name; "" for a record without entries.

    A drawn seed is unique. Without one, two matches may begin alike, so all lines count.
    """
    if is_drawn(match):
        return digest(match.game.name, *match.names, match.tags[SEED_TAG])
    return digest(print_record(match.tags, match.entries)) if match.entries else ""


def digest(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode(errors="surrogatepass")).hexdigest()[:32]


def _is_raced(match: Match) -> bool:
    ruled = (number for number, move in enumerate(match.moves, 1) if move.seat == TABLE and not match.is_draw(move))
    return any(match.stage_before(number).race for number in ruled)


def _judgement(match: Match, judged: JudgedCall, *, callers: bool) -> Judgement:
    evidence = judged.evidence
    origin_ns = evidence.calls[0].t_ns if evidence.open_ns is None else evidence.open_ns
    heard = (
        JudgedPress(
            call.seat,
            call.t_ns - origin_ns,
            call.handicap_ns,
            call.uncertainty_ns,
            not UNTIMED.intersection(call.flags),
        )
        for call in evidence.calls
    )
    opened = evidence.open_ns is not None
    race = match.stage_before(judged.number).race if callers and opened else None
    able = tuple(race.callers) if race else ()
    return Judgement(judged.number, tuple(judged.seats), judged.tie, opened, tuple(heard), able)


def from_json(found: Any) -> Facts:
    """Return the facts that `json` has parsed. Raises TypeError or ValueError for anything else."""
    *plain, judgements, scores, raced, match, reasons, robots, achieved = found
    facts = Facts(*map(_plain, plain))._replace(
        scores=_plain(scores),
        raced=raced,
        match=match,
        reasons=_plain(reasons),
        robots=_plain(robots),
        feats=tuple(FeatOfMatch(name, tuple(seats), amount) for name, seats, amount in achieved),
        judgements=tuple(
            Judgement(move, tuple(seats), tie, opened, tuple(JudgedPress(*each) for each in heard), tuple(callers))
            for move, seats, tie, opened, heard, callers in judgements
        ),
    )
    _check(facts)
    return facts


def _check(facts: Facts) -> None:
    """Raise ValueError or TypeError for impossible facts: an index may come from somebody else."""
    judged = facts.judgements
    heard = [each for judgement in judged for each in judgement.heard]
    seats = [*(facts.winners or ()), *(each.seat for each in heard)]
    seats += [seat for each in judged for seat in (*each.seats, *each.callers)]
    seats += [seat for each in facts.feats for seat in each.seats]
    flags = [facts.demo, facts.lesson, facts.handicapped, facts.raced, *(each.timed for each in heard)]
    flags += [flag for each in judged for flag in (each.tie, each.opened)]
    lasted_ns = 0 if facts.played_ns is None else facts.played_ns
    numbers = [facts.moves, lasted_ns, *(each.move for each in judged), *(each.amount for each in facts.feats)]
    numbers += [number for each in heard for number in (each.after_ns, each.handicap_ns, each.uncertainty_ns)]
    scores = (0,) * len(facts.names) if facts.scores is None else facts.scores
    known = (
        _are(str, facts.game, facts.match, *facts.names, *facts.reasons, *facts.robots)
        and _are(str, *(each.name for each in facts.feats))
        and _are(tuple, facts.names, facts.reasons, facts.robots, scores)
        and (facts.winners is None or _are(tuple, facts.winners))
        and _are(bool, *flags)
        and _are(int, *seats, *numbers, *(score for score in scores if score is not None))
        and all(0 <= seat < len(facts.names) for seat in seats)
    )
    has_reasons = len(facts.reasons) == (0 if facts.winners is None else len(LANGUAGES))
    seated = {len(scores), len(facts.robots or facts.names)} == {len(facts.names)}
    if not (known and has_reasons and seated and all(each.seats for each in facts.feats)) or facts.winners == ():
        raise ValueError("no match says that")


def _are(kind: type, *values: object) -> bool:
    return all(type(value) is kind for value in values)


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value

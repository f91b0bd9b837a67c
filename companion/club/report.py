"""A tournament as text and CSV."""

import csv
from fractions import Fraction
from typing import IO, Final

from companion.club.schedule import is_over
from companion.club.tournament import Called, Drawn, GroupResult, Tournament
from companion.core.text import _, decimal, msg, printable
from companion.records.stats_text import table

CSV_HEAD: Final = ("rank", "player", "points", "opponents", "firsts", "matches", "left")
"""CSV columns, not translated."""


def told(tournament: Tournament, event: Drawn | Called | GroupResult) -> str:
    """Return the sentence for an event."""
    if isinstance(event, Drawn):
        line = _("round {n} of {rounds}").format(n=len(tournament.rounds), rounds=tournament.plan.rounds)
        return f"{line}: " + _("{names} sit out").format(names=_listed(event.out)) if event.out else line
    if isinstance(event, Called):
        names = tournament.rounds[-1].drawn.groups[event.group]
        return "  " + _("table {table}: {names}").format(table=printable(event.table), names=_listed(names))
    names = tournament.rounds[event.round - 1].drawn.groups[event.group]
    ordered = sorted(zip(event.places, names, strict=True))
    by = event.match or _("the house")
    placed = ", ".join(f"{place}. {printable(name)}" for place, name in ordered)
    return _("result of round {n}: {placed} ({by})").format(n=event.round, placed=placed, by=printable(by))


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(printable, names))


def now(tournament: Tournament) -> str:
    """Return the state of the current round."""
    if not tournament.rounds:
        return _("no round has been drawn yet; companion club next draws the first")
    this = tournament.rounds[-1]
    lines = [told(tournament, this.drawn)]
    for group, names in enumerate(this.drawn.groups):
        if group in this.results:
            continue
        if group in this.called:
            lines.append(told(tournament, Called(group, this.called[group])))
        else:
            lines.append("  " + _("waiting for a table: {names}").format(names=_listed(names)))
    if tournament.over:
        return _("all {n} rounds are over").format(n=tournament.plan.rounds)
    if is_over(tournament):
        return _("no more rounds are possible: too few players are left, or all have met")
    if this.over:
        lines.append("  " + _("over; companion club next draws the next round"))
    return "\n".join(lines)


def standings(tournament: Tournament) -> str:
    head = (_("player"), _("rank"), _("points"), _("opponents"), _("firsts"), _("matches"))
    rows = [
        (
            printable(each.player) + (_(" (gone)") if each.player in tournament.left else ""),
            str(each.rank),
            points(each.points),
            points(each.met),
            points(each.firsts),
            str(each.matches),
        )
        for each in tournament.standings()
    ]
    foot = _("(points: the share of opponents beaten in each match; opponents: their mean points)")
    return "\n".join([*table(head, rows), foot])


def points(value: Fraction) -> str:
    return str(decimal(float(value), 2))


def write_csv(tournament: Tournament, out: IO[str]) -> None:
    """Write a line per player, with up to four decimals."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_HEAD)
    for each in tournament.standings():
        values = (round(float(value), 4) for value in (each.points, each.met, each.firsts))
        writer.writerow((each.rank, each.player, *values, each.matches, int(each.player in tournament.left)))


def title(tournament: Tournament) -> str:
    done = sum(each.over for each in tournament.rounds)
    return str(msg("standings after round {n} of {rounds}", n=done, rounds=tournament.plan.rounds))

"""`companion simulate`: who wins many matches of robots, by seat and kind, and how long a match is."""

import argparse
import secrets
from fractions import Fraction
from typing import Final

from companion.cli.arguments import check_folder, named_config
from companion.cli.match_arguments import asked_names, asked_rulings
from companion.cli.progress import progress
from companion.cli.status import DONE
from companion.config import boxes
from companion.core.errors import OptionError
from companion.core.move import each_seat
from companion.core.text import _, msg, percent
from companion.games import load
from companion.match.simulation import Simulation, Tally, run
from companion.records.stats import interval

MOST_JOBS: Final = 64
"""The largest number of processes. Each takes 30 MB and three open files; more machines are a cluster."""


def main(arguments: argparse.Namespace) -> int:
    """Play the matches and print the tally, also after an interrupt."""
    jobs = 1 if arguments.jobs is None else arguments.jobs
    if arguments.matches < 1:
        raise OptionError(msg("{name} {n}: allowed: a whole number from 1", name="-n", n=arguments.matches))
    if not 1 <= jobs <= MOST_JOBS:
        raise OptionError(
            msg(
                "--jobs {n}: allowed: a whole number from 1 to {most}; for more, use --scheduler",
                n=jobs,
                most=MOST_JOBS,
            )
        )
    if arguments.scheduler and arguments.jobs is not None:
        raise OptionError(msg("--jobs: the scheduler's workers play; leave it out"))
    check_folder("--records", arguments.records)
    game, config = load(arguments.game), named_config(arguments)
    names = asked_names(arguments, config, game)
    kinds = [next(iter(game.bots))] if arguments.bots is None else arguments.bots.split(",")
    plan = Simulation(
        game,
        names,
        tuple(kinds),
        asked_rulings(arguments, game, config),
        secrets.token_hex(8) if arguments.seed is None else arguments.seed,
        arguments.records,
        boxes.named(game, config.box_of(game)),
    )
    show, tally = progress(), None
    try:
        for tally in run(plan, arguments.matches, jobs=jobs, scheduler=arguments.scheduler):
            show(tally.matches, arguments.matches)
    finally:  # also after an interrupt or a cluster failure
        if tally:
            print(report(tally, plan))
    return DONE


def report(tally: Tally, plan: Simulation) -> str:
    seats = len(plan.names)
    lines = [
        _("{matches} matches of {game}, seed {seed}").format(
            matches=tally.matches, game=plan.game.title, seed=plan.seed
        ),
        _("{moves:.1f} moves a match ({least} to {most})").format(
            moves=tally.moves / tally.matches, least=tally.shortest, most=tally.longest
        ),
        _("{matches:.1f} matches and {decisions:.0f} player decisions a second").format(
            matches=tally.matches / tally.seconds, decisions=tally.decisions / tally.seconds
        ),
        _("share of wins, its 95% interval, share of seats:"),
    ]
    for seat in each_seat(seats):
        lines.append(_row(_("seat {n}").format(n=seat + 1), tally.seats.get(seat, 0), tally.matches, 1 / seats))
    kinds = plan.kinds_of(1)
    for kind in dict.fromkeys(kinds):
        share = kinds.count(kind) / seats
        label = _("{kind}, {n} of {seats} seats").format(kind=kind, n=kinds.count(kind), seats=seats)
        lines.append(_row(label, tally.kinds.get(kind, 0), tally.matches, share))
    return "\n".join(lines)


def _row(label: str, wins: Fraction | int, matches: int, share: float) -> str:
    told = (str(percent(float(part), 1)) for part in (wins / matches, *interval(float(wins), matches), share))
    won, low, high, expected = told
    return f"  {label:32} {won:>6}  [{low}, {high}]  {expected}"

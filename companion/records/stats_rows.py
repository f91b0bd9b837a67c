"""Statistics as rows to draw, for pictures and the display."""

from collections.abc import Mapping

from companion.core.text import Render, Text, alphabetical, decimal, msg, percent
from companion.core.units import MS, SECOND
from companion.display.rows import PLAYER_COLOURS, CloseCall, Label, Share, Signs, Times
from companion.records.stats import ContestedCall, GameStatistics, Reactions, Statistics, Wins
from companion.records.stats_text import judged

Inks = dict[str, str]
"""The colour of each player. If there are too few, the players with most matches have one."""


def inks_of(found: Statistics) -> Inks:
    """Return the players' colours, stable while the same people play."""
    names = [player.who for player in found.players[: len(PLAYER_COLOURS)]]
    return dict(zip(sorted(names, key=alphabetical), PLAYER_COLOURS, strict=False))


def signs(read: Render = str) -> Signs:
    return Signs(read(decimal(0.5)).strip("05"), read(percent(0)).strip("0"))


def player_rows(found: Statistics, inks: Inks, most: int, read: Render = str) -> list[Share]:
    return [_wins_row(wins, wins.who, inks.get(wins.who, ""), read) for wins in found.players[:most]]


def robot_rows(found: Statistics, kinds: Mapping[str, Text], most: int, read: Render = str) -> list[Share]:
    return [_wins_row(wins, read(kinds.get(wins.who, Text(wins.who))), "", read) for wins in found.robots[:most]]


def _wins_row(wins: Wins, who: str, ink: str, read: Render) -> Share:
    label = Label(who, read(msg("{n} match", "{n} matches", n=wins.matches)), ink)
    won = round(float(wins.wins), 1)
    told = f"{int(won) if won.is_integer() else read(decimal(won))} / {wins.matches}"
    return Share(label, wins.share, *wins.interval, wins.expected_share, told)


def seat_rows(game: GameStatistics, read: Render = str) -> list[Share]:
    return [
        Share(
            Label(read(msg("seat {n}", n=wins.who))),
            wins.share,
            *wins.interval,
            wins.expected_share,
            read(percent(wins.share)),
        )
        for wins in game.seats
    ]


def times_rows(found: Statistics, inks: Inks, most: int = len(PLAYER_COLOURS), read: Render = str) -> list[Times]:
    """Return reaction times, fastest first, of the `most` players with most calls."""
    coloured = [each for each in found.reactions if each.who in inks]
    kept = sorted(coloured, key=lambda each: -len(each.times_ns))[:most]
    return [_times_row(each, inks, read) for each in coloured if each in kept]


def _times_row(each: Reactions, inks: Inks, read: Render) -> Times:
    calls = read(msg("{n} call", "{n} calls", n=len(each.times_ns)))
    spread = each.spread_ns
    return Times(
        Label(each.who, calls, inks[each.who]),
        tuple(time_ns / SECOND for time_ns in each.times_ns),
        spread.low / SECOND,
        spread.median / SECOND,
        spread.high / SECOND,
        f"{read(decimal(spread.median / SECOND, 2))} s",
    )


def close_rows(found: Statistics, inks: Inks, most: int) -> list[CloseCall]:
    return [_close_row(finish, inks) for finish in found.finishes[:most]]


def _close_row(finish: ContestedCall, inks: Inks) -> CloseCall:
    first, second = finish.presses[:2]
    return CloseCall(
        (Label(first.who, colour=inks.get(first.who, "")), Label(second.who, colour=inks.get(second.who, ""))),
        (first.who in finish.winners, second.who in finish.winners),
        second.after_ns / MS,
        (first.uncertainty_ns / MS, second.uncertainty_ns / MS),
        f"{decimal(finish.margin_ns / MS, 2)} ms",
        judged(finish),
        str(msg("{record}, move {n}", record=finish.record, n=finish.move)),
    )

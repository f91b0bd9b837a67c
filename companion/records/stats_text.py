"""Statistics as tables of text that fit 80 columns, and as JSON."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from companion.core.game import Game
from companion.core.options import declared
from companion.core.text import Text, _, decimal, msg, percent, printable, shortest
from companion.core.units import MS, SECOND
from companion.games import all_games, load
from companion.records.evening_out import Proposal
from companion.records.facts import BREAK_NS
from companion.records.hall import hall_of_fame
from companion.records.stats import (
    LUCK_MOST,
    ContestedCall,
    Damaged,
    GameStatistics,
    Reactions,
    Spread,
    Statistics,
    Wins,
)

FORMAT: Final = 1
"""The version of the JSON."""

CLOSEST: Final = 10

_NAME_MOST: Final = 20

_NONE: Final = "–"


def report(found: Statistics, folder: Path | str) -> str:
    """Return statistics as text; `folder` names one or several folders."""
    if not found.games and not found.damaged:
        return _nothing(found, folder)
    parts = [*_fame(found), _overview(found)]
    if found.players:
        parts.append(_players(found.players))
        if found.robots:
            rows = [_win_row(each.who, each) for each in found.robots]
            parts.append("\n".join([_("wins by robots, against people"), *_win_table(rows)]))
        parts.append(_all_seats(found.games))
    if any(game.proposals for game in found.games):
        parts.append(_proposals(found.games))
    if found.reactions:
        parts.append(_reactions(found.reactions))
    if found.verdicts:
        parts.append(_finishes(found))
    if found.damaged:
        parts.append(_damaged(found.damaged))
    return "\n\n".join(parts)


def _nothing(found: Statistics, folder: Path | str) -> str:
    if found.demos:
        return str(
            msg(
                "{folder} has only a robot demo match; --demos counts it",
                "{folder} has only robot demo matches; --demos counts them",
                folder=folder,
                n=found.demos,
            )
        )
    return _("{folder} contains no matches yet; play one to see who won").format(folder=folder)


# --- Tables -----------------------------------------------------------------------------------------------


def _fame(found: Statistics) -> Iterator[str]:
    games = all_games()
    rows = [
        (str(each.title), _short(str(each.who), 2 * _NAME_MOST), str(each.amount), _title(each.game, games))
        for each in hall_of_fame(found, games)
    ]
    if rows:
        yield "\n".join(table((_("hall of fame"), "", "", ""), rows, left=(0, 1, 3)))


def _title(game: str, games: Mapping[str, Game]) -> str:
    return str(games[game].title) if game else ""


def _overview(found: Statistics) -> str:
    played_ns = sum(game.played_ns for game in found.games)
    first = _("{matches}, {time} played, {unfinished} not finished").format(
        matches=msg("{n} match", "{n} matches", n=found.matches),
        time=lasting(played_ns),
        unfinished=found.unfinished,
    )
    if found.demos:
        first += _("; robot demos left out: {n}").format(n=found.demos)
    if found.handicapped:
        first += _("; {n} with handicaps, whose wins are not counted").format(n=found.handicapped)
    if not found.games:
        return first
    head = (_("game"), _("matches"), _("not finished"), _("played"), _("moves"), _("a match takes"))
    rows = [
        (
            str(game.title),
            str(game.matches),
            str(game.unfinished),
            str(lasting(game.played_ns)) if game.timed else _NONE,
            _least_to_most(game.moves),
            _minutes(game.length_ns),
        )
        for game in found.games
    ]
    lines = [first, "", *table(head, rows)]
    lines.append(_("(moves: median, least to most; a match takes: median, in minutes)"))
    return "\n".join(lines)


def _players(players: Sequence[Wins]) -> str:
    return "\n".join([_("wins by player"), *_win_table([_win_row(each.who, each) for each in players])])


def _all_seats(games: Sequence[GameStatistics]) -> str:
    parts = []
    for game in games:
        if game.seats:
            title = _("wins by seat, {game}").format(game=game.title)
            rows = [_win_row(_("seat {n}").format(n=seat.who), seat) for seat in game.seats]
            parts.append("\n".join([title, *_win_table(rows), str(advantage(game))]))
    return "\n\n".join(parts)


def _proposals(games: Sequence[GameStatistics]) -> str:
    rows = [
        (each.who, str(game.title), str(each.matches), *map(str, proposed(game.name, each)))
        for game in games
        for each in game.proposals
    ]
    head = (_("handicaps that would make it even"), _("game"), _("matches"), _("handicap"), _("95% interval"))
    return "\n".join(table(head, rows, left=(0, 1)))


def proposed(game: str, proposal: Proposal) -> tuple[Text, Text]:
    badge: Callable[[int], Text] = declared(load(game).rulings, "handicap_1").metadata["badge"]
    low, amount, high = (max(1, round(value)) for value in (proposal.low, proposal.amount, proposal.high))
    return badge(amount), msg("{low} to {high}", low=low, high=high)


def advantage(game: GameStatistics) -> Text:
    if game.luck is None:
        return msg("too few matches to tell whether a seat is better")
    chance = msg("below 0.1%") if game.luck < 0.001 else msg("{n}%", n=shortest(float(f"{100 * game.luck:.2g}")))
    if game.luck > LUCK_MOST:
        return msg(
            "no seat is clearly better: chance alone gives such a difference in {chance} of cases", chance=chance
        )
    if not game.swapped:
        return msg("more than chance ({chance} of cases), but nobody changed seats: seat or player?", chance=chance)
    return msg(
        "the seats differ by more than chance, which gives such a difference in {chance} of cases", chance=chance
    )


def _win_table(rows: Sequence[Sequence[str]]) -> list[str]:
    head = (" " * _NAME_MOST, _("matches"), _("wins"), _("share"), _("95% interval"), _("by chance"))
    return table(head, rows)


def _win_row(label: str, wins: Wins) -> tuple[str, ...]:
    low, high = wins.interval
    return (
        label,
        str(wins.matches),
        str(decimal(float(wins.wins))),
        str(percent(wins.share, 1)),
        f"{percent(low, 1)} – {percent(high, 1)}",
        str(percent(wins.expected_share, 1)),
    )


def _reactions(reactions: Sequence[Reactions]) -> str:
    head = (
        _("calls, seconds after the card"),
        _("calls"),
        _("first"),
        _("fastest"),
        str(percent(0.25)),
        _("median"),
        str(percent(0.75)),
    )
    rows = []
    for each in reactions:
        spread = each.spread_ns
        times = (
            str(decimal(value / SECOND, 2)) for value in (spread.least, spread.low, spread.median, spread.high)
        )
        rows.append((each.who, str(len(each.times_ns)), str(each.first), *times))
    lines = table(head, rows)
    return "\n".join([*lines, _("(for beaten players, only calls before the verdict are known)")])


def _finishes(found: Statistics) -> str:
    first = str(calls(found))
    if not found.finishes:
        return first
    head = (_("the closest"), _("ms apart"), "±", _("judged"), _("match, move"))
    rows = [_finish_row(finish) for finish in found.finishes[:CLOSEST]]
    return "\n".join([first, "", *table(head, rows, left=(0, 3, 4))])


def _finish_row(finish: ContestedCall) -> tuple[str, ...]:
    names = ", ".join(_short(press.who, 9) for press in finish.presses[:2])
    return (
        names,
        str(decimal(finish.margin_ns / MS, 2)),
        str(decimal(finish.uncertainty_ns / MS, 2)),
        judged(finish),
        f"{_short(printable(finish.record), 29)}, {finish.move}",
    )


def calls(found: Statistics) -> Text:
    return msg(
        "{judged}, {close}, {ties}",
        judged=msg("{n} call judged", "{n} calls judged", n=found.verdicts),
        close=msg("{n} photo finish", "{n} photo finishes", n=len(found.finishes)),
        ties=msg("{n} tie", "{n} ties", n=found.ties),
    )


def judged(finish: ContestedCall) -> str:
    if finish.tie:
        return _("tie")
    return _short(finish.winners[0], 9) if finish.winners else _("nobody")


def _damaged(damaged: Sequence[Damaged]) -> str:
    lines = [_("damaged and left out; nothing is lost, and `companion replay` reads the intact part:")]
    for each in damaged:
        where = _("line {line}").format(line=each.line) if each.line is not None else _("cannot be read")
        lines.append(f"  {printable(each.name)}: {where}")
    return "\n".join(lines)


def table(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> list[str]:
    """Return aligned lines; columns in `left` are aligned left, the others right."""
    cells = [head, *([_short(row[0]), *row[1:]] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    lines = []
    for row in cells:
        words = (
            word.ljust(width) if column in left else word.rjust(width)
            for column, (word, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(words).rstrip())
    return lines


def _short(name: str, most: int = _NAME_MOST) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def lasting(time_ns: int) -> Text:
    minutes, seconds = divmod(round(time_ns / SECOND), 60)
    if minutes < 60:
        return msg("{minutes} min {seconds:02} s", minutes=minutes, seconds=seconds)
    return msg("{hours} h {minutes:02} min", hours=minutes // 60, minutes=minutes % 60)


def _least_to_most(moves: Spread | None) -> str:
    return f"{moves.median:.0f}, {moves.least:.0f}–{moves.most:.0f}" if moves else _NONE


def _minutes(length_ns: Spread | None) -> str:
    return str(decimal(length_ns.median / SECOND / 60)) if length_ns else _NONE


# --- JSON -------------------------------------------------------------------------------------------------


def to_json(found: Statistics) -> dict[str, object]:
    """Return the statistics as JSON has them; docs/stats.md describes the keys."""
    return {
        "format": FORMAT,
        "matches": found.matches,
        "unfinished": found.unfinished,
        "demos": found.demos,
        "break_ns": BREAK_NS,
        "games": [_game_json(game) for game in found.games],
        "players": [_wins_json("player", player) for player in found.players],
        "robots": [_wins_json("robot", robot) for robot in found.robots],
        "reactions": [_reactions_json(each) for each in found.reactions],
        "verdicts": found.verdicts,
        "ties": found.ties,
        "finishes": [_finish_json(finish) for finish in found.finishes],
        "damaged": [each._asdict() for each in found.damaged],
    }


def _game_json(game: GameStatistics) -> dict[str, object]:
    return {
        "game": game.name,
        "title": game.title.msgid,
        "matches": game.matches,
        "unfinished": game.unfinished,
        "timed": game.timed,
        "played_ns": game.played_ns,
        "length_ns": _times_json(game.length_ns),
        "moves": game.moves._asdict() if game.moves else None,
        "seats": [_wins_json("seat", seat) | {"seat": int(seat.who)} for seat in game.seats],
        "luck": game.luck,
        "swapped": game.swapped,
        "handicapped": game.handicapped,
        "proposals": [_proposal_json(each) for each in game.proposals],
    }


def _proposal_json(proposal: Proposal) -> dict[str, object]:
    return {
        "player": proposal.who,
        "matches": proposal.matches,
        "handicap": proposal.amount,
        "interval": [proposal.low, proposal.high],
    }


def _wins_json(label: str, wins: Wins) -> dict[str, object]:
    return {
        label: wins.who,
        "matches": wins.matches,
        "wins": float(wins.wins),
        "share": wins.share,
        "interval": list(wins.interval),
        "expected": float(wins.expected),
    }


def _reactions_json(reactions: Reactions) -> dict[str, object]:
    return {
        "player": reactions.who,
        "calls": len(reactions.times_ns),
        "first": reactions.first,
        "time_ns": _times_json(reactions.spread_ns),
    }


def _finish_json(finish: ContestedCall) -> dict[str, object]:
    return {
        "match": finish.record,
        "move": finish.move,
        "margin_ns": finish.margin_ns,
        "uncertainty_ns": finish.uncertainty_ns,
        "tie": finish.tie,
        "winners": list(finish.winners),
        "presses": [
            {"player": each.who, "after_ns": each.after_ns, "uncertainty_ns": each.uncertainty_ns}
            for each in finish.presses
        ],
    }


def _times_json(spread: Spread | None) -> dict[str, int] | None:
    return {key: round(value) for key, value in spread._asdict().items()} if spread else None

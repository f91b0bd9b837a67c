"""Sentences about moves that are taken back or corrected."""

from collections.abc import Iterator

from companion.core.event import REVEAL
from companion.core.match import Match
from companion.core.move import HIDDEN, TABLE, Move
from companion.core.rules import narrated
from companion.core.text import Text, msg
from companion.referee.events import taken_back


def tell_move(match: Match, number: int, move: Move) -> Text | None:
    """Return the first public sentence of a move, or of another move in its place.

    None for a move that reveals secrets: the drum may still roll.
    """
    return next(_told(match, number, move), None)


def _told(match: Match, number: int, move: Move) -> Iterator[Text]:
    _, events = narrated(match.game.rules, match.before(number), move)
    public = [told for told in events if told.visible_to(None)]
    if not any(told.kind == REVEAL for told in public):
        yield from filter(None, (told.sentence(match.names) for told in public))


def write_move(match: Match, move: Move) -> Text:
    """Return a move as records have it, but with its player's name and no secret."""
    who = msg("the house") if move.seat == TABLE else match.names[move.seat]
    written = match.public_text(move).partition(" ")[2]
    return msg("{who}: {text}", who=who, text=msg("a secret move") if written.endswith(HIDDEN) else written)


def tell_last(match: Match, count: int) -> Text | None:
    """Return the public sentences of the last `count` moves; None without any, or if they show secrets."""
    said: Text | None = None
    numbers = range(match.length, match.length - count, -1)
    if any(map(match.releases, numbers)):
        return None
    for number in numbers:
        first = tell_move(match, number, match.moves[number - 1])
        said = msg("{first}, {rest}", first=first, rest=said) if first and said else first or said
    return said


def tell_undone(match: Match, count: int, *, revealed: bool) -> Text | None:
    """Return the sentence for an undo; None where the moves' notation is clearer."""
    said = tell_last(match, count)
    return said and taken_back(said, seen=revealed)


def tell_amended(match: Match, number: int, move: Move) -> Text | None:
    """Return the sentence for a correction; None where the notation is clearer, such as for a secret."""
    told = zip(*(_told(match, number, one) for one in (match.moves[number - 1], move)), strict=False)
    otherwise = next(((was, entry) for was, entry in told if was != entry), None)
    if otherwise is None or move.verb in match.game.rules.SECRETS:
        return None
    was, entry = otherwise
    return msg("Corrected: {entry} (before: {was})", entry=entry, was=was)

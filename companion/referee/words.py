"""What is taken back or corrected, in words: as everybody was told of it."""

from collections.abc import Iterator

from companion.core.event import REVEAL
from companion.core.match import Match
from companion.core.move import Move
from companion.core.rules import narrated
from companion.core.text import Text, msg
from companion.referee.events import taken_back


def tell_move(match: Match, number: int, move: Move) -> Text | None:
    """Return what everybody was told first of a move, or would have been of another one in its place.

    Of one that reveals secrets it is nothing: the drum may still roll.
    """
    return next(_told(match, number, move), None)


def _told(match: Match, number: int, move: Move) -> Iterator[Text]:
    _, events = narrated(match.game.rules, match.before(number), move)
    public = [told for told in events if told.visible_to(None)]
    if not any(told.kind == REVEAL for told in public):
        yield from filter(None, (told.sentence(match.names) for told in public))


def tell_last(match: Match, count: int) -> Text | None:
    """Return what everybody was told of so many last moves; None where that was nothing, or shows secrets."""
    said: Text | None = None
    numbers = range(match.length, match.length - count, -1)
    if any(map(match.releases, numbers)):
        return None
    for number in numbers:
        first = tell_move(match, number, match.moves[number - 1])
        said = msg("{first}, {rest}", first=first, rest=said) if first and said else first or said
    return said


def tell_undone(match: Match, count: int, *, revealed: bool) -> Text | None:
    """Say that so many last moves are being taken back; None where their texts say it better."""
    said = tell_last(match, count)
    return said and taken_back(said, seen=revealed)


def tell_amended(match: Match, number: int, move: Move) -> Text | None:
    """Say that a move is being corrected to another one: by the first of what was told of it that is otherwise now.

    None where their texts say it better, as of a secret.
    """
    told = zip(*(_told(match, number, one) for one in (match.moves[number - 1], move)), strict=False)
    otherwise = next(((was, entry) for was, entry in told if was != entry), None)
    if otherwise is None or move.verb in match.game.rules.SECRETS:
        return None
    was, entry = otherwise
    return msg("Corrected: {entry} (before: {was})", entry=entry, was=was)

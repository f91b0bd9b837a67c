"""What happens at the table, told in words: the game's own events and the referee's."""

from collections.abc import Iterator, Sequence
from typing import Final

from companion.core.event import REVEAL, Event
from companion.core.game import Game
from companion.core.match import Match
from companion.core.move import Move
from companion.core.rules import narrated
from companion.core.text import Text, decimal, msg, with_names
from companion.core.units import MS
from companion.referee.events import Verdict

_SENTENCES: Final = {
    "late_report": msg("{who}: a press came too late to count"),
    "stamp_refused": msg("{who}: the time of a press is refused"),
    "paused house": msg("Pause"),
    "paused undo": msg("Undo? The house confirms with ok"),
    "paused unplugged": msg("{who} is unplugged: the match waits"),
    "went_on": msg("It goes on"),
    "undone": msg("Taken back: {moves}"),
    "undone and seen": msg("Taken back, although it was seen: {moves}"),
    "redrawn the same": msg("The same draw as before: nothing else was decided"),
    "redrawn": msg("Other decisions, another draw"),
    "amended": msg("Move {number} is corrected: {was} becomes {entry}"),
    "refused": msg("Refused: {text}"),
}


def tell(game: Game, happened: Event, names: Sequence[str]) -> Text | None:
    """Return a sentence for any event, None for one that needs no words."""
    if happened.said:
        return happened.said
    facts, kind = happened.facts, happened.kind
    if isinstance(happened.data, Verdict):
        return tell_verdict(happened.data, names) if happened.data.margin_ns is not None else None
    if kind == "paused":
        kind = f"paused {facts['reason']}"
    elif kind == "undone" and facts["revealed"]:
        kind = "undone and seen"
    elif kind == "redrawn" and facts["same"]:
        kind = "redrawn the same"
    elif kind == "went_on" and facts["paused"]:
        return None  # something else still holds it
    if kind not in _SENTENCES:
        return game.teller.tell(happened, names)
    who = msg("the house") if happened.seat is None else names[happened.seat]
    if isinstance(moves := facts.get("moves"), list):
        facts["moves"] = ", ".join(moves)
    if isinstance(text := facts.get("text"), Text):
        facts["text"] = with_names(text, names)
    return _SENTENCES[kind]._replace(values=(("who", who), *facts.items()))


def tell_verdict(verdict: Verdict, names: Sequence[str]) -> Text:
    """Say by how much the first was first, where somebody else called, too."""
    assert verdict.margin_ns is not None
    first, second = (names[call.seat] for call in verdict.calls[:2])
    margin = decimal(verdict.margin_ns / MS)
    if len(verdict.seats) > 1:
        return msg("{first} and {second} call {margin} ms apart", first=first, second=second, margin=margin)
    return msg("{first} calls {margin} ms before {second}", first=first, second=second, margin=margin)


# --- What is taken back or corrected, as everybody was told of it ---------------------------------------------


def tell_move(match: Match, number: int, move: Move) -> Text | None:
    """Return what everybody was told first of a move, or would have been of another one in its place.

    Of one that reveals secrets it is nothing: the drum may still roll.
    """
    return next(_told(match, number, move), None)


def _told(match: Match, number: int, move: Move) -> Iterator[Text]:
    _, events = narrated(match.game.rules, match.before(number), move)
    public = [told for told in events if told.visible_to(None)]
    if not any(told.kind == REVEAL for told in public):
        yield from filter(None, (tell(match.game, told, match.names) for told in public))


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
    return said and _SENTENCES["undone and seen" if revealed else "undone"]._replace(values=(("moves", said),))


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

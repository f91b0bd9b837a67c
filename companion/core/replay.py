"""Replays records."""

import re
from collections.abc import Iterator, Mapping

from companion.core import options
from companion.core.errors import CompanionError, NewerRecordError, RecordError
from companion.core.event import Event
from companion.core.game import Game
from companion.core.limits import RECORD_NAME_SIGNS
from companion.core.match import FORMAT, RULING, Match, Step
from companion.core.move import each_seat
from companion.core.names import one_form
from companion.core.record import Entry, Record, parse_record
from companion.core.seats import seat_text
from companion.core.text import msg

_SEAT_TAG = re.compile("Seat[0-9]+")


def from_record(record: Record, games: Mapping[str, Game]) -> Match:
    """Replay a record. Raise as `new_from_tags` does, RecordError for an entry that cannot be replayed."""
    match = new_from_tags(record.tags, games)
    for entry in record.entries:
        replay(match, entry)
    return match


def loads(text: str, games: Mapping[str, Game]) -> Match:
    """Parse and replay what `dumps` printed. Raise RecordError for a bad line, or as `from_record` does."""
    return from_record(parse_record(text), games)


def new_from_tags(tags: Mapping[str, str], games: Mapping[str, Game]) -> Match:
    """Return the match that a record's tags describe, before its first move.

    Raise RecordError for an unknown format, game or seat numbering, OptionError for house rules or a number of
    seats that the game does not have, BoxError for a bad box.
    """
    rest = dict(tags)
    check_format(rest.pop("Format", None))
    name = rest.pop("Game", "")
    if name not in games:
        raise RecordError(
            msg(
                "the game {found!r} is not installed; install it, or set COMPANION_GAMES to the folder that "
                "contains it; known: {known}",
                found=name,
                known=", ".join(games),
            )
        )
    game = games[name]
    seats = sorted(tag for tag in rest if _SEAT_TAG.fullmatch(tag))
    if seats != [f"Seat{seat_text(seat)}" for seat in each_seat(len(seats))]:
        raise RecordError(
            msg("the seat tags are {seats}; number them from Seat1, without gaps", seats=", ".join(seats))
        )
    names = [one_form(rest.pop(tag)) for tag in seats]
    for tag, player in zip(seats, names, strict=True):
        if len(player) > RECORD_NAME_SIGNS:
            raise RecordError(
                msg("the name of {seat} is longer than {n} characters", seat=tag, n=RECORD_NAME_SIGNS)
            )
    rulings = {tag.removeprefix(RULING): rest.pop(tag) for tag in list(rest) if tag.startswith(RULING)}
    box_text = rest.pop("Box", None)
    return Match(game, names, rulings=options.read(game.rulings, rulings, "record"), box_text=box_text, tags=rest)


def check_format(version: str | None) -> None:
    """Raise NewerRecordError for a newer format, RecordError for an unknown one."""
    if version is None:
        raise RecordError(msg("not a match record: the Format tag is missing"))
    if re.fullmatch("[1-9][0-9]{0,8}", version) and int(version) > int(FORMAT):
        raise NewerRecordError(
            msg(
                "record format {found} is from a newer version of the companion; this one reads {known}. The "
                "record is unchanged: update the companion to open it",
                found=version,
                known=FORMAT,
            )
        )
    if version != FORMAT:
        raise RecordError(
            msg("unknown record format {found!r}; the companion reads {known}", found=version, known=FORMAT)
        )


def replay_entries(match: Match) -> Iterator[tuple[Entry, tuple[Event, ...]]]:
    """Replay a match from its beginning: yield each entry with its events."""
    again = Match(match.game, match.names, rulings=match.rulings, box_text=match.box_text)
    for entry in match.entries:
        yield entry, again.take(_step(again, entry))


def replay(match: Match, entry: Entry) -> tuple[Event, ...]:
    """Apply the next entry of a record and return its events. Raise RecordError with the entry's number from 1."""
    place = len(match.entries) + 1
    try:
        return match.take(_step(match, entry))
    except RecordError:
        raise
    except (CompanionError, ValueError) as error:
        why = error.text if isinstance(error, CompanionError) else str(error)
        shown = match.shown(entry)
        raise RecordError(msg("entry {place} ({entry}): {why}", place=place, entry=shown, why=why)) from error
    except (Exception, SystemExit) as error:  # third-party code may raise anything; only this record fails
        raise RecordError(
            msg(
                "entry {place} ({entry}): the game crashed ({why})",
                place=place,
                entry=match.shown(entry),
                why=type(error).__name__,
            )
        ) from error


def _step(match: Match, entry: Entry) -> Step:
    if entry.kind == "undo":
        return match.prepare_undo(entry.number, entry.comment)
    if entry.kind == "amend":
        move = match.read_move(entry.move)
        return match.prepare_amend(entry.number, move, entry.comment)
    if entry.number != match.length + 1:
        raise RecordError(msg("found move {found}, expected move {due}", found=entry.number, due=match.length + 1))
    return match.prepare(match.read_move(entry.move), entry.comment)

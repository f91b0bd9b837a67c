"""A match: one game being played, as the moves that made it and everything derived from them.

A step is made in two halves, so that it can be written down before anything shows it: `prepare` (or
`prepare_undo`, `prepare_amend`) computes it, `take` makes it the match's own.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import NamedTuple

from companion.core import options
from companion.core.errors import (
    AmendError,
    CompanionError,
    IllegalMove,
    NotationError,
    OptionError,
    RecordError,
)
from companion.core.event import Event
from companion.core.evidence import Comment, read_comment
from companion.core.game import Game
from companion.core.move import HIDDEN, TABLE, Move, Seat, SecretMove, by_seat, each_seat, seat_text
from companion.core.record import Entry, Record, parse_record, print_record
from companion.core.rules import Outcome, Rulings, State, View
from companion.core.text import msg

FORMAT = "1"
"""The version of the notation, in each record's first tag."""

SEED_TAG = "Seed"

MANY = 1000
"""No list of alternatives is made from more moves than this: whoever wants another one keys it."""

_RULING = "Ruling."
_SEAT_TAG = re.compile("Seat[0-9]+")


class Played(NamedTuple):
    """A move of the current line, the position it led to, and the number of draws up to it."""

    move: Move
    state: State
    drawn: int


class Step(NamedTuple):
    """A change of a match that is not yet made, prepared `after` so many entries.

    `line` follows the first `kept` moves.
    """

    entry: Entry
    after: int
    kept: int
    line: tuple[Played, ...] = ()
    events: tuple[Event, ...] = ()


class Match:
    """One match of `game` between `names`, one name a seat.

    `box_text` is the game's data file, its own by default; `tags` are stored with the record.
    Raise OptionError for a number of seats that the game cannot play, BoxError for a bad box.
    """

    def __init__(
        self,
        game: Game,
        names: Iterable[str],
        *,
        rulings: Rulings | None = None,
        box_text: str | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        self.game = game
        self.names = tuple(names)
        self.rulings = game.rulings() if rulings is None else rulings
        self.box_text = game.box_text if box_text is None else box_text
        self.box = game.read_box(self.box_text, "box.toml")
        self.entries: list[Entry] = []
        self._tags = dict(tags or {})
        if len(self.names) not in game.rules.SEATS:
            raise OptionError(
                msg(
                    "{game} is for {allowed} players, not {n}",
                    game=game.title,
                    allowed=", ".join(map(str, game.rules.SEATS)),
                    n=len(self.names),
                )
            )
        self._start = game.rules.setup(self.box, self.rulings, len(self.names))
        self._line: list[Played] = []

    @property
    def state(self) -> State:
        """The current position."""
        return self._line[-1].state if self._line else self._start

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the current line."""
        return tuple(played.move for played in self._line)

    @property
    def length(self) -> int:
        """How many moves the current line has."""
        return len(self._line)

    @property
    def drawn(self) -> int:
        """How many of them were draws of the TABLE."""
        return self._line[-1].drawn if self._line else 0

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Who may move now."""
        return self.game.rules.to_act(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None."""
        return self.game.rules.outcome(self.state)

    def view(self, seat: Seat | None = None) -> View:
        """Return what one seat, or everybody (None), may see now."""
        return self.game.rules.view(self.state, seat)

    def push(self, move: Move, comment: Comment = "") -> tuple[Event, ...]:
        """Make a move. Raise as `prepare` does; the match is unchanged then."""
        return self.take(self.prepare(move, comment))

    def undo(self, count: int = 1) -> tuple[Move, ...]:
        """Take the last moves back and return them. Raise ValueError when there are not so many."""
        taken = self.moves[self.length - count :]
        self.take(self.prepare_undo(count))
        return taken

    def amend(self, number: int, move: Move, comment: Comment = "") -> None:
        """Replace a move of the current line (counted from 1) and replay what follows.

        Raise IllegalMove when the new move is refused, AmendError naming the first later move that would be.
        """
        self.take(self.prepare_amend(number, move, comment))

    def prepare(self, move: Move, comment: Comment = "") -> Step:
        """Return the step of a move. Raise IllegalMove, ValueError for a comment with braces or of two lines."""
        move = self._sealed(move)
        played, events = self._play(self.state, self.drawn, move)
        entry = _entry("move", self.length + 1, self._text(move), comment)
        return Step(entry, len(self.entries), self.length, (played,), events)

    def prepare_undo(self, count: int, comment: Comment = "") -> Step:
        """Return the step that takes `count` moves back. Raise ValueError when there are not so many."""
        if not 1 <= count <= self.length:
            raise ValueError(f"cannot take back {count} of {self.length} moves")
        return Step(_entry("undo", count, "", comment), len(self.entries), self.length - count)

    def prepare_amend(self, number: int, move: Move, comment: Comment = "") -> Step:
        """Return the step of a correction. Raise as `amend` does, ValueError for a number without a move."""
        if not 1 <= number <= self.length:
            raise ValueError(f"there is no move {number} of {self.length}")
        move = self._sealed(move)
        kept = number - 1
        before = self._line[kept - 1] if kept else Played(move, self._start, 0)
        first, _ = self._play(before.state, before.drawn, move)
        line = [first]
        for place in range(number, self.length):
            later = self._line[place].move
            try:
                following, _ = self._play(line[-1].state, line[-1].drawn, later)
            except IllegalMove as refusal:
                raise AmendError(place + 1, refusal, self.public_text(later)) from refusal
            line.append(following)
        return Step(_entry("amend", number, self._text(move), comment), len(self.entries), kept, tuple(line))

    def take(self, step: Step) -> tuple[Event, ...]:
        """Make a prepared step the match's own and return what to tell of it.

        Raise ValueError when another was taken since it was prepared.
        """
        if step.after != len(self.entries):
            raise ValueError(f"prepared after {step.after} entries, taken after {len(self.entries)}")
        del self._line[step.kept :]
        self._line.extend(step.line)
        self.entries.append(step.entry)
        return step.events

    @property
    def tags(self) -> dict[str, str]:
        """All tags of the record, the seed among them."""
        seats = {f"Seat{seat_text(seat)}": name for seat, name in by_seat(self.names)}
        rulings = {_RULING + key: _ruling_text(value) for key, value in asdict(self.rulings).items()}
        head = {"Format": FORMAT, "Game": self.game.name}
        return {**head, **seats, **rulings, **self._tags, "Box": self.box_text}

    def move_text(self, number: int) -> str:
        """Return a move of the current line, counted from 1, as everybody may read it."""
        return self.public_text(self._line[number - 1].move)

    def public_text(self, move: Move) -> str:
        """Return a move as everybody may read it: `??` for what is secret in it."""
        return (
            f"{seat_text(move.seat)} {move.verb} {HIDDEN}"
            if move.verb in self.game.rules.SECRETS
            else self._text(move)
        )

    def alternatives(self, number: int) -> list[Move]:
        """Return what the mover of a move (counted from 1) could have done instead, by the same kind of move.

        Of a secret there is nothing: what is left out would tell it. Nor of a move that the rules call PRIVATE,
        whose alternatives would tell a hand, nor of more than MANY moves.
        """
        move = self._line[number - 1].move
        if isinstance(move, SecretMove) or move.verb in getattr(self.game.rules, "PRIVATE", ()):
            return []
        moves = self.game.rules.legal(self.before(number), move.seat)
        if len(moves) > MANY:
            return []
        return [other for other in moves if other.verb == move.verb and other != move]

    def before(self, number: int) -> State:
        """Return the position before a move of the current line, counted from 1."""
        return self._line[number - 2].state if number > 1 else self._start

    def releases(self, number: int) -> bool:
        """Tell whether a move of the current line made a secret public, as the rules declare it."""
        released = getattr(self.game.rules, "released", None)
        return released is not None and released(self.before(number), self._line[number - 1].move) is not None

    @property
    def has_secrets(self) -> bool:
        """Whether the game knows secrets at all."""
        return bool(self.game.rules.SECRETS)

    @property
    def holds_secret(self) -> bool:
        """Whether something secret was decided that is not public yet."""
        for number in range(self.length, 0, -1):
            if self.releases(number):
                return False
            if isinstance(self._line[number - 1].move, SecretMove):
                return True
        return False

    def last_moves(self, count: int) -> list[str]:
        """Return the last moves of the current line as text, as everybody may read them."""
        return [self.public_text(played.move) for played in self._line[max(0, self.length - count) :]]

    def dumps(self) -> str:
        """Return the whole record, secrets and all: for its owner, and for everybody when the match is over."""
        return print_record(self.tags, self.entries)

    def log(self, audience: Seat | None = None) -> Record:
        """Return the record as one seat, or everybody (None), may read it: `??` for what is hidden from them.

        Nothing is hidden once the match is over.
        """
        if self.outcome is not None:
            return Record(self.tags, tuple(self.entries))
        tags = {name: HIDDEN if name == SEED_TAG else value for name, value in self.tags.items()}
        return Record(tags, tuple(self._redacted(entry, audience) for entry in self.entries))

    def shown(self, entry: Entry) -> Entry:
        """Return an entry as everybody may read it; of one that cannot be read, who moved and how."""
        try:
            return self._redacted(entry, None)
        except NotationError:
            return entry._replace(move=" ".join([*entry.move.split()[:2], HIDDEN]), comment="")

    def _play(self, state: State, drawn: int, move: Move) -> tuple[Played, tuple[Event, ...]]:
        following, events = self.game.rules.apply(state, move)
        draw = move.seat == TABLE and move.verb in self.game.rules.DRAWS
        return Played(move, following, drawn + draw), events

    def _sealed(self, move: Move) -> Move:
        """Return a move that knows whether it is secret, however it was made."""
        kind = SecretMove if move.verb in self.game.rules.SECRETS else Move
        return move if type(move) is kind else kind(*move)

    def _text(self, move: Move) -> str:
        return self.game.notation.format_move(self.box, move)

    def _redacted(self, entry: Entry, audience: Seat | None) -> Entry:
        if not entry.move:
            return entry
        move = self.game.notation.parse_move(self.box, entry.move)
        if not isinstance(move, SecretMove) or move.seat == audience:
            return entry
        return entry._replace(move=self.public_text(move), comment="")


def from_record(record: Record, games: Mapping[str, Game]) -> Match:
    """Replay a record. Raise as `new_from_tags` does, RecordError naming the entry that cannot be replayed."""
    match = new_from_tags(record.tags, games)
    for place, entry in enumerate(record.entries, 1):
        replay(match, entry, place)
    return match


def loads(text: str, games: Mapping[str, Game]) -> Match:
    """Return the match that `dumps` printed. Raise RecordError naming a bad line, or as `from_record` does."""
    return from_record(parse_record(text), games)


def new_from_tags(tags: Mapping[str, str], games: Mapping[str, Game]) -> Match:
    """Return the match that a record's tags describe, before its first move.

    Raise RecordError for a format or game that is not known and for seats that do not count from 1, OptionError for
    rulings or a number of seats that the game does not have, BoxError for a bad box.
    """
    rest = dict(tags)
    version = rest.pop("Format", None)
    if version is None:
        raise RecordError(msg("this is no record of a match: it has no Format tag"))
    if version != FORMAT:
        raise RecordError(
            msg("record of format {found!r}; this program reads {known}", found=version, known=FORMAT)
        )
    name = rest.pop("Game", "")
    if name not in games:
        raise RecordError(
            msg(
                "record of the game {found!r}, which is not here: install it, or name the folder that it is in by"
                " COMPANION_GAMES; known: {known}",
                found=name,
                known=", ".join(games),
            )
        )
    game = games[name]
    seats = sorted(tag for tag in rest if _SEAT_TAG.fullmatch(tag))
    if seats != [f"Seat{seat_text(seat)}" for seat in each_seat(len(seats))]:
        raise RecordError(msg("the seats are {seats}; they count from Seat1, one by one", seats=", ".join(seats)))
    names = [rest.pop(tag) for tag in seats]
    rulings = {tag.removeprefix(_RULING): rest.pop(tag) for tag in list(rest) if tag.startswith(_RULING)}
    box_text = rest.pop("Box", None)
    return Match(game, names, rulings=options.read(game.rulings, rulings, "record"), box_text=box_text, tags=rest)


def replay_entries(match: Match) -> Iterator[tuple[Entry, tuple[Event, ...]]]:
    """Play a match again from its beginning: each entry with what it tells."""
    again = Match(match.game, match.names, rulings=match.rulings, box_text=match.box_text)
    for entry in match.entries:
        yield entry, again.take(_step(again, entry))


def replay(match: Match, entry: Entry, place: int) -> tuple[Event, ...]:
    """Make one entry of a record. Raise RecordError naming it by `place`, counted from 1."""
    try:
        return match.take(_step(match, entry))
    except RecordError:
        raise
    except (CompanionError, ValueError) as error:
        why = error.text if isinstance(error, CompanionError) else str(error)
        shown = match.shown(entry)
        raise RecordError(msg("entry {place} ({entry}): {why}", place=place, entry=shown, why=why)) from error


def _step(match: Match, entry: Entry) -> Step:
    if entry.kind == "undo":
        return match.prepare_undo(entry.number, entry.comment)
    if entry.kind == "amend":
        return match.prepare_amend(
            entry.number, match.game.notation.parse_move(match.box, entry.move), entry.comment
        )
    if entry.number != match.length + 1:
        raise RecordError(
            msg("move {found} stands where move {due} is due", found=entry.number, due=match.length + 1)
        )
    return match.prepare(match.game.notation.parse_move(match.box, entry.move), entry.comment)


def _ruling_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _entry(kind: str, number: int, move: str, comment: Comment) -> Entry:
    if isinstance(comment, str):
        if any(char in comment for char in "{}\n\r"):
            raise ValueError(f"a comment is one line without braces, not {comment!r}")
        comment = read_comment(comment)
    return Entry(kind, number, move, comment)

"""A match: one game being played, as its moves.

A step has two halves, so that it can be saved before it is shown: `prepare` (or `prepare_undo`, `prepare_amend`)
computes it, `take` applies it.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import NamedTuple

from companion.core.console import Stage
from companion.core.dealer import Draw
from companion.core.errors import AmendError, IllegalMove, OptionError
from companion.core.event import Event
from companion.core.game import Game
from companion.core.move import HIDDEN, TABLE, Move, Seat, SecretMove, by_seat
from companion.core.record import Comment, Entry, Evidence, Record, print_record, read_comment
from companion.core.rules import (
    Binding,
    Box,
    Closing,
    Grouping,
    Judging,
    Outcome,
    Releasing,
    Rulings,
    State,
    View,
    narrated,
)
from companion.core.seats import seat_text
from companion.core.text import msg, one_of

FORMAT = "1"
"""The version of the notation, in each record's first tag."""

SEED_TAG = "Seed"

MANY = 1000
"""Alternatives are not listed if there are more legal moves than this."""

RULING = "Ruling."


class Played(NamedTuple):
    """A move of the current line, the position after it, and the number of draws up to it.

    `again` is as in `Draw`, `key_move` as in `Evidence`; a correction of the move keeps both.
    """

    move: Move
    state: State
    drawn: int
    again: int = 0
    key_move: int | None = None


class _TakenBack(NamedTuple):
    line: Sequence[Played]
    place: int
    again: int


class Step(NamedTuple):
    """A prepared change of a match.

    It was prepared after `after` entries; `line` follows the first `kept` moves.
    """

    entry: Entry
    after: int
    kept: int
    line: tuple[Played, ...] = ()
    events: tuple[Event, ...] = ()


@lru_cache(maxsize=8)
def _box(read_box: Callable[[str, str], Box], text: str) -> Box:
    return read_box(text, "box.toml")


class Match:
    """One match of `game`, with one of `names` for each seat.

    `box_text` is a box's TOML, `tags` are stored in the record. Raise OptionError for an unsupported number of
    seats, BoxError for a bad box.
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
        self.box = _box(game.read_box, self.box_text)
        self.entries: list[Entry] = []
        self._tags = dict(tags or {})
        if len(self.names) not in game.rules.SEATS:
            raise OptionError(
                msg(
                    "{game} is for {allowed} players, not {n}",
                    game=game.title,
                    allowed=one_of(game.rules.SEATS),
                    n=len(self.names),
                )
            )
        self.state: State = game.rules.setup(self.box, self.rulings, len(self.names))
        """The current position."""
        self.length = 0
        self.last: Move | None = None
        self.drawn = 0
        self.has_secrets = bool(game.rules.SECRETS)
        self.effort = 0
        """The cost of corrections and draws after an undo so far, in replayed moves."""
        self._releasing = game.rules if isinstance(game.rules, Releasing) else None
        self._judging = game.rules if isinstance(game.rules, Judging) else None
        self._start = self.state
        self._line: list[Played] = []
        self._taken_back: dict[int, list[_TakenBack]] = {}  # by the number of the draw

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(played.move for played in self._line)

    @property
    def next_draw(self) -> Draw:
        """The next draw. After an undo, the same public decisions lead to the same draw."""
        number = self.drawn
        taken_back = self._taken_back.get(number)
        if not taken_back:
            return Draw(number)
        decided = self._decided(self._line, self.length)
        for line, place, again in taken_back:
            self._looked_through(place)
            if self._decided(line, place) == decided:
                return Draw(number, again, same=True)
        return Draw(number, 1 + max(draw.again for draw in taken_back), same=False)

    def is_draw(self, move: Move) -> bool:
        return move.seat == TABLE and move.verb in self.game.rules.DRAWS

    @property
    def to_act(self) -> tuple[Seat, ...]:
        return self.game.rules.to_act(self.state)

    @property
    def outcome(self) -> Outcome | None:
        return self.game.rules.outcome(self.state)

    def view(self, seat: Seat | None = None) -> View:
        return self.game.rules.view(self.state, seat)

    def legal(self, seat: Seat) -> Sequence[Move]:
        """Return the legal moves of a seat; () if it may not move now. Long lists are computed as they are read."""
        return self.game.rules.legal(self.state, seat)

    def read_move(self, text: str) -> Move:
        """Return the move of a text such as `2 declare 4`. Raises NotationError."""
        return self.game.notation.parse_move(self.box, text)

    def push(self, move: Move, comment: Comment = "") -> tuple[Event, ...]:
        """Make a move and return its events. Raise as `prepare` does; the match is then unchanged."""
        return self.take(self.prepare(move, comment))

    def undo(self, count: int = 1) -> tuple[Move, ...]:
        """Undo the last `count` moves and return them. Raise ValueError if there are fewer."""
        taken = self.moves[self.length - count :]
        self.take(self.prepare_undo(count))
        return taken

    def amend(self, number: int, move: Move, comment: Comment = "") -> None:
        """Replace move `number`, counted from 1, and replay the later ones.

        Raise IllegalMove if the new move is illegal, AmendError if a later move would be.
        """
        self.take(self.prepare_amend(number, move, comment))

    def prepare(self, move: Move, comment: Comment = "") -> Step:
        """Return the step of a move. Raise IllegalMove, ValueError for a comment with braces or line breaks."""
        move = self._sealed(move)
        again = self.next_draw.again if self.is_draw(move) else 0
        key_move = comment.key_move if isinstance(comment, Evidence) else None
        played, events = self._play(self.state, self.drawn, move, again, key_move)
        entry = self._entry("move", self.length + 1, comment, move)
        return Step(entry, len(self.entries), self.length, (played,), events)

    def prepare_undo(self, count: int, comment: Comment = "") -> Step:
        """Return the step that undoes `count` moves. Raise ValueError if there are fewer."""
        if not 1 <= count <= self.length:
            raise ValueError(f"cannot take back {count} of {self.length} moves")
        return Step(self._entry("undo", count, comment), len(self.entries), self.length - count)

    def prepare_amend(self, number: int, move: Move, comment: Comment = "", *, length: int | None = None) -> Step:
        """Return the step of a correction. Raise as `amend` does, ValueError for a number without a move.

        With `length`, later moves are not replayed: they will be undone first.
        """
        if not 1 <= number <= self.length:
            raise ValueError(f"move {number} of {self.length} does not exist")
        move = self._sealed(move)
        kept = number - 1
        before = self._line[kept - 1] if kept else Played(move, self._start, 0)
        _, _, _, again, key_move = self._line[kept]
        first, _ = self._play(before.state, before.drawn, move, again, key_move)
        line = [first]
        rules = self.game.rules
        belongs = rules.belongs if isinstance(rules, Binding) else None
        for place in range(number, self.length if length is None else length):
            later, _, _, again, key_move = self._line[place]
            self.effort += 1
            try:
                if belongs is not None:
                    belongs(self._line[place - 1].state, line[-1].state, later)
                following, _ = self._play(line[-1].state, line[-1].drawn, later, again, key_move)
            except IllegalMove as refusal:
                raise AmendError(place + 1, refusal, self.public_text(later)) from refusal
            line.append(following)
        return Step(self._entry("amend", number, comment, move), len(self.entries), kept, tuple(line))

    def take(self, step: Step) -> tuple[Event, ...]:
        """Apply a prepared step and return its events.

        Raise ValueError if another step was applied since.
        """
        if step.after != len(self.entries):
            raise ValueError(f"prepared after {step.after} entries, taken after {len(self.entries)}")
        if step.kept < self.length:
            self._keep_draws(step.kept)
            del self._line[step.kept :]
        self._line.extend(step.line)
        self.length = len(self._line)
        self.last = self._line[-1].move if self._line else None
        _, self.state, self.drawn, _, _ = self._line[-1] if self._line else (None, self._start, 0, 0, None)
        self.entries.append(step.entry)
        return step.events

    @property
    def tags(self) -> dict[str, str]:
        seats = {f"Seat{seat_text(seat)}": name for seat, name in by_seat(self.names)}
        rulings = {RULING + key: _ruling_text(value) for key, value in asdict(self.rulings).items()}
        head = {"Format": FORMAT, "Game": self.game.name}
        return {**head, **seats, **rulings, **self._tags, "Box": self.box_text}

    def move_text(self, number: int) -> str:
        return self.public_text(self._line[number - 1].move)

    def public_text(self, move: Move) -> str:
        return (
            f"{seat_text(move.seat)} {move.verb} {HIDDEN}"
            if move.verb in self.game.rules.SECRETS
            else self.game.notation.format_move(self.box, move)
        )

    def alternatives(self, number: int) -> list[Move]:
        """Return the legal moves that could replace move `number`, those of the same seat and verb first.

        Other verbs and seats are included only if it `was_ruled`. Empty for secrets and PRIVATE verbs, since
        omissions would leak, and for more than MANY moves.
        """
        rules, before, move = self.game.rules, self.before(number), self._line[number - 1].move
        if self._is_closed(move):
            return []
        ruled = self.was_ruled(number)
        seats = sorted(rules.to_act(before)) if ruled else [move.seat]
        legal = [rules.legal(before, seat) for seat in seats]
        if sum(map(len, legal)) > MANY:
            return []
        # Deduplicate identical cards.
        others = [other for moves in legal for other in dict.fromkeys(moves) if other != move]
        others = [other for other in others if not self._is_in_place(other)]
        alike = [other for other in others if other[:2] == move[:2]]
        unlike = [other for other in others if other[:2] != move[:2] and not self._is_closed(other)]
        return alike + [other for other in unlike if ruled and not self.is_draw(other)]

    def was_ruled(self, number: int) -> bool:
        """Return True if move `number` was the verdict of a race or of the house, or a timeout."""
        move, stage = self._line[number - 1].move, self.stage_before(number)
        timed = stage.limit is not None and stage.limit.move.verb == move.verb
        return move.seat == TABLE and (stage.race is not None or timed or self._is_in_place(move))

    @property
    def decided(self) -> int:
        number = self.length
        while number and self.came_by_itself(number):
            number -= 1
        return number

    def came_by_itself(self, number: int) -> bool:
        """Return True if nobody decided or drew move `number`."""
        deal = self.stage_before(number).deal
        return (
            deal is not None and deal.by_itself is not None and deal.by_itself.move == self._line[number - 1].move
        )

    def stage_before(self, number: int) -> Stage:
        return self.game.console.stage(self.game.rules.view(self.before(number), None))

    def _is_in_place(self, move: Move) -> bool:
        return self._judging is not None and self._judging.in_place(move)

    def _is_closed(self, move: Move) -> bool:
        rules = self.game.rules
        return isinstance(move, SecretMove) or (isinstance(rules, Closing) and move.verb in rules.PRIVATE)

    def overruled(self, *, right: bool) -> Move | None:
        """Return the correction of the last decided move when the house judges its answer; None for no change."""
        number = self.decided
        if self._judging is None or not number:
            return None
        return self._judging.overruled(self.before(number), self._line[number - 1].move, right=right)

    def undo_unit(self, length: int) -> int:
        """Return how many of the first `length` moves form one undo: by default the moves of one key."""
        rules = self.game.rules
        if isinstance(rules, Grouping) and length:
            return rules.undo_unit(self.before(length), self.moves[:length])
        count = min(1, length)
        while count < length and self._line[length - count].key_move is not None:
            count += 1
        return count

    def before(self, number: int) -> State:
        return self._line[number - 2].state if number > 1 else self._start

    def releases(self, number: int) -> bool:
        return self.made_public(self.before(number), self._line[number - 1].move) is not None

    def made_public(self, state: State, move: Move) -> Hashable:
        return self._releasing.released(state, move) if self._releasing else None

    @property
    def holds_secret(self) -> bool:
        """Whether a secret move was made after the last release."""
        for number in range(self.length, 0, -1):
            if self.releases(number):
                return False
            if isinstance(self._line[number - 1].move, SecretMove):
                return True
        return False

    def last_moves(self, count: int) -> list[str]:
        return [self.public_text(played.move) for played in self._line[max(0, self.length - count) :]]

    def dumps(self) -> str:
        """Return the whole record with its secrets: for its owner, or for everybody after the end."""
        return print_record(self.tags, self.entries)

    def log(self, audience: Seat | None = None) -> Record:
        """Return the record as one seat, or everybody (None), may read it.

        Secrets and seed are `??` until the end.
        """
        if self.outcome is not None:
            return Record(self.tags, tuple(self.entries))
        tags = {name: HIDDEN if name == SEED_TAG else value for name, value in self.tags.items()}
        return Record(tags, tuple(self._redacted(entry, audience) for entry in self.entries))

    def is_secret(self, entry: Entry) -> bool:
        return not self.game.rules.SECRETS.isdisjoint(entry.move.split()[1:2])

    def shown(self, entry: Entry) -> Entry:
        try:
            if entry.move:
                self.read_move(entry.move)
            return self._redacted(entry, None)
        except Exception:  # noqa: BLE001  a game that cannot read it is no reason to tell a secret
            return entry._replace(move=" ".join([*entry.move.split()[:2], HIDDEN]), comment="")

    def _play(
        self, state: State, drawn: int, move: Move, again: int = 0, key_move: int | None = None
    ) -> tuple[Played, tuple[Event, ...]]:
        following, events = narrated(self.game.rules, state, move)
        return Played(move, following, drawn + self.is_draw(move), again, key_move), events

    def _keep_draws(self, kept: int) -> None:
        drawn = [place for place in range(kept, self.length) if self.is_draw(self._line[place].move)]
        line = tuple(self._line) if drawn else ()
        self._looked_through(len(line))
        for place in drawn:
            number, again = line[place].drawn - 1, line[place].again
            self._taken_back.setdefault(number, []).append(_TakenBack(line, place, again))

    def _looked_through(self, length: int) -> None:
        self.effort += length // 10

    def _decided(self, line: Sequence[Played], length: int) -> tuple[object, ...]:
        """Return the public decisions of a line by seat, and the position. The order of locks does not matter."""
        rules, state = self.game.rules, self._start
        said: dict[Seat, list[str]] = {}
        opened: list[Hashable] = []
        for played in line[:length]:
            said.setdefault(played.move.seat, []).append(self.public_text(played.move))
            opened.append(self.made_public(state, played.move))
            state = played.state
        return said, [secrets for secrets in opened if secrets is not None], rules.view(state, None)

    def _sealed(self, move: Move) -> Move:
        kind = SecretMove if move.verb in self.game.rules.SECRETS else Move
        return move if type(move) is kind else kind(*move)

    def _entry(self, kind: str, number: int, comment: Comment, move: Move | None = None) -> Entry:
        if isinstance(comment, str):
            if any(char in comment for char in "{}\n\r"):
                raise ValueError(f"a comment is one line without braces, not {comment!r}")
            comment = read_comment(comment)
        return Entry(kind, number, self.game.notation.format_move(self.box, move) if move else "", comment)

    def _redacted(self, entry: Entry, audience: Seat | None) -> Entry:
        if not self.is_secret(entry):
            return entry
        mover, verb, *_ = entry.move.split()
        if audience is not None and mover == seat_text(audience):
            return entry
        return entry._replace(move=f"{mover} {verb} {HIDDEN}", comment="")


def _ruling_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

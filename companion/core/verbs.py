"""Declares the verbs of a game: who may use one, its legal arguments, effect, notation and refusals."""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, ParamSpec, Protocol, TypeVar

from companion.core.choices import ONE, Args, Choices, Moves, joined, kept_moves
from companion.core.errors import IllegalMove, NotationError, nearest
from companion.core.event import Event, EventFacts, event
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.core.seats import parse_seat, seat_text
from companion.core.text import Text, msg

Told = list[Event] | None
"""A list for events, or None."""

P = ParamSpec("P")


def tell(
    told: Told, kind: Callable[P, EventFacts], seat: Seat | None = None, *facts: P.args, **named: P.kwargs
) -> None:
    """Append an event if `told` is given."""
    if told is not None:
        told.append(event(kind(*facts, **named), seat))


Reason = Text | tuple[str, Text]
"""Why a move is refused, and the paragraph if it is not the verb's."""

NOT_DUE: Final = msg("this move is not allowed now")

NOT_SO_MANY: Final = msg("this move has the wrong number of values")

NOT_ACCEPTED: Final = msg("not accepted")
"""The refusal of a secret move, as other players read it."""


class Position(Protocol):
    """A position with a phase."""

    @property
    def phase(self) -> str: ...


S = TypeVar("S", bound=Position)
B = TypeVar("B")


class Spelling(NamedTuple, Generic[B]):
    """How the numbers of a verb are written and read; `read` raises NotationError."""

    write: Callable[[B, Args], str]
    read: Callable[[B, Sequence[str]], Args]


def nothing(words: Sequence[str]) -> tuple[int, ...]:
    """Return no arguments. Raise NotationError if there are words."""
    if words:
        raise NotationError(msg("unexpected {word!r}", word=" ".join(words)))
    return ()


def one_seat(words: Sequence[str]) -> Seat:
    return parse_seat(" ".join(words))


def word_of(word: str, words: Sequence[str]) -> int:
    """Return the index of a word in `words`. Raise NotationError."""
    if word not in words:
        raise NotationError(msg("unknown word {word!r}; {near}", word=word, near=nearest(word, words)))
    return words.index(word)


def number(word: str, least: int = 0, most: int = 999) -> int:
    """Parse a whole number without plus or leading zeros. Raise NotationError."""
    if word.isascii() and word.isdecimal() and len(word) <= len(str(most)) and str(int(word)) == word:
        found = int(word)
        if least <= found <= most:
            return found
    raise NotationError(
        msg("{word!r}; allowed: a whole number from {least} to {most}", word=word, least=least, most=most)
    )


WORDLESS: Final[Spelling[Any]] = Spelling(lambda _, args: " ".join(map(str, args)), lambda _, words: nothing(words))
"""No numbers."""

ONE_SEAT: Final[Spelling[Any]] = Spelling(
    lambda _, args: seat_text(Seat(args[0])),
    lambda _, words: (one_seat(words),),
)
"""One number: a seat."""

TIED: Final[Spelling[Any]] = Spelling(
    lambda _, args: " ".join(map(seat_text, map(Seat, args))),
    lambda _, words: tuple(sorted(map(parse_seat, words))),
)
"""The seats of a tie."""


def one_word(known: Sequence[str]) -> Spelling[Any]:
    return Spelling(lambda _, args: known[args[0]], lambda _, words: (word_of(" ".join(words), known),))


def by_table(_state: object, seat: Seat) -> bool:
    return seat == TABLE


def fixed(choices: Choices) -> Callable[[object, Seat], Choices]:
    return lambda _state, _seat: choices


always: Final = fixed(ONE)


Why = Callable[[S, Seat, Args], Reason]


def takes(*counts: int) -> Callable[[Why[S]], Why[S]]:
    """Use a reason only for these numbers of arguments; others get NOT_SO_MANY."""

    def only_then(why: Why[S]) -> Why[S]:
        def reason(state: S, seat: Seat, args: Args) -> Reason:
            return why(state, seat, args) if len(args) in counts else NOT_SO_MANY

        return reason

    return only_then


class Guard(NamedTuple, Generic[S]):
    """A condition for using a verb."""

    holds: Callable[[S, Seat], bool]
    why: Reason | Why[S]


def during(
    phases: Collection[str], by: Callable[[S, Seat], bool], why: Reason | Why[S] = NOT_DUE
) -> tuple[Guard[S]]:
    """Return the guard of a verb for some phases and seats, with one reason."""
    return (Guard(lambda state, seat: state.phase in phases and by(state, seat), why),)


class Verb(NamedTuple, Generic[S, B]):
    """One kind of move.

    * `rule`: the paragraph that governs it.
    * `when`: its conditions. The first that does not hold gives the reason.
    * `choices`: the legal numbers. `refused`: why others are refused.
    * `apply`: returns the next position.
    * `secret`: reasons are for its owner only. `draw`: it is random.
    """

    rule: str
    when: tuple[Guard[S], ...]
    choices: Callable[[S, Seat], Choices]
    apply: Callable[[S, Seat, Args, Told], S]
    spelling: Spelling[B] = WORDLESS
    refused: Reason | Why[S] = NOT_DUE
    secret: bool = False
    draw: bool = False

    def usable(self, state: S, seat: Seat) -> bool:
        for holds, _ in self.when:  # noqa: SIM110, asked before each move: a loop is left in half the time
            if not holds(state, seat):
                return False
        return True


class Verbs(Generic[S, B]):
    """All verbs of the game called `title`; `over` is the paragraph of its end and its last phase.

    `situation` makes them faster: it returns a cache key of everything that decides which verbs a seat may use.
    """

    def __init__(
        self,
        title: str,
        verbs: Mapping[str, Verb[S, B]],
        over: tuple[str, str],
        situation: Callable[[S, Seat], Hashable] | None = None,
    ) -> None:
        self.title = title
        self.names = tuple(verbs)
        self.draws = frozenset(name for name, verb in verbs.items() if verb.draw)
        self.secrets = frozenset(name for name, verb in verbs.items() if verb.secret)
        self._verbs = dict(verbs)
        self._over_rule, self._over = over
        self._situation = situation
        self._known: dict[Hashable, Sequence[tuple[str, Verb[S, B]]]] = {}

    def _used(self, state: S, seat: Seat) -> Sequence[tuple[str, Verb[S, B]]]:
        if self._situation is None:
            return self._found(state, seat)
        situation = self._situation(state, seat)
        known = self._known.get(situation)
        if known is None:
            known = self._known[situation] = self._found(state, seat)
        return known

    def _found(self, state: S, seat: Seat) -> Sequence[tuple[str, Verb[S, B]]]:
        return [(name, verb) for name, verb in self._verbs.items() if verb.usable(state, seat)]

    def legal(self, state: S, seat: Seat) -> Sequence[Move]:
        """Return the legal moves of a seat or the TABLE, in the order of the declarations."""
        parts: list[Sequence[Move]] = []
        for name, verb in self._used(state, seat):
            choices = verb.choices(state, seat)
            if choices:
                kind = SecretMove if verb.secret else Move
                listed = kept_moves if isinstance(choices, tuple) else Moves
                parts.append(listed(seat, name, choices, kind))
        return joined(parts)

    def apply(self, state: S, move: Move, told: Told = None) -> S:
        """Return the next position and append events to `told`. Raise IllegalMove."""
        seat, name, args = move
        verb = self._verbs.get(name)
        if verb is None or not verb.usable(state, seat) or args not in verb.choices(state, seat):
            raise self.refusal(state, move)
        return verb.apply(state, seat, args, told)

    def refusal(self, state: S, move: Move) -> IllegalMove:
        seat, name, args = move
        verb = self._verbs.get(name)
        if state.phase == self._over:
            return IllegalMove(seat, self._over_rule, msg("the match is over"))
        if verb is None:
            return IllegalMove(
                seat, self._over_rule, msg("{name!r} is not a move of {game}", game=self.title, name=name)
            )
        why = next((why for holds, why in verb.when if not holds(state, seat)), verb.refused)
        reason = why(state, seat, args) if callable(why) else why
        rule, text = (verb.rule, reason) if isinstance(reason, Text) else reason
        if verb.secret:
            return IllegalMove(seat, verb.rule, NOT_ACCEPTED, own=text)
        return IllegalMove(seat, rule, text)

    def format_move(self, box: B, move: Move) -> str:
        verb = self._verbs.get(move.verb)
        words = verb.spelling.write(box, move.args) if verb else ""
        return " ".join((seat_text(move.seat), move.verb, *([words] if words else [])))

    def parse_move(self, box: B, text: str) -> Move:
        """Parse a move, a SecretMove if its verb is secret. Raise NotationError."""
        mover, _, rest = text.partition(" ")
        name, *words = rest.split() or [""]
        verb = self._verbs.get(name)
        if verb is None:
            known = nearest(name, self._verbs)
            raise NotationError(
                msg("{verb!r} is not a move of {game}; {near}", game=self.title, verb=name, near=known)
            )
        kind = SecretMove if verb.secret else Move
        return kind(parse_seat(mover), name, verb.spelling.read(box, words))

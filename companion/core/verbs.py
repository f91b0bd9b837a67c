"""The verbs of a game: who may use one, its legal arguments, its effect, its words and why it is refused.

Each is declared once. What the contract of rules and notation asks for (`legal`, `apply`, refusals, `format_move`,
`parse_move`) comes from the declarations.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, ParamSpec, Protocol, TypeVar

from companion.core.choices import ONE, Args, Choices, Moves, joined, kept_moves
from companion.core.errors import IllegalMove, NotationError, nearest
from companion.core.event import Event, EventFacts, event
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.core.seats import parse_seat, seat_text
from companion.core.text import Text, msg

Told = list[Event] | None
"""Where a verb tells what happened; None where nobody listens: a playout or a search makes no events."""

P = ParamSpec("P")


def tell(
    told: Told, kind: Callable[P, EventFacts], seat: Seat | None = None, *facts: P.args, **named: P.kwargs
) -> None:
    """Tell of a kind of event, of a seat or None, with its facts; nothing is made where nobody listens."""
    if told is not None:
        told.append(event(kind(*facts, **named), seat))


Reason = Text | tuple[str, Text]
"""Why a move is refused, with the paragraph where that is not the verb's own."""

NOT_DUE: Final = msg("this move is not due now")

NOT_SO_MANY: Final = msg("this move has more numbers, or fewer")

NOT_ACCEPTED: Final = msg("not accepted")
"""All that others hear of a secret move that is refused."""


class Position(Protocol):
    """A position that is in some phase."""

    @property
    def phase(self) -> str:
        """What it waits for."""


S = TypeVar("S", bound=Position)
B = TypeVar("B")


class Spelling(NamedTuple, Generic[B]):
    """How the numbers of a verb are written and read; `read` raises NotationError."""

    write: Callable[[B, Args], str]
    read: Callable[[B, Sequence[str]], Args]


def nothing(words: Sequence[str]) -> tuple[int, ...]:
    """Return no arguments. Raise NotationError when there are words left."""
    if words:
        raise NotationError(msg("{word!r} is too much here", word=" ".join(words)))
    return ()


def one_seat(words: Sequence[str]) -> Seat:
    """Return the seat that the words name. Raise NotationError."""
    return parse_seat(" ".join(words))


def word_of(word: str, words: Sequence[str]) -> int:
    """Return the place of a word among those allowed. Raise NotationError."""
    if word not in words:
        raise NotationError(msg("{word!r} is not understood; {near}", word=word, near=nearest(word, words)))
    return words.index(word)


def number(word: str, least: int = 0, most: int = 999) -> int:
    """Return a whole number written plainly: no sign, no zero in front. Raise NotationError."""
    if word.isascii() and word.isdecimal() and len(word) <= len(str(most)) and str(int(word)) == word:
        found = int(word)
        if least <= found <= most:
            return found
    raise NotationError(
        msg("{word!r}; allowed: a whole number from {least} to {most}", word=word, least=least, most=most)
    )


WORDLESS: Final[Spelling[Any]] = Spelling(lambda _, args: " ".join(map(str, args)), lambda _, words: nothing(words))
"""A verb without numbers."""

ONE_SEAT: Final[Spelling[Any]] = Spelling(
    lambda _, args: seat_text(Seat(args[0])),
    lambda _, words: (one_seat(words),),
)
"""A verb whose number is a seat."""

TIED: Final[Spelling[Any]] = Spelling(
    lambda _, args: " ".join(map(seat_text, map(Seat, args))),
    lambda _, words: tuple(sorted(map(parse_seat, words))),
)
"""A verb whose numbers are the seats of a tie."""


def one_word(known: Sequence[str]) -> Spelling[Any]:
    """Return how a verb is written whose number is the place of one of these words."""
    return Spelling(lambda _, args: known[args[0]], lambda _, words: (word_of(" ".join(words), known),))


def by_table(_state: object, seat: Seat) -> bool:
    """Tell that only the TABLE may use a verb."""
    return seat == TABLE


def fixed(choices: Choices) -> Callable[[object, Seat], Choices]:
    """Return choices that are the same in each position."""
    return lambda _state, _seat: choices


always: Final = fixed(ONE)
"""The one choice of a verb without numbers."""


Why = Callable[[S, Seat, Args], Reason]


def takes(*counts: int) -> Callable[[Why[S]], Why[S]]:
    """Return a reason that is asked only of so many numbers: of others it cannot tell what was meant."""

    def only_then(why: Why[S]) -> Why[S]:
        def reason(state: S, seat: Seat, args: Args) -> Reason:
            return why(state, seat, args) if len(args) in counts else NOT_SO_MANY

        return reason

    return only_then


class Guard(NamedTuple, Generic[S]):
    """What has to hold for a seat that uses a verb, and why it may not use it where that does not hold."""

    holds: Callable[[S, Seat], bool]
    why: Reason | Why[S]


def during(
    phases: Collection[str], by: Callable[[S, Seat], bool], why: Reason | Why[S] = NOT_DUE
) -> tuple[Guard[S]]:
    """Return the guard of a verb that some may use in some phases; in all other cases there is one reason."""
    return (Guard(lambda state, seat: state.phase in phases and by(state, seat), why),)


class Verb(NamedTuple, Generic[S, B]):
    """One kind of move.

    `rule` is the paragraph that governs it, the guards `when` say when and by whom it may be used, `choices` which
    numbers are legal then: nothing else decides that. `apply` returns the position after it. The first guard that
    does not hold says why it cannot be used at all now, `refused` why not with these numbers; of a secret verb only
    its owner reads either. A `draw` is made by chance.
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
        """Tell whether a seat may use it now, with whatever numbers."""
        for holds, _ in self.when:  # noqa: SIM110, asked before each move: a loop is left in half the time
            if not holds(state, seat):
                return False
        return True


class Verbs(Generic[S, B]):
    """All verbs of the game that is called `title`; `over` is the paragraph of its end, and the phase after it.

    `situation` makes them faster: it returns all that decides which verbs a seat may use, so that each situation is
    asked about once.
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
        """Return the verbs that a seat may use now, with their names."""
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
        """Return the legal moves of one seat, or of the TABLE, in the order of the declarations."""
        parts: list[Sequence[Move]] = []
        for name, verb in self._used(state, seat):
            choices = verb.choices(state, seat)
            if choices:
                kind = SecretMove if verb.secret else Move
                listed = kept_moves if isinstance(choices, tuple) else Moves
                parts.append(listed(seat, name, choices, kind))
        return joined(parts)

    def apply(self, state: S, move: Move, told: Told = None) -> S:
        """Return the position after a move, and tell in `told` what happened. Raise IllegalMove."""
        seat, name, args = move
        verb = self._verbs.get(name)
        if verb is None or not verb.usable(state, seat) or args not in verb.choices(state, seat):
            raise self.refusal(state, move)
        return verb.apply(state, seat, args, told)

    def refusal(self, state: S, move: Move) -> IllegalMove:
        """Return why a move is illegal: its paragraph, and a sentence for whoever tried it."""
        seat, name, args = move
        verb = self._verbs.get(name)
        if state.phase == self._over:
            return IllegalMove(seat, self._over_rule, msg("the match is over"))
        if verb is None:
            return IllegalMove(
                seat, self._over_rule, msg("{game} knows no move {name!r}", game=self.title, name=name)
            )
        why = next((why for holds, why in verb.when if not holds(state, seat)), verb.refused)
        reason = why(state, seat, args) if callable(why) else why
        rule, text = (verb.rule, reason) if isinstance(reason, Text) else reason
        if verb.secret:
            return IllegalMove(seat, verb.rule, NOT_ACCEPTED, own=text)
        return IllegalMove(seat, rule, text)

    def format_move(self, box: B, move: Move) -> str:
        """Return a move as text: who moves, the verb, its numbers in the game's words."""
        verb = self._verbs.get(move.verb)
        words = verb.spelling.write(box, move.args) if verb else ""
        return " ".join((seat_text(move.seat), move.verb, *([words] if words else [])))

    def parse_move(self, box: B, text: str) -> Move:
        """Return the move of a text, a SecretMove if its verb is secret. Raise NotationError."""
        mover, _, rest = text.partition(" ")
        name, *words = rest.split() or [""]
        verb = self._verbs.get(name)
        if verb is None:
            known = nearest(name, self._verbs)
            raise NotationError(msg("{game} has no move {verb!r}; {near}", game=self.title, verb=name, near=known))
        kind = SecretMove if verb.secret else Move
        return kind(parse_seat(mover), name, verb.spelling.read(box, words))

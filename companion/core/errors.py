"""Errors with messages for players."""

from collections.abc import Callable, Iterable, Mapping

from companion.core.move import Seat
from companion.core.text import Text, msg


class CompanionError(Exception):
    """Base of all errors here."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return str(self.text)

    def __reduce__(self) -> tuple[Callable[..., "CompanionError"], tuple[object, ...]]:
        return _made_again, (type(self), self.args, self.__dict__)


def _made_again(
    kind: type[CompanionError], args: tuple[object, ...], inside: Mapping[str, object]
) -> CompanionError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(inside)
    return error


class IllegalMove(CompanionError):
    """A move that the rules refuse; the position is unchanged.

    `rule` is the paragraph. The text never quotes a secret; `own` is for the seat only, not for logs.
    """

    def __init__(self, seat: Seat, rule: str, text: Text, own: Text | None = None) -> None:
        super().__init__(text)
        self.seat = seat
        self.rule = rule
        self.own = text if own is None else own

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})"


class NotationError(CompanionError, ValueError):
    """A move's text that cannot be parsed."""


class OptionError(CompanionError, ValueError):
    """An unknown option, or a value that is not allowed."""


class BoxError(CompanionError, ValueError):
    """A data file that does not describe a playable box; the text is the first of `mistakes`."""

    def __init__(self, *mistakes: Text) -> None:
        super().__init__(mistakes[0])
        self.mistakes = mistakes


class RecordError(CompanionError, ValueError):
    """A record that cannot be read or replayed; `line` counts from 1."""

    def __init__(self, text: Text, line: int | None = None) -> None:
        super().__init__(text)
        self.line = line


class NewerRecordError(RecordError):
    """A record of a newer version of the companion. It is intact and must not be changed."""


class NoMoveError(CompanionError):
    """The correction of a move that does not exist."""

    def __init__(self, number: int) -> None:
        super().__init__(msg("move {n} does not exist", n=number))


class AmendError(CompanionError):
    """A correction that makes a later move illegal; `number` is the first such move."""

    def __init__(self, number: int, refusal: IllegalMove, move: str) -> None:
        super().__init__(
            msg(
                "the correction makes move {number} ({move}) illegal: {why} ({rule})",
                number=number,
                move=move,
                why=refusal.text,
                rule=refusal.rule,
            )
        )
        self.number = number
        self.refusal = refusal


class SecretPendingError(CompanionError):
    """A correction that must wait, since its consequences could reveal a secret."""

    def __init__(self) -> None:
        super().__init__(
            msg("a secret was entered after this move; correct the move once the secret is revealed, or undo it")
        )


Uncorrected = IllegalMove | NoMoveError | AmendError | SecretPendingError


def nearest(found: str, allowed: Iterable[str]) -> Text:
    """Return the end of an error message: the nearest match, if any, and what is allowed."""
    names = sorted(allowed)
    close = closest(found, names)
    listed = ", ".join(names)
    if close is None:
        return msg("allowed: {listed}", listed=listed)
    return msg("did you mean {close!r}? Allowed: {listed}", close=close, listed=listed)


def closest(found: str, allowed: Iterable[str]) -> str | None:
    """Return the allowed word that was probably meant: a similar one, or the only one with this beginning."""
    import difflib  # noqa: PLC0415  a typing error may wait for it

    words = list(allowed)
    begun = [word for word in words if found and word.startswith(found)]
    likely = difflib.get_close_matches(found, words, n=1) or begun
    return likely[0] if len(likely) == 1 else None

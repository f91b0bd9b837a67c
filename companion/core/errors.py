"""Every error of the companion: what went wrong, where, and what is allowed instead."""

import difflib
from collections.abc import Callable, Iterable, Mapping

from companion.core.move import Seat
from companion.core.text import Text, msg


class CompanionError(Exception):
    """Base of all errors that are meant to be read by the people at the table."""

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
    """Return an error that came from another process: what it was made of is more than its text, in most kinds."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(inside)
    return error


class IllegalMove(CompanionError):
    """Error raised when the rules refuse a move; the state is unchanged.

    `rule` names the paragraph that refuses it. The text never quotes a secret; `own` is what only the seat itself
    may read, and no log.
    """

    def __init__(self, seat: Seat, rule: str, text: Text, own: Text | None = None) -> None:
        super().__init__(text)
        self.seat = seat
        self.rule = rule
        self.own = text if own is None else own

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})"


class NotationError(CompanionError, ValueError):
    """Error raised when the text of a move cannot be read."""


class OptionError(CompanionError, ValueError):
    """Error raised when an option is unknown or its value is not allowed."""


class BoxError(CompanionError, ValueError):
    """Error raised when a game's data file does not describe a playable box.

    Its text is the first of `mistakes`, which are all that were found.
    """

    def __init__(self, *mistakes: Text) -> None:
        super().__init__(mistakes[0])
        self.mistakes = mistakes


class RecordError(CompanionError, ValueError):
    """Error raised when a record cannot be read or replayed; `line` counts from 1."""

    def __init__(self, text: Text, line: int | None = None) -> None:
        super().__init__(text)
        self.line = line


class NewerRecordError(RecordError):
    """Error raised for a record of a newer version of the companion: it is whole, and to be left as it is."""


class NoMoveError(CompanionError):
    """Error for the correction of a move that was not made."""

    def __init__(self, number: int) -> None:
        super().__init__(msg("there is no move {n}", n=number))


class AmendError(CompanionError):
    """Error raised when a correction makes a later move illegal; `number` names the first such move."""

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
    """Error raised when a move cannot be corrected now: what follows it could tell of a secret."""

    def __init__(self) -> None:
        super().__init__(msg("something secret was keyed since; correct the move when it is open, or undo it"))


Uncorrected = IllegalMove | NoMoveError | AmendError | SecretPendingError
"""Why a move is not corrected."""


def nearest(found: str, allowed: Iterable[str]) -> Text:
    """Return the end of an error message: the nearest match, if there is one, and what is allowed."""
    names = sorted(allowed)
    close = closest(found, names)
    listed = ", ".join(names)
    if close is None:
        return msg("allowed: {listed}", listed=listed)
    return msg("did you mean {close!r}? Allowed: {listed}", close=close, listed=listed)


def closest(found: str, allowed: Iterable[str]) -> str | None:
    """Return the allowed word that was probably meant: one that looks like it, or the only one that begins so."""
    words = list(allowed)
    begun = [word for word in words if found and word.startswith(found)]
    likely = difflib.get_close_matches(found, words, n=1) or begun
    return likely[0] if len(likely) == 1 else None

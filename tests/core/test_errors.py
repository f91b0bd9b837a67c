"""Error messages, error classes and pickling."""

import pickle

import pytest

from companion.core.errors import (
    AmendError,
    BoxError,
    CompanionError,
    IllegalMove,
    NotationError,
    OptionError,
    RecordError,
    SecretPendingError,
    nearest,
)
from companion.core.text import msg


def test_refusal_names_its_paragraph() -> None:
    refusal = IllegalMove(2, "BH-R8", msg("only the {nth} call counts", nth="first"))
    assert str(refusal) == "only the first call counts (BH-R8)"
    assert (refusal.seat, refusal.rule) == (2, "BH-R8")
    assert str(refusal.text) == "only the first call counts"


def test_correction_names_the_move_it_makes_illegal() -> None:
    refusal = IllegalMove(0, "BH-R7", msg("not due"))
    error = AmendError(12, refusal, "1 declare 4")
    assert str(error) == "the correction makes move 12 (1 declare 4) illegal: not due (BH-R7)"
    assert (error.number, error.refusal) == (12, refusal)


@pytest.mark.parametrize(
    "error",
    [
        IllegalMove(2, "BH-R8", msg("not accepted"), own=msg("only {n}", n=3)),
        AmendError(12, IllegalMove(0, "BH-R7", msg("not due")), "1 declare 4"),
        BoxError(msg("no"), msg("nor that")),
        RecordError(msg("no"), 7),
        SecretPendingError(),
    ],
)
def test_pickled_error_keeps_its_text_and_fields(error: CompanionError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.args) == (type(error), str(error), error.args)
    assert {name: str(value) for name, value in vars(again).items()} == {
        name: str(value) for name, value in vars(error).items()
    }


@pytest.mark.parametrize("kind", [NotationError, OptionError, BoxError, RecordError])
def test_bad_input_errors_are_value_errors(kind: type[CompanionError]) -> None:
    error = kind(msg("no"))
    assert isinstance(error, ValueError)
    assert isinstance(error, CompanionError)


def test_refused_move_is_not_a_value_error() -> None:
    assert not issubclass(IllegalMove, ValueError)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ("decalre", "did you mean 'declare'? Allowed: call, declare, late"),
        ("call", "did you mean 'call'? Allowed: call, declare, late"),
        ("xyz", "allowed: call, declare, late"),
        ("", "allowed: call, declare, late"),
    ],
)
def test_nearest_name_is_suggested(found: str, said: str) -> None:
    assert str(nearest(found, ("late", "declare", "call"))) == said

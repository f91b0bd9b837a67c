"""Third-party plug-ins: failures while loading are reported once and isolated."""

import logging

import pytest

from companion.core.plugins import Plugins
from companion.core.text import Text, msg


class OddError(Exception):
    """A third-party error."""


def refusal(why: str) -> Text:
    return msg("goose: {why}", why=why)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("no such board"), "no such board"),
        (ImportError("no module named 'geese'"), "no module named 'geese'"),
        (ValueError(), "ValueError"),
        (KeyError("goose"), "KeyError: 'goose'"),
        (OddError("lost"), "OddError: lost"),
        (OddError(), "OddError"),
        (SystemExit(3), "it ends the program (3)"),
    ],
)
def test_failed_plugin_is_reported_once_with_its_reason(
    error: BaseException, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    def load() -> None:
        raise error

    others = Plugins()
    assert not others.some_missing
    for _ in range(2):
        assert others.guarded(load, refusal) is None
    assert list(map(str, others.refused)) == [f"goose: {said}"]
    assert others.some_missing
    assert [(record.levelno, record.getMessage()) for record in caplog.records] == [
        (logging.WARNING, f"goose: {said}")
    ]


def test_loaded_plugins_are_returned_and_unwanted_ones_missing() -> None:
    others = Plugins()
    assert others.guarded(lambda: 7, refusal) == 7
    assert (others.refused, others.some_missing) == ([], False)
    others.wanted = False
    assert others.some_missing


def test_keyboard_interrupt_passes_through_the_guard() -> None:
    def load() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Plugins().guarded(load, refusal)

"""Fixtures and settings of all tests."""

import gc
import gettext
import io
import logging
import os
import secrets
import signal
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory

import hypothesis
import pytest

from companion.cli.commands import main
from companion.core.plugins import PLUGINS
from companion.core.text import translations
from tests import host_bench
from tests.running import Here, move_in

os.environ["LANGUAGE"] = "C"  # messages are compared in English

NOBODYS_DATA = TemporaryDirectory(prefix="companion-test-")
# No test may use the boxes, matches and settings of the user who runs it.
os.environ["XDG_DATA_HOME"] = os.environ["XDG_CONFIG_HOME"] = NOBODYS_DATA.name

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as shells start background programs
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # otherwise programs started by tests would not hear it either

os.sync = os.fsync = os.fdatasync = lambda *_: None  # no test cuts the power, so flushing is needless

SOAK = os.environ.get("COMPANION_SOAK") == "1"

# Slow machines must not fail tests, and failures must repeat; only a soak searches new examples.
hypothesis.settings.register_profile("test", deadline=None, max_examples=50, derandomize=True)
hypothesis.settings.register_profile("soak", deadline=None, max_examples=5_000, print_blob=True)
hypothesis.settings.load_profile("soak" if SOAK else "test")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write golden pictures and digests anew")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run tests with real windows first, since they mostly wait."""
    items.sort(key=lambda item: item.path.parent.name != "e2e")
    hypothesis.find(hypothesis.strategies.none(), lambda _: True)  # makes its generator, which it must find again
    gc.freeze()  # tests live to the end, so the garbage collector may skip them


@pytest.fixture(scope="session")
def soak_count() -> Callable[..., int]:
    """Return the repetitions of a long test: all in a soak, otherwise a hundredth, at most `most`."""
    return lambda full, most=sys.maxsize: full if SOAK else min(max(1, full // 100), most)


class _Errors(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@pytest.fixture(autouse=True)
def no_error_in_the_log(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that logs an error, unless it has the mark `logs_errors`."""
    errors = _Errors()
    logging.getLogger("companion").addHandler(errors)
    yield
    logging.getLogger("companion").removeHandler(errors)
    if "logs_errors" not in request.keywords:
        assert errors.messages == []


@pytest.fixture(autouse=True)
def no_record_stays_open() -> Iterator[None]:
    """Close the records that a test's hosts have open, to save file descriptors."""
    yield
    while host_bench.OPEN:
        host_bench.OPEN.pop().close()


@pytest.fixture
def companion_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    """Return a function that runs the command as `running.companion` does, but in this process, to save its start.

    OSErrors of standard output need a real process, where the command closes it.
    """
    move_in(tmp_path, monkeypatch)

    def run(*arguments: object, stdin: str | bytes = "", language: str = "C") -> CompletedProcess[str]:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8"))
        monkeypatch.setenv("LANGUAGE", language)
        translations.cache_clear()
        try:
            status = main([*map(str, arguments)])
        except SystemExit as end:  # as argparse does
            status = end.code
        finally:
            translations.cache_clear()
            gettext.textdomain("messages")  # as in a new process
        return CompletedProcess(arguments, status, *capsys.readouterr())

    return run


@pytest.fixture
def fixed_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace random seeds by consecutive numbers."""
    numbers = count(1)
    monkeypatch.setattr(secrets, "token_hex", lambda size: f"{next(numbers):0{2 * size}x}")


@pytest.fixture(autouse=True)
def nothing_of_others_stays_refused() -> Iterator[None]:
    """Forget plug-ins that a test made fail or switched off."""
    yield
    PLUGINS.refused.clear()
    PLUGINS.wanted = True

"""What all tests share: how long the long ones are, that hypothesis repeats itself, that errors in the log fail."""

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

os.environ["LANGUAGE"] = "C"  # what programs say is compared word by word

NOBODYS_DATA = TemporaryDirectory(prefix="companion-test-")
# Who tests may have boxes, matches and settings of their own.
os.environ["XDG_DATA_HOME"] = os.environ["XDG_CONFIG_HOME"] = NOBODYS_DATA.name

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell begins what runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # else no program that a test starts hears it either

os.sync = os.fsync = os.fdatasync = lambda *_: None  # no power goes here; what started programs write is waited for

SOAK = os.environ.get("COMPANION_SOAK") == "1"

# A slow machine is no reason to fail, and what fails once must fail again: only a soak looks for new examples.
hypothesis.settings.register_profile("test", deadline=None, max_examples=50, derandomize=True)
hypothesis.settings.register_profile("soak", deadline=None, max_examples=5_000, print_blob=True)
hypothesis.settings.load_profile("soak" if SOAK else "test")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write golden pictures and digests anew")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what waits for real windows: at the end everybody else would wait for it."""
    items.sort(key=lambda item: item.path.parent.name != "e2e")
    gc.freeze()  # all tests stay until the end: no search for garbage need look through them


@pytest.fixture(scope="session")
def soak_count() -> Callable[..., int]:
    """Return how often to repeat a long test: the full count in a soak, else a hundredth, and `most` at most."""
    return lambda full, most=sys.maxsize: full if SOAK else min(max(1, full // 100), most)


class _Errors(logging.Handler):
    """Keeps what is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@pytest.fixture(autouse=True)
def no_error_in_the_log(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves an error in the log, unless it says by a mark that it provokes one."""
    errors = _Errors()
    logging.getLogger("companion").addHandler(errors)
    yield
    logging.getLogger("companion").removeHandler(errors)
    if "logs_errors" not in request.keywords:
        assert errors.messages == []


@pytest.fixture(autouse=True)
def no_record_stays_open() -> Iterator[None]:
    """Close what a test's hosts have open: many such tests would use up the files that a process may open."""
    yield
    while host_bench.OPEN:
        host_bench.OPEN.pop().close()


@pytest.fixture
def companion_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    """Return what runs the command as `running.companion` does, but in this process: that needs no start.

    What ends in an OSError of the system's needs a process: the command lets go of the real standard output then.
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
            gettext.textdomain("messages")  # as a new process has it
        return CompletedProcess(arguments, status, *capsys.readouterr())

    return run


@pytest.fixture
def fixed_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let seeds that nobody gave be the same in each run: one after the other."""
    numbers = count(1)
    monkeypatch.setattr(secrets, "token_hex", lambda size: f"{next(numbers):0{2 * size}x}")


@pytest.fixture(autouse=True)
def nothing_of_others_stays_refused() -> Iterator[None]:
    """Forget what a test has made fail to load, or has not wanted."""
    yield
    PLUGINS.refused.clear()
    PLUGINS.wanted = True

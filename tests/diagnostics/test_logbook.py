"""Tests the log, and that it contains no secret."""

import json
import logging
import socket
import stat
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.config.sections import LogOptions
from companion.core.errors import OptionError
from companion.core.event import Event
from companion.core.files import state_folder
from companion.core.text import msg
from companion.diagnostics import failures, logbook
from tests.host_bench import Bench
from tests.running import companion

SECRET = "seven of diamonds"

log = logging.getLogger("companion.test")


def environ(tmp_path: Path, **more: str) -> dict[str, str]:
    return {"XDG_STATE_HOME": str(tmp_path), **more}


def book(tmp_path: Path) -> str:
    return (tmp_path / "companion" / "companion.log").read_text()


def reveal() -> None:
    raise KeyError(SECRET)


# --- Places -----------------------------------------------------------------------------------------------


def test_log_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    with logbook.kept(LogOptions(), environ(tmp_path)):
        log.info("a %s", "note")
        log.debug("too small")
    assert book(tmp_path).endswith("INFO companion.test (MainThread): a note\n")
    path = tmp_path / "companion" / "companion.log"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_log_files_are_rotated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logbook, "FILE_BYTES", 1000)
    with logbook.kept(LogOptions(), environ(tmp_path)):
        for number in range(200):
            log.info("note %s", number)
    kept = sorted((tmp_path / "companion").iterdir())
    assert len(kept) == 1 + logbook.FILES
    assert sum(path.stat().st_size for path in kept) <= 1000 * len(kept)
    assert "note 199" in book(tmp_path)


@pytest.mark.parametrize(("level", "heard"), [("debug", 4), ("info", 3), ("warning", 2), ("error", 1)])
@pytest.mark.logs_errors
def test_log_level_follows_the_options(tmp_path: Path, level: str, heard: int) -> None:
    with logbook.kept(LogOptions(level), environ(tmp_path)):
        for say in (log.debug, log.info, log.warning, log.error):
            say("said")
    assert book(tmp_path).count("said") == heard


def test_unwritable_folder_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "companion").write_text("a file where the folder would be")
    with logbook.kept(LogOptions(), environ(tmp_path)) as kept:
        log.info("nobody reads it")
    assert "could not be saved" in kept.where


def test_state_folder_of_service_comes_from_systemd(tmp_path: Path) -> None:
    assert state_folder({"STATE_DIRECTORY": "/var/lib/companion:/other"}) == Path("/var/lib/companion")


@pytest.fixture
def journald(tmp_path: Path) -> Iterator[socket.socket]:
    line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    line.bind(str(tmp_path / "journald"))
    yield line
    line.close()


def fields(data: bytes) -> dict[str, str]:
    """Parse journald's native protocol."""
    found = {}
    while data:
        name, _, data = data.partition(b"\n")
        size = int.from_bytes(data[:8], "little")
        found[name.decode()] = data[8 : 8 + size].decode()
        assert data[8 + size : 9 + size] == b"\n"
        data = data[9 + size :]
    return found


@pytest.mark.logs_errors
def test_journald_gets_traceback_in_one_entry(tmp_path: Path, journald: socket.socket) -> None:
    handler = logbook.Journald(str(tmp_path / "journald"))
    handler.setFormatter(logbook.Discreet("%(message)s"))
    try:
        reveal()
    except KeyError:
        handler.handle(log.makeRecord("companion.test", logging.ERROR, "file.py", 7, "oh", (), sys.exc_info()))
    handler.close()
    found = fields(journald.recv(100_000))
    assert (found["PRIORITY"], found["LOGGER"], found["CODE_LINE"]) == ("3", "companion.test", "7")
    assert found["MESSAGE"].startswith("oh\nTraceback")
    assert "in reveal" in found["MESSAGE"]


def test_missing_journald_falls_back_to_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    handler = logbook.Journald(str(tmp_path / "nobody"))
    handler.handle(log.makeRecord("companion.test", logging.WARNING, "file.py", 7, "oh", (), None))
    handler.close()
    assert capsys.readouterr().err == "<4>oh\n"


# --- Errors -----------------------------------------------------------------------------------------------


@pytest.mark.logs_errors
def test_traceback_omits_messages_of_errors(tmp_path: Path) -> None:
    with logbook.kept(LogOptions(), environ(tmp_path)):
        try:
            try:
                reveal()
            except KeyError as error:
                raise ValueError(SECRET) from error
        except ValueError:
            log.exception("a bug")
    told = book(tmp_path)
    assert told.count("Traceback") == 2
    assert "in reveal" in told
    assert SECRET not in told
    assert SECRET not in str(failures.last(tmp_path / "companion"))


@pytest.mark.logs_errors
def test_error_that_ends_a_thread_is_logged(tmp_path: Path) -> None:
    with logbook.kept(LogOptions(), environ(tmp_path)):
        thread = threading.Thread(target=reveal, name="buzzers")
        thread.start()
        thread.join()
    told = book(tmp_path)
    assert "the thread buzzers has ended" in told
    assert "in reveal" in told
    assert SECRET not in told


def test_fatal_error_is_stored_with_its_remedy(tmp_path: Path) -> None:
    wrong = OptionError(msg("[pads]: no such pad. Plug it in"))
    with pytest.raises(OptionError), logbook.kept(LogOptions(), environ(tmp_path)):
        raise wrong
    assert "ERROR companion.diagnostics.logbook (MainThread): [pads]: no such pad. Plug it in" in book(tmp_path)
    assert [what for _, _, what in failures.last(tmp_path / "companion")] == ["[pads]: no such pad. Plug it in"]


def test_only_the_last_five_failures_are_stored(tmp_path: Path) -> None:
    for number in range(9):
        failures.keep(f"failure\n {number}", tmp_path)
    assert [what for _, _, what in failures.last(tmp_path)] == [f"failure {number}" for number in range(4, 9)]


def test_unwritable_disk_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    failures.keep("a failure", tmp_path / "file")
    assert "could not be kept" in caplog.text
    assert failures.last(tmp_path / "file") == []


def test_failed_play_command_stores_its_reason(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("[buzers]\n")
    done = companion(tmp_path, "play", "--table", "table.toml")
    assert done.returncode == 2
    (failure,) = failures.last(tmp_path / "state" / "companion")
    assert "did you mean 'buzzers'" in failure.text


# --- Matches ----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("fixed_secrets")
def test_verdicts_evidence_is_logged(tmp_path: Path) -> None:
    with logbook.kept(LogOptions(), environ(tmp_path)):
        bench = Bench(tmp_path)
        bench.play()
        bench.wait(0.1)
        bench.call(1, bench.wrong())
        bench.house("pause")
    lines = [json.loads(line.partition("): ")[2]) for line in book(tmp_path).splitlines() if '"kind"' in line]
    (verdict,) = [line for line in lines if line["kind"] == "verdict"]
    assert verdict["seats"] == [2]
    assert verdict["calls"][0]["t_ns"] - verdict["open_ns"] == 100_000_000
    assert [line["reason"] for line in lines if line["kind"] == "paused"] == ["house"]


def test_secret_and_unneeded_events_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    logbook.follow(1, Event("verdict", 1, seen_by=(1,)))
    logbook.follow(1, Event("bid", 1))
    assert caplog.records == []

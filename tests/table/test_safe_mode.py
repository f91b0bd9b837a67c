"""The safe mode of a table that did not start."""

import os
from contextlib import suppress
from pathlib import Path
from unittest.mock import Mock

import pytest

from companion.config.sections import LogOptions
from companion.core.place import HOUSE
from companion.core.signal import PC, Signal
from companion.core.text import Text, msg
from companion.devices.errors import DeviceError
from companion.diagnostics import failures, logbook
from companion.diagnostics.service import Service
from companion.display.frame import Frame, Menu, Poster
from companion.screens.overlays import Overlay
from companion.table import safe_mode
from companion.table.safe_mode import Cause, SafeMode

CAUSES = (Cause("2026-11-22 02:10", msg("the keypad of seat 2 is gone. Plug it in")), Cause("", msg("Before that")))


class SelfTest(Overlay):
    """A fake self-test that `menu` leaves."""

    def __init__(self) -> None:
        self.heard = 0

    def screen(self) -> Poster:
        return Poster("Self-test", (f"{self.heard} heard",))

    def hear(self, signal: Signal) -> None:
        self.heard += 1

    def press(self, place: int, control: str) -> bool:
        return control != "menu"


class Screen:
    """A safe mode with recorded frames."""

    def __init__(self, environ: dict[str, str], causes: tuple[Cause, ...] = CAUSES) -> None:
        self.frames: list[Frame | None] = []
        self.why: list[str] = []
        self.visit = SelfTest()
        self.mode = SafeMode(self.frames.append, causes, Service(environ), self.begin)
        self.mode.start()

    def begin(self, why: Text) -> "SelfTest":
        self.why.append(str(why))
        return self.visit

    def press(self, *controls: str) -> None:
        for control in controls:
            for pressed in (True, False):
                self.mode.press(Signal(PC, HOUSE, control, 0, 0, 0, pressed))

    @property
    def poster(self) -> Poster:
        assert self.frames[-1]
        assert isinstance(self.frames[-1].screen, Poster)
        return self.frames[-1].screen

    @property
    def menu(self) -> Menu:
        assert self.frames[-1]
        assert isinstance(self.frames[-1].screen, Menu)
        return self.frames[-1].screen


@pytest.fixture
def service(tmp_path: Path) -> Screen:
    return Screen({"NOTIFY_SOCKET": "/nowhere", "RUNTIME_DIRECTORY": str(tmp_path)})


def test_latest_failure_is_shown_first(service: Screen) -> None:
    assert service.poster.title == "The table did not start"
    assert service.poster.lines == ("The keypad of seat 2 is gone. Plug it in",)
    assert service.poster.hint.startswith("2026-11-22 02:10. ")


def test_back_from_the_menu_leads_to_the_failure(service: Screen) -> None:
    service.press("ok", "*")
    assert service.poster.title == "The table did not start"
    service.press("ok", "2", "ok", "*")
    assert service.poster.lines == ("Before that",)
    service.press("ok")
    assert service.menu.items[0] == "Start the table"


def test_earlier_failures_can_be_listed(service: Screen) -> None:
    service.press("ok", "2")
    assert service.poster.lines == ("Before that",)
    service.press("ok", "2")
    assert service.poster.lines == ("The keypad of seat 2 is gone. Plug it in",)


def test_missing_cause_is_admitted() -> None:
    assert Screen({}, ()).poster.lines == ("The cause is unknown",)


@pytest.mark.parametrize(("key", "request_"), [("1", "again"), ("4", "poweroff")])
def test_requests_for_root_are_written_as_files(service: Screen, tmp_path: Path, key: str, request_: str) -> None:
    service.press("ok")
    assert list(tmp_path.iterdir()) == []
    service.press(key)
    assert [path.name for path in tmp_path.iterdir()] == [request_]
    assert service.poster.title == "Safe mode"


def test_unanswered_request_is_reported() -> None:
    screen = Screen({"NOTIFY_SOCKET": "/nowhere"})
    screen.press("ok", "1")
    assert "The system could not be asked" in screen.poster.lines[0]
    screen.press("ok")
    assert screen.menu.items[0] == "Start the table"


def test_safe_mode_at_a_terminal_can_end() -> None:
    screen = Screen({})
    screen.press("ok")
    assert screen.menu.items == ("The cause", "Self-test", "End")
    screen.press("3")
    assert screen.frames[-1] is None


def test_keys_are_handled_one_by_one(service: Screen) -> None:
    service.press("ok", "skip", "skip")
    assert service.menu.selected == 2
    service.press("9")
    assert service.menu.selected == 2


def test_self_test_gets_the_cause_and_returns(service: Screen) -> None:
    service.press("ok", "3")
    assert service.why == ["the keypad of seat 2 is gone. Plug it in"]
    service.press("5")
    assert service.poster.lines == ("2 heard",)  # including the release of the key that opened it
    assert service.visit.heard == 3  # a release requests a picture only where it changes something
    service.press("menu")
    assert service.menu.title == "Safe mode"


@pytest.mark.parametrize(
    "result", ["watchdog", "timeout", "signal", "core-dump", "oom-kill", "protocol", "start-limit-hit"]
)
def test_cause_from_the_service_manager_comes_first(
    result: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONITOR_SERVICE_RESULT", result)
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    failures.keep("the program's own word", tmp_path)
    ended, own = safe_mode._causes()
    assert str(ended.why)
    assert str(own.why) == "the program's own word"


def test_invalid_table_file_does_not_stop_safe_mode(tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text("[display]\nturn = 9\n")
    config, (cause,) = safe_mode._config(table)
    assert config.display.turn == 0
    assert "turn" in str(cause.why)


def test_safe_mode_uses_the_turn_and_language_configured(tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text('[display]\nturn = 1\nlanguage = "fr"\n')
    config, causes = safe_mode._config(table)
    assert (config.display.turn, config.display.language, causes) == (1, "fr", [])


# --- Automatic restart ------------------------------------------------------------------------------------


class Checks:
    """A fake of the checking thread."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, is_seen: bool) -> None:
        monkeypatch.setattr(safe_mode.threading, "Thread", Mock())
        self.checks = safe_mode.StartChecks(lambda: None, is_seen)

    def find(self, why: str, screen: Screen, now_s: int = 1) -> bool:
        self.checks._found.put(why)
        return self.checks.look(now_s * 1_000_000_000, screen.mode)


def test_table_starts_once_its_file_is_fixed(service: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Checks(monkeypatch, is_seen=True).find("", service)


def test_table_starts_once_its_missing_device_is_back(service: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    checks = Checks(monkeypatch, is_seen=False)
    assert not checks.find("line 17 is missing", service)
    assert service.poster.lines == ("Line 17 is missing",)
    assert checks.find("", service)
    assert not checks.find("", service), "once"


def test_unseen_cause_is_shown_for_a_minute(service: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    checks = Checks(monkeypatch, is_seen=False)
    assert not checks.find("", service, 1)
    assert not checks.find("", service, 60)
    assert checks.find("", service, 61)


def test_service_manager_is_asked_to_start_the_table(service: Screen, tmp_path: Path) -> None:
    service.mode.start_table()
    assert [path.name for path in tmp_path.iterdir()] == ["again"]


@pytest.mark.parametrize(
    ("environ", "error", "kind"),
    [
        ({}, DeviceError(msg("line 17 is missing")), "DeviceError"),
        ({}, ValueError("a mistake"), None),
        ({"MONITOR_SERVICE_RESULT": "watchdog"}, DeviceError(msg("line 17 is missing")), None),
    ],
)
def test_only_an_expected_failure_may_restart_automatically(
    environ: dict[str, str], error: Exception, kind: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    with suppress(DeviceError), logbook.kept(LogOptions()):
        if isinstance(error, DeviceError):
            raise error
        logbook.crash(error)
    assert safe_mode._kind_of_cause() == kind


def test_old_failure_starts_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    failures.keep("the screen", tmp_path, "DisplayError")
    assert safe_mode._kind_of_cause() == "DisplayError"
    os.utime(tmp_path / failures.FILE_NAME, (0, 0))
    assert safe_mode._kind_of_cause() is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[buzzers]\nsource = "mock"\n', ""),
        ("[display]\nturn = 9\n", "turn"),
        ('[buzzers]\nchip = "gpiod-nowhere"\n', "gpiod"),
        ('[buzzers]\nsource = "mock"\n[club]\nbroker = "x"\ncertificate = "/no.pem"\n', "/no.pem"),
        ('[buzzers]\nsource = "mock"\n[journal]\nfolder = "/dev/null/x"\n', "/dev/null"),
    ],
)
def test_check_names_what_the_table_lacks(text: str, why: str, tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text(text, "utf-8")
    found = safe_mode.check_start(table, virtual=False)
    assert found is not None
    assert (why in found) if why else not found

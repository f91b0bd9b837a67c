"""The wall of a club: its language, invalid messages, internal errors."""

import json
from typing import Any

import pytest

from companion.club.hall import Hall
from companion.config.sections import ClubOptions
from companion.config.table_file import TableConfig
from companion.core.text import LANGUAGES
from companion.devices.phones.options import PhoneOptions
from companion.devices.phones.phones import Phones
from companion.devices.wiring import Wiring
from companion.display.frame import Frame
from companion.display.window import Frames
from companion.table import wall_app
from tests.club_line import Line

PATIENCE_S = 10


class Broker(Line):
    """A broker that delivers one message when it starts."""

    said = b""

    def start(self) -> None:
        self.given["hear"]("companion/bar/state", self.said)


class Display:
    """A fake window that runs until `last` accepts a frame."""

    last: Any = staticmethod(lambda frame: False)

    def __init__(self, **_: Any) -> None:
        """Opens no screen."""

    def run(self, frames: Frames, *_: Any) -> None:
        while (frame := frames.get(timeout=PATIENCE_S)) is not None:
            if self.last(frame):
                return

    def close(self) -> None:
        """Closes nothing."""


@pytest.fixture(autouse=True)
def _no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wall_app, "Broker", Broker)
    monkeypatch.setattr(wall_app, "Window", Display)
    monkeypatch.setattr(wall_app, "LOOK_S", 0.001)


def show(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Broker, "said", said)
    wall_app.run(TableConfig(club=ClubOptions("127.0.0.1")), lambda _: None)


def test_page_has_a_language_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[str] = []

    class Served(Phones):
        def watch(self) -> None:
            served.append(self.language)

    monkeypatch.setattr(wall_app, "Phones", Served)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(Display, "last", staticmethod(lambda frame: True))
    config = TableConfig(club=ClubOptions("127.0.0.1"), wiring=Wiring(PhoneOptions(port=0, address="127.0.0.1")))
    wall_app.run(config, lambda _: None, serve=True)
    assert served[0] in LANGUAGES


def test_invalid_message_is_logged(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    shown: list[Frame] = []

    def third(frame: Frame) -> bool:
        shown.append(frame)
        return len(shown) == 3

    monkeypatch.setattr(Display, "last", staticmethod(third))
    show(json.dumps({"v": 1, "match": "m"}).encode(), monkeypatch)
    assert "bar/state" in caplog.text


def test_internal_error_ends_the_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    def take(*_: object) -> None:
        raise ArithmeticError("a defect")

    monkeypatch.setattr(Hall, "take", take)
    with pytest.raises(ArithmeticError, match="a defect"):
        show(b"", monkeypatch)

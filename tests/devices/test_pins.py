"""Tests the pins of a board, and that their libraries leave no traces."""

import os
import re
import sys
from pathlib import Path

import pytest
from gpiozero.exc import BadPinFactory, PinInvalidPin
from gpiozero.pins.mock import MockFactory

from companion.devices.chips import Chip
from companion.devices.errors import DeviceError
from companion.devices.lgpio_library import get_lgpio, import_lgpio
from companion.devices.pins import (
    Board,
    lgpio_factory,
    lgpio_reports,
    mock_factory,
    rpigpio_factory,
    told_as,
)

# Like the real one when imported: it changes to its folder and creates a pipe there.
LGPIO = """
import os
import re
os.chdir(os.environ.get("LG_WD", "."))
os.mkfifo(".lgd-nfy0")
class error(Exception): pass
"""


@pytest.fixture
def lgpio(tmp_path, monkeypatch):
    """Provide a fake lgpio; yield the folder above the working folder."""
    library, work, temporary = tmp_path / "library", tmp_path / "work", tmp_path / "tmp"
    for folder in (library, work, temporary):
        folder.mkdir()
    (library / "lgpio.py").write_text(LGPIO)
    monkeypatch.syspath_prepend(library)
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.chdir(work)
    yield tmp_path
    sys.modules.pop("lgpio", None)


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_lgpio_pipe_is_left_nowhere(lgpio):
    import_lgpio()
    assert Path.cwd() == lgpio / "work"
    assert files(lgpio / "work") == files(lgpio / "tmp") == []
    assert "LG_WD" not in os.environ


def test_configured_lgpio_folder_is_used(lgpio, monkeypatch):
    (lgpio / "mine").mkdir()
    monkeypatch.setenv("LG_WD", str(lgpio / "mine"))
    import_lgpio()
    assert files(lgpio / "mine") == [".lgd-nfy0"]
    assert Path.cwd() == lgpio / "work"
    assert os.environ["LG_WD"] == str(lgpio / "mine")


def test_unusable_lgpio_folder_is_named(lgpio, monkeypatch):
    monkeypatch.setenv("LG_WD", str(lgpio / "nowhere"))
    with pytest.raises(DeviceError, match=r"lgpio cannot write to .*/nowhere; set LG_WD to a folder"):
        import_lgpio()
    assert Path.cwd() == lgpio / "work"


def test_lgpio_is_imported_once(lgpio):
    import_lgpio()
    (lgpio / "library" / "lgpio.py").unlink()
    import_lgpio()


class LGPIOPin:
    """The kernel may refuse when gpiozero's pin frees its line and claims it again."""

    why = "GPIO busy"

    def _disable_event_detect(self):
        raise sys.modules["lgpio"].error(self.why)

    close = _disable_event_detect


class Factory:
    def __init__(self, chip):
        assert chip == 0


def test_closing_tolerates_only_a_busy_line(lgpio, monkeypatch, caplog):
    caplog.set_level("INFO")
    library = type(sys)("gpiozero.pins.lgpio")
    library.LGPIOPin, library.LGPIOFactory = LGPIOPin, Factory
    monkeypatch.setitem(sys.modules, library.__name__, library)
    monkeypatch.setattr(os, "access", lambda *_: True)
    pin = lgpio_factory(Chip(Path("/dev/gpiochip0"), "pinctrl-bcm2711", 58)).pin_class()
    assert lgpio_reports(pin)  # it is still one of lgpio's, so its thread matters
    pin._disable_event_detect()
    pin.close()
    assert [record.getMessage() for record in caplog.records] == [
        f"{pin} was still waited for when it was let go"
    ] * 2
    pin.why = "unknown handle"
    with pytest.raises(sys.modules["lgpio"].error, match="unknown handle"):
        pin.close()


@pytest.fixture
def no_lgpio(monkeypatch):
    monkeypatch.setitem(sys.modules, "lgpio", None)  # restores the absence after the test
    monkeypatch.delitem(sys.modules, "lgpio")
    monkeypatch.setattr(sys, "meta_path", [_Refuse("lgpio", "RPi"), *sys.meta_path])
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)


class _Refuse:
    def __init__(self, *names):
        self.names = names

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            raise ImportError(name)


CHIP = Chip(Path("/dev/null"), "pinctrl-bcm2711", 58)


def test_missing_lgpio_has_a_remedy(no_lgpio):
    with pytest.raises(DeviceError, match=f"lgpio is not installed: {re.escape(get_lgpio())}"):
        lgpio_factory(CHIP)


def test_missing_rpi_gpio_has_a_remedy(no_lgpio):
    with pytest.raises(DeviceError, match=r"RPi\.GPIO is not installed: .* -m pip install .*\[rpi-lgpio\]"):
        rpigpio_factory(None)


def test_forbidden_chip_has_a_remedy(lgpio, monkeypatch):
    (lgpio / "library" / "lgpio.py").write_text(LGPIO + "def gpiochip_open(chip): raise AssertionError\n")
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", type(sys)("gpiozero.pins.lgpio"))
    sys.modules["gpiozero.pins.lgpio"].LGPIOFactory = object
    sys.modules["gpiozero.pins.lgpio"].LGPIOPin = object
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(DeviceError, match=r"^/dev/null: no permission. Join the group gpio: sudo usermod"):
        lgpio_factory(CHIP)


def test_rpi_gpio_off_a_pi_has_a_remedy(monkeypatch, tmp_path):
    """There, RPi.GPIO refuses to be imported."""
    (tmp_path / "RPi").mkdir()
    (tmp_path / "RPi" / "__init__.py").touch()
    (tmp_path / "RPi" / "GPIO.py").write_text(
        "raise RuntimeError('This module can only be run on a Raspberry Pi!')"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "RPi", None)  # removes what is imported here after the test
    monkeypatch.delitem(sys.modules, "RPi")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(DeviceError, match=r"RPi.GPIO does not run here \(This module .*\)\. Use lgpio: .*install"):
        rpigpio_factory(None)


@pytest.mark.parametrize(
    "error", [BadPinFactory("no pins"), PinInvalidPin("99 is not a valid pin name"), RuntimeError("no edges")]
)
def test_library_error_names_line_and_doctor(error):
    with pytest.raises(DeviceError) as caught, told_as("[lamps] seat 1, line 99"):
        raise error
    assert str(caught.value) == f"[lamps] seat 1, line 99: {error}. `companion doctor` says more"
    assert caught.value.__cause__ is error


def test_nested_device_error_is_reported_once():
    with pytest.raises(DeviceError) as caught, told_as("outer"), told_as("inner"):
        raise RuntimeError("why")
    assert str(caught.value).startswith("inner: why")


def test_unexpected_error_is_not_wrapped():
    with pytest.raises(ZeroDivisionError), told_as("[lamps]"):
        raise ZeroDivisionError


def test_board_creates_its_pins_once_when_needed():
    made = []
    board = Board(CHIP, lambda chip: made.append(chip) or MockFactory())
    assert made == []
    assert board.factory is board.factory
    assert made == [CHIP]
    board.close()
    board.close()


def test_mock_factory_makes_mock_pins():
    assert isinstance(mock_factory(None), MockFactory)

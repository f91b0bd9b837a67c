"""The pins of a board: made when first needed, and what each library must not leave behind."""

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

# As the real one does at its import: goes to its folder, and makes a pipe there.
LGPIO = """
import os
import re
os.chdir(os.environ.get("LG_WD", "."))
os.mkfifo(".lgd-nfy0")
class error(Exception): pass
"""


@pytest.fixture
def lgpio(tmp_path, monkeypatch):
    """Let there be an lgpio to import; yield the working folder."""
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


def test_lgpios_pipe_is_left_nowhere(lgpio):
    import_lgpio()
    assert Path.cwd() == lgpio / "work"
    assert files(lgpio / "work") == files(lgpio / "tmp") == []
    assert "LG_WD" not in os.environ


def test_a_folder_that_somebody_chose_for_lgpio_stays_the_one(lgpio, monkeypatch):
    (lgpio / "mine").mkdir()
    monkeypatch.setenv("LG_WD", str(lgpio / "mine"))
    import_lgpio()
    assert files(lgpio / "mine") == [".lgd-nfy0"]
    assert Path.cwd() == lgpio / "work"
    assert os.environ["LG_WD"] == str(lgpio / "mine")


def test_a_folder_that_lgpio_cannot_use_is_named(lgpio, monkeypatch):
    monkeypatch.setenv("LG_WD", str(lgpio / "nowhere"))
    with pytest.raises(DeviceError, match=r"lgpio cannot write into .*/nowhere, the folder that LG_WD names"):
        import_lgpio()
    assert Path.cwd() == lgpio / "work"


def test_lgpio_is_imported_once(lgpio):
    import_lgpio()
    (lgpio / "library" / "lgpio.py").unlink()
    import_lgpio()


class LGPIOPin:
    """gpiozero's pin frees its line and claims it again, where the kernel may refuse."""

    why = "GPIO busy"

    def _disable_event_detect(self):
        raise sys.modules["lgpio"].error(self.why)

    close = _disable_event_detect


class Factory:
    def __init__(self, chip):
        assert chip == 0


def test_a_line_that_is_still_waited_for_can_be_let_go(lgpio, monkeypatch, caplog):
    caplog.set_level("INFO")
    library = type(sys)("gpiozero.pins.lgpio")
    library.LGPIOPin, library.LGPIOFactory = LGPIOPin, Factory
    monkeypatch.setitem(sys.modules, library.__name__, library)
    monkeypatch.setattr(os, "access", lambda *_: True)
    pin = lgpio_factory(Chip(Path("/dev/gpiochip0"), "pinctrl-bcm2711", 58)).pin_class()
    assert lgpio_reports(pin)  # it is one of lgpio's still: whether its thread lives matters
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
    monkeypatch.setitem(sys.modules, "lgpio", None)  # which is how Python remembers that there is none
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


def test_lgpio_that_is_missing_is_told_with_the_remedy(no_lgpio):
    with pytest.raises(DeviceError, match=f"lgpio is not installed: {re.escape(get_lgpio())}"):
        lgpio_factory(CHIP)


def test_rpigpio_that_is_missing_is_told_with_the_remedy(no_lgpio):
    with pytest.raises(DeviceError, match=r"RPi\.GPIO is not installed: .* -m pip install .*\[rpi-lgpio\]"):
        rpigpio_factory(None)


def test_a_chip_that_may_not_be_used_is_told_with_the_remedy(lgpio, monkeypatch):
    (lgpio / "library" / "lgpio.py").write_text(LGPIO + "def gpiochip_open(chip): raise AssertionError\n")
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", type(sys)("gpiozero.pins.lgpio"))
    sys.modules["gpiozero.pins.lgpio"].LGPIOFactory = object
    sys.modules["gpiozero.pins.lgpio"].LGPIOPin = object
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(DeviceError, match=r"^/dev/null: no permission. Join the group gpio: sudo usermod"):
        lgpio_factory(CHIP)


def test_rpigpio_off_a_pi_is_told_with_the_remedy(monkeypatch, tmp_path):
    """RPi.GPIO itself refuses to be imported there."""
    (tmp_path / "RPi").mkdir()
    (tmp_path / "RPi" / "__init__.py").touch()
    (tmp_path / "RPi" / "GPIO.py").write_text(
        "raise RuntimeError('This module can only be run on a Raspberry Pi!')"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "RPi", None)  # so that what is imported here is gone after the test
    monkeypatch.delitem(sys.modules, "RPi")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(DeviceError, match=r"RPi.GPIO does not run here \(This module .*\)\. Use lgpio: .*install"):
        rpigpio_factory(None)


@pytest.mark.parametrize(
    "error", [BadPinFactory("no pins"), PinInvalidPin("99 is not a valid pin name"), RuntimeError("no edges")]
)
def test_what_a_library_raises_is_told_in_our_words(error):
    with pytest.raises(DeviceError) as caught, told_as("[lamps] seat 1, line 99"):
        raise error
    assert str(caught.value) == f"[lamps] seat 1, line 99: {error}. `companion doctor` says more"
    assert caught.value.__cause__ is error


def test_what_was_told_already_is_not_told_twice():
    with pytest.raises(DeviceError) as caught, told_as("outer"), told_as("inner"):
        raise RuntimeError("why")
    assert str(caught.value).startswith("inner: why")


def test_what_nobody_thought_of_is_not_dressed_up():
    with pytest.raises(ZeroDivisionError), told_as("[lamps]"):
        raise ZeroDivisionError


def test_a_board_makes_its_pins_once_when_they_are_needed():
    made = []
    board = Board(CHIP, lambda chip: made.append(chip) or MockFactory())
    assert made == []
    assert board.factory is board.factory
    assert made == [CHIP]
    board.close()
    board.close()


def test_mock_pins_are_wired_to_nothing():
    assert isinstance(mock_factory(None), MockFactory)

"""Tests finding GPIO chips, and the remedies in their errors."""

import errno
import os
import re

import pytest

from companion.devices import chips
from companion.devices.chips import PI_LABELS, Chip, chip_files, explain, find_chip, holders, read_chip
from companion.devices.errors import DeviceError
from tests.gpio_fakes import make_process


def make(folder, labels, monkeypatch, refused=()):
    """Create a chip for each label; those in `refused` cannot be read."""
    paths = {}
    for number, label in enumerate(labels):
        path = folder / f"gpiochip{number}"
        path.touch()
        paths[path] = label

    def read_chip(path):
        if paths[path] in refused:
            raise PermissionError(errno.EACCES, "Permission denied")
        return Chip(path, paths[path], 54)

    monkeypatch.setattr(chips, "read_chip", read_chip)


def test_chip_files_are_listed_by_number(tmp_path):
    for name in ("gpiochip10", "gpiochip2", "gpiochip0", "gpiomem", "gpiochipX", "gpiochip"):
        (tmp_path / name).touch()
    assert [path.name for path in chip_files(tmp_path)] == ["gpiochip0", "gpiochip2", "gpiochip10"]


def test_symlink_to_a_chip_is_not_listed(tmp_path):
    """The kernel of a Pi 5 keeps an old name as a link."""
    (tmp_path / "gpiochip0").touch()
    (tmp_path / "gpiochip4").symlink_to("gpiochip0")
    assert [path.name for path in chip_files(tmp_path)] == ["gpiochip0"]


@pytest.mark.parametrize("label", PI_LABELS)
@pytest.mark.parametrize("number", [0, 1, 4])
def test_pi_chip_label_is_found_at_any_number(tmp_path, monkeypatch, label, number):
    labels = ["raspberrypi-exp-gpio", "brcmvirt-gpio", "other", "another"]
    labels.insert(number, label)
    make(tmp_path, labels, monkeypatch)
    chip = find_chip(folder=tmp_path)
    assert (chip.label, chip.number) == (label, number)


def test_other_chip_is_found_by_its_label(tmp_path, monkeypatch):
    make(tmp_path, ["pinctrl-bcm2711", "mcp23017"], monkeypatch)
    assert find_chip("mcp23017", tmp_path).number == 1


def test_unreadable_chip_does_not_hide_the_pi_chip(tmp_path, monkeypatch):
    make(tmp_path, ["secret", "pinctrl-rp1"], monkeypatch, refused=["secret"])
    assert find_chip(folder=tmp_path).label == "pinctrl-rp1"


NO_CHIP = "there is no GPIO chip on this machine; without a Raspberry Pi try `companion play --virtual`"
FORBIDDEN = "no permission. Join the group gpio: sudo usermod -aG gpio"


@pytest.mark.parametrize(
    ("labels", "refused", "wanted", "why"),
    [
        ([], (), "", NO_CHIP),
        (["INT34C6:00"], (), "", "Raspberry Pi's: INT34C6:00. Name yours: [buzzers] chip"),
        (["pinctrl-bcm2711"], (), "pinctrl-bcm2712", "did you mean 'pinctrl-bcm2711'?"),
        (["pinctrl-rp1"], ["pinctrl-rp1"], "", f"gpiochip0: {FORBIDDEN}"),
        (["other", "pinctrl-rp1"], ["pinctrl-rp1"], "", "gpiochip1: no permission"),
    ],
)
def test_missing_chip_error_names_chips_and_remedy(tmp_path, monkeypatch, labels, refused, wanted, why):
    make(tmp_path, labels, monkeypatch, refused)
    with pytest.raises(DeviceError) as caught:
        find_chip(wanted, tmp_path)
    assert why in str(caught.value)


def test_file_that_is_not_a_chip_is_named(tmp_path):
    file = tmp_path / "gpiochip0"
    file.touch()
    with pytest.raises(OSError) as refused:  # noqa: PT011  which one, is the kernel's to say
        read_chip(file)
    told = f"gpiochip0: {refused.value.strerror}. See `companion doctor`"  # the wording depends on the kernel
    with pytest.raises(DeviceError, match=re.escape(told)):
        find_chip(folder=tmp_path)


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (errno.EACCES, "no permission. Join the group gpio"),
        (errno.EPERM, "no permission. Join the group gpio"),
        (errno.EBUSY, "taken by another program. End it"),
        (errno.ENODEV, "disconnected. Plug it in again"),
        (errno.ENOENT, "disconnected. Plug it in again"),
        (errno.EIO, "Input/output error. See `companion doctor`"),
    ],
)
def test_each_kernel_error_has_a_remedy(number, why):
    error = explain(OSError(number, os.strerror(number)), "line 17")
    assert str(error).startswith(f"line 17: {why}")
    assert "`companion doctor`" in str(error) or "gpio" in str(error)


def test_error_without_errno_is_explained():
    assert str(explain(OSError("odd"), "line 17")) == "line 17: odd. See `companion doctor`"


# --- Processes that hold lines ----------------------------------------------------------------------------


def test_processes_that_hold_lines_are_named(tmp_path):
    make_process(tmp_path, 20, "quizbox", "/dev/null", "anon_inode:gpio-line")
    make_process(tmp_path, 9, "old", "anon_inode:gpio-event")
    make_process(tmp_path, 30, "bash", "/dev/gpiochip0", "anon_inode:[eventpoll]")
    make_process(tmp_path, os.getpid(), "companion", "anon_inode:gpio-line")
    (tmp_path / "31").mkdir()  # a process that has just ended
    (tmp_path / "sys").mkdir()
    assert holders(tmp_path) == [(9, "old"), (20, "quizbox")]


def test_processes_of_other_users_are_skipped(tmp_path, monkeypatch):
    make_process(tmp_path, 20, "quizbox", "anon_inode:gpio-line")

    def refuse(folder):
        raise PermissionError

    monkeypatch.setattr(type(tmp_path), "iterdir", refuse)
    assert holders(tmp_path) == []

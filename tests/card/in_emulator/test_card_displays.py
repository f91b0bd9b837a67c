"""Compares the displays in docs/card.md with the image's device trees and kernel. Boots nothing."""

import lzma
import re
import subprocess
from pathlib import Path

import pytest
from conftest import image

from tests.card.in_emulator.card import Card

PI_3 = ("/soc/hdmi@7e902000",)
PI_4 = ("/soc/hdmi@7ef00700", "/soc/hdmi@7ef05700")
HDMI = {
    "bcm2837-rpi-3-a-plus.dtb": PI_3,
    "bcm2837-rpi-3-b.dtb": PI_3,
    "bcm2837-rpi-3-b-plus.dtb": PI_3,
    "bcm2837-rpi-zero-2-w.dtb": PI_3,
    "bcm2711-rpi-4-b.dtb": PI_4,
    "bcm2711-rpi-400.dtb": PI_4,
}
"""The HDMI sockets of each Raspberry Pi, by its device tree."""

MISSING = ("DRM_PANEL_ILITEK_ILI9881C", "DRM_TOSHIBA_TC358762", "REGULATOR_RASPBERRYPI_TOUCHSCREEN_V2")
"""The kernel's options that the displays with a ribbon need."""

MODULES = "/usr/lib/modules"
CHANGED = "Debian's kernel has changed: try a display with a ribbon again, and correct docs/card.md"


class Kernel:
    """The kernel in the image's root partition."""

    def __init__(self, inserted: Card, folder: Path) -> None:
        _, root, _ = inserted.partitions
        self._folder = folder
        self._root = f"{inserted.path}?offset={root.start}"
        self.version = re.findall(r"\S+-arm64\b", self._debugfs(f"ls -p {MODULES}").replace("/", " "))[0]

    def text(self, path: str) -> str:
        return self._debugfs(f"cat {path}")

    def module(self, path: str) -> bytes:
        target = self._folder / "module"
        self._debugfs(f"dump {MODULES}/{self.version}/{path} {target}")
        return lzma.decompress(target.read_bytes())

    def _debugfs(self, request: str) -> str:
        done = subprocess.run(["debugfs", "-R", request, self._root], check=True, capture_output=True, text=True)
        return done.stdout


@pytest.fixture(scope="module")
def inserted(tmp_path_factory: pytest.TempPathFactory) -> Card:
    return Card(image(), tmp_path_factory.mktemp("card"))


@pytest.fixture(scope="module")
def kernel(inserted: Card, tmp_path_factory: pytest.TempPathFactory) -> Kernel:
    return Kernel(inserted, tmp_path_factory.mktemp("kernel"))


@pytest.mark.parametrize("tree", HDMI)
def test_device_tree_enables_every_hdmi_socket(inserted: Card, tree: str) -> None:
    file = inserted.take(tree)
    for node in HDMI[tree]:
        said = subprocess.run(["fdtget", file, node, "status"], check=True, capture_output=True, text=True)
        assert said.stdout.strip() == "okay", node


def test_kernel_still_lacks_drivers_of_ribbon_displays(kernel: Kernel) -> None:
    options = kernel.text(f"/boot/config-{kernel.version}").splitlines()
    for option in MISSING:
        assert not any(line.startswith(f"CONFIG_{option}=") for line in options), CHANGED
    touch = kernel.module("kernel/drivers/input/touchscreen/edt-ft5x06.ko.xz")
    assert b"request_threaded_irq" in touch
    assert b"input_setup_polling" not in touch, CHANGED

"""The card of this checkout in an emulated computer of the Pi's kind of processor, with a shell for the tests.

The image is used as it is: kernel and first file system are taken out of its boot partition, as the Pi's firmware
does. Nothing is put onto its root; what the tests want is written where its owner would write, or told to
systemd by the emulator.
"""

import shutil
import subprocess
from pathlib import Path
from typing import Final, NamedTuple

from machine import Board, Build, kept, logged

CHECKOUT: Final = Path(__file__).parents[3]
FOLDER: Final = CHECKOUT / "build" / "card"

SECTOR_BYTES: Final = 512
CARD_BYTES: Final = 4 << 30
"""The card that the image is written onto is larger: it grows at its first start."""

TOOLS: Final = {
    "qemu-system-aarch64": "qemu-system-arm",
    "mcopy": "mtools",
    "debugfs": "e2fsprogs",
    "sfdisk": "fdisk",
}

SHELL_UNIT: Final = """\
[Unit]
Description=Shell of the tests
After=basic.target
[Service]
Environment=HOME=/root TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ExecStart=/bin/sh -c 'stty raw -echo && cat | /bin/sh'
StandardInput=tty
StandardOutput=tty
StandardError=tty
TTYPath=/dev/hvc0
Restart=always
"""

SHELL: Final = "t.service"
"""Its name: with all that stands before it, it may have 55 letters."""

NO_WIRES: Final = """\
[journal]
folder = "/var/lib/companion/matches"

[buzzers]
pins = []

[lamps]
pins = []
siren = -1

[house]
ok = -1
undo = -1
pause = -1
skip = -1
"""
"""A table of pads and pods: the emulated machine has no lines of a Raspberry Pi."""


class Partition(NamedTuple):
    """Where a partition is, in bytes of the image."""

    start: int
    size: int


def missing() -> list[str]:
    """Return the packages whose programs are not here."""
    path = "/usr/sbin:/sbin:/usr/bin:/bin:/usr/local/bin"
    return [package for program, package in TOOLS.items() if not shutil.which(program, path=path)]


def image() -> Path | None:
    """Return the image of this checkout, None where `make card` has made none."""
    return next(iter(sorted(FOLDER.glob("table-companion-*-arm64.img"))), None)


class Card:
    """A copy of the image on a card of CARD_BYTES, which is written to."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.path = folder / "card.img"
        self._folder = folder
        subprocess.run(["cp", "--sparse=always", source, self.path], check=True)
        with self.path.open("r+b") as file:
            file.truncate(CARD_BYTES)
        self.boot, self.root, self.data = self._partitions()

    def _partitions(self) -> list[Partition]:
        told = _said("sfdisk", "--dump", str(self.path))
        lines = [line.partition(":")[2] for line in told.splitlines() if "start=" in line]
        found = [dict(word.strip().split("=") for word in line.split(",") if "=" in word) for line in lines]
        return [Partition(int(each["start"]) * SECTOR_BYTES, int(each["size"]) * SECTOR_BYTES) for each in found]

    def take(self, name: str) -> Path:
        """Take a file out of the boot partition."""
        target = self._folder / name
        _said("mcopy", "-n", "-o", "-i", f"{self.path}@@{self.boot.start}", f"::{name}", str(target))
        return target

    def write_boot(self, name: str, text: str) -> None:
        """Write a file into the boot partition, as its owner does on any PC."""
        source = self._folder / "written"
        source.write_text(text, encoding="utf-8")
        _said("mcopy", "-n", "-o", "-i", f"{self.path}@@{self.boot.start}", str(source), f"::{name}")

    def write_table(self, text: str) -> None:
        """Write the table.toml of a card that has never been started."""
        source = self._folder / "table.toml"
        source.write_text(text, encoding="utf-8")
        where = f"{self.path}?offset={self.data.start}"
        for request in (
            "rm /companion/table.toml",
            f"write {source} /companion/table.toml",
            "set_inode_field /companion/table.toml uid 987",
            "set_inode_field /companion/table.toml gid 987",
        ):
            _said("debugfs", "-w", "-R", request, where)

    def build(self, log: Path | None = None) -> Build:
        """Return the computer that it is plugged into; what it writes is also logged, where that is asked for."""
        words = self.take("cmdline.txt").read_text(encoding="utf-8").split()
        words = [
            *(word for word in words if word != "quiet"),
            "console=ttyAMA0",
            f"systemd.wants={SHELL}",
            "systemd.getty_auto=no",
        ]
        unit = self._folder / SHELL
        unit.write_text(SHELL_UNIT, encoding="utf-8")
        shell = ["-device", "virtio-serial-pci", "-device", "virtconsole,chardev=shell"]
        shell += ["-fw_cfg", f"name=opt/io.systemd.credentials/systemd.extra-unit.{SHELL},file={unit}"]
        board = Board("qemu-system-aarch64", ["-M", "virt", "-cpu", "cortex-a72"], shell, " ".join(words))
        disks = [logged(self.path, log, 0) if log else kept(self.path)]
        more = ["-device", "qemu-xhci", "-device", "usb-kbd"]
        return Build(self.take("vmlinuz"), disks, board=board, initrd=self.take("initrd.img"), more=more)


def _said(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout

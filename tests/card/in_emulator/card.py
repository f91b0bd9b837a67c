"""The card of this checkout in an emulated ARM computer.

The image is used unchanged: kernel and initrd come from its boot partition, as with the Pi's firmware. The tests
write only where an owner would, or pass units to systemd through the emulator.
"""

import base64
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final, NamedTuple

from tests.appliance.machine import Board, Build, kept, logged

CHECKOUT: Final = Path(__file__).parents[3]
FOLDER: Final = CHECKOUT / "build" / "card"
PADS_PROGRAM: Final = CHECKOUT / "tests" / "appliance" / "inside" / "pads.py"

SECTOR_BYTES: Final = 512
CARD_BYTES: Final = 4 << 30
"""Larger than the image, which grows at its first start."""

TOOLS: Final = {
    "qemu-system-aarch64": "qemu-system-arm",
    "mcopy": "mtools",
    "debugfs": "e2fsprogs",
    "sfdisk": "fdisk",
    "cpio": "cpio",
    "fdtget": "device-tree-compiler",
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
"""At most 55 characters with systemd's prefix."""

PADS_UNIT: Final = """\
[Unit]
Description=Simulated number pads
After=systemd-udevd.service var-lib-companion.mount
Before=companion.service
[Service]
Type=notify
ExecStartPre=modprobe uinput
ExecStart=/usr/bin/python3 -IS /var/lib/companion/pads.py
Restart=on-failure
"""

PADS: Final = "p.service"

POD: Final = "E66118604B3A5C21"
POD_SECRET: Final = bytes(range(32))
"""The key of the paired pod."""

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
"""The emulated machine has no GPIO lines."""

POD_AND_PADS: Final = f"""\
{NO_WIRES}
[pods]
seats = ["{POD}"]
ports = ["/dev/ttyUSB0"]
proved_only = true

[pads]
seats = ["", "usb-0000:01:00.0-1.2/input0", "usb-0000:01:00.0-1.3/input0"]

[display]
# The emulated processor draws few pictures a second: what moves would only take time.
motion = false

[pace]
# Hands that reach through a serial line are slow.
timers = "off"
"""
"""A pod at the first seat, number pads at the next two."""

CARD_BOOT_S: Final = 600.0
PI_BOOT_S: Final = 1500.0
"""For a busy host; a Pi 3 has four processors to emulate."""

PI_SHELL: Final = "ttyS1"
"""On pins 8 and 10 of the emulated Pi."""


class Partition(NamedTuple):
    """A partition, in bytes of the image."""

    start: int
    size: int


def missing() -> list[str]:
    """Return the packages of missing programs."""
    path = "/usr/sbin:/sbin:/usr/bin:/bin:/usr/local/bin"
    return [package for program, package in TOOLS.items() if not shutil.which(program, path=path)]


def image() -> Path | None:
    """Return the image of this checkout, or None."""
    return next(iter(sorted(FOLDER.glob("table-companion-*-arm64.img"))), None)


class Card:
    """A writable copy of the image on a card of CARD_BYTES."""

    def __init__(self, source: Path, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.path = folder / "card.img"
        self._folder = folder
        subprocess.run(["cp", "--sparse=always", source, self.path], check=True)
        with self.path.open("r+b") as file:
            file.truncate(CARD_BYTES)
        self.partitions = self._partitions()
        self.boot, *_, self.data = self.partitions
        # On Raspberry Pi OS the records are on the root partition.
        self._home = "/companion" if len(self.partitions) > 2 else "/var/lib/companion"

    def _partitions(self) -> list[Partition]:
        told = _said("sfdisk", "--dump", str(self.path))
        lines = [line.partition(":")[2] for line in told.splitlines() if "start=" in line]
        found = [dict(word.strip().split("=") for word in line.split(",") if "=" in word) for line in lines]
        return [Partition(int(each["start"]) * SECTOR_BYTES, int(each["size"]) * SECTOR_BYTES) for each in found]

    def take(self, name: str) -> Path:
        """Copy a file from the boot partition."""
        target = self._folder / name
        _said("mcopy", "-n", "-o", "-i", f"{self.path}@@{self.boot.start}", f"::{name}", str(target))
        return target

    def write_boot(self, name: str, text: str) -> None:
        """Write a file into the boot partition, like an owner at a PC."""
        source = self._folder / "written"
        source.write_text(text, encoding="utf-8")
        _said("mcopy", "-n", "-o", "-i", f"{self.path}@@{self.boot.start}", str(source), f"::{name}")

    def write_data(self, name: str, source: Path, mode: int = 0o600) -> None:
        """Write a file into the table's folder on a new card."""
        folder = ""
        for part in Path(name).parts[:-1]:
            folder = f"{folder}/{part}"
            self._write(f"mkdir {self._home}{folder}", f"{self._home}{folder}", 0o40700)
        path = f"{self._home}/{name}"
        self._debugfs(f"rm {path}")
        self._write(f"write {source} {path}", path, 0o100000 | mode)

    def write_table(self, text: str) -> None:
        """Write table.toml on a new card."""
        source = self._folder / "table.toml"
        source.write_text(text, encoding="utf-8")
        self.write_data("table.toml", source)

    def _write(self, request: str, path: str, mode: int) -> None:
        """Create something with the owner of the table's folder."""
        owner, group = re.search(r"User: +(\d+) +Group: +(\d+)", self._debugfs(f"stat {self._home}")).groups()
        for each in (
            request,
            f"set_inode_field {path} uid {owner}",
            f"set_inode_field {path} gid {group}",
            f"set_inode_field {path} mode 0{mode:o}",
        ):
            self._debugfs(each)
        if "Inode:" not in (said := self._debugfs(f"stat {path}")):
            raise OSError(f"debugfs: {request}: {said}")

    def _debugfs(self, request: str) -> str:
        return _said("debugfs", "-w", "-R", request, f"{self.path}?offset={self.data.start}")

    def build(self, log: Path | None = None, *, plugged: Path | None = None) -> Build:
        """Return a computer with the card; `log` records its writes.

        `plugged` is the serial line of a pod, beside which there are number pads.
        """
        words = [*self._kernel_words(), "console=ttyAMA0", f"systemd.wants={SHELL}"]
        shell = ["-device", "virtio-serial-pci", "-device", "virtconsole,chardev=shell"]
        shell += self._unit(SHELL, SHELL_UNIT)
        more = ["-device", "qemu-xhci", "-device", "usb-kbd"]
        if plugged:
            words.append(f"systemd.wants={PADS}")
            more += self._unit(PADS, PADS_UNIT)
            more += ["-chardev", f"socket,id=pod,path={plugged},server=on,wait=off"]
            more += ["-device", "usb-serial,chardev=pod"]
        board = Board("qemu-system-aarch64", ["-M", "virt", "-cpu", "cortex-a72"], shell, " ".join(words))
        disks = [logged(self.path, log, 0) if log else kept(self.path)]
        return Build(
            self.take("vmlinuz"), disks, board=board, initrd=self.take("initrd.img"), more=more, boot_s=CARD_BOOT_S
        )

    def pi(self, tree: str, model: str) -> Build:
        """Return an emulated Raspberry Pi with the card.

        The shell's unit is in the kernel's command line, because it takes no additional units.
        """
        unit = SHELL_UNIT.replace("/dev/hvc0", f"/dev/{PI_SHELL}")
        told = base64.b64encode(unit.encode()).decode()
        words = [
            *self._kernel_words(),
            f"console={PI_SHELL},115200",
            f"systemd.wants={SHELL}",
            "systemd.show_status=no",  # it would appear on the shell's line, like the kernel's messages
            "loglevel=1",
            f"systemd.set_credential_binary=systemd.extra-unit.{SHELL}:{told}",
            # They would wait for the missing display; the emulator's USB interrupts take all its time.
            "systemd.mask=companion.service",
            "systemd.mask=companion-safe.service",
            "module_blacklist=dwc2",
        ]
        hardware = [
            "-accel",
            "tcg,thread=multi",
            "-nodefaults",
            "-no-user-config",
            "-display",
            "none",
            "-no-reboot",
        ]
        board = Board(
            "qemu-system-aarch64",
            ["-M", model, "-dtb", str(self.take(tree))],
            ["-serial", "chardev:shell"],
            " ".join(words),
            hardware,
        )
        card = ["-drive", f"if=sd,format=raw,file={self.path}"]
        kernel, initrd = self.take("vmlinuz"), self.take("initrd.img")
        return Build(kernel, [], screen=False, board=board, initrd=initrd, more=card, boot_s=PI_BOOT_S)

    def _kernel_words(self) -> list[str]:
        words = self.take("cmdline.txt").read_text(encoding="utf-8").split()
        return [*(word for word in words if word != "quiet"), "systemd.getty_auto=no"]

    def _unit(self, name: str, text: str) -> list[str]:
        """Return the arguments that pass a unit to systemd."""
        unit = self._folder / name
        unit.write_text(text, encoding="utf-8")
        return ["-fw_cfg", f"name=opt/io.systemd.credentials/systemd.extra-unit.{name},file={unit}"]


def _said(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout

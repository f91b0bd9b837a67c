"""Putting MicroPython onto a new Pico; a folder stands for its drive."""

import io
import re
import subprocess
from pathlib import Path

import pytest

from companion.cli import boards
from companion.cli import pods as pods_command
from companion.devices.errors import DeviceError
from companion.devices.pods.options import PodWiring

RP2040, RP2350 = 0xE48BFF56, 0xE48BFF59


def uf2(text: bytes, family: int = RP2040) -> bytes:
    """Return a UF2 image whose blocks carry `text`."""
    blocks = []
    for at in range(0, len(text), 256):
        piece = text[at : at + 256]
        numbers = (0x0A324655, 0x9E5D5157, 0x2000, 0x10000000 + at, len(piece), at // 256, 1, family)
        head = b"".join(number.to_bytes(4, "little") for number in numbers)
        blocks.append((head + piece).ljust(508, b"\0") + (0x0AB16F30).to_bytes(4, "little"))
    return b"".join(blocks)


GOOD = uf2(b"\x01" * 250 + b"MicroPython v1.27.0 on 2025-12-09; Raspberry Pi Pico with RP2040")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "RPI_PICO.uf2"
    path.write_bytes(GOOD)
    return path


class Machine:
    """A machine with a Pico in its boot loader; `ran` lists the commands that were run."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.drive, self.media, self.ran = folder / "sda1", folder / "media", []
        self.mounts = folder / "mounts"
        self.drive.touch()
        self.media.mkdir()
        self.mounts.write_text("/dev/root / ext4 rw 0 0\n")
        self.tools: set[str] = set()
        self.refuses = ""
        monkeypatch.setattr(boards, "DRIVE", self.drive)
        monkeypatch.setattr(boards, "MOUNTS", self.mounts)
        monkeypatch.setattr(boards.shutil, "which", lambda tool: tool if tool in self.tools else None)
        monkeypatch.setattr(boards.os, "geteuid", lambda: 1000)

    def mount(self) -> None:
        self.mounts.write_text(f"/dev/root / ext4 rw 0 0\n{self.drive} {self.media} vfat rw 0 0\n")

    def __call__(self, command, **_):
        self.ran.append(command)
        if self.refuses:
            return subprocess.CompletedProcess(command, 1, "", f"{self.refuses}\n")
        if command[0] == "udisksctl":
            self.mount()
        if command[0] == "mount":
            self.media = Path(command[2])
            (self.media / "INFO_UF2.TXT").touch()
        if command[0] == "umount":
            self.copied = (self.media / "micropython.uf2").read_bytes()
        return subprocess.CompletedProcess(command, 0, "", "")


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Machine:
    return Machine(monkeypatch, tmp_path)


def test_uf2_image_states_its_version(file: Path) -> None:
    assert boards.read_image(file).version == "1.27"


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "MicroPython ?"),
        (b"no UF2 at all" * 100, "MicroPython ?"),
        (GOOD[:-1], "MicroPython ?"),
        (uf2(b"MicroPython v1.27.0 on", RP2350), "MicroPython ?"),
        (uf2(b"CircuitPython"), "MicroPython ?"),
        (uf2(b"MicroPython v1.23.0 on 2024-06-02"), "MicroPython 1.23"),
    ],
)
def test_wrong_image_error_states_the_required_version(file: Path, data: bytes, found: str) -> None:
    file.write_bytes(data)
    told = re.escape(f"RPI_PICO.uf2: {found}; needed: a UF2 of MicroPython 1.24 or later")
    with pytest.raises(DeviceError, match=told):
        boards.read_image(file)


def test_missing_image_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match=r"none.uf2: No such file"):
        boards.read_image(tmp_path / "none.uf2")


def test_missing_pico_error_explains_the_bootsel_button(machine: Machine, file: Path) -> None:
    machine.drive.unlink()
    with pytest.raises(DeviceError, match="hold its BOOTSEL button while you plug it in"):
        boards.put(boards.read_image(file), machine)


def test_image_is_copied_to_a_mounted_drive(machine: Machine, file: Path) -> None:
    machine.mount()
    machine.tools = {"picotool", "udisksctl"}
    boards.put(boards.read_image(file), machine)
    assert (machine.media / "micropython.uf2").read_bytes() == GOOD
    assert machine.ran == []


def test_picotool_is_preferred_where_installed(machine: Machine, file: Path) -> None:
    machine.tools = {"picotool", "udisksctl"}
    boards.put(boards.read_image(file), machine)
    assert machine.ran == [["picotool", "load", "-x", str(file)]]


def test_drive_is_mounted_without_picotool(machine: Machine, file: Path) -> None:
    machine.tools = {"udisksctl"}
    boards.put(boards.read_image(file), machine)
    assert machine.ran[0][-2:] == ["--block-device", str(machine.drive)]
    assert (machine.media / "micropython.uf2").read_bytes() == GOOD


def test_root_mounts_and_unmounts_the_drive(machine: Machine, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards.os, "geteuid", lambda: 0)
    boards.put(boards.read_image(file), machine)
    assert [command[0] for command in machine.ran] == ["mount", "umount"]
    assert machine.copied == GOOD


def test_error_explains_both_ways_without_any_tool(machine: Machine, file: Path) -> None:
    with pytest.raises(DeviceError, match=r"sudo mount -o uid=\$USER .*sda1 /mnt, then try again"):
        boards.put(boards.read_image(file), machine)


def test_tool_error_is_passed_on(machine: Machine, file: Path) -> None:
    machine.tools, machine.refuses = {"picotool"}, "No accessible RP-series devices in BOOTSEL mode were found"
    with pytest.raises(DeviceError, match=r"picotool load .*: No accessible RP-series"):
        boards.put(boards.read_image(file), machine)


def test_flash_continues_at_the_new_micropython_port(
    machine: Machine, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = ["/dev/ttyACM0"]  # another pod, which stays untouched
    monkeypatch.setattr(pods_command, "ports_with_boards", lambda: list(ports))
    given = []
    monkeypatch.setattr(pods_command, "_board", lambda path, wiring: path)
    monkeypatch.setattr(pods_command, "_give", lambda path, *rest: given.append(path))
    machine.mount()
    monkeypatch.setattr(pods_command, "wait", lambda true, most_s: ports.append("/dev/ttyACM1"))
    out = io.StringIO()
    pods_command.flash(None, PodWiring(), out, micropython=file, run=machine)
    assert given == ["/dev/ttyACM1"]
    assert "MicroPython 1.27 is on the board" in out.getvalue()

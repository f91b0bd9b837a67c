"""A computer in QEMU without KVM."""

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

QEMU: Final = "qemu-system-x86_64"

SCREEN: Final = (800, 480)
"""Like the Pi's 7-inch display."""

MEMORY_MB: Final = 1024
PATIENCE_S: Final = 120.0
BOOT_S: Final = 240.0
"""A start takes twenty seconds on an idle host."""

END_S: Final = 20.0
ASK_S: Final = 2.0
CONSOLE_LINES: Final = 20

# Unchecked: on a busy host a late timer would be taken for a broken one, and the clock for a bad one.
KERNEL_WORDS: Final = (
    "root=/dev/vda rootfstype=ext4 rw console=tty0 console=ttyS0 loglevel=4 panic=-1 no_timer_check tsc=reliable "
    "vt.global_cursor_default=0"
)

HARDWARE: Final = (
    f"-accel tcg,thread=multi -smp 2 -m {MEMORY_MB} -nodefaults -no-user-config -display none -no-reboot "
    "-device virtio-rng-pci"
).split()


class MachineError(Exception):
    """Raised when a machine ends, is late, or its command fails."""


class Board(NamedTuple):
    qemu: str
    words: Sequence[str]
    shell: Sequence[str]
    """The port of the chardev `shell`."""

    kernel_words: str
    hardware: Sequence[str] = HARDWARE


PC: Final = Board(QEMU, ["-M", "pc", "-cpu", "max", "-vga", "none"], ["-serial", "chardev:shell"], KERNEL_WORDS)


class Build(NamedTuple):
    """The parts of a machine. It boots the first disk."""

    kernel: Path
    disks: Sequence[str]
    """QEMU's `-blockdev` arguments, which must define the nodes `diskN`."""

    screen: bool = True
    sound: bool = False
    board: Board = PC
    initrd: Path | None = None
    more: Sequence[str] = ()
    """More arguments for QEMU."""

    boot_s: float = BOOT_S


def copy_of(image: Path, folder: Path) -> Path:
    """Return a writable, sparse copy of a disk."""
    target = folder / "disk.img"
    subprocess.run(["cp", "--sparse=always", "--reflink=auto", image, target], check=True)
    return target


def kept(disk: Path, number: int = 0) -> str:
    """Return a disk that keeps its writes even if QEMU is killed."""
    return json.dumps({"driver": "raw", "node-name": f"disk{number}", "file": _file(disk)})


def logged(disk: Path, log: Path, number: int) -> str:
    """Return a disk whose writes and flushes are also logged."""
    return json.dumps(
        {
            "driver": "blklogwrites",
            "node-name": f"disk{number}",
            "file": {"driver": "raw", "file": _file(disk)},
            "log": {"driver": "raw", "file": _file(log)},
            "log-super-update-interval": 1,
        }
    )


def _file(path: Path) -> dict[str, str]:
    return {"driver": "file", "filename": str(path)}


def command_line(build: Build, folder: Path) -> list[str]:
    """Return QEMU's command line; `folder` has its sockets and messages."""
    board = build.board
    words = [board.qemu, *board.words, *board.hardware, "-kernel", str(build.kernel), "-append", board.kernel_words]
    if build.initrd:
        words += ["-initrd", str(build.initrd)]
    for number, disk in enumerate(build.disks):
        words += ["-blockdev", disk, "-device", f"virtio-blk-pci,drive=disk{number}"]
    if build.screen:
        words += ["-device", "virtio-gpu-pci,xres={},yres={}".format(*SCREEN)]
    if build.sound:
        words += [
            "-audiodev",
            f"wav,id=sound,path={_quoted(folder / 'sound.wav')}",
            "-device",
            "AC97,audiodev=sound",
        ]
    words += ["-serial", f"file:{_quoted(folder / 'console.log')}"]
    words += ["-chardev", f"socket,id=shell,path={_quoted(folder / 'shell')},server=on,wait=off", *board.shell]
    words += ["-qmp", f"unix:{_quoted(folder / 'control')},server=on,wait=off", *build.more]
    return [*words, "-pidfile", str(folder / "pid")]


def _quoted(path: Path) -> str:
    return str(path).replace(",", ",,")  # as QEMU expects it


class Machine:
    """A running machine, unplugged at the end of its context."""

    def __init__(self, folder: Path) -> None:
        """Connect to the running machine of a folder."""
        self.folder: Final = folder
        self.started_s = time.monotonic()
        self._process: subprocess.Popen[bytes] | None = None
        self._shell: _Line | None = None
        self._control: _Line | None = None
        self._asked = time.monotonic_ns()
        self._boot_s = BOOT_S

    @classmethod
    def start(cls, build: Build, folder: Path, *, stays: bool = False) -> Self:
        """Start a machine. It ends with this program, unless it `stays`."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("shell", "control", "pid", "console.log"):
            (folder / name).unlink(missing_ok=True)
        # Ctrl-C is for this program, which pulls the plug; killing this program also pulls it.
        tied = [] if stays else ["setpriv", "--pdeathsig", "KILL"]
        machine = cls(folder)
        machine._boot_s = build.boot_s
        with (folder / "qemu.log").open("wb") as log:
            machine._process = subprocess.Popen(
                [*tied, *command_line(build, folder)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                process_group=0,
            )
        return machine

    # --- The shell ------------------------------------------------------------------------------------

    def run(self, command: str, timeout_s: float = PATIENCE_S) -> str:
        """Run shell lines as root and return their output. Raise MachineError when they fail."""
        status, said = self.attempt(command, timeout_s)
        if status != 0:
            raise MachineError(f"status {status} of: {command}\n{said}")
        return said

    def attempt(self, command: str, timeout_s: float = PATIENCE_S) -> tuple[int, str]:
        """Run shell lines as root; return their status and output."""
        shell = self._shell or self._find_shell()
        self._asked += 1
        end = f"end-{self._asked}".encode()
        # Split in two, so that the echoed command cannot be taken for its answer.
        shell.send(
            f"{{ {command}\n}} </dev/null 2>&1; status=$?; echo; echo en\\d-{self._asked} $status\n".encode()
        )
        said = shell.read_until(lambda heard: _whole_line(heard, end), timeout_s, command)
        body, _, status = said.rpartition(b"\n" + end)
        return int(status), body.decode(errors="replace").strip("\n")

    def _find_shell(self) -> "_Line":
        """Repeat a question until the shell answers; early ones may be lost."""
        shell = _Line(self, "shell")
        end_s = time.monotonic() + self._boot_s
        while True:
            self._asked += 1
            shell.send(b"\necho a\\wake-%d\n" % self._asked)
            awake = b"awake-%d" % self._asked
            try:
                shell.read_until(lambda heard, awake=awake: _whole_line(heard, awake), ASK_S, "the shell")  # type: ignore[misc]
            except MachineError:
                if time.monotonic() > end_s or not self.runs:
                    raise MachineError(f"no shell after {self._boot_s:.0f} s{self.last_words()}") from None
                continue
            self._shell = shell
            return shell

    def wait_until(self, command: str, what: str, timeout_s: float = PATIENCE_S) -> str:
        """Repeat a command until it succeeds; return its output."""
        end_s = time.monotonic() + timeout_s
        while True:
            status, said = self.attempt(command)
            if status == 0:
                return said
            if time.monotonic() > end_s:
                raise MachineError(f"not within {timeout_s:.0f} s: {what}\n{said}")
            time.sleep(0.2)

    def wait_for_table(self) -> None:
        self.wait_until("systemctl is-active --quiet companion", "the table is ready", BOOT_S)

    def read(self, path: str) -> bytes:
        """Return a file's content."""
        return bytes.fromhex(self.run(f"od -An -v -tx1 {path}"))

    # --- Screen, keyboard, plug -----------------------------------------------------------------------

    def shot(self, picture: Path) -> Path:
        """Save a screenshot as PNG."""
        picture.parent.mkdir(parents=True, exist_ok=True)
        self.control("screendump", filename=str(picture.resolve()), format="png")
        return picture

    def key(self, *names: str) -> None:
        """Press keys together, by QEMU's names."""
        self.control("send-key", keys=[{"type": "qcode", "data": name} for name in names])

    def control(self, command: str, **arguments: Any) -> Any:
        """Execute a QMP command."""
        if self._control is None:
            self._control = _Line(self, "control")
            self._answer(self._control)  # the greeting
            self._control.send(b'{"execute": "qmp_capabilities"}\n')
            self._answer(self._control)
        self._control.send(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        return self._answer(self._control)

    def _answer(self, line: "_Line") -> Any:
        while True:
            message = json.loads(line.read_until(_first_line, PATIENCE_S, "an answer of QEMU"))
            if "error" in message:
                raise MachineError(message["error"]["desc"])
            if "event" not in message:
                return message.get("return", message)

    def pull_the_plug(self) -> None:
        """Cut the power: the host keeps what QEMU was sent, the guest's memory is lost."""
        if self.runs:
            os.kill(self._pid(), signal.SIGKILL)
        self._gone()

    def power_off(self) -> float:
        """Shut down; return the seconds it took."""
        began_s = time.monotonic()
        self.run("systemctl --no-block poweroff")
        while self.runs:
            if time.monotonic() > began_s + PATIENCE_S:
                raise MachineError(f"still on after {PATIENCE_S:.0f} s{self.last_words()}")
            time.sleep(0.05)
        self._gone()
        return time.monotonic() - began_s

    @property
    def runs(self) -> bool:
        if self._process:
            return self._process.poll() is None
        try:
            os.kill(self._pid(), 0)
        except (OSError, ValueError):
            return False
        return True

    @property
    def age_s(self) -> float:
        """Seconds since its start."""
        return time.monotonic() - self.started_s

    def last_words(self) -> str:
        said = [self.folder / name for name in ("qemu.log", "console.log")]
        lines = [line for path in said if path.exists() for line in path.read_text(errors="replace").splitlines()]
        return "; it said last:\n" + "\n".join(lines[-CONSOLE_LINES:]) if lines else ""

    def _pid(self) -> int:
        if self._process:
            return self._process.pid
        return int((self.folder / "pid").read_text())

    def _gone(self) -> None:
        if self._process:
            self._process.wait(END_S)
        for line in (self._shell, self._control):
            if line:
                line.close()
        self._shell = self._control = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.pull_the_plug()


class _Line:
    def __init__(self, machine: Machine, name: str) -> None:
        self._machine = machine
        self._heard = b""
        self._socket = socket.socket(socket.AF_UNIX)
        end_s = time.monotonic() + END_S
        while True:
            try:
                self._socket.connect(str(machine.folder / name))
            except OSError:
                if not machine.runs or time.monotonic() > end_s:
                    self._socket.close()
                    raise MachineError(f"QEMU does not run{machine.last_words()}") from None
                time.sleep(0.05)
            else:
                return

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def read_until(self, end: Callable[[bytes], int], timeout_s: float, what: str) -> bytes:
        """Return what is received up to where `end` finds an end, or 0 for none."""
        until_s = time.monotonic() + timeout_s
        while not (size := end(self._heard)):
            self._socket.settimeout(max(0.01, until_s - time.monotonic()))
            try:
                data = self._socket.recv(1 << 16)
            except TimeoutError:
                raise MachineError(f"no answer within {timeout_s:.0f} s: {what}\n{self._heard!r:.2000}") from None
            if not data:
                raise MachineError(f"it has ended during: {what}{self._machine.last_words()}")
            self._heard += data
        found, self._heard = self._heard[:size], self._heard[size:]
        return found

    def close(self) -> None:
        self._socket.close()


def _first_line(heard: bytes) -> int:
    return heard.find(b"\n") + 1


def _whole_line(heard: bytes, begins: bytes) -> int:
    """Return where the first line beginning with `begins` ends, or 0."""
    place = heard.find(b"\n" + begins)
    return heard.find(b"\n", place + 1) + 1 if place >= 0 else 0

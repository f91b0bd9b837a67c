"""A pod whose firmware can be replaced: it has MicroPython's raw prompt, into which mpremote copies files."""

import builtins
import errno
import hashlib
import io
import re
from binascii import hexlify
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any

from companion.devices.pods.sentences import sentence
from tests.devices.pod_sim import FIRMWARE, SimPod

RAW = b"raw REPL; CTRL-B to exit\r\n>"
FOLDER, FILE = 0x4000, 0x8000


def firmware_of(version: str) -> dict[str, bytes]:
    """Return files that say a version."""
    pod = (FIRMWARE / "pod.py").read_text("utf-8")
    old = re.sub(r'^FIRMWARE = ".*"$', f'FIRMWARE = "{version}"', pod, flags=re.MULTILINE)
    return {"pod.py": old.encode(), "pins.py": b"SCREEN = 'lcd'\n", "key.txt": b"its key\n"}


class _Reset(BaseException):
    """Machine.reset() was called."""


class BoardPod(SimPod):
    """`flash` has its files. In `safe_mode` it names itself and takes UPD. A `full` flash takes no file."""

    def __init__(
        self, identity: str, flash: dict[str, bytes], *, safe_mode: bool = False, full: bool = False
    ) -> None:
        self.flash = dict(flash)
        self.safe_mode = safe_mode
        self.full = full
        self._typed: bytes | None = None  # in the prompt: what was typed since the last command
        self._names: dict[str, Any] = {}
        super().__init__(identity)

    @property
    def firmware(self) -> str:  # type: ignore[override]
        [version] = re.findall(rb'^FIRMWARE = "(.*)"$', self.flash["pod.py"], re.MULTILINE)
        return str(version.decode())

    def prompt(self) -> None:
        self._typed = b""

    def tick(self, t_us: int) -> None:
        if self._typed is None and not self.safe_mode:
            super().tick(t_us)

    def hear(self, data: bytes, t_us: int) -> None:
        if self._typed is not None:
            self._type(data)
        elif not self.safe_mode:
            super().hear(data, t_us)
        elif sentence("UPD").encode() in data:
            self.prompt()
        elif b"$TCHEY" in data:
            self.out += sentence("HEL", "0", self.identity).encode()

    def _type(self, data: bytes) -> None:
        self._typed = (self._typed or b"") + data
        while self._typed and (found := re.match(rb"\x05A\x01|([^\x01-\x05]*)([\x01-\x04])", self._typed)):
            self._typed = self._typed[found.end() :]
            code, control = (found[1] or b"").strip(b"\r"), found[2]
            if control is None:
                self.out += b"R\0"  # it knows no faster way to paste
            elif control == b"\x01":
                self.out += RAW
            elif control == b"\x04" and not code:
                self._names = {}
                self.out += b"OK\r\nMPY: soft reboot\r\n" + RAW
            elif control == b"\x04":
                self._run(code.decode())

    def _run(self, code: str) -> None:
        printed, failed = io.StringIO(), ""
        names = {**vars(builtins), "open": self._open, "print": partial(print, file=printed)}
        self._names["__builtins__"] = {**names, "__import__": lambda name, *_: self._module(name)}
        self.out += b"OK"
        try:
            exec(code, self._names)  # what mpremote types
        except OSError as error:
            failed = f"OSError: [Errno {error.errno}] {errno.errorcode[error.errno or 0]}"
        except _Reset:
            self._typed, self.safe_mode = None, False
            said = bytes(self.out)
            self.start(f"{self._luck.randrange(2**32):08X}")
            self.out += said
            self.greet()
            return
        self.out += b"\x04".join((printed.getvalue().encode(), failed.encode(), b">"))

    def _module(self, name: str) -> ModuleType | SimpleNamespace:
        def reset() -> None:
            raise _Reset

        return {
            "os": SimpleNamespace(stat=self._stat),
            "time": SimpleNamespace(sleep_ms=lambda _: None),
            "binascii": SimpleNamespace(hexlify=hexlify),
            "hashlib": hashlib,
            "machine": SimpleNamespace(unique_id=lambda: bytes.fromhex(self.identity), reset=reset),
        }[name]

    def _stat(self, path: str) -> tuple[int, ...]:
        path = path.removeprefix("./")
        if path and path not in self.flash:
            raise OSError(errno.ENOENT, path)
        return (FILE if path else FOLDER, 0, 0, 0, 0, 0, len(self.flash.get(path, b"")), 0, 0, 0)

    def _open(self, path: str, mode: str) -> io.BytesIO:
        path = path.removeprefix("./")
        if mode == "rb":
            self._stat(path)
            return io.BytesIO(self.flash[path])
        if self.full:
            raise OSError(errno.ENOSPC, path)
        flash = self.flash

        class Written(io.BytesIO):
            def close(self) -> None:
                flash[path] = self.getvalue()
                super().close()

        return Written()

"""Measures press to lamp while the club's broker hangs, refuses, floods or lies, against a table without a club."""

import os
import socket
import statistics
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Final

from benchmarks.floods import MATCHES, RACES, Table
from companion.club.link import ClubLink
from companion.config.sections import ClubOptions
from companion.display import theme
from companion.games import all_games

LET_IN: Final = bytes((0x20, 3, 0, 0, 0))
"""CONNACK of MQTT 5: success."""

Serve = Callable[[socket.socket], None]
"""Serves one connection."""


def hang(line: socket.socket) -> None:
    with suppress(OSError):
        while line.recv(4096):
            pass


def refuse(line: socket.socket) -> None:
    line.recv(4096)
    line.sendall(bytes((0x20, 3, 0, 0x87, 0)))


def publish(topic: bytes, payload: bytes) -> bytes:
    """Return a PUBLISH packet of MQTT 5 without properties."""
    body = len(topic).to_bytes(2, "big") + topic + b"\0" + payload
    size, digits = len(body), bytearray()
    while True:
        size, digit = divmod(size, 128)
        digits.append(digit | (0x80 if size else 0))
        if not size:
            return bytes((0x30, *digits)) + body


def flood(line: socket.socket) -> None:
    line.recv(4096)
    line.sendall(LET_IN)
    message = publish(b"companion/window/do/message", b'{"v":1,"text":7}') * 100
    with suppress(OSError):
        while True:
            line.sendall(message)


def lie(line: socket.socket) -> None:
    """Send random bytes and unrequested messages."""
    line.recv(4096)
    line.sendall(LET_IN)
    with suppress(OSError):
        line.sendall(publish(b"companion/other/state", os.urandom(5_000)) + os.urandom(5_000))


def bomb(line: socket.socket) -> None:
    line.recv(4096)
    line.sendall(LET_IN)
    with suppress(OSError):
        line.sendall(publish(b"companion/window/do/message", bytes(250_000_000)))


@contextmanager
def bad_broker(serve: Serve) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            with suppress(OSError):
                while True:
                    line, _ = server.accept()
                    with line:
                        serve(line)

        threading.Thread(target=accept, name="bad broker", daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


@contextmanager
def at_a_bad_broker(serve: Serve, folder: Path) -> Iterator[ClubLink]:
    password = folder / "password"
    password.write_text("x\n")
    with bad_broker(serve) as port:
        options = ClubOptions(
            "127.0.0.1", port, "Window", user="window", password_file=str(password), accept=("message",)
        )
        with ClubLink(options, folder, all_games(), theme.web_colour, lambda: None) as club:
            yield club


def spans(serve: Serve | None, seed: str) -> list[float]:
    """Return the seconds from press to lamp; without a club if `serve` is None."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with at_a_bad_broker(serve, folder) if serve else nullcontext() as club:
            table = Table(folder, None, seed, club)
            found = list(table.races(RACES))
            table.close()
    return found


def run(report: Callable[..., None]) -> None:
    kinds = {
        "no club": None,
        "that hangs": hang,
        "that refuses": refuse,
        "that floods": flood,
        "that lies": lie,
        "that sends 250 MB": bomb,
    }
    found: dict[str, list[float]] = {name: [] for name in kinds}
    for number in range(MATCHES):
        for name, serve in kinds.items():
            found[name] += spans(serve, f"broker {number}")
    for name, each in found.items():
        figures = f"{statistics.median(each) * 1e3:.1f}, {sorted(each)[int(len(each) * 0.99)] * 1e3:.1f} ms"
        report(
            f"press to lamp at a table with {name if name == 'no club' else 'a broker ' + name}: median, p99",
            figures,
        )

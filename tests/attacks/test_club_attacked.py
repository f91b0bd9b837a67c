"""What a broker, or anybody who may tell it something, can try against a table, a wall and a tournament."""

import socket
import threading
from contextlib import suppress

from benchmarks.brokers import LET_IN, bad_broker
from companion.club.broker import Broker, Connection

PATIENCE_S = 20
BOMB_BYTES = 200_000_000
BUFFERED_BYTES = 32_000_000
"""More than the loopback keeps of what nobody reads."""


def announced(topic: bytes, size: int) -> bytes:
    """Return how a message of so many bytes begins."""
    digits = bytes((size >> 7 * place) & 127 | (128 if place < 3 else 0) for place in range(4))
    return b"\x30" + digits + len(topic).to_bytes(2, "big") + topic


def test_a_huge_message_is_refused_before_it_is_read() -> None:
    sent_bytes, over = 0, threading.Event()

    def swell(line: socket.socket) -> None:
        nonlocal sent_bytes
        line.recv(4096)
        line.sendall(LET_IN + announced(b"companion/window/do/message", BOMB_BYTES))
        with suppress(OSError):
            while sent_bytes < BOMB_BYTES:
                sent_bytes += line.send(bytes(1 << 16))
        over.set()

    with bad_broker(swell) as port:
        tried = Broker(Connection("127.0.0.1", port), wanted=("companion/window/do/message",))
        tried.start()
        assert over.wait(PATIENCE_S)
        tried.stop()
    assert sent_bytes < BUFFERED_BYTES

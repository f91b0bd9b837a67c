"""The serial line over USB: MicroPython's own standard input and output, which never wait here."""

import select

READ_MAX = WRITE_PIECE = 64
"""What a USB packet holds. A host that has the port open and does not read costs one wait of 500 ms, then polling
says that there is no room; the watchdog allows that."""

PENDING_MAX = 2048
"""More than eight events and the answers to a burst of pings, which is all that can be due at once."""


class Port:
    """Reads and writes binary streams, as sys.stdin.buffer and sys.stdout.buffer are."""

    def __init__(self, reader, writer):
        self._reader = reader
        self._writer = writer
        self._byte = bytearray(1)  # reading more than has arrived would wait
        self._readable = select.poll()
        self._readable.register(reader, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(writer, select.POLLOUT)
        self._pending = b""

    def read(self, wait_ms):
        """Return what has arrived, after at most `wait_ms` when nothing has."""
        data = bytearray()
        while len(data) < READ_MAX and self._readable.poll(0 if data else wait_ms):
            if not self._reader.readinto(self._byte):
                break
            data.extend(self._byte)
        return data

    def send(self, sentence):
        """Queue a sentence; one that has no room is dropped, and said again by the protocol when that matters."""
        if len(self._pending) + len(sentence) <= PENDING_MAX:
            self._pending += sentence

    def flush(self):
        """Write what the line takes now."""
        while self._pending and self._writable.poll(0):
            written = self._writer.write(self._pending[:WRITE_PIECE])
            if not written:
                break
            self._pending = self._pending[written:]

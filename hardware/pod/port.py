"""The serial line over USB: MicroPython's standard input and output, without blocking."""

import select

READ_MAX = WRITE_PIECE = 64
"""The size of a USB packet.

If a host does not read, one write blocks for 500 ms, which the watchdog allows. Then polling reports no room.
"""

START, END = b"$\n"
"""First and last byte of a sentence."""

PENDING_MAX = 2048
"""More than eight events and the answers to a race's pings, which is all that can be due."""


class Port:
    """Reads and writes binary streams. `begun_us` is when the last `$` was read."""

    def __init__(self, reader, writer, now_us):
        self.begun_us = 0
        self._now_us = now_us
        self._reader = reader
        self._writer = writer
        self._byte = bytearray(1)  # reading more than has arrived would block
        self._readable = select.poll()
        self._readable.register(reader, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(writer, select.POLLOUT)
        self._pending = b""

    def read(self, wait_ms):
        """Return what has arrived, up to the end of a sentence, after at most `wait_ms`."""
        data, byte = bytearray(), self._byte
        poll, readinto = self._readable.poll, self._reader.readinto  # speeds up the loop
        while len(data) < READ_MAX and poll(0 if data else wait_ms):
            if not readinto(byte):
                break
            data.extend(byte)
            if byte[0] == START:
                self.begun_us = self._now_us()
            elif byte[0] == END:
                break
        return data

    def send(self, sentence):
        """Queue a sentence, or drop it: the protocol repeats what matters."""
        if len(self._pending) + len(sentence) <= PENDING_MAX:
            self._pending += sentence

    def flush(self):
        """Write what can be written without waiting."""
        while self._pending and self._writable.poll(0):
            written = self._writer.write(self._pending[:WRITE_PIECE])
            if not written:
                break
            self._pending = self._pending[written:]

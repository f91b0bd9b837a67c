"""The serial line over USB: MicroPython's own standard input and output, which never wait here."""

import select

READ_MAX = WRITE_PIECE = 64
"""What a USB packet holds. A host that has the port open and does not read costs one wait of 500 ms, then polling
says that there is no room; the watchdog allows that."""

START, END = b"$\n"
"""Of a sentence."""

PENDING_MAX = 2048
"""More than eight events and the answers to the pings of a race, which is all that can be due at once."""


class Port:
    """Reads and writes binary streams, as sys.stdin.buffer and sys.stdout.buffer are.

    `begun_us` is what `now_us` said when the last `$` was here: the sentence that it begins was sent before.
    """

    def __init__(self, reader, writer, now_us):
        self.begun_us = 0
        self._now_us = now_us
        self._reader = reader
        self._writer = writer
        self._byte = bytearray(1)  # reading more than has arrived would wait
        self._readable = select.poll()
        self._readable.register(reader, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(writer, select.POLLOUT)
        self._pending = b""

    def read(self, wait_ms):
        """Return what has arrived, up to the end of a sentence, after at most `wait_ms` when nothing has."""
        data, byte = bytearray(), self._byte
        poll, readinto = self._readable.poll, self._reader.readinto  # each byte costs: looked up once
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

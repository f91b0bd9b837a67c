"""A stream that can be polled."""

import io
import select

_IOCTL_POLL = 3


class Stream(io.IOBase):
    def __init__(self):
        self.incoming = b""
        self.written = b""
        self.room = 1 << 20

    def ioctl(self, request, flags):
        if request != _IOCTL_POLL:
            return -1
        ready = 0
        if self.incoming:
            ready |= select.POLLIN
        if self.room:
            ready |= select.POLLOUT
        return ready & flags

    def readinto(self, buffer):
        assert len(self.incoming) >= len(buffer), "reading more than has arrived waits for ever"
        buffer[:] = self.incoming[: len(buffer)]
        self.incoming = self.incoming[len(buffer) :]
        return len(buffer)

    def write(self, data):
        assert self.room, "writing without room waits for half a second"
        count = min(len(data), self.room)
        self.room -= count
        self.written += bytes(data[:count])
        return count

    def taken(self):
        """Return what was written since the last call."""
        data, self.written = self.written, b""
        return data

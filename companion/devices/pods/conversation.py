"""What is said at one port: who is there, and then the conversation with that pod. No thread, no clock, no port."""

from collections.abc import Callable
from typing import Final

from companion.core.text import Text, msg
from companion.devices.pods.link import HEY_NS, MS, VERSION, Hello, PodLink, hey, read_hello
from companion.devices.pods.sentences import Reader, Sentence

PATIENCE_NS: Final = 3_000 * MS
"""A port where nobody has introduced itself by then has no pod: a board takes a second to start."""

Find = Callable[[Hello], PodLink | Text]
"""Returns the link of the pod that has introduced itself, or why it cannot be used."""


class Conversation:
    """Bytes and the time in, bytes out, until it is `over`, which says why.

    `session` tells this program from the one that was there before it.
    """

    def __init__(self, session: str, find: Find, now_ns: int) -> None:
        self.link: PodLink | None = None
        self.over: Text | None = None
        self._session = session
        self._find = find
        self._reader = Reader()
        self._ends_ns = now_ns + PATIENCE_NS
        self._hey_at_ns = now_ns

    @property
    def deadline_ns(self) -> int:
        """When `tick` is next due."""
        linked_ns = self.link.deadline_ns if self.link else None
        return min(self._hey_at_ns, self._ends_ns) if linked_ns is None else linked_ns

    def receive(self, data: bytes, now_ns: int) -> None:
        """Act on bytes that have arrived by now."""
        for heard in self._reader.feed(data):
            if self.over:
                return
            if self.link:
                self.link.hear(heard, now_ns)
                self._look()
            else:
                self._greeted(heard, now_ns)

    def tick(self, now_ns: int) -> bytes:
        """Return what is to be written now. What waits longer is no harm, but makes stamps less certain."""
        if self.over:
            return b""
        if self.link:
            self.link.tick(now_ns)
            self._look()
            written = bytes(self.link.out)
            self.link.out.clear()
            return written
        if now_ns >= self._ends_ns:
            self.over = msg("no pod answers there; is it new? `companion pod flash`")
        if self.over or now_ns < self._hey_at_ns:
            return b""
        self._hey_at_ns = now_ns + HEY_NS
        return hey(self._session).encode()

    def end(self, why: Text) -> None:
        """End it: the port is gone or is to be closed."""
        if self.over:
            return  # the pod may have answered at another port meanwhile, and its link be in use there
        self.over = why
        if self.link:
            self.link.disconnect(why)

    def _greeted(self, heard: Sentence, now_ns: int) -> None:
        hello = read_hello(heard)
        if hello is None:
            return
        if hello.version == VERSION and hello.session != self._session:
            self._hey_at_ns = now_ns  # it has just started, or this has waited in a buffer since long ago
            return
        found = self._find(hello)
        if isinstance(found, PodLink):
            found.connect(hello, now_ns)
            self.link = found if found.connected else None
        else:
            self.over = found

    def _look(self) -> None:
        if self.link and not self.link.connected:
            self.over = msg("the pod there does not answer any more")

"""The conversation at one port: it identifies the pod, then serves its link."""

import secrets
from collections.abc import Callable
from typing import Final, NamedTuple

from companion.core.text import Text, msg
from companion.core.units import MS
from companion.devices.pods.link import PodLink
from companion.devices.pods.proof import PodKey, Seal, draw_nonce
from companion.devices.pods.reports import VERSION, Hello, read_hello
from companion.devices.pods.sentences import Reader, Sentence, sentence

HEY_NS: Final = 500 * MS
"""Retry interval of the identification."""

PATIENCE_NS: Final = 3_000 * MS
"""Timeout of the identification. A board takes a second to start."""

_STARTED: Final = "-"
"""The session of a pod that has just started."""

Find = Callable[[Hello], PodLink | Text]
"""Returns the link of a pod that identified itself, or why it is refused."""


class _Asked(NamedTuple):
    """A pod that must prove its identity."""

    link: PodLink
    hello: Hello
    key: PodKey
    nonce: str


def cannot_prove(identity: str) -> Text:
    return msg(
        "the device there claims to be the pod {identity}, but cannot prove it; if it is, pair it again: "
        "`companion pod pair`",
        identity=identity,
    )


def elsewhere(identity: str) -> Text:
    """Return the message for a pod at another port, which soon ends if the cable was moved."""
    return msg("the pod {identity} is already connected at another port", identity=identity)


class Conversation:
    """Receives bytes and returns bytes to send, until it is `over`, which has the reason.

    Bytes before `begins_ns` are ignored. If a proved pod is connected elsewhere, `yields` ends that or returns
    False. Each greeting starts a new session, so that the pod forgets what other programs set.
    """

    def __init__(self, find: Find, begins_ns: int, yields: Callable[[PodLink], bool] = lambda _: False) -> None:
        self.link: PodLink | None = None
        self.over: Text | None = None
        self._session = _draw_session()
        self._find = find
        self._yields = yields
        self._reader = Reader()
        self._asked: _Asked | None = None
        self._begins_ns = self._hey_at_ns = begins_ns
        self._ends_ns = begins_ns + PATIENCE_NS

    @property
    def deadline_ns(self) -> int:
        linked_ns = self.link.deadline_ns if self.link else None
        return min(self._hey_at_ns, self._ends_ns) if linked_ns is None else linked_ns

    def receive(self, data: bytes, now_ns: int) -> None:
        if now_ns < self._begins_ns:
            return
        for heard in self._reader.feed(data):
            if self.over:
                return
            if self.link:
                self.link.hear(heard, now_ns)
                self._look(now_ns)
            elif self._asked and heard.kind == "PRF":
                self._proved(heard, self._asked, now_ns)
            else:
                self._greeted(heard, now_ns)

    def tick(self, now_ns: int) -> bytes:
        """Return the bytes to send now. Delays make timestamps less certain."""
        if self.over:
            return b""
        if self.link:
            link = self.link
            link.tick(now_ns)
            written = bytes(link.out)
            link.out.clear()
            self._look(now_ns)
            return written
        if now_ns >= self._ends_ns:
            asked = self._asked
            self.over = (
                cannot_prove(asked.link.identity)
                if asked
                else msg("no pod responds there; is it new? `companion pod flash`")
            )
        if self.over or now_ns < self._hey_at_ns:
            return b""
        self._hey_at_ns = now_ns + HEY_NS
        if self._asked:
            return sentence("PRV", self._asked.nonce).encode()
        return sentence("HEY", VERSION, self._session).encode()

    def end(self, why: Text) -> None:
        """Disconnect, because the port is gone or will be closed."""
        if self.over:
            return  # the link may already be in use at another port
        self.over = why
        if self.link:
            self.link.disconnect(why)

    def _greeted(self, heard: Sentence, now_ns: int) -> None:
        hello = read_hello(heard)
        if hello is None:
            return
        if self._asked and hello.session != _STARTED:
            return
        if hello.version == VERSION and hello.session != self._session:
            self._hey_at_ns = now_ns  # the pod has just started, or this is old
            self._asked = None
            return
        found = self._find(hello)
        if not isinstance(found, PodLink):
            self.over = found
        elif found.key:
            self._asked = _Asked(found, hello, found.key, draw_nonce())
            self._hey_at_ns = now_ns
        else:
            self._connect(found, hello, now_ns)

    def _proved(self, heard: Sentence, asked: _Asked, now_ns: int) -> None:
        if heard.proof is None or len(heard.fields) != 4 or heard.fields[0] != asked.nonce:
            return  # an old answer from a buffer
        _, drawn, boot, first = heard.fields
        seal = Seal(asked.key, asked.nonce, drawn)
        if not seal.takes(heard.proof) or not first.isdecimal():
            self.over = cannot_prove(asked.link.identity)
        elif asked.link.connected and not self._yields(asked.link):
            self.over = elsewhere(asked.link.identity)
        else:
            self._asked = None
            self._connect(asked.link, asked.hello._replace(boot=boot, next=int(first)), now_ns, seal)

    def _connect(self, link: PodLink, hello: Hello, now_ns: int, seal: Seal | None = None) -> None:
        link.connect(hello, now_ns, seal)
        self.link = link if link.connected else None

    def _look(self, now_ns: int) -> None:
        if self.link is None or self.link.connected:
            return
        if self.link.greets_anew:
            self.link = None
            self._session = _draw_session()
            self._hey_at_ns, self._ends_ns = now_ns, now_ns + PATIENCE_NS
        else:
            self.over = msg("the pod there is not responding")


def _draw_session() -> str:
    return secrets.token_hex(4).upper()

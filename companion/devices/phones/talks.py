"""Conversations with phones: each at one connection, with the phone of a seat or with an invited one."""

import json
from collections.abc import Callable, Sequence
from enum import IntEnum
from hashlib import sha256
from math import sqrt
from typing import Final, NamedTuple, Protocol

from companion.core.place import PictureSize, TouchArea
from companion.core.text import Text
from companion.devices.phones.picture import LatestPicture
from companion.devices.phones.secret import Secret
from companion.devices.pods.conversation import Conversation
from companion.devices.pods.link import PodLink
from companion.devices.pods.proof import Seal
from companion.devices.pods.reports import Hello

PICTURE_MOST: Final = 600_000
"""A picture's most pixels: a phone with a larger screen scales it up."""

PICTURE_LEAST_PX: Final = 160
"""A picture's least width and height: a page with less room scales it down."""

MARK_DIGITS: Final = 16
"""How many hexadecimal digits of its SHA-256 name a picture; they are proved like every sentence."""


def with_areas(png: bytes, areas: Sequence[TouchArea]) -> bytes:
    """Return a picture behind one line of JSON that lists what may be touched in it and beside it."""
    return json.dumps([area._asdict() for area in areas]).encode() + b"\n" + png


class CloseCode(IntEnum):
    """Why the table closes a connection; docs/phones.md says what the page does then."""

    JOINED = 4000
    UNKNOWN = 4001
    ELSEWHERE = 4002
    TOO_MUCH = 4003
    SILENT = 4004


class Invitation(PodLink):
    """Stands for the seat of a code: the phone that proves the token gets the seat, with another secret."""

    def __init__(self, token: Secret, give: Callable[[Secret, Secret], bool]) -> None:
        super().__init__(token.identity, lambda _: None)
        self.key = token.key
        self.taken = False
        self._token, self._give = token, give

    def connect(self, hello: Hello, now_ns: int, seal: Seal | None = None) -> None:
        """Give the seat to the phone that has proved the token, unless another one was faster."""
        assert seal  # it has a key
        self.taken = self._give(self._token, Secret(seal.next))


class PhoneLink(PodLink):
    """A phone: besides what a pod is told, it is shown the picture `png`."""

    png = b""

    def show_picture(self, png: bytes) -> None:
        """Show a picture, now or as soon as the page can be told."""
        self.png = png
        self.wish("picture", sha256(png).hexdigest()[:MARK_DIGITS].upper() if png else "none")

    @property
    def picture_size(self) -> PictureSize | None:
        """How large a picture it shows; None before its page has said it."""
        if self.picture_px is None:
            return None
        width, height = (max(PICTURE_LEAST_PX, pixels) for pixels in self.picture_px)
        share = min(1.0, sqrt(PICTURE_MOST / (width * height)))
        return PictureSize(int(width * share), int(height * share), self.identity)


class Due(NamedTuple):
    """What to send at a connection: sentences, then a picture; when to ask again, and why to close it."""

    said: bytes
    png: bytes
    deadline_ns: int
    closes: CloseCode | None


class Talk(Conversation):
    """The conversation at one connection, and why that is to be closed."""

    def __init__(
        self,
        link_of: Callable[[Hello], PodLink | Text],
        begins_ns: int,
        end_older: Callable[[PodLink], bool],
    ) -> None:
        """`link_of` and `end_older` are those of a Conversation."""
        super().__init__(self._link_of, begins_ns, end_older)
        self._shown = b""
        self._known = link_of
        self._invitation: Invitation | None = None
        self._why: CloseCode | None = None

    @property
    def closes(self) -> CloseCode | None:
        """Why the connection is to be closed now; None while it goes on."""
        if self._invitation and self._invitation.taken:
            return CloseCode.JOINED
        if self.over is None:
            return None
        return self._why or (CloseCode.SILENT if self.link else CloseCode.UNKNOWN)

    def new_picture(self) -> bytes:
        """Return the picture that is to be shown, if it was not sent at this connection; else b""."""
        png = self.link.png if isinstance(self.link, PhoneLink) and self.link.connected else b""
        new, self._shown = png if png is not self._shown else b"", png
        return new

    def end_for(self, close: CloseCode, why: Text) -> None:
        """End it for a reason that the page is told."""
        self._why = close
        self.end(why)

    def _link_of(self, hello: Hello) -> PodLink | Text:
        found = self._known(hello)
        self._invitation = found if isinstance(found, Invitation) else None
        return found


class Talks(Protocol):
    """The conversations of a table, and what is served beside them: what the server asks for."""

    language: str
    """The table's, in which pages are served."""

    wall: LatestPicture
    """The picture that anybody may see."""

    def tell_address(self) -> None:
        """Report that the table has another address."""

    def begin(self) -> Talk:
        """Return the conversation of a new connection."""

    def hear(self, talk: Talk, said: bytes) -> None:
        """Act on what has arrived at a connection."""

    def due(self, talk: Talk) -> Due:
        """Return what is to be said at a connection now."""

    def end_flood(self, talk: Talk) -> None:
        """End a conversation in which too much is said."""

    def end(self, talk: Talk) -> None:
        """Forget a conversation whose connection is closed."""

"""Conversations with phones, one per connection."""

import json
from collections.abc import Callable, Sequence
from enum import IntEnum
from hashlib import sha256
from math import sqrt
from typing import Final, NamedTuple, Protocol

from companion.core.place import HouseSheet, PictureSize, TouchArea
from companion.core.text import Text
from companion.devices.phones.picture import LatestPicture
from companion.devices.phones.secret import Secret
from companion.devices.pods.conversation import Conversation
from companion.devices.pods.link import PodLink
from companion.devices.pods.proof import Seal
from companion.devices.pods.reports import Hello

PICTURE_MOST: Final = 600_000
"""Maximum pixels of a picture. Larger screens scale it up."""

PICTURE_LEAST_PX: Final = 160
"""Minimum width and height of a picture."""

MARK_DIGITS: Final = 16
"""Digits of the SHA-256 that names a picture in an authenticated sentence."""


def with_areas(png: bytes, areas: Sequence[TouchArea]) -> bytes:
    """Return a line of JSON with the touch areas, then the picture."""
    return json.dumps([area._asdict() for area in areas]).encode() + b"\n" + png


def of_house(sheet: HouseSheet) -> bytes:
    """Return the house's sheet as a line of JSON, without a picture."""
    return json.dumps(sheet._asdict()).encode() + b"\n"


class CloseCode(IntEnum):
    """Why a connection is closed, as in docs/phones.md."""

    JOINED = 4000
    UNKNOWN = 4001
    ELSEWHERE = 4002
    TOO_MUCH = 4003
    SILENT = 4004


class Invitation(PodLink):
    """The link of a code. The phone that proves the token gets its seat, with a new secret."""

    def __init__(self, token: Secret, give: Callable[[Secret, Secret], bool]) -> None:
        super().__init__(token.identity, lambda _: None)
        self.key = token.key
        self.taken = False
        self._token, self._give = token, give

    def connect(self, hello: Hello, now_ns: int, seal: Seal | None = None) -> None:
        assert seal  # it has a key
        self.taken = self._give(self._token, Secret(seal.next))


class PhoneLink(PodLink):
    """A pod that also shows the picture `png`."""

    png = b""

    def show_picture(self, png: bytes) -> None:
        self.png = png
        self.wish("picture", sha256(png).hexdigest()[:MARK_DIGITS].upper() if png else "none")

    @property
    def picture_size(self) -> PictureSize | None:
        """The size of its pictures, once its page has reported it."""
        if self.picture_px is None:
            return None
        width, height = (max(PICTURE_LEAST_PX, pixels) for pixels in self.picture_px)
        share = min(1.0, sqrt(PICTURE_MOST / (width * height)))
        return PictureSize(int(width * share), int(height * share), self.identity)


class Due(NamedTuple):
    """Data to send, when to call `due` again, and why to close."""

    said: bytes
    png: bytes
    deadline_ns: int
    closes: CloseCode | None


class Talk(Conversation):
    """The conversation at one connection."""

    def __init__(
        self,
        link_of: Callable[[Hello], PodLink | Text],
        begins_ns: int,
        end_older: Callable[[PodLink], bool],
    ) -> None:
        super().__init__(self._link_of, begins_ns, end_older)
        self._shown = b""
        self._known = link_of
        self._invitation: Invitation | None = None
        self._why: CloseCode | None = None

    @property
    def closes(self) -> CloseCode | None:
        """Why to close the connection now, or None."""
        if self._invitation and self._invitation.taken:
            return CloseCode.JOINED
        if self.over is None:
            return None
        return self._why or (CloseCode.SILENT if self.link else CloseCode.UNKNOWN)

    def new_picture(self) -> bytes:
        """Return the picture if it was not sent at this connection, else b""."""
        png = self.link.png if isinstance(self.link, PhoneLink) and self.link.connected else b""
        new, self._shown = png if png is not self._shown else b"", png
        return new

    def end_for(self, close: CloseCode, why: Text) -> None:
        self._why = close
        self.end(why)

    def _link_of(self, hello: Hello) -> PodLink | Text:
        found = self._known(hello)
        self._invitation = found if isinstance(found, Invitation) else None
        return found


class Talks(Protocol):
    """The phones, as the server sees them."""

    language: str

    wall: LatestPicture

    def tell_address(self) -> None: ...

    def begin(self) -> Talk:
        """Return the conversation of a new connection."""

    def hear(self, talk: Talk, said: bytes) -> None: ...

    def due(self, talk: Talk) -> Due: ...

    def end_flood(self, talk: Talk) -> None: ...

    def end(self, talk: Talk) -> None:
        """Forget a closed connection."""

"""The secret in a seat's code, from which phone and table derive identity and key."""

import base64
import hmac
import secrets
from typing import Final, NamedTuple

from companion.devices.pods.proof import PodKey

TOKEN_BYTES: Final = 16

LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Characters of a table's code that cannot be confused."""

LETTERS_COUNT: Final = 12
"""60 bits: short enough to type, too long to guess."""


class Secret:
    """A secret of a phone and the table. Only the shown code contains it."""

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def drawn(cls) -> "Secret":
        return cls(secrets.token_bytes(TOKEN_BYTES))

    @classmethod
    def to_type(cls) -> "Secret":
        return cls("".join(secrets.choice(LETTERS) for _ in range(LETTERS_COUNT)).encode())

    @property
    def letters(self) -> str:
        return self._secret.decode()

    @property
    def identity(self) -> str:
        """Its public name: sixteen hexadecimal digits."""
        return self._made_of(b"id")[:8].hex().upper()

    @property
    def key(self) -> PodKey:
        return PodKey(self._made_of(b"key"))

    @property
    def code(self) -> str:
        """The secret as the fragment of an address."""
        return base64.urlsafe_b64encode(self._secret).rstrip(b"=").decode()

    def __repr__(self) -> str:
        return "Secret()"

    def _made_of(self, what: bytes) -> bytes:
        return hmac.digest(self._secret, what, "sha256")


class SeatCode(NamedTuple):
    """A seat's or table's code: an address with the secret, and its QR code as rows of `0` and `1`, for dark.

    `letters` is a table's code for typing. Only people at the table may see any of it.
    """

    address: str
    rows: tuple[str, ...]
    letters: str = ""

    def __repr__(self) -> str:
        return "Code()"

"""The secret that gives a seat to a phone, and the identity and the key that both ends derive from it."""

import base64
import hmac
import secrets
from typing import Final, NamedTuple

from companion.devices.pods.proof import PodKey

TOKEN_BYTES: Final = 16

LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""The characters of a table's code; no two of them look alike."""

LETTERS_COUNT: Final = 12
"""60 bits: few enough to be typed, too many to be guessed."""


class Secret:
    """A secret of one phone and the table. Only the code that is shown to be scanned has its text."""

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def drawn(cls) -> "Secret":
        """Return a token that nobody can guess."""
        return cls(secrets.token_bytes(TOKEN_BYTES))

    @classmethod
    def to_type(cls) -> "Secret":
        """Return a token that nobody can guess and everybody can type."""
        return cls("".join(secrets.choice(LETTERS) for _ in range(LETTERS_COUNT)).encode())

    @property
    def letters(self) -> str:
        """The text of a token that can be typed."""
        return self._secret.decode()

    @property
    def identity(self) -> str:
        """The public name of its owner: sixteen hexadecimal digits in capitals."""
        return self._made_of(b"id")[:8].hex().upper()

    @property
    def key(self) -> PodKey:
        return PodKey(self._made_of(b"key"))

    @property
    def code(self) -> str:
        """Its text behind the `#` of an address."""
        return base64.urlsafe_b64encode(self._secret).rstrip(b"=").decode()

    def __repr__(self) -> str:
        return "Secret()"

    def _made_of(self, what: bytes) -> bytes:
        return hmac.digest(self._secret, what, "sha256")


class SeatCode(NamedTuple):
    """The way to a place, or to any free one: an address, and its QR code to scan, with `1` for dark.

    The address has the token behind its `#`; that of a table is also its `letters`. All of it is for people at the
    table alone.
    """

    address: str
    rows: tuple[str, ...]
    letters: str = ""

    def __repr__(self) -> str:
        return "Code()"

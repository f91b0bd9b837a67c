"""Authenticates both ends of a session, as in docs/pod-protocol.md."""

import hmac
import re
import secrets
from typing import Final, NamedTuple

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 8
TAG_BYTES: Final = 8

_KEY: Final = re.compile(r"[0-9a-f]{64}\n?", re.ASCII)


class Proof(NamedTuple):
    """The proof of a sentence: a running number, a tag, and the bytes that were tagged."""

    number: int
    tag: bytes
    made_of: bytes


class PodKey:
    """The secret key of one pod. Only its file contains the text."""

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        if len(secret) != KEY_BYTES:
            raise ValueError(f"a key has {KEY_BYTES} bytes")
        self._secret = secret

    @classmethod
    def drawn(cls) -> "PodKey":
        return cls(secrets.token_bytes(KEY_BYTES))

    @classmethod
    def read(cls, text: str) -> "PodKey":
        """Parse a key file. Raise ValueError, which does not quote it."""
        if not _KEY.fullmatch(text):
            raise ValueError("this is no key")
        return cls(bytes.fromhex(text))

    def written(self) -> str:
        return f"{self._secret.hex()}\n"

    def __repr__(self) -> str:
        return "PodKey()"

    def for_session(self, direction: bytes, host: str, pod: str) -> bytes:
        """Derive the key of one direction of a session from both nonces."""
        return _tag(self._secret, direction + f"{host}{pod}".encode())


class Seal:
    """The host's end of a session."""

    def __init__(self, key: PodKey, host: str, pod: str) -> None:
        self._ours = key.for_session(b"host", host, pod)
        self._theirs = key.for_session(b"pod", host, pod)
        self.next = key.for_session(b"next", host, pod)
        """A secret of the two ends for a later session."""
        self._said = 0
        self._heard = 0

    def prove(self, body: bytes) -> bytes:
        """Return a sentence's body with number and tag."""
        self._said += 1
        numbered = b"%s*%d" % (body, self._said)
        return b"%s*%s" % (numbered, _short(self._ours, numbered))

    def knows(self, proof: Proof) -> bool:
        """Return True for a proof of this session, even if the line echoed the host's own."""
        return _made_by(self._theirs, proof) or _made_by(self._ours, proof)

    def takes(self, proof: Proof) -> bool:
        """Accept a proof. Return False if somebody else made it, or if it or a later one was accepted."""
        if proof.number <= self._heard or not _made_by(self._theirs, proof):
            return False
        self._heard = proof.number
        return True


def draw_nonce() -> str:
    return secrets.token_hex(NONCE_BYTES).upper()


def _made_by(key: bytes, proof: Proof) -> bool:
    return hmac.compare_digest(_short(key, proof.made_of), proof.tag)


def _short(key: bytes, text: bytes) -> bytes:
    return _tag(key, text)[:TAG_BYTES].hex().upper().encode()


def _tag(key: bytes, text: bytes) -> bytes:
    return hmac.digest(key, text, "sha256")

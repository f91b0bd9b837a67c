"""The proof of who speaks, as docs/pod-protocol.md has it: a key, and what both ends of a session make of it."""

import hmac
import re
import secrets
from typing import Final, NamedTuple

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 8
TAG_BYTES: Final = 8

_KEY: Final = re.compile(r"[0-9a-f]{64}\n?", re.ASCII)


class Proof(NamedTuple):
    """The proof of a sentence: a running number, a tag, and the bytes that the tag was made of."""

    number: int
    tag: bytes
    made_of: bytes


class PodKey:
    """A key of one pod and its table. Only the file that keeps it has its text."""

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
        """Return the key that a file has. Raise ValueError, which does not quote it."""
        if not _KEY.fullmatch(text):
            raise ValueError("this is no key")
        return cls(bytes.fromhex(text))

    def written(self) -> str:
        """Return the text of a file that keeps it."""
        return f"{self._secret.hex()}\n"

    def __repr__(self) -> str:
        return "PodKey()"

    def for_session(self, direction: bytes, host: str, pod: str) -> bytes:
        """Return the key of one direction of a session, made of what both ends have drawn for it."""
        return _tag(self._secret, direction + f"{host}{pod}".encode())


class Seal:
    """The host's end of a session: proves what it says, and finds whether the pod has said what is heard."""

    def __init__(self, key: PodKey, host: str, pod: str) -> None:
        self._ours = key.for_session(b"host", host, pod)
        self._theirs = key.for_session(b"pod", host, pod)
        self.next = key.for_session(b"next", host, pod)
        """A secret that only the two ends of this session know; a session after it can use it."""
        self._said = 0
        self._heard = 0

    def prove(self, body: bytes) -> bytes:
        """Return what makes a sentence of these bytes a proved one: the next number and its tag."""
        self._said += 1
        numbered = b"%s*%d" % (body, self._said)
        return b"%s*%s" % (numbered, _short(self._ours, numbered))

    def knows(self, proof: Proof) -> bool:
        """Tell whether this was made in this session: by the pod, or here and echoed by the line."""
        return _made_by(self._theirs, proof) or _made_by(self._ours, proof)

    def takes(self, proof: Proof) -> bool:
        """Tell whether the pod has made this and has not said it, or something later, before."""
        if proof.number <= self._heard or not _made_by(self._theirs, proof):
            return False
        self._heard = proof.number
        return True


def draw_nonce() -> str:
    """Return what nobody can guess, and what no other session has."""
    return secrets.token_hex(NONCE_BYTES).upper()


def _made_by(key: bytes, proof: Proof) -> bool:
    return hmac.compare_digest(_short(key, proof.made_of), proof.tag)


def _short(key: bytes, text: bytes) -> bytes:
    """Return a tag as a sentence has it."""
    return _tag(key, text)[:TAG_BYTES].hex().upper().encode()


def _tag(key: bytes, text: bytes) -> bytes:
    return hmac.digest(key, text, "sha256")

"""Authenticates both ends of a session."""

import hashlib
from binascii import hexlify

from sentences import ending

KEY_BYTES = 32
NONCE_BYTES = 8
TAG_BYTES = 8

_BLOCK = 64  # of SHA-256
_SHUT = 11  # asterisk, eight digits, line end


class Mac:
    """HMAC-SHA-256 (RFC 2104) with one key."""

    def __init__(self, key):
        if len(key) > _BLOCK:
            key = hashlib.sha256(key).digest()
        key += bytes(_BLOCK - len(key))
        self._inner = bytes(byte ^ 0x36 for byte in key)
        self._outer = bytes(byte ^ 0x5C for byte in key)

    def of(self, text):
        inner = hashlib.sha256(self._inner)
        inner.update(text)
        outer = hashlib.sha256(self._outer)
        outer.update(inner.digest())
        return outer.digest()


class Seal:
    """An authenticated session, with a key per direction derived from the pod's key and both nonces."""

    def __init__(self, key, theirs, ours):
        both = theirs + ours
        self._ours = Mac(Mac(key).of(b"pod" + both))
        self._theirs = Mac(Mac(key).of(b"host" + both))
        self._said = 0
        self._heard = 0  # number of the host's last proof

    def close(self, sentence):
        """Return a sentence with the next number and its tag."""
        self._said += 1
        body = sentence[1:-_SHUT] + b"*" + str(self._said).encode()
        body += b"*" + _tag(self._ours, body)
        return b"$" + body + ending(body)

    def opens(self, proof):
        """Return True if the host made this proof and did not use it before."""
        count, tag, body = proof
        if count <= self._heard or _tag(self._theirs, body) != tag:
            return False
        self._heard = count
        return True


def _tag(mac, body):
    return hexlify(mac.of(body)[:TAG_BYTES]).upper()

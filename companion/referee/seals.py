"""The ends of a journal's lines: each proves its line and all lines before it.

A line ends in a blank, `;` and a seal. Seals of 32 digits are a chain of hashes: the first 128 bits of the SHA-256
of the seal before and the line. Those of 8 digits, in older records, are a CRC-32, which proves accidents only: a
line can be altered so that it stays the same.
"""

import re
import zlib
from hashlib import sha256
from typing import Final

from companion.core.errors import RecordError
from companion.core.text import msg

CHAIN: Final = "0" * 32
"""What the seal of a record's first line goes on from; with checksums it is 8 zeros."""

SECRET_BYTES: Final = 512
"""So long is each line of a secret, without its seal: more than any bid of all the cards that there are."""

_SEAL: Final = re.compile(rb" ;([0-9a-f]{8}|[0-9a-f]{32})$", re.MULTILINE)


def beginning(data: bytes) -> str | None:
    """Return what the seals of a record begin with, None where it has none.

    Any line tells, for the first one may have lost a digit.
    """
    found = _SEAL.search(data)
    return found and "0" * len(found[1])


def is_chained(seal: str) -> bool:
    """Tell whether a seal belongs to a chain of hashes."""
    return len(seal) == len(CHAIN)


def sealed(body: str, before: str) -> tuple[bytes, str]:
    """Return a line with its seal, and that seal, which is as long as the one before."""
    data = body.encode()
    seal = _following(data, before)
    return b"%s ;%s\n" % (data, seal.encode()), seal


def unsealed(raw: bytes, before: str, torn: bool) -> tuple[str, str]:
    """Return a line without its seal, and that seal. Raise RecordError where it does not fit, or is no text."""
    data, _, seal = raw.rpartition(b" ;")
    following = _following(data, before)
    if torn:
        raise RecordError(msg("it is torn off"))
    if seal == following.encode():
        return text_of(data).rstrip(" "), following
    if is_chained(before):
        raise RecordError(msg("its seal does not fit: it was altered, or lines before it are missing or moved"))
    raise RecordError(msg("its checksum does not fit"))


def text_of(raw: bytes) -> str:
    """Return the text of a line. Raise RecordError where it is none."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise RecordError(msg("it is no text")) from error


def evened(body: str) -> str:
    """Return the line of a secret with blanks behind it, so that its length tells nothing."""
    return body + " " * (-len(body.encode()) % SECRET_BYTES)


def _following(data: bytes, before: str) -> str:
    if is_chained(before):
        return sha256(before.encode() + data).hexdigest()[: len(CHAIN)]
    return f"{zlib.crc32(data, int(before, 16)):08x}"

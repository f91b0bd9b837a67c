"""Forged records with valid seals."""

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path


def chained(lines: Iterable[str]) -> bytes:
    """Return lines sealed with docs/notation.md's chain of hashes."""
    seal, data = "0" * 32, b""
    for line in lines:
        body = line.encode("utf-8", "surrogatepass")
        seal = sha256(seal.encode() + body).hexdigest()[:32]
        data += b"%s ;%s\n" % (body, seal.encode())
    return data


def bodies(path: Path) -> list[str]:
    """Return a record's lines without seals and padding."""
    return [line.rpartition(" ;")[0].rstrip(" ") for line in path.read_text("utf-8").splitlines()]

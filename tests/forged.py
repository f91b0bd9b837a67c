"""Records as somebody makes them up who knows how they are sealed: every seal fits, whatever the lines say."""

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path


def chained(lines: Iterable[str]) -> bytes:
    """Return lines with the chain of hashes that docs/notation.md describes."""
    seal, data = "0" * 32, b""
    for line in lines:
        body = line.encode("utf-8", "surrogatepass")
        seal = sha256(seal.encode() + body).hexdigest()[:32]
        data += b"%s ;%s\n" % (body, seal.encode())
    return data


def bodies(path: Path) -> list[str]:
    """Return the lines of a record without their seals, and without what evens out the length of secrets."""
    return [line.rpartition(" ;")[0].rstrip(" ") for line in path.read_text("utf-8").splitlines()]

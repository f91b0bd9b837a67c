"""Records as somebody makes them up who knows how they are sealed: every seal fits, whatever the lines say."""

import zlib
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


def with_checksums(lines: Iterable[str]) -> bytes:
    """Return lines with the checksums that older records have."""
    checksum, data = 0, b""
    for line in lines:
        body = line.encode("utf-8", "surrogatepass")
        checksum = zlib.crc32(body, checksum)
        data += b"%s ;%08x\n" % (body, checksum)
    return data


def bodies(path: Path) -> list[str]:
    """Return the lines of a record without their seals, and without what evens out the length of secrets."""
    return [line.rpartition(" ;")[0].rstrip(" ") for line in path.read_text("utf-8").splitlines()]


def alike(line: str, before: int, checksum: int) -> str:
    """Return a line with a comment that lets it have a checksum, after that of the lines before it.

    Flipping the case of a letter changes the same bits of the sum whatever the others are: 32 equations of bits.
    """
    comment = "somebodywonthismatchandsomebodyelsehasonlysaidsobutnobodycantell"
    rows: list[tuple[int, int]] = []  # what of the sum changes, and by which letters

    def text(flipped: int) -> str:
        letters = (sign.upper() if flipped >> place & 1 else sign for place, sign in enumerate(comment))
        return f"{line} {{{''.join(letters)}}}"

    def reduced(change: int, letters: int) -> tuple[int, int]:
        for row, of in rows:
            if change ^ row < change:
                change, letters = change ^ row, letters ^ of
        return change, letters

    plain = zlib.crc32(text(0).encode(), before)
    for place in range(len(comment)):
        change, letters = reduced(zlib.crc32(text(1 << place).encode(), before) ^ plain, 1 << place)
        if change:
            rows.append((change, letters))
            rows.sort(reverse=True)
    left, letters = reduced(plain ^ checksum, 0)
    assert left == 0
    return text(letters)

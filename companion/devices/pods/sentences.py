"""Encodes and decodes the sentences of docs/pod-protocol.md. Decoding never raises."""

import re
from typing import Final, NamedTuple
from zlib import crc32

from companion.devices.pods.proof import Proof, Seal

TALKER: Final = "TC"

LONGEST: Final = 120
"""Maximum length without line end and proof."""

PROOF_LONGEST: Final = 28
"""Two asterisks, ten digits, a tag of sixteen."""

_SHAPE: Final = re.compile(
    rb"(?P<proved>(?P<body>TC(?P<kind>[A-Z]{3})(?P<fields>(?:,[^$*,\x00-\x1f\x7f-\xff]*)*))"
    rb"(?:\*(?P<number>[0-9]{1,10})\*(?P<tag>[0-9A-F]{16}))?)\*(?P<check>[0-9A-F]{8})"
)
_ESCAPE: Final = re.compile(r"\^(.{0,2})")
_UNSAFE: Final = re.compile(rb"[$*,^\x00-\x1f\x7f-\xff]")
_HEX: Final = re.compile(r"[0-9A-F]{2}")


class Sentence(NamedTuple):
    """A kind of three capitals, and text fields."""

    kind: str
    fields: tuple[str, ...] = ()
    proof: Proof | None = None

    def __repr__(self) -> str:
        return f"Sentence({self.kind!r}, {len(self.fields)} fields)"  # they may be secret

    def encode(self, seal: Seal | None = None) -> bytes:
        """Return the bytes, proved by `seal`. Raise ValueError if too long or with an invalid character."""
        fields = (_escaped(field) for field in self.fields)
        body = b",".join([f"{TALKER}{self.kind}".encode("ascii"), *fields])
        if _length(body) > LONGEST:
            raise ValueError(f"a sentence has at most {LONGEST} characters, this {self.kind} has {_length(body)}")
        if seal:
            body = seal.prove(body)
        return b"$%s*%08X\r\n" % (body, crc32(body))


def sentence(kind: str, *fields: object) -> Sentence:
    return Sentence(kind, tuple(map(str, fields)))


class Reader:
    """Finds sentences in a stream of bytes."""

    def __init__(self) -> None:
        self._begun: bytearray | None = None  # since the last $

    def feed(self, data: bytes) -> list[Sentence]:
        """Return the sentences that `data` completes."""
        found = []
        for byte in data:
            if byte == ord("$"):
                self._begun = bytearray()
            elif self._begun is None:
                continue
            elif byte == ord("\r"):
                read = _read(bytes(self._begun))
                self._begun = None
                found += [read] if read else []
            elif len(self._begun) < LONGEST - 1 + PROOF_LONGEST:
                self._begun.append(byte)
            else:
                self._begun = None
        return found


def cut(text: str, longest: int) -> str:
    """Return the longest prefix with at most `longest` encoded characters."""
    while len(_escaped(text)) > longest:
        text = text[:-1]
    return text


def _read(text: bytes) -> Sentence | None:
    shape = _SHAPE.fullmatch(text)
    if shape is None or _length(shape["body"]) > LONGEST or crc32(shape["proved"]) != int(shape["check"], 16):
        return None
    fields = [_unescaped(field) for field in shape["fields"].decode("ascii").split(",")[1:]]
    whole = [field for field in fields if field is not None]
    if len(whole) < len(fields):
        return None
    proof = None
    if shape["tag"]:
        proof = Proof(int(shape["number"]), shape["tag"], shape["proved"][: shape.start("tag") - 1])
    return Sentence(shape["kind"].decode("ascii"), tuple(whole), proof)


def _length(body: bytes) -> int:
    return len(b"$*01234567") + len(body)


def _escaped(field: str) -> bytes:
    return _UNSAFE.sub(lambda found: b"^%02X" % found[0][0], field.encode("utf-8", "surrogateescape"))


def _unescaped(field: str) -> str | None:
    if not all(_HEX.fullmatch(escape) for escape in _ESCAPE.findall(field)):
        return None
    text = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), field)
    return text.encode("latin-1").decode("utf-8", "surrogateescape")

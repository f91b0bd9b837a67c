"""Pages' pictures exist, and the demo animation suits browsers."""

import re
import struct
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "docs" / "pictures" / "demo.png"


@pytest.mark.parametrize(
    "page", ["README.md", "docs/gallery.md", "docs/play.md", "docs/card.md", "docs/quiz-night.md"]
)
def test_every_picture_exists(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    for path in re.findall(r"!\[[^]]+\]\((.+?)\)|src=\"(.+?)\"", text):
        assert ((ROOT / page).parent / "".join(path)).is_file(), path


def chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    found, place = [], 8
    while place < len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        found.append((kind, data[place + 8 : place + 8 + length]))
        place += length + 12
    return found


def test_demo_is_small_and_plays_half_a_minute() -> None:
    parts = chunks(DEMO.read_bytes())
    count, plays = next(struct.unpack(">II", data) for kind, data in parts if kind == b"acTL")
    controls = [struct.unpack(">IIIIIHHBB", data) for kind, data in parts if kind == b"fcTL"]
    serials = [struct.unpack_from(">I", data)[0] for kind, data in parts if kind in {b"fcTL", b"fdAT"}]
    assert plays == 0, "for ever"
    assert count == len(controls) == sum(kind in {b"IDAT", b"fdAT"} for kind, _ in parts)
    assert serials == list(range(len(serials)))
    assert 20 <= sum(delay / unit for *_, delay, unit, _, _ in controls) <= 32
    assert DEMO.stat().st_size < 2_000_000

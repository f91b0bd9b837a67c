"""The sound clips in assets/sounds match their script, and are short, distinct and equally loud."""

import math
import runpy
import struct
import wave
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import pytest

from companion.core.files import assets_folder
from companion.match.sounds import CLIPS

FOLDER: Final = assets_folder() / "sounds"
NAMES: Final = sorted(path.stem for path in FOLDER.glob("*.wav"))
RATE_HZ: Final = 44_100
EVERY: Final = pytest.mark.parametrize("name", NAMES)

SEMITONE: Final = 2 ** (1 / 12)
STROKES: Final = {
    **{"call": 1, "card": 1},
    **{"tie": 2, "locked": 2, "flip": 2, "wrong": 2, "pause": 2, "nudge": 2},
    **{"early": 3, "right": 3, "go_on": 3, "trouble": 3},
    **{"start": 4, "pay": 4, "win": 5, "drum": 7},
}


def frames(path: Path) -> bytes:
    with wave.open(str(path), "rb") as clip:
        assert (clip.getnchannels(), clip.getsampwidth(), clip.getframerate()) == (1, 2, RATE_HZ)
        return clip.readframes(clip.getnframes())


def samples(path: Path) -> tuple[int, ...]:
    found = frames(path)
    return struct.unpack(f"<{len(found) // 2}h", found)


def clip_of(name: str) -> tuple[int, ...]:
    return samples(FOLDER / f"{name}.wav")


def strength(part: Sequence[float], pitch_hz: float, rate_hz: int = RATE_HZ) -> float:
    """Return the strength of one pitch by Goertzel's algorithm."""
    factor = 2 * math.cos(2 * math.pi * pitch_hz / rate_hz)
    one = two = 0.0
    for value in part:
        one, two = value + factor * one - two, one
    return math.sqrt(max(0.0, one * one + two * two - factor * one * two))


def pitch(part: Sequence[int]) -> float:
    """Return the strongest pitch, in thirds of a semitone from 150 Hz to 3.4 kHz."""
    pitches = [150 * 2 ** (step / 36) for step in range(162)]
    return max(pitches, key=lambda each: strength(part[::3], each, RATE_HZ // 3))


def onsets(part: Sequence[int]) -> list[float]:
    """Return the starts of strokes, in ms."""
    step = RATE_HZ // 500
    level = [max(map(abs, part[first : first + 2 * step])) for first in range(0, len(part) - step, step)]
    peak, found = max(level), [0.0]
    for place in range(4, len(level)):
        was, now = min(level[place - 3 : place]), level[place]
        at_ms = place * 2.0
        if now > 0.2 * peak and now > 2.0 * was and at_ms - found[-1] > 20:
            found.append(at_ms)
    return found


def test_clip_files_are_the_clips_played() -> None:
    assert set(NAMES) == CLIPS


def test_script_reproduces_the_clips(tmp_path: Path) -> None:
    script: dict[str, Any] = runpy.run_path(str(assets_folder() / "make_sounds.py"))
    script["write"](tmp_path)
    assert sorted(path.stem for path in tmp_path.glob("*.wav")) == NAMES
    for name in NAMES:
        made, kept = samples(tmp_path / f"{name}.wav"), clip_of(name)
        assert len(made) == len(kept)
        # The sine of another machine's library may differ in its last digit.
        assert all(abs(one - two) <= 1 for one, two in zip(made, kept, strict=True)), name


@EVERY
def test_clip_is_short_and_does_not_click(name: str) -> None:
    clip = clip_of(name)
    assert 50 <= len(clip) / RATE_HZ * 1_000 <= 300
    assert clip[0] == clip[-1] == 0
    assert max(map(abs, clip[:10])) < 2_000
    assert max(map(abs, clip[-10:])) < 500
    assert max(map(abs, clip)) < 30_000  # 0 dBFS is 32,767


@EVERY
def test_clip_has_its_number_of_strokes(name: str) -> None:
    assert len(onsets(clip_of(name))) == STROKES[name], onsets(clip_of(name))


def test_clips_differ_in_pitch_and_rhythm() -> None:
    pitches = {name: pitch(clip_of(name)) for name in NAMES}
    rhythms = {name: (*onsets(clip_of(name)), len(clip_of(name)) / RATE_HZ * 1_000) for name in NAMES}
    for one, two in combinations(NAMES, 2):
        ratio = pitches[one] / pitches[two]
        assert max(ratio, 1 / ratio) > SEMITONE**0.8, (one, two)
        here, there = rhythms[one], rhythms[two]
        differ = len(here) != len(there) or any(abs(a - b) >= 20 for a, b in zip(here, there, strict=True))
        assert differ, (one, two, rhythms)


def test_clips_are_about_equally_loud() -> None:
    levels = {name: loudness_db(clip_of(name)) for name in NAMES}
    assert max(levels.values()) - min(levels.values()) < 5, {name: round(level) for name, level in levels.items()}


def loudness_db(clip: Sequence[int]) -> float:
    """Return the A-weighted level of the loudest moment, in dB."""
    length = RATE_HZ * 60 // 1_000
    starts = range(0, max(1, len(clip) - length // 2), length // 4)
    loudest = max((clip[start : start + length] for start in starts), key=lambda part: sum(x * x for x in part))
    padded = [*loudest, *[0] * (length - len(loudest))]
    lines = [line * RATE_HZ / length for line in range(8, 330)]
    power = sum((strength(padded, line) * weight(line)) ** 2 for line in lines)
    return 10 * math.log10(power)


def weight(pitch_hz: float) -> float:
    f2 = pitch_hz**2
    low = (f2 + 20.6**2) * math.sqrt((f2 + 107.7**2) * (f2 + 737.9**2))
    return 1.2589 * 12194**2 * f2**2 / (low * (f2 + 12194**2))

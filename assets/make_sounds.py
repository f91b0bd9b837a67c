"""Makes the clips in sounds/: python assets/make_sounds.py"""

import math
import struct
import sys
import wave
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

RATE_HZ: Final = 44_100

LOUDNESS: Final = 0.14  # the loudest moment of each clip, as `_loudness` measures it

MOMENT_MS: Final = 60  # the ear averages over this time: shorter sounds seem softer

EAR_HZ: Final = 400  # ears, and small speakers even more, make lower sounds softer

ATTACK_MS: Final = 3
RELEASE_MS: Final = 12  # without fades, the beginning and end of a stroke would click


class Timbre(NamedTuple):
    """The sound of a stroke: overtones as (number, loudness), and the half-life of its decay."""

    overtones: tuple[tuple[float, float], ...]
    half_ms: float
    noise: float = 0.0


BELL: Final = Timbre(((1, 1.0), (2, 0.35), (3, 0.12), (4.2, 0.05)), 60)
CHIME: Final = Timbre(((1, 1.0), (2, 0.2), (3, 0.1)), 45)
FLUTE: Final = Timbre(((1, 1.0), (2, 0.12)), 200)
REED: Final = Timbre(((1, 1.0), (2, 0.5), (3, 0.4), (4, 0.2), (5, 0.1)), 90)
WOOD: Final = Timbre(((1, 1.0), (2.8, 0.3)), 12, 0.08)
COIN: Final = Timbre(((1, 1.0), (1.51, 0.5), (2.7, 0.2)), 22)
PAPER: Final = Timbre(((1, 0.8), (1.9, 0.2)), 12, 0.45)
SKIN: Final = Timbre(((1, 1.0), (1.6, 0.4), (2.2, 0.25), (3.1, 0.15)), 14, 0.3)


class Stroke(NamedTuple):
    """One stroke of a clip."""

    at_ms: float
    pitch_hz: float
    length_ms: float
    strength: float = 1.0


class Clip(NamedTuple):
    """A clip: strokes in one timbre."""

    timbre: Timbre
    strokes: tuple[Stroke, ...]


# All clips differ in pitch, and also in rhythm: either alone tells them apart.
CLIPS: Final = {
    "call": Clip(BELL, (Stroke(0, 880, 290),)),
    "tie": Clip(CHIME, (Stroke(0, 659, 100), Stroke(100, 659, 150))),
    "early": Clip(WOOD, (Stroke(0, 392, 40), Stroke(40, 392, 40), Stroke(80, 392, 60))),
    "locked": Clip(WOOD, (Stroke(0, 1319, 50, 0.7), Stroke(50, 1319, 60))),
    "drum": Clip(
        SKIN, tuple(Stroke(stroke * 100 / 3, 208, 100 / 3, 0.85 + 0.15 * (stroke % 2)) for stroke in range(7))
    ),
    "flip": Clip(BELL, (Stroke(0, 392, 80, 0.6), Stroke(80, 523, 210))),
    "right": Clip(CHIME, (Stroke(0, 523, 90, 0.7), Stroke(90, 659, 90, 0.7), Stroke(180, 784, 120))),
    "wrong": Clip(REED, (Stroke(0, 330, 140, 0.7), Stroke(140, 294, 150))),
    "card": Clip(PAPER, (Stroke(0, 1568, 80),)),
    "pay": Clip(
        COIN, (Stroke(0, 2093, 40), Stroke(40, 2637, 25, 0.6), Stroke(65, 2093, 40), Stroke(105, 2093, 90))
    ),
    "win": Clip(
        BELL,
        (
            Stroke(0, 523, 45, 0.7),
            Stroke(45, 659, 45, 0.7),
            Stroke(90, 784, 45, 0.7),
            Stroke(135, 1047, 45, 0.7),
            Stroke(180, 1047, 120),
        ),
    ),
    "nudge": Clip(FLUTE, (Stroke(0, 988, 70), Stroke(200, 988, 80))),
    "pause": Clip(FLUTE, (Stroke(0, 659, 80, 0.7), Stroke(170, 440, 120))),
    "go_on": Clip(FLUTE, (Stroke(0, 440, 50, 0.7), Stroke(60, 554, 50, 0.7), Stroke(120, 698, 150))),
    "trouble": Clip(REED, (Stroke(0, 233, 90), Stroke(130, 233, 50), Stroke(200, 233, 90))),
    "start": Clip(
        CHIME, (Stroke(0, 349, 70, 0.6), Stroke(70, 440, 70, 0.6), Stroke(140, 494, 70, 0.6), Stroke(210, 587, 90))
    ),
}


def samples_of(clip: Clip) -> list[int]:
    """Return a clip as 16-bit samples, as loud as all others."""
    end_ms = max(stroke.at_ms + stroke.length_ms for stroke in clip.strokes)
    mixed = [0.0] * _samples(end_ms)
    luck = Random(1)
    for stroke in clip.strokes:
        first = _samples(stroke.at_ms)
        for place, value in enumerate(_struck(clip.timbre, stroke, luck.random), first):
            if place < len(mixed):
                mixed[place] += value
    gain = LOUDNESS / _loudness(mixed) * 32_767
    mixed[0] = mixed[-1] = 0.0
    return [round(value * gain) for value in mixed]


def _struck(timbre: Timbre, stroke: Stroke, luck: Callable[[], float]) -> list[float]:
    length = _samples(stroke.length_ms)
    wave_of = []
    for place in range(length):
        t_s = place / RATE_HZ
        value = sum(
            strength * math.sin(2 * math.pi * stroke.pitch_hz * overtone * t_s)
            for overtone, strength in timbre.overtones
        )
        value += timbre.noise * (2 * luck() - 1)
        decay = 0.5 ** (t_s * 1_000 / timbre.half_ms)
        wave_of.append(value * decay * stroke.strength * _fade(place, length))
    return wave_of


def _fade(place: int, length: int) -> float:
    """Return the factor of a sample while its stroke fades in or out."""
    into = min(1.0, place / _samples(ATTACK_MS))
    out = min(1.0, (length - 1 - place) / _samples(RELEASE_MS))
    return (1 - math.cos(math.pi * min(into, out))) / 2


def _loudness(wave_of: Sequence[float]) -> float:
    """Return the loudness of a wave's loudest moment, without inaudible lows."""
    keep = 1 / (1 + 2 * math.pi * EAR_HZ / RATE_HZ)
    heard, high, before = [], 0.0, 0.0
    for value in wave_of:
        high, before = keep * (high + value - before), value
        heard.append(high * high)
    moment, step = _samples(MOMENT_MS), _samples(5)
    sums = [sum(heard[first : first + moment]) for first in range(0, len(heard), step)]
    return math.sqrt(max(sums) / moment)


def _samples(length_ms: float) -> int:
    return round(length_ms * RATE_HZ / 1_000)


def write(folder: Path) -> None:
    for name, clip in CLIPS.items():
        samples = samples_of(clip)
        with wave.open(str(folder / f"{name}.wav"), "wb") as out:
            out.setnchannels(1)
            out.setsampwidth(2)
            out.setframerate(RATE_HZ)
            out.writeframes(struct.pack(f"<{len(samples)}h", *samples))


if __name__ == "__main__":
    write(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).with_name("sounds"))

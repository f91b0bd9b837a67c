"""Random rounds: contacts that bounce, are held, spark or are pressed too early.

A contact is the list of its changes. Its source reports each as an edge with an exact timestamp and a level read a
little later; reports arrive late and in any order.
"""

import random
from bisect import bisect_right
from typing import Final, NamedTuple

from tests.referee.naive import MS, Heard

US: Final = 1_000

OPEN_NS: Final = 1_000 * MS
"""When the card becomes visible."""

END_NS: Final = OPEN_NS + 1_100 * MS
"""When the last contact is at rest."""


class Source(NamedTuple):
    """A source of docs/timing.md: its uncertainty, its lateness, and whether it can be flushed."""

    name: str
    u_ns: int
    late_ns: int
    flushes: bool


SOURCES: Final = (
    Source("gpiod", 150 * US, 5 * MS, True),
    Source("lgpio", 1 * MS, 30 * MS, False),
    Source("RPi.GPIO", 10 * MS, 20 * MS, False),
    Source("evdev", 5 * MS, 18 * MS, True),
    Source("pod", 230 * US, 12 * MS, True),
)


class Contact(NamedTuple):
    """A seat's contact: its changes, beginning open, and its noise."""

    source: Source
    changes: tuple[int, ...]
    noise: tuple[int, ...]

    def closed(self, t_ns: int) -> bool:
        return bisect_right(self.changes, t_ns) % 2 == 1


class Round(NamedTuple):
    contacts: tuple[Contact, ...]
    margin_ns: int
    handicaps_ms: tuple[int, ...] = ()


def draw_round(luck: random.Random, sources: tuple[Source, ...] = SOURCES) -> Round:
    centre_ns = OPEN_NS + luck.randrange(150, 600) * MS
    same = luck.choice(sources)
    contacts = []
    for _ in range(luck.randint(2, 5)):
        source = same if luck.random() < 0.5 else luck.choice(sources)
        contacts.append(_draw_contact(luck, source, centre_ns))
    return Round(tuple(contacts), luck.choice((0, 1, 10)) * MS)


def _draw_contact(luck: random.Random, source: Source, centre_ns: int) -> Contact:
    reaction_ns = centre_ns + int(luck.gauss(0, luck.choice((1, 8, 35))) * MS)
    closings = {
        "calls": [reaction_ns],
        "twice": [reaction_ns, reaction_ns + luck.randrange(60, 200) * MS],
        "early": [OPEN_NS - luck.randrange(50_000) * 10 * US, reaction_ns],
        "at once": [OPEN_NS + luck.randrange(-12_000, 12_000) * US],
        "sleeps": [],
    }[luck.choices(("calls", "twice", "early", "at once", "sleeps"), (60, 8, 14, 10, 8))[0]]
    changes: list[int] = []
    for closes_ns in closings:
        if changes and closes_ns - changes[-1] < 5 * MS:
            break
        changes += _bouncing(luck, closes_ns)
        changes += _bouncing(luck, changes[-1] + luck.choice((20, 45, 80, 300, 700)) * MS + luck.randrange(MS))
    changes = _with_spikes(luck, changes, reaction_ns)
    noise = [luck.randrange(OPEN_NS - 60 * MS, centre_ns + 60 * MS) for _ in range(luck.choice((0, 0, 0, 1, 2)))]
    return Contact(source, tuple(changes), tuple(sorted(noise)))


def _with_spikes(luck: random.Random, changes: list[int], reaction_ns: int) -> list[int]:
    """Add short closures while the contact is open."""
    spiked = list(changes)
    for _ in range(luck.choice((0, 0, 0, 1, 1, 2, 12))):
        near_us = luck.choice((5_000, 40_000, 200_000))
        begins_ns = reaction_ns + luck.randrange(-near_us, near_us) * US
        ends_ns = begins_ns + luck.randrange(1, luck.choice((30, 500))) * US
        place = bisect_right(spiked, begins_ns)
        if place % 2 == 0 and bisect_right(spiked, ends_ns) == place:
            spiked[place:place] = begins_ns, ends_ns
    return spiked


def _bouncing(luck: random.Random, first_ns: int) -> list[int]:
    """Return an odd number of changes, some too close to be read right."""
    lasts_us = luck.choice((900, 4_000, 8_000))
    bounces = luck.sample(range(1, lasts_us), 2 * luck.choice((0, 0, 1, 2, 3)))
    return [first_ns, *(first_ns + after_us * US for after_us in sorted(bounces))]


def edges(contact: Contact, luck: random.Random, lost: float = 0.0) -> list[Heard]:
    """Return the reported edges, without the share `lost`."""
    heard = []
    for t_ns in sorted({*contact.changes, *contact.noise}):
        read_ns = t_ns + luck.choice((0, 20, 200)) * US
        if luck.random() >= lost:
            heard.append(Heard(t_ns, contact.closed(read_ns), contact.source.u_ns))
    return heard


def reading(contact: Contact, t_ns: int) -> Heard:
    return Heard(t_ns, contact.closed(t_ns), 0, True)

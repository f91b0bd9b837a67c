"""Reads Buntherum's box.toml and checks that it describes a box that can be played."""

import logging
import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from companion.core.boxfile import BoxFile
from companion.core.errors import nearest
from companion.core.text import msg
from companion.games.buntherum.rules import SEATS, SIDES, Box, Card, mark

DECK_SIZE: Final = 58
"""The cards of the printed game; another number is played with a warning."""

_MOST: Final = 99
"""So often may one card be listed."""

ALL_PAIRS: Final = "all_pairs_except_hexagon"

_KEYS: Final = ("objects", "colours", "chips_out", "hands", "sides", "deck")
_WORD: Final = re.compile(r"[a-z][a-z_-]*")

log = logging.getLogger(__name__)


def read_box(text: str, where: str) -> Box:
    """Return the box that a TOML text describes. Raise BoxError naming `where`, the key and what is allowed."""
    return _Reader(text, where).box()


class _Reader(BoxFile):
    def box(self) -> Box:
        found = self.keys("box", self.found, _KEYS)
        objects = self.legend("objects", found["objects"])
        colours = self.legend("colours", found["colours"])
        if set(objects) & set(colours):
            self.wrong("objects", msg("an object may not have the name of a colour"))
        sides = self.table("sides", found["sides"], map(str, range(1, SIDES + 1)))
        printed = tuple(
            self.card(f"sides.{side}", sides[str(side)], objects, colours) for side in range(1, SIDES + 1)
        )
        hands = self.table("hands", found["hands"], map(str, SEATS))
        box = Box(
            objects=objects,
            colours=colours,
            printed=printed,
            deck=self.deck(found["deck"], objects, colours, printed),
            hands=tuple(self.number(f"hands.{n}", hands[str(n)]) for n in SEATS),
            chips_out=self.number("chips_out", found["chips_out"]),
        )
        self.settle()
        self.playable(box)
        self.settle()
        return box

    def legend(self, key: str, found: object) -> tuple[str, ...]:
        """Return the words of a legend; () where they are none, and then no card is looked up in it."""
        if self.is_missing(found):
            return ()
        if not isinstance(found, list) or not all(isinstance(x, str) and _WORD.fullmatch(x) for x in found):
            self.wrong(key, msg("{found!r} is no list of single words in small letters", found=found))
            return ()
        if len(set(found)) != len(found) or not SIDES <= len(found) <= 8:
            self.wrong(key, msg("{n} words; allowed: 6 to 8 different ones", n=len(found)))
        return tuple(found)

    def card(self, key: str, found: object, objects: tuple[str, ...], colours: tuple[str, ...]) -> Card:
        parts = self.table(key, found, ("object", "colour"))
        colour = self.in_legend(f"{key}.colour", parts["colour"], colours)
        return colour * len(objects) + self.in_legend(f"{key}.object", parts["object"], objects)

    def in_legend(self, key: str, found: object, legend: tuple[str, ...]) -> int:
        if isinstance(found, str) and found in legend:
            return legend.index(found)
        if legend and not self.is_missing(found):
            near = nearest(str(found), legend)
            self.wrong(key, msg("{found!r} is not in the legend; {near}", found=found, near=near))
        return 0

    def deck(
        self, found: object, objects: tuple[str, ...], colours: tuple[str, ...], printed: tuple[Card, ...]
    ) -> tuple[Card, ...]:
        if isinstance(found, dict) and "cards" in found:
            self.keys("deck", found, ("cards",))
            return tuple(sorted(self.listed(found["cards"], objects, colours)))
        rule = self.table("deck", found, ("rule",))["rule"]
        if rule != ALL_PAIRS and not self.is_missing(rule):
            self.wrong("deck.rule", msg("{rule!r}; allowed: {known!r}", rule=rule, known=ALL_PAIRS))
        return tuple(card for card in range(len(objects) * len(colours)) if card not in printed)

    def listed(self, found: object, objects: tuple[str, ...], colours: tuple[str, ...]) -> Iterable[Card]:
        if not isinstance(found, list):
            self.wrong("deck.cards", msg("{found!r} is no list of cards", found=found))
            return
        for place, entry in enumerate(found, 1):
            key = f"deck.cards[{place}]"
            parts = dict(entry) if isinstance(entry, dict) else entry
            count = self.number(f"{key}.count", parts.pop("count", 1), 1, _MOST) if isinstance(parts, dict) else 1
            yield from [self.card(key, parts, objects, colours)] * count

    def playable(self, box: Box) -> None:
        """Note why nobody can play with a box, each of whose parts is as it should be."""
        needed = min(SIDES + each * seats + 1 for seats, each in zip(SEATS, box.hands, strict=True))
        if len(box.deck) < needed:
            self.wrong(
                "deck", msg("{n} cards; nobody can play with less than {needed}", n=len(box.deck), needed=needed)
            )
        for side, printed in enumerate(box.printed, 1):
            fitting = sum(not mark(box, card) & mark(box, printed) for card in box.deck)
            if fitting < SIDES and box.deck:
                self.wrong(
                    f"sides.{side}",
                    msg("only {n} cards fit beside it; a starter needs {sides}", n=fitting, sides=SIDES),
                )
        if max(Counter(box.printed).values()) > 1:
            self.wrong("sides", msg("two sides show the same object in the same colour"))
        if len(box.deck) != DECK_SIZE:
            log.warning("%s: the deck has %d cards, the printed game %d", self.where, len(box.deck), DECK_SIZE)

"""Creates a match with its tags and the dealer's seed."""

import secrets
from collections.abc import Iterable, Sequence
from typing import Final

from companion.core.boxfile import NamedBox
from companion.core.game import Game
from companion.core.match import SEED_TAG, Match
from companion.core.place import Place
from companion.core.rules import Rulings
from companion.core.tags import (
    BOX_NAME_TAG,
    DEAL_TAG,
    DEMO,
    DRAWN,
    EVENT_TAG,
    GIVEN,
    LESSON,
    ORIGIN_TAG,
    PERSON,
    PLACES_TAG,
    ROBOTS_TAG,
)
from companion.match import seating

NAMES: Final = seating.NAMES[: seating.PLACES]


def new_match(
    game: Game,
    names: Iterable[str],
    *,
    rulings: Rulings | None = None,
    box: NamedBox | None = None,
    deal: str = "pi",
    seed: str | None = None,
    demo: bool = False,
    lesson: bool = False,
    places: Iterable[Place] = (),
    robots: Sequence[str] = (),
) -> Match:
    """Return a match before its first move.

    `places` are the places of the seats, `robots` the kind of each seat's robot or "" for a person. The default
    `box` is the built-in one. The default `seed` has 128 random bits; a given one is tagged as not secret. A lesson
    does not have one.
    """
    event = LESSON if lesson else DEMO if demo else None
    tags = {**({EVENT_TAG: event} if event else {}), DEAL_TAG: deal}
    if deal == "pi" and not lesson:
        tags[SEED_TAG] = secrets.token_hex(16) if seed is None else seed
        tags[ORIGIN_TAG] = DRAWN if seed is None else GIVEN
    where = " ".join(str(place + 1) for place in places)
    if where:
        tags[PLACES_TAG] = where
    if any(robots):
        tags[ROBOTS_TAG] = " ".join(kind or PERSON for kind in robots)
    if box and box.name:
        tags[BOX_NAME_TAG] = box.name
    return Match(game, names, rulings=rulings, box_text=box.text if box else None, tags=tags)

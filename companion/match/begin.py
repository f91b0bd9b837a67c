"""A new match: its tags, and the seed of its dealer."""

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
"""A name for each seat where nobody has said theirs."""


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
    """Return a match before its first move; a `demo` or a `lesson` is marked as one; `places` say who sits where.

    `robots` has the kind of each seat's robot, "" for a person; () where nobody knows who plays.
    Without a `box` it is the one that comes with the game. Without `seed` the dealer's seed is 128 random bits;
    one that was given is marked as not secret. A lesson has none: what is dealt in it is known.
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

"""The tags of a record."""

from typing import Final

from companion.core.boxfile import NamedBox
from companion.core.dealer import DEALS, Dealer
from companion.core.errors import RecordError
from companion.core.match import SEED_TAG, Match
from companion.core.move import HIDDEN, Seat, by_seat
from companion.core.place import Place, each_place
from companion.core.text import msg

DEAL_TAG: Final = "Deal"
ORIGIN_TAG: Final = "SeedOrigin"
DRAWN: Final = "drawn"
GIVEN: Final = "given"
EVENT_TAG: Final = "Event"
PLACES_TAG: Final = "Places"
ROBOTS_TAG: Final = "Robots"
BOX_NAME_TAG: Final = "BoxName"
DEMO: Final = "demo"
LESSON: Final = "lesson"

PERSON: Final = "person"


def is_demo(match: Match) -> bool:
    return match.tags.get(EVENT_TAG) == DEMO


def is_lesson(match: Match) -> bool:
    return match.tags.get(EVENT_TAG) == LESSON


def is_drawn(match: Match) -> bool:
    """Return True if the seed was drawn for this match only."""
    return match.tags.get(ORIGIN_TAG) == DRAWN and match.tags.get(SEED_TAG, HIDDEN) != HIDDEN


def box_of(match: Match) -> NamedBox:
    return NamedBox(match.tags.get(BOX_NAME_TAG, ""), match.box_text)


def places_of(match: Match, places: int) -> tuple[Place, ...]:
    """Return the place of each seat; by default the first ones.

    Raise RecordError for places that do not fit the table: somebody could read another player's secrets.
    """
    seats = len(match.names)
    said = match.tags.get(PLACES_TAG)
    if said is None:
        return each_place(seats)
    found = tuple(Place(int(word) - 1) for word in said.split() if len(word) == 1 and word.isdecimal())
    if len(found) != seats or sorted(set(found) & set(range(places))) != list(found):
        raise RecordError(
            msg(
                "[{tag} {said!r}]; allowed: the places of {seats} seats, clockwise, each 1 to {places}",
                tag=PLACES_TAG,
                said=said,
                seats=seats,
                places=places,
            )
        )
    return found


def robots_of(match: Match) -> tuple[str, ...] | None:
    """Return the robot of each seat, "" for a person; None if the record does not say.

    Raise RecordError for an unknown robot, or if robots cannot play this match.
    """
    said = match.tags.get(ROBOTS_TAG)
    if said is None:
        return None
    kinds, known = said.split(), {PERSON, *match.game.bots}
    if len(kinds) != len(match.names) or not known.issuperset(kinds):
        raise RecordError(
            msg(
                "[{tag} {said!r}]; allowed: for each of {seats} seats one of {kinds}",
                tag=ROBOTS_TAG,
                said=said,
                seats=len(match.names),
                kinds=", ".join(sorted(known)),
            )
        )
    robots = tuple("" if kind == PERSON else kind for kind in kinds)
    why = match.game.no_robots(match.rulings, match.tags.get(DEAL_TAG, DEALS[0])) if any(robots) else None
    if why:
        raise RecordError(msg("[{tag} {said!r}]: {why}", tag=ROBOTS_TAG, said=said, why=why))
    return robots


def robot_seats(match: Match) -> frozenset[Seat]:
    return frozenset(seat for seat, kind in by_seat(robot_kinds(match)) if kind)


def robot_kinds(match: Match) -> tuple[str, ...]:
    """Return the robot of each seat, "" for a person or if unknown. The game may no longer have it."""
    kinds = match.tags.get(ROBOTS_TAG, "").split()
    if len(kinds) != len(match.names):
        return ("",) * len(match.names)
    return tuple("" if kind == PERSON else kind for kind in kinds)


def dealer_of(match: Match) -> Dealer | None:
    seed = match.tags.get(SEED_TAG)
    return None if seed is None else Dealer(seed)

"""What the tags of a record tell of a match besides its moves: who dealt, who sat where, what it was played for."""

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
"""What stands for a person where the kinds of robots are named seat by seat."""


def is_demo(match: Match) -> bool:
    """Tell whether a match is one that robots play for show."""
    return match.tags.get(EVENT_TAG) == DEMO


def is_lesson(match: Match) -> bool:
    """Tell whether a match is the beginning of one, played to learn the game."""
    return match.tags.get(EVENT_TAG) == LESSON


def is_drawn(match: Match) -> bool:
    """Tell whether the dealer's seed was drawn for this match, so that no other has it."""
    return match.tags.get(ORIGIN_TAG) == DRAWN and match.tags.get(SEED_TAG, HIDDEN) != HIDDEN


def box_of(match: Match) -> NamedBox:
    """Return the box of a match, by the name that its owner gave it."""
    return NamedBox(match.tags.get(BOX_NAME_TAG, ""), match.box_text)


def places_of(match: Match, places: int) -> tuple[Place, ...]:
    """Return the place of each seat, of so many places; the first ones where the record does not say.

    Raise RecordError: at another place somebody would read what is another's secret.
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
    """Return the kind of each seat's robot, "" for a person's; None where the record does not say.

    Raise RecordError for a kind that the game does not have, or where no robot can play.
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
    """Return the seats that robots had, as far as the record says it."""
    return frozenset(seat for seat, kind in by_seat(robot_kinds(match)) if kind)


def robot_kinds(match: Match) -> tuple[str, ...]:
    """Return the kind of each seat's robot, "" for a person and where the record does not say it of every seat.

    It may be a kind that the game no longer has.
    """
    kinds = match.tags.get(ROBOTS_TAG, "").split()
    if len(kinds) != len(match.names):
        return ("",) * len(match.names)
    return tuple("" if kind == PERSON else kind for kind in kinds)


def dealer_of(match: Match) -> Dealer | None:
    """Return the dealer of a match; None when the table deals."""
    seed = match.tags.get(SEED_TAG)
    return None if seed is None else Dealer(seed)

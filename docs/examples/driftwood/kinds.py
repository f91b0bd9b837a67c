"""The events of Driftwood, with their facts, sentences and tones."""

from collections.abc import Sequence

from companion.core.event import BAD, GOOD, EventFacts
from companion.core.move import Seat
from companion.core.rules import Ranking
from companion.core.text import Text, msg


def points_text(n: int) -> Text:
    return msg("{n} point", "{n} points", n=n)


class Wash(EventFacts):
    """The sea brings a find."""

    find: str
    worth: int
    rocks: bool

    SAYS = msg("The sea brings a {find}, worth {worth}")


class Tie(EventFacts):
    """These seats called at the same time."""

    seats: tuple[Seat, ...]

    SAYS = msg("A tie: the gulls take it")


class Ebb(EventFacts):
    """Nobody called."""

    SAYS = msg("Nobody calls; the sea takes it back")


class Throw(EventFacts):
    """The seat has locked a throw."""

    SAYS = msg("{who} has locked a throw")


class Retract(EventFacts):
    """The seat takes its throw back."""

    SAYS = msg("{who} takes the throw back")


class Reveal(EventFacts):
    """All throws are revealed."""

    throws: tuple[int, ...]

    def says(self, names: Sequence[str]) -> Text:
        # Short enough for a strip; the picture has them all.
        return msg("Most stones thrown: {most}", most=max(self.throws))


class Sunk(EventFacts):
    """No seat alone threw the most stones: the find is lost."""

    SAYS = msg("It falls into the sea")


class Found(EventFacts):
    """The seat gets a find. `points` is the new total."""

    find: str
    points: int

    TONE = GOOD

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who} has the {find} and {points}", points=points_text(self.points))


class Pinched(EventFacts):
    """The seat called a find that costs points. `points` is the new total."""

    find: str
    points: int

    TONE = BAD

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who} called a {find} and has {points}", points=points_text(self.points))


class Over(EventFacts):
    """The bag is empty."""

    ranking: Ranking

    SAYS = msg("The bag is empty")

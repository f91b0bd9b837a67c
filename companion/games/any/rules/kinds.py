"""The events of any other game, in the order of docs/headless.md."""

from collections.abc import Sequence

from companion.core.event import BAD, CARD, GOOD, EventFacts
from companion.core.move import Seat
from companion.core.rules import Ranking
from companion.core.text import Text, msg


def points_text(n: int) -> Text:
    return msg("{n} point", "{n} points", n=n)


class _Total(EventFacts):
    """`points` is the new total of the seat."""

    points: int

    def says(self, names: Sequence[str]) -> Text | None:
        return self.SAYS and self.SAYS._replace(values=(("points", points_text(self.points)),))


class NextRound(EventFacts):
    """Round `number` begins."""

    number: int
    play: str
    SAYS = msg("Round {number}")


class Open(EventFacts):
    """The buzzers of these seats count."""

    seats: tuple[Seat, ...]
    SAYS = msg("Go!")


class Early(EventFacts):
    SAYS = msg("{who} pressed too early and waits")
    TONE = BAD


class Call(EventFacts):
    SAYS = msg("{who} has the word")


class Tie(EventFacts):
    seats: tuple[Seat, ...]
    SAYS = msg("A tie: {who}")


class Right(_Total):
    SAYS = msg("Right: {who} has {points}")
    TONE = GOOD


class Wrong(_Total):
    SAYS = msg("Wrong: {who} has {points}")
    TONE = BAD


class Late(_Total):
    SAYS = msg("{who} did not answer in time")
    TONE = BAD


class Nobody(EventFacts):
    SAYS = msg("Nobody has the points")


class Answer(EventFacts):
    answer: str
    SAYS = msg("The answer: {answer}")


class Lock(EventFacts):
    SAYS = msg("{who} has locked a number")


class Retract(EventFacts):
    SAYS = msg("{who} takes the number back")


class Reveal(EventFacts):
    """All numbers, in order of value, and their seats."""

    seats: tuple[Seat, ...]
    numbers: tuple[int, ...]
    SAYS = msg("All numbers are in")


class Number(EventFacts):
    number: int
    SAYS = msg("The right number: {number}")


class Won(_Total):
    SAYS = msg("{who} wins the round and has {points}")
    TONE = GOOD


class Paid(EventFacts):
    paid: int
    SAYS = msg("{who} pays {paid}")


class Running(EventFacts):
    SAYS = msg("{who}, your clock runs")


class Pass(EventFacts):
    """The seat has used `used_ms` and has `rest_ms` left."""

    used_ms: int
    rest_ms: int


class Flag(EventFacts):
    SAYS = msg("{who}: the flag has fallen")
    TONE = BAD


class Throw(EventFacts):
    shows: int
    SAYS = msg("The die shows {shows}")
    SOUND = CARD


class Drawn(EventFacts):
    name: str
    SAYS = msg("Drawn: {name}")
    SOUND = CARD


class Begins(EventFacts):
    SAYS = msg("{who} begins")
    SOUND = CARD


class Team(EventFacts):
    team: int
    SAYS = msg("{who} is in team {team}")
    SOUND = CARD


class Add(_Total):
    amount: int
    SAYS = msg("{who}: {amount} more, {points}")
    TONE = GOOD


class Take(_Total):
    amount: int
    SAYS = msg("{who}: {amount} less, {points}")
    TONE = BAD


class Over(EventFacts):
    """`reason` is `target` or `rounds`."""

    ranking: Ranking
    reason: str
    SAYS = msg("The match is over; the most points: {who}")

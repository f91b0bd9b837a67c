"""The lesson of any other game: three races to the buzzer. Pages tell the rest."""

from typing import Final

from companion.core.guide import Lesson, LessonStep, Page, Row
from companion.core.move import Seat
from companion.core.text import msg, seat_name

_BEGIN: Final = (
    Page(
        msg("A table for any game"),
        (
            Row("buzzer", msg("It knows who was first, keeps secret numbers, runs clocks and counts points.")),
            Row("star", msg("Here each race gives a point to the first buzzer.")),
        ),
        "quiz",
    ),
    Page(
        msg("Wait for green"),
        (
            Row("cross", msg("A press before the field is green puts you out of the round.")),
            Row("buzzer", msg("Then be quick!")),
        ),
        "buzzer",
    ),
)

_FIRST: Final = Page(
    msg("Who was first?"),
    (
        Row("clock", msg("{seat} pressed only thousandths of a second later.", seat=seat_name(1))),
        Row("bubble", msg("In a quiz you would have the word now, and the house says right or wrong.")),
        Row("person", msg("The next race is for {seat}: watch.", seat=seat_name(1))),
    ),
)

_TIE: Final = Page(
    msg("A tie"),
    (
        Row("equal", msg("{seat} and you will press at the same moment.", seat=seat_name(2))),
        Row("buzzer", msg("Then only you two press again.")),
    ),
)

_LAST: Final = Page(
    msg("That is it!"),
    (
        Row("padlock_closed", msg("Sealed: all key a number, and one picture shows all.")),
        Row("clock", msg("Clock: the buzzer ends your turn.")),
        Row("bulb", msg("A quiz night is a list of such rounds in a file.")),
    ),
    "quiz",
)

_PRESS: Final = msg("Press your buzzer")

LESSON: Final = Lesson(
    seats=3,
    rulings={"play": "first", "rounds": 3, "opens": "at_once", "asks": "nobody"},
    steps=(
        LessonStep("T tick 0", pages=_BEGIN),
        # AN-R8: another player is a little later.
        LessonStep("T call 1", _PRESS, rivals=((Seat(1), 12),)),
        LessonStep("T tick 0", pages=(_FIRST,)),
        LessonStep("T call 2"),
        LessonStep("T tick 0", pages=(_TIE,)),
        # AN-R10: a tie and its tie-break.
        LessonStep("T tie 1 3", _PRESS),
        LessonStep("T call 1", msg("Press again: it is between you two")),
    ),
    last=(_LAST,),
)

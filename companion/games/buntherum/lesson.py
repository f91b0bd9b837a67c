"""Buntherum's lesson: six cards that show every possible result."""

from typing import Final

from companion.core.guide import Lesson, LessonStep, Page, Row
from companion.core.move import Seat
from companion.core.text import msg, seat_name

_BEGIN: Final = Page(
    msg("Get rid of your cards"),
    (
        Row("1-6", msg("Six rows of cards lie round the hexagon.")),
        Row("buzzer", msg("Be the first to see where a card goes, and you get rid of one.")),
    ),
    "icecream",
)

_FITS: Final = (
    Page(
        msg("Where does a card go?"),
        (
            Row("", msg("Into a row that has neither its colour nor its object.")),
            Row("", msg("The picture on the hexagon counts, too.")),
        ),
        "car",
    ),
    Page(
        msg("Your first card"),
        (
            Row("car:pink", msg("The card is a pink car. Which row has neither pink nor a car?")),
            Row("buzzer", msg("Press as soon as you know.")),
        ),
    ),
)

_RIGHT: Final = Page(
    msg("Right!"),
    (
        Row("cards", msg("The next card is from your own pile: you have one card fewer.")),
        Row("buzzer", msg("{seat} is quick now. Press anyway.", seat=seat_name(1))),
    ),
)

_MEASURED: Final = Page(
    msg("Who was first?"),
    (
        Row(
            "clock",
            msg(
                "{seat} also pressed, only thousandths of a second later: your strip said how many.",
                seat=seat_name(1),
            ),
        ),
        Row("person", msg("The next card is for {seat}: watch.", seat=seat_name(2))),
    ),
)

_WRONG: Final = Page(
    msg("A wrong row"),
    (
        Row("chip", msg("A car lay there: {seat} gets a red chip. With three you are out.", seat=seat_name(2))),
        Row("buzzer", msg("The next card is for you again.")),
    ),
)

_TIE: Final = Page(
    msg("A tie"),
    (
        Row("equal", msg("{seat} and you pressed at the same moment.", seat=seat_name(1))),
        Row("buzzer", msg("Only you two play the next card. Look for no purple and no car.")),
    ),
)

_IMPOSSIBLE: Final = Page(
    msg("Nowhere at all?"),
    (
        Row("car:blue", msg("Some cards do not fit anywhere. Press your buzzer anyway.")),
        Row("0", msg("Then press 0, for impossible.")),
    ),
)

_LAST: Final = Page(
    msg("Now you know Buntherum"),
    (
        Row("cards", msg("Turn the last card of your own pile and you win.")),
        Row("clock", msg("In a match you have 2 seconds to name the row.")),
    ),
    "cup_trophy",
)

_PRESS: Final = msg("Press your buzzer")

LESSON: Final = Lesson(
    seats=3,
    rulings={},
    steps=(
        LessonStep("T youngest 2", pages=(_BEGIN,)),
        LessonStep("T starter 1 red car"),
        LessonStep("T starter 2 sky car"),
        LessonStep("T starter 3 yellow car"),
        LessonStep("T starter 4 pink cube"),
        LessonStep("T starter 5 pink ball"),
        LessonStep("T starter 6 sky telephone"),
        # BH-R2, BH-R9: only one row takes it.
        LessonStep("T flip pink car", pages=_FITS),
        LessonStep("T call 1", _PRESS),
        LessonStep("1 declare 6", msg("Press 6: no pink and no car there")),
        # BH-R8: another player is a little later.
        LessonStep("T flip orange car", pages=(_RIGHT,)),
        LessonStep("T call 1", _PRESS, rivals=((Seat(1), 12),)),
        LessonStep("1 declare 4", msg("Press 4: you were first")),
        # BH-R10: a wrong row.
        LessonStep("T flip green car", pages=(_MEASURED,)),
        LessonStep("T call 3"),
        LessonStep("3 declare 3"),
        # BH-R15: a tie and its tie-break.
        LessonStep("T flip red telephone", pages=(_WRONG,)),
        LessonStep("T tie 1 2", _PRESS),
        LessonStep("T flip purple car", pages=(_TIE,)),
        LessonStep("T call 1", _PRESS),
        LessonStep("1 declare 5", msg("Press 5: no purple and no car there")),
        # BH-R12: every row has a car.
        LessonStep("T flip blue car", pages=(_IMPOSSIBLE,)),
        LessonStep("T call 1", _PRESS),
        LessonStep("1 declare impossible", msg("Press 0: a car lies in every row")),
    ),
    last=(_LAST,),
)

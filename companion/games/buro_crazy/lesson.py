"""Büro Crazy's lesson: the stairs and the ground floor, with every kind of result."""

from typing import Final

from companion.core.guide import Lesson, LessonStep, Page, Row
from companion.core.text import msg, seat_name

_BEGIN: Final = (
    Page(
        msg("Up to the boss"),
        (
            Row("", msg("The figures stand on the stairs in pairs. One of each pair climbs.")),
            Row("", msg("Which one? You fight it out in secret, with influence cards: 1, 2, 5, 10, 20.")),
        ),
        "boss_chair",
    ),
    Page(
        msg("A secret bid"),
        (
            Row("1-5", msg("Each press adds a card: 1 is a 1, 2 a 2, 3 a 5, 4 a 10, and 5 a 20.")),
            Row("*", msg("Deletes the last card.")),
            Row("#", msg("Locks your bid. Nobody sees it until both are locked.")),
        ),
        "padlock_closed",
    ),
)

_LOSE: Final = Page(
    msg("Winning costs"),
    (
        Row("roof", msg("You climb, but all 23 points of your bid go to the roof.")),
        Row(
            "coffee",
            msg("{seat} keeps the lower bid, and the kitchen pays the difference: 19.", seat=seat_name(1)),
        ),
        Row("influence", msg("So losing can pay. Try it: bid only a 1.")),
    ),
    "coffee",
)

_TIE: Final = Page(
    msg("Paid by the kitchen"),
    (
        Row("coffee", msg("15 against your 1: the kitchen gave you 14, and you kept your 1.")),
        Row("influence", msg("Now bid a 10 against {seat}.", seat=seat_name(1))),
    ),
    "influence",
)

_AGAIN: Final = Page(
    msg("A tie"),
    (
        Row("equal", msg("Both bid 10: both lose half of it, and both bid again.")),
        Row("influence", msg("A little more this time: 10 and 2.")),
    ),
    "equal",
)

_WATCH: Final = Page(
    msg("Not your duel"),
    (Row("person", msg("The next pair belongs to the others. Watch: both bids appear at once.")),),
    "figure",
)

_CHEAP: Final = Page(
    msg("Will they bid at all?"),
    (Row("padlock_closed", msg("Nobody has to bid anything. A single card may be enough: try a 2.")),),
    "influence",
)

_STAIRS: Final = Page(
    msg("The rest of the stairs"),
    (
        Row("figure", msg("One more pair of the others, then a figure that stands alone.")),
        Row("stairs", msg("It climbs without a duel, and its owner pays 10 points.")),
    ),
    "stairs",
)

_FLOOR: Final = Page(
    msg("On the ground floor"),
    (
        Row("coffee", msg("The kitchen starts again with 60 points. Now play goes from right to left.")),
        Row("figure", msg("Two of your figures in one office: one of them climbs for free.")),
        Row("#", msg("In the next office bid nothing at all: just lock.")),
    ),
    "desk",
)

_SOLD: Final = Page(
    msg("Sold for 20"),
    (Row("coffee", msg("You have bid nothing, and the kitchen paid you 20. Now win once more.")),),
    "coffee",
)

_LAST: Final = Page(
    msg("That is it!"),
    (
        Row("boss_chair", msg("It goes on like that up to the boss, with less in the kitchen on each floor.")),
        Row("roof", msg("Then the cards on the roof are shared out: the largest share to the boss.")),
        Row("crown", msg("The most influence in hand wins, with a figure off the stairs.")),
    ),
    "crown",
)

LESSON: Final = Lesson(
    seats=3,
    rulings={},
    steps=(
        LessonStep("T place 1 2 1 3 2 1 2 3 1 3 1 2 2 3 3", pages=_BEGIN),
        # BC-R9 to BC-R11: won, and lost.
        LessonStep("1 commit 20 2 1", msg("Press 5 2 1 # to bid 20 and 2 and 1")),
        LessonStep("2 commit 2 2"),
        LessonStep("1 commit 1", msg("Press 1 # to bid a 1"), (_LOSE,)),
        LessonStep("3 commit 10 5"),
        # BC-R13: a tie.
        LessonStep("1 commit 10", msg("Press 4 # to bid a 10"), (_TIE,)),
        LessonStep("2 commit 10"),
        LessonStep("1 commit 10 2", msg("Press 4 2 # to bid 10 and 2"), (_AGAIN,)),
        LessonStep("2 commit 5"),
        LessonStep("2 commit 5", pages=(_WATCH,)),
        LessonStep("3 commit 2"),
        LessonStep("1 commit 10 5", msg("Press 4 3 # to bid 10 and 5")),
        LessonStep("3 commit 5 1"),
        LessonStep("1 commit 2", msg("Press 2 # to bid a 2"), (_CHEAP,)),
        LessonStep("2 commit none"),
        # BC-R15: the single figure.
        LessonStep("2 commit 2", pages=(_STAIRS,)),
        LessonStep("3 commit 1"),
        # BC-R17, BC-R20.
        LessonStep("2 commit 1", pages=(_FLOOR,)),
        LessonStep("3 commit 5"),
        LessonStep("1 commit none", msg("Press just #: you bid nothing")),
        LessonStep("2 commit 20"),
        LessonStep("1 commit 20 5", msg("Press 5 3 # to bid 20 and 5"), (_SOLD,)),
        LessonStep("3 commit 10"),
    ),
    last=(_LAST,),
)

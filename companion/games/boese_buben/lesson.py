"""Böse Buben's lesson: a race, its pay, buying back, and the next race."""

from typing import Final

from companion.core.guide import Lesson, LessonStep, Page, Row
from companion.core.text import msg, seat_name

_BEGIN: Final = (
    Page(
        msg("A race of goblins"),
        (
            Row(
                "",
                msg("You and {seat} race in three lanes, from left to right.", seat=seat_name(1)),
            ),
            Row("", msg("Each card is a goblin with a number. Strong goblins earn ducats.")),
        ),
        "goblin_on_pig",
    ),
    Page(
        msg("Playing a card"),
        (
            Row("0-6", msg("First its number,")),
            Row("1-3", msg("then the lane, counted from the top.")),
            Row("*", msg("Wrong number? This key deletes it.")),
        ),
        "cards",
    ),
)

_PAYS: Final = Page(
    msg("How a lane pays"),
    (
        Row("ducat", msg("After the race, each lane pays 3 ducats to the highest sum in it.")),
        Row("cross", msg("A 0 alone wins nothing. Neither do three cards of one colour.")),
    ),
    "ducat",
)

_MUD: Final = Page(
    msg("Into the mud"),
    (
        Row("mud", msg("Lane 1 holds three goblins. A fourth pushes out the oldest: your 0.")),
        Row("cross", msg("Never the same number twice in a lane: here 0, 1 and 3 are taken.")),
    ),
    "mud",
)

_FLAG: Final = Page(
    msg("The end of a race"),
    (
        Row("mud", msg("Three goblins are in the mud of lane 1. A fourth ends the race.")),
        Row("hat", msg("The player who ends it gets an MC card, which costs ducats at the end of the match!")),
        Row("flag", msg("End it anyway: you are ahead.")),
    ),
    "flag",
)

_PURSE: Final = Page(
    msg("Your secret purse"),
    (
        Row("ducat", msg("Lanes 1 and 2 paid you. Only your own screen shows your total.")),
        Row("mud", msg("Buy your cards back, the oldest first: one ducat per goblin on the card.")),
        Row("1 0", msg("1: yes. 0: no. Your 0 is free.")),
    ),
    "bag",
)

_NEXT: Final = Page(
    msg("The next race"),
    (
        Row("cards", msg("The lanes stay as they are. Only the mud is emptied.")),
        Row("goblin", msg("Cards that nobody bought are gone, and nobody gets new ones.")),
    ),
    "goblin_on_pig",
)

_LAST: Final = Page(
    msg("That is it!"),
    (
        Row("flag", msg("A match has four races. A player who cannot play a card skips the turn.")),
        Row("hat", msg("Then you pay for MC cards: 1 ducat for one, 3 for two, 5 for three, 8 for four.")),
        Row("crown", msg("The most ducats win.")),
    ),
    "crown",
)

LESSON: Final = Lesson(
    seats=2,
    rulings={},
    steps=(
        LessonStep("T first 1", pages=_BEGIN),
        LessonStep("1 play 0 1", msg("Press 0, then 1: play your 0 in lane 1")),
        LessonStep("2 play 1 1"),
        LessonStep("1 play 5 2", msg("Press 5, then 2: a strong goblin in lane 2"), (_PAYS,)),
        LessonStep("2 play 3 1"),
        # BB-R8: the fourth card of a lane
        LessonStep("1 play 4 1", msg("Press 4, then 1: your 0 falls"), (_MUD,)),
        LessonStep("2 play 5 3"),
        LessonStep("1 play 6 1", msg("Press 6, then 1: your rival's goblin falls")),
        LessonStep("2 play 2 1"),
        # BB-R10, BB-R11: the fourth card in the mud
        LessonStep("1 play 3 1", msg("Press 3, then 1: this ends the race"), (_FLAG,)),
        # BB-R18: lane by lane, oldest first
        LessonStep("1 answer buy", msg("Press 1: your 0 costs nothing"), (_PURSE,)),
        LessonStep("2 answer buy"),
        LessonStep("2 answer leave"),
        LessonStep("1 answer buy", msg("Press 1: buy your 4 for 2 ducats")),
        # BB-R23, BB-A16
        LessonStep("2 play 4 3", pages=(_NEXT,)),
        LessonStep("1 play 4 2", msg("Press 4, then 2: strengthen lane 2")),
    ),
    last=(_LAST,),
)

"""Dé et Boulanger's lesson: one bread is fetched, baked and sold."""

from typing import Final

from companion.core.guide import Lesson, LessonStep, Page, Row
from companion.core.text import Text, msg, seat_name

_BEGIN: Final = Page(
    msg("A bakery of your own"),
    (
        Row("", msg("You fetch the ingredients for bread, bake it and sell it.")),
        Row("", msg("First you choose your shop. {seat} gets the one opposite.", seat=seat_name(1))),
    ),
    "bakery",
)

_TILES: Final = Page(
    msg("Your tiles"),
    (
        Row("marker", msg("A tile says how much you can sell. Each is used once.")),
        Row("incident", msg("The sixth one is an incident.")),
        Row("#", msg("keeps the order you see. A lets you choose your own.")),
    ),
    "marker",
)

_LOAD: Final = Page(
    msg("Bread"),
    (
        Row("flour", msg("3 flour, from a mill: 1 sou each.")),
        Row("water", msg("2 water, from the fountain: free.")),
        Row("sou", msg("So take sous with you. A baker carries at most six tokens, sous included.")),
    ),
    "bread",
)

_WALK: Final = Page(
    msg("Off you go"),
    (
        Row("# buzzer", msg("rolls the die.")),
        Row("mill farm", msg("A number on the board: you walk there, or as near as you can.")),
        Row("8 6 2 4", msg("One step, in the direction of that key on your keypad.")),
        Row("#", msg("ends your turn, even with steps left.")),
    ),
    "die_5",
)

_MILL: Final = Page(
    msg("At the mill"),
    (
        Row("mill", msg("You can buy while you stand here, then walk on.")),
        Row("A", msg("buys as much flour as you can pay for; C and a number: that much.")),
    ),
    "mill",
)

_FOUNTAIN: Final = Page(
    msg("In the fountain"),
    (
        Row("fountain", msg("The fountain is one large space. Water is free: A takes all you can carry.")),
        Row("0", msg("This key walks you home. A single step out takes two keys: the side, then the exit.")),
    ),
    "fountain",
)

_HOME: Final = Page(
    msg("Home"),
    (
        Row("door", msg("Coming home ends your move. Key 0 also puts all you carry into the laboratory.")),
        Row("sou", msg("A baker who was out and is home after the fifth roll gets 2 sous.")),
        Row("D", msg("So stay at home now, without rolling.")),
    ),
    "bakery",
)

_BAKE: Final = Page(
    msg("Into the oven"),
    (
        Row("B", msg("bakes what sells best: one bread. A croissant also needs butter.")),
        Row("1 2 #", msg("Another mix: 1 for each bread, 2 for each croissant. # bakes it.")),
        Row("#", msg("finishes your baking.")),
    ),
    "oven",
)

_SELL: Final = Page(
    msg("Selling"),
    (
        Row("die_3", msg("A die moves your marker. This time you roll a 3: three tiles on.")),
        Row("marker", msg("That tile buys two breads and four croissants: you sell your bread for 10 sous.")),
    ),
    "sou",
)

_LAST: Final = Page(
    msg("That is it!"),
    (
        Row("marker", msg("The tile is used up. After five rounds one of the six is left.")),
        Row("incident", msg("On an incident you sell nothing, and may lose more.")),
        Row("crown", msg("The player with the most sous at the end wins.")),
    ),
    "crown",
)

_ROLL: Final = msg("Press #: roll the die")
_END: Final = msg("Press #: end your turn")


def _walk(hint: Text, *squares: str) -> tuple[LessonStep, ...]:
    return tuple(LessonStep(f"1 step {square}", hint) for square in squares)


def _other(roll: int) -> tuple[LessonStep, ...]:
    return (LessonStep("2 ready"), LessonStep(f"T roll {roll}"), LessonStep("2 end"))


LESSON: Final = Lesson(
    seats=2,
    rulings={},
    steps=(
        LessonStep("1 bakery S", msg("Press 2: the shop in front of you"), (_BEGIN,)),
        LessonStep("1 tiles 1 2 3 4 5 6", msg("Press #: keep this order of tiles"), (_TILES,)),
        LessonStep("2 tiles 6 5 4 3 2 1"),
        LessonStep("T start 5"),
        LessonStep("T start 3"),
        # DB-R9, DB-R15: to the mill
        LessonStep("1 load 4", msg("Press C 4: take four sous with you"), (_LOAD,)),
        LessonStep("1 ready", _ROLL, (_WALK,)),
        LessonStep("T roll 5"),
        *_walk(msg("Press 3: walk to the mill"), "9,5", "8,5", "8,6", "8,7", "8,8"),
        LessonStep("1 flour 4", msg("Press A: buy four flour"), (_MILL,)),
        LessonStep("1 end", _END),
        *_other(3),
        # to the fountain
        LessonStep("1 ready", _ROLL),
        LessonStep("T roll 4"),
        *_walk(msg("Press 5: walk to the fountain"), "7,8", "6,8", "6,7", "fountain"),
        LessonStep("1 water 2", msg("Press A: take two water"), (_FOUNTAIN,)),
        LessonStep("1 end", _END),
        *_other(2),
        # DB-A6, DB-R16: home
        LessonStep("1 ready", _ROLL),
        LessonStep("T roll 4"),
        *_walk(msg("Press 0: walk home"), "7,5", "8,5", "9,5", "S"),
        LessonStep("1 unload 4 2 0 0", msg("Press B: put all into the laboratory")),
        LessonStep("1 end", _END),
        *_other(5),
        LessonStep("1 stay", msg("Press D: stay at home"), (_HOME,)),
        LessonStep("2 stay"),
        # DB-R19, DB-R22
        LessonStep("1 bake 1 0", msg("Press B: bake one bread"), (_BAKE,)),
        LessonStep("1 validate", msg("Press #: finish baking")),
        LessonStep("2 validate"),
        LessonStep("T sale 3", pages=(_SELL,)),
        LessonStep("T sale 1"),
    ),
    last=(_LAST,),
)

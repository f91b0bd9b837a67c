"""Frames of any other game: each kind of round, reached by real moves and, for races, by presses."""

from pathlib import Path
from typing import Final

from companion.core.console import BUZZ
from companion.core.match import Match
from companion.core.move import Seat
from companion.display.frame import Beat, Frame, Play
from companion.games import load
from companion.match.new_match import new_match
from tests.display.gallery import NAMES, Frames, Table

SEATS: Final = (2, 5)

SECOND_NS: Final = 1_000_000_000

CAPTIONS: Final = {
    "first_ready": "First!: a question that all may read. The buzzers are closed.",
    "first_open": "The field is green: the first buzzer counts.",
    "first_word": "The seat with this mark has the word.",
    "first_locked": "A wrong answer: the others go on.",
    "first_answer": "The next round, with the answer of the last one.",
    "race": "A race without a question, as for reactions.",
    "sealed": "Sealed: who has locked a number.",
    "sealed_words": "A choice, keyed by its number.",
    "sealed_drum": "All are locked.",
    "sealed_shown": "All numbers at once, in order; equal ones share a card, and those that win are lit.",
    "bids": "Bids of own points, with the numbers of the round before and the right one.",
    "clock_ready": "Clock: each clock is turned to its seat.",
    "clock": "The clock of the next seat runs.",
    "clock_flag": "A flag has fallen.",
    "dice": "Dice fall one after the other.",
    "other_dice": "Dice with twenty sides.",
    "names": "Names from a list.",
    "begins": "Who begins.",
    "teams": "Two teams.",
    "points": "Points, and how far each is from the target.",
    "over": "The end.",
}

FIRST: Final = """
kind = "first"
text = "Which planet has a day longer than its year?"
answer = "Venus"
show = true
points = 2
"""

TOWER: Final = 'kind = "sealed"\ntext = "When was the Eiffel Tower finished?"\nshow = true\nnumber = 1889'

WORDS: Final = (
    'kind = "sealed"\ntext = "Which is a lake?"\nshow = true\nwords = ["Garda", "Etna", "Po"]\nnumber = 1'
)

NAMED: Final = 'kind = "lots"\nnames = ["Anna Maria", "Ben", "Cleo", "Maximilienne"]\ndice = 3'


BIDS: Final = (1900, 1874, 1900, 9999, 3)


def new(seats: int, *rounds: str, **rulings: object) -> Match:
    """Return a match of these rounds, each the lines of its table; or by house rules alone."""
    game = load("any")
    text = "".join(f"[[rounds]]\n{lines}\n" for lines in rounds) or game.box_text
    tags = new_match(game, NAMES[:seats], deal="pi", seed="gallery").tags
    return Match(game, NAMES[:seats], rulings=game.rulings(**rulings), box_text=text, tags=tags)


def made(match: Match, *moves: str) -> Match:
    """Make moves, given in notation."""
    for move in moves:
        match.push(match.game.notation.parse_move(match.box, move))
    return match


def locked(match: Match, *numbers: int) -> Match:
    return made(match, *(f"{seat} lock {number}" for seat, number in enumerate(numbers, 1)))


def _positions(seats: int) -> dict[str, Match]:
    bids = BIDS[:seats]
    return {
        "first_ready": new(seats, FIRST),
        "first_answer": made(new(seats, FIRST, FIRST), "T open", "T call 2", "T right"),
        "sealed": locked(new(seats, TOWER), *bids[:-1]),
        "sealed_words": locked(new(seats, WORDS), 1),
        "bids": locked(new(seats, TOWER, 'kind = "sealed"\ntokens = true'), *bids),
        "clock_ready": new(seats, play="clock"),
        "clock": made(new(seats, play="clock"), "T open", "T pass 1 12000"),
        "clock_flag": made(
            new(seats, play="clock"), "T open", *(["T pass 1 7000", "T flag 2"] if seats > 2 else [])
        ),
        "dice": made(new(seats, play="lots", dice=5), "T open", "T draw 3", "T draw 6", "T draw 1"),
        "other_dice": made(new(seats, play="lots", dice=3, sides=20), "T open", "T draw 20", "T draw 9"),
        "names": made(new(seats, NAMED), "T open", "T draw 4", "T draw 1"),
        "begins": made(new(seats, play="lots", lots="begins"), "T open", "T draw 2"),
        "teams": made(new(seats, play="lots", lots="teams"), "T open", "T draw 2", *["T draw 1"] * (seats > 2)),
        "points": made(new(seats, play="points", target=50), "T add 1 30", "T add 2 9", "T take 2 14"),
    }


def frames(folder: Path, seats: int) -> Frames:
    found = {name: Table(folder / name, match).frame for name, match in _positions(seats).items()}
    race = Table(folder / "race", new(seats, play="first", opens="at_once"))
    found["race"] = race.wait(2 * SECOND_NS).frame
    table = Table(folder / "first", new(seats, FIRST, FIRST))
    found["first_open"] = table.press("ok").wait(SECOND_NS).frame
    found["first_word"] = table.press(BUZZ, place=1).wait(SECOND_NS).frame
    found["first_locked"] = table.press("wrong").wait(5 * SECOND_NS).frame
    secret = Table(folder / "secret", locked(new(seats, TOWER, WORDS), *BIDS[: seats - 1]))
    secret.press("3", "#", place=Seat(seats - 1)).wait(2 * SECOND_NS)
    found["sealed_drum"], found["sealed_shown"] = (_of(secret, beat) for beat in (Beat.DRUM, Beat.REVEALED))
    points = made(new(seats, play="points", rounds=1), "T add 1 30", "T add 2 9", "T take 2 14", "T skip")
    found["over"] = _of(Table(folder / "over", points), Beat.CALM)
    return found


def _of(table: Table, beat: Beat) -> Frame:
    shown = (frame for frame in reversed(table.frames) if isinstance(frame.screen, Play))
    return next(frame for frame in shown if frame.screen.beat == beat)

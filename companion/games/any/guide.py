"""The guide of any other game: a page for each kind of round that the match has."""

from companion.core.guide import Page, Row
from companion.core.text import msg
from companion.games.any.rules import Box, Kind, Round, Rulings
from companion.games.any.rules.rounds import programme


def pages(rulings: Rulings, box: Box) -> tuple[Page, ...]:
    rounds = programme(box, rulings)
    kinds = {this.kind for this in rounds}
    return (_about(rounds), *(page for kind, page in _KINDS.items() if kind in kinds), _HOUSE)


def _about(rounds: tuple[Round, ...]) -> Page:
    end = msg("After {n} round the most points win.", "After {n} rounds the most points win.", n=len(rounds))
    target = max(this.target for this in rounds)
    rows = [
        Row("", msg("A quiz, bids, a chess clock, dice, or only points: the table serves any game of yours.")),
        Row("star", end),
    ]
    if target:
        rows.append(Row("flag", msg("{n} points end the match at once.", n=target)))
    return Page(msg("What it is about"), tuple(rows), "quiz")


_KINDS = {
    Kind.FIRST: Page(
        msg("First!"),
        (
            Row("buzzer", msg("While the field is green, the first buzzer has the word.")),
            Row("cross", msg("Too early, and you are out of this round. So is a wrong answer.")),
            Row("equal", msg("Too close to tell apart: those players alone press again.")),
            Row("1 0", msg("If you ask: # opens the buzzers. Then 1 is right, 0 is wrong, and # confirms.")),
        ),
        "quiz",
    ),
    Kind.SEALED: Page(
        msg("Sealed"),
        (
            Row("0-9", msg("Key your number in secret. For words key the number of yours.")),
            Row("#", msg("Locks it. All numbers are shown at once when the last one is locked.")),
            Row("*", msg("Takes it back until then.")),
            Row("star", msg("The arrow at the top says if the highest or the lowest wins; ≈ means the closest.")),
        ),
        "padlock_closed",
    ),
    Kind.CLOCK: Page(
        msg("Clock"),
        (
            Row("#", msg("The player who begins starts the clock.")),
            Row("buzzer", msg("Ends your turn: the next clock runs.")),
            Row("flag", msg("At 0:00 your flag falls and you are out. The last player left wins.")),
        ),
        "clock",
    ),
    Kind.LOTS: Page(
        msg("Dice and lots"),
        (
            Row("#", msg("Anybody throws the dice or draws.")),
            Row("die_5", msg("Each number and each name is equally likely. The record proves it.")),
        ),
        "die_5",
    ),
    Kind.POINTS: Page(
        msg("Points"),
        (Row("star", msg("You play your game, and the house keys the points.")),),
        "star",
    ),
}

_HOUSE = Page(
    msg("The house"),
    (
        Row("bulb", msg("Somebody may be the house: they read the questions on their phone.")),
        Row("", msg("ok begins a round, skip ends it. After an answer: right or wrong.")),
        Row("1-5 0-9", msg("Points in any round: a seat, then an amount,")),
        Row("A B", msg("then A adds or B subtracts.")),
    ),
    "quiz",
)

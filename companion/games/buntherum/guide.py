"""Buntherum's guide: what it is about, a card, the keys, by the rulings in force."""

from companion.core.guide import Page, Row
from companion.core.text import msg
from companion.games.buntherum.rules import Rulings


def pages(rulings: Rulings) -> tuple[Page, ...]:
    """Return how Buntherum is played here."""
    return (_about(rulings), _card(), _keys(rulings), _time(rulings))


def _about(rulings: Rulings) -> Page:
    aim = msg("Turn the last card of your own pile and you win.")
    if rulings.last_card == "must_place":
        aim = msg("Get rid of the last card of your own pile yourself, and you win.")
    return Page(
        msg("What it is about"),
        (
            Row("", msg("Six rows of cards lie round the hexagon. No thing and no colour may be in a row twice.")),
            Row("", msg("A card is turned. Be the first to say which row it fits into!")),
            Row("", aim),
        ),
        "icecream",
    )


def _card() -> Page:
    return Page(
        msg("A card is turned"),
        (
            Row("cards", msg("Everybody looks at once: is there a row without this thing and this colour?")),
            Row("star", msg("Right: you turn the next card, from your own pile. That makes it smaller.")),
            Row("chip", msg("Wrong: you get a red chip. With the third one you are out.")),
            Row("equal", msg("Two cannot be told apart: they play the next card alone.")),
        ),
        "icecream",
    )


def _keys(rulings: Rulings) -> Page:
    give_up = Row("*", msg("You give this card up. When all have, it is skipped."))
    if rulings.call_input == "direct":
        rows = [
            Row("1-6", msg("You call, and this is the row: one key does both.")),
            Row("0", msg("You call: it fits nowhere, it is impossible.")),
            give_up,
            Row("buzzer", msg("Nothing: in this match only keys call.")),
        ]
    else:
        seconds = msg("Then the row, within {n} second.", "Then the row, within {n} seconds.", n=rulings.declare_s)
        rows = [
            Row("buzzer", msg("You call. Only the first call counts.")),
            Row("1-6", seconds),
            Row("0", msg("Or: it fits nowhere, it is impossible.")),
            give_up,
        ]
    return Page(msg("Your keys"), tuple(rows), "icecream")


def _time(rulings: Rulings) -> Page:
    early = msg("Pressed before the card can be seen: it does not count.")
    if rulings.early_buzz == "chip":
        early = msg("Pressed before the card can be seen: a red chip.")
    late = msg("Called, and no row in time: a red chip.")
    if rulings.late_declare == "skip":
        late = msg("Called, and no row in time: the card is gone, that is all.")
    nobody = msg("Nobody wants the card: the house skips it.")
    if rulings.nobody_after_s:
        nobody = msg(
            "Nobody wants the card: it is skipped after {n} second.",
            "Nobody wants the card: it is skipped after {n} seconds.",
            n=rulings.nobody_after_s,
        )
    printed = msg("What is printed on the hexagon belongs to its row.")
    if not rulings.printed_counts:
        printed = msg("What is printed on the hexagon does not count.")
    rows = [Row("buzzer", early), Row("clock", late), Row("arrow", nobody), Row("cup", printed)]
    if rulings.call_input == "direct":
        del rows[1]  # the row is named with the call
    return Page(msg("Too early, too late"), tuple(rows), "icecream")

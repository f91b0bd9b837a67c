"""The words of the web pages and their translations."""

import json
from functools import cache
from html import escape
from typing import Final

from companion.core.text import msg, reader

WORDS: Final = (
    msg("Buzzer"),
    msg("Keypad"),
    msg("Choices"),
    msg("Delete"),
    msg("Enter"),
    msg("Cover"),
    msg("Both hands"),
    msg("Right hand"),
    msg("Left hand"),
    msg("Covered: touch to look"),
    msg("Lamp on"),
    msg("Lamp off"),
    msg("Lamp blinks"),
    msg("Looking for the table …"),
    msg("Scan the code on the table's display."),
    msg("This code has been used, or the seat was freed. Scan the code on the display."),
    msg("Your seat is open in another tab. Touch to take it back."),
    msg("The table has stopped."),
    msg("Your browser's clock is imprecise: your presses count when they arrive. Another browser may do better."),
    msg("Seat {n}", n="{n}"),
    msg("What is your name?"),
    msg("That's me"),
    msg("Your seat"),
    msg("The house"),
    msg("Right"),
    msg("Wrong"),
    msg("Go on"),
    msg("Skip"),
    msg("Undo"),
    msg("Pause"),
    msg("Letters of the code"),
    msg("Join"),
    msg("All seats are taken, or this code has expired. Look at the display."),
    msg("The table"),
    msg("The table companion"),
    msg("This page needs JavaScript."),
    msg("This page does not run in this browser. Reload it, or open it in a newer one."),
    msg(
        "This browser does not keep site data. If you had a seat, free it at the table (menu, Phones), then scan "
        "its code."
    ),
)


@cache
def words_in(language: str) -> bytes:
    """Return a JSON object: English words to `language`."""
    read = reader(language)
    return json.dumps({str(word.msgid): read(word) for word in WORDS}, ensure_ascii=False).encode()


@cache
def page_in(page: bytes, language: str) -> bytes:
    """Translate an English page: its text, `alt` and `aria-label`."""
    read, text = reader(language), page.decode().replace('<html lang="en">', f'<html lang="{language}">')
    for word in WORDS:
        english, said = str(word.msgid), escape(read(word))
        for place in (">{}<", ' alt="{}"', ' aria-label="{}"'):
            text = text.replace(place.format(english), place.format(said))
    return text.encode()

"""Buntherum's guide."""

from companion.core.guide import Page, Row
from companion.core.text import decimal, msg, shortest
from companion.games.buntherum.console import LEAST_MS
from companion.games.buntherum.rules import Box, Rulings, keyed


def pages(rulings: Rulings, box: Box) -> tuple[Page, ...]:
    return (_about(rulings), _card(box), _keys(rulings), _time(rulings), _real_cards(rulings, box))


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


def _card(box: Box) -> Page:
    wrong = msg(
        "Wrong: a red chip, and you are out. Nobody waits for your buzzer then.",
        "Wrong: a red chip. With {n} you are out, and nobody waits for your buzzer.",
        n=box.chips_out,
    )
    return Page(
        msg("A card is turned"),
        (
            Row("cards", msg("Everybody looks at once: is there a row without this thing and this colour?")),
            Row("star", msg("Right: you turn the next card, from your own pile. That makes it smaller.")),
            Row("chip", wrong),
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
            Row("buzzer", msg("No call: in this match only keys call.")),
        ]
    else:
        limit = msg(
            "Then the row, in half the time that the card lay open: {least} to {most} s.",
            least=decimal(LEAST_MS / 1000),
            most=shortest(rulings.declare_s),
        )
        rows = [
            Row("buzzer", msg("You call. Only the first call counts.")),
            Row("1-6", limit),
            Row("0", msg("Or: it fits nowhere, it is impossible.")),
            give_up,
        ]
    rows.append(Row("buzzer #", msg("Your turn: the next card.")))
    return Page(msg("Your keys"), tuple(rows), "icecream")


def _time(rulings: Rulings) -> Page:
    early = msg("Pressed before the card can be seen: it does not count.")
    if rulings.early_buzz == "chip":
        early = msg("Pressed before the card can be seen: a red chip; not within 0.3 s of the last card.")
    late = msg("Called, and no row in time: a red chip.")
    if rulings.late_declare == "reopen":
        late = msg("Called, and no row in time: the card is open again for all others.")
    if rulings.late_declare == "skip":
        late = msg("Called, and no row in time: the card is gone. So a press can stop everybody for free.")
    nobody = msg("Nobody wants the card: the house skips it. A call that was earlier comes first.")
    if rulings.nobody_after_s:
        nobody = msg(
            "Nobody wants the card: skipped after {n} second. A call that was earlier comes first.",
            "Nobody wants the card: skipped after {n} seconds. A call that was earlier comes first.",
            n=rulings.nobody_after_s,
        )
    printed = msg("What is printed on the hexagon belongs to its row.")
    if not rulings.printed_counts:
        printed = msg("What is printed on the hexagon does not count.")
    rows = [Row("buzzer", early), Row("clock", late), Row("arrow", nobody), Row("cup", printed)]
    if rulings.call_input == "direct":
        del rows[1]  # the row is named with the call
    return Page(msg("Too early, too late"), tuple(rows), "icecream")


def _real_cards(rulings: Rulings, box: Box) -> Page:
    turned = msg("A second after the verdict, or at its turner's #, the next card may be called.")
    if rulings.nobody_after_s:  # the limit does not run while a real card may be called unread
        turned = msg(
            "A second after the verdict, or at its turner's #, the next card may be called. "
            "No clock runs until it is keyed or called."
        )
    if rulings.open == "ok":
        turned = msg("A card may be called from the house's ok on: with it the card is turned.")
    rows = [Row("arrow", turned)]
    if keyed(rulings):
        keys = f"1-{max(len(box.objects), len(box.colours))}"
        rows += [
            Row(keys, msg("The house keys the thing, then the colour, also before the call; then it is judged.")),
            Row("star", msg("Or it says right or wrong, and the card stays unread in its row.")),
            Row("B", msg("House: B, the row, thing and colour say later which card lies unread there.")),
        ]
    else:
        rows.append(Row("star", msg("After the row the house says right or wrong. Nobody keys cards.")))
    return Page(msg("With real cards"), tuple(rows), "icecream")

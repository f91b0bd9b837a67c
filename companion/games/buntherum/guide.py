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
            Row("", msg("Six rows of cards lie round the hexagon. No object or colour may be in a row twice.")),
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
            Row("cards", msg("Everybody looks at once: is there a row without this object and this colour?")),
            Row("star", msg("Right: you turn the next card, from your own pile. That makes it smaller.")),
            Row("chip", wrong),
            Row("equal", msg("A tie: those two play the next card alone.")),
        ),
        "icecream",
    )


def _keys(rulings: Rulings) -> Page:
    give_up = Row("*", msg("You give up this card. When everybody has, it is skipped."))
    if rulings.call_input == "direct":
        rows = [
            Row("1-6", msg("You call this row: one key does both.")),
            Row("0", msg("You call impossible: the card fits nowhere.")),
            give_up,
            Row("buzzer", msg("Does nothing: in this match you call with a key.")),
        ]
    else:
        limit = msg(
            "Then name the row. You have half the time the card lay open: {least} to {most} s.",
            least=decimal(LEAST_MS / 1000),
            most=shortest(rulings.declare_s),
        )
        rows = [
            Row("buzzer", msg("You call. Only the first call counts.")),
            Row("1-6", limit),
            Row("0", msg("Or impossible: the card fits nowhere.")),
            give_up,
        ]
    rows.append(Row("buzzer #", msg("Your turn: the next card.")))
    return Page(msg("Your keys"), tuple(rows), "icecream")


def _time(rulings: Rulings) -> Page:
    early = msg("A press before the card is visible does not count.")
    if rulings.early_buzz == "chip":
        early = msg("A press before the card is visible: a red chip, except within 0.3 s of the last card.")
    late = msg("A call without a row in time: a red chip.")
    if rulings.late_declare == "reopen":
        late = msg("A call without a row in time: all others may call the card again.")
    if rulings.late_declare == "skip":
        late = msg("A call without a row in time: the card is skipped. So a press can block everybody for free.")
    nobody = msg("If nobody wants the card, the house skips it. An earlier call still counts.")
    if rulings.nobody_after_s:
        nobody = msg(
            "If nobody wants the card, it is skipped after {n} second. An earlier call still counts.",
            "If nobody wants the card, it is skipped after {n} seconds. An earlier call still counts.",
            n=rulings.nobody_after_s,
        )
    printed = msg("A picture printed on the hexagon counts in its row.")
    if not rulings.printed_counts:
        printed = msg("A picture printed on the hexagon does not count.")
    rows = [Row("buzzer", early), Row("clock", late), Row("arrow", nobody), Row("cup", printed)]
    if rulings.call_input == "direct":
        del rows[1]  # the row is named with the call
    return Page(msg("Too early, too late"), tuple(rows), "icecream")


def _real_cards(rulings: Rulings, box: Box) -> Page:
    turned = msg("The next card may be called a second after the verdict, or once its turner presses #.")
    if rulings.nobody_after_s:  # the limit does not run while a real card may be called unread
        turned = msg(
            "The next card may be called a second after the verdict, or once its turner presses #. No "
            "clock runs before it is entered or called."
        )
    if rulings.open == "ok":
        turned = msg("A card may be called once the house presses ok, as the card is turned.")
    rows = [Row("arrow", turned)]
    if keyed(rulings):
        keys = f"1-{max(len(box.objects), len(box.colours))}"
        rows += [
            Row(
                keys,
                msg("The house enters the object, then the colour, even before the call; then the call is judged."),
            ),
            Row("star", msg("Or the house says right or wrong, and the card stays unread in its row.")),
            Row("B", msg("To name an unread card later, the house presses B, then row, object and colour.")),
        ]
    else:
        rows.append(Row("star", msg("After the row the house says right or wrong. Cards are not entered.")))
    return Page(msg("With real cards"), tuple(rows), "icecream")

"""Böse Buben's guide: what it is about, a turn, the pay, the keys, the texts, by the rulings in force."""

from companion.core.guide import Page, Row
from companion.core.text import msg
from companion.games.boese_buben.rules import Rulings


def pages(rulings: Rulings) -> tuple[Page, ...]:
    """Return how Böse Buben is played here."""
    texts = (_race_texts(), _end_texts(rulings)) if rulings.variant == "action" else ()
    return (_about(), _turn(), _pay(rulings), _keys(rulings), *texts, _end())


def _about() -> Page:
    return Page(
        msg("What it is about"),
        (
            Row("", msg("Goblins race on pigs, in several lanes. Everybody lays cards of one colour.")),
            Row("", msg("Only the three newest stay in a lane. The oldest falls into the mud, the penalty zone.")),
            Row(
                "", msg("Each lane pays ducats to who is strongest there at the end. Four races, and the most win.")
            ),
        ),
        "goblin_on_pig",
    )


def _turn() -> Page:
    return Page(
        msg("Your turn"),
        (
            Row("cards", msg("Lay one card in a lane. You must, if one fits anywhere.")),
            Row("cross", msg("No number twice in a lane. The one that is about to fall still counts.")),
            Row("mud", msg("At the fourth card the oldest falls into the mud.")),
            Row("flag", msg("Four in the mud of one lane end the race. Who did that gets an MC card.")),
        ),
        "goblin_on_pig",
    )


def _pay(rulings: Rulings) -> Page:
    nothing = msg("A single 0 wins nothing, nor do three cards of one colour.")
    if rulings.monochrome_lane == "any":
        nothing = msg("A lane with one colour alone pays nothing, nor does a single 0 win.")
    return Page(
        msg("After a race"),
        (
            Row("ducat", msg("Each lane pays 3 ducats: to the highest sum, then to more cards.")),
            Row("cross", nothing),
            Row("mud", msg("Buy your cards back out of the mud! Each goblin on a card costs 1 ducat.")),
            Row("goblin", msg("What stays in the mud is gone. Nobody gets new cards.")),
        ),
        "ducat",
    )


def _keys(rulings: Rulings) -> Page:
    rows = [
        Row("0-6", msg("The number of your card.")),
        Row("1-5", msg("Then the lane, from the top. It is laid.")),
    ]
    if rulings.variant == "action":
        rows.insert(1, Row("A", msg("Behind the number: the one with a text.")))
    rows += [
        Row("*", msg("Takes the last key back.")),
        Row("1 0", msg("Buying back: 1 or the buzzer says yes, 0 says no.")),
    ]
    return Page(msg("Your keys"), tuple(rows), "goblin_on_pig")


def _race_texts() -> Page:
    return Page(
        msg("Texts: the race goes on"),
        (
            Row("kick_out", msg("Throw a 5 or a 6 out, for 1 ducat: its lane, its place.")),
            Row("swap", msg("Swap two equal numbers: lane and place, lane and place.")),
            Row("scramble", msg("Put a lane into another order: the lane, then its places anew.")),
            Row("0 buzzer", msg("You do without. Places count from the start line.")),
        ),
        "cards",
    )


def _end_texts(rulings: Rulings) -> Page:
    free = msg("Buying back, one card of yours is free.")
    if rulings.kostenlos == "all":
        free = msg("Buying back, all your cards are free.")
    return Page(
        msg("Texts: your card ends the race"),
        (
            Row("hat_moves", msg("Give an MC card away: the seat that has it, the seat that gets it.")),
            Row("present 2", free),
            Row("0 buzzer", msg("You do without.")),
        ),
        "cards",
    )


def _end() -> Page:
    return Page(
        msg("Who wins"),
        (
            Row("hat", msg("MC cards cost ducats: 1 for one, 3 for two, 5 for three, 8 for four.")),
            Row("ducat", msg("Then the most ducats win; if equal, the higher cards in hand.")),
            Row("cross", msg("Who cannot pay for the MC cards is last.")),
            Row("bag", msg("Nobody sees your purse before the end.")),
        ),
        "crown",
    )

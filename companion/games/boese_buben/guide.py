"""Böse Buben's guide, adapted to house rules and box."""

from companion.core.guide import Page, Row
from companion.core.text import msg
from companion.games.boese_buben.rules import Box, Rulings, mc_cost


def pages(rulings: Rulings, box: Box) -> tuple[Page, ...]:
    texts = (_race_texts(rulings), _end_texts(rulings)) if rulings.variant == "action" else ()
    return (_about(box), _turn(rulings, box), _pay(rulings, box), _keys(rulings), *texts, _end(rulings, box))


def _about(box: Box) -> Page:
    newest = msg(
        "Only the newest stays in a lane. The one before falls into the mud, the penalty zone.",
        "Only the {n} newest stay in a lane. The oldest falls into the mud, the penalty zone.",
        n=box.track_limit,
    )
    races = msg(
        "Each lane pays ducats to the strongest there at the end. {n} race, and the most win.",
        "Each lane pays ducats to the strongest there at the end. {n} races, and the most win.",
        n=box.races,
    )
    return Page(
        msg("What it is about"),
        (
            Row("", msg("Goblins race on pigs, in several lanes. Everybody lays cards of one colour.")),
            Row("", newest),
            Row("", races),
        ),
        "goblin_on_pig",
    )


def _turn(rulings: Rulings, box: Box) -> Page:
    barred = msg("No number twice in a lane. The one that is about to fall still counts.")
    if rulings.mud_counts:
        barred = msg("No number twice in a lane. What lies in its mud counts, too.")
    falls = msg("With card number {n} in a lane its oldest falls into the mud.", n=box.track_limit + 1)
    flag = msg(
        "{n} in the mud of one lane ends the race. Who did that gets an MC card.",
        "{n} in the mud of one lane end the race. Who did that gets an MC card.",
        n=box.penalty_limit,
    )
    return Page(
        msg("Your turn"),
        (
            Row("cards", msg("Lay one card in a lane. You must, if one fits anywhere.")),
            Row("cross", barred),
            Row("mud", falls),
            Row("flag", flag),
        ),
        "goblin_on_pig",
    )


def _pay(rulings: Rulings, box: Box) -> Page:
    pays = msg(
        "Each lane pays {n} ducat: to the highest sum, then to more cards.",
        "Each lane pays {n} ducats: to the highest sum, then to more cards.",
        n=box.lane_prize,
    )
    nothing = msg("A single 0 wins nothing, nor do three cards of one colour.")
    if rulings.monochrome_lane == "any":
        nothing = msg("A lane with one colour alone pays nothing, nor does a single 0 win.")
    return Page(
        msg("After a race"),
        (
            Row("ducat", pays),
            Row("cross", nothing),
            Row("mud", msg("Before the next race buy your cards out of the mud: 1 ducat for each goblin.")),
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
        rows.insert(1, Row("A", msg("After the number: the card with its text.")))
    rows += [
        Row("*", msg("Takes the last key back.")),
        Row("1 0 A B", msg("Buying back: yes, no; yes or no to all your cards in this mud.")),
    ]
    return Page(msg("Your keys"), tuple(rows), "goblin_on_pig")


def _race_texts(rulings: Rulings) -> Page:
    throw = msg("Throw a 5 or a 6 out, for 1 ducat: its lane, its place.")
    if rulings.rauswurf == "must":
        throw = msg("A 5 or a 6 must be thrown out, for 1 ducat: its lane, its place.")
    swap = msg("Swap two equal numbers: lane and place, lane and place.")
    if rulings.austausch_mud:
        swap = msg("Swap two equal numbers, in the mud, too: lane, A for its mud, place; twice.")
    return Page(
        msg("Texts: the race goes on"),
        (
            Row("kick_out", throw),
            Row("swap", swap),
            Row("scramble", msg("Put a lane into another order: the lane, then its places anew.")),
            Row("0", msg("You do not use the text. Place 1 is at the start line.")),
        ),
        "cards",
    )


def _end_texts(rulings: Rulings) -> Page:
    free = Row("present 2", msg("Buying back, one card of yours is free, but never a 0, which is free anyway."))
    if rulings.kostenlos == "all":
        free = Row("present 1", msg("Buying back, all your cards are free: yes takes one."))
    return Page(
        msg("Texts: your card ends the race"),
        (
            Row("hat_moves", msg("Give an MC card away: the seat that has it, the seat that gets it.")),
            free,
            Row("0", msg("You do not use the text.")),
        ),
        "cards",
    )


def _end(rulings: Rulings, box: Box) -> Page:
    costs = ", ".join(str(mc_cost(box, cards)) for cards in range(1, box.races + 1))
    equal = msg("Then the most ducats win; if equal, the highest sum of cards in hand.")
    if rulings.cards_left == "hand_and_track":
        equal = msg("Then the most ducats win; if equal, the highest sum of cards in hand and lanes.")
    debt = msg("Who cannot pay for the MC cards is last.")
    if rulings.cannot_pay == "all_last":
        debt = msg("All who cannot pay for the MC cards share the last place.")
    return Page(
        msg("Who wins"),
        (
            Row("hat", msg("MC cards cost ducats. For one, two and so on: {costs}.", costs=costs)),
            Row("ducat", equal),
            Row("cross", debt),
            Row("bag", msg("Nobody sees your purse before the end.")),
        ),
        "crown",
    )

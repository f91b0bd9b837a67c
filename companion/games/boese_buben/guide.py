"""Böse Buben's guide, adapted to house rules and box."""

from companion.core.guide import Page, Row
from companion.core.text import msg
from companion.games.boese_buben.rules import Box, Rulings, mc_cost


def pages(rulings: Rulings, box: Box) -> tuple[Page, ...]:
    texts = (_race_texts(rulings), _end_texts(rulings)) if rulings.variant == "action" else ()
    return (_about(box), _turn(rulings, box), _pay(rulings, box), _keys(rulings), *texts, _end(rulings, box))


def _about(box: Box) -> Page:
    newest = msg(
        "Only the newest card stays in a lane. The one before falls into the mud (the penalty zone).",
        "Only the {n} newest cards stay in a lane. The oldest falls into the mud (the penalty zone).",
        n=box.track_limit,
    )
    races = msg(
        "When a race ends, each lane pays ducats to its strongest player. After {n} race, the most ducats win.",
        "When a race ends, each lane pays ducats to its strongest player. After {n} races, the most ducats win.",
        n=box.races,
    )
    return Page(
        msg("What it is about"),
        (
            Row("", msg("Goblins race on pigs in several lanes. Each player plays cards of one colour.")),
            Row("", newest),
            Row("", races),
        ),
        "goblin_on_pig",
    )


def _turn(rulings: Rulings, box: Box) -> Page:
    barred = msg("Never the same number twice in a lane. A card about to fall still counts.")
    if rulings.mud_counts:
        barred = msg("Never the same number twice in a lane. Cards in its mud also count.")
    falls = msg("When a lane has {n} cards, its oldest falls into the mud.", n=box.track_limit + 1)
    flag = msg(
        "{n} card in the mud of one lane ends the race. The player who caused it gets an MC card.",
        "{n} cards in the mud of one lane end the race. The player who caused it gets an MC card.",
        n=box.penalty_limit,
    )
    return Page(
        msg("Your turn"),
        (
            Row("cards", msg("Play one card in a lane. You must if you can.")),
            Row("cross", barred),
            Row("mud", falls),
            Row("flag", flag),
        ),
        "goblin_on_pig",
    )


def _pay(rulings: Rulings, box: Box) -> Page:
    pays = msg(
        "Each lane pays {n} ducat to the highest sum; if tied, to the most cards.",
        "Each lane pays {n} ducats to the highest sum; if tied, to the most cards.",
        n=box.lane_prize,
    )
    nothing = msg("A 0 alone wins nothing. Neither do three cards of one colour.")
    if rulings.monochrome_lane == "any":
        nothing = msg("A lane with only one colour pays nothing. Neither does a 0 alone.")
    return Page(
        msg("After a race"),
        (
            Row("ducat", pays),
            Row("cross", nothing),
            Row("mud", msg("Before the next race, buy your cards back from the mud: 1 ducat per goblin.")),
            Row("goblin", msg("Cards left in the mud are out of the game. Nobody gets new cards.")),
        ),
        "ducat",
    )


def _keys(rulings: Rulings) -> Page:
    rows = [
        Row("0-6", msg("The number of your card.")),
        Row("1-5", msg("Then the lane, counted from the top. That plays the card.")),
    ]
    if rulings.variant == "action":
        rows.insert(1, Row("A", msg("After the number: the action card.")))
    rows += [
        Row("*", msg("Deletes the last key you pressed.")),
        Row("1 0 A B", msg("Buying back: yes, no, yes to all or no to all your cards in this mud.")),
    ]
    return Page(msg("Your keys"), tuple(rows), "goblin_on_pig")


def _race_texts(rulings: Rulings) -> Page:
    throw = msg("Throw out a 5 or a 6 for 1 ducat: press its lane and place.")
    if rulings.rauswurf == "must":
        throw = msg("You must throw out a 5 or a 6 for 1 ducat: press its lane and place.")
    swap = msg("Swap equal cards of two players: press lane and place of each.")
    if rulings.austausch_mud:
        swap = msg("Swap equal cards, even in the mud: for each, press lane, A if in the mud, place.")
    return Page(
        msg("Actions during the race"),
        (
            Row("kick_out", throw),
            Row("swap", swap),
            Row("scramble", msg("Reorder a lane: press it, then its places in the new order.")),
            Row("0", msg("Skips the action. Place 1 is at the start line.")),
        ),
        "cards",
    )


def _end_texts(rulings: Rulings) -> Page:
    free = Row(
        "present 2", msg("One of your cards is free to buy back. This is never used on a 0, which is always free.")
    )
    if rulings.kostenlos == "all":
        free = Row("present 1", msg("All your cards are free to buy back: yes takes the card."))
    return Page(
        msg("Actions if your card ends the race"),
        (
            Row("hat_moves", msg("Move an MC card: press the seat that gives it, then the seat that gets it.")),
            free,
            Row("0", msg("Skips the action.")),
        ),
        "cards",
    )


def _end(rulings: Rulings, box: Box) -> Page:
    costs = ", ".join(str(mc_cost(box, cards)) for cards in range(1, box.races + 1))
    equal = msg("Then the most ducats win; if tied, the highest sum of cards in hand.")
    if rulings.cards_left == "hand_and_track":
        equal = msg("Then the most ducats win; if tied, the highest sum of cards in hand and lanes.")
    debt = msg("Players who cannot pay for their MC cards come last.")
    if rulings.cannot_pay == "all_last":
        debt = msg("Players who cannot pay for their MC cards share last place.")
    return Page(
        msg("Who wins"),
        (
            Row("hat", msg("MC cards cost ducats: {costs} for one, two and so on.", costs=costs)),
            Row("ducat", equal),
            Row("cross", debt),
            Row("bag", msg("Nobody sees your purse before the end.")),
        ),
        "crown",
    )

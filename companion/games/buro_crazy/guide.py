"""Büro Crazy's guide: what it is about, a duel, the keys, the way up, the end, by the rulings in force."""

from companion.core.guide import Page, Row
from companion.core.text import msg
from companion.games.buro_crazy.rules.components import Rulings, by_cards, by_total


def pages(rulings: Rulings) -> tuple[Page, ...]:
    """Return how Büro Crazy is played here."""
    return (_about(), _duel(rulings), _keys(rulings), _way_up(rulings), _end(rulings))


def _about() -> Page:
    return Page(
        msg("What it is about"),
        (
            Row("", msg("Your figures want up the house, from the stairs to the boss's chair.")),
            Row("", msg("Two of them at a time fight for the way up, with influence cards and in secret.")),
            Row("", msg("At the end the most influence wins: what is left in your hand, and a share of the roof.")),
        ),
        "boss_chair",
    )


def _duel(rulings: Rulings) -> Page:
    same = msg("The same: both lose half of their bid, rounded up, and bid again.")
    if rulings.tie_rounding == "down":
        same = msg("The same: both lose half of their bid, rounded down, and bid again.")
    return Page(
        msg("A duel"),
        (
            Row("padlock_closed", msg("Both bid as many of their cards as they like, also none, and lock.")),
            Row("figure", msg("Who bids more climbs. All the cards of that bid go to the roof.")),
            Row("coffee", msg("Who bids less keeps the bid. The kitchen pays the difference, while it can.")),
            Row("equal", same),
        ),
        "figure",
    )


def _keys(rulings: Rulings) -> Page:
    rows = [
        Row("1-5", msg("Adds a card to your bid: a 1, a 2, a 5, a 10 or a 20.")),
        Row("*", msg("Takes the last card back. After the lock it opens your bid again.")),
        Row("#", msg("Locks your bid. With no card before it you bid nothing.")),
    ]
    if by_total(rulings):
        rows = [
            Row("0-9", msg("The points that you bid.")),
            Row("*", msg("Takes the last digit back. After the lock it opens your bid again.")),
            Row("#", msg("Locks your bid. With no digit before it you bid nothing.")),
        ]
    rows.append(Row("person", msg("Only the two who duel can key, and nobody sees what.")))
    return Page(msg("Your keys"), tuple(rows), "padlock_closed")


def _way_up(rulings: Rulings) -> Page:
    kitchen = msg("Before each floor the kitchen is set anew: to 60, to 40, to 20 points.")
    if rulings.kitchen_adjust == "top_up":
        kitchen = msg("Before each floor the kitchen is filled up, at least to 60, to 40, to 20 points.")
    rows = [
        Row("figure", msg("Two figures of one colour: one of them climbs, for nothing.")),
        Row("stairs", msg("A figure alone on the stairs climbs, and its owner pays 10 points.")),
        Row("coffee", kitchen),
        Row("boss_chair", msg("In the last duel the lower bid goes to the roof, too.")),
    ]
    if rulings.zero_tie_limit:
        times = rulings.zero_tie_limit
        coin = msg("After {n} tie at nothing a coin decides.", "After {n} ties at nothing a coin decides.", n=times)
        rows.insert(0, Row("equal", coin))
    return Page(msg("Up the house"), tuple(rows), "stairs")


def _end(rulings: Rulings) -> Page:
    counted = Row("influence", msg("Your hand and your piles are counted. The most points win."))
    if not by_cards(rulings):
        counted = Row("0-9 #", msg("Key all your points, piles too. They are shown together; the most win."))
    return Page(
        msg("Who wins"),
        (
            Row("roof", msg("The cards on the roof are dealt into nine piles.")),
            Row("boss_chair", msg("Three for the boss, two for the other one of the last duel.")),
            Row("desk", msg("One for each who lost just below that.")),
            counted,
            Row("stairs", msg("Who has nobody but on the stairs cannot win.")),
        ),
        "crown",
    )

"""Büro Crazy's guide."""

from typing import Final

from companion.core.guide import Page, Row
from companion.core.text import Text, msg
from companion.games.buro_crazy.rules.components import Box, Rulings, by_cards, by_total

MOST_ROWS: Final = 4


def pages(rulings: Rulings, box: Box) -> tuple[Page, ...]:
    whole = (_about(), _duel(rulings), _keys(rulings), _way_up(rulings, box), _end(rulings, box))
    return tuple(part for page in whole for part in _halves(page))


def _halves(page: Page) -> tuple[Page, ...]:
    """Split a page that is too full to be read across the table."""
    rows = page.rows
    if len(rows) <= MOST_ROWS:
        return (page,)
    middle = (len(rows) + 1) // 2
    return page._replace(rows=rows[:middle]), page._replace(rows=rows[middle:])


def _about() -> Page:
    return Page(
        msg("What it is about"),
        (
            Row("", msg("Your figures climb the building, from the stairs to the boss's chair.")),
            Row("", msg("Two of them at a time fight for the way up, with influence cards and in secret.")),
            Row("", msg("At the end the most influence wins: what is left in your hand, and a share of the roof.")),
        ),
        "boss_chair",
    )


def _duel(rulings: Rulings) -> Page:
    same = msg("A tie: both lose half of their bid, rounded up, and bid again.")
    if rulings.tie_rounding == "down":
        same = msg("A tie: both lose half of their bid, rounded down, and bid again.")
    return Page(
        msg("A duel"),
        (
            Row("padlock_closed", msg("Both bid as many cards as they like, even none, and lock.")),
            Row("figure", msg("The higher bid climbs, and all its cards go to the roof.")),
            Row(
                "coffee",
                msg("The lower bid goes back to its owner. The kitchen pays them the difference, while it can."),
            ),
            Row("equal", same),
            Row("influence", _payment(rulings)),
        ),
        "figure",
    )


def _payment(rulings: Rulings) -> Text:
    if not by_cards(rulings):
        return msg("You make change yourselves: the companion tracks points, not cards.")
    if rulings.change == "none":
        return msg("Half is paid in cards that fit, the bid's first. If none fit, it is rounded the same way.")
    return msg("Half is paid in cards that fit, the bid's first. If none fit, change is made.")


def _keys(rulings: Rulings) -> Page:
    rows = [
        Row("1-5", msg("Adds a card to your bid: a 1, a 2, a 5, a 10 or a 20.")),
        Row("*", msg("Deletes the last card. After the lock, reopens your bid.")),
        Row("#", msg("Locks your bid. Without a card you bid nothing.")),
    ]
    if by_total(rulings):
        rows = [
            Row("0-9", msg("The points that you bid.")),
            Row("*", msg("Deletes the last digit. After the lock, reopens your bid.")),
            Row("#", msg("Locks your bid. Without a digit you bid nothing.")),
        ]
    rows.append(Row("person", msg("Only the two in the duel can bid, and nobody sees it.")))
    rows.append(Row("A", msg("Before the figures are placed: another colour for you.")))
    return Page(msg("Your keys"), tuple(rows), "padlock_closed")


def _way_up(rulings: Rulings, box: Box) -> Page:
    _, ground, first, second = box.targets
    floors = {"ground": ground, "first": first, "second": second}
    kitchen = msg("Before each floor the kitchen is reset to {ground}, {first}, then {second} points.", **floors)
    if rulings.kitchen_adjust == "top_up":
        kitchen = msg(
            "Before each floor the kitchen is topped up to at least {ground}, {first}, then {second} points.",
            **floors,
        )
    alone = msg(
        "A figure alone on the stairs climbs, and its owner pays {n} point.",
        "A figure alone on the stairs climbs, and its owner pays {n} points.",
        n=box.forfeit,
    )
    if rulings.forfeit_short == "stays":
        alone = msg(
            "A figure alone on the stairs climbs for {n} points. If its owner has less, it stays.", n=box.forfeit
        )
    rows = [
        Row("figure", msg("Two figures of the same colour: one of them climbs for free.")),
        Row("stairs", alone),
        Row("coffee", kitchen),
        Row("boss_chair", msg("In the last duel the lower bid also goes to the roof.")),
    ]
    if rulings.refill == "roof":
        rows.insert(3, Row("roof", msg("The kitchen is then filled from the roof.")))
    if rulings.zero_tie_limit:
        times = rulings.zero_tie_limit
        coin = msg("After {n} tie at 0 a coin decides.", "After {n} ties at 0 a coin decides.", n=times)
        rows.insert(0, Row("equal", coin))
    return Page(msg("Up the building"), tuple(rows), "stairs")


def _end(rulings: Rulings, box: Box) -> Page:
    boss, challenger, semifinalist = box.shares
    dealt = msg(
        "The cards on the roof are dealt into {n} pile.",
        "The cards on the roof are dealt into {n} piles.",
        n=box.piles,
    )
    shares = msg("{boss} for the boss, {other} for the challenger in the last duel.", boss=boss, other=challenger)
    counted = Row("influence", msg("Your hand and your piles are counted. The most points win."))
    if not by_cards(rulings):
        counted = Row(
            "0-9 #", msg("Enter all your points, piles too; the last player locks twice. The most points win.")
        )
    equal = msg("On equal points the higher figure wins, then more figures high up.")
    if rulings.equal_end == "shared":
        equal = msg("On equal points the higher figure wins. Equally high figures share the place.")
    return Page(
        msg("Who wins"),
        (
            Row("roof", dealt),
            Row("boss_chair", shares),
            Row("desk", msg("{n} for each semi-finalist.", n=semifinalist)),
            counted,
            Row("equal", equal),
            Row("stairs", msg("A player with figures only on the stairs cannot win.")),
        ),
        "crown",
    )

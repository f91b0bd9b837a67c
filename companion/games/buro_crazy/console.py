"""Büro Crazy's console: two seats bid in secret; `#` or the buzzer locks a bid, `*` takes it back."""

from collections.abc import Mapping
from typing import Final

from companion.core.console import (
    BACK,
    BUZZ,
    Code,
    Deal,
    HouseEntry,
    Keyed,
    Lamp,
    Stage,
    Touch,
    no_effect,
    seat_codes,
)
from companion.core.move import TABLE, Move, Seat, SecretMove, each_seat
from companion.core.text import Text, msg
from companion.games.buro_crazy.own import own_of, typed_cards
from companion.games.buro_crazy.rules import SECRETS, View, bid_verb, card_values
from companion.games.buro_crazy.rules.change import Cards, fewest, minus, worth
from companion.games.buro_crazy.rules.choices import Placements
from companion.games.buro_crazy.rules.components import Phase, by_cards, by_total, figures_each
from companion.games.buro_crazy.rules.end import fewest_counted
from companion.games.buro_crazy.rules.refusals import (
    COUNTED_BEFORE,
    all_placed,
    impossible,
    misplaced,
    too_few,
    too_much,
    twice,
)

PLACE_MS: Final = 500
CHOOSE_MS: Final = 6000
TOSS_MS: Final = 1500
"""Pauses before the figures are placed, while players choose colours, and before a coin falls."""

ROOF_MS: Final = 0
"""Zero, so that nobody can key a report of real cards before the roof is dealt."""

LOCK: Final = "#"

COLOUR: Final = "A"
"""The key for another colour."""

MOST_DIGITS: Final = 4


def stage(view: View) -> Stage:
    """Return what the referee waits for.

    Keyed figures stay until all are placed, keys of a duel until its next attempt.
    """
    if view.phase == Phase.SETUP:
        pause_ms = CHOOSE_MS if view.chosen else PLACE_MS
        return Stage(deal=Deal(pause_ms, together=not view.chosen, people_ms=CHOOSE_MS), keying=0)
    if view.phase == Phase.COIN:
        return Stage(deal=Deal(TOSS_MS))
    keying = len(view.board) * view.attempt + view.step
    dealing = view.phase == Phase.ROOF and by_cards(view.rulings) and not view.reporting
    return Stage(deal=Deal(ROOF_MS, together=True) if dealing else None, keying=keying)


# Nothing is a race, and the house uses only its keypad.
called: Final = no_effect
early: Final = no_effect
house: Final = no_effect


def key(view: View, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
    typed = entries.get(seat, "")
    if seat == TABLE:
        return _house_key(view, key, typed)
    if view.phase == Phase.SETUP:
        return _set_up_key(view, seat, key, typed, entries.get(TABLE, ""))
    if may_bid(view, seat):
        return _bid_key(view, seat, LOCK if key == BUZZ else key, typed)
    if view.phase == Phase.BID and seat in view.locked:
        locked = msg("your bid is locked in; {back} reopens it", back=BACK)
        return Keyed(move=Move(seat, "retract")) if key == BACK else _refused(typed, locked)
    if may_report(view, seat):
        return _report_key(view, seat, LOCK if key == BUZZ else key, typed)
    return _refused(typed, _no_keys(view, seat))


def may_bid(view: View, seat: Seat) -> bool:
    return view.phase == Phase.BID and seat in view.duel and seat not in view.locked


def may_report(view: View, seat: Seat) -> bool:
    return view.phase == Phase.ROOF and seat not in view.reported and not view.dealt


def _refused(typed: str, why: Text) -> Keyed:
    return Keyed(typed, why=why)


def _no_keys(view: View, seat: Seat) -> Text:
    if view.phase == Phase.BID:
        one, other = (str(one + 1) for one in view.duel)
        return msg("seats {one} and {other} bid now", one=one, other=other)
    if view.phase == Phase.COIN:
        return msg("a coin decides; nobody bids now")
    if seat in view.reported:
        return msg("your points are in; the house can undo")
    if view.phase == Phase.ROOF:
        return msg("the companion deals the roof: no points are entered")
    return msg("the match is over")


def _set_up_key(view: View, seat: Seat, key: str, typed: str, placed: str) -> Keyed:
    if key == COLOUR:
        return _colour_key(view, seat)
    if key in {BUZZ, LOCK}:
        return _tapped(view, seat, placed.rstrip(LOCK))
    if key == BACK and placed:
        return Keyed(placed.rstrip(LOCK)[:-1], for_house=True)
    return _refused(typed, msg("{key}: another colour", key=COLOUR))


def _tapped(view: View, seat: Seat, placed: str) -> Keyed:
    """Put the seat's next figure on the stairs. After the last one a press confirms all."""
    each, own = figures_each(view.box, view.seats), str(seat + 1)
    if len(placed) == each * view.seats:
        return _placing_key(view, LOCK, placed)._replace(for_house=True)
    if placed.count(own) == each:
        return Keyed(placed, why=all_placed(each), for_house=True)
    if len(placed) % 2 and placed[-1] == own:
        return Keyed(placed, why=twice(len(placed) // 2, seat), for_house=True)
    full = len(placed) + 1 == each * view.seats
    return Keyed(placed + own + LOCK * full, for_house=True)


def _colour_key(view: View, seat: Seat) -> Keyed:
    """Choose the next colour that no other seat has chosen (BC-R2)."""
    box, count = view.box, len(view.box.colours)
    others = {view.colours[one] for one in view.chosen if one != seat}
    for step in range(1, count + 1):
        colour = (view.colours[seat] + step) % count
        if colour not in others and box.fits(colour, view.seats):
            break
    return Keyed(move=Move(TABLE, "colour", (seat, colour)))


def _bid_key(view: View, seat: Seat, key: str, typed: str) -> Keyed:
    hand, values = view.hand, view.values
    assert hand is not None
    if by_total(view.rulings):
        if key != LOCK:
            return _digit(key, typed)
        wanted = int(typed or "0")
        cards = fewest(wanted, hand, values)
        if cards is None:  # the next digit starts another number
            return _refused("", _not_shown(wanted, hand, values))
        return Keyed(move=_bid(view, seat, cards))
    if key == LOCK:
        return Keyed(move=_bid(view, seat, typed_cards(view, typed)))
    if key == BACK:
        return _taken_back(typed)
    place = int(key) - 1 if key.isdecimal() else -1
    if place not in range(len(hand)):
        return _refused(typed, msg("1 to {n} add a card, {back} removes one", n=len(hand), back=BACK))
    if typed.count(key) < hand[place]:
        return Keyed(typed + key)
    return _refused(typed, msg("{value}: only {n} in hand", n=hand[place], value=values[place]))


def _not_shown(wanted: int, hand: Cards, values: Cards) -> Text:
    held = worth(hand, values)
    if wanted > held:
        return too_much(wanted, held)
    return msg("your cards cannot make {n}", n=wanted)


def _bid(view: View, seat: Seat, cards: Cards) -> Move:
    return SecretMove(seat, bid_verb(view.rulings), cards)


def _report_key(view: View, seat: Seat, key: str, typed: str) -> Keyed:
    """Handle a key of a report. The last report needs a second lock, since it ends the match (BC-R23)."""
    if not _asks_once_more(view, typed):
        typed = typed.rstrip(LOCK)
    if key != LOCK:
        if typed.endswith(LOCK) and key != BACK:  # a refusal clears the points
            return _refused(
                "", msg("that was not {lock} or {back}: enter all your points again", lock=LOCK, back=BACK)
            )
        return _digit(key, typed)
    if not typed:
        return _refused(typed, msg("enter all your points first, then {lock}", lock=LOCK))
    points, possible = int(typed.rstrip(LOCK)), view.reportable
    assert possible is not None
    if points not in possible:
        return _refused(typed, impossible(points, possible, 0 if by_cards(view.rulings) else view.pile_size))
    if is_last_report(view) and not typed.endswith(LOCK):
        return Keyed(typed + LOCK)
    return Keyed(move=SecretMove(seat, "report", (points,)))


def is_last_report(view: View) -> bool:
    """Return True if the next report ends the match."""
    return len(view.reported) == view.seats - 1


def _asks_once_more(view: View, typed: str) -> bool:
    """Return True if one more lock ends the match."""
    return typed.endswith(LOCK) and is_last_report(view)


def _taken_back(typed: str) -> Keyed:
    return Keyed(typed[:-1]) if typed else _refused(typed, msg("there is nothing for {back} to delete", back=BACK))


def _digit(key: str, typed: str) -> Keyed:
    if key == BACK:
        return _taken_back(typed)
    if not key.isdecimal():
        return _refused(typed, msg("press digits; {back} deletes one", back=BACK))
    if len(typed) == MOST_DIGITS:
        return _refused(typed, msg("enter at most {n} digits", n=MOST_DIGITS))
    return Keyed(typed + key)


def _house_key(view: View, key: str, typed: str) -> Keyed:
    if view.phase == Phase.COIN:
        if key in {str(seat + 1) for seat in view.duel}:
            return Keyed(move=Move(TABLE, "coin", (int(key) - 1,)))
        one, other = (seat + 1 for seat in view.duel)
        return _refused(typed, msg("only {one} or {other} can win the toss", one=one, other=other))
    if view.phase == Phase.SETUP:
        return _placing_key(view, key, typed)
    if view.phase == Phase.OVER:
        return _refused(typed, msg("the match is over"))
    if by_cards(view.rulings):
        return _refused(typed, msg("nothing to enter: every card is tracked"))
    fewest_cards = _fewest_counted(view)
    if fewest_cards is None:
        return _refused("", COUNTED_BEFORE)
    if key != LOCK:
        return _digit(key, typed)
    most = sum(view.box.deck)
    if not typed:
        return _refused(typed, msg("enter the number of cards on the roof, then {lock}", lock=LOCK))
    if int(typed) > most:
        return _refused(typed, msg("{n} cards: the game has only {most}", n=int(typed), most=most))
    if int(typed) < fewest_cards:
        return _refused(typed, too_few(int(typed), fewest_cards))
    return Keyed(move=Move(TABLE, "counted", (int(typed),)))


def _placing_key(view: View, key: str, typed: str) -> Keyed:
    each, typed = figures_each(view.box, view.seats), typed.rstrip(LOCK)
    if key == LOCK:
        spaces = tuple(int(digit) - 1 for digit in typed)
        if spaces in Placements(view.seats, each):
            return Keyed(move=Move(TABLE, "place", spaces))
        return _refused(typed, misplaced(spaces, view.seats, each))
    if key == BACK:
        return _taken_back(typed)
    if not key.isdecimal() or not 1 <= int(key) <= view.seats:
        return _refused(typed, msg("{key}: the seats are 1 to {n}", key=key, n=view.seats))
    if len(typed) == view.seats * each:
        return _refused("", msg("{n} figures in all: enter them again, from the left", n=len(typed)))
    return Keyed(typed + key)


def house_entry(view: View, entry: str) -> HouseEntry | None:
    colours = [view.box.colours[colour] for colour in view.colours]
    if view.phase == Phase.SETUP:
        return _placing(view, entry, colours)
    if view.phase == Phase.COIN:
        return HouseEntry(msg("House: who won the toss?"), seat_codes(view.duel, "figure", colours))
    if view.phase == Phase.OVER or _fewest_counted(view) is None:
        return None
    at_the_end = view.phase == Phase.ROOF
    counted = msg("{n} card on the roof?", "{n} cards on the roof?", n=int(entry)) if entry else None
    codes = (Code("0-9"), Code(LOCK, msg("done")))
    return HouseEntry(
        msg("House: how many cards on the roof?"),
        codes,
        counted,
        due=False,
        at_hand=at_the_end and not view.roof_counted,
        openly=at_the_end,
    )


def _fewest_counted(view: View) -> int | None:
    return fewest_counted(view.rulings, view.roof_cards, reported=bool(view.reported))


def _placing(view: View, entry: str, colours: list[str]) -> HouseEntry:
    each, entry = figures_each(view.box, view.seats), entry.rstrip(LOCK)
    left = [seat for seat in each_seat(view.seats) if entry.count(str(seat + 1)) < each]
    codes = seat_codes(left, "figure", colours) or (Code(LOCK, msg("correct")),)
    keyed = msg("{n} of {most} figures", n=len(entry), most=each * view.seats) if entry else None
    return HouseEntry(msg("Place figures from the left: {lock} or your buzzer", lock=LOCK), codes, keyed)


def keys_for(view: View, move: Move) -> tuple[str, ...]:
    """Return the keys of a move; () for a bid if its total would select other cards."""
    if move.verb == "retract":
        return (BACK,)
    if move.verb not in SECRETS:
        return ()
    if move.verb == "report":
        return (*str(move.args[0]), LOCK, LOCK) if is_last_report(view) else (*str(move.args[0]), LOCK)
    if not by_total(view.rulings):
        return (*"".join(str(place) * count for place, count in enumerate(move.args, 1)), LOCK)
    points = worth(move.args, view.values)
    shown = view.hand is not None and fewest(points, view.hand, view.values) == move.args
    return (*str(points), LOCK) if shown else ()


def prompt(view: View) -> Text:
    """Return what the reader may do, which does not depend on hands or keys."""
    you = view.you
    if view.phase == Phase.OVER:
        return msg("The match is over")
    if view.phase == Phase.SETUP:
        if you is None:
            return msg("The figures go on the stairs")
        return msg("{key}: another colour", key=COLOUR)
    if view.phase == Phase.COIN:
        return msg("{pair}: a coin decides", pair=view.pair)
    if view.phase == Phase.ROOF:
        return _roof_prompt(view)
    if you is None or you not in view.duel:
        return msg("{pair}: two secret bids", pair=view.pair)
    if you in view.locked:
        return msg("Locked in. {back} reopens it", back=BACK)
    if by_total(view.rulings):
        return msg("Your bid in points, 0-9. {lock} locks it in, {back} deletes", back=BACK, lock=LOCK)
    values = ", ".join(map(str, view.values))
    return msg("Keys 1-{n} add {values}. {lock} locks it in", n=len(view.values), values=values, lock=LOCK)


def _roof_prompt(view: View) -> Text:
    if not view.reporting:
        if view.you is None or view.dealt:
            return msg("The roof is dealt into {n} piles", n=view.box.piles)
        return msg("Real cards: enter all your points (0-9), then {lock}", lock=LOCK)
    if view.you is None:
        return msg("Everybody enters all their points")
    if view.you in view.reported:
        return msg("Wait for the others")
    return msg("Enter all your points (0-9), then {lock}", lock=LOCK)


def typed(view: View, entry: str) -> Text | None:
    you = view.you
    if you is None or not entry:
        return None
    if may_bid(view, you):
        bid = _keyed_bid(view, entry)
        return msg("Bid {bid}", bid=entry if bid is None else _cards_text(bid, view.values))
    if may_report(view, you) and _asks_once_more(view, entry):
        return msg("{entry} points: {lock} ends the match, {back} deletes", entry=entry[:-1], lock=LOCK, back=BACK)
    return msg("Points {entry}", entry=entry.rstrip(LOCK)) if may_report(view, you) else None


def private(view: View, entry: str) -> Text | None:
    hand, you = view.hand, view.you
    if hand is None or you is None or view.phase in {Phase.SETUP, Phase.OVER}:
        return None
    if view.bid is not None:
        held = _cards_text(minus(hand, view.bid), view.values)
        return msg("Locked {bid}; hand {held}", bid=_cards_text(view.bid, view.values), held=held)
    if not (entry and may_bid(view, you)):
        return msg("Hand {held}", held=_cards_text(hand, view.values))
    bid = _keyed_bid(view, entry)
    if bid is None:
        return msg("Hand {held}", held=max(0, worth(hand, view.values) - int(entry)))
    return msg("Hand {held}", held=_cards_text(minus(hand, bid), view.values))


def _keyed_bid(view: View, entry: str) -> Cards | None:
    """Return the keyed bid, even for a total: players lay real cards before the lock. None if impossible."""
    if not by_total(view.rulings):
        return typed_cards(view, entry)
    return None if view.hand is None else fewest(int(entry), view.hand, view.values)


own: Final = own_of


def touches(view: View, entry: str) -> tuple[Touch, ...] | None:
    you, hand = view.you, view.hand
    reports = view.reporting or (you is not None and may_report(view, you))
    if view.phase == Phase.SETUP or reports or by_total(view.rulings):
        return None
    if you is None or hand is None or view.phase != Phase.BID:
        return ()
    if view.bid is not None:
        return (Touch(BACK, msg("Reopen the bid")),)
    if not may_bid(view, you):
        return ()
    bid = typed_cards(view, entry)
    left = minus(hand, bid)
    cards = tuple(
        Touch(str(place), msg("Add {value}", value=value), f"card {place}")
        for place, (value, count) in enumerate(zip(view.values, left, strict=True), 1)
        if count
    )
    back = (Touch(BACK, msg("Delete")),) if entry else ()
    return (*cards, *back, Touch(LOCK, msg("Lock {points}", points=worth(bid, view.values))))


def _cards_text(cards: Cards, values: Cards) -> str:
    """Return cards as `23 (20 2 1)`, or their points if cards are not tracked."""
    points, by_value = worth(cards, values), card_values(cards, values)
    if not by_value:
        return str(points)
    numbers = ((value, by_value.count(value)) for value in sorted(set(by_value), reverse=True))
    return f"{points} ({' '.join(str(value) if n == 1 else f'{n}x{value}' for value, n in numbers)})"


def lamps(view: View) -> tuple[Lamp, ...]:
    """Return the lamps: blinking for a due bid or report, then on."""
    return _lamps(view, reports=view.reporting)


def lamps_by_hand(view: View) -> tuple[Lamp, ...]:
    """Return the lamps with real cards, when all seats owe a report at the roof."""
    return _lamps(view, reports=view.phase == Phase.ROOF)


def _lamps(view: View, *, reports: bool) -> tuple[Lamp, ...]:
    owing: tuple[Seat, ...] = ()
    done: tuple[Seat, ...] = ()
    if view.phase == Phase.BID:
        owing, done = view.duel, view.locked
    elif reports:
        owing, done = each_seat(view.seats), view.reported
    return tuple(
        Lamp.ON if seat in done else Lamp.BLINK if seat in owing else Lamp.OFF for seat in range(view.seats)
    )

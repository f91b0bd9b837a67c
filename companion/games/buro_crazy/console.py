"""Büro Crazy's console: two keypads bid in secret, `#` locks, `*` takes back; nothing depends on how fast."""

from collections.abc import Mapping
from typing import Final, NoReturn

from companion.core.console import BACK, Call, Deal, Keyed, Lamp, Stage
from companion.core.move import TABLE, Move, Seat, SecretMove, each_seat
from companion.core.text import Text, msg
from companion.games.buro_crazy.rules import SECRETS, View, bid_verb, card_values
from companion.games.buro_crazy.rules.change import Cards, fewest, worth
from companion.games.buro_crazy.rules.components import Phase, by_cards, by_total, figures_each
from companion.games.buro_crazy.rules.placement import Placements

PLACE_MS: Final = 500
TOSS_MS: Final = 1500
"""The pauses before the figures are placed and a coin falls."""

ROOF_MS: Final = 0
"""The roof is dealt at once, so that nobody keys a report of real cards before it."""

LOCK: Final = "#"

MOST_DIGITS: Final = 4
"""No number of points or of cards has more."""


def stage(view: View) -> Stage:
    """Say what the referee waits for. The keying of a duel lasts until its next attempt."""
    if view.phase == Phase.SETUP:
        return Stage(deal=Deal(PLACE_MS, together=True))
    if view.phase == Phase.COIN:
        return Stage(deal=Deal(TOSS_MS))
    keying = len(view.board) * view.attempt + view.step
    dealing = view.phase == Phase.ROOF and by_cards(view.rulings) and not view.reporting
    return Stage(deal=Deal(ROOF_MS, together=True) if dealing else None, keying=keying)


def called(view: View, winners: tuple[Call, ...]) -> NoReturn:
    """Raise NotImplementedError: nothing here is a race."""
    raise NotImplementedError("Büro Crazy has no race")


def early(view: View, seat: Seat) -> Move | None:
    """Return None: nothing here is a race."""
    return None


def key(view: View, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
    """Return what a key means: of a bid, of a report, or of what the house reads off the table."""
    typed = entries.get(seat, "")
    if seat == TABLE:
        return _house_key(view, key, typed)
    if may_bid(view, seat):
        return _bid_key(view, seat, key, typed)
    if view.phase == Phase.BID and seat in view.locked and key == BACK:
        return Keyed(move=Move(seat, "retract"))
    if may_report(view, seat):
        if key == LOCK and typed and int(typed) <= worth(view.box.deck, view.box.values):
            return Keyed(move=SecretMove(seat, "report", (int(typed),)))
        return _digit(key, typed)
    return Keyed(typed, accepted=False)


def may_bid(view: View, seat: Seat) -> bool:
    """Tell whether a seat owes a bid."""
    return view.phase == Phase.BID and seat in view.duel and seat not in view.locked


def may_report(view: View, seat: Seat) -> bool:
    """Tell whether a seat may key its final points; of cards that the companion knows it need not."""
    return view.phase == Phase.ROOF and seat not in view.reported and not view.dealt


def _bid_key(view: View, seat: Seat, key: str, typed: str) -> Keyed:
    hand = view.hand
    assert hand is not None
    if by_total(view.rulings):
        if key != LOCK:
            return _digit(key, typed)
        cards = fewest(int(typed or "0"), hand, view.values)
        if cards is None:
            return Keyed("", accepted=False)  # another number is typed from its first digit
        return Keyed(move=_bid(view, seat, cards))
    if key == LOCK:
        return Keyed(move=_bid(view, seat, _typed_cards(view, typed)))
    if key == BACK and typed:
        return Keyed(typed[:-1])
    if key.isdecimal() and 1 <= int(key) <= len(hand) and typed.count(key) < hand[int(key) - 1]:
        return Keyed(typed + key)
    return Keyed(typed, accepted=False)


def _typed_cards(view: View, typed: str) -> Cards:
    return tuple(typed.count(str(place)) for place in range(1, len(view.values) + 1))


def _bid(view: View, seat: Seat, cards: Cards) -> Move:
    return SecretMove(seat, bid_verb(view.rulings), cards)


def _digit(key: str, typed: str) -> Keyed:
    """Add a digit to a number, or take the last one back."""
    if key == BACK and typed:
        return Keyed(typed[:-1])
    if key.isdecimal() and len(typed) < MOST_DIGITS:
        return Keyed(typed + key)
    return Keyed(typed, accepted=False)


def _house_key(view: View, key: str, typed: str) -> Keyed:
    """The house keys what it reads off the table: seats of figures, the side of a coin, cards on the roof."""
    if view.phase == Phase.COIN and key in {str(seat + 1) for seat in view.duel}:
        return Keyed(move=Move(TABLE, "coin", (int(key) - 1,)))
    if view.phase == Phase.SETUP:
        return _placing_key(view, key, typed)
    if view.phase in {Phase.BID, Phase.ROOF} and not by_cards(view.rulings):
        if key == LOCK and typed and int(typed) <= sum(view.box.deck):
            return Keyed(move=Move(TABLE, "counted", (int(typed),)))
        return _digit(key, typed)
    return Keyed(typed, accepted=False)


def _placing_key(view: View, key: str, typed: str) -> Keyed:
    each = figures_each(view.box, view.seats)
    if key == LOCK:
        spaces = tuple(int(digit) - 1 for digit in typed)
        if spaces in Placements(view.seats, each):
            return Keyed(move=Move(TABLE, "place", spaces))
    elif key == BACK and typed:
        return Keyed(typed[:-1])
    elif key.isdecimal() and 1 <= int(key) <= view.seats and len(typed) < view.seats * each:
        return Keyed(typed + key)
    return Keyed(typed, accepted=False)


def house(view: View, control: str) -> Move | None:
    """Return None: the house has a keypad, and no control of its own here."""
    return None


def keys_for(view: View, move: Move) -> tuple[str, ...]:
    """Return the keys of a move; () for a bid of other cards than its total would be keyed as."""
    if move.verb == "retract":
        return (BACK,)
    if move.verb not in SECRETS:
        return ()
    if move.verb == "report":
        return (*str(move.args[0]), LOCK)
    if not by_total(view.rulings):
        return (*"".join(str(place) * count for place, count in enumerate(move.args, 1)), LOCK)
    points = worth(move.args, view.values)
    shown = view.hand is not None and fewest(points, view.hand, view.values) == move.args
    return (*str(points), LOCK) if shown else ()


def prompt(view: View) -> Text:
    """Say what the reader may do now; nothing in it depends on what is held or keyed."""
    you = view.you
    if view.phase == Phase.OVER:
        return msg("The match is over")
    if view.phase == Phase.SETUP:
        return msg("The figures go on the stairs")
    if view.phase == Phase.COIN:
        return msg("{pair}: a coin decides", pair=view.pair)
    if view.phase == Phase.ROOF:
        return _roof_prompt(view)
    if you is None or you not in view.duel:
        return msg("{pair}: two secret bids", pair=view.pair)
    if you in view.locked:
        return msg("Locked; {back} takes it back", back=BACK)
    if by_total(view.rulings):
        return msg("Your bid: points, {back} back, {lock} locks", back=BACK, lock=LOCK)
    values = " ".join(map(str, view.values))
    return msg("1-{n} add {values}, {lock} locks", n=len(view.values), values=values, lock=LOCK)


def _roof_prompt(view: View) -> Text:
    if not view.reporting:
        if view.you is None or view.dealt:
            return msg("The roof is dealt into {n} piles", n=view.box.piles)
        return msg("The roof: of real cards key your points, {lock}", lock=LOCK)
    if view.you is None:
        return msg("Everybody keys all his points")
    if view.you in view.reported:
        return msg("Wait for the others")
    return msg("Key all your points, then {lock}", lock=LOCK)


def private(view: View, entry: str) -> Text | None:
    """Say what a seat holds, and what it has keyed or locked."""
    hand, you = view.hand, view.you
    if hand is None or you is None or view.phase in {Phase.SETUP, Phase.OVER}:
        return None
    held = _cards_text(hand, view.values)
    if view.bid is not None:
        return msg("Locked {bid}; hand {held}", bid=_cards_text(view.bid, view.values), held=held)
    if may_bid(view, you):
        bid = entry or "0"
        if not by_total(view.rulings):
            bid = _cards_text(_typed_cards(view, entry), view.values)
        return msg("Bid {bid}; hand {held}", bid=bid, held=held)
    if may_report(view, you) and (view.reporting or entry):
        return msg("Points {entry}; hand {held}", entry=entry or "–", held=held)
    return msg("Hand {held}", held=held)


def _cards_text(cards: Cards, values: Cards) -> str:
    """Return cards as `23 (20 2 1)`: their points and, where cards are known, how many of which."""
    points, by_value = worth(cards, values), card_values(cards, values)
    if not by_value:
        return str(points)
    numbers = ((value, by_value.count(value)) for value in sorted(set(by_value), reverse=True))
    return f"{points} ({' '.join(str(value) if n == 1 else f'{n}x{value}' for value, n in numbers)})"


def lamps(view: View) -> tuple[Lamp, ...]:
    """Return each seat's lamp: blinking while it owes a bid or a report, on when that is locked."""
    owing: tuple[Seat, ...] = ()
    done: tuple[Seat, ...] = ()
    if view.phase == Phase.BID:
        owing, done = view.duel, view.locked
    elif view.reporting:
        owing, done = each_seat(view.seats), view.reported
    return tuple(
        Lamp.ON if seat in done else Lamp.BLINK if seat in owing else Lamp.OFF for seat in range(view.seats)
    )

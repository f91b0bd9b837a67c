"""Böse Buben's console: keys and prompts for plays, actions and purchases."""

from collections.abc import Callable, Mapping
from itertools import permutations, product
from typing import Final

from companion.core.choices import Args
from companion.core.console import (
    BACK,
    NOTHING_TYPED,
    Deal,
    HouseEntry,
    Keyed,
    Lamp,
    Stage,
    Touch,
    digits_of,
    no_effect,
    seat_codes,
)
from companion.core.key_question import KeyQuestion
from companion.core.move import TABLE, Move, Seat, SecretMove, each_seat
from companion.core.text import Text, msg, seat_name
from companion.games.boese_buben.own import (
    TEXT_KEY,
    free_of_all,
    named,
    offered,
    own_of,
    price_of,
    price_of_all,
    typed_cards,
)
from companion.games.boese_buben.rules import BUY, FREE, LEAVE, Phase, View
from companion.games.boese_buben.rules.cards import CARDS, NAMES, Action, Card, card_text, owner
from companion.games.boese_buben.rules.reasons import (
    NO_FREE,
    NO_MUD,
    NO_RACE,
    OTHER_SEAT,
    no_card,
    no_lane,
    no_mud,
    no_seat,
    not_the_turn,
    too_dear,
    too_few,
)
from companion.games.boese_buben.text import COLOURS

FIRST_MS: Final = 500
"""The pause before the starting player is drawn."""

NONE_KEY: Final = "0"
"""Declines an action, as the buzzer does. Lanes, places and seats count from 1."""

YES_KEY: Final = "1"
FREE_KEY: Final = "2"
"""Bribery answers, with NONE_KEY for no. The buzzer means yes."""

ALL_KEY: Final = "A"
NO_MORE_KEY: Final = "B"
"""Answers for all remaining own cards in a penalty zone."""

PLAIN_KEY: Final = "#"
"""After value and lane, if the copy matters: the one without a text."""

MUD_KEY: Final = "A"
"""After a lane: its mud, if an Austausch may reach it."""

_TWICE: Final = "12345"
"""The values with two copies."""

_DUE: Final = {Phase.TURN, Phase.ACTION, Phase.MC, Phase.BRIBERY}
"""The phases in which a seat must act."""


def stage(view: View) -> Stage:
    """Return a draw before the first race, otherwise keys.

    Entries last until a penalty zone is done, since one answer may cover all own cards in it.
    """
    if view.phase == Phase.SETUP:
        return Stage(deal=Deal(FIRST_MS, together=True))
    zone = view.race * (len(view.tracks) + 1) + view.asked[0]
    return Stage(keying=zone if view.phase == Phase.BRIBERY else None)


# This game has neither races to the buzzer nor house controls that make a move.
called: Final = no_effect
early: Final = no_effect
house: Final = no_effect


def action_of(view: View) -> Action:
    return view.box.actions[view.last % CARDS]


def key(view: View, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
    """Return the effect of a key: it extends an entry or completes it.

    A complete entry is a move even if it is illegal, since the rules explain the refusal.
    """
    entry = entries.get(seat, "")
    if key == BACK and entry:
        return Keyed(entry[:-1])
    if view.phase == Phase.OVER:
        return Keyed(entry, why=msg("the match is over"))
    if seat != view.mover:
        return Keyed(entry, why=NO_RACE if view.phase == Phase.SETUP else not_the_turn(view.mover)[1])
    if key == BACK:
        return Keyed(why=NOTHING_TYPED)
    # In the bribery an entry is an answer already given.
    read = question(view).read("" if view.phase == Phase.BRIBERY else entry, key)
    return Keyed(entry, why=read) if isinstance(read, Text) else read


def keys_for(view: View, move: Move) -> tuple[str, ...]:
    return question(view).keys_for(move)


def touches(view: View, entry: str) -> tuple[Touch, ...] | None:
    """Return the mover's playable cards, or the answers to the open question."""
    if view.phase == Phase.SETUP:
        return None
    if view.you is None or view.you != view.mover or view.phase not in _DUE:
        return ()
    if view.phase == Phase.TURN:
        return _cards_to_touch(view, entry)
    if view.phase == Phase.BRIBERY:
        return _purchases_to_touch(view)
    return _next_to_touch(view, entry)


def _cards_to_touch(view: View, entry: str) -> tuple[Touch, ...]:
    asked, cards = question(view), []
    plays = asked.answers
    for card in view.hand:
        name = card_text(card)
        keys = "".join(asked.keys_for(Move(view.mover, "play", (card % CARDS, 1))))
        first = keys[:2] if keys[1] == TEXT_KEY else keys[0]
        cards.append(Touch(BACK * len(entry) + first, msg("Card {card}", card=name), f"card {name}"))
    lanes = [
        Touch(keys.removeprefix(entry), msg("Lane {n}", n=plays[keys].args[-1]))
        for keys in plays
        if entry and keys.startswith(entry) and not keys.endswith(TEXT_KEY) and keys[len(entry)] != TEXT_KEY
    ]
    return (*cards, *lanes)


def _purchases_to_touch(view: View) -> tuple[Touch, ...]:
    asked, poor = question(view), view.purse is not None and view.purse < view.price
    keys = {*asked.answers, *asked.several} - ({YES_KEY} if poor else set())
    words = {
        YES_KEY: msg("Pay {price}", price=view.price) if view.price else msg("Yes"),
        FREE_KEY: msg("For free"),
        NONE_KEY: msg("No"),
        ALL_KEY: msg("Buy all"),
        NO_MORE_KEY: msg("Buy none"),
    }
    return tuple(Touch(key, text) for key, text in words.items() if key in keys)


def _next_to_touch(view: View, entry: str) -> tuple[Touch, ...]:
    following = {keys[len(entry)] for keys in question(view).answers if keys.startswith(entry) and keys != entry}
    found = [Touch(key, _next_text(view, entry, key)) for key in sorted(following - {NONE_KEY})]
    if NONE_KEY in following:
        found.append(Touch(NONE_KEY, msg("No")))
    return (*found, Touch(BACK, msg("Delete"))) if entry else tuple(found)


def _next_text(view: View, entry: str, key: str) -> Text:
    if view.phase == Phase.MC:
        return seat_name(Seat(int(key) - 1))
    if key == MUD_KEY:
        return msg("Its mud")
    lane_at = 0 if action_of(view) == Action.RAENGELEI else _lane_at(view, entry)
    if lane_at == len(entry):
        return msg("Lane {n}", n=int(key))
    lane, in_mud = int(entry[lane_at]) - 1, entry[-1] == MUD_KEY
    cards = view.zones[lane] if in_mud else view.tracks[lane]
    card = cards[int(key) - 1]
    return msg("{n}: card {card}, {who}", n=int(key), card=card_text(card), who=seat_name(owner(card)))


def _lane_at(view: View, entry: str) -> int:
    """Return the index of the current lane in the entry, after any complete spot."""
    spots = _spots(view, mud=True)
    first = next((spot for spot in spots if entry.startswith(spot)), "")
    return len(first)


# --- Questions to the mover -------------------------------------------------------------------------------


def question(view: View) -> KeyQuestion:
    if view.phase == Phase.ACTION:
        actions = {Action.AUSTAUSCH: _which_two, Action.RAUSWURF: _which_out, Action.RAENGELEI: _which_order}
        return actions[action_of(view)](view)
    phases = {
        Phase.SETUP: _who_begins,
        Phase.TURN: _which_card,
        Phase.MC: _which_mc,
        Phase.BRIBERY: _whether_to_buy,
    }
    return phases[view.phase](view)


def _who_begins(view: View) -> KeyQuestion:
    seats = len(view.counts)
    answers = {str(seat + 1): Move(TABLE, "first", (seat,)) for seat in range(seats)}
    prompt = msg("Who begins? House: 1 to {seats}", seats=seats)
    return KeyQuestion(prompt, answers, lambda keys: no_seat(keys, seats)[1])


def _which_card(view: View) -> KeyQuestion:
    """Ask for a value, A for the copy with the text, and a lane; in the basic game, for the copy last."""
    seat, lanes = view.mover, range(1, len(view.tracks) + 1)
    plays = {
        f"{name.upper()}{lane}": Move(seat, "play", (card, lane))
        for card, name in enumerate(NAMES)
        for lane in lanes
    }
    if view.rulings.variant == "action":
        prompt = msg("Card 0-6, then lane 1-{lanes}. A between: action card", lanes=len(lanes))
    else:
        prompt = msg("Press your card, 0-6, then its lane, 1-{lanes}", lanes=len(lanes))
        for number, lane in product(_TWICE, lanes):
            held = [card % CARDS for card in view.hand if card_text(card)[0] == number]
            plain = plays.pop(f"{number}{lane}")
            if len({view.box.goblins[card] for card in held}) > 1:  # then the copy matters
                prompt = msg("Card 0-6, lane 1-{lanes}. Then A: action card, #: plain", lanes=len(lanes))
                plays[f"{number}{lane}{PLAIN_KEY}"] = plain
                plays[f"{number}{lane}{TEXT_KEY}"] = plays[f"{number}{TEXT_KEY}{lane}"]
            else:
                plays[f"{number}{lane}"] = Move(seat, "play", (min(held), lane)) if held else plain

    def why(keys: str) -> Text:
        if keys[0] not in NAMES:
            return msg("{key} is not a card: the cards are 0 to 6", key=keys[0])
        if keys[1:] == TEXT_KEY:
            return msg("the {card} has no action: leave out A", card=keys[0])
        if keys[1] != TEXT_KEY and keys[2:]:
            return msg("{key} is not a choice: A is the action card, # the plain one", key=keys[2])
        return no_lane(keys[-1], len(lanes))[1]

    return KeyQuestion(prompt, plays, why)


def _use(view: View, prompt: Text, uses: Mapping[str, Move], why: Callable[[str], Text]) -> KeyQuestion:
    return KeyQuestion(prompt, {NONE_KEY: Move(view.mover, "decline"), **uses}, why, buzzer=NONE_KEY)


def _which_two(view: View) -> KeyQuestion:
    mud = view.rulings.austausch_mud
    spots = _spots(view, mud=mud)
    pairs = {f"{one}{other}": sorted((spots[one], spots[other])) for one, other in product(spots, repeat=2)}
    uses = {keys: Move(view.mover, "exchange", (*first, *second)) for keys, (first, second) in pairs.items()}

    def why(keys: str) -> Text:
        first = next((one for one in spots if keys.startswith(one)), "")
        return _no_spot(view, keys.removeprefix(first), mud=mud)

    prompt = msg("Swap cards: lane {digits}, place, lane, place (0: no)", digits=_lanes(uses))
    if mud and any(view.zones):
        prompt = msg("Swap two: lane {digits}, place (mud: A, place). 0: no", digits=_lanes(uses))
    return _use(view, prompt, uses, why)


def _which_out(view: View) -> KeyQuestion:
    """Ask for lane and place of a card. The rules refuse all but 5 and 6."""
    lanes = {move.args[0] for move in view.moves if move.verb == "eject"}
    spots = {keys: spot for keys, spot in _spots(view, mud=False).items() if spot[0] in lanes}
    uses = {keys: Move(view.mover, "eject", spot) for keys, spot in spots.items()}
    prompt = msg("Throw out a five or a six: lane {digits}, place (0: no)", digits=_lanes(uses))
    if view.rulings.rauswurf == "must":
        prompt = msg("Throw out a five or a six: lane {digits}, place", digits=_lanes(uses))
    return _use(view, prompt, uses, lambda keys: _no_spot(view, keys, mud=False))


def _lanes(uses: Mapping[str, Move]) -> str:
    return digits_of(sorted({int(keys[0]) for keys in uses}))


def _spots(view: View, *, mud: bool) -> dict[str, Args]:
    """Return the (lane, place) of each card by its keys."""
    spots: dict[str, Args] = {}
    for lane, (track, zone) in enumerate(zip(view.tracks, view.zones, strict=True), 1):
        if mud:
            spots |= {f"{lane}{MUD_KEY}{-place}": (lane, place) for place in range(-len(zone), 0)}
        spots |= {f"{lane}{place}": (lane, place) for place in range(1, len(track) + 1)}
    return spots


def _no_spot(view: View, keys: str, *, mud: bool) -> Text:
    lane, in_mud, place = _digit(keys[0]), keys[1:2] == MUD_KEY, keys[1:].removeprefix(MUD_KEY)
    if not 1 <= lane <= len(view.tracks):
        return no_lane(keys[0], len(view.tracks))[1]
    if in_mud and not mud:
        return NO_MUD
    if place and not place.isdecimal():
        return _no_number(place)
    number = int(place or 1)
    missing = no_mud(view.zones, lane, number) if in_mud else no_card("BB-R31", view.tracks, lane, number)
    return missing[1] if missing else msg("lane {lane} has no 5 or 6", lane=lane)


def _no_number(key: str) -> Text:
    return msg("{key} is not a place: press a number after the lane", key=key)


def _which_order(view: View) -> KeyQuestion:
    uses = {
        "".join(map(str, (lane, *order))): Move(view.mover, "reorder", (lane, *order))
        for lane, track in enumerate(view.tracks, 1)
        if len(track) > 1
        for order in permutations(range(1, len(track) + 1))
    }

    def why(keys: str) -> Text:
        lane, last = _digit(keys[0]), keys[-1]
        if not 1 <= lane <= len(view.tracks):
            return no_lane(keys[0], len(view.tracks))[1]
        cards = len(view.tracks[lane - 1])
        if cards < 2:
            return too_few(lane, cards)
        if not last.isdecimal():
            return _no_number(last)
        missing = no_card("BB-R33", view.tracks, lane, int(last))
        return missing[1] if missing else msg("you already named place {place}", place=last)

    return _use(
        view, msg("Reorder a lane: {digits}, then its places in order (0: no)", digits=_lanes(uses)), uses, why
    )


def _which_mc(view: View) -> KeyQuestion:
    seats = len(view.counts)
    pairs = permutations(range(seats), 2)
    uses = {f"{giver + 1}{taker + 1}": Move(view.mover, "move_mc", (giver, taker)) for giver, taker in pairs}

    def why(keys: str) -> Text:
        return OTHER_SEAT if 1 <= _digit(keys[-1]) <= seats else no_seat(keys[-1], seats)[1]

    return _use(view, msg("Move an MC card: from seat, to seat 1-{seats} (0: no)", seats=seats), uses, why)


def _digit(key: str) -> int:
    return int(key) if key.isdecimal() else 0


def _whether_to_buy(view: View) -> KeyQuestion:
    cards, has_right = offered(view), view.free == view.mover
    all_free = has_right and view.rulings.kostenlos == "all"
    leaves = SecretMove(view.mover, "answer", (LEAVE,))

    def buys(card: Card, *, free: bool) -> Move:
        # A right to a free card is never spent on a card that is free anyway.
        said = FREE if free and view.box.goblins[card % CARDS] else BUY
        return SecretMove(view.mover, "answer", (said,))

    answers = {NONE_KEY: leaves, YES_KEY: buys(view.card, free=all_free)}
    several: dict[str, tuple[Move, ...]] = {}
    if has_right:
        answers[FREE_KEY] = buys(view.card, free=True)
    if len(cards) > 1:
        several[NO_MORE_KEY] = (leaves,) * len(cards)
        # A partial purchase would reveal an empty purse (BB-A13).
        if view.purse is None or view.purse >= price_of_all(view):
            several[ALL_KEY] = tuple(buys(card, free=all_free or card == free_of_all(view)) for card in cards)

    def why(key: str) -> Text:
        if key == FREE_KEY:
            return NO_FREE
        if key == ALL_KEY and len(cards) > 1 and view.purse is not None:
            return too_dear(view.purse)
        return msg("{key} is not an answer: 1 is yes, 0 is no", key=key)

    return KeyQuestion(_buying_prompt(view), answers, why, several, buzzer=YES_KEY)


def _buying_prompt(view: View) -> Text:
    asked: dict[str, object] = {"card": named(view, view.card), "price": view.price}
    has_right = view.free == view.you
    if len(offered(view)) > 1:
        free = free_of_all(view)
        if not has_right:
            return msg("Buy card {card} back for {price}? 1: yes, 0: no, A: all, B: none", **asked)
        if free is None:
            return msg("Buy {card} back? 1: pay {price}, 2: free, 0: no, A: all, B: none", **asked)
        asked["dearest"] = named(view, free)
        return msg("Buy {card}? 1: pay {price}, 2: free, 0: no, A: all ({dearest} free), B: none", **asked)
    if not view.price and has_right:
        return msg("Take card {card} back for free? 1, 2: yes, 0: no", **asked)
    if not view.price:
        return msg("Take card {card} back for free? 1: yes, 0: no", **asked)
    if has_right:
        return msg("Buy card {card} back? 1: pay {price}, 2: free, 0: no", **asked)
    return msg("Buy card {card} back for {price}? 1: yes, 0: no", **asked)


def house_entry(view: View, entry: str) -> HouseEntry | None:
    """Return the codes by which the house chooses the starting player."""
    if view.phase != Phase.SETUP:
        return None
    return HouseEntry(prompt(view), seat_codes(each_seat(len(view.counts)), "goblin", COLOURS))


def prompt(view: View) -> Text:
    """Return what the viewing seat may do, or who must act."""
    if view.phase == Phase.OVER:
        return msg("The match is over")
    if view.phase == Phase.SETUP:
        if view.you is not None:
            return msg("Who begins?")  # decided by a draw, or by the house, which has its own prompt
        return question(view).prompt
    if view.you == view.mover:
        return question(view).prompt
    who = seat_name(view.mover)
    if view.phase == Phase.TURN:
        return msg("{seat} plays a card", seat=who)
    if view.phase == Phase.BRIBERY:
        return msg(
            "{seat}: buy card {card} back for {price}?", seat=who, card=named(view, view.card), price=view.price
        )
    if view.phase == Phase.MC:
        return msg("{seat} may move an MC card", seat=who)
    action = action_of(view)
    if action == Action.RAUSWURF and view.rulings.rauswurf == "must":
        return msg("{seat} must throw out a five or a six", seat=who)
    return _MAY_USE[action]._replace(values=(("seat", who),))


_MAY_USE: Final = {
    Action.AUSTAUSCH: msg("{seat} may swap two equal cards"),
    Action.RAUSWURF: msg("{seat} may throw out a five or a six"),
    Action.RAENGELEI: msg("{seat} may reorder a lane"),
}

_TEXTS: Final = {
    Action.KOSTENLOS: msg("one card back free if it ends the race"),
    Action.SCHIEBUNG: msg("move an MC card if it ends the race"),
    Action.AUSTAUSCH: msg("swap two equal cards"),
    Action.RAUSWURF: msg("throw out a 5 or a 6 for 1 ducat"),
    Action.RAENGELEI: msg("reorder a lane"),
}


def typed(view: View, entry: str) -> Text | None:
    """Return the entry in words, the effect of a text, or the question which copy is meant."""
    if view.phase == Phase.TURN and entry[1:].isdecimal():
        return msg("Which {card}? A: action card, #: plain", card=entry[0])
    if view.phase == Phase.TURN and entry and view.rulings.variant == "action":
        held = [card % CARDS for card in view.hand if card_text(card) == f"{entry[0]}{TEXT_KEY.lower()}"]
        text = _TEXTS[view.box.actions[held[0]]] if held else None
        if text and entry[1:] == TEXT_KEY:
            return msg("{card}, which lane? Action: {text}", card=entry[0], text=text)
        if text and not entry[1:]:
            return msg("{card}, which lane? A: {text}", card=entry[0], text=text)
    return msg("Typed: {entry}", entry=entry) if entry else None


def private(view: View, entry: str) -> Text | None:
    """Return the seat's ducats, and its hand without the typed card."""
    if view.purse is None or view.phase == Phase.OVER:
        return None
    ducats = msg("{n} ducat", "{n} ducats", n=view.purse)
    if view.phase == Phase.BRIBERY and view.you == view.mover and view.purse < view.price:
        return msg("{ducats}: not enough", ducats=ducats)
    if view.phase == Phase.BRIBERY and view.you == view.mover and len(offered(view)) > 1:
        prices = (f"{named(view, card)}: {price_of(view, card)}" for card in offered(view))
        return msg("{ducats}; {hand}", ducats=ducats, hand=", ".join(prices))
    hand = sorted(named(view, card) for card in view.hand)
    if view.phase == Phase.TURN:
        for card in typed_cards(view, entry)[:1]:
            hand.remove(named(view, card))
    return msg("{ducats}; {hand}", ducats=ducats, hand=" ".join(hand) or "–")


own: Final = own_of


def lamps(view: View) -> tuple[Lamp, ...]:
    due = view.mover if view.phase in _DUE else None
    return tuple(Lamp.ON if seat == due else Lamp.OFF for seat in range(len(view.counts)))

"""Why a move is refused. Only its owner reads the refusal of a secret move."""

from typing import Final

from companion.core.choices import Args
from companion.core.move import TABLE, Seat
from companion.core.seats import seat_text
from companion.core.text import Text, msg
from companion.core.verbs import Reason
from companion.games.buro_crazy.rules.building import pair_name
from companion.games.buro_crazy.rules.change import worth
from companion.games.buro_crazy.rules.components import Phase, State, figures_each
from companion.games.buro_crazy.rules.end import pile_size, report_range

# --- By whom, and when --------------------------------------------------------------------------------------


def _no_seat(state: State, seat: object) -> Text:
    named = seat + 1 if type(seat) is int else seat
    return msg("{seat}: the seats are 1 to {n}", seat=named, n=state.terms.seats)


def no_player(state: State, seat: Seat, _: Args) -> Text:
    return msg("only a player can do this") if seat == TABLE else _no_seat(state, seat)


def nobody_bids(state: State, _: Seat, __: Args) -> Text:
    if state.phase is Phase.SETUP:
        return msg("bids start once the figures are placed")
    if state.phase is Phase.COIN:
        return msg("a coin decides; nobody bids now")
    return msg("the last duel is over: bidding has ended")


def others_bid(state: State, _: Seat, __: Args) -> Text:
    one, other = map(seat_text, state.duel)
    return msg("seats {one} and {other} bid at {pair}", one=one, other=other, pair=pair_name(state.step))


def dealt_by_hand(state: State, _: Seat, __: Args) -> Text:
    if state.terms.by_cards:
        return msg("players enter their points: they deal the roof by hand")
    return msg("only points are tracked: players deal the roof by hand")


COUNTED_BEFORE: Final = msg("the roof is counted before points are entered; undo the points first")


# --- With which numbers -------------------------------------------------------------------------------------


def _so_many(args: Args, number: int) -> Text | None:
    if isinstance(args, tuple) and [*map(type, args)] == [int] * number:
        return None
    return msg("this needs {n} number", "this needs {n} numbers", n=number)


def no_numbers(_: State, __: Seat, ___: Args) -> Text:
    return msg("a bid is reopened as a whole: this needs no number")


def colour(state: State, _: Seat, args: Args) -> Text:
    seats, box = state.terms.seats, state.terms.box
    wrong = _so_many(args, 2)
    if wrong:
        return wrong
    seat, wanted = args
    if seat not in range(seats):
        return _no_seat(state, seat)
    if wanted not in range(len(box.colours)):
        return msg("allowed colours: {values}", values=", ".join(box.colours))
    name = Text(box.colours[wanted])
    if not box.fits(wanted, seats):
        each = figures_each(box, seats)
        return msg("{colour} has {n} figures; {each} are needed", colour=name, n=box.figures[wanted], each=each)
    owner = state.colours.index(wanted)
    return msg("{colour} is taken by seat {seat}", colour=name, seat=owner + 1)


def place(state: State, _: Seat, args: Args) -> Reason:
    seats = state.terms.seats
    each = figures_each(state.terms.box, seats)
    strangers = [seat for seat in args if seat not in range(seats)]
    if strangers:
        return "BC-R1", _no_seat(state, strangers[0])
    why = misplaced(args, seats, each)
    counted = sorted(args) == sorted([*range(seats)] * each)
    return why if counted else ("BC-R1", why)


def misplaced(args: Args, seats: int, each: int) -> Text:
    size = seats * each
    if len(args) != size:
        return msg(
            "{n} figure; expected {size}, {each} for each seat",
            "{n} figures; expected {size}, {each} for each seat",
            n=len(args),
            size=size,
            each=each,
        )
    for seat in range(seats):
        if args.count(seat) != each:
            return msg("{n} figures of seat {seat}; expected {each}", n=args.count(seat), seat=seat + 1, each=each)
    pair = next(pair for pair in range(size // 2) if args[2 * pair] == args[2 * pair + 1])
    return twice(pair, Seat(args[2 * pair]))


def twice(pair: int, seat: Seat) -> Text:
    return msg("P{pair} has two figures of seat {seat}: they cannot fight", pair=pair + 1, seat=seat + 1)


def all_placed(each: int) -> Text:
    return msg("all your {n} figures are placed", n=each)


def cards(state: State, seat: Seat, args: Args) -> Text:
    values, hand = state.terms.values, state.hands[seat]
    wrong = _so_many(args, len(values))
    if wrong:
        return wrong
    value, wanted, held = next(
        (value, wanted, held)
        for value, wanted, held in zip(values, args, hand, strict=True)
        if not 0 <= wanted <= held
    )
    return msg("{n} cards of {value}: you hold {held}", n=wanted, value=value, held=held)


def total(state: State, seat: Seat, args: Args) -> Text:
    held = worth(state.hands[seat], state.terms.values)
    return _so_many(args, 1) or too_much(args[0], held)


def too_much(points: int, held: int) -> Text:
    return msg("{n} point: you hold {held}", "{n} points: you hold {held}", n=points, held=held)


def coin(state: State, _: Seat, args: Args) -> Text:
    one, other = map(seat_text, state.duel)
    return _so_many(args, 1) or msg("only {one} or {other} can win the toss", one=one, other=other)


def roof(state: State, _: Seat, args: Args) -> Text:
    wrong = _so_many(args, 1)
    if wrong:
        return wrong
    values = state.terms.values
    if args[0] not in values:
        return msg("no card is worth {n}; the values are {values}", n=args[0], values=", ".join(map(str, values)))
    return msg("there is no {n} left on the roof", n=args[0])


def report(state: State, seat: Seat, args: Args) -> Text:
    each = 0 if state.terms.by_cards else pile_size(state)
    return _so_many(args, 1) or impossible(args[0], report_range(state, seat), each)


def impossible(points: int, possible: range, each: int = 0) -> Text:
    """Return why a total is impossible. `each` is the counted size of piles, possibly too low."""
    least, most = possible[0], possible[-1]
    if points < least:
        return msg(
            "{n} point: your hand alone has {least}",
            "{n} points: your hand alone has {least}",
            n=points,
            least=least,
        )
    if least == most:
        return msg(
            "{n} point: your hand has {most}, and you get no card of the roof",
            "{n} points: your hand has {most}, and you get no card of the roof",
            n=points,
            most=most,
        )
    if each:
        return msg(
            "{n} point: with your piles of {each} it is {most} at most",
            "{n} points: with your piles of {each} it is {most} at most",
            n=points,
            each=each,
            most=most,
        )
    return msg(
        "{n} point: with your piles it is {most} at most",
        "{n} points: with your piles it is {most} at most",
        n=points,
        most=most,
    )


def counted(state: State, _: Seat, args: Args) -> Text:
    most = sum(state.terms.box.deck)
    wrong = _so_many(args, 1)
    if wrong:
        return wrong
    if 0 <= args[0] < state.told:
        return too_few(args[0], state.told)
    return msg("{n} cards: the game has only {most}", n=args[0], most=most)


def too_few(cards: int, least: int) -> Text:
    """Return why the house may not count fewer cards: reports rely on its count."""
    return msg(
        "{n} card: the points entered need at least {least}",
        "{n} cards: the points entered need at least {least}",
        n=cards,
        least=least,
    )

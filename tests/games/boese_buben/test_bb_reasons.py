"""Tests that every refusal gives a true reason."""

from collections.abc import Iterator
from random import Random

import pytest

from companion.core.errors import IllegalMove
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.games.boese_buben import console, rules
from companion.games.boese_buben.rules import VERBS, Phase, State
from companion.games.boese_buben.rules.bribery import goblins_asked
from tests.games.boese_buben.bb_naive import NAMES
from tests.games.boese_buben.bb_table import BOX, Play, ender, hand_of, name, some_rulings, wander
from tests.games.contract import are_all_in_both_languages, reasons


def nearby(state: State, luck: Random) -> Iterator[Move]:
    """Yield moves of every seat and verb, with numbers from too small to too large."""
    seats, lanes = len(state.hands), len(state.tracks)

    def some(*stops: int, least: int = 0) -> tuple[int, ...]:
        return tuple(luck.randrange(least, stop) for stop in stops) if luck.randrange(40) else ()

    lying = [(lane, place + 1) for lane, track in enumerate(state.tracks, 1) for place in range(len(track))]

    def spot() -> tuple[int, ...]:
        if lying and luck.randrange(2):
            return luck.choice(lying)
        return luck.randrange(lanes + 2), luck.randrange(-3, 5)

    def some_order() -> tuple[int, ...]:
        lane = luck.randrange(lanes + 2)
        if 1 <= lane <= lanes and luck.randrange(2):
            return lane, *range(1, len(state.tracks[lane - 1]) + 1)
        return lane, *luck.choices(range(5), k=luck.randrange(1, 4))

    for seat in map(Seat, range(TABLE, seats)):
        numbers = {
            "first": (luck.randrange(-1, seats + 1),),
            "play": some(13, lanes + 2, least=-1),
            "exchange": spot() + spot() if luck.randrange(40) else (),
            "eject": tuple(map(abs, spot())) if luck.randrange(40) else (),
            "reorder": some_order(),
            "move_mc": some(seats + 1, seats + 1, least=-1),
            "decline": some(2)[: luck.randrange(2)],
            "answer": (luck.randrange(4),),
        }
        assert set(numbers) == set(VERBS.names)
        for verb, args in numbers.items():
            yield (SecretMove if verb in VERBS.secrets else Move)(seat, verb, args)


def seldom() -> list[State]:
    """Return rare positions: actions to use, and free cards."""
    plays = []
    for card in ("R3a", "R4a", "R5a"):
        for lanes, lane in ((["R5 R2", "R2a B3", ""], 3), (["R6 R2", "", ""], 1)):
            plays.append(Play(2, variant="action").put(lanes, hands=["3a 4a 5a 1", "1a"]))
            plays[-1].lay(card, lane)
    mc = ender(3, closing="2a", variant="action", mc=(0, 1, 0))
    zero = ender(2, zones=["R0"], closing="1a", variant="action")
    free = ender(2, zones=["R4"], closing="1a", variant="action", kostenlos="all")
    poor = ender(2, zones=["R4"], purses=(0, 12))
    for play in (mc, zero, free, poor):
        play.end()
    return [play.state for play in (*plays, mc, zero, free, poor)]


def spots(move: Move) -> list[tuple[int, ...]]:
    """Return the (lane, place) pairs of a move; places in the mud are negative."""
    return [move.args[place : place + 2] for place in range(0, len(move.args), 2)]


def lies(at: State, spot: tuple[int, ...]) -> str:
    lane, place = spot
    return name(at.tracks[lane - 1][place - 1] if place > 0 else at.zones[lane - 1][-place - 1])


def no_such(at: State, move: Move, group: str, lane: int, place: int, n: int) -> bool:
    """Return True if a move names this place and the lane has only n cards."""
    named = (lane, -place if group == "zones" and move.verb == "exchange" else place)
    return named in spots(move) and n == len(getattr(at, group)[lane - 1]) and not 1 <= place <= n


def is_empty(at: State, move: Move, group: str, lane: int) -> bool:
    in_mud = group == "zones"
    return not getattr(at, group)[lane - 1] and any(
        at_lane == lane and (place <= 0 or not in_mud) for at_lane, place in spots(move)
    )


def is_shown(at: State, move: Move, group: str, lane: int, value: int) -> bool:
    shown = [name(card)[1] for card in getattr(at, group)[lane - 1]]
    return move.args[1] == lane and NAMES[move.args[0]][0] == str(value) in shown


TRUE_WHEN = {
    "the match is over": lambda at, _: not rules.to_act(at),
    "{number} is not a seat: the seats are 1 to {seats}": lambda at, move, number, seats: (
        number - 1 in move.args and not 1 <= number <= seats == len(at.hands)
    ),
    "{lane} is not a lane: the lanes are 1 to {lanes}": lambda at, move, lane, lanes: (
        lane in move.args and not 1 <= lane <= lanes == len(at.tracks)
    ),
    "lane {lane} is empty": lambda at, move, lane: is_empty(at, move, "tracks", lane),
    "no place {place}: lane {lane} has {n} card": lambda at, move, place, lane, n: no_such(
        at, move, "tracks", lane, place, n
    ),
    "the mud of lane {lane} is empty": lambda at, move, lane: is_empty(at, move, "zones", lane),
    "no place {place}: the mud of lane {lane} has {n} card": lambda at, move, place, lane, n: no_such(
        at, move, "zones", lane, place, n
    ),
    "first play a card: you must if you can": lambda at, _: at.phase == Phase.TURN,
    "first use your card's action or skip it": lambda at, _: (
        at.phase == Phase.ACTION and Move(at.mover, "decline", ()) in rules.legal(at, at.mover)
    ),
    "first move an MC card or skip the action": lambda at, _: at.phase == Phase.MC,
    "first say whether you buy your card back": lambda at, _: at.phase == Phase.BRIBERY,
    "first choose who begins": lambda at, _: at.phase == Phase.SETUP,
    "it's {seat}'s turn": lambda at, move, seat: seat == f"Seat {at.mover + 1}" and move.seat != at.mover,
    "name a card and its lane": lambda at, move: len(move.args) != 2,
    "there is no such card": lambda at, move: move.args[0] not in range(12),
    "you do not hold the {card}": lambda at, move, card: (
        card == NAMES[move.args[0]] and move.seat * 12 + move.args[0] not in hand_of(at, move.seat)
    ),
    "a {value} is already in the mud of lane {lane}": lambda at, move, value, lane: (
        at.terms.rulings.mud_counts and is_shown(at, move, "zones", lane, value)
    ),
    "lane {lane} already has a {value}": lambda at, move, lane, value: is_shown(at, move, "tracks", lane, value),
    "name two cards, each by lane and place": lambda at, move: len(move.args) != 4,
    "cards in the mud cannot be swapped": lambda at, move: (
        not at.terms.rulings.austausch_mud and any(place < 0 for _, place in spots(move))
    ),
    "that is the same card twice: name two cards": lambda at, move: len(set(spots(move))) == 1,
    "a {one} and a {other}: only equal numbers can be swapped": lambda at, move, one, other: (
        [one, other] == [lies(at, spot)[1:] for spot in spots(move)] and one[0] != other[0]
    ),
    "both cards are {seat}'s: swap cards of two players": lambda at, move, seat: (
        {seat} == {f"Seat {'RBGY'.index(lies(at, spot)[0]) + 1}" for spot in spots(move)}
    ),
    "name the card of the upper lane first": lambda at, move: (
        move._replace(args=move.args[2:] + move.args[:2]) in rules.legal(at, move.seat)
    ),
    "name one card by lane and place": lambda at, move: len(move.args) != 2,
    "that is a {card}: only a 5 or a 6 can be thrown out": lambda at, move, card: (
        card == lies(at, move.args)[1:] and card[0] not in "56"
    ),
    "lane {lane} has {n} card: nothing to reorder": lambda at, move, lane, n: (
        lane == move.args[0] and n == len(at.tracks[lane - 1]) < 2
    ),
    "lane {lane}: name each place from 1 to {places} once": lambda at, move, lane, places: (
        lane == move.args[0]
        and sorted(move.args[1:]) != [*range(1, places + 1)]
        and places == len(at.tracks[lane - 1])
    ),
    "lane {lane} is already in this order": lambda at, move, lane: (
        move.args == (lane, *range(1, len(at.tracks[lane - 1]) + 1))
    ),
    "you must throw out a 5 or a 6": lambda at, move: (
        at.phase == Phase.ACTION and {other.verb for other in rules.legal(at, move.seat)} == {"eject"}
    ),
    "to skip an action, name nothing else": lambda at, move: len(move.args) > 0,
    "name two seats: who gives the MC card, who gets it": lambda at, move: len(move.args) != 2,
    "an MC card must go to another seat": lambda at, move: len(set(move.args)) == 1,
    "{seat} has no MC card": lambda at, move, seat: (
        seat == f"Seat {move.args[0] + 1}" and at.books.mc[move.args[0]] == 0
    ),
    "you have no free card now": lambda at, move: move.args == (2,),
    "0 leaves the card, 1 buys it back": lambda at, move: move.args == (3,),
    "all your cards are free now: 0 leaves this one, 2 takes it": lambda at, move: (
        move.args == (1,) and at.books.free == move.seat and at.terms.rulings.kostenlos == "all"
    ),
    "a zero is free anyway: 0 leaves it, 1 takes it": lambda at, move: (
        move.args == (2,) and at.books.free == move.seat and rules.view(at, None).price == 0
    ),
    "You have {n} ducat: not enough. 0: no": lambda at, move, n: (
        move.args == (1,) and at.books.purses[move.seat] == n < goblins_asked(at)
    ),
}
"""For each refusal, a predicate of position, move and values that must hold."""


def test_refusals_give_true_reasons():
    told = set()
    for number in range(16):
        luck = Random(f"reasons {number}")
        start = rules.setup(BOX, some_rulings(luck), luck.choice(rules.SEATS))
        for state in (start, *seldom() * 15, *(after for _, _, after, _ in wander(start, luck))):
            for move in nearby(state, luck):
                told |= reasons(rules, state, move, TRUE_WHEN)
    are_all_in_both_languages(told, TRUE_WHEN)


def test_only_the_owner_reads_an_answers_refusal():
    play = ender(2)
    play.end()
    with pytest.raises(IllegalMove) as refused:
        rules.apply(play.state, SecretMove(0, "answer", (2,)))
    assert str(refused.value) == "not accepted (BB-A13)"
    assert str(refused.value.own) == "you have no free card now"


DEAR = {index: BOX._replace(goblins=(*BOX.goblins[:index], 1, *BOX.goblins[index + 1 :])) for index in (4, 10)}
"""Boxes with two different 4s."""


@pytest.mark.parametrize("index", DEAR)
def test_bb_a35_basic_game_asks_which_copy_was_played(index):
    play = Play(2, box=DEAR[index]).put(["", "", ""], hands=["4 4a 5 5a", "6"])
    view = rules.view(play.state, 0)
    asked = console.key(view, 0, "2", {0: "4"})
    assert (asked.entry, asked.move) == ("42", None)
    assert str(console.typed(view, "42")) == "Which 4? A: action card, #: plain"
    assert console.key(view, 0, "A", {0: "42"}).move == Move(0, "play", (10, 2))
    assert console.key(view, 0, "#", {0: "42"}).move == Move(0, "play", (4, 2))
    why = "3 is not a choice: A is the action card, # the plain one"
    assert str(console.key(view, 0, "3", {0: "42"}).why) == why
    assert console.key(view, 0, "2", {0: "5"}).move == Move(0, "play", (5, 2))  # equal copies
    assert "#" in str(console.prompt(view))
    for copy, keys in ((4, ("4", "2", "#")), (10, ("4", "A", "2"))):
        assert console.keys_for(view, Move(0, "play", (copy, 2))) == keys
    alone = Play(2, box=DEAR[index]).put(["", "", ""], hands=["4a 5", "6"])
    assert console.key(rules.view(alone.state, 0), 0, "2", {0: "4"}).move == Move(0, "play", (10, 2))

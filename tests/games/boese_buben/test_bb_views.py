"""Tests that views and events hide hands and purses (BB-R3, BB-A13)."""

import io
from functools import lru_cache
from itertools import pairwise
from random import Random

import pytest

from companion.cli.headless import Printer, run_script
from companion.core.console import KEYS
from companion.core.errors import IllegalMove
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.core.rules import narrated
from companion.games.boese_buben import console, rules, text
from companion.games.boese_buben.game import GAME
from companion.games.boese_buben.rules import Phase, State, View
from companion.match.virtual_table import VirtualTable
from tests.games.boese_buben.bb_table import Play, ender, rearranged
from tests.games.contract import kinds, random_match

NAMES = ("Ada", "Bo", "Cy", "Di")

each_number_of_seats = pytest.mark.parametrize("seats", rules.SEATS)


def shuffled(state: State, luck: Random, keep: Seat | None = None) -> State:
    """Return a position with the same ducats in other purses; `keep` keeps its own."""
    purses = [rules.view(state, seat).purse for seat in range(len(state.hands))]
    others = [seat for seat in range(len(purses)) if seat != keep]
    total = sum(purses[seat] for seat in others)
    cuts = [0, *sorted(luck.randint(0, total) for _ in others[1:]), total]
    for seat, (low, high) in zip(others, pairwise(cuts), strict=True):
        purses[seat] = high - low
    return rearranged(state, purses=tuple(purses))


@lru_cache(maxsize=16)  # called for each audience
def refusals(state: State) -> list[str]:
    """Return the answers to illegal moves; whether a yes is legal, only its owner learns."""
    found = []
    for seat in range(TABLE, len(state.hands) + 1):
        for verb, args in [("answer", (1,)), ("answer", (2,)), ("answer", ()), ("play", (3, 1)), ("eject", (1, 1))]:
            if seat == state.mover and args == (1,):
                continue
            try:
                rules.apply(state, Move(seat, verb, args))
            except IllegalMove as refusal:
                found.append(str(refusal))
            else:
                found.append("accepted")
    return found


def seen(state: State, audience: Seat | None) -> tuple[object, ...]:
    """Return all that an audience sees of a position."""
    view = rules.view(state, audience)
    return (
        view,
        str(console.prompt(view)),
        console.lamps(view),
        console.stage(view),
        text.picture(view, NAMES[: len(state.hands)], str),
        refusals(state),
    )


@each_number_of_seats
def test_bb_r3_public_output_never_depends_on_purses(seats):
    """Two positions that differ only in purses look the same until the end."""
    compared = answers = 0
    for number in range({2: 8, 3: 4, 4: 2}[seats]):
        luck = Random(f"purses {seats} {number}")
        for before, move, after, events in random_match("boese_buben", seats, luck):
            now = seen(after, None)
            for keep in (None, *range(seats)):
                twin = shuffled(before, luck, keep)
                assert seen(twin, keep) == seen(before, keep)
                if move not in rules.legal(twin, move.seat):
                    continue
                following, told = narrated(rules, twin, move)
                if rules.view(after, None).phase == Phase.OVER:
                    continue
                assert [e for e in told if e.visible_to(keep)] == [e for e in events if e.visible_to(keep)]
                assert seen(following, None) == now
                compared += 1
                answers += move.verb == "answer"
    assert compared > 700
    assert answers > 50


@each_number_of_seats
def test_public_view_hides_hands_purses_and_moves(seats):
    for state, *_ in random_match("boese_buben", seats, Random(f"own {seats}")):
        public = rules.view(state, None)
        assert (public.hand, public.purse, public.moves, public.hands, public.purses) == ((), None, (), (), ())
        for seat in range(seats):
            own = rules.view(state, seat)
            assert own._replace(you=None, hand=(), purse=None, moves=()) == public
            assert all(card // 12 == seat for card in own.hand)
            assert set(own.moves) == set(rules.legal(state, seat))


def test_view_has_only_the_allowed_fields():
    public = "you box rulings phase race mover starter last tracks zones counts mc asked card price free results"
    own_or_at_the_end = "hand purse moves hands purses"
    assert set(View._fields) == set(f"{public} out unpaid outcome {own_or_at_the_end}".split())


def test_view_reveals_everything_at_the_end():
    play = ender(2, race=4, purses=(9, 5), hands=["6", "4"])
    play.end()
    view = play.view
    assert view.purses == (8, 5)
    assert [len(hand) for hand in view.hands] == [1, 1]
    assert view.outcome.winners == (0,)


@each_number_of_seats
def test_events_hide_purses_until_the_end(seats):
    """Only ducats that move openly appear in events."""
    allowed = {"lane": {0, 3}, "bought": {0, 1, 2, 3}, "reward": {1}, "ready": {6}}
    told = set()
    for number in range(20):
        for *_, after, events in random_match("boese_buben", seats, Random(f"events {seats} {number}")):
            if rules.view(after, None).phase == Phase.OVER:
                break
            for happened in events:
                facts = happened.facts
                assert "purses" not in facts
                assert "purse" not in facts
                if "ducats" in facts:
                    assert facts["ducats"] in allowed[happened.kind]
                    told.add(happened.kind)
    assert told == set(allowed)


@pytest.mark.parametrize(
    ("verb", "args", "seat", "rule"),
    [
        ("first", (0,), TABLE, "BB-R4"),
        ("play", (3, 1), 1, "BB-R4"),
        ("play", (3, 9), 0, "BB-R2"),
        ("play", (3,), 0, "BB-R5"),
        ("play", (), 0, "BB-R5"),
        ("play", (0, 1), 0, "BB-R5"),
        ("play", (5, 1), 0, "BB-R6"),
        ("exchange", (1, 1, 2, 1), 0, "BB-R31"),
        ("eject", (1, 1), 0, "BB-R32"),
        ("reorder", (1, 2, 1), 0, "BB-R33"),
        ("decline", (), 0, "BB-R28"),
        ("move_mc", (0, 1), 0, "BB-R30"),
        ("answer", (1,), 0, "BB-A13"),
    ],
)
def test_refusal_names_its_paragraph(verb, args, seat, rule):
    play = Play(2).put(["B5", "", ""], hands=["3 5", "6"])
    assert play.refused(verb, *args, seat=seat) == rule


def test_answer_refusals_all_read_the_same():
    play = ender(2, purses=(0, 0))
    said = set()
    for _ in range(2):
        for seat in (TABLE, 0, 1, 2):
            for args in ((), (0,), (1,), (2,), (3,), (-1,), (1, 1)):
                move = SecretMove(seat, "answer", args)
                if move not in rules.legal(play.state, seat):
                    with pytest.raises(IllegalMove) as refused:
                        rules.apply(play.state, move)
                    said.add(str(refused.value))
        if play.phase == Phase.TURN:
            play.end()
    assert said == {"not accepted (BB-A13)"}


def test_public_log_hides_answers_until_the_end():
    match = Match(GAME, NAMES[:2], tags={"Seed": "hidden"})
    for line in ("T first 1", "1 play 0 1", "2 play 1 1", "1 play 2 1", "2 play 3 1", "1 play 4 1", "2 play 5 1"):
        match.push(GAME.notation.parse_move(match.box, line))
    match.push(Move(0, "play", (6, 1)))
    match.push(Move(0, "answer", (1,)))
    match.push(Move(1, "answer", (0,)))
    assert [entry.move for entry in match.log(None).entries][-2:] == ["1 answer ??", "2 answer ??"]
    assert [entry.move for entry in match.log(0).entries][-2:] == ["1 answer buy", "2 answer ??"]
    assert "buy" not in str(match.last_moves(2))


POOR = GAME.box_text.replace("start_ducats = 6", "start_ducats = 0")

RACE = """
0.1 table first 1
1 seat 1 keys 0 1
+0.1 seat 2 keys 1 1
+0.1 seat 1 keys 2 1
+0.1 seat 2 keys 3 1
+0.1 seat 1 keys 4 1
+0.1 seat 2 keys 5 1
+0.1 seat 1 keys 6 1
+0.1 seat 1 keys 1
"""
"""BB-E3 up to blue's card; blue has no ducat and is asked for 1."""


def printed(script: str, audience: Seat | None) -> str:
    match = Match(GAME, NAMES[:2], box_text=POOR, tags={"Deal": "pi", "Seed": "7", "SeedOrigin": "given"})
    out = io.StringIO()
    run_script(VirtualTable(match), script.splitlines(), "script", Printer(out, audience))
    return out.getvalue()


@pytest.mark.parametrize("audience", [None, 0])
def test_bb_a13_refused_yes_stays_private(audience):
    bought, left = (printed(f"{RACE}+0.1 seat 2 keys {key}\n+1 seat 2 keys 0\n", audience) for key in "18")
    assert bought == left
    assert '"left"' in bought
    assert '"bought"' in bought  # red took the zero


def test_prompts_are_equal_for_rich_and_poor():
    prompts = []
    for purses in ((0, 0), (9, 9)):
        play = ender(2, purses=purses)
        play.end()
        assert kinds(play.answer("leave")) == ["left"]
        prompts.append([str(console.prompt(rules.view(play.state, seat))) for seat in (None, 0, 1)])
    assert prompts[0] == prompts[1]


def test_answer_keys_are_equal_for_rich_and_poor():
    for purses in ((0, 0), (9, 9)):
        play = ender(2, purses=purses)
        play.end()
        view = rules.view(play.state, 0)
        meant = {key: console.key(view, 0, key, {}).move for key in KEYS}
        answers = {key: move.args for key, move in meant.items() if move}
        all_of_them = {"A": (1,)} if purses[0] else {}  # only the owner learns that the money is short
        assert answers == {"0": (0,), "1": (1,), **all_of_them, "B": (0,)}

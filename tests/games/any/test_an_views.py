"""Any other game: what its readers may see, and what never changes."""

from functools import cache
from itertools import pairwise
from random import Random

import pytest

from companion.core.move import TABLE, Seat
from companion.games.any import console, rules, text
from companion.games.any.bots import BOTS, no_robots
from companion.games.any.game import GAME
from companion.games.any.rules import Phase, Rulings, State
from companion.testing.conformance import ConformanceError, check
from tests.games.any import an_laws
from tests.games.any.an_table import BOX, QUIZ, Play, box_of, some_rulings, wander
from tests.games.contract import Step

QUIZ_GAME = GAME._replace(box_text=QUIZ)

SECRETS = ("planet", "Venus", "lake", "27")
"""Words of rounds to come."""


@cache
def steps() -> tuple[Step, ...]:
    found: list[Step] = []
    for number in range(30):
        luck = Random(f"views {number}")
        start = rules.setup(BOX, some_rulings(luck, play="list"), luck.choice(rules.SEATS))
        found += wander(start, luck)
    return tuple(found)


def public(state: State) -> list[object]:
    return [rules.view(state, None), *(rules.view(state, seat) for seat in state.seats)]


def test_an_a2_only_the_house_reads_question_and_answer():
    play = Play()
    assert (play.view.round.text, play.view.round.answer) == ("", "")
    assert str(console.private(play.own(TABLE), "")) == "Which planet has a day longer than its year? (Venus)"
    play.make("open")
    play.make("call", 0)
    assert [console.private(play.own(seat), "") for seat in play.state.seats] == [None] * 3
    play.make("right")
    assert play.view.last_answer == "Venus"
    assert (play.view.round.text, play.view.round.number) == ("How many bones has a hand?", rules.UNKNOWN)
    assert "How many bones" in text.picture(play.view, ("A", "B", "C"), str)
    assert play.own(TABLE).round.number == 27


def test_an_a2_nobody_reads_rounds_to_come():
    state = Play().state
    shown = "".join(map(repr, (*public(state), rules.view(state, TABLE)._replace(round=state.rounds[3]))))
    assert not [word for word in SECRETS if word in shown]


def test_an_p1_every_random_match_ends():
    for number in range(40):
        luck = Random(f"ends {number}")
        *_, last = wander(rules.setup(BOX, some_rulings(luck), luck.choice(rules.SEATS)), luck)
        assert rules.outcome(last[2])


def test_an_p2_texts_and_numbers_stay_with_their_readers():
    for number in range(4):
        luck = Random(f"conforms {number}")
        check(QUIZ_GAME, luck.randrange, seats=2 + number % 4, rulings=some_rulings(luck, play="list"), limit=200)


@pytest.mark.parametrize("leak", ["text", "answer", "number"])
def test_an_p2_conformance_notices_a_leaked_text(leak):
    def shown(state: State, seat: Seat | None) -> rules.View:
        seen = rules.view(state, seat)
        return seen._replace(round=seen.round._replace(**{leak: getattr(state.round, leak)}))

    leaking = QUIZ_GAME._replace(rules=_With(rules, view=shown))
    with pytest.raises(ConformanceError, match=r"the view of .* tells of the secret of the house"):
        check(leaking, Random(1).randrange, rulings=Rulings(), limit=1_000)


class _With:
    """Rules with some functions replaced."""

    def __init__(self, module: object, **replaced: object) -> None:
        vars(self).update(vars(module) | replaced)


def test_an_p3_an_p4_an_p5_laws_hold_after_every_move():
    for before, move, after, events in steps():
        an_laws.check(before, move, after, events)


def test_an_p3_points_change_only_with_a_scoring_event():
    for before, _, after, events in steps():
        if before.points != after.points:
            assert {"right", "wrong", "late", "won", "paid", "add", "take"} & {event.kind for event in events}


def test_an_p4_hourglass_loses_no_time():
    play = Play(3, play="clock", clock="hourglass", minutes=1)
    play.make("open")
    for used in (5_000, 59_999, 1):
        play.make("pass", play.state.caller, used)
    play.make("flag", play.state.caller)
    assert sum(play.state.rest_ms) == 180_000


def test_an_p5_locked_out_seat_is_never_a_caller():
    for *_, state, _ in steps():
        if state.phase in {Phase.READY, Phase.OPEN}:
            assert not set(rules.view(state, None).callers) & set(state.locked)


@pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS)
def test_an_a8_robot_acts_exactly_when_its_seat_must(bot):
    for *_, state, _ in steps():
        for seat in state.seats:
            acts = bot.acts(rules.view(state, seat), seat, Random(7))
            owes = state.phase == Phase.SEALED and state.bids[seat] is None
            assert (
                bool(acts) == (owes or (state.phase == Phase.CLOCK and seat == state.caller)) or state.number == 0
            )
            assert all(one.delay_ns < other.delay_ns for one, other in pairwise(acts))


def test_an_a8_robots_play_only_bids_and_clocks():
    plays = ("list", "first", "sealed", "clock", "lots", "points")
    assert [play for play in plays if no_robots(Rulings(play=play), "pi") is None] == ["sealed", "clock"]


def test_prompts_name_who_has_the_word():
    play = Play(play="first", asks="turns")
    assert str(console.prompt(play.own(0))) == "You ask; # opens the buzzers"
    assert str(console.prompt(play.own(1))) == "Wait: the buzzers are closed"
    play.make("open")
    assert str(console.prompt(play.view)) == "First buzzer counts"
    play.make("call", 1)
    said = [str(console.prompt(play.own(seat))) for seat in (0, 1, 2)]
    assert said == ["1: right, 0: wrong, then #", "Your answer, please", "Seat 2 has the word"]


def test_picture_shows_round_points_and_clocks():
    play = Play(2, play="clock", minutes=3)
    play.make("add", 1, 5)
    assert text.picture(play.view, ("Ada", "Bo"), str).splitlines() == [
        "Round 1 of 1: Clock",
        "  Ada  0 points  3:00",
        "  Bo  5 points  3:00",
    ]


@pytest.mark.parametrize(
    ("typed", "task", "meaning"),
    [("", "House: ok begins", None), ("2", "Points", None), ("215", "Points", "Seat 2: 15"), ("9", "Points", None)],
)
def test_house_is_told_what_it_keys(typed, task, meaning):
    entry = console.house_entry(Play(play="first").view, typed)
    assert str(entry.task).startswith(task)
    assert (str(entry.meaning) if entry.meaning else None) == meaning


def test_question_may_contain_braces():
    box = box_of('kind = "first"\ntext = "What is {x}?"\nanswer = "{"', 'kind = "points"')
    play = Play(box=box)
    assert str(console.private(play.own(TABLE), "")) == "What is {x}? ({)"
    assert str(play.make("skip")[1].sentence(("A", "B", "C"))) == "The answer: {"

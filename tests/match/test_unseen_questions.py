"""Two matches of any other game that differ in a question, or in a number not shown yet, look the same to all."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion.core.console import BUZZ
from companion.core.match import Match
from companion.core.move import TABLE, Seat
from companion.core.place import HOUSE
from companion.games import load
from companion.match.new_match import NAMES, new_match
from tests.match.test_non_interference import (
    LOCK_MS,
    Act,
    Noticed,
    Pair,
    at_the_table,
    by_script,
    compare,
    same_chance,
)
from tests.match.test_phones_tell_nothing import at_the_phones

__all__ = ["same_chance"]  # a fixture

pytestmark = pytest.mark.usefixtures("same_chance")

GAME = load("any")

ROUNDS = """
[[rounds]]
kind = "first"
text = "{text}"
answer = "{answer}"
points = 2

[[rounds]]
kind = "sealed"
text = "How many?"
number = {number}
"""

WORDS = [
    {"text": "Which planet?", "answer": "Venus", "number": 27},
    {"text": "Which metal ?", "answer": "Steel", "number": 81},
]
"""Of equal length, since the size of a record is public."""


def a_question(luck: Random) -> Pair:
    """Return a question that is asked, called and judged wrong, and the next one: its answers stay hidden."""
    seats = luck.choice(GAME.rules.SEATS)

    def make(which: int) -> Match:
        return new_match(GAME._replace(box_text=ROUNDS.format(**WORDS[which])), NAMES[:seats], seed="pair")

    acts = [Act(300, Seat(luck.randrange(seats)), BUZZ)] if luck.randrange(2) else []
    acts += [Act(600, TABLE, "ok"), Act(luck.randrange(700, 2_500), Seat(luck.randrange(seats)), BUZZ)]
    acts += [Act(luck.randrange(2_600, 6_000), TABLE, luck.choice(("pause", "2", "3", "A", "*"))) for _ in range(6)]
    for _ in range(8):
        seat = Seat(luck.randrange(seats))
        acts.append(Act(luck.randrange(2_600, 8_000), seat, luck.choice((BUZZ, "1", "0", "*", "7"))))
    return Pair(make, Seat(0), ((), ()), tuple(acts))


def a_number(luck: Random) -> Pair:
    """Return two secret numbers, of which one is corrected before it is locked."""
    seats, largest = luck.choice(GAME.rules.SEATS), luck.choice((9, 99, 9_999))
    seat, rival = luck.sample(range(seats), 2)

    def make(_: int = 0) -> Match:
        rulings = GAME.rulings(play="sealed", largest=largest, wins=luck_wins)
        return new_match(GAME, NAMES[:seats], rulings=rulings, seed="pair")

    luck_wins = luck.choice(("highest", "lowest", "closest", "shown"))
    one, two = (str(number) for number in luck.sample(range(largest + 1), 2))
    typed = []
    for keys in (one, f"{one[0]}*{two}"):
        times = sorted(luck.sample(range(150, LOCK_MS - 400, 7), len(keys)))
        typed.append(tuple(Act(at, Seat(seat), key) for at, key in zip((*times, LOCK_MS), f"{keys}#", strict=True)))
    others = [Act(50 + 20 * n, Seat(other), key) for other in range(seats) for n, key in enumerate("5#")]
    free = [other for other in range(seats) if other != seat]
    noise = [Act(luck.randrange(200, LOCK_MS), Seat(luck.choice(free)), luck.choice("12*0A")) for _ in range(5)]
    noise += [
        Act(luck.randrange(LOCK_MS + 100, 9_000), Seat(luck.choice(free)), luck.choice("12A*")) for _ in range(6)
    ]
    # The rival owes the last lock, so nothing is shown.
    return Pair(
        make, Seat(seat), (typed[0], typed[1]), tuple(act for act in (*others, *noise) if _waits(act, seat, rival))
    )


def _waits(act: Act, seat: int, rival: int) -> bool:
    return act.seat != seat and not (act.seat == rival and act.control in {"#", BUZZ})


def pair_of(number: int) -> Pair:
    luck = Random(f"unseen {number}")
    return a_question(luck) if number % 2 else a_number(luck)


def untold(noticed: Noticed) -> Noticed:
    """Return what was noticed before the answer became public, as it does if all seats are out of the round."""
    told = [t_ns for t_ns, _, what in noticed.public if '"kind": "answer"' in str(what)]
    before = [each for each in noticed.public if not told or each[0] < min(told)]
    return Noticed(noticed.place, noticed.now_ns, before, noticed.own if not told else [])


@pytest.mark.soak
def test_nothing_at_the_table_reveals_question_or_number(tmp_path: Path, soak_count: Callable[[int], int]) -> None:
    for number in range(soak_count(1_000)):
        pair, wired = pair_of(number), number % 4 < 2
        one, two = (
            at_the_table(tmp_path / f"{number}-{which}", pair, which, wired=wired, gap=number % 3 == 0)
            for which in (0, 1)
        )
        one, two = untold(one), untold(two)
        compare(one, two)
        assert {"picture", "written", "club"} <= {kind for _, kind, _ in one.public}
        if number % 2:
            assert one.own == two.own  # no seat knows the question


@pytest.mark.soak
def test_no_script_line_reveals_question_or_number(soak_count: Callable[[int], int]) -> None:
    for number in range(soak_count(1_000)):
        compare(*(by_script(pair_of(number), which) for which in (0, 1)))


@pytest.mark.soak
def test_no_seats_phone_receives_question_or_number(tmp_path: Path, soak_count: Callable[[int], int]) -> None:
    for number in range(soak_count(1_000)):
        pair, gap = pair_of(number), number % 3 == 0
        pages = [at_the_phones(tmp_path / f"{number}-{which}", pair, which, gap=gap) for which in (0, 1)]
        one, two = map(of_seats if number % 2 else untold, pages)
        compare(one, two)
        assert any(kind.startswith("sent to ") for _, kind, _ in one.public)
        assert one.own == two.own or number % 2 == 0


def of_seats(noticed: Noticed) -> Noticed:
    """Return what was noticed elsewhere than on the house's page, which has the question."""
    seats = untold(noticed)
    return Noticed(seats.place, seats.now_ns, [each for each in seats.public if each[1] != f"sent to {HOUSE}"])


def test_right_answer_is_what_the_pairs_hide() -> None:
    """The comparison notices what becomes public."""
    told: list[Noticed] = []
    for which in (0, 1):
        pair = a_question(Random("shown"))
        acts = (Act(600, TABLE, "ok"), Act(900, Seat(1), BUZZ), Act(2_000, TABLE, "right"))
        told.append(by_script(Pair(pair.make, Seat(0), ((), ()), acts), which))
    with pytest.raises(AssertionError):
        compare(*told)

"""The keys of people: what comes too soon, what is refused, what a person takes back alone, what is asked twice."""

import pytest

from companion.core.console import BUZZ
from companion.core.match import Match
from companion.core.move import TABLE, Seat, each_seat
from companion.core.signal import SeatSignal
from companion.games import load
from companion.games.buntherum.rules import Phase
from companion.match.new_match import NAMES, new_match
from companion.match.virtual_table import VirtualTable
from companion.referee.input_gate import READ_NS

OFFICE, BUDDIES, BAKERS, BUNTHERUM = map(load, ("buro_crazy", "boese_buben", "de_et_boulanger", "buntherum"))
MS = 1_000_000


class People:
    """A table at which people sit, or a script where there are none."""

    def __init__(self, match: Match, *, people: bool = True) -> None:
        self.match = match
        self.refused: list[str] = []
        self.table = VirtualTable(match, tell=self._hear)
        self.referee = self.table.referee
        self.referee.pacing.people = frozenset(each_seat(len(match.names)) if people else ())
        self.table.start()
        self.wait()

    def _hear(self, _: int, told: object) -> None:
        if getattr(told, "kind", "") == "refused":
            self.refused.append(str(told.data.text))  # type: ignore[attr-defined]

    def wait(self, ms: float = READ_NS / MS) -> None:
        self.table.run(self.table.clock.now_ns() + round(ms * MS))

    def press(self, seat: Seat, keys: str, *, ms: float = READ_NS / MS) -> None:
        """Press keys, each so long before the next."""
        for key in keys:
            now_ns = self.table.clock.now_ns()
            self.table.signal(SeatSignal("hand", seat, key, now_ns, 0, now_ns))
            self.wait(ms)

    def typed(self, seat: Seat) -> str:
        return self.referee.entries.get(seat, "")

    def undone(self) -> list[str]:
        return [entry.kind for entry in self.match.entries if entry.kind == "undo"]


def duel(*, people: bool = True) -> tuple[People, Seat, Seat]:
    """Return a table of Büro Crazy at which two bids are due."""
    match = new_match(OFFICE, NAMES[:3], seed="questions")
    match.push(OFFICE.rules.draws(match.state)[0])
    return People(match, people=people), *match.state.duel


def race(*, people: bool = True) -> People:
    match = new_match(BUDDIES, NAMES[:2], seed="questions")
    match.push(BUDDIES.rules.draws(match.state)[0])
    return People(match, people=people)


def bakers(seed: str) -> tuple[People, Seat]:
    """Return a table of bakers, and who is about to roll."""
    table = People(new_match(BAKERS, NAMES[:2], seed=seed))
    for seat in (0, 1):
        table.press(seat, "#A#")
    table.wait(5_000)
    return table, table.match.state.turn


def test_a_refused_key_takes_what_was_typed_with_it() -> None:
    """Else `4`, `7` (no), `5 2` would play the 4 in lane 5."""
    table = race()
    mover = table.match.state.mover
    table.press(mover, "47")
    assert (table.typed(mover), table.refused[-1]) == ("", "lane 7: the lanes are 1 to 3")
    table.press(mover, "52")
    assert table.match.moves[-1].args == (5, 2)


def test_of_a_script_what_was_typed_stays() -> None:
    table = race(people=False)
    mover = table.match.state.mover
    table.press(mover, "472")
    assert table.match.moves[-1].args == (4, 2)


@pytest.mark.parametrize(("ms", "taken"), [(0, False), (399, False), (400, True)])
def test_a_press_just_after_a_question_is_no_answer(ms: float, taken: bool) -> None:
    table = race()
    mover = table.match.state.mover
    table.press(mover, "4", ms=50)
    table.press(mover, "2", ms=ms)
    other = table.match.state.mover
    table.press(other, "3", ms=0)
    assert (table.typed(other), table.refused) == ("3" if taken else "", [])


def test_neither_is_what_follows_it_at_once() -> None:
    table = race()
    mover = table.match.state.mover
    table.press(mover, "42", ms=50)
    other = table.match.state.mover
    table.wait(250)
    table.press(other, "31", ms=200)
    assert (table.typed(other), table.match.state.mover) == ("", other)
    table.wait()
    table.press(other, "31", ms=200)
    assert table.match.state.mover == mover


def test_steps_of_a_walk_are_no_new_questions() -> None:
    table, mover = bakers("walk3")
    table.press(mover, "#")
    table.wait(1_000)
    assert table.match.state.steps > 2
    length = table.match.length
    table.press(mover, "88", ms=100)
    assert table.match.length == length + 2


def test_an_impatient_second_press_does_not_end_the_walk() -> None:
    table, mover = bakers("walk3")
    refused = len(table.refused)
    table.press(mover, "#", ms=650)  # the die falls after 600 ms
    assert table.match.state.die
    table.press(mover, "#", ms=0)
    assert (table.match.state.turn, len(table.refused)) == (mover, refused)


def test_where_time_runs_every_press_counts() -> None:
    match = new_match(BUNTHERUM, NAMES[:2], seed="questions")
    table = People(match)
    table.press(0, "#")
    table.wait(3_000)
    assert match.state.phase == Phase.OPEN
    table.table.devices.buzzers[0].press()
    table.wait(70)
    assert match.state.phase == Phase.LOCKED
    table.press(0, "1", ms=0)
    assert match.moves[-1].verb == "declare"


def test_a_person_takes_back_the_own_last_step() -> None:
    table = race()
    mover, before = table.match.state.mover, table.match.state
    table.press(mover, "42*")
    assert (table.match.state, table.undone()) == (before, ["undo"])


def test_but_not_when_somebody_has_done_something_since() -> None:
    table = race()
    mover = table.match.state.mover
    table.press(mover, "42")
    other = table.match.state.mover
    table.press(other, "31")
    table.press(mover, "*")
    assert (table.undone(), len(table.refused)) == ([], 1)


def test_nor_does_a_script() -> None:
    table = race(people=False)
    table.press(table.match.state.mover, "42*")
    assert table.undone() == []


def test_nobody_takes_back_both_bids_alone() -> None:
    table, one, other = duel()
    table.press(one, "1#")
    table.press(other, "2#")
    table.press(other, "*")
    assert table.undone() == []


def test_what_was_taken_back_by_its_key_is_no_step() -> None:
    table, one, _ = duel()
    table.press(one, "1#**")
    assert (table.undone(), table.match.state.bids[0] or None) == ([], None)


def test_a_bid_of_nothing_that_shows_the_other_is_asked_again() -> None:
    table, one, other = duel()
    table.press(one, "1#")
    length = table.match.length
    table.press(other, "#")
    assert (table.match.length, table.refused) == (length, ["Really? # again: nobody can take it back"])
    table.press(other, "#")
    assert table.match.length > length


@pytest.mark.parametrize("key", ["9", "*"])
def test_any_other_key_says_that_it_was_not_meant(key: str) -> None:
    table, one, other = duel()
    table.press(one, "1#")
    length = table.match.length
    table.press(other, f"#{key}#")
    assert table.match.length == length
    assert table.refused[-1].startswith("Really?")


def test_a_buzzer_never_chooses() -> None:
    match = new_match(BUDDIES, NAMES[:2], rulings=BUDDIES.rulings(variant="action"), seed="questions")
    match.push(BUDDIES.rules.draws(match.state)[0])
    table = People(match)
    mover = match.state.mover
    length = match.length
    table.table.devices.buzzers[mover].press()
    table.wait()
    assert match.length == length
    assert table.referee.stage.race is None


# --- What players key for the house -----------------------------------------------------------------------


def stairs(deal: str) -> tuple[People, list[Seat]]:
    """Return a table of Büro Crazy before the figures stand, and whose they are, from the left."""
    match = new_match(OFFICE, NAMES[:3], seed="questions" if deal == "pi" else None, deal=deal)
    return People(match), list(OFFICE.rules.draws(match.state)[0].args)


def test_players_put_their_figures_onto_the_stairs_by_their_buzzers() -> None:
    table, order = stairs("table")
    for seat in order:
        table.table.press(seat, BUZZ)
        table.wait(500)
    stood = "".join(str(seat + 1) for seat in order) + "#"
    assert (table.typed(TABLE), table.match.length) == (stood, 0)
    table.press(0, "*")
    assert table.typed(TABLE) == stood[:-2]
    table.press(order[-1], "#", ms=300)
    table.press(order[0], "#", ms=500)  # it was meant for a figure, and there are no more
    assert (table.typed(TABLE), table.match.length) == (stood, 0)
    table.press(order[0], "#")
    assert [(move.verb, list(move.args)) for move in table.match.moves] == [("place", order)]


def test_a_figure_that_cannot_stand_there_is_told_to_who_tapped() -> None:
    table, _ = stairs("table")
    for _ in range(2):
        table.table.press(1, BUZZ)
        table.wait(500)
    assert (table.typed(TABLE), table.refused) == ("2", ["P1 has two figures of seat 2: they cannot fight"])


def test_where_the_companion_places_the_figures_nobody_does() -> None:
    table, _ = stairs("pi")
    table.table.press(1, BUZZ)
    table.press(0, "#")
    assert (table.typed(TABLE), table.refused) == ("", ["the companion rolls and deals here"])

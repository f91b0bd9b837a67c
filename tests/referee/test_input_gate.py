"""People's keys: pressed too soon, refused, taken back alone, or confirmed."""

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
    """Return a table of bakers, and who rolls next."""
    table = People(new_match(BAKERS, NAMES[:2], seed=seed))
    for seat in (0, 1):
        table.press(seat, "#A#")
    table.wait(5_000)
    return table, table.match.state.turn


def test_refused_key_clears_what_was_typed() -> None:
    """Otherwise `4`, `7` (refused), `5 2` would play the 4 in lane 5."""
    table = race()
    mover = table.match.state.mover
    table.press(mover, "47")
    assert (table.typed(mover), table.refused[-1]) == ("", "7 is not a lane: the lanes are 1 to 3")
    table.press(mover, "52")
    assert table.match.moves[-1].args == (5, 2)


def test_refused_key_of_a_script_clears_nothing() -> None:
    table = race(people=False)
    mover = table.match.state.mover
    table.press(mover, "472")
    assert table.match.moves[-1].args == (4, 2)


@pytest.mark.parametrize(("ms", "taken"), [(0, False), (399, False), (400, True)])
def test_press_just_after_a_question_is_ignored(ms: float, taken: bool) -> None:
    table = race()
    mover = table.match.state.mover
    table.press(mover, "4", ms=50)
    table.press(mover, "2", ms=ms)
    other = table.match.state.mover
    table.press(other, "3", ms=0)
    assert (table.typed(other), table.refused) == ("3" if taken else "", [])


def test_keys_following_an_ignored_press_are_ignored() -> None:
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


def test_steps_of_a_walk_open_no_new_question() -> None:
    table, mover = bakers("walk3")
    table.press(mover, "#")
    table.wait(1_000)
    assert table.match.state.steps > 2
    length = table.match.length
    table.press(mover, "88", ms=100)
    assert table.match.length == length + 2


def test_impatient_second_press_does_not_end_the_walk() -> None:
    table, mover = bakers("walk3")
    refused = len(table.refused)
    table.press(mover, "#", ms=650)  # the die falls after 600 ms
    assert table.match.state.die
    table.press(mover, "#", ms=0)
    assert (table.match.state.turn, len(table.refused)) == (mover, refused)


def test_under_a_time_limit_every_press_counts() -> None:
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


def test_player_takes_back_their_own_last_step() -> None:
    table = race()
    mover, before = table.match.state.mover, table.match.state
    table.press(mover, "42*")
    assert (table.match.state, table.undone()) == (before, ["undo"])


def test_player_takes_back_nothing_after_anothers_move() -> None:
    table = race()
    mover = table.match.state.mover
    table.press(mover, "42")
    other = table.match.state.mover
    table.press(other, "31")
    table.press(mover, "*")
    assert (table.undone(), len(table.refused)) == ([], 1)


def test_script_takes_back_nothing_by_key() -> None:
    table = race(people=False)
    table.press(table.match.state.mover, "42*")
    assert table.undone() == []


def test_no_player_takes_back_both_bids_alone() -> None:
    table, one, other = duel()
    table.press(one, "1#")
    table.press(other, "2#")
    table.press(other, "*")
    assert table.undone() == []


def test_reopened_bid_is_not_a_step_to_undo() -> None:
    table, one, _ = duel()
    table.press(one, "1#**")
    assert (table.undone(), table.match.state.bids[0] or None) == ([], None)


def test_revealing_empty_bid_needs_a_second_press() -> None:
    table, one, other = duel()
    table.press(one, "1#")
    length = table.match.length
    table.press(other, "#")
    assert (table.match.length, table.refused) == (length, ["Sure? Press # again: it cannot be undone"])
    table.press(other, "#")
    assert table.match.length > length


@pytest.mark.parametrize("key", ["9", "*"])
def test_other_key_withdraws_the_empty_bid(key: str) -> None:
    table, one, other = duel()
    table.press(one, "1#")
    length = table.match.length
    table.press(other, f"#{key}#")
    assert table.match.length == length
    assert table.refused[-1].startswith("Sure?")


def test_buzzer_never_makes_a_choice() -> None:
    match = new_match(BUDDIES, NAMES[:2], rulings=BUDDIES.rulings(variant="action"), seed="questions")
    match.push(BUDDIES.rules.draws(match.state)[0])
    table = People(match)
    mover = match.state.mover
    length = match.length
    table.table.devices.buzzers[mover].press()
    table.wait()
    assert match.length == length
    assert table.referee.stage.race is None


# --- Keys of players for the house ------------------------------------------------------------------------


def stairs(deal: str) -> tuple[People, list[Seat]]:
    """Return Büro Crazy before figures are placed, and their owners from the left."""
    match = new_match(OFFICE, NAMES[:3], seed="questions" if deal == "pi" else None, deal=deal)
    return People(match), list(OFFICE.rules.draws(match.state)[0].args)


def test_players_place_their_figures_by_buzzer() -> None:
    table, order = stairs("table")
    for seat in order:
        table.table.press(seat, BUZZ)
        table.wait(500)
    stood = "".join(str(seat + 1) for seat in order) + "#"
    assert (table.typed(TABLE), table.match.length) == (stood, 0)
    table.press(0, "*")
    assert table.typed(TABLE) == stood[:-2]
    table.press(order[-1], "#", ms=300)
    table.press(order[0], "#", ms=500)  # meant for a figure, but none is left
    assert (table.typed(TABLE), table.match.length) == (stood, 0)
    table.press(order[0], "#")
    assert [(move.verb, list(move.args)) for move in table.match.moves] == [("place", order)]


def test_impossible_figure_is_refused_with_its_reason() -> None:
    table, _ = stairs("table")
    for _ in range(2):
        table.table.press(1, BUZZ)
        table.wait(500)
    assert (table.typed(TABLE), table.refused) == ("2", ["P1 has two figures of seat 2: they cannot fight"])


def test_players_cannot_place_figures_the_companion_places() -> None:
    table, _ = stairs("pi")
    table.table.press(1, BUZZ)
    table.press(0, "#")
    assert (table.typed(TABLE), table.refused) == ("", ["the companion rolls and deals here"])

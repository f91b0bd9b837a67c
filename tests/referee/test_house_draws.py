"""Where the companion rolls and deals, the house cannot choose a die or a card."""

from companion.core.event import Event
from companion.core.move import TABLE
from companion.core.signal import SeatSignal
from companion.games import load
from companion.match.new_match import new_match
from companion.match.virtual_table import VirtualTable
from companion.referee.journal import Unkept
from tests.referee.bench import MS, Bench

HERE = "the companion rolls and deals here"


def bakers(deal: str) -> tuple[VirtualTable, list[Event]]:
    """Return bakers in the first turn, after their roll."""
    told: list[Event] = []
    seed = "7" if deal == "pi" else None
    table = VirtualTable(
        new_match(load("de_et_boulanger"), ["Ada", "Bo"], deal=deal, seed=seed),
        Unkept(),
        tell=lambda _, event: told.append(event),
    )
    table.start()
    for seat, key in [(0, "#"), *((seat, key) for seat in (0, 1) for key in "A123456")]:
        press(table, seat, key)
    for die in "16" if deal == "table" else "":
        press(table, TABLE, die)
    table.run(10_000 * MS)
    assert table.match.view().phase == "move"
    told.clear()
    return table, told


def press(table: VirtualTable, seat: int, key: str) -> None:
    now_ns = table.clock.now_ns()
    table.signal(SeatSignal("test", seat, key, now_ns, 0, now_ns))


def test_house_cannot_choose_a_bakers_die():
    table, told = bakers("pi")
    before = table.match.length
    press(table, TABLE, "6")
    assert table.match.length == before
    assert [str(event.facts["text"]) for event in told if event.kind == "refused"] == [HERE]
    assert told[0].seen_by is None  # everybody sees the refusal


def test_house_enters_real_dice():
    table, told = bakers("table")
    press(table, TABLE, "6")
    assert (table.match.view().die, [event for event in told if event.kind == "refused"]) == (6, [])


def test_house_cannot_choose_a_card():
    bench = Bench().at(100)  # the companion is about to choose who begins, and to lay the starters
    bench.keys(TABLE, "1")
    assert [str(event.facts["text"]) for event in bench.of("refused")] == [HERE]
    assert bench.match.length == 0
    assert bench.at(600).view.phase == "ready"

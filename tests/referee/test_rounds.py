"""Random rounds: the referee agrees with the naive reading about who was first."""

import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.console import BUZZ, Call
from companion.core.handicaps import handicaps
from companion.core.signal import LEVEL, Signal
from companion.games import load
from companion.match.new_match import NAMES, new_match
from companion.match.virtual_table import VirtualTable, in_order
from companion.referee.arbiter import judge
from companion.referee.debounce import Line
from tests.referee import naive
from tests.referee.naive import MS, Heard
from tests.referee.random_rounds import END_NS, OPEN_NS, US, Contact, Round, draw_round, edges, reading

GAME = load("buntherum")

ROUNDS = 100_000

Winners = dict[int, int]
"""The winning seats and the timestamps of their calls."""


def signal(seat: int, heard: Heard, received_ns: int = END_NS) -> Signal:
    flags = (LEVEL,) if heard.reading else ()
    return Signal("test", seat, BUZZ, heard.t_ns, heard.u_ns, received_ns, heard.pressed, flags)


def naive_winners(heard: Iterable[list[Heard]], margin_ns: int, handicaps_ms: tuple[int, ...] = ()) -> Winners:
    calls = {}
    for seat, line in enumerate(heard):
        call = naive.first_call(line, OPEN_NS)
        if call:
            calls[seat] = call._replace(t_ns=call.t_ns + handicaps_ms[seat] * MS) if handicaps_ms else call
    return {seat: calls[seat].t_ns for seat in naive.winners(calls, margin_ns)}


def line_winners(heard: Iterable[list[Heard]], margin_ns: int) -> Winners:
    calls = []
    for seat, told in enumerate(heard):
        line = Line()
        for one in told:
            line.hear(signal(seat, one))
        counting = [
            Call(seat, press.t_ns, press.uncertainty_ns)
            for press in line.presses()
            if press.confirmed and press.t_ns + press.uncertainty_ns >= OPEN_NS
        ]
        calls += counting[:1]
    return {call.seat: call.t_ns for call in judge(calls, margin_ns).winners} if calls else {}


def heard_of(drawn: Round, luck: random.Random) -> list[list[Heard]]:
    """Return most edges of each line, and its levels at the opening and later."""
    close_ns = OPEN_NS + luck.randrange(5_000, 700_000) * US
    looks = {OPEN_NS - 400 * MS, OPEN_NS, close_ns, close_ns + luck.randrange(1, 60_000) * US}
    return [
        edges(contact, luck, lost=0.03) + [reading(contact, t_ns) for t_ns in looks] for contact in drawn.contacts
    ]


@pytest.mark.soak
def test_line_and_arbiter_agree_with_the_naive_reading(soak_count):
    for seed in range(soak_count(ROUNDS)):
        luck = random.Random(seed)
        drawn = draw_round(luck)
        heard = heard_of(drawn, luck)
        delivered = [luck.sample(line, len(line)) for line in heard]
        assert line_winners(delivered, drawn.margin_ns) == naive_winners(heard, drawn.margin_ns), f"round {seed}"


def table_winners(table: VirtualTable, early: list[tuple[int, int]] | None = None) -> Winners:
    """Return the winners of the first verdict; `early` collects false starts."""
    verdicts: list[Winners] = []

    def follow(t_ns: int, told) -> None:
        if told.kind == "false_start" and early is not None and not verdicts:
            early.append((told.seat, told.facts["stamp_ns"]))
        if told.kind == "verdict":
            calls = {call.seat: call.t_ns for call in told.facts["calls"]}
            verdicts.append({seat: calls[seat] for seat in told.facts["seats"]})
        assert told.kind != "late_report", "nothing was later than its source may be"

    table.tell = follow
    table.run(END_NS + max(handicaps(table.match.rulings, len(table.match.names))) * MS)
    return verdicts[0] if verdicts else {}


class Room:
    """A virtual table with the contacts of a round, whose reports are late."""

    def __init__(self, drawn: Round, luck: random.Random) -> None:
        self.drawn = drawn
        sources = [contact.source for contact in drawn.contacts]
        # A call that cannot be told apart from the earliest may come two half-widths later.
        slowest_ns = max(one.late_ns for one in sources) + 2 * max(one.u_ns for one in sources)
        later = {f"handicap_{seat}": ms for seat, ms in enumerate(drawn.handicaps_ms, 1)}
        rulings = GAME.rulings(tie_margin_ms=drawn.margin_ns // MS, **later)
        match = new_match(GAME, NAMES[: len(drawn.contacts)], rulings=rulings, seed="rounds")
        self.table = VirtualTable(match, settle_ns=slowest_ns)
        self.table.devices.flush = self.flush
        self.looks: list[int] = []
        self.early: list[tuple[int, int]] = []
        self.heard = [edges(contact, luck) for contact in drawn.contacts]
        self.waiting: list[list[Signal]] = [[] for _ in drawn.contacts]
        for seat, contact in enumerate(drawn.contacts):
            for one in self.heard[seat]:
                late_ns = luck.randrange(contact.source.late_ns)
                self._plan(seat, contact, signal(seat, one, one.t_ns + late_ns))

    def _plan(self, seat: int, contact: Contact, report: Signal) -> None:
        def happens() -> None:
            self.waiting[seat].append(report)

        def arrives() -> None:
            if report in self.waiting[seat]:  # else it was fetched before
                self.waiting[seat].remove(report)
                self.table.referee.signal(in_order(report))

        self.table.clock.at(report.t_ns, happens)
        self.table.clock.at(report.received_ns, arrives)

    def flush(self, _: int) -> list[Signal]:
        """Use the clock's time, as due acts may run late."""
        now_ns = self.table.clock.now_ns()
        self.looks.append(now_ns)
        fetched = []
        for seat, contact in enumerate(self.drawn.contacts):
            if contact.source.flushes:
                fetched += [report._replace(received_ns=now_ns) for report in self.waiting[seat]]
                self.waiting[seat].clear()
            fetched.append(signal(seat, reading(contact, now_ns), now_ns))
        return fetched

    def winners(self) -> Winners:
        self.table.start()
        return table_winners(self.table, self.early)

    def everything(self) -> list[list[Heard]]:
        levels = [[reading(contact, t_ns) for t_ns in set(self.looks)] for contact in self.drawn.contacts]
        return [line + levels[seat] for seat, line in enumerate(self.heard)]

    def naive_winners(self) -> Winners:
        return naive_winners(self.everything(), self.drawn.margin_ns, self.drawn.handicaps_ms)

    def check_false_starts(self) -> None:
        """Check that each false start was a press too early, announced once."""
        presses = [naive.presses(line) for line in self.everything()]
        begun = []
        for seat, stamp_ns in self.early:
            # While its first edge is on its way, a press may be known by a later edge of its bounce.
            before = [press for press in presses[seat] if press.t_ns <= stamp_ns]
            assert before, f"seat {seat} has not pressed by {stamp_ns}"
            assert before[-1].t_ns + before[-1].u_ns < OPEN_NS
            begun.append((seat, before[-1]))
        assert len(set(begun)) == len(begun)


@pytest.mark.soak
def test_referee_agrees_with_the_naive_reading(soak_count):
    for seed in range(soak_count(ROUNDS // 10)):
        luck = random.Random(seed)
        room = Room(draw_round(luck), luck)
        assert room.winners() == room.naive_winners(), f"round {seed}"
        room.check_false_starts()


@pytest.mark.soak
def test_bh_a29_referee_agrees_with_naive_reading_under_handicaps(soak_count):
    decided = 0
    for seed in range(soak_count(ROUNDS // 10)):
        luck = random.Random(f"handicaps {seed}")
        drawn = draw_round(luck)
        later_ms = tuple(luck.choice((0, 0, 1, 20, 90, 350, 2000)) for _ in drawn.contacts)
        room = Room(drawn._replace(handicaps_ms=later_ms), luck)
        winners = room.winners()
        assert winners == room.naive_winners(), f"round {seed}"
        decided += winners != naive_winners(room.everything(), drawn.margin_ns)
        room.check_false_starts()
    assert decided, "no handicap has decided anything"


press_stamps = st.lists(st.integers(1, 90_000), min_size=2, max_size=5)
"""Microseconds after the opening."""

bounces = st.lists(st.tuples(st.integers(1, 12_000), st.booleans()), max_size=8, unique_by=lambda one: one[0])
"""Microseconds after the first edge, and the level as read."""


def bouncing(t_ns: int, pressed: bool, more: list[tuple[int, bool]]) -> list[Heard]:
    return [Heard(t_ns, pressed), *(Heard(t_ns + after_us * US, level) for after_us, level in more)]


@pytest.mark.soak
@given(press_stamps, st.integers(0, 10), st.data())
def test_bounce_and_delivery_change_no_verdict_or_timestamp(stamps_us, margin_ms, data):
    clean, real = [], []
    for stamp_us in stamps_us:
        closes_ns, opens_ns = OPEN_NS + stamp_us * US, OPEN_NS + stamp_us * US + 90 * MS
        clean.append([Heard(closes_ns, True), Heard(opens_ns, False)])
        bounced = data.draw(bounces)
        # An edge with bounce right after it may be misread; a lone edge is read when the contact is at rest.
        misread = any(after_us <= 5_000 for after_us, _ in bounced) and data.draw(st.booleans())
        pressing = bouncing(closes_ns, not misread, bounced)
        if [press.t_ns for press in naive.presses(pressing)] != [closes_ns]:
            # This would be a spike, so let the contact close in time.
            pressing = [one for one in pressing if one.t_ns != closes_ns + naive.CONFIRM_NS]
            pressing.append(Heard(closes_ns + naive.CONFIRM_NS, True))
        line = pressing + bouncing(opens_ns, False, data.draw(bounces))
        real.append(data.draw(st.permutations(line)))
    assert line_winners(real, margin_ms * MS) == line_winners(clean, margin_ms * MS)


def verdict_of_table(stamps_us: list[int], faults: list[tuple[int, int]], margin_ms: int) -> Winners:
    rulings = GAME.rulings(tie_margin_ms=margin_ms)
    table = VirtualTable(new_match(GAME, NAMES[: len(stamps_us)], rulings=rulings, seed="7"), settle_ns=30 * MS)
    table.start()
    for buzzer, stamp_us, (bounce_us, late_us) in zip(table.devices.buzzers, stamps_us, faults, strict=True):
        buzzer.fault.bounce_ns, buzzer.fault.late_ns = bounce_us * US, late_us * US
        table.clock.at(OPEN_NS + stamp_us * US, buzzer.press)
    return table_winners(table)


@pytest.mark.soak
@given(press_stamps, st.integers(0, 10), st.data())
def test_bounce_and_lateness_change_no_table_verdict(stamps_us, margin_ms, data):
    faults = [(data.draw(st.integers(0, 20_000)), data.draw(st.integers(0, 29_999))) for _ in stamps_us]
    punctual = [(0, 0)] * len(stamps_us)
    assert verdict_of_table(stamps_us, faults, margin_ms) == verdict_of_table(stamps_us, punctual, margin_ms)

"""Two matches that differ in one secret send every other phone, and the house's, the same bytes.

The program runs in virtual time, without sockets. The pairs are those of test_non_interference.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.config.sections import PaceOptions
from companion.config.table_file import TableConfig
from companion.core.console import BUZZ, KEYS
from companion.core.move import TABLE, each_seat
from companion.core.place import HOUSE, Place
from companion.core.signal import PLUG, UNPLUG
from companion.core.text import Text, listed
from companion.devices.phones import driver as module
from companion.devices.pods import conversation
from companion.devices.pods.linked import LinkedDevice
from companion.devices.pods.reports import KeyReport
from companion.match import house_sheet
from tests.host_bench import MS, FakeClock
from tests.match.test_non_interference import (
    Noticed,
    Pair,
    _listen,
    compare,
    logged,
    pair_of,
    same_chance,
    sat,
    screens_of_the_others,
    watched,
)
from tests.phone_room import PhoneBench, Room

__all__ = ["same_chance"]  # a fixture

pytestmark = pytest.mark.usefixtures("same_chance")


def at_the_phones(folder: Path, pair: Pair, which: int, *, gap: bool) -> Noticed:
    noticed, match, drawn = Noticed(), pair.make(which), Random("of both")
    sitters = sat(match, gap=gap)
    taken = [Place(place) for place, sitter in enumerate(sitters) if sitter]
    noticed.place = taken[pair.seat]
    with logged(noticed), watched(noticed, folder), pytest.MonkeyPatch.context() as patch:
        patch.setattr(conversation, "draw_nonce", lambda: f"{drawn.getrandbits(64):016X}")
        patch.setattr(conversation, "_draw_session", lambda: f"{drawn.getrandbits(32):08X}")
        room = Room(FakeClock(), [*taken, HOUSE])
        config = TableConfig(pace=PaceOptions(nudge_s=1, sound_s=2))
        bench = PhoneBench(folder, room, config=config, newcomer=True, match=match, sitters=sitters)
        bench.wait(0.4)
        began_ns = room.clock.t_ns
        noticed.now_ns = lambda: room.clock.t_ns - began_ns
        _listen(bench, noticed, pair.seat)

        def sent(place: Place, said: bytes) -> None:
            to = noticed.own if place == noticed.place else noticed.public
            to.append((noticed.now_ns(), f"sent to {place}", said))

        room.sent = sent
        for act in pair.acts(which):
            bench.wait((act.at_ms * MS - noticed.now_ns()) / 1e9)
            if act.seat == TABLE:
                bench.hand(HOUSE, act.control)
            elif act.control == UNPLUG:
                room.end(taken[act.seat])
            elif act.control == PLUG:
                room.begin(taken[act.seat])
            elif act.control in {BUZZ, *KEYS}:
                room.press(taken[act.seat], act.control)
            room.exchange()
        bench.wait(2)
        bench.host.close()
        room.hardware.close()
    return noticed


def both(folder: Path, number: int) -> tuple[Noticed, Noticed]:
    """Play a pair, every third with an empty place."""
    pair = pair_of(number)
    one, two = (at_the_phones(folder / f"{number}-{which}", pair, which, gap=number % 3 == 0) for which in (0, 1))
    return one, two


@pytest.mark.soak
def test_other_phones_receive_nothing_about_a_secret(tmp_path: Path, soak_count: Callable[[int], int]) -> None:
    for number in range(soak_count(1_000)):
        one, two = both(tmp_path, number)
        compare(one, two)
        told = {kind for _, kind, _ in one.public}
        assert {"frame", "picture", "written"} <= told
        assert any(kind.startswith("sent to ") for kind in told)
        assert one.own != two.own, "its own screen tells the seat what it keys"


def ping_for_each_key(patch: pytest.MonkeyPatch) -> None:
    """Ping all phones at each key press."""
    report = LinkedDevice._report

    def told(device: Any, place: Place, event: Any) -> None:
        report(device, place, event)
        if isinstance(event, KeyReport):
            for link in device._links.values():
                link._ping_at_ns = device._clock.now_ns()
            device._wake()

    patch.setattr(LinkedDevice, "_report", told)


def a_hand_for_the_house(patch: pytest.MonkeyPatch) -> None:
    """Tell the house what seats may see."""

    def own(moment: Any) -> Any:
        seats = each_seat(len(moment.match.names))
        held = [moment.console.private(moment.match.view(seat), moment.entries.get(seat, "")) for seat in seats]
        return listed([said for said in held if said] or [Text("")])

    patch.setattr(house_sheet, "_own", own)


def wish_of_the_length(patch: pytest.MonkeyPatch) -> None:
    """Send every page the number of keys pressed."""
    pressed: list[bytes] = []
    hear = module.Phones.hear

    def heard(phones: Any, talk: Any, said: bytes) -> None:
        hear(phones, talk, said)
        if b"$TCKEY" in said:
            pressed.append(said)
            for place in phones.places:
                phones.wish(place, text=str(len(pressed)))

    patch.setattr(module.Phones, "hear", heard)


@pytest.mark.parametrize(
    "leak", [ping_for_each_key, wish_of_the_length, screens_of_the_others, a_hand_for_the_house]
)
def test_deliberate_leak_to_phones_is_detected(
    leak: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leak(monkeypatch)
    pairs = (both(tmp_path, number) for number in range(6))
    assert any(one.public != two.public for one, two in pairs)

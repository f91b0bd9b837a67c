"""A whole match with five phones through the real server.

Two pages are reloaded during bids, and one phone loses its network for a while.
"""

import random
from pathlib import Path

import pytest

from companion.config.sections import DisplayOptions, JournalOptions
from companion.config.table_file import TableConfig
from companion.core.move import Seat
from companion.core.place import each_place
from companion.devices.hardware import Hardware
from companion.devices.phones import driver as phones
from companion.devices.phones.options import PhoneOptions
from companion.devices.wiring import Wiring
from companion.display.frame import JoinPage, Result
from companion.games import all_games
from companion.games.buro_crazy.rules import Phase
from companion.match.seating import Wanted
from companion.referee.step_result import Pause, Reason
from companion.table.host import Host
from tests.e2e.test_pod_match import GAME, WAIT_S, Table, Trouble, meant, pauses, says
from tests.live_host import LiveHost
from tests.phone_sim import SimPhone

pytestmark = pytest.mark.usefixtures("fixed_secrets", "hurried")

OPTIONS = PhoneOptions(on=True, port=0, address="127.0.0.1", wait_ms=1_000)


class PhoneTable(Table):
    """People at phones that have scanned a seat's code."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.frames, self.told = [], []
        self.keyed = [[] for _ in range(5)]
        self.luck = random.Random("people at phones")
        LiveHost.__init__(self)
        self.hardware = Hardware(Wiring(OPTIONS), self.inbox, self.clock, lambda: (phones.DRIVER,))
        config = TableConfig(journal=JournalOptions(str(folder)), display=DisplayOptions(drum_ms=0))
        wanted = Wanted(game=GAME.name)
        self.host = Host(all_games(), config, self.clock, self._show, wanted, settle_ns=0, hardware=self.hardware)
        self.start_host()
        self.until(lambda: isinstance(self.screen, JoinPage), "the codes")
        codes = self.hardware.of(phones.Phones).invite(each_place(5))
        assert [code.rows for code in self.screen.codes] == [code.rows for code in codes.values()]
        hour_us = 3_600_000_000
        self.pods = [SimPhone(code.address, offset_us=hour_us * place) for place, code in codes.items()]
        self.until(lambda: len(self.hardware.places) == 5 and not self.hardware.troubles, "all have joined")

    def close(self) -> None:
        self.stop_host(WAIT_S)
        for phone in self.pods:
            phone.close()
        self.hardware.close()


def loaded_anew(table: Table, first: Seat, second: Seat, bids: dict[Seat, str]) -> dict[Seat, int]:
    """Reload a page: acknowledged keys stay, later ones arrive once."""
    for seat in (first, second):
        table.press(seat, bids[seat][0])
        table.entered(seat, bids[seat][0])
    table.pods[first].reload()
    table.press(first, bids[first][1])
    table.until(lambda: ("went_on", first) in pauses(table), "the match goes on")
    table.entered(first, bids[first][:2])
    table.told.clear()
    return {first: 2, second: 1}


def offline(table: Table, first: Seat, second: Seat, bids: dict[Seat, str]) -> dict[Seat, int]:
    for seat in (first, second):
        table.press(seat, bids[seat][0])
        table.entered(seat, bids[seat][0])
    table.pods[first].offline()
    table.until(lambda: says(table.screen, f"the phone of seat {first + 1}"), "its seat is named")
    assert list(table.referee.pauses) == [Pause(Reason.UNPLUGGED, first)]
    table.press(first, bids[first][1])
    table.pods[first].online()
    table.until(lambda: not table.referee.pauses, "the match goes on")
    table.entered(first, bids[first][:2])
    table.told.clear()
    return {first: 2, second: 1}


@pytest.fixture
def table(tmp_path):
    table = PhoneTable(tmp_path)
    yield table
    table.close()


def test_record_contains_the_keys_despite_wifi_trouble(table):
    table.begin()
    troubles: list[Trouble] = [loaded_anew, offline, loaded_anew]
    while table.view.phase is Phase.BID:
        if table.duel(troubles[0] if troubles else None):
            troubles.pop(0)
    assert not troubles
    table.until(lambda: isinstance(table.screen, Result), "the result")
    table.until(lambda: {phone.page.lamp for phone in table.pods} == {0}, "all lamps are dark")
    match = table.opened()
    assert match.outcome
    for seat in range(5):
        made = [move for move in match.moves if move.seat == seat]
        assert [(move.verb, tuple(move.args)) for move in made] == [meant(keys) for keys in table.keyed[seat]]

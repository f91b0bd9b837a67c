"""A host with pods: binding them to seats, and their screens."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.config.table_file import TableConfig, read_config
from companion.core.console import BUZZ
from companion.core.signal import PLUG, UNPLUG
from companion.core.text import msg
from companion.devices.errors import DeviceError
from companion.devices.pods import firmware
from companion.devices.pods.options import PodWiring
from companion.devices.pods.pods import Seen
from companion.display.frame import Play, Poster
from companion.games import all_games
from companion.match.private_screens import MORE, PAGE_NS, pages
from companion.screens import pod_updates
from tests.host_bench import Bench, FakeClock
from tests.pod_fakes import FakeHardware, FakePods

pytestmark = pytest.mark.usefixtures("fixed_secrets")

ASKED = "Whose pod is this?"
ATTRACT = "The table companion"


class PodBench(Bench):
    """A host with fake pods and an optional table.toml."""

    def __init__(
        self, folder: Path, pods: FakePods, toml: str | None = None, *, notice: str = "", game: str | None = None
    ) -> None:
        self.pods = pods
        self.hardware = FakeHardware(pods)
        self.hardware.notice = msg(notice) if notice else None
        self.toml = folder / "table.toml"
        config = TableConfig()
        if toml is not None:
            self.toml.write_text(toml)
            config = read_config(self.toml, all_games())
        super().__init__(folder / "matches", config=config, clock=FakeClock(), hardware=self.hardware, game=game)

    def key(self, identity: str) -> None:
        """Press a key on a pod without a seat."""
        self.wait(0.1)
        self.pods.press(identity, self.clock.t_ns)
        self.wait(1)

    def pod(self, place: int, *controls: str) -> None:
        for control in controls:
            self.report(place, control)
            if control == BUZZ:
                self.wait(0.1)
                self.report(place, control, pressed=False)
            self.wait(0.1)

    def report(self, place: int, control: str, *, pressed: bool = True) -> None:
        self.hand(place, control, pressed=pressed, source="pod")

    def asked(self) -> str:
        assert self.poster.title == ASKED
        [line] = self.poster.lines
        return line.partition(":")[0]

    def said(self, place: int) -> str:
        """Return all pages of the second line on a pod's screen."""
        said = []
        for _ in range(4):
            said.append(self.hardware.screens[place][1].removesuffix(MORE).rstrip())
            self.wait(PAGE_NS / 1e9)
        return " ".join(said)


Make = Callable[..., PodBench]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    return lambda pods, *given, **options: PodBench(tmp_path, pods, *given, **options)


# --- Updating pods ----------------------------------------------------------------------------------------

OLD = Seen("BB", "1.9", "/dev/ttyACM0", 1)
SAFE = Seen("CC", "", "/dev/ttyACM1", None)


class SlowThread(threading.Thread):
    """Runs when the test calls `run`."""

    last: "SlowThread"

    def start(self) -> None:
        SlowThread.last = self


@pytest.fixture
def failures(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Return why updates fail, by port. Updates run in a SlowThread."""
    failures: dict[str, str] = {}

    def update(path: str) -> None:
        if path in failures:
            raise DeviceError(msg(failures[path]))

    monkeypatch.setattr(firmware, "update", update)
    monkeypatch.setattr(pod_updates.threading, "Thread", SlowThread)
    return failures


def offered(make: Make) -> PodBench:
    """Return a table that offers the update of two pods, with its menu open."""
    bench = make(FakePods(seats=("AA", "BB")))
    bench.pods.old = [OLD, SAFE]
    bench.house("menu")
    return bench


def test_menu_offers_updates_only_for_outdated_pods(make: Make) -> None:
    bench = make(FakePods(seats=("AA", "BB")))
    bench.house("menu")
    assert "Update pods" not in bench.menu.items
    bench.pods.old = [OLD, SAFE]
    bench.house("menu", "menu")
    assert "Update pods" in bench.menu.items


def test_pods_are_updated_one_after_the_other(make: Make, failures: dict[str, str]) -> None:
    bench = offered(make)
    bench.take("Update pods")
    assert (bench.poster.title, bench.poster.lines) == ("Updating the pods", ("1 of 2: seat 2",))
    bench.house("ok", "undo", "menu")
    assert bench.poster.title == "Updating the pods"
    SlowThread.last.run()
    bench.wait(1)
    assert bench.pods.lent_paths == [OLD.path, SAFE.path]
    assert bench.poster.title == "All pods are up to date"
    bench.pods.old = []
    bench.house("ok")
    assert "Update pods" not in bench.menu.items


def test_failed_update_does_not_stop_the_next(make: Make, failures: dict[str, str]) -> None:
    failures[OLD.path] = "it is not there"
    bench = offered(make)
    bench.take("Update pods")
    SlowThread.last.run()
    bench.wait(1)
    assert bench.poster.title == "Not updated"
    assert bench.poster.lines[0].startswith("seat 2: plug in again")
    assert bench.pods.lent_paths == [OLD.path, SAFE.path]


# --- Binding pods to seats --------------------------------------------------------------------------------


def test_pods_are_bound_to_seats_in_table_toml(make: Make) -> None:
    bench = make(FakePods("AA", "BB"), '[seats]\nnames = ["Ida", "Jon"]\n')
    assert bench.asked() == "Seat 1"
    bench.key("BB")
    assert bench.asked() == "Seat 2"
    bench.key("AA")
    assert bench.poster.title == ATTRACT
    kept = read_config(bench.toml, all_games())
    assert kept.wiring.of(PodWiring).seats == ("BB", "AA")
    assert kept.seats.names == ("Ida", "Jon")


def test_house_skips_a_seat(make: Make) -> None:
    bench = make(FakePods("AA"), "")
    bench.house("skip", "skip")
    assert bench.asked() == "Seat 3"
    bench.key("AA")
    assert bench.poster.title == ATTRACT
    assert read_config(bench.toml, all_games()).wiring.of(PodWiring).seats == ("", "", "AA")


def test_skipping_every_seat_ends_the_question(make: Make) -> None:
    bench = make(FakePods("AA"), "")
    bench.house(*["skip"] * 5)
    assert bench.poster.title == ATTRACT
    bench.wait(10)
    assert bench.poster.title == ATTRACT
    assert bench.toml.read_text() == ""


def test_ok_ends_the_question_for_known_pods(make: Make) -> None:
    bench = make(FakePods("AA"), "")
    bench.house("ok")
    assert bench.poster.title == ATTRACT
    bench.wait(10)
    bench.key("AA")
    assert bench.poster.title == ATTRACT
    assert bench.toml.read_text() == ""
    bench.pods.plug("BB")
    bench.wait(2)
    assert bench.asked() == "Seat 1"


def test_ok_keeps_the_pods_bound_so_far(make: Make) -> None:
    bench = make(FakePods("AA", "BB"), "")
    bench.key("AA")
    bench.house("ok")
    assert read_config(bench.toml, all_games()).wiring.of(PodWiring).seats == ("AA",)


def test_pod_plugged_in_meanwhile_joins_the_question(make: Make) -> None:
    bench = make(FakePods("AA"), "")
    bench.pods.plug("BB")
    bench.wait(2)
    bench.house("ok")
    bench.wait(10)
    assert bench.poster.title == ATTRACT


def test_pod_plugged_in_later_is_asked_for(make: Make) -> None:
    bench = make(FakePods(seats=["AA"]), "")
    assert bench.poster.title == ATTRACT
    bench.pods.plug("BB")
    bench.wait(2)
    assert bench.asked() == "Seat 2"
    bench.pods.pull("BB")
    bench.wait(1)
    assert bench.poster.title == ATTRACT


def test_other_controls_do_nothing_during_the_question(make: Make) -> None:
    bench = make(FakePods("BB", seats=["AA"]), "")
    bench.pod(0, BUZZ, "#")
    bench.house("undo", "menu")
    assert bench.asked() == "Seat 2"
    assert [side.lit for side in bench.frame.sides] == [False, True, False, False, False]


def test_missing_table_toml_is_reported(make: Make, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    bench = make(FakePods("AA"))
    bench.key("AA")
    assert bench.poster.title == ATTRACT
    assert bench.pods.seats == ["AA"]
    assert "no table.toml was named with --table" in caplog.text
    assert list(tmp_path.iterdir()) == []


def test_unwritable_table_toml_does_not_stop_the_binding(make: Make) -> None:
    bench = make(FakePods("AA"), "")
    bench.toml.unlink()
    bench.key("AA")
    assert bench.poster.trouble
    assert bench.poster.lines == (
        f'{bench.toml} was not changed (No such file or directory); add to it: [pods] seats = ["AA"]',
    )
    bench.pods.plug("BB")
    bench.wait(10)
    assert bench.poster.trouble
    bench.pod(0, BUZZ)
    bench.wait(2)
    assert bench.asked() == "Seat 2"


@pytest.mark.logs_errors
def test_error_during_the_question_stays_on_the_screen(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    bench = make(FakePods("AA"), "")
    with monkeypatch.context() as once:
        once.setattr(bench.pods, "bind", broken)
        bench.key("AA")
    bench.wait(10)
    assert bench.poster.trouble
    assert bench.pods.seats == []


def test_owners_are_asked_before_notices(make: Make) -> None:
    bench = make(FakePods("AA"), "", notice="The buzzers are a mock")
    bench.wait(10)
    assert bench.asked() == "Seat 1"
    bench.house("ok")
    assert bench.poster.lines == ("The buzzers are a mock",)


def test_question_waits_while_people_join_or_play(make: Make) -> None:
    bench = make(FakePods(seats=["AA", "BB"]), "", game="buntherum")
    bench.pod(0, BUZZ)
    bench.pods.plug("CC")
    bench.wait(5)
    assert bench.poster.title == "Who plays?"
    bench.pod(1, BUZZ)
    bench.house("ok", "ok")
    bench.wait(5)
    assert isinstance(bench.screen, Play)
    bench.choose("Leave", "Yes")
    bench.wait(2)
    assert bench.asked() == "Seat 3"


# --- What pods show ---------------------------------------------------------------------------------------


@pytest.fixture
def duel(make: Make) -> PodBench:
    """Büro Crazy at three pods, at its first two bids."""
    bench = make(FakePods(seats=["AA", "BB", "CC"]), "", game="buro_crazy")
    for place in range(3):
        bench.pod(place, BUZZ)
    bench.house("ok", "ok")
    assert bench.until(lambda: isinstance(bench.screen, Play) and bool(bench.view.duel))
    bench.read()
    return bench


def test_pod_shows_who_sits_there(make: Make) -> None:
    bench = make(FakePods(seats=["AA", "", "CC"]), "")
    free = ("Press the buzzer", "to sit down")
    assert bench.hardware.screens == {0: free, 2: free}
    bench.pod(2, BUZZ)
    assert bench.hardware.screens == {0: free, 2: ("You're in, Cleo", "")}


def test_newly_bound_pod_shows_its_seat(make: Make) -> None:
    bench = make(FakePods("AA"), "")
    assert bench.hardware.screens == {}
    bench.key("AA")
    assert bench.hardware.screens == {0: ("Press the buzzer", "to sit down")}


def test_typed_bid_appears_only_on_its_own_pod(duel: PodBench) -> None:
    one, other = duel.view.duel
    (third,) = {0, 1, 2} - {one, other}
    before = {place: duel.said(place) for place in (other, third)}
    duel.pod(one, "5")
    assert duel.hardware.screens[one][0] == "Bid 20 (20)"
    assert "Hand 132" in duel.said(one)
    assert {place: duel.said(place) for place in (other, third)} == before
    duel.pod(one, "#")
    assert "Locked 20 (20); hand 132" in duel.said(one)
    assert {place: duel.said(place) for place in (other, third)} == before


def test_typing_keeps_the_page_and_c_turns_it(duel: PodBench) -> None:
    one, _ = duel.view.duel
    hand = pages("Hand 132 (3x20 3x10 5x5 5x2 7x1)")
    assert len(hand) > 1
    duel.wait(PAGE_NS / 1e9)
    page = duel.hardware.screens[one][1]
    assert not page.startswith("Hand")
    duel.pod(one, "1")
    assert duel.hardware.screens[one][0] == "Bid 1 (1)"
    assert not duel.hardware.screens[one][1].startswith("Hand")
    entries = list(duel.match.entries)
    shown = set()
    for _ in range(4):
        duel.pod(one, "C")
        shown.add(duel.hardware.screens[one][1].partition(" ")[0])
    assert len(shown) > 1
    assert "Hand" in shown
    assert duel.match.entries == entries
    assert duel.hardware.screens[one][0] == "Bid 1 (1)"


def test_refusal_stays_until_the_next_key(duel: PodBench) -> None:
    one, _ = duel.view.duel
    duel.pod(one, *"55555")  # there are four 20s
    assert duel.hardware.screens[one] == ("20: only 4 in  >", "Hand 152 (4x20 >")
    duel.read()
    duel.pod(one, "1")
    assert duel.hardware.screens[one][0] == "Bid 1 (1)"


def test_pause_reaches_all_pods_and_keeps_typed_keys(duel: PodBench) -> None:
    one, other = duel.view.duel
    duel.pod(one, "5", "4")
    duel.hardware.troubles = {other: msg("the pod of seat 9: it is not plugged in")}
    duel.report(other, UNPLUG)
    assert {lines[0] for lines in duel.hardware.screens.values()} == {"The match is   >"}
    assert isinstance(duel.screen, Poster)
    assert duel.poster.lines == ("the pod of seat 9: it is not plugged in",)
    assert [side.note == "unplugged!" for side in duel.frame.sides] == [seat == other for seat in range(3)]
    duel.pod(one, "3")
    assert duel.hardware.screens[one] == ("the match is   >", "Hand 122 (3x20 >")
    duel.hardware.troubles = {}
    duel.report(other, PLUG)
    assert duel.hardware.screens[one][0] == "Bid 30 (20 10)"
    assert isinstance(duel.screen, Play)


def test_screen_reports_a_lost_pod_only_once_paused(duel: PodBench) -> None:
    """Hardware knows it shortly before its report is heard."""
    one, other = duel.view.duel
    duel.hardware.troubles = {other: msg("the pod of seat 9: it is not plugged in")}
    duel.pod(one, *"55555")
    assert isinstance(duel.screen, Play)
    duel.report(other, UNPLUG)
    assert isinstance(duel.screen, Poster)
    assert duel.host.session.referee.pauses


def test_pods_show_a_reveal_only_after_the_flip(duel: PodBench) -> None:
    one, other = duel.view.duel
    duel.pod(one, "5", "#")
    duel.pod(other, "4")
    duel.blind = True
    duel.pod(other, "#")
    duel.wait(2)
    assert set(duel.hardware.screens.values()) == {("Everything is", "in!")}
    duel.blind = False
    duel._flip()
    assert ("Everything is", "in!") not in duel.hardware.screens.values()

    """A restarted pod answers within milliseconds, in another thread."""


def test_trouble_ending_while_drawn_makes_no_empty_screen(duel: PodBench, monkeypatch: pytest.MonkeyPatch) -> None:
    why = msg("the pod of seat 1: it restarted")
    looks = iter([{0: why}])
    monkeypatch.setattr(FakeHardware, "troubles", property(lambda _: next(looks, {})), raising=False)
    before = len(duel.frames)
    duel.report(0, UNPLUG)
    posters = [frame.screen for frame in duel.frames[before:] if isinstance(frame.screen, Poster)]
    assert [poster.lines for poster in posters] == [(str(why),)]

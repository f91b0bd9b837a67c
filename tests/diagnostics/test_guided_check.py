"""Tests the guided check in virtual time, with faulty wires."""

import heapq
import re
from collections.abc import Callable
from itertools import count

import pytest

from companion.core.console import BUZZ, Lamp
from companion.core.place import HOUSE
from companion.core.signal import LEVEL, PC, UNPLUG, Signal
from companion.core.text import msg
from companion.devices.findings import Finding, Severity
from companion.devices.keypads.usb_pads import PadWiring
from companion.devices.lines import NOT_WIRED, BuzzerWiring, HouseWiring, LampWiring, MatrixWiring
from companion.devices.pods.options import PodWiring
from companion.devices.wiring import Wiring
from companion.diagnostics.guided_check import GREET_NS, NAMED_NS, PATIENCE_NS, Walk
from companion.diagnostics.listening import TERMINAL

MS = 1_000_000

WIRING = Wiring(
    BuzzerWiring(pins=(17, 27, 22)),
    LampWiring(pins=(5, 6, 13), siren=18),
    HouseWiring(ok=16, undo=20, pause=NOT_WIRED, skip=NOT_WIRED),
)

BARE = Wiring(WIRING.of(BuzzerWiring), LampWiring(pins=(), siren=NOT_WIRED), HouseWiring(*[NOT_WIRED] * 7))
PODS = Wiring(
    BuzzerWiring(pins=()),
    LampWiring(pins=(), siren=NOT_WIRED),
    BARE.of(HouseWiring),
    PodWiring(seats=("A1", "B2")),
)
KEYPADS = BARE.but(
    PadWiring(seats=("", "usb-1"), house="usb-2"),
    MatrixWiring(seat=1, rows=(1, 2, 3, 4), columns=(7, 8, 9, 10)),
)


class Table:
    """Devices, and a person who acts when a poster asks."""

    def __init__(self, wiring: Wiring = BARE, player: object = None, *, jig: bool = False) -> None:
        self.now_ns = 0
        self.screen_places: tuple[int, ...] = ()
        self.said: list[tuple] = []
        self.places = range(len(wiring.buzzers))
        self.troubles = {}
        self.down = dict.fromkeys(self.places, False)
        self.lamps = {}
        self.sirens = 0
        self.ended = 0
        self.posters = []
        self.moves = {}
        """Where a seat's buzzer moves another place's line."""
        self.lights = {}
        """Where a place lights another seat's lamp."""
        self.does = {}
        """Actions that replace obeying, by part of the poster's title."""
        self.unread = []
        self._plan = []
        self._order = count()
        self.walk = Walk(wiring, self, self.ask, self.end, player=player, jig=jig)

    def run(self) -> dict[str, Finding]:
        self.walk.start(self.now_ns)
        while (deadline_ns := self.walk.deadline_ns) is not None:
            if self._plan and self._plan[0][0] <= deadline_ns:
                self.now_ns, _, happen = heapq.heappop(self._plan)
                happen()
            else:
                self.now_ns = deadline_ns
                self.walk.tick(deadline_ns)
        assert self.ended == 1
        assert Lamp.ON not in self.lamps.values()
        assert Lamp.BLINK not in self.lamps.values()
        return {str(finding.name): finding for finding in self.walk.findings}

    # --- Used by the guided check --------------------------------------------------------------------------

    def say(self, place, *lines):
        self.said.append((place, *lines))

    def ask(self, poster, place):
        self.posters.append((self.now_ns, poster, place, dict(self.lamps)))
        for part, act in self.does.items():
            if part in poster.title:
                act()
                return
        self.obey(poster.title)

    def end(self):
        self.ended += 1

    def flush(self, now_ns):
        assert now_ns == self.now_ns
        levels = [
            Signal("gpiod", place, BUZZ, now_ns, 0, now_ns, down, (LEVEL,))
            for place, down in self.down.items()
            if place not in self.troubles
        ]
        return [*self.unread, *levels]

    def show(self, place, lamp):
        self.lamps[place] = lamp

    def sound_siren(self):
        self.sirens += 1

    # --- What the person does ------------------------------------------------------------------------------

    def obey(self, title):
        if match := re.match(r"Press the buzzer of seat (\d)", title):
            self.press(int(match[1]) - 1)
        elif match := re.match(r"Now the lamp of seat (\d)", title):
            place = int(match[1]) - 1
            self.press(self.lights.get(place, place))
        elif "siren" in title or "sound" in title or "private screen" in title:
            self.press(0)
        elif match := re.match(r"Press each key of the keypad of seat (\d) once: (\S)", title):
            self.key(int(match[1]) - 1, match[2])
        elif match := re.match(r"Press the button (\w+)", title):
            self.house(match[1])
        elif match := re.match(r"Press 5 on the keypad of seat (\d)", title):
            self.key(int(match[1]) - 1, "5")
        elif title == "Press 5 on the keypad of the house":
            self.key(HOUSE, "5")

    def at(self, after_ms, happen: Callable[[], None]) -> None:
        heapq.heappush(self._plan, (self.now_ns + round(after_ms * MS), next(self._order), happen))

    def edge(self, place, after_ms, pressed):
        def happen():
            self.down[place] = pressed
            self.hear(place, BUZZ, "gpiod", pressed=pressed)

        self.at(after_ms, happen)

    def press(self, seat, bounce_ms=(), hold_ms=80):
        place = self.moves.get(seat, seat)
        self.edge(place, 1000, True)
        for number, after_ms in enumerate(bounce_ms):
            self.edge(place, 1000 + after_ms, number % 2 == 1)
        if hold_ms is not None:
            self.edge(place, 1000 + hold_ms, False)

    def house(self, control, source="house"):
        self.at(700, lambda: self.hear(HOUSE, control, source))

    def key(self, seat, key, source="keypad", uncertainty_ns=8_500_000):
        def happen():
            t_ns = self.now_ns
            self.walk.signal(Signal(source, seat, key, t_ns - uncertainty_ns, uncertainty_ns, t_ns))

        self.at(700, happen)

    def hear(self, seat, control, source, pressed=True, late_ns=0):
        self.walk.signal(Signal(source, seat, control, self.now_ns - late_ns, 0, self.now_ns, pressed))

    def titles(self):
        return [poster.title for _, poster, _, _ in self.posters]


def verdicts(found):
    return {name: finding.severity.value for name, finding in found.items()}


@pytest.fixture
def table():
    return Table()


def test_healthy_table_passes():
    table = Table(WIRING)
    found = table.run()
    assert list(found) == [
        "buzzer of seat 1",
        "buzzer of seat 2",
        "buzzer of seat 3",
        "lamp of seat 1",
        "lamp of seat 2",
        "lamp of seat 3",
        "siren",
        "button ok",
        "button undo",
    ]
    assert set(verdicts(found).values()) == {"ok"}
    assert all(finding.remedy is None for finding in found.values())
    assert table.sirens == 1
    last = table.posters[-1][1]
    assert (last.title, last.trouble) == ("Nothing to fix", False)


def test_lamp_of_the_tested_seat_blinks_then_shines():
    table = Table(WIRING)
    table.run()
    asked = {
        title: (place, lamps) for (_, _, place, lamps), title in zip(table.posters, table.titles(), strict=True)
    }
    place, lamps = asked["Press the buzzer of seat 2, hold it a moment, release it"]
    assert (place, lamps) == (1, {0: Lamp.OFF, 1: Lamp.BLINK})
    place, lamps = asked["Now the lamp of seat 2 is on. Press the buzzer beside the lit lamp"]
    assert (place, lamps) == (1, {0: Lamp.OFF, 1: Lamp.ON, 2: Lamp.OFF})


def test_each_result_appears_once_with_next_poster(table):
    table.run()
    told = [line for _, poster, _, _ in table.posters for line in poster.lines]
    assert told == [f"buzzer of seat {seat}: ok, line {pin}: no bounce." for seat, pin in ((1, 17), (2, 27))]


# --- Bounce -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bounce_ms", "verdict", "found"),
    [
        ((), "ok", "line 17: no bounce"),
        ((0.25, 0.5, 2, 4), "ok", "line 17: bounce of 4.00 ms, 5 edges"),
        ((5, 10), "ok", "line 17: bounce of 10.00 ms, 3 edges"),
        ((5, 10.01), "weak", "line 17: bounce of 10.01 ms, 3 edges"),
        ((4, 9, 20, 29), "weak", "line 17: bounce of 29.00 ms, 5 edges"),
    ],
)
def test_bounce_is_measured(table, bounce_ms, verdict, found):
    table.does["Press the buzzer of seat 1"] = lambda: table.press(0, bounce_ms)
    finding = table.run()["buzzer of seat 1"]
    assert (finding.severity.value, str(finding.found)) == (verdict, found)
    assert (finding.remedy is not None) == (verdict == "weak")


def test_bounce_at_release_does_not_count(table):
    def press():
        table.press(0, (1, 2))
        for after_ms, pressed in ((1081, True), (1082, False), (1095, True), (1096, False)):
            table.edge(0, after_ms, pressed)

    table.does["Press the buzzer of seat 1"] = press
    assert str(table.run()["buzzer of seat 1"].found) == "line 17: bounce of 2.00 ms, 3 edges"


def test_next_step_waits_for_an_unread_edge(table):
    late = Signal("gpiod", 0, BUZZ, 0, 0, 0, False)

    def press():
        table.press(0)
        table.at(1090, lambda: table.unread.append(late))
        table.at(1500, lambda: (table.unread.clear(), table.hear(0, BUZZ, "gpiod", pressed=False)))

    table.does["Press the buzzer of seat 1"] = press
    table.run()
    asked_ns = next(t_ns for t_ns, poster, _, _ in table.posters if "seat 2" in poster.title)
    assert asked_ns >= 1600 * MS, "else the edge would have counted for the next seat"


# --- Missing presses --------------------------------------------------------------------------------------


def nobody():
    pass


def test_silent_buzzer_times_out_and_check_goes_on(table):
    table.does["Press the buzzer of seat 2"] = nobody
    found = table.run()
    assert verdicts(found) == {"buzzer of seat 1": "ok", "buzzer of seat 2": "bad", "buzzer of seat 3": "ok"}
    assert str(found["buzzer of seat 2"].found) == "line 27: no signal"
    assert "wire from line 27" in str(found["buzzer of seat 2"].remedy)
    asked = {title: t_ns for (t_ns, *_), title in zip(table.posters, table.titles(), strict=True)}
    two, three = (next(t_ns for title, t_ns in asked.items() if f"seat {n}," in title) for n in (2, 3))
    assert three - two == PATIENCE_NS
    last = table.posters[-1][1]
    assert (last.title, last.lines, last.trouble) == ("1 thing to fix", ("buzzer of seat 2",), True)


@pytest.mark.parametrize(("source", "control"), [(TERMINAL, "ok"), ("house", "ok"), ("house", "skip"), (PC, "ok")])
def test_house_or_enter_skips_a_step(table, source, control):
    table.does["Press the buzzer of seat 2"] = lambda: table.house(control, source)
    assert verdicts(table.run())["buzzer of seat 2"] == "skipped"


@pytest.mark.parametrize(
    "act",
    [
        lambda table: table.house("undo"),
        lambda table: table.at(500, lambda: table.hear(1, BUZZ, PC)),
        lambda table: table.edge(1, 500, False),
    ],
    ids=["another control of the house", "a touch of the display", "a stray edge"],
)
def test_other_signals_skip_nothing(table, act):
    table.does["Press the buzzer of seat 2"] = lambda: act(table)
    assert str(table.run()["buzzer of seat 2"].found) == "line 27: no signal"


def test_late_polarity_is_resolved_by_the_level(table):
    def press():
        table.at(999, lambda: table.down.update({1: True}))
        table.at(1000, lambda: table.hear(1, BUZZ, "gpiod", pressed=False, late_ns=1))
        table.edge(1, 1080, False)

    table.does["Press the buzzer of seat 2"] = press
    assert str(table.run()["buzzer of seat 2"].found) == "line 27: no bounce"


def test_buzzer_held_down_is_named_and_left_out():
    table = Table(Wiring(WIRING.of(BuzzerWiring), WIRING.of(LampWiring), BARE.of(HouseWiring)))
    table.does["Press the buzzer of seat 2"] = lambda: table.press(1, hold_ms=None)
    table.does["Is the lamp of seat 2"] = lambda: table.press(0)
    found = table.run()
    assert str(found["buzzer of seat 2"].found) == "line 27 does not settle"
    assert "jammed" in str(found["buzzer of seat 2"].remedy)
    others = {name: verdict for name, verdict in verdicts(found).items() if name != "buzzer of seat 2"}
    assert set(others.values()) == {"ok"}


def test_other_held_buzzer_does_not_block_the_step(table):
    def press():
        table.press(2, hold_ms=None)
        table.at(12_000, lambda: table.press(0))

    table.does["Press the buzzer of seat 1"] = press
    found = table.run()
    assert verdicts(found) == {"buzzer of seat 3": "bad", "buzzer of seat 1": "ok", "buzzer of seat 2": "ok"}
    assert str(found["buzzer of seat 3"].found) == "line 22 does not settle"


def test_fluttering_line_is_named(table):
    def flutter():
        for number in range(200):
            table.edge(1, 1000 + 50 * number, number % 2 == 0)

    table.does["Press the buzzer of seat 2"] = flutter
    assert str(table.run()["buzzer of seat 2"].found) == "line 27 does not settle"


def test_failed_source_is_reported_with_its_reason(table):
    def unplug():
        table.troubles.update(dict.fromkeys(table.places, msg("the buzzers: it is gone")))
        for place in table.places:
            table.at(500, lambda place=place: table.hear(place, UNPLUG, "gpiod"))

    table.does["Press the buzzer of seat 2"] = unplug
    found = table.run()
    assert verdicts(found) == {"buzzer of seat 1": "ok", "buzzer of seat 2": "bad", "buzzer of seat 3": "bad"}
    assert str(found["buzzer of seat 2"].found) == "the buzzers: it is gone"
    assert len([title for title in table.titles() if "seat 3" in title]) == 0, "it could not be heard"


def test_other_seats_trouble_is_reported_at_its_step(table):
    def unplug():
        table.troubles[2] = msg("it chatters")
        table.at(500, lambda: table.hear(2, UNPLUG, "gpiod"))
        table.press(1)

    table.does["Press the buzzer of seat 2"] = unplug
    found = table.run()
    assert verdicts(found) == {"buzzer of seat 1": "ok", "buzzer of seat 2": "ok", "buzzer of seat 3": "bad"}
    assert str(found["buzzer of seat 3"].found) == "it chatters"


def test_trouble_after_a_press_makes_buzzer_bad(table):
    def press():
        table.press(1)
        table.at(1010, lambda: table.troubles.update({1: msg("it chatters")}))

    table.does["Press the buzzer of seat 2"] = press
    found = table.run()
    assert verdicts(found) == {"buzzer of seat 1": "ok", "buzzer of seat 2": "bad", "buzzer of seat 3": "ok"}


# --- Stuck from the start ---------------------------------------------------------------------------------


def test_button_released_in_time_is_ok(table):
    table.down[1] = True
    table.edge(1, 2900, False)
    assert set(verdicts(table.run()).values()) == {"ok"}
    assert "Release the buzzers" not in table.titles()


def test_bounce_at_release_is_not_the_next_press(table):
    table.down[0] = True
    for after_ms, pressed in ((2999, False), (3001, True), (3002, False)):
        table.edge(0, after_ms, pressed)
    assert set(verdicts(table.run()).values()) == {"ok"}
    (asked_ns, *_), (next_ns, *_), *_ = table.posters
    assert next_ns - asked_ns > 1000 * MS, "when the person had pressed"


def test_stuck_line_is_named_and_may_be_released(table):
    table.down[1] = True
    table.edge(1, 9000, False)
    assert set(verdicts(table.run()).values()) == {"ok"}
    t_ns, poster, _, _ = table.posters[0]
    assert (t_ns, poster.title, poster.trouble) == (NAMED_NS, "Release the buzzers", True)
    assert poster.lines == ("line 27 of seat 2 stays pressed",)
    assert [title for title in table.titles() if title == poster.title] == [poster.title], "said once"


def test_permanently_stuck_line_is_bad_and_not_tested(table):
    table.down[1] = True
    found = table.run()
    assert verdicts(found) == {"buzzer of seat 2": "bad", "buzzer of seat 1": "ok", "buzzer of seat 3": "ok"}
    assert "jammed" in str(found["buzzer of seat 2"].remedy)
    assert not any("seat 2" in title for title in table.titles())


def test_all_lines_stuck_suggests_wrong_polarity(table):
    table.down.update(dict.fromkeys(table.places, True))
    found = table.run()
    assert set(verdicts(found).values()) == {"bad"}
    assert all("active_low" in str(finding.remedy) for finding in found.values())


def test_stuck_lines_are_summarised_briefly(table):
    table.down.update({0: True, 1: True})
    table.run()
    stuck, remedy = next(poster.lines for _, poster, _, _ in table.posters if "seat 3" in poster.title)
    assert stuck == "Stuck: seats 1, 2."
    assert "jammed" in remedy


def test_wait_for_a_stuck_line_can_be_skipped(table):
    table.down[1] = True
    table.does["Release the buzzers"] = lambda: table.house("ok", TERMINAL)
    table.run()
    assert table.posters[1][0] < NAMED_NS + 1000 * MS


# --- Wrong lines ------------------------------------------------------------------------------------------


def test_swapped_seats_get_the_right_pins(table):
    table.moves = {0: 1, 1: 0}
    found = table.run()
    assert verdicts(found) == {
        "buzzer of seat 1": "bad",
        "buzzer of seat 2": "bad",
        "buzzer of seat 3": "ok",
        "[buzzers] pins": "bad",
    }
    assert str(found["buzzer of seat 1"].found) == "it triggers line 27, which table.toml gives to seat 2"
    assert str(found["[buzzers] pins"].found) == "swapped: seats 1, 2"
    assert str(found["[buzzers] pins"].remedy) == "In table.toml, [buzzers]: pins = [27, 17, 22]"


def test_three_rotated_seats_get_the_right_pins(table):
    table.moves = {0: 1, 1: 2, 2: 0}
    assert str(table.run()["[buzzers] pins"].remedy) == "In table.toml, [buzzers]: pins = [27, 22, 17]"


def test_two_buzzers_on_one_line_cannot_be_reordered(table):
    table.moves = {0: 1}
    assert str(table.run()["[buzzers] pins"].remedy).startswith("Give each seat a line or pod of its own")


def test_wrong_buzzer_pressed_once_is_forgiven(table):
    presses = iter((1, 0))
    table.does["Press the buzzer of seat 1"] = lambda: table.press(next(presses))
    assert set(verdicts(table.run()).values()) == {"ok"}
    assert table.posters[1][1].lines == ("That was line 27, of seat 2. Was it the right buzzer?",)


def test_connected_lines_are_reported(table):
    table.does["Press the buzzer of seat 1"] = lambda: (table.press(0), table.press(2))
    finding = table.run()["buzzer of seat 1"]
    assert (finding.severity.value, str(finding.found)) == ("bad", "line 17, line 22 respond together")


class Loudspeaker:
    """`trouble` says why nothing is heard."""

    def __init__(self, trouble=None):
        self.trouble = trouble
        self.played = []

    def play(self, name, lasting_ns=0):
        self.played.append((name, lasting_ns > 0))


def test_heard_sound_is_confirmed():
    loudspeaker = Loudspeaker()
    found = Table(BARE, player=loudspeaker).run()["sound"]
    assert (found.severity, str(found.found)) == (Severity.OK, "the clip call: confirmed")
    assert loudspeaker.played == [("call", True)]


def test_unheard_sound_suggests_choosing_the_device():
    table = Table(BARE, player=Loudspeaker())
    table.does = {"Did you hear a sound": lambda: None}
    found = table.run()["sound"]
    assert (found.severity, "[sound] device" in str(found.remedy)) == (Severity.BAD, True)


def test_failing_sound_card_gives_its_reason():
    table = Table(BARE, player=Loudspeaker(msg("No sound: it is in use")))
    table.does = {"Did you hear a sound": lambda: None}
    assert str(table.run()["sound"].found) == "No sound: it is in use"


# --- Lamps, siren, house ----------------------------------------------------------------------------------


def test_swapped_lamps_are_reported():
    table = Table(WIRING)
    table.lights = {0: 2, 2: 0}
    found = table.run()
    assert str(found["lamp of seat 1"].found) == "line 5: it lights the lamp of seat 3"
    assert {name for name, verdict in verdicts(found).items() if verdict == "bad"} == {
        "lamp of seat 1",
        "lamp of seat 3",
    }


def test_swapped_buzzers_still_confirm_their_lamps():
    table = Table(WIRING)
    table.moves = {0: 1, 1: 0}
    found = table.run()
    assert {verdict for name, verdict in verdicts(found).items() if "lamp" in name} == {"ok"}


@pytest.mark.parametrize(
    ("title", "name", "remedy"),
    [
        ("Now the lamp of seat 2", "lamp of seat 2", "line 6"),
        ("siren", "siren", "line 18"),
        ("button undo", "button undo", "line 20"),
    ],
)
def test_unconfirmed_step_is_bad_but_skipped_is_not(title, name, remedy):
    table = Table(WIRING)
    table.does[title] = nobody
    finding = table.run()[name]
    assert finding.severity is Severity.BAD
    assert remedy in str(finding.remedy)
    table = Table(WIRING)
    table.does[title] = lambda: table.house("ok", TERMINAL)
    assert table.run()[name].severity is Severity.SKIPPED


def test_any_buzzer_confirms_lamp_of_silent_seat():
    table = Table(WIRING)
    table.does["Press the buzzer of seat 2"] = nobody
    table.does["Is the lamp of seat 2"] = lambda: table.press(0)
    assert table.run()["lamp of seat 2"].severity is Severity.OK


def test_swapped_house_buttons_are_reported():
    table = Table(WIRING)
    table.does["the button ok"] = lambda: table.house("undo")
    table.does["the button undo"] = lambda: table.house("ok")
    found = table.run()
    assert str(found["button ok"].found) == "it triggers line 20, which table.toml calls undo"
    assert found["button undo"].severity is Severity.BAD


def test_wrong_button_pressed_once_is_forgiven():
    table = Table(WIRING)
    presses = iter(("undo", "ok"))
    table.does["the button ok"] = lambda: table.house(next(presses))
    assert table.run()["button ok"].severity is Severity.OK


# --- The end ----------------------------------------------------------------------------------------------


def test_signals_after_the_end_are_ignored(table):
    table.run()
    table.hear(0, BUZZ, "gpiod")
    table.walk.tick(table.now_ns + PATIENCE_NS)
    assert table.ended == 1


def test_last_poster_stays_until_skipped_or_timeout(table):
    table.walk = Walk(BARE, table, table.ask, table.end, linger_ns=5_000 * MS)
    table.does["Nothing to fix"] = lambda: (table.press(0), table.house("ok", PC))
    table.run()
    shown_ns = table.posters[-1][0]
    assert table.now_ns == shown_ns + 700 * MS
    table = Table()
    table.walk = Walk(BARE, table, table.ask, table.end, linger_ns=5_000 * MS)
    table.run()
    assert table.now_ns == table.posters[-1][0] + 5_000 * MS


# --- Keypads ----------------------------------------------------------------------------------------------


def test_each_keypad_is_tested_with_one_key():
    table = Table(KEYPADS)
    found = table.run()
    assert list(found)[3:] == ["the keypad of seat 1", "the keypad of seat 2", "the keypad of the house"]
    assert {str(found[name].found) for name in list(found)[3:]} == {"key 5, ±8.5 ms"}
    assert set(verdicts(found).values()) == {"ok"}
    assert [place for _, poster, place, _ in table.posters if "Press 5" in poster.title] == [0, 1, None]


def test_wrong_key_is_reported_when_repeated():
    table = Table(KEYPADS)
    keys = iter("485")
    table.does["Press 5 on the keypad of seat 1"] = lambda: table.key(0, next(keys))
    table.does["Press 5 on the keypad of seat 2"] = lambda: table.key(1, "2")
    found = table.run()
    assert found["the keypad of seat 1"].severity is Severity.OK
    assert str(found["the keypad of seat 2"].found) == "5 arrives as 2"
    assert "docs/keypads.md" in str(found["the keypad of seat 2"].remedy)
    assert ("That was 8 on the keypad of seat 1.",) in [poster.lines for _, poster, _, _ in table.posters]


def test_swapped_keypads_are_reported():
    table = Table(KEYPADS)
    table.does["Press 5 on the keypad of seat 1"] = lambda: table.key(1, "5")
    table.does["Press 5 on the keypad of seat 2"] = lambda: table.key(0, "5")
    found = table.run()
    assert str(found["the keypad of seat 1"].found) == "its presses arrive from the keypad of seat 2"
    assert str(found["the keypad of seat 2"].found) == "its presses arrive from the keypad of seat 1"
    assert verdicts(found)["the keypad of the house"] == "ok"


def test_silent_skipped_and_lost_keypads_are_distinguished():
    table = Table(KEYPADS)
    table.does["Press 5 on the keypad of seat 1"] = nobody
    table.does["Press 5 on the keypad of seat 2"] = lambda: (table.key(1, "5", PC), table.house("ok"))

    def lost():
        table.troubles[HOUSE] = msg("the keypad of the house is gone")
        table.house("skip")

    table.does["Press the buzzer of seat 3"] = lost
    found = table.run()
    assert verdicts(found)["the keypad of seat 1"] == "bad"
    assert str(found["the keypad of seat 1"].found) == "no signal"
    assert found["the keypad of seat 1"].remedy
    assert verdicts(found)["the keypad of seat 2"] == "skipped", "what the PC types is not the pad's"
    assert str(found["the keypad of the house"].found) == "the keypad of the house is gone"
    assert "Press 5 on the keypad of the house" not in table.titles()


# --- Pods -------------------------------------------------------------------------------------------------


def test_table_of_pods_passes():
    table = Table(PODS)
    found = table.run()
    assert list(found) == [
        f"{device} of seat {seat}" for device in ("buzzer", "lamp", "the keypad") for seat in (1, 2)
    ]
    assert set(verdicts(found).values()) == {"ok"}
    assert str(found["buzzer of seat 2"].found) == "pod B2: no bounce"
    assert str(found["lamp of seat 2"].found) == "pod B2: confirmed"


def test_check_waits_for_pods_to_answer():
    table = Table(PODS)
    table.troubles.update({0: msg("it is not plugged in"), 1: msg("it is not plugged in")})
    table.at(2000, table.troubles.clear)
    assert set(verdicts(table.run()).values()) == {"ok"}


def test_unplug_signals_at_the_start_are_harmless():
    table = Table(PODS)
    for place in table.places:
        table.at(0, lambda place=place: table.hear(place, UNPLUG, "pod"))
    assert set(verdicts(table.run()).values()) == {"ok"}


def test_unanswering_pod_is_reported():
    table = Table(PODS)
    table.troubles[1] = msg("it is not plugged in")
    found = table.run()
    assert table.posters[0][0] == GREET_NS
    assert verdicts(found)["buzzer of seat 2"] == verdicts(found)["the keypad of seat 2"] == "bad"
    assert verdicts(found)["buzzer of seat 1"] == verdicts(found)["the keypad of seat 1"] == "ok"


def test_swapped_pods_get_the_right_seats():
    table = Table(PODS)
    table.moves = {0: 1, 1: 0}
    found = table.run()
    assert str(found["buzzer of seat 1"].found) == "it triggers pod B2, which table.toml gives to seat 2"
    assert str(found["[pods] seats"].remedy) == 'In table.toml, [pods]: seats = ["B2", "A1"]'


def test_faulty_pods_parts_refer_to_pod_guide():
    table = Table(PODS)
    table.does["Press the buzzer of seat 1"] = nobody
    table.does["Now the lamp of seat 2"] = nobody
    table.does["Is the lamp of seat 1"] = lambda: table.press(1)
    found = table.run()
    assert str(found["buzzer of seat 1"].found) == "pod A1: no signal"
    assert str(found["lamp of seat 2"].found) == "pod B2: not confirmed"
    for name in ("buzzer of seat 1", "lamp of seat 2"):
        assert "hardware/pod/README.md" in str(found[name].remedy)

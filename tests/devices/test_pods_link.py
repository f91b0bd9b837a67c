"""Tests the link with one pod: events, timestamps and failures."""

import random
import statistics
import sys

import pytest

from companion.core.console import KEYS, Lamp
from companion.core.place import ScreenSize
from companion.core.text import msg
from companion.devices.pods.link import POD
from companion.devices.pods.reports import Away, Back, Dropped, EdgeReport, Foreign, KeyReport, Level
from companion.devices.pods.sentences import sentence
from tests.devices.pod_sim import MODELS, MS, US, Model, Spoiler, World, keys_of, typed_through, whole

SECRET = bytes(range(32))


def ready(**options) -> World:
    world = World(**options)
    world.run_until(lambda: world.link.ready)
    return world


paired_or_not = pytest.mark.parametrize("secret", [None, SECRET], ids=["not paired", "paired"])


@pytest.fixture
def world() -> World:
    return ready()


# --- Greeting ---------------------------------------------------------------------------------------------


def test_pod_is_back_once_its_clock_is_known(world: World) -> None:
    assert [type(event) for event in world.events(Back, Away)] == [Back]
    assert world.link.hello.firmware == "sim"
    assert world.now_ns < 5_010 * MS


def test_port_without_a_pod_is_given_up() -> None:
    world = World()
    world.unplug()
    conversation = world.conversation
    world.run(3_100)
    assert "no pod responds" in str(conversation.over)
    assert not world.told


def test_keys_pressed_before_the_host_arrive_after_greeting() -> None:
    world = World()
    for key in "123":
        world.key(key)
    world.run(500)
    assert keys_of(world) == "123"
    assert isinstance(world.told[0][1], Back)


@paired_or_not
def test_restarted_host_receives_only_unacknowledged_keys(secret: bytes | None) -> None:
    first = ready(secret=secret)
    first.link.show(Lamp.ON)
    for key in "12":
        first.key(key)
    first.run(500)
    second = World(secret=secret)
    second.pod = first.pod
    second.key("3")
    second.link.show(Lamp.BLINK)
    second.link.say("Anna")
    second.run(500)
    assert keys_of(second) == "3"
    assert (second.pod.lamp, second.pod.lines) == (2, ["Anna", ""])


# --- Lamp and lines ---------------------------------------------------------------------------------------


def test_lines_fit_the_screen_size_the_pod_reports(world: World) -> None:
    assert world.link.screen_size == ScreenSize(16, 2)
    for can, size in (("BKLTWQ", (20, 4)), ("BKLTQ", (16, 4)), ("BKLTW", (20, 2)), ("BKLT", (16, 2))):
        world.pod.can = can
        world.reset()
        world.run(300)
        assert world.link.screen_size == size
        world.link.show(Lamp.ON)
        world.link.say(*("abcdefghijklmnopqrstuvwxyz"[line:] for line in range(4)))
        world.run(300)
        columns, lines = size
        assert world.pod.lines == ["abcdefghijklmnopqrstuvwxyz"[line : line + columns] for line in range(lines)]
        assert world.pod.lamp == 1, "a line that is not there any more holds nothing up"


def test_pod_shows_the_newest_lamp_and_lines(world: World) -> None:
    for lamp in (Lamp.ON, Lamp.OFF, Lamp.BLINK):
        world.link.show(lamp)
        world.link.say(f"lamp: {lamp}", "Straße, $5*,^")
        world.run(1)
    world.run(300)
    assert world.pod.lamp == 2
    assert world.pod.lines == ["lamp: blink", "Straße, $5*,^"]


def test_lines_are_cut_to_screen_and_sentence_length(world: World) -> None:
    world.link.say("“0123456789012345", "“" * 16)
    world.run(300)
    assert world.pod.lines == ["“012345678901234", "“" * 10]


def test_changes_while_unplugged_are_sent_on_reconnect(world: World) -> None:
    world.link.show(Lamp.ON)
    world.run(300)
    world.unplug()
    world.run(2_000)
    world.link.say("go on")
    world.plug()
    world.run(3_000)
    assert (world.pod.lamp, world.pod.lines[0]) == (1, "go on")


def test_lamp_and_lines_are_sent_again_after_reset(world: World) -> None:
    world.link.show(Lamp.ON)
    world.link.say("Anna")
    world.run(300)
    world.reset()
    world.run(300)
    assert (world.pod.lamp, world.pod.lines) == (1, ["Anna", ""])


@paired_or_not
def test_lamp_and_lines_recover_after_another_programs_greeting(
    secret: bytes | None,
) -> None:
    world = ready(secret=secret)
    world.link.show(Lamp.ON)
    world.link.say("Anna")
    world.run(300)
    world.conversation.end(msg("given up for a moment"))
    world.pod.hear(sentence("HEY", 1, "AAAAAAAA").encode(), world.t_us())
    world.pod.out.clear()
    assert (world.pod.lamp, world.pod.lines) == (0, ["", ""])
    world.link.show(Lamp.BLINK)
    world.key("7")
    world.run(2_000)
    assert (world.pod.lamp, world.pod.lines) == (2, ["Anna", ""])
    assert keys_of(world) == "7"


# --- Failures ---------------------------------------------------------------------------------------------


@paired_or_not
def test_pulled_cable_is_reported_and_loses_no_key(secret: bytes | None) -> None:
    world = ready(secret=secret)
    world.key("1")
    world.run(250)
    world.unplug()
    world.run(700)
    assert world.link.ready
    world.run(400)
    assert not world.link.ready
    world.key("2")
    world.key("3")
    world.plug()
    world.run(3_000)
    kinds = [type(event) for event in world.events(Back, Away, KeyReport)]
    assert kinds == [Back, KeyReport, Away, Back, KeyReport, KeyReport]
    assert keys_of(world) == "123"


@paired_or_not
def test_reset_is_brief_unplug_and_loses_no_keys(secret: bytes | None) -> None:
    world = ready(secret=secret)
    world.key("1")
    world.run(250)
    world.reset()
    world.run(250)
    world.key("2")
    world.run(250)
    kinds = [type(event) for event in world.events(Back, Away, KeyReport)]
    assert kinds == [Back, KeyReport, Away, Back, KeyReport]
    assert keys_of(world) == "12"
    assert "restarted" in str(world.events(Away)[0].why)


@pytest.mark.parametrize("presses", [0, 1, 3])
def test_reset_without_a_greeting_is_noticed(world: World, presses: int) -> None:
    world.key("1")
    world.run(250)
    world.reset()
    world.pod.out.clear()
    for _ in range(presses):
        world.buzz()
    pressed_ns = world.now_ns
    world.run(1_000)
    assert len(world.events(Away)) == 1
    assert world.link.ready
    assert world.link.hello.boot == world.pod.boot
    edges = world.events(EdgeReport)
    assert len(edges) == presses
    assert all(abs(edge.t_ns - pressed_ns) <= edge.uncertainty_ns for edge in edges)


@pytest.mark.parametrize("session", ["-", "5B0C77E2"])
def test_greeting_from_an_earlier_start_is_ignored(world: World, session: str) -> None:
    old = world.pod.boot
    world.reset()
    world.run(250)
    world.link.hear(sentence("HEL", 1, world.pod.identity, "sim", "BKLT", old, 1, session), world.now_ns)
    world.key("1")
    world.run(250)
    assert keys_of(world) == "1"
    assert len(world.events(Away)) == 1


def test_excessive_clock_drift_is_reported() -> None:
    world = ready(model=Model("bad", MODELS[0].there, MODELS[0].back, ppm=5_000))
    world.run(2_000)
    assert "drift_ppm" in str(world.events(Away)[0].why)


def test_events_beyond_the_pods_buffer_are_counted(world: World) -> None:
    world.unplug()
    for n in range(70):
        world.key(KEYS[n % 10])
    world.plug()
    world.run(5_000)
    assert keys_of(world) == "".join(KEYS[n % 10] for n in range(63))
    assert sum(event.events for event in world.events(Dropped)) == 7


# --- Time -------------------------------------------------------------------------------------------------


def test_race_pings_prove_levels_at_short_intervals(world: World) -> None:
    world.race()
    world.run(1_000)
    world.told.clear()
    pressed_ns = world.buzz()
    world.run(33)
    levels = world.events(Level)
    assert len(levels) >= 3
    assert all(level.pressed for level in levels if level.t_ns - level.uncertainty_ns > pressed_ns)
    assert world.link.settled_ns > pressed_ns + 10 * MS


def test_pings_do_not_queue_at_a_slow_pod() -> None:
    world = ready(model=Model("slow", lambda *_: 5_200 * US, lambda *_: 6_400 * US))
    world.run(1_000)
    pings, pongs = [], []
    hear, heard = world.pod.hear, world.link.hear
    world.pod.hear = lambda data, t_us: (pings.append(world.now_ns), hear(data, t_us)) if b"PNG" in data else None
    world.link.hear = lambda said, now_ns: (
        pongs.append(now_ns) if said.kind == "PON" else None,
        heard(said, now_ns),
    )
    world.race()
    world.run(128)
    assert len(pings) >= len(pongs) >= 8
    assert all(pong_ns < ping_ns for pong_ns, ping_ns in zip(pongs, pings[1:], strict=False))


def test_lost_race_ping_only_delays_the_next(world: World) -> None:
    world.run(1_000)
    world.spoil = lambda data: [] if b"PNG" in data else [data]
    world.race()
    lost_ns = world.now_ns
    world.run(5)
    world.spoil = whole
    world.told.clear()
    world.run_until(lambda: world.events(Level))
    assert 25 * MS <= world.now_ns - lost_ns <= 30 * MS


def test_level_matches_the_contact_at_its_timestamp(world: World) -> None:
    world.race()
    world.run(1_000)
    for pressed in (True, False):
        before = world.link.level
        assert before.pressed is not pressed
        changed_ns = world.buzz(int(pressed))
        edges = len(world.events(EdgeReport))
        world.run_until(lambda edges=edges: len(world.events(EdgeReport)) > edges)
        assert world.link.level.pressed is before.pressed or world.link.level.t_ns > changed_ns
        world.run(20)
        assert world.link.level.pressed is pressed


def test_level_newer_than_its_pong_is_ignored(world: World) -> None:
    world.run(1_000)
    world.pod.level = 1  # the contact has closed, but its event does not exist yet
    world.run(300)
    assert not world.link.level.pressed
    assert not any(level.pressed for level in world.events(Level))


def test_contact_held_at_connection_is_read_as_pressed() -> None:
    world = World()
    world.pod.level = 1
    world.run_until(lambda: world.link.ready)
    assert world.link.level.pressed
    world.race()
    world.buzz(0)
    world.run(20)
    assert not world.link.level.pressed


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_no_press_is_reported_after_later_mark(model: Model) -> None:
    world = ready(model=model)
    spoiled = Spoiler(random.Random(model.name), 0.2)
    world.spoil = spoiled
    for _ in range(200):
        world.run(world.luck.randrange(60))
        world.buzz(world.luck.randrange(2))
    world.run(2_000)
    mark_ns = 0
    for _, event in world.told:
        if isinstance(event, EdgeReport):
            assert event.t_ns + event.uncertainty_ns >= mark_ns
        elif isinstance(event, Level):
            mark_ns = max(mark_ns, event.t_ns - event.uncertainty_ns)
    assert len(world.events(EdgeReport)) == 200
    assert spoiled.count > 50


class Bounce:
    """A bounce while the pod's clock becomes more exact; `edges` are the reports."""

    def __init__(self, *waits_ms: float) -> None:
        there_us = 3_000
        model = Model("better", lambda *_: there_us * US, lambda *_: 100 * US, ppm=0)
        world = ready(model=model)
        world.race()
        world.run(1_000)
        self.truths_ns = [world.buzz(1)]
        self.stamps_us = [world.t_us()]
        world.run(5)
        there_us = 100
        for number, wait_ms in enumerate(waits_ms):
            world.run(wait_ms - (0 if number else 5))
            self.truths_ns.append(world.buzz(number % 2))
            self.stamps_us.append(world.t_us())
        world.run(20)
        self.edges = world.events(EdgeReport)
        self.uncertainties_ns = [edge.uncertainty_ns for edge in self.edges]

    def placed_by_the_first(self) -> list[bool]:
        """Return for each edge whether its distance from the first equals the pod clock's."""
        first = self.edges[0].t_ns - self.stamps_us[0] * US
        return [
            edge.t_ns - stamp_us * US == first for edge, stamp_us in zip(self.edges, self.stamps_us, strict=True)
        ]


def test_bounce_edges_keep_their_distances_by_pod_clock() -> None:
    bounce = Bounce(20, 0.02, 1, 29.999)
    assert bounce.placed_by_the_first() == [True] * 5
    assert all(
        abs(edge.t_ns - truth_ns) <= edge.uncertainty_ns
        for edge, truth_ns in zip(bounce.edges, bounce.truths_ns, strict=True)
    )
    # The clocks may drift apart by 100 ppm.
    assert [known - bounce.uncertainties_ns[0] for known in bounce.uncertainties_ns] == [0, 2000, 2002, 2102, 5102]


@pytest.mark.parametrize(("waits_ms", "anew"), [((30,), 1), ((20, 30), 2), ((25, 25, 25, 24.999, 0.001), 5)])
def test_edge_uses_the_better_clock_after_bounce_ends(waits_ms: tuple[float, ...], anew: int) -> None:
    bounce = Bounce(*waits_ms)
    assert bounce.placed_by_the_first() == [number < anew for number in range(len(waits_ms) + 1)]
    assert bounce.uncertainties_ns[anew] < bounce.uncertainties_ns[0] / 2


@pytest.mark.parametrize("pulled", [False, True])
def test_bounce_after_reset_ignores_the_old_clock(world: World, pulled: bool) -> None:
    world.run(1_000)
    world.buzz()
    world.run(5)
    if pulled:
        world.unplug()
        world.run(2_000)
        world.plug()
    world.reset()
    world.run(2_000)
    world.told.clear()
    truth_ns = world.buzz()
    world.run(50)
    (edge,) = world.events(EdgeReport)
    assert abs(edge.t_ns - truth_ns) <= edge.uncertainty_ns


@pytest.mark.soak
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_presses_stay_within_their_uncertainty(model: Model, soak_count) -> None:
    world = ready(model=model, seed=model.name)
    world.run(5_000)
    world.told.clear()
    pressed = []
    for _ in range(soak_count(1_000)):
        world.run(world.luck.uniform(50, 3_000))
        pressed.append(world.buzz(1))
        world.run(world.luck.uniform(40, 200))
        pressed.append(world.buzz(0))
    world.run(1_000)
    edges = world.events(EdgeReport)
    assert len(edges) == len(pressed)
    errors_ns = [abs(edge.t_ns - truth_ns) for edge, truth_ns in zip(edges, pressed, strict=True)]
    # The simulated contact has an exact timestamp, so the allowance for interrupts must not be needed.
    bounds_ns = [edge.uncertainty_ns - POD.stamp_ns for edge in edges]
    assert all(error_ns <= bound_ns for error_ns, bound_ns in zip(errors_ns, bounds_ns, strict=True))
    assert not world.events(Away)
    bound_us, error_us = statistics.median(bounds_ns) / 1_000, statistics.median(errors_ns) / 1_000
    sys.stdout.write(
        f"{model.name}: {len(edges)} edges, bound +-{bound_us:.0f} us, error {error_us:.0f} us (medians)\n"
    )


# --- Unreliable lines -------------------------------------------------------------------------------------


@pytest.mark.soak
@pytest.mark.parametrize(
    ("secret", "share", "most"), [(None, 0.4, 10_000), (SECRET, 0.3, 5_000)], ids=["not paired", "paired"]
)
def test_unreliable_line_delivers_each_key_once_in_order(
    secret: bytes | None, share: float, most: int, soak_count
) -> None:
    spoiled = Spoiler(random.Random("proved" if secret else "spoil"), share)
    world = World(spoil=spoiled, secret=secret)
    keyed = typed_through(world, spoiled, soak_count(most))
    assert keys_of(world) == keyed
    assert world.pod.lamp == 2
    assert not world.events(Dropped, Foreign)


@pytest.mark.soak
def test_resets_may_lose_but_never_repeat_keys(soak_count) -> None:
    spoiled = Spoiler(random.Random("resets"), 0.3)
    world = World(spoil=spoiled)
    keyed = []
    while spoiled.count < soak_count(10_000):
        keyed.append(world.now_ns)
        world.key(KEYS[len(keyed) % 16])
        world.run(world.luck.randrange(400))
        if world.luck.random() < 0.03:
            world.reset()
    told = [event.key for event in world.events(KeyReport)]
    places, place = [], 0
    for key in told:  # each key is the next one pressed, except for those a reset has lost
        place += 1
        while KEYS[place % 16] != key:
            place += 1
        places.append(place)
    assert place <= len(keyed)
    assert len(told) > len(keyed) * 0.5

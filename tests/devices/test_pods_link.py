"""The conversation with one pod: nothing is lost, nothing comes twice, and what cannot be relied on is said."""

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


def test_a_pod_is_back_when_it_has_greeted_and_its_clock_is_known(world: World) -> None:
    assert [type(event) for event in world.events(Back, Away)] == [Back]
    assert world.link.hello.firmware == "sim"
    assert world.now_ns < 5_010 * MS


def test_a_port_without_a_pod_is_over() -> None:
    world = World()
    world.unplug()
    conversation = world.conversation
    world.run(3_100)
    assert "no pod answers" in str(conversation.over)
    assert not world.told


def test_keys_that_wait_for_a_host_come_when_it_is_there() -> None:
    world = World()
    for key in "123":
        world.key(key)
    world.run(500)
    assert keys_of(world) == "123"
    assert isinstance(world.told[0][1], Back)


@paired_or_not
def test_a_host_that_was_restarted_goes_on_with_what_the_pod_has_not_acknowledged(secret: bytes | None) -> None:
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


def test_a_pod_gets_as_many_lines_as_it_says_it_has_and_as_long_ones(world: World) -> None:
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


def test_lamp_and_lines_arrive_as_they_were_wanted_last(world: World) -> None:
    for lamp in (Lamp.ON, Lamp.OFF, Lamp.BLINK):
        world.link.show(lamp)
        world.link.say(f"lamp: {lamp}", "Straße, $5*,^")
        world.run(1)
    world.run(300)
    assert world.pod.lamp == 2
    assert world.pod.lines == ["lamp: blink", "Straße, $5*,^"]


def test_a_line_is_cut_to_the_screen_and_to_the_sentence(world: World) -> None:
    world.link.say("“0123456789012345", "“" * 16)
    world.run(300)
    assert world.pod.lines == ["“012345678901234", "“" * 10]


def test_what_was_wanted_while_the_cable_was_out_is_told_when_it_is_back(world: World) -> None:
    world.link.show(Lamp.ON)
    world.run(300)
    world.unplug()
    world.run(2_000)
    world.link.say("go on")
    world.plug()
    world.run(3_000)
    assert (world.pod.lamp, world.pod.lines[0]) == (1, "go on")


def test_lamp_and_lines_are_told_anew_after_a_reset(world: World) -> None:
    world.link.show(Lamp.ON)
    world.link.say("Anna")
    world.run(300)
    world.reset()
    world.run(300)
    assert (world.pod.lamp, world.pod.lines) == (1, ["Anna", ""])


@paired_or_not
def test_lamp_and_lines_are_told_anew_when_another_program_has_asked_the_pod_meanwhile(
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


# --- When it goes wrong -----------------------------------------------------------------------------------


@paired_or_not
def test_a_pulled_cable_is_told_after_a_second_and_its_keys_come_when_it_is_back(secret: bytes | None) -> None:
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
def test_a_reset_unplugs_for_a_moment_and_what_had_arrived_stands(secret: bytes | None) -> None:
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
    assert "started anew" in str(world.events(Away)[0].why)


@pytest.mark.parametrize("presses", [0, 1, 3])
def test_a_reset_whose_greeting_was_lost_is_noticed(world: World, presses: int) -> None:
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
def test_a_greeting_from_before_the_last_start_is_ignored(world: World, session: str) -> None:
    old = world.pod.boot
    world.reset()
    world.run(250)
    world.link.hear(sentence("HEL", 1, world.pod.identity, "sim", "BKLT", old, 1, session), world.now_ns)
    world.key("1")
    world.run(250)
    assert keys_of(world) == "1"
    assert len(world.events(Away)) == 1


def test_a_clock_that_drifts_more_than_it_may_is_told() -> None:
    world = ready(model=Model("bad", MODELS[0].there, MODELS[0].back, ppm=5_000))
    world.run(2_000)
    assert "drift_ppm" in str(world.events(Away)[0].why)


def test_events_that_the_pod_had_no_room_for_are_counted(world: World) -> None:
    world.unplug()
    for n in range(70):
        world.key(KEYS[n % 10])
    world.plug()
    world.run(5_000)
    assert keys_of(world) == "".join(KEYS[n % 10] for n in range(63))
    assert sum(event.events for event in world.events(Dropped)) == 7


# --- Time -------------------------------------------------------------------------------------------------


def test_a_race_is_pinged_on_its_beat(world: World) -> None:
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


def test_a_lost_ping_of_a_race_delays_the_next(world: World) -> None:
    world.run(1_000)
    world.spoil = lambda data: [] if b"PNG" in data else [data]
    world.race()
    lost_ns = world.now_ns
    world.run(5)
    world.spoil = whole
    world.told.clear()
    world.run_until(lambda: world.events(Level))
    assert 25 * MS <= world.now_ns - lost_ns <= 30 * MS


def test_the_level_of_a_mark_is_the_one_at_its_time_whatever_was_pressed_since(world: World) -> None:
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


def test_a_level_that_is_younger_than_its_pong_says_nothing_of_the_time_before(world: World) -> None:
    world.run(1_000)
    world.pod.level = 1  # the contact has closed, and its event is not made yet
    world.run(300)
    assert not world.link.level.pressed
    assert not any(level.pressed for level in world.events(Level))


def test_a_contact_that_is_held_when_the_pod_comes_is_known_from_its_level() -> None:
    world = World()
    world.pod.level = 1
    world.run_until(lambda: world.link.ready)
    assert world.link.level.pressed
    world.race()
    world.buzz(0)
    world.run(20)
    assert not world.link.level.pressed


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_no_event_is_told_after_a_mark_that_is_later(model: Model) -> None:
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
    """A contact that changes while its pod's clock becomes known better: `edges` are what is told of it."""

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
        """Tell of each edge whether it is told to be as long after the first as the pod's clock says."""
        first = self.edges[0].t_ns - self.stamps_us[0] * US
        return [
            edge.t_ns - stamp_us * US == first for edge, stamp_us in zip(self.edges, self.stamps_us, strict=True)
        ]


def test_edges_of_a_bounce_are_as_far_apart_as_the_pod_says_though_its_clock_is_known_better_meanwhile() -> None:
    bounce = Bounce(20, 0.02, 1, 29.999)
    assert bounce.placed_by_the_first() == [True] * 5
    assert all(
        abs(edge.t_ns - truth_ns) <= edge.uncertainty_ns
        for edge, truth_ns in zip(bounce.edges, bounce.truths_ns, strict=True)
    )
    # The clocks may part by 100 millionths of the time since.
    assert [known - bounce.uncertainties_ns[0] for known in bounce.uncertainties_ns] == [0, 2000, 2002, 2102, 5102]


@pytest.mark.parametrize(("waits_ms", "anew"), [((30,), 1), ((20, 30), 2), ((25, 25, 25, 24.999, 0.001), 5)])
def test_an_edge_is_placed_anew_after_30_ms_without_one_or_100_ms_of_bounce(
    waits_ms: tuple[float, ...], anew: int
) -> None:
    bounce = Bounce(*waits_ms)
    assert bounce.placed_by_the_first() == [number < anew for number in range(len(waits_ms) + 1)]
    assert bounce.uncertainties_ns[anew] < bounce.uncertainties_ns[0] / 2


@pytest.mark.parametrize("pulled", [False, True])
def test_a_bounce_of_a_pod_that_was_started_anew_is_not_placed_by_what_its_clock_was(
    world: World, pulled: bool
) -> None:
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
def test_the_truth_is_inside_the_bound_of_every_press(model: Model, soak_count) -> None:
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
    # The simulated contact is stamped at once: what is added for an interrupt must not be needed.
    bounds_ns = [edge.uncertainty_ns - POD.stamp_ns for edge in edges]
    assert all(error_ns <= bound_ns for error_ns, bound_ns in zip(errors_ns, bounds_ns, strict=True))
    assert not world.events(Away)
    bound_us, error_us = statistics.median(bounds_ns) / 1_000, statistics.median(errors_ns) / 1_000
    sys.stdout.write(
        f"{model.name}: {len(edges)} edges, bound +-{bound_us:.0f} us, error {error_us:.0f} us (medians)\n"
    )


# --- Lines that lie ---------------------------------------------------------------------------------------


@pytest.mark.soak
@pytest.mark.parametrize(
    ("secret", "share", "most"), [(None, 0.4, 10_000), (SECRET, 0.3, 5_000)], ids=["not paired", "paired"]
)
def test_whatever_a_line_does_each_key_comes_once_and_in_order(
    secret: bytes | None, share: float, most: int, soak_count
) -> None:
    spoiled = Spoiler(random.Random("proved" if secret else "spoil"), share)
    world = World(spoil=spoiled, secret=secret)
    keyed = typed_through(world, spoiled, soak_count(most))
    assert keys_of(world) == keyed
    assert world.pod.lamp == 2
    assert not world.events(Dropped, Foreign)


@pytest.mark.soak
def test_with_resets_too_no_key_is_wrong_or_comes_twice(soak_count) -> None:
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
    for key in told:  # each key is the next of those that were pressed, some of which a reset has cost
        place += 1
        while KEYS[place % 16] != key:
            place += 1
        places.append(place)
    assert place <= len(keyed)
    assert len(told) > len(keyed) * 0.5

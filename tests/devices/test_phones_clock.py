"""Tests that phones' timestamps keep their uncertainty despite drift, coarse clocks and slow Wi-Fi."""

from random import Random

import pytest

from companion.devices.phones.phones import line_of
from companion.devices.pods.link import PodLink
from companion.devices.pods.reports import EdgeReport
from companion.devices.pods.sentences import sentence
from tests.devices.pod_sim import MS, US, Model, World

GRAINS_US = (1, 100, 1_000, 16_667)


class PhoneWorld(World):
    """A phone whose browser rounds its clock to jittered steps of `grain_us`."""

    grain_us = 1

    def __post_init__(self):
        super().__post_init__()
        told = self.link._tell
        self.link = PodLink(self.pod.identity, told, self.model.bound_ppm, line_of(wait_ms=1_000))

    def t_us(self, t_ns=None):
        exact_us = super().t_us(t_ns)
        if self.grain_us == 1:
            return exact_us
        step = exact_us // self.grain_us
        # A browser adds the same jitter throughout a step, and its clock never runs backwards.
        return (step + Random(f"{self.seed} {step}").randrange(2)) * self.grain_us

    def _pod_step(self, data):
        super()._pod_step(data)
        if self.link.connected and not self.link._clock.grain_ns:
            said = sentence("GRN", self.grain_us).encode()
            self._send("back", self.model.back, said, self._heard)


def wifi(luck):
    """Return a random delay for one direction."""
    most_ms, spikes = luck.choice((3, 20, 150)), luck.random() / 3

    def delay(luck, _):
        return luck.randrange(1 * MS, most_ms * MS) if luck.random() < spikes else luck.randrange(MS // 2, 2 * MS)

    return delay


@pytest.mark.soak
def test_phone_presses_stay_within_their_uncertainty(soak_count):
    presses, widths_ns = 0, []
    for number in range(soak_count(100)):
        luck = Random(f"phone {number}")
        model = Model("wifi", wifi(luck), wifi(luck), ppm=luck.randrange(-200, 201), bound_ppm=250)
        world = PhoneWorld(model, f"phone {number}", began_us=luck.randrange(3_600_000_000))
        world.grain_us = GRAINS_US[number % 4] if number else 1_000
        world.run_until(lambda world=world: world.link.ready)
        for _ in range(20):
            world.run(luck.randrange(500, 1_500))
            pressed_ns = world.buzz(1)
            count = len(world.events(EdgeReport))
            world.run_until(lambda world=world, count=count: len(world.events(EdgeReport)) > count)
            edge = world.events(EdgeReport)[-1]
            assert abs(edge.t_ns - pressed_ns) <= edge.uncertainty_ns
            assert not edge.refused
            world.run(luck.randrange(60, 200))
            world.buzz(0)
            world.run(400)
            presses += 1
            widths_ns.append(edge.uncertainty_ns)
    assert presses == soak_count(100) * 20
    assert min(widths_ns) < 50 * MS  # a bound that always holds proves nothing


def test_clock_is_unknown_until_its_grain_is_known():
    world = PhoneWorld(seed="no grain")
    world._send = lambda way, delay, data, arrive: (
        None if data.startswith(b"$TCGRN") else World._send(world, way, delay, data, arrive)
    )
    world.run(2_000)
    assert world.link.connected
    assert not world.link.ready


def test_coarser_clock_widens_the_uncertainty_by_its_grain():
    widths_us = []
    for grain_us in (1, 1_000):
        world = PhoneWorld(seed="grain")
        world.grain_us = grain_us
        world.run(2_000)
        widths_us.append(world.link.uncertainty_ns // US)
    assert widths_us[1] - widths_us[0] >= 999

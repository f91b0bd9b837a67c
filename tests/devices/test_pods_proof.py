"""Tests paired pods: proofs, rejected sentences, and key files."""

import stat
from pathlib import Path

import pytest

from companion.core.console import Lamp
from companion.devices.errors import DeviceError
from companion.devices.pods.keys import PodKeys
from companion.devices.pods.proof import PodKey
from companion.devices.pods.reports import Away, EdgeReport, Foreign
from companion.devices.pods.sentences import Reader, sentence
from tests.devices.pod_sim import MODELS, SimPod, World, keys_of

SECRET = bytes(range(32))
POD = "E66118604B3A5C21"


def ready(**options) -> World:
    world = World(secret=SECRET, **options)
    world.run_until(lambda: world.link.ready)
    return world


@pytest.fixture
def world() -> World:
    return ready()


# --- The session ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_paired_pod_works_like_any_other(model) -> None:
    world = ready(model=model)
    world.run(1_000)
    for key in "123":
        world.key(key)
    pressed_ns = world.buzz()
    world.link.show(Lamp.BLINK)
    world.link.say("Anna", "“" * 16)
    world.run(3_000)
    assert keys_of(world) == "123"
    (edge,) = world.events(EdgeReport)
    assert abs(edge.t_ns - pressed_ns) <= edge.uncertainty_ns
    assert (world.pod.lamp, world.pod.lines) == (2, ["Anna", "“" * 10])
    assert not world.events(Away, Foreign)


# --- Unproved sentences -----------------------------------------------------------------------------------


def test_unproved_sentences_are_ignored_and_reported_once(world: World) -> None:
    world.run(1_000)
    for number in range(1, 4):
        world.link.hear(sentence("KEY", number, world.t_us(), 5), world.now_ns)
    world.run(300)
    assert keys_of(world) == ""
    assert len(world.events(Foreign)) == 1
    assert world.link.ready
    world.key("7")
    world.run(300)
    assert keys_of(world) == "7"


def test_restarted_pod_still_has_to_prove_itself(world: World) -> None:
    world.reset()
    world.run(1_000)
    assert world.link.ready
    world.link.hear(sentence("KEY", 1, world.t_us(), 5), world.now_ns)
    assert keys_of(world) == ""
    world.key("7")
    world.run(300)
    assert keys_of(world) == "7"


def test_repeated_sentences_count_once_without_alarm(world: World) -> None:
    world.spoil = lambda data: [data, data]
    world.key("7")
    world.run(1_000)
    assert keys_of(world) == "7"
    assert not world.events(Foreign)


def test_echo_of_the_host_raises_no_alarm(world: World) -> None:
    world.run(1_000)
    for lamp in (Lamp.ON, Lamp.OFF):
        world.link.show(lamp)
        world.link.tick(world.now_ns)
        for said in Reader().feed(bytes(world.link.out)):
            world.link.hear(said, world.now_ns)
        world.run(300)
    assert not world.events(Foreign)
    assert world.pod.lamp == 0


def test_recorded_session_cannot_be_replayed() -> None:
    said = []
    world = World(secret=SECRET, spoil=lambda data: [said.append(data) or data])
    world.run_until(lambda: world.link.ready)
    world.key("7")
    world.buzz()
    world.run(1_000)
    later = World(secret=SECRET)
    later.pod = Parrot(b"".join(said))
    later.run(2_900)
    assert not later.told
    assert not later.link.connected
    later.run(200)
    assert "cannot prove" in later.overs[0]


class Parrot(SimPod):
    """Replays a recording, with the greeting that the host asks for."""

    def __init__(self, recorded: bytes) -> None:
        self.recorded = recorded
        super().__init__()

    def hear(self, data: bytes, t_us: int) -> None:
        for heard in Reader().feed(data):
            if heard.kind == "HEY":
                self.out += sentence("HEL", 1, POD, "1.2", "BKLTP", "00000001", 1, heard.fields[1]).encode()
        self.out += self.recorded

    def tick(self, t_us: int) -> None:
        """Send nothing unprompted."""


# --- Keys -------------------------------------------------------------------------------------------------


def test_key_file_is_private_and_can_be_read(tmp_path: Path) -> None:
    keys = PodKeys(lambda: tmp_path / "state")
    assert keys.of(POD) is None
    key = PodKey(SECRET)
    keys.keep(POD, key)
    (path,) = (tmp_path / "state" / "pods").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert keys.of(POD).written() == key.written() == f"{SECRET.hex()}\n"
    keys.keep(POD, PodKey.drawn())
    assert keys.of(POD).written() != key.written()


def test_repr_and_errors_hide_the_key(tmp_path: Path) -> None:
    assert repr(PodKey(SECRET)) == str(PodKey(SECRET)) == "PodKey()"
    keys = PodKeys(lambda: tmp_path)
    keys.keep(POD, PodKey(SECRET))
    (path,) = (tmp_path / "pods").iterdir()
    path.write_text(SECRET.hex()[:-1] + "x\n")
    with pytest.raises(DeviceError, match="companion pod pair") as raised:
        keys.of(POD)
    assert SECRET.hex()[:8] not in str(raised.value)
    with pytest.raises(ValueError, match="no key"):
        PodKey.read(SECRET.hex()[:-1])


@pytest.mark.parametrize("identity", ["../../home", "", "e661", "A" * 65, "E6\n"])
def test_invalid_identity_reaches_no_other_file(tmp_path: Path, identity: str) -> None:
    keys = PodKeys(lambda: tmp_path)
    assert keys.of(identity) is None
    with pytest.raises(DeviceError, match="not the identity of a pod"):
        keys.keep(identity, PodKey(SECRET))
    assert list(tmp_path.iterdir()) == []


def test_symlink_is_replaced_without_writing_its_target(tmp_path: Path) -> None:
    (tmp_path / "pods").mkdir()
    other = tmp_path / "other"
    other.write_text("mine")
    (tmp_path / "pods" / f"{POD}.key").symlink_to(other)
    PodKeys(lambda: tmp_path).keep(POD, PodKey(SECRET))
    assert other.read_text() == "mine"

"""`companion pod` lists pods, tests their keys and puts firmware onto boards."""

import io
import os
import subprocess
import tty
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from companion.cli import pods as pods_command
from companion.core.console import Lamp
from companion.core.signal import LEVEL, LOST, PLUG, UNPLUG, Signal
from companion.core.text import msg
from companion.devices.errors import DeviceError
from companion.devices.pods import firmware
from companion.devices.pods.keys import PodKeys
from companion.devices.pods.options import PodWiring
from companion.devices.pods.pods import Seen
from tests.running import companion

US = 1_000


class FakePods:
    """A fake of a table's pods that notes what they show."""

    def __init__(self, seen=(), silent=(), troubles=()):
        self._seen = list(seen)
        self.silent_ports = dict(silent)
        self.troubles = dict(troubles)
        self.places = tuple(pod.place for pod in seen if pod.place is not None)
        self.done = []

    def seen(self):
        return self._seen

    def unbound(self):
        return [pod for pod in self._seen if pod.place is None]

    def bind(self, identity, place):
        self.done.append(("bind", identity, place))
        self.places += (place,)

    section = "pods"

    @property
    def paired(self):
        return PodWiring(("AA", "BB"))

    def show(self, place, lamp):
        self.done.append((place, lamp))

    def say(self, place, *lines):
        self.done.append((place, *lines))


def seen(identity, place=None, *, proved=True):
    return Seen(identity, "1.0", "/dev/ttyACM0", place, proved)


# --- list -------------------------------------------------------------------------------------------------


def test_list_names_each_pod_and_missing_ones():
    trouble = {0: msg("the pod of seat 1 (AA): it is not plugged in")}
    pods = FakePods([seen("CC", 2), seen("BB", 1)], {"/dev/ttyACM7": msg("no pod answers there")}, trouble)
    assert list(pods_command.listed(pods)) == [
        "BB  firmware 1.0  /dev/ttyACM0  seat 2",
        "CC  firmware 1.0  /dev/ttyACM0  seat 3",
        "/dev/ttyACM7: no pod answers there",
        "the pod of seat 1 (AA): it is not plugged in",
    ]


def test_list_marks_an_unproved_pod():
    (line,) = pods_command.listed(FakePods([seen("BB", 1, proved=False)]))
    assert line == "BB  firmware 1.0  /dev/ttyACM0  seat 2  not paired: `companion pod pair`"


def test_list_explains_how_to_seat_a_pod():
    pods = FakePods([seen("AA", 0), seen("BB")])
    lines = list(pods_command.listed(pods))
    assert lines[1] == "BB  firmware 1.0  /dev/ttyACM0  no seat"
    assert "table.toml" in lines[2]
    assert lines[3:] == ["[pods]", 'seats = ["AA", "BB"]']
    assert pods.done == [("bind", "BB", 1)]


def test_list_without_pods_asks_about_the_cable():
    assert list(pods_command.listed(FakePods())) == [
        "No pod found. Is one plugged in, with a cable that carries data?"
    ]


def test_command_lists_missing_pods_and_ports(tmp_path):
    (tmp_path / "table.toml").write_text(
        '[pods]\nseats = ["", "E66118604B3A5C21"]\nports = ["/dev/no-such-port"]\n'
    )
    done = companion(tmp_path, "pod", "list", "--table", "table.toml")
    assert done.returncode == 0
    assert "the pod of seat 2 (E66118604B3A5C21): it is not plugged in" in done.stdout
    assert "/dev/no-such-port: it was not found" in done.stdout


def test_list_does_not_accept_a_port(tmp_path):
    done = companion(tmp_path, "pod", "list", "/dev/ttyACM0")
    assert (done.returncode, done.stdout) == (2, "")
    assert "only flash and pair take a port" in done.stderr


@pytest.mark.parametrize("words", [("list", "--all"), ("flash", "/dev/ttyACM0", "--all")])
def test_all_is_for_flash_without_a_port(tmp_path, words):
    done = companion(tmp_path, "pod", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--all: only flash takes it" in done.stderr


# --- test -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("control", "pressed", "flags", "told", "done"),
    [
        ("5", True, (), "seat 2: key 5\n", [(1, "Seat 2", "key 5")]),
        ("buzz", True, (), "seat 2: buzzer pressed, ±230 us\n", [(1, Lamp.ON)]),
        ("buzz", False, (), "seat 2: buzzer released, ±230 us\n", [(1, Lamp.OFF)]),
        ("buzz", True, (LEVEL,), "", []),
        (PLUG, True, (), "seat 2: connected\n", [(1, "Seat 2", "press anything")]),
        (LOST, False, (), "seat 2: memory full: some presses are lost\n", []),
        (UNPLUG, True, (), "seat 2: its cable is out\n", []),
    ],
)
def test_press_is_printed_and_shown_on_its_pod(control, pressed, flags, told, done):
    pods = FakePods(troubles={1: msg("its cable is out")})
    out = io.StringIO()
    pods_command.answer(pods, Signal("pod", 1, control, 0, 230 * US, 0, pressed, flags), out)
    assert (out.getvalue(), pods.done) == (told, done)


# --- flash ------------------------------------------------------------------------------------------------


@pytest.fixture
def board(monkeypatch):
    """A port whose board lacks firmware and ignores a request to restart."""
    near, far = os.openpty()
    tty.setraw(far)
    monkeypatch.setattr(firmware, "GONE_S", 0)
    monkeypatch.setattr(firmware, "find_spec", lambda name: ModuleSpec(name, None))
    yield near, os.ttyname(far)
    os.close(near)
    os.close(far)


class Remote:
    """A fake mpremote; `copied` has the files that it copied, `modes` their permissions."""

    def __init__(self, identity="E66118604B3A5C21"):
        self.identity = identity
        self.copied = {}
        self.modes = set()

    def __call__(self, command, **_):
        self.command = command
        start, end = command.index("cp") + 1, command.index(":")
        for file in map(Path, command[start:end]):
            self.copied[file.name] = file.read_text()
            self.modes |= {file.parent.stat().st_mode & 0o077} if file.name == "key.txt" else set()
        return subprocess.CompletedProcess(command, 0, f"{self.identity}\n", "")


@pytest.mark.parametrize(("act", "name"), [(pods_command.flash, "flash"), (pods_command.pair, "pair")])
def test_flash_and_pair_copy_their_files(board, tmp_path, act, name):
    near, path = board
    remote, keys, out = Remote(), PodKeys(lambda: tmp_path), io.StringIO()
    act(path, PodWiring(), out, run=remote, keys=keys)
    assert os.read(near, 100).startswith(b"$TCUPD*")
    assert remote.command[1:6] == ["-m", "mpremote", "connect", path, "exec"]
    assert remote.command[-3:] == [":", "+", "reset"]
    assert "key.txt" in remote.copied
    is_whole = {"main.py", "pod.py", "link.py", "sentences.py", "proof.py", "pins.py"} <= remote.copied.keys()
    assert is_whole == (name == "flash"), "pins.py is the owner's, and pair leaves it alone"
    assert out.getvalue().endswith("the pod starts\n")


def test_pairing_key_is_new_and_secret(board, tmp_path):
    _, path = board
    keys, drawn = PodKeys(lambda: tmp_path), set()
    for _ in range(2):
        remote, out = Remote(), io.StringIO()
        pods_command.pair(path, PodWiring(), out, run=remote, keys=keys)
        key = remote.copied["key.txt"]
        assert keys.of("E66118604B3A5C21").written() == key
        assert remote.modes == {0}
        assert key.strip() not in out.getvalue() + " ".join(remote.command)
        drawn.add(key)
    assert len(drawn) == 2
    assert not [word for word in remote.command if word.endswith("key.txt") and Path(word).exists()]


def test_board_without_an_identity_is_not_paired(board, tmp_path):
    with pytest.raises(DeviceError, match="not the identity of a pod"):
        pods_command.pair(board[1], PodWiring(), io.StringIO(), run=Remote(""), keys=PodKeys(lambda: tmp_path))


def test_mpremote_error_is_passed_on(board):
    def run(command, **_):
        return subprocess.CompletedProcess(command, 1, "", "could not enter raw repl\n")

    with pytest.raises(DeviceError, match=r"could not enter raw repl\. Is MicroPython on the board"):
        pods_command.flash(board[1], PodWiring(), io.StringIO(), run=run)


def test_flash_without_mpremote_explains_installation(monkeypatch):
    monkeypatch.setattr(firmware, "find_spec", lambda name: None)
    with pytest.raises(DeviceError, match=r"pip install -e .*\[pod\]"):
        pods_command.flash("/dev/ttyACM0", PodWiring(), io.StringIO())


@pytest.mark.parametrize(
    ("ports", "told"),
    [([], "no board found"), (["/dev/a", "/dev/b"], r"2 boards \(/dev/a, /dev/b\); name one")],
)
def test_flash_never_guesses_the_board(board, monkeypatch, ports, told):
    monkeypatch.setattr(pods_command, "ports_with_boards", lambda: ports)
    with pytest.raises(DeviceError, match=told):
        pods_command.flash(None, PodWiring(), io.StringIO())


def test_missing_port_is_named(board):
    with pytest.raises(DeviceError, match="/dev/no-such-port: "):
        pods_command.flash("/dev/no-such-port", PodWiring(), io.StringIO())

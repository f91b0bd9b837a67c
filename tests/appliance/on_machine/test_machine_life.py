"""Tests an appliance from boot to power-off. The tests share one boot, in order."""

import json
import random
import time
from pathlib import Path

import pytest

from companion.core.match import SEED_TAG, Match
from companion.core.move import SecretMove
from companion.devices.phones.options import PhoneOptions
from companion.games.buntherum.bots import Walker
from companion.games.buntherum.rules import Phase
from tests.appliance.hands import MATCHES, Hands
from tests.appliance.looks import assert_shows, attract, colours, likeness, photograph, resume
from tests.appliance.machine import BOOT_S, Machine, MachineError

STOP_S = 8
"""The unit's TimeoutStopSec."""


def prop(machine: Machine, name: str, unit: str = "companion") -> str:
    return machine.run(f"systemctl show {unit} --property={name} --value")


def messages(machine: Machine) -> list[str]:
    """Return journald's entries for this boot."""
    said = machine.run("journalctl --boot --all --no-pager --output=json")
    return [json.dumps(json.loads(line), ensure_ascii=False) for line in said.splitlines()]


# --- Booting ----------------------------------------------------------------------------------------------


def test_appliance_boots_to_the_attract_screen(machine: Machine, hands: Hands, shots: Path, tmp_path: Path) -> None:
    machine.wait_for_table()
    print(f"ready {machine.age_s:.0f} s after the plug")
    assert_shows(photograph(machine, shots / "attract.png"), attract(tmp_path))
    assert machine.attempt("systemctl is-system-running --wait") == (0, "running")
    assert machine.run("systemctl --failed --no-legend") == ""
    assert prop(machine, "NRestarts") == "0"


def test_login_prompt_does_not_run_behind_the_table(machine: Machine) -> None:
    assert machine.attempt("systemctl is-active getty@tty1") == (3, "inactive")
    assert machine.run("cat /sys/class/tty/tty0/active") == "tty1"


def test_program_is_ready_once_it_is_visible(machine: Machine) -> None:
    # systemd logs this once the program has sent READY.
    started = [line for line in messages(machine) if "Started companion.service" in line]
    assert len(started) == 1
    assert prop(machine, "Type") == "notify"


# --- Playing ----------------------------------------------------------------------------------------------


def test_buntherum_is_played_by_its_lines(machine: Machine, hands: Hands, shots: Path) -> None:
    hands.sit_down(2, "buntherum")
    match = hands.call(0)
    assert match.view().caller == 0
    assert hands.lamps() == {0}
    called = machine.shot(shots / "buntherum-called.png")
    assert colours(called) > 100
    hands.name_row(0, row_of(match))
    while not match.outcome:
        match = hands.call(1)
        assert match.view().caller == 1
        match = hands.name_row(1, 1 + row_of(match) % 6)  # wrong: the third red chip ends it
        match = hands.wait_for(lambda match: match.outcome or match.view().phase == Phase.READY, "what is next")
    assert match.outcome.winners == (0,)
    assert [move.verb for move in match.moves].count("call") == [move.verb for move in match.moves].count("declare")
    photograph(machine, shots / "buntherum-over.png")
    hands.wait_for_lamps()  # the winner's lamp celebrates for some seconds
    hands.stand_up(2)


def row_of(match: Match) -> int:
    """Return the row that fits the open card, or 0."""
    (said,) = Walker(500, 10, errors=0).acts(match.view(), match.view().caller, random.Random(0))
    return int(said.control)


def test_buro_crazy_resumes_after_the_program_freezes(
    machine: Machine, hands: Hands, shots: Path, tmp_path: Path
) -> None:
    hands.sit_down(3, "buro_crazy")
    for _ in range(3):
        match = hands.decide()
    photograph(machine, shots / "buro-crazy.png")

    frozen = prop(machine, "MainPID")
    machine.run(f"kill -STOP {frozen}")
    began_s = time.monotonic()
    machine.wait_until(
        f"test $(systemctl show companion --property=MainPID --value) != {frozen} "
        "&& systemctl is-active --quiet companion",
        "the watchdog starts the table again",
    )
    print(f"ready again {time.monotonic() - began_s:.0f} s after it froze")
    assert prop(machine, "NRestarts") == "1"
    before = hands.match()
    assert before.moves[: match.length] == match.moves
    kept = hands.opened()
    assert kept.damage is None

    assert_shows(photograph(machine, shots / "resume.png"), resume(hands, tmp_path))
    hands.house("ok", "ok")  # resume, and end its pause
    match = hands.decide()
    photograph(machine, shots / "resumed.png")
    assert match.moves[: before.length] == before.moves
    assert match.length > before.length

    hands.keys(0, "unplug")
    photograph(machine, shots / "pad-lost.png")
    hands.keys(0, "plug")
    photograph(machine, shots / "pad-back.png")
    while not match.outcome:
        match = hands.decide()
    photograph(machine, shots / "buro-crazy-over.png")
    assert len(hands.records()) == 2
    hands.stand_up(3)


def test_log_contains_no_secret(machine: Machine, hands: Hands) -> None:
    log = "\n".join(messages(machine))
    assert "companion" in log
    for name in hands.records():
        record = machine.read(f"{MATCHES}/{name}").decode()
        secrets = secrets_of(hands.match(name))
        assert secrets
        assert [secret for secret in secrets if secret not in record] == []  # the search can find them
        assert [secret for secret in secrets if secret in log] == []


def secrets_of(match: Match) -> list[str]:
    """Return the seed and the secret moves as recorded."""
    format_move = match.game.notation.format_move
    moves = [format_move(match.box, move) for move in match.moves if isinstance(move, SecretMove)]
    return [match.tags[SEED_TAG], *moves]


# --- Ending -----------------------------------------------------------------------------------------------


def test_program_stops_in_time_and_releases_the_screen(
    machine: Machine, hands: Hands, shots: Path, tmp_path: Path
) -> None:
    began_s = time.monotonic()
    machine.run("systemctl stop companion")
    took_s = time.monotonic() - began_s
    print(f"stopped after {took_s:.1f} s")
    assert took_s < STOP_S
    assert prop(machine, "Result") == "success", "\n".join(messages(machine)[-40:])
    assert prop(machine, "ExecMainStatus") == "0"
    assert machine.attempt("ls -l /proc/[0-9]*/fd 2>/dev/null | grep /dev/dri/card")[0] == 1
    assert likeness(photograph(machine, shots / "stopped.png"), attract(tmp_path)) < 0.5


HOUSES, ABROAD = "192.168.77.1", "203.0.113.7"
TWO_ADDRESSES = f"""python3 - <<'END'
import fcntl, socket, struct
asks = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for name, address in (b"lo:1", "{HOUSES}"), (b"lo:2", "{ABROAD}"):
    fcntl.ioctl(asks, 0x8916, struct.pack("16sH2x4s8x", name, socket.AF_INET, socket.inet_aton(address)))
END"""
"""Two addresses for a machine without a network (SIOCSIFADDR)."""


def test_phones_are_reachable_on_private_addresses_only(machine: Machine) -> None:
    machine.run(TWO_ADDRESSES)
    machine.run("cp -p /var/lib/companion/table.toml /var/tmp/table.toml")
    machine.run("printf '[phones]\\non = true\\naddress = \"table\"\\n' >>/var/lib/companion/table.toml")
    machine.run("systemctl start companion")
    machine.wait_for_table()
    assert knocked(machine, HOUSES) == (0, "open")
    status, said = knocked(machine, ABROAD)
    assert status != 0
    assert "TimeoutError" in said
    machine.run("systemctl stop companion; cp -p /var/tmp/table.toml /var/lib/companion/table.toml")


def knocked(machine: Machine, address: str) -> tuple[int, str]:
    """Connect to the phones' page; return status and output."""
    ask = f'import socket; socket.create_connection(("{address}", {PhoneOptions().port}), 5); print("open")'
    return machine.attempt(f"python3 -c '{ask}'")


@pytest.mark.parametrize("wrong", ['[buzzers]\nchip = "no such chip"'])
def test_repeated_failures_end_in_the_safe_mode(
    machine: Machine, hands: Hands, shots: Path, tmp_path: Path, wrong: str
) -> None:
    machine.run("cp -p /var/lib/companion/table.toml /var/tmp/table.toml")
    machine.run(f"printf '%s\\n' '{wrong}' >/var/lib/companion/table.toml")
    machine.run("systemctl --no-block restart companion")
    machine.wait_until("systemctl is-active --quiet companion-safe", "the safe mode", BOOT_S)
    assert prop(machine, "Result") != "success"
    assert machine.attempt("systemctl is-active --quiet companion")[0] != 0
    assert "no such chip" in machine.run("cat /var/lib/companion/last-failures.txt")
    picture = photograph(machine, shots / "safe-mode.png")
    assert colours(picture) > 100

    machine.key("ret")
    photograph(machine, shots / "safe-mode-menu.png")
    machine.run("cp -p /var/tmp/table.toml /var/lib/companion/table.toml")
    machine.wait_for_table()
    assert_shows(photograph(machine, shots / "mended.png"), attract(tmp_path))


def test_appliance_switches_off_cleanly(machine: Machine) -> None:
    try:
        print(f"off after {machine.power_off():.1f} s")
    except MachineError as error:
        pytest.fail(str(error))

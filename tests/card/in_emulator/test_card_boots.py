"""Tests the flashed card. The tests depend on each other, since each start takes minutes."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.match import Match
from companion.games.buntherum.bots import Walker
from companion.games.buntherum.rules import Phase
from tests.appliance import looks
from tests.appliance.machine import Machine
from tests.card.in_emulator.card import CARD_BYTES, Card
from tests.card.in_emulator.card_hands import POD_SEAT, CardHands, seated

FIRST_PICTURE_S = 600
LISTENS = {"0A", "07"}
"""The kernel's states of listening TCP ports and open UDP ports."""

LOOPBACK = ("0100007F", "3500007F", "3600007F", "00000000000000000000000001000000")
"""127.0.0.1, 127.0.0.53, 127.0.0.54 and ::1, as the kernel writes them."""

WRONG = "language = en\nlangage = fr\n"
"""The second line is wrong."""

FULL = "No space left on device"
FILLED = "/data/filled"
FILL = (
    "fallocate -l $(($(df --output=avail -B1 /data | tail -n 1) - (8 << 20))) "
    f"{FILLED} && ! cat /dev/zero >>{FILLED}"
)
SAID = "journalctl -b -u companion -o cat"


def wait_for_picture(machine: Machine, picture: Path, least_colours: int = 100) -> Path:
    """Wait until the table draws."""
    machine.wait_until(
        "systemctl is-active companion.service && journalctl -b -u companion -o cat | grep -q .",
        "the table runs",
        FIRST_PICTURE_S,
    )
    end_s = time.monotonic() + FIRST_PICTURE_S
    while looks.colours(looks.photograph(machine, picture)) < least_colours:
        assert time.monotonic() < end_s, f"nothing is on {picture}"
    return picture


# --- The first start --------------------------------------------------------------------------------------


def test_first_start_reaches_the_attract_screen(machine: Machine, shots: Path, tmp_path: Path) -> None:
    picture = wait_for_picture(machine, shots / "first-start.png")
    print(f"{machine.age_s:.0f} s after the plug")
    looks.assert_shows(picture, looks.attract(tmp_path))


def test_table_draws_without_a_desktop(machine: Machine) -> None:
    process = machine.run("systemctl show -p MainPID --value companion.service").strip()
    assert "/dev/dri/card" in machine.run(f"ls -l /proc/{process}/fd")


def test_root_partition_is_not_written(machine: Machine) -> None:
    assert machine.run("findmnt -n -o FSTYPE /").strip() == "overlay"
    assert machine.run("grep ' /[^ ]* ext4 ' /proc/mounts | grep -c vda2 || true").strip() in {"0", "1"}
    assert "vda2 ext4 rw" not in machine.run("sed 's/^.dev.//; s/ [^ ]* / /' /proc/mounts")


def test_records_partition_fills_the_card(machine: Machine) -> None:
    kib = int(machine.run("df --output=size /var/lib/companion | tail -n 1"))
    assert kib * 1024 > CARD_BYTES // 2


def test_only_loopback_ports_are_open(machine: Machine) -> None:
    rows = machine.run("tail -q -n +2 /proc/net/tcp /proc/net/tcp6 /proc/net/udp /proc/net/udp6").splitlines()
    open_ = [local for _, local, _, state, *_ in map(str.split, rows) if state in LISTENS]
    assert [local for local in open_ if not local.startswith(LOOPBACK)] == []


def test_password_login_is_impossible(machine: Machine) -> None:
    shadow = machine.run("cut -d: -f2 /etc/shadow").split()
    assert all(each.startswith(("!", "*")) for each in shadow)


def test_machine_id_and_random_seed_exist(machine: Machine) -> None:
    assert len(machine.run("cat /etc/machine-id").strip()) == 32
    assert machine.run("ls /var/lib/systemd/random-seed").strip()


def test_doctor_reports_without_a_traceback(machine: Machine) -> None:
    _, said = machine.attempt("companion doctor --no-walk --table /etc/companion/table.toml", 300)
    assert "Traceback" not in said
    assert "pygame" in said.lower() or "display" in said.lower()


# --- A match ----------------------------------------------------------------------------------------------


def test_match_is_played_by_pod_and_pad(hands: CardHands, shots: Path) -> None:
    hands.sit_down(2, "buntherum")
    match = hands.call(POD_SEAT)
    assert match.view().caller == POD_SEAT
    hands.machine.shot(shots / "buntherum-called.png")
    assert hands.pod.shows()[0], "the pod's lamp is lit"
    while not match.outcome:
        match = hands.name_row(POD_SEAT, 1 + row_of(match) % 6)  # wrong: the third red chip ends it
        match = hands.wait_for(lambda match: match.outcome or match.view().phase == Phase.READY, "what is next")
        match = match if match.outcome else hands.call(POD_SEAT)
    assert match.outcome.winners == (1,)
    looks.photograph(hands.machine, shots / "buntherum-over.png")
    hands.stand_up(2)


def row_of(match: Match) -> int:
    """Return the row that fits the open card, or 0."""
    (said,) = Walker(500, 10, errors=0).acts(match.view(), match.view().caller, random.Random(0))
    return int(said.control)


# --- A power cut during a match, and a mistake in companion.txt -------------------------------------------


@pytest.fixture(scope="module")
def acknowledged(hands: CardHands, shots: Path) -> Match:
    """A match with secret bids, interrupted by a power cut."""
    hands.sit_down(3, "buro_crazy")
    match = hands.match()
    while match.length < 8:
        match = hands.decide()
    looks.photograph(hands.machine, shots / "buro-crazy.png")
    hands.machine.pull_the_plug()
    return match


@pytest.fixture(scope="module")
def machine_id(hands: CardHands) -> str:
    return hands.machine.run("cat /etc/machine-id")


@pytest.fixture(scope="module")
def again(
    machine_id: str, acknowledged: Match, inserted: Card, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[CardHands]:
    """The next start, with a mistake in companion.txt."""
    assert acknowledged.length
    inserted.write_boot("companion.txt", WRONG)
    with seated(inserted, tmp_path_factory.mktemp("again")) as people:
        yield people


def test_mistake_in_companion_txt_is_shown_first(
    again: CardHands, machine_id: str, shots: Path, tmp_path: Path
) -> None:
    picture = wait_for_picture(again.machine, shots / "wrong-companion-txt.png")
    assert looks.likeness(picture, looks.attract(tmp_path)) < looks.ALIKE
    assert again.machine.run("cat /etc/machine-id") == machine_id
    assert "line 2" in again.machine.run("cat /run/companion-card/notices")


def test_match_resumes_with_every_acknowledged_move(
    again: CardHands, acknowledged: Match, shots: Path, tmp_path: Path
) -> None:
    again.house("ok")  # dismisses the notice
    looks.assert_shows(looks.photograph(again.machine, shots / "resume.png"), looks.resume(again, tmp_path))
    again.house("ok", "ok")  # resume, and end its pause
    match = again.decide()
    looks.photograph(again.machine, shots / "resumed.png")
    assert match.moves[: acknowledged.length] == acknowledged.moves
    assert match.length > acknowledged.length
    assert again.opened().damage is None


def test_full_card_is_reported_and_loses_nothing(again: CardHands, shots: Path) -> None:
    machine = again.machine
    machine.run(FILL)
    machine.run(f"{SAID} >/run/said-before")

    def refused() -> bool:
        return FULL in machine.run(f"{SAID} | tail -n +$(($(wc -l </run/said-before) + 1))")

    while not refused():
        before = again.match()
        assert not before.outcome, "the match is over, and the card has taken it all"
        again.decide(over=refused)
    kept = again.match()
    told = looks.photograph(machine, shots / "full-card.png")
    again.keys(1, "1")  # try again without more room: it stays paused
    looks.photograph(machine, shots / "full-card-paused.png")
    assert again.match().moves == kept.moves
    assert looks.colours(told) > 100

    machine.run(f"rm {FILLED}; sync")
    again.keys(1, "1")  # resume
    time.sleep(again.pause_s)
    again.house("ok")
    match = again.decide()
    looks.photograph(machine, shots / "room-again.png")
    assert match.moves[: kept.length] == kept.moves
    assert match.length > kept.length
    assert again.opened().damage is None

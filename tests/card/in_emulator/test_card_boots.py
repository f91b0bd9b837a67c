"""The card as it is flashed: its first start, what it leaves open, and a start after its plug was pulled.

The tests go on from one another, since each start takes minutes.
"""

import time
from pathlib import Path

import looks
from card import CARD_BYTES, Card
from machine import Machine

FIRST_PICTURE_S = 600
LISTENS = {"0A", "07"}
"""The states of a TCP port that waits, and of a UDP port that is open, as the kernel tells them."""

LOOPBACK = ("0100007F", "3500007F", "3600007F", "00000000000000000000000001000000")
"""127.0.0.1, 127.0.0.53, 127.0.0.54 and ::1, as the kernel writes them."""

WRONG = "language = en\nlangage = fr\n"
"""A companion.txt with a mistake in its second line."""


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


def test_the_first_start_comes_to_the_attract_screen(machine: Machine, shots: Path, tmp_path: Path) -> None:
    picture = wait_for_picture(machine, shots / "first-start.png")
    looks.assert_shows(picture, looks.attract(tmp_path))


def test_it_draws_without_a_desktop(machine: Machine) -> None:
    process = machine.run("systemctl show -p MainPID --value companion.service").strip()
    assert "/dev/dri/card" in machine.run(f"ls -l /proc/{process}/fd")


def test_the_root_is_not_written_to(machine: Machine) -> None:
    assert machine.run("findmnt -n -o FSTYPE /").strip() == "overlay"
    assert machine.run("grep ' /[^ ]* ext4 ' /proc/mounts | grep -c vda2 || true").strip() in {"0", "1"}
    assert "vda2 ext4 rw" not in machine.run("sed 's/^.dev.//; s/ [^ ]* / /' /proc/mounts")


def test_the_records_partition_has_grown_to_the_card(machine: Machine) -> None:
    kib = int(machine.run("df --output=size /var/lib/companion | tail -n 1"))
    assert kib * 1024 > CARD_BYTES // 2


def test_nothing_listens(machine: Machine) -> None:
    """But for what only the machine itself reaches."""
    rows = machine.run("tail -q -n +2 /proc/net/tcp /proc/net/tcp6 /proc/net/udp /proc/net/udp6").splitlines()
    open_ = [local for _, local, _, state, *_ in map(str.split, rows) if state in LISTENS]
    assert [local for local in open_ if not local.startswith(LOOPBACK)] == []


def test_nobody_can_log_in_by_a_password(machine: Machine) -> None:
    shadow = machine.run("cut -d: -f2 /etc/shadow").split()
    assert all(each.startswith(("!", "*")) for each in shadow)


def test_its_identity_is_its_own(machine: Machine) -> None:
    assert len(machine.run("cat /etc/machine-id").strip()) == 32
    assert machine.run("ls /var/lib/systemd/random-seed").strip()


def test_the_doctor_says_what_is_there(machine: Machine) -> None:
    _, said = machine.attempt("companion doctor --no-walk --table /etc/companion/table.toml", 300)
    assert "Traceback" not in said
    assert "pygame" in said.lower() or "display" in said.lower()


def test_after_its_plug_was_pulled_it_is_the_same_and_tells_a_mistake_of_its_owner(
    machine: Machine, inserted: Card, shots: Path, tmp_path: Path
) -> None:
    identity = machine.run("cat /etc/machine-id")
    machine.run("sync")
    machine.pull_the_plug()
    inserted.write_boot("companion.txt", WRONG)
    with Machine.start(inserted.build(), tmp_path / "again") as again:
        picture = wait_for_picture(again, shots / "wrong-companion-txt.png")
        assert looks.likeness(picture, looks.attract(tmp_path)) < looks.ALIKE
        assert again.run("cat /etc/machine-id") == identity
        said = again.run("cat /run/companion-card/notices 2>/dev/null || journalctl -b -u companion-card -o cat")
        assert "line 2" in said

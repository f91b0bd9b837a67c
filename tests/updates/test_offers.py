"""Tests the releases offered on USB sticks."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.core.text import msg, reader
from companion.updates import offers
from companion.updates.offers import Offer, Offers, Progress, install_offered, look_at
from companion.updates.release_file import UpdateError, write_list
from tests.updates.release_bench import DAY_S, FILES, NEW, OLD, OWN, Machine, Made, new_key

DEVICE = Path("/dev/sdx1")
NEWER = "0.3.0+g0000000003"


class Stick:
    def __init__(self, folder: Path) -> None:
        self.files = folder / "stick"
        self.files.mkdir()
        self.seen = folder / "run"
        self.ran: list[str] = []
        self.gone = False

    def command(self, words: Sequence[object]) -> None:
        self.ran.append(" ".join(map(str, words)))
        point = Path(str(words[-1]))
        if words[0] == "umount":
            shutil.rmtree(point)
        elif self.gone:
            raise UpdateError(msg("{command} failed: {why}", command="mount", why="no medium"))
        else:
            shutil.copytree(self.files, point, dirs_exist_ok=True)

    def put(self, made: Made, name: str, *arguments: bytes) -> None:
        shutil.copy(made.file(*arguments), self.files / name)

    def look(self, machine: Machine, device: Path = DEVICE) -> Offer | None:
        return look_at(device, machine.releases, self.seen, self.command)

    def pull(self, device: Path = DEVICE) -> None:
        """Do what systemd does when a stick is removed."""
        unit = (Path(__file__).parents[2] / "systemd/companion-stick@.service").read_text("utf-8")
        [stop] = [line for line in unit.splitlines() if line.startswith("ExecStop=rm -f /run/companion-update/")]
        (self.seen / stop.rpartition("/")[2].replace("%I", device.name)).unlink(missing_ok=True)

    @property
    def table(self) -> Offers:
        return Offers(lambda: None, self.seen)


@pytest.fixture
def stick(tmp_path: Path) -> Stick:
    return Stick(tmp_path)


def test_stick_with_a_release_offers_it(stick: Stick, machine: Machine, made: Made) -> None:
    stick.put(made, "new.release")
    (stick.files / "holidays.jpg").write_bytes(b"x")
    offer = Offer(NEW, str(DEVICE), "new.release")
    assert stick.look(machine) == offer
    assert stick.table.offer() == offer
    mounted, unmounted = stick.ran
    assert "-o ro,nosuid,nodev,noexec" in mounted
    assert "-t vfat,exfat" in mounted
    assert unmounted.startswith("umount ")
    assert machine.there == {OLD}


def test_stick_without_a_release_offers_nothing(stick: Stick, machine: Machine) -> None:
    (stick.files / "holidays.jpg").write_bytes(b"x")
    assert stick.look(machine) is None
    assert stick.table.offer() is None


def test_newest_installable_release_is_offered(stick: Stick, machine: Machine, made: Made) -> None:
    stick.put(made, "a.release")
    stick.put(made, "b.release", write_list(made.release(NEWER)))
    stick.put(made, "c.release", write_list(made.release("0.4.0+g0000000004", system=9)))
    (stick.files / "d.release").write_bytes(b"milk")
    (stick.files / "e.release").mkdir()
    offer = stick.look(machine)
    assert offer
    assert (offer.version, offer.name, offer.why) == (NEWER, "b.release", None)


def test_refusal_is_in_the_language_of_the_table(
    stick: Stick, machine: Machine, made: Made, tmp_path: Path
) -> None:
    stick.put(made, "old.release", write_list(made.release("0.0.1+g0000000009", date=DAY_S)))
    stick.look(machine)
    offer = stick.table.offer()
    assert offer
    assert offer.why
    assert "is older than" in reader("en")(offer.why)
    assert "plus ancienne" in reader("fr")(offer.why)
    listed = write_list(made.release())
    shutil.rmtree(stick.files)
    stick.files.mkdir()
    stick.put(made, "strange.release", listed, made.signature(listed, new_key(tmp_path / "other")))
    offer = stick.look(machine)
    assert offer
    assert offer.version == ""
    assert "not signed by a trusted signer" in str(offer.why)


OTHER = Path("/dev/sdy1")


@pytest.mark.parametrize("has_one", [False, True])
def test_removed_stick_withdraws_only_its_offer(stick: Stick, machine: Machine, made: Made, has_one: bool) -> None:
    stick.put(made, "new.release")
    offer = stick.look(machine)
    (stick.files / "new.release").unlink()
    if has_one:
        stick.put(made, "newer.release", write_list(made.release(NEWER)))
    other = stick.look(machine, OTHER)
    assert stick.table.offer() == (other or offer)  # the last stick plugged in
    stick.pull(OTHER)
    assert stick.table.offer() == offer
    stick.pull()
    assert stick.table.offer() is None


def test_update_withdraws_all_earlier_offers(stick: Stick, machine: Machine, made: Made) -> None:
    stick.put(made, "new.release")
    stick.look(machine, OTHER)
    stick.look(machine)
    install_offered(machine.releases, stick.seen, stick.command)
    assert stick.table.offer() is None


def test_offered_release_is_installed_and_reported(stick: Stick, machine: Machine, made: Made) -> None:
    stick.put(made, "new.release")
    stick.look(machine)
    install_offered(machine.releases, stick.seen, stick.command)
    assert machine.current == NEW
    progress = stick.table.progress()
    assert progress
    assert (progress.percent, str(progress.what), progress.failed) == (100, "the table restarts", False)
    assert stick.table.offer() is None  # nobody is asked once more by the table that starts with it
    assert not (stick.seen / "stick").exists()


def test_file_changed_after_the_offer_is_refused(stick: Stick, machine: Machine, made: Made) -> None:
    stick.put(made, "new.release")
    stick.look(machine)
    shutil.copy(made.file(files={**FILES, OWN: b"the p_ogram"}), stick.files / "new.release")
    with pytest.raises(UpdateError, match="does not match its signature"):
        install_offered(machine.releases, stick.seen, stick.command)
    progress = stick.table.progress()
    assert progress
    assert progress.failed
    assert "does not match its signature" in str(progress.what)
    assert (machine.current, machine.there) == (OLD, {OLD})
    assert not (stick.seen / "stick").exists()


def test_removed_stick_is_reported(stick: Stick, machine: Machine, made: Made) -> None:
    stick.put(made, "new.release")
    stick.look(machine)
    stick.gone = True
    with pytest.raises(UpdateError):
        install_offered(machine.releases, stick.seen, stick.command)
    assert "no medium" in str(stick.table.progress())
    stick.pull()
    with pytest.raises(UpdateError, match="is gone"):
        install_offered(machine.releases, stick.seen, stick.command)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"version": 1, "colour": 2}', '{"why": {"msgid": 1}}'])
def test_invalid_offer_is_ignored(stick: Stick, text: str) -> None:
    stick.seen.mkdir()
    for name in ("offer-sdx1.json", "progress.json"):
        (stick.seen / name).write_text(text)
    assert stick.table.offer() is None
    assert stick.table.progress() is None


def test_messages_survive_the_progress_file(stick: Stick) -> None:
    stick.seen.mkdir()
    what = msg("{n} card", "{n} cards", n=3)
    progress = Progress(5, 6, msg("{path}: {why}", path=Path("/a"), why=what))
    offers._write(stick.seen / "progress.json", progress)
    found = stick.table.progress()
    assert found
    assert str(found.what) == "/a: 3 cards"
    assert (found.since_ns, found.percent) == (5, 6)
    assert json.loads((stick.seen / "progress.json").read_text())["failed"] is False

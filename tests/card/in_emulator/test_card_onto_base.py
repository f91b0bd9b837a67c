"""Tests `make card BASE=` with an image like Raspberry Pi OS."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.appliance import looks
from tests.appliance.machine import Machine
from tests.card.in_emulator import card
from tests.card.in_emulator.card import Card
from tests.card.in_emulator.test_card_boots import wait_for_picture

HERE = Path(__file__).parent
ONTO_BASE = card.CHECKOUT / "systemd" / "card" / "onto_base.sh"
TEXT = "language = en\nhost name = stammtisch\nwifi name = Chez nous\n"


def onto(base: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([ONTO_BASE, sys.executable, base], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An image like Raspberry Pi OS."""
    if os.geteuid() != 0:
        pytest.skip("it makes a Debian, which needs root")
    if packages := card.missing():
        pytest.skip(f"packages are missing; as root: apt-get install -y {' '.join(packages)}")
    system = next(card.FOLDER.glob("system-*.tar"), None)
    if system is None:
        pytest.skip("there is no Debian of a card; `make card` makes one")
    folder = tmp_path_factory.mktemp("base")
    subprocess.run([HERE / "make_base.sh", system, folder, folder / "raspios-like.img"], check=True)
    return folder / "raspios-like.img"


@pytest.fixture(scope="module")
def made(base: Path) -> Iterator[Path]:
    """The card made from it."""
    before = digest(base)
    done = onto(base)
    assert done.returncode == 0, done.stdout + done.stderr
    assert digest(base) == before
    path = Path(done.stdout.splitlines()[-1].removeprefix("card: "))
    assert path.parent == card.FOLDER
    yield path
    path.unlink()


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def test_unsuitable_image_is_refused_with_the_remedy(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("it makes a Debian, which needs root")
    before = set(card.FOLDER.iterdir())
    nothing = onto(tmp_path / "missing.img")
    assert nothing.returncode == 1
    assert "there is no such file" in nothing.stderr
    empty = tmp_path / "empty.img"
    empty.write_bytes(bytes(1 << 20))
    other = onto(empty)
    assert other.returncode == 1
    assert "its partitions are (start, size, type) none" in other.stderr
    assert "FAT (type c) and one of ext4 (type 83)" in other.stderr
    assert set(card.FOLDER.iterdir()) == before, "what it began is taken away"


def test_card_starts_to_the_table(made: Path, shots: Path, tmp_path: Path) -> None:
    inserted = Card(made, tmp_path)
    shipped = inserted.take("companion.txt").read_text(encoding="utf-8")
    assert "wifi name" not in shipped
    assert "Raspberry Pi Imager" in shipped
    inserted.write_table(card.NO_WIRES)
    inserted.write_boot("companion.txt", TEXT)
    with Machine.start(inserted.build(), tmp_path / "machine") as machine:
        notice = wait_for_picture(machine, shots / "onto-base-notice.png")
        assert looks.likeness(notice, looks.attract(tmp_path)) < looks.ALIKE
        said = machine.run("cat /run/companion-card/notices")
        assert said.startswith("companion.txt: wifi name: not used on this card")
        machine.key("ret")
        looks.assert_shows(looks.photograph(machine, shots / "onto-base.png"), looks.attract(tmp_path))
        assert machine.run("cat /proc/sys/kernel/hostname").strip() == "stammtisch"
        assert machine.run("findmnt -n -o FSTYPE /").strip() == "ext4"
        assert machine.run("systemctl is-enabled userconfig.service || true").strip() == "masked"
        assert machine.run("systemctl list-units --failed --plain --no-legend").strip() == ""
    inserted.path.unlink()

"""`companion card apply`: what a companion.txt does to the system of a card, and to a Raspberry Pi OS."""

from pathlib import Path

import pytest

from companion.cli.card import NOTICES, apply

TEXT = """\
language = en
host name = stammtisch
wifi name = Chez nous
wifi password = correct horse
wifi country = CH
"""
MOUNTED = "/data/companion /var/lib/companion none bind,nofail 0 0\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The system of a card that was never started."""
    for folder in ("etc", "var/lib/companion"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "etc/fstab").write_text(f"# comment\n{MOUNTED}")
    (tmp_path / "companion.txt").write_text(TEXT)
    return tmp_path


def notices(root: Path) -> str:
    apply(root / "companion.txt", root)
    return (root / NOTICES).read_text(encoding="utf-8")


def wifi(root: Path) -> Path:
    return root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"


def test_a_card_does_what_its_file_says_and_tells_that_nothing_can_be_kept(root: Path) -> None:
    assert notices(root).startswith("The card's part for matches cannot be used")
    assert (root / "etc/hostname").read_text() == "stammtisch\n"
    assert "correct horse" in wifi(root).read_text()


@pytest.mark.parametrize("fstab", ["", "PARTUUID=4e639091-02 / ext4 defaults,noatime 0 1\n", None])
def test_a_raspberry_pi_os_has_a_network_of_its_own_and_keeps_matches_on_its_root(
    root: Path, fstab: str | None
) -> None:
    if fstab is None:
        (root / "etc/fstab").unlink()
    else:
        (root / "etc/fstab").write_text(fstab)
    said = notices(root)
    assert said.splitlines() == [
        "companion.txt: wifi name, wifi password, wifi country: not on this card; Wi-Fi and ssh are those of "
        "Raspberry Pi OS: set them in Raspberry Pi Imager, and take these lines away"
    ]
    assert "correct horse" not in said
    assert not wifi(root).exists()
    assert (root / "etc/hostname").read_text() == "stammtisch\n"


def test_a_mistake_is_told_beside_it(root: Path) -> None:
    (root / "companion.txt").write_text("langage = fr\n")
    (root / "etc/fstab").unlink()
    [said] = notices(root).splitlines()
    assert said.startswith("companion.txt, line 1: 'langage' is not understood")

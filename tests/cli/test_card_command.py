"""`companion card apply` on a card's system and on a Raspberry Pi OS."""

import io
import os
import pwd
from pathlib import Path

import pytest

from companion.cli import card
from companion.cli.card import NOTICES, apply
from companion.core.errors import OptionError

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
    for folder in ("etc", "var/lib/companion"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "etc/fstab").write_text(f"# comment\n{MOUNTED}")
    (tmp_path / "companion.txt").write_text(TEXT)
    return tmp_path


def test_system_without_the_tables_user_stays_unchanged(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed: list[Path] = []
    monkeypatch.setattr(card, "apply", lambda file, _: changed.append(file))
    monkeypatch.setattr(card, "USER", "nobody-has-this-name")
    with pytest.raises(OptionError, match="where the user nobody-has-this-name exists; card check lists"):
        card.run("apply", root / "companion.txt", io.StringIO())
    assert changed == []
    monkeypatch.setattr(card, "USER", pwd.getpwuid(os.getuid()).pw_name)
    assert card.run("apply", root / "companion.txt", io.StringIO()) == 0
    assert changed == [root / "companion.txt"]


def notices(root: Path) -> str:
    apply(root / "companion.txt", root)
    return (root / NOTICES).read_text(encoding="utf-8")


def wifi(root: Path) -> Path:
    return root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"


def test_card_applies_its_file_and_reports_missing_storage(root: Path) -> None:
    assert notices(root).startswith("The card's data partition cannot be used")
    assert (root / "etc/hostname").read_text() == "stammtisch\n"
    assert "correct horse" in wifi(root).read_text()


@pytest.mark.parametrize("fstab", ["", "PARTUUID=4e639091-02 / ext4 defaults,noatime 0 1\n", None])
def test_raspberry_pi_os_keeps_its_own_network_settings(root: Path, fstab: str | None) -> None:
    if fstab is None:
        (root / "etc/fstab").unlink()
    else:
        (root / "etc/fstab").write_text(fstab)
    said = notices(root)
    assert said.splitlines() == [
        "companion.txt: wifi name, wifi password, wifi country: not used on this card. Set Wi-Fi and ssh in "
        "Raspberry Pi Imager, and delete these lines"
    ]
    assert "correct horse" not in said
    assert not wifi(root).exists()
    assert (root / "etc/hostname").read_text() == "stammtisch\n"


def test_mistake_is_reported_beside_the_file(root: Path) -> None:
    (root / "companion.txt").write_text("langage = fr\n")
    (root / "etc/fstab").unlink()
    [said] = notices(root).splitlines()
    assert said.startswith("companion.txt, line 1: unknown setting")


def test_build_replaces_only_the_installers_table(root: Path) -> None:
    default, table = root / "opt/companion/current/table.toml.default", root / "var/lib/companion/table.toml"
    default.parent.mkdir(parents=True)
    for file in (default, table):
        file.write_text("# as installed\n")
    (root / "etc/fstab").unlink()
    (root / "companion.txt").write_text("build = no-solder\n")
    assert notices(root) == ""
    assert "[pads]" in table.read_text()
    (root / "companion.txt").write_text("build = full\n")
    assert notices(root) == (
        "companion.txt: build = full: the table now uses this build's table.toml. The earlier one is kept as "
        "table.toml.no-solder\n"
    )


HOSTS = "127.0.0.1\tlocalhost\n::1\t\tlocalhost\n\n127.0.1.1\t\traspberrypi\n192.168.1.9 printer # d\xe9j\xe0\n"


def test_host_name_is_replaced_in_hosts_file(root: Path) -> None:
    (root / "etc/hosts").write_text(HOSTS, "latin-1")
    notices(root)
    wanted = HOSTS.replace("127.0.1.1\t\traspberrypi", "127.0.1.1 stammtisch")
    assert (root / "etc/hosts").read_text("latin-1") == wanted


def test_missing_hosts_file_is_created(root: Path) -> None:
    notices(root)
    assert (root / "etc/hosts").read_text() == "127.0.0.1 localhost\n::1 localhost\n127.0.1.1 stammtisch\n"


def test_unchanged_files_are_not_rewritten(root: Path) -> None:
    (root / "companion.txt").write_text(f"{TEXT}time zone = Europe/Zurich\n")
    (root / "etc/hosts").write_text(HOSTS, "latin-1")
    notices(root)
    files = ("etc/hosts", "etc/hostname", "etc/localtime", wifi(root).relative_to(root))
    before = [(root / name).lstat() for name in files]
    assert before[3].st_mode & 0o777 == 0o600
    notices(root)
    assert [((root / name).lstat().st_ino, (root / name).lstat().st_mtime_ns) for name in files] == [
        (each.st_ino, each.st_mtime_ns) for each in before
    ]


def test_readable_or_linked_files_are_recreated(root: Path) -> None:
    notices(root)
    text = wifi(root).read_text()
    wifi(root).chmod(0o644)
    (root / "etc/hostname").unlink()
    (root / "etc/hostname").symlink_to(root / "elsewhere")
    (root / "elsewhere").write_text("stammtisch\n")
    notices(root)
    assert (wifi(root).read_text(), wifi(root).stat().st_mode & 0o777) == (text, 0o600)
    assert not (root / "etc/hostname").is_symlink()

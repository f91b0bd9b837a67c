"""`companion card`: checks an SD card's companion.txt, or applies it when the card starts."""

import argparse
import os
import pwd
import stat
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final, TextIO

from companion.cli.status import DONE, FAILED
from companion.config.card_file import (
    FILE_NAME,
    MOST_BYTES,
    CardFile,
    SystemFile,
    keep_build,
    keep_display,
    read_card,
    system_files,
)
from companion.core.errors import OptionError
from companion.core.files import read_regular
from companion.core.text import LANGUAGES, Text, _, msg, reader, reason

USER: Final = "companion"
NOTICES: Final = "run/companion-card/notices"
"""Messages that the table shows before its first screen (`Service.notices`)."""

TABLE: Final = "var/lib/companion"
"""The folder of records and table.toml; the data partition's mount point."""

DEFAULT: Final = "opt/companion/current/table.toml.default"
"""The table.toml that the installer has written."""

NETWORK: Final = ("wifi name", "wifi password", "wifi country", "ssh key")
"""Settings not applied on Raspberry Pi OS (`make card BASE=`)."""


def main(arguments: argparse.Namespace) -> int:
    return run(arguments.action, arguments.file, sys.stdout)


def run(action: str, file: Path, out: TextIO) -> int:
    """Check a companion.txt, or apply it. Raise OptionError, before any change, if this system is not a table."""
    if action == "apply":
        _check_system(USER)
        apply(file, Path("/"))
        return DONE
    card = _read(file)
    for mistake in card.mistakes:
        print(mistake, file=out)
    if not card.mistakes:
        print(_("{file}: no mistakes").format(file=file), file=out)
    return FAILED if card.mistakes else DONE


def _check_system(user: str) -> None:
    try:
        pwd.getpwnam(user)
    except KeyError:
        why = msg(
            "card apply works only on an appliance, where the user {user} exists; card check lists the mistakes "
            "in a companion.txt",
            user=user,
        )
        raise OptionError(why) from None


def _read(file: Path) -> CardFile:
    from zoneinfo import available_timezones  # noqa: PLC0415  every command imports this module, and none else needs it

    try:
        return read_card(read_regular(file, MOST_BYTES), available_timezones())
    except OSError as error:
        raise OptionError(msg("{file}: {why}", file=file, why=reason(error))) from error


def apply(file: Path, root: Path) -> None:
    """Apply a companion.txt to the system below `root`. The table shows its mistakes later.

    An unreadable file counts as a mistake, so the table can still start. Raise OSError.
    """
    try:
        card = _read(file)
    except OptionError as error:
        card = CardFile({}, (error.text,))
    if not _is_ours(root):
        card = _without_network(card)
    hosts = root / "etc/hosts"
    for name, wanted in system_files(card, _text(hosts) if hosts.exists() else "").items():
        _put(root / name, wanted)
    if "time zone" in card.values:
        local, zone = root / "etc/localtime", Path("/usr/share/zoneinfo", card.values["time zone"])
        if not local.is_symlink() or local.readlink() != zone:
            local.unlink(missing_ok=True)
            local.symlink_to(zone)
    read = reader(card.values.get("language", LANGUAGES[0]))
    with (root / NOTICES).open("w", encoding="utf-8") as notices:
        for notice in (*card.mistakes, *_of_the_card(root)):
            print(read(notice), file=notices)
        if root == Path("/"):
            Path("/proc/sys/kernel/hostname").write_text((root / "etc/hostname").read_text())
            _become(USER)
        folder, default = root / TABLE, root / DEFAULT
        try:
            told = keep_build(
                card,
                folder / "table.toml",
                folder / "card-build",
                default.read_bytes() if default.exists() else b"",
            )
            if told:
                print(read(told), file=notices)
            keep_display(card, folder / "table.toml", folder / "card-display")
        except OptionError as error:
            print(read(error.text), file=notices)


def _put(path: Path, wanted: SystemFile) -> None:
    """Write a file if it differs, to spare the card."""
    is_file = path.is_file() and not path.is_symlink()
    if is_file and stat.S_IMODE(path.stat().st_mode) == wanted.mode and _text(path) == wanted.text:
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o755 if wanted.mode & 0o044 else 0o700)
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    draft.touch(wanted.mode)
    draft.write_text(wanted.text, encoding="utf-8", errors="surrogateescape")
    draft.replace(path)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="surrogateescape")


def _is_ours(root: Path) -> bool:
    """Return True on the project's own image, which has a data partition."""
    try:
        mounts = (root / "etc/fstab").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return False
    return f"/{TABLE}" in {each.split()[1] for each in mounts if len(each.split()) > 1}


def _without_network(card: CardFile) -> CardFile:
    named = [name for name in NETWORK if name in card.values]
    if not named:
        return card
    why = msg(
        "{file}: {names}: not used on this card. Set Wi-Fi and ssh in Raspberry Pi Imager, and delete these lines",
        file=FILE_NAME,
        names=", ".join(named),
    )
    return CardFile({name: card.values[name] for name in card.values if name not in named}, (*card.mistakes, why))


def _of_the_card(root: Path) -> Iterable[Text]:
    if _is_ours(root) and not os.path.ismount(root / TABLE):
        yield msg(
            "The card's data partition cannot be used: matches are lost when the power goes off. Write the card "
            "again, or use another one."
        )


def _become(user: str) -> None:
    """Drop root's rights before changing files of the table's user."""
    entry = pwd.getpwnam(user)
    os.setgroups([])
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)

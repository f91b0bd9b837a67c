"""`companion update`: installs releases and goes back to the previous one."""

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TextIO

from companion.cli.status import DONE
from companion.core.errors import OptionError
from companion.core.text import Text, _, msg, percent, reason
from companion.updates.offers import install_file, install_offered, look_at
from companion.updates.release_file import Release, UpdateError
from companion.updates.release_folder import OnProgress, ReleaseFolder, restart_table


def main(arguments: argparse.Namespace) -> int:
    run(arguments, sys.stdout)
    return DONE


def run(arguments: argparse.Namespace, out: TextIO, releases: ReleaseFolder | None = None) -> None:
    releases = releases or ReleaseFolder()
    if arguments.status:
        show_status(releases, out)
        return
    if os.geteuid() != 0:
        raise OptionError(msg("this changes the system: run it with sudo"))
    if arguments.offer:
        offer_of(arguments.offer, releases, out)
        return
    change(arguments, out, releases)


def change(arguments: argparse.Namespace, out: TextIO, releases: ReleaseFolder) -> None:
    if arguments.back:
        releases.go_back()
    elif arguments.offered:
        install_offered(releases)
    else:
        install(releases, arguments.file, teller(out), older=arguments.allow_older)
    current = releases.installed().current
    version = current.version if current else ""
    if not arguments.no_start and restart_table():
        print(_("{version} is installed; the table restarts with it").format(version=version), file=out)
    else:
        print(_("{version} is installed; it runs from the next start").format(version=version), file=out)


def install(releases: ReleaseFolder, file: Path, tell: OnProgress, *, older: bool = False) -> None:
    try:
        install_file(file, releases, tell, older=older)
    except OSError as error:
        raise UpdateError(msg("{file}: {why}", file=error.filename or file, why=reason(error))) from error


def offer_of(device: Path, releases: ReleaseFolder, out: TextIO) -> None:
    offer = look_at(device, releases)
    if offer is None:
        print(_("{device}: no release found").format(device=device), file=out)
    else:
        print(f"{device}: {offer.name}: {offer.why or offer.version}", file=out)


def teller(out: TextIO) -> OnProgress:
    def tell(done: int, what: Text) -> None:
        print(f"{percent(done / 100)!s:>5}  {what}", file=out, flush=True)

    return tell


def show_status(releases: ReleaseFolder, out: TextIO) -> None:
    installed = releases.installed()
    if installed.current is None:
        print(_("no release is installed here"), file=out)
    else:
        tries = installed.trial
        more = "" if tries is None else _(", on trial: started {n} times").format(n=tries)
        print(_("{release}: running").format(release=_named(installed.current)) + more, file=out)
    if installed.previous:
        print(_("{release}: the previous one (--back)").format(release=_named(installed.previous)), file=out)
    if installed.failed:
        print(
            _("{version}: failed to start; the table went back to the previous one").format(
                version=installed.failed
            ),
            file=out,
        )
    for line in releases.signed_by():
        print(_("trusted signer: {signer}").format(signer=line), file=out)


def _named(release: Release) -> str:
    return f"{release.version} ({time.strftime('%Y-%m-%d', time.gmtime(release.date))})"

"""The entry point of `companion`: runs a command, and prints its errors as sentences."""

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TextIO, cast

from companion.cli.status import BAD_INPUT, FAILED, INTERRUPTED
from companion.cli.usage import COMMANDS, parse
from companion.core.errors import CompanionError
from companion.core.files import forget_unusable_home
from companion.core.text import PrintableStream, _, printable, reason
from companion.diagnostics import logbook
from companion.referee.durable import JournalError


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit status, one of `companion.cli.status`."""
    try:
        _open_streams()
        forget_unusable_home()
        logbook.begin()
        try:
            arguments = parse(argv)
            # Only the command's own module is loaded: each needs what no other waits for.
            module = {command.name: command.module for command in COMMANDS}[arguments.command]
            status: int = import_module(f"companion.cli.{module}").main(arguments)
            return status
        finally:
            sys.stdout.flush()  # a full disk must fail here, where the error can still be told
    except CompanionError as error:
        print(f"companion: {error}", file=sys.stderr)
        return FAILED if isinstance(error, JournalError) else BAD_INPUT
    except KeyboardInterrupt:
        print(_("companion: interrupted"), file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()  # the reader has gone
        return FAILED
    except OSError as error:
        _discard_output()
        print(printable(f"companion: {error.filename or _('output')}: {reason(error)}"), file=sys.stderr)
        return FAILED
    except Exception as error:  # noqa: BLE001  the person at the keyboard gets a sentence, the log gets the evidence
        print(_("companion: internal error; {log}").format(log=logbook.crash(error)), file=sys.stderr)
        return FAILED


def _open_streams() -> None:
    """Open the null device for each standard stream that the caller has closed.

    A character that the output's encoding lacks is written as on standard error, like `\\u25cf`. A terminal gets
    control characters written out; so do all errors, while files and programs get the output as it is.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the lowest number that is free is its own
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123  until the end
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    if sys.stdout.isatty():
        sys.stdout = cast(TextIO, PrintableStream(sys.stdout))
    sys.stderr = cast(TextIO, PrintableStream(sys.stderr))


def _discard_output() -> None:
    # Else what is still in the buffer would be written at exit, and fail again.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

"""The entry point of `companion`: runs a command. CompanionErrors become messages."""

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


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    try:
        _open_streams()
        forget_unusable_home()
        try:
            arguments = parse(argv)
            # Help pages and mistyped commands do not need the log.
            from companion.diagnostics import logbook  # noqa: PLC0415

            logbook.begin()
            # Other commands' modules would slow down the start.
            module = {command.name: command.module for command in COMMANDS}[arguments.command]
            status: int = import_module(f"companion.cli.{module}").main(arguments)
            return status
        finally:
            sys.stdout.flush()  # a full disk must fail where the error can still be printed
    except CompanionError as error:
        from companion.referee.durable import JournalError  # noqa: PLC0415

        print(f"companion: {error}", file=sys.stderr)
        return FAILED if isinstance(error, JournalError) else BAD_INPUT
    except KeyboardInterrupt:
        print(_("companion: interrupted"), file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()  # the reader has closed the pipe
        return FAILED
    except OSError as error:
        _discard_output()
        print(printable(f"companion: {error.filename or _('output')}: {reason(error)}"), file=sys.stderr)
        return FAILED
    except Exception as error:  # noqa: BLE001  the person at the keyboard gets a sentence, the log gets the evidence
        from companion.diagnostics import logbook  # noqa: PLC0415

        print(_("companion: internal error; {log}").format(log=logbook.crash(error)), file=sys.stderr)
        return FAILED


def _open_streams() -> None:
    """Open the null device for closed standard streams, and make output printable.

    Characters that the encoding lacks are escaped. So are control characters, on terminals and in errors.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # open() uses the lowest free descriptor, which is this stream's
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123  until the end
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    if sys.stdout.isatty():
        sys.stdout = cast(TextIO, PrintableStream(sys.stdout))
    sys.stderr = cast(TextIO, PrintableStream(sys.stderr))


def _discard_output() -> None:
    # Otherwise the rest of the buffer would be written at exit and fail again.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

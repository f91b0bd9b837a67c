"""Runs the command `companion`."""

import sys


def main() -> int:
    """Import the command and run it; return its exit status. `--version` alone needs no command.

    The import takes seconds on a small machine. Meanwhile Ctrl-C ends the program silently, unless it is ignored.
    """
    if sys.argv[1:] == ["--version"]:
        from companion.core.version import program_version  # noqa: PLC0415

        print("companion", program_version())  # noqa: T201
        return 0
    import signal  # noqa: PLC0415

    is_heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_heard:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from companion.cli import commands  # noqa: PLC0415  see above

    if is_heard:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return commands.main()


if __name__ == "__main__":
    sys.exit(main())

"""`python -m companion` is the command `companion`."""

import signal
import sys


def main() -> int:
    """Load the command and run it; return its exit status.

    Loading takes seconds on a small machine. Ctrl-C then ends the program without a word: it would be told as an
    error of whatever module was being read. Where Ctrl-C is not heard, as in a background, it stays so.
    """
    is_heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_heard:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from companion.cli import commands  # noqa: PLC0415  see above

    if is_heard:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return commands.main()


if __name__ == "__main__":
    sys.exit(main())

"""`python -m companion` is the command `companion`."""

import sys

from companion.cli.commands import main

sys.exit(main())

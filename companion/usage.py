"""What Python's own parser of the command line says, for the catalogues: it asks gettext for its sentences."""

import gettext
from typing import Final

from companion.core.text import DOMAIN, FOLDER, msg, translations

SENTENCES: Final = (
    msg("usage: "),
    msg("options"),
    msg("positional arguments"),
    msg("show this help message and exit"),
    msg("%(heading)s:"),
    msg("%(prog)s: error: %(message)s\n"),
    msg("argument %(argument_name)s: %(message)s"),
    msg("ambiguous option: %(option)s could match %(matches)s"),
    msg("expected one argument"),
    msg("ignored explicit argument %r"),
    msg("invalid choice: %(value)r (choose from %(choices)s)"),
    msg("invalid %(type)s value: %(value)r"),
    msg("the following arguments are required: %s"),
)
"""Those that this program can make it say, as it asks for them; headings in newer versions only."""


def translate_parser() -> None:
    """Let argparse find its sentences in our catalogue, if the environment's language has them there."""
    first = SENTENCES[0].msgid
    if translations().gettext(first) != first:  # else gettext would go on to the reader's next language
        gettext.bindtextdomain(DOMAIN, FOLDER)
        gettext.textdomain(DOMAIN)

"""What a system does for a table that is its service."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.core.text import Text

if TYPE_CHECKING:
    from companion.updates.offers import Offers


class System(NamedTuple):
    """What the system around a table does for it: nothing, unless somebody says so.

    `power_off` switches the machine off; `end` ends the program, where no system begins it again. `offers` are the
    releases on sticks, where the system installs them. The `notices` are what everybody should know before they
    play; `noticed` is told when somebody has read them.
    """

    power_off: Callable[[], None] | None = None
    end: Callable[[], None] | None = None
    offers: "Offers | None" = None
    notices: Sequence[Text] = ()
    noticed: Callable[[], None] = lambda: None


NO_SYSTEM: Final = System()
"""A table that is not a service, and is not ended from outside."""

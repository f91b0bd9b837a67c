"""The interface to a system that runs the table as a service."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.core.text import Text

if TYPE_CHECKING:
    from companion.updates.offers import Offers


class System(NamedTuple):
    """Actions and notices of the system around a table.

    `power_off` switches off; `end` ends a program that is not restarted. `offers` are releases on sticks. `noticed`
    is called after the `notices` were read.
    """

    power_off: Callable[[], None] | None = None
    end: Callable[[], None] | None = None
    offers: "Offers | None" = None
    notices: Sequence[Text] = ()
    noticed: Callable[[], None] = lambda: None


NO_SYSTEM: Final = System()

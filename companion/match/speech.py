"""What is said aloud of a match: who was first, right or wrong, whose turn it is, what is asked for, who wins.

It is what the display shows everybody, not before it does. While a call is open nothing is said: what is being said
ends when that begins.
"""

import re
from collections.abc import Callable, Collection
from typing import Final

from companion.config.settings import Settings
from companion.core.event import Event
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.text import Text, msg
from companion.devices.voice import Speaker
from companion.referee.events import Verdict
from companion.referee.words import tell

OVER: Final = "over"
"""The kind of event by which a match ends."""

_SIGNS: Final = {"#": msg("hash"), "*": msg("star")}
"""What keys are called that have no letter."""

_RANGE: Final = re.compile(r"(\d)[-\N{EN DASH}](\d)")

_UNSAID: Final = re.compile(r"(?:(?<=^)|(?<=[;,:?.] ))[-0-9A-D#*/\N{EN DASH} ]+\s?: | = [-+\d]+")
"""Which keys there are for what can be done, and how a sum came about: both are to be read."""


class Speech:
    """Says what matters in a match by a `voice`, if the settings let it speak.

    `turns` tells for whom all others wait, `racing` whether calls may come.
    """

    def __init__(
        self,
        match: Match,
        voice: Speaker,
        settings: Settings,
        *,
        turns: Callable[[], frozenset[Seat]],
        racing: Callable[[], bool],
    ) -> None:
        self._match = match
        self._voice = voice
        self._settings = settings
        self._turns = turns
        self._racing = racing
        self._told: Text | None = None
        self._turned: frozenset[Seat] = frozenset()

    def hear(self, happened: Event) -> None:
        """Say at once who was first; keep what is to be said with the picture of something that is good or bad."""
        if isinstance(happened.data, Verdict):
            if self._settings.speaks:
                self._say(self._called(happened.data.seats))
            self._turned = frozenset(happened.data.seats)  # whose turn it is has been said with that
        elif happened.kind == OVER and self._match.outcome:
            winners = self._match.outcome.winners
            self._told = msg("{winners} wins", "{winners} win", winners=self._who(winners), n=len(winners))
        elif happened.kind in self._match.game.teller.TONES:
            self._told = tell(self._match.game, happened, self._match.names) or self._told

    def drop(self) -> None:
        """Forget what was taken back before anybody saw it."""
        self._told = None

    def hush(self) -> None:
        """Be quiet: calls may come."""
        self._told, self._turned = None, frozenset()
        self._voice.hush()

    def seen(self) -> None:
        """Say what the newest picture shows, and whose turn it is from now on."""
        told, self._told = self._told, None
        turns = self._turns()
        new, self._turned = turns - self._turned, turns
        if told:
            self._say(told)
        if new:
            self._say(self._turn(sorted(new)))

    def remind(self, seats: Collection[Seat], asked: Text) -> None:
        """Say what seats are asked for, who have not answered for long."""
        self._say(msg("{who}: {text}", who=self._who(sorted(seats)), text=asked))

    # --- Sentences ------------------------------------------------------------------------------------------

    def _who(self, seats: Collection[Seat]) -> str:
        return ", ".join(self._match.names[seat] for seat in seats)

    def _called(self, seats: Collection[Seat]) -> Text:
        if len(seats) > 1:
            return msg("A tie: {who}", who=self._who(seats))
        return msg("{who} was first", who=self._who(seats))

    def _turn(self, seats: Collection[Seat]) -> Text:
        return msg("{who}, your turn", "{who}, your turn", who=self._who(seats), n=len(seats))

    def _say(self, text: Text) -> None:
        if self._settings.speaks and not self._racing():
            self._voice.say(spoken(self._settings.read(text), self._settings), self._settings.language)


def spoken(sentence: str, settings: Settings) -> str:
    """Return a sentence as it is said: without lists of keys and sums, other keys and ranges of them in words."""
    heard = _UNSAID.sub("", sentence)
    ranged = _RANGE.sub(lambda found: settings.read(msg("{low} to {high}", low=found[1], high=found[2])), heard)
    return "".join(settings.read(_SIGNS[sign]) if sign in _SIGNS else sign for sign in ranged)

"""The sounds of a match: which event plays which clip and when, and what the voice says.

The voice says only what the display shows to everybody, and is silent while a call is open.
"""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Final

from companion.config.settings import Settings
from companion.core.event import BAD, CARD, GOOD, PAY, REVEAL, Event
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.text import Text, msg
from companion.devices.sound import Player
from companion.devices.voice import Speaker
from companion.referee.events import Paused, Verdict, WentOn

OVER: Final = "over"

_SIGNS: Final = {"#": msg("hash"), "*": msg("star")}

_RANGE: Final = re.compile(r"(\d)[-\N{EN DASH}](\d)")

_UNSAID: Final = re.compile(r"(?:(?<=^)|(?<=[;,:?.] ))[-0-9A-D#*/\N{EN DASH} ]+\s?: | = [-+\d]+")
"""Lists of keys, and sums: the voice leaves them to the screen."""


class Speech:
    """The voice of a match. `turns` returns the seats that the match waits for, `racing` whether a call is open."""

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

    def hear(self, event: Event) -> None:
        """Say a verdict at once; store other news until its frame is visible."""
        if isinstance(event.data, Verdict):
            if self._settings.speaks:
                self._say(self._called(event.data.seats))
            self._turned = frozenset(event.data.seats)  # the verdict says whose turn it is
        elif event.kind == OVER and self._match.outcome:
            winners = self._match.outcome.winners
            self._told = msg("{winners} wins", "{winners} win", winners=self._who(winners), n=len(winners))
        elif event.data.tone:
            self._told = event.sentence(self._match.names) or self._told

    def drop(self) -> None:
        self._told = None

    def hush(self) -> None:
        self._told, self._turned = None, frozenset()
        self._voice.hush()

    def seen(self) -> None:
        told, self._told = self._told, None
        turns = self._turns()
        new, self._turned = turns - self._turned, turns
        if told:
            self._say(told)
        if new:
            self._say(msg("{who}, your turn", "{who}, your turn", who=self._who(sorted(new)), n=len(new)))

    def remind(self, seats: Collection[Seat], asked: Text) -> None:
        self._say(msg("{who}: {text}", who=self._who(sorted(seats)), text=asked))

    # --- Sentences ------------------------------------------------------------------------------------------

    def _who(self, seats: Collection[Seat]) -> str:
        return ", ".join(self._match.names[seat] for seat in seats)

    def _called(self, seats: Collection[Seat]) -> Text:
        if len(seats) > 1:
            return msg("A tie: {who}", who=self._who(seats))
        return msg("{who} was first", who=self._who(seats))

    def _say(self, text: Text) -> None:
        if self._settings.speaks and not self._racing():
            self._voice.say(spoken(self._settings.read(text), self._settings), self._settings.language)


def spoken(sentence: str, settings: Settings) -> str:
    """Return a sentence as it is spoken: without lists of keys and sums, and with ranges in words."""
    heard = _UNSAID.sub("", sentence)
    ranged = _RANGE.sub(lambda found: settings.read(msg("{low} to {high}", low=found[1], high=found[2])), heard)
    return "".join(settings.read(_SIGNS[sign]) if sign in _SIGNS else sign for sign in ranged)


DRUM: Final = "drum"
FLIP: Final = "flip"
NUDGE: Final = "nudge"
START: Final = "start"

AT_ONCE: Final[Mapping[str, str]] = {
    "verdict": "call",
    "verdict tie": "tie",
    "early": "early",
    "locked": "locked",
    "paused": "pause",
    "paused unplugged": "trouble",
    "went_on": "go_on",
}
"""Clips that answer a press or a device. They are played as soon as the event is durable."""

WITH_PICTURE: Final[Mapping[str, str]] = {OVER: "win", REVEAL: FLIP}

BY_TONE: Final[Mapping[str, str]] = {GOOD: "right", BAD: "wrong"}

RANK: Final = ("win", FLIP, "wrong", "right", START, PAY, CARD)
"""If a frame has several clips, only the first of these is played."""

CLIPS: Final = frozenset({DRUM, NUDGE, *AT_ONCE.values(), *RANK})

_MONEY: Final = ("ducats", "points", "sous")


def clip_at_once(event: Event) -> str | None:
    kind, facts = event.kind, event.data
    if isinstance(facts, Verdict) and len(facts.seats) > 1:
        kind = "verdict tie"
    elif isinstance(facts, Paused) and facts.reason == "unplugged":
        kind = "paused unplugged"
    elif isinstance(facts, WentOn) and facts.paused:
        return None  # there is another reason to wait
    return AT_ONCE.get(kind)


def clip_with_picture(event: Event) -> str | None:
    clip = WITH_PICTURE.get(event.kind) or event.data.sound
    if clip == PAY and not any(event.facts.get(money) for money in _MONEY):
        return None
    return clip or BY_TONE.get(event.data.tone)


class Sounding:
    """Plays the sounds of a match. A `new` one starts with a clip.

    `asked_ns` is when the newest frame was requested. While a reveal is held, other clips wait.
    """

    def __init__(self, player: Player, speech: Speech, *, new: bool) -> None:
        self._player = player
        self._speech = speech
        self._waiting = [START] if new else []
        self.asked_ns = 0

    def hear(self, event: Event) -> None:
        if not event.visible_to(None):
            return
        self._speech.hear(event)
        clip = clip_at_once(event)
        if clip:
            self._player.play(clip)
            return
        clip = clip_with_picture(event)
        if clip:
            self._waiting.append(clip)

    def reveal(self, drum_ns: int) -> None:
        """Play the last lock, which is in the same step as the reveal, then the drum."""
        self._player.play(AT_ONCE["locked"])
        if drum_ns:
            self._player.play(DRUM, drum_ns)

    def drop(self) -> None:
        self._waiting.clear()
        self._speech.drop()

    def seen(self, t_ns: int, *, reveal: bool) -> None:
        """Play what waits for a frame visible from `t_ns` on; during a `reveal` only its own clip."""
        if t_ns < self.asked_ns:
            return
        heard = [clip for clip in self._waiting if not reveal or clip == FLIP]
        self._waiting = [clip for clip in self._waiting if clip not in heard]
        if heard:
            self._player.play(min(heard, key=RANK.index))
        if not reveal:
            self._speech.seen()

    def nudge(self) -> None:
        self._player.play(NUDGE)

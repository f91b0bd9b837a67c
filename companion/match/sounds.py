"""What is heard of what happens: one table from events to clips, and when each may sound."""

from collections.abc import Mapping
from typing import Final

from companion.core.clock import Clock
from companion.core.event import Event
from companion.devices.sound import Player
from companion.match.speech import Speech
from companion.referee.events import Paused, Verdict, WentOn

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
"""The clips that answer a press or a device: they sound as soon as it is durable, and tell no position."""

WITH_PICTURE: Final[Mapping[str, str]] = {
    "over": "win",
    "reveal": FLIP,
    "gain": "pay",
    "bought": "pay",
    "mc_paid": "pay",
    "reward": "pay",
    "lane": "pay",
    "sold": "pay",
    "bonus": "pay",
    "trade": "pay",
    "gift": "pay",
    "flip": "card",
    "duel": "card",
    "played": "card",
    "turn": "card",
    "roll": "card",
    "sale": "card",
}
"""The clips that tell what a picture shows: they sound when its flip has returned. All else sounds by its tone."""

BY_TONE: Final[Mapping[str, str]] = {"good": "right", "bad": "wrong"}

RANK: Final = ("win", FLIP, "wrong", "right", START, "pay", "card")
"""Of all that one picture shows only the first of these is heard."""

CLIPS: Final = frozenset({DRUM, NUDGE, *AT_ONCE.values(), *RANK})
"""All clips."""

_MONEY: Final = ("ducats", "points", "sous")


def clip_at_once(happened: Event) -> str | None:
    """Return what answers a press or a device; None for an event that does not."""
    kind, facts = happened.kind, happened.data
    if isinstance(facts, Verdict) and len(facts.seats) > 1:
        kind = "verdict tie"
    elif isinstance(facts, Paused) and facts.reason == "unplugged":
        kind = "paused unplugged"
    elif isinstance(facts, WentOn) and facts.paused:
        return None  # it waits for something else
    return AT_ONCE.get(kind)


def clip_with_picture(happened: Event, tones: Mapping[str, str]) -> str | None:
    """Return what tells of an event when it can be seen; `tones` are the game's kinds that are good or bad."""
    clip = WITH_PICTURE.get(happened.kind)
    if clip == "pay" and not any(happened.facts.get(money) for money in _MONEY):
        return None
    return clip or BY_TONE.get(tones.get(happened.kind, ""))


class Sounding:
    """Plays what a match lets be heard; `tones` are those of its game, and one that is `new` is greeted; its
    `speech` is heard with its clips.

    While a reveal is held only its own clip sounds, what followed from it sounds afterwards.
    """

    def __init__(
        self, player: Player, clock: Clock, tones: Mapping[str, str], speech: Speech, *, new: bool
    ) -> None:
        self._player = player
        self._clock = clock
        self._tones = tones
        self._speech = speech
        self._waiting = [START] if new else []
        self._asked_ns = 0

    def hear(self, happened: Event) -> None:
        """Sound an event that is durable; what is for some seats only is heard by nobody."""
        if not happened.visible_to(None):
            return
        self._speech.hear(happened)
        clip = clip_at_once(happened)
        if clip:
            self._player.play(clip)
            return
        clip = clip_with_picture(happened, self._tones)
        if clip:
            self._waiting.append(clip)

    def reveal(self, drum_ns: int) -> None:
        """Sound the last lock, which is told with what it reveals, and then the drum, if there is one."""
        self._player.play(AT_ONCE["locked"])
        if drum_ns:
            self._player.play(DRUM, drum_ns)

    def drop(self) -> None:
        """Forget what was taken back before anybody saw it."""
        self._waiting.clear()
        self._speech.drop()

    def asked(self) -> None:
        """Note that the picture of what was told last is asked for now."""
        self._asked_ns = self._clock.now_ns()

    def seen(self, t_ns: int, *, reveal: bool) -> None:
        """Play and say what waits for a picture that can be seen since `t_ns`; of a `reveal` its own clip only."""
        if t_ns < self._asked_ns:
            return
        heard = [clip for clip in self._waiting if not reveal or clip == FLIP]
        self._waiting = [clip for clip in self._waiting if clip not in heard]
        if heard:
            self._player.play(min(heard, key=RANK.index))
        if not reveal:
            self._speech.seen()

    def nudge(self) -> None:
        """Call to mind that somebody must act."""
        self._player.play(NUDGE)

"""Connects a table to its club: sends public events, receives accepted requests."""

import platform
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final

from companion.club import home_assistant, topics
from companion.club.broker import Broker, Sent, connection
from companion.club.kept_topics import KeptTopics
from companion.club.results import Results
from companion.club.topics import Asked, Outgoing, TableCall, read_asked
from companion.config.sections import ClubOptions
from companion.core.event import Event
from companion.core.game import Game
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.place import Place
from companion.core.rules import State
from companion.referee.events import Lamp, Verdict

PROGRAM: Final = version("table-companion")

WAITING: Final = 8
"""Maximum pending requests."""

TOPIC_OF: Final = {"call": topics.CALL, "pause": topics.PAUSE, "message": topics.MESSAGE}

NOT_TOLD: Final = (Lamp,)
"""Events that are not sent."""


class ClubLink:
    """One table's connection to its club. `wake` is called from another thread on a request."""

    def __init__(
        self,
        options: ClubOptions,
        folder: Path,
        games: Mapping[str, Game],
        colour: Callable[[str], str],
        wake: Callable[[], None],
    ) -> None:
        """Raise DeviceError without a library or file. `colour` returns a colour as `#rrggbb`."""
        self.name = options.table or platform.node()
        self.call: TableCall | None = None
        """The players called to this table, set by the host."""
        self._root = f"{options.topic}/{topics.table_topic(self.name)}"
        self._accepted = {f"{self._root}/{TOPIC_OF[each]}": each for each in options.accept}
        self._colour, self._wake = colour, wake
        self._asked: deque[Asked] = deque(maxlen=WAITING)
        at_home = home_assistant.discovery(self._root, self.name, PROGRAM)
        self._discovery = at_home if options.home_assistant else []
        used = [f"{self._root}/{kind}" for kind in (topics.ONLINE, topics.STATE, topics.RESULTS)]
        self._kept = KeptTopics(
            folder, [*used, *(sent.topic for sent in self._discovery)], [sent.topic for sent in at_home]
        )
        self._since_s = int(time.time())
        self._match: tuple[str, int] | None = None  # record, start in seconds since the epoch
        self._shown: object = None
        self._results = Results(folder, games)
        self._newest = topics.no_match()
        self._broker = Broker(
            connection(options),
            hello=self._hello,
            will=self._sent(topics.gone(self.name)),
            wanted=tuple(self._accepted),
            hear=self._hear,
            arrived=self._arrived,
        )

    def __enter__(self) -> "ClubLink":
        self._broker.start()
        threading.Thread(target=self._look_through, name="club results", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._put(topics.gone(self.name))
        self._broker.stop()

    # --- Outgoing ---------------------------------------------------------------------------------------

    def tell(self, record: str, match: Match, events: Iterable[tuple[int, Event]]) -> None:
        """Send the public events of a step. `record` names the match's record."""
        for t_ns, event in events:
            if not event.visible_to(None) or isinstance(event.data, NOT_TOLD):
                continue
            self._put(topics.event(record, match.length, t_ns, event))
            if isinstance(event.data, Verdict):
                names = match.game.teller.colours(match.view())
                colours = [self._colour(name) for name in names]
                self._put(topics.verdict(record, match.length, match.names, colours, event.data))

    def show(
        self, record: str, match: Match, position: State, places: Sequence[Place], turn: Sequence[Seat]
    ) -> None:
        """Send the position on screen, if it changed."""
        shown = (record, position, tuple(turn), len(match.entries))
        if shown == self._shown:
            return
        self._shown = shown
        if self._match is None or self._match[0] != record:
            self._match = (record, int(time.time()))
        self._newest = topics.state(record, match, position, places, turn, since_s=self._match[1])
        self._put(self._newest)

    def end(self, record: str, match: Match) -> None:
        """Send a match's result if it is new."""
        if news := self._results.note(record, match):
            self._tell_result(news)

    def idle(self) -> None:
        """Report that no match is played."""
        if self._match is not None:
            self._match, self._shown, self._newest = None, None, topics.no_match()
            self._put(self._newest)

    def _tell_result(self, news: topics.Message) -> None:
        self._put(Outgoing(topics.RESULT, news, sure=True))
        self._put(Outgoing(topics.RESULTS, {"results": self._results.last}, kept=True))

    def _look_through(self) -> None:
        for news in self._results.look_through():
            self._tell_result(news)

    def _put(self, told: Outgoing) -> None:
        self._broker.put(self._sent(told))

    def _sent(self, told: Outgoing) -> Sent:
        return Sent(f"{self._root}/{told.kind}", topics.payload(told.message), told.kept, told.sure)

    def _hello(self) -> Sequence[Sent]:
        online = topics.online(self.name, PROGRAM, self._since_s)
        results = Outgoing(topics.RESULTS, {"results": self._results.last}, kept=True)
        told = [self._sent(each) for each in (online, self._newest, results)]
        return [*self._kept.emptied(), *self._discovery, *told]

    def _arrived(self, sent: Sent) -> None:
        if not sent.payload:
            self._kept.confirm(sent.topic)
        if sent.topic == f"{self._root}/{topics.RESULT}":
            found = topics.read_payload(sent.payload)
            self._results.confirm({key: value for key, value in found.items() if key != "v"})

    # --- Incoming ---------------------------------------------------------------------------------------

    def asked(self) -> Iterable[Asked]:
        """Yield the pending requests."""
        while self._asked:
            yield self._asked.popleft()

    def _hear(self, topic: str, data: bytes) -> None:
        try:
            self._asked.append(read_asked(self._accepted[topic], topics.read_payload(data)))
        except topics.NO_MESSAGE as error:
            topics.log_refused(topic, error)
            return
        self._wake()

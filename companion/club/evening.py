"""Runs a tournament over the club's broker.

The broker retains each table's last results, so interruptions do not matter.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final, TypeVar

from companion.club import schedule, topics
from companion.club.broker import Broker, Sent, connection
from companion.club.ledger import Ledger
from companion.club.schedule import Finished
from companion.club.tournament import Called, Drawn, GroupResult, Tournament
from companion.config.sections import ClubOptions
from companion.core.errors import OptionError
from companion.core.limits import RECORD_ENTRIES
from companion.core.names import one_form
from companion.core.place import MOST_PLACES
from companion.core.rules import places
from companion.core.text import Text, msg

ResultT = TypeVar("ResultT")

OTHERS: Final = 50
"""Maximum other tables, since anybody can invent them."""

MOST_PER_S: Final = 2_000
RESULTS_READ: Final = 100
"""Maximum results per message and per table."""

WORD_SIGNS: Final = 255
"""Maximum length of a name in a result."""


class Evening:
    """A running tournament. Use it as a context manager and call `go_on` repeatedly."""

    def __init__(self, ledger: Ledger, options: ClubOptions, name: str) -> None:
        """Raise DeviceError without a library or file, OptionError if two tables share a topic.

        `name` is the tournament's name.
        """
        _check_topics(ledger.tournament.tables)
        self._ledger, self._name, self._topic = ledger, name, options.topic
        self._own = {topics.table_topic(table) for table in ledger.tournament.tables}
        self._news = threading.Condition()
        self._heard: dict[str, tuple[Finished, ...]] = {}
        """The newest unread message of each table."""
        self._knows_all = False
        """Whether all retained messages have arrived."""
        self._results: dict[str, dict[str, Finished]] = {}
        self._told: list[Sent] = []
        self._broker = Broker(
            connection(options),
            hello=self._calls,
            wanted=(f"{options.topic}/+/{topics.RESULTS}",),
            hear=self._hear,
            most_per_s=MOST_PER_S,
        )

    def __enter__(self) -> "Evening":
        self._broker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._broker.stop()

    @property
    def trouble(self) -> Text | None:
        return self._broker.trouble

    def go_on(self, patience_s: float) -> Iterator[GroupResult | Drawn | Called]:
        """Wait for results for at most `patience_s`. Yield the resulting events, each once durable.

        Nothing is yielded before the broker was once silent for that long: earlier matches do not count for a new
        round.
        """
        with self._news:
            if self._news.wait_for(lambda: self._heard, patience_s):
                table = next(iter(self._heard))
                heard = {each.match: each for each in self._heard.pop(table)}
                self._results[table] = dict([*(self._results.get(table, {}) | heard).items()][-RESULTS_READ:])
            else:
                self._knows_all |= self.trouble is None
        if self._knows_all:
            told_by_all = chain.from_iterable(known.values() for known in self._results.values())
            yield from schedule.advance(self._ledger, newest(told_by_all))
        told, self._told = self._told, self._calls()
        for sent in self._told:
            if sent not in told:
                self._broker.put(sent)

    def _calls(self) -> list[Sent]:
        return [
            Sent(f"{self._topic}/{topics.table_topic(table)}/{topics.CALL}", topics.payload(message), kept=True)
            for table, message in calls(self._ledger.tournament, self._name).items()
        ]

    def _hear(self, topic: str, data: bytes) -> None:
        if not data:  # the table was renamed
            return
        table = topic.removeprefix(f"{self._topic}/").split("/")[0]
        try:
            results = read_results(topic, topics.read_payload(data))
            with self._news:
                known = self._results.keys() | self._heard.keys()
                if table not in known | self._own and len(known - self._own) >= OTHERS:
                    raise ValueError(f"more than {OTHERS} other tables")
                self._heard[table] = results
                self._news.notify()
        except topics.NO_MESSAGE as error:
            topics.log_refused(topic, error)


def newest(told: Iterable[Finished]) -> list[Finished]:
    """Return the latest revision of each match. Renamed tables' results are retained twice."""
    found: dict[tuple[str, frozenset[str]], Finished] = {}
    for each in told:
        known = found.setdefault((each.match, frozenset(each.places)), each)
        if each.revision > known.revision:
            found[each.match, frozenset(each.places)] = each
    return list(found.values())


def calls(tournament: Tournament, name: str) -> dict[str, dict[str, object]]:
    """Return the message for each table: the call, or {} without one."""
    found: dict[str, dict[str, object]] = {table: {} for table in (*sorted(tournament.lost), *tournament.tables)}
    if tournament.rounds:
        now = tournament.rounds[-1]
        for group, table in now.called.items():
            if group not in now.results and table in tournament.tables:
                found[table] = {
                    "tournament": name,
                    "round": len(tournament.rounds),
                    "game": tournament.plan.game,
                    "players": list(now.drawn.groups[group]),
                }
    return found


def _check_topics(tables: Sequence[str]) -> None:
    named: dict[str, str] = {}
    for table in tables:
        topic = topics.table_topic(table)
        if topic in named:
            raise OptionError(
                msg(
                    "tables {one!r} and {other!r} are both {topic!r} on the broker: rename one of them, here and "
                    "in its table.toml, with letters from a to z or digits",
                    one=named[topic],
                    other=table,
                    topic=topic,
                )
            )
        named[topic] = table


def read_results(topic: str, found: Mapping[str, Any]) -> tuple[Finished, ...]:
    """Parse the results of a message. Raise one of `topics.NO_MESSAGE`."""
    return tuple(each_result(topic, found, read_result))


def each_result(topic: str, found: Mapping[str, Any], read: Callable[[Any], ResultT]) -> Iterator[ResultT]:
    """Yield the valid results of a message. Log the first invalid one."""
    refused = False
    for each in found["results"][-RESULTS_READ:]:
        try:
            yield read(each)
        except topics.NO_MESSAGE as error:
            if not refused:
                topics.log_refused(topic, error)
            refused = True


def read_result(found: Mapping[str, Any]) -> Finished:
    """Parse one result. Raise one of `topics.NO_MESSAGE`."""
    players, ranking = found["players"], found["ranking"]
    if not all(isinstance(player, str) for player in players):
        raise ValueError("these are not the names of players")
    names = tuple(map(one_form, players))
    seats = [seat for shared in ranking for seat in shared]
    if not 2 <= len(set(names)) == len(names) <= MOST_PLACES:
        raise ValueError("these are not the names of players")
    if sorted(seats) != list(range(1, len(names) + 1)):
        raise ValueError("this is no order of all players")
    placed = places([names[seat - 1] for seat in shared] for shared in ranking)
    match, game = str(found["match"]), str(found["game"])
    if max(map(len, (match, game, *names))) > WORD_SIGNS:
        raise ValueError(f"a word of more than {WORD_SIGNS} signs")
    revision = topics.whole_number(found.get("revision", 1), 0, RECORD_ENTRIES)
    return Finished(match, game, placed, revision)

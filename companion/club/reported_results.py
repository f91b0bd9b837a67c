"""Statistics of the results that a club's broker retains, without records."""

import json
from collections.abc import Mapping
from typing import Any, Final

from companion.club import topics
from companion.club.broker import Broker, connection
from companion.club.evening import MOST_PER_S, each_result, read_result
from companion.config.sections import ClubOptions
from companion.core.errors import OptionError
from companion.core.game import Game
from companion.core.limits import RECORD_ENTRIES
from companion.core.names import one_form
from companion.core.text import msg
from companion.records.facts import Facts, digest
from companion.records.stats import Counted, Statistics

TELLS_ALL_S: Final = 2.0
"""Time in which a connected broker sends all retained messages."""


def kept_by(options: ClubOptions) -> dict[str, bytes]:
    """Return the retained results by topic. Raise DeviceError, OptionError."""
    found: dict[str, bytes] = {}
    wanted = (f"{options.topic}/+/{topics.RESULTS}",)
    broker = Broker(connection(options), wanted=wanted, hear=found.__setitem__, most_per_s=MOST_PER_S)
    broker.start()
    trouble = broker.wait(TELLS_ALL_S)
    broker.stop()
    if trouble:
        raise OptionError(msg("cannot use the broker: {why}", why=trouble))
    return dict(found)


def statistics(told: Mapping[str, bytes], games: Mapping[str, Game], game: str | None = None) -> Statistics:
    """Return the statistics of one game or all. Duplicates count once."""
    counted = Counted()
    for topic, data in sorted(told.items()):
        newest: dict[str, Facts] = {}
        try:
            message = topics.read_payload(data)
            newest |= each_result(topic, message, lambda found: (str(found["match"]), facts_of(found)))
        except topics.NO_MESSAGE as error:
            topics.log_refused(topic, error)
        for record, facts in newest.items():
            if facts.game in games and game in {None, facts.game}:
                counted.count_facts(f"{topic}/{record}", facts, games[facts.game].title)
    return counted.statistics()


def facts_of(found: Mapping[str, Any]) -> Facts:
    """Parse a result. Raise one of `topics.NO_MESSAGE`."""
    result = read_result(found)
    names = tuple(map(one_form, found["players"]))
    winners = tuple(seat for seat, name in enumerate(names) if result.places[name] == 1)
    moves = topics.whole_number(found.get("moves", 0), 0, RECORD_ENTRIES)
    handicapped = found.get("handicapped") is True
    # The digest identifies results that are also retained under a table's former name.
    match = digest(result.match, result.game, str(moves), *names, json.dumps(found["ranking"]))
    return Facts(result.game, names, winners=winners, moves=moves, handicapped=handicapped, match=match)

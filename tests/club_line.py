"""A table's club link without a broker; its messages are collected."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from companion.club import link
from companion.club.broker import Sent
from companion.club.link import ClubLink
from companion.config.sections import ClubOptions
from companion.display import theme
from companion.games import all_games

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda parts: st.lists(parts) | st.dictionaries(st.text(), parts),
    max_leaves=5,
)


class Line:
    """A fake broker: collects sent messages, and delivers those of a test."""

    def __init__(self, _way: object, **given: Any) -> None:
        self.sent: list[Sent] = []
        self.given = given
        self.noted: Callable[[Sent], None] = lambda _: None
        self.trouble = None

    def start(self) -> None:
        """Start nothing."""

    def stop(self, patience_s: float = 0) -> None:
        """Stop nothing."""

    def put(self, sent: Sent) -> None:
        self.sent.append(sent)
        self.noted(sent)

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Return the messages whose topic ends in `kind`."""
        return [json.loads(sent.payload) for sent in self.sent if sent.topic.endswith(f"/{kind}")]

    def say(self, kind: str, message: Any) -> None:
        """Deliver a message to the table."""
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.given["hear"](f"companion/window/{kind}", data)


@contextmanager
def linked(
    folder: Path, accept: Sequence[str] = (), wake: Callable[[], None] = lambda: None, **more: Any
) -> Iterator[ClubLink]:
    """Return the club link of a table named Window; `line_of` has its fake broker."""
    options = ClubOptions("127.0.0.1", **{"table": "Window", "accept": tuple(accept), **more})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(link, "Broker", Line)
        made = ClubLink(options, folder, all_games(), theme.web_colour, wake)
    yield made


def line_of(made: ClubLink) -> Line:
    found = made._broker
    assert isinstance(found, Line)
    return found

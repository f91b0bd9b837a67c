"""Random matches and checks of the contract, shared by the games' tests."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from random import Random
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from hypothesis import settings
from hypothesis import strategies as st

from companion.core.errors import IllegalMove
from companion.core.event import Event, EventFacts
from companion.core.move import Move
from companion.core.rules import Rules, State
from companion.core.text import Text, reader
from companion.core.verbs import NOT_ACCEPTED
from companion.games import load
from tests.messages import catalogue
from tests.of_games import beside

Truths = Mapping[str, Callable[..., bool]]
"""The condition for each sentence that refuses a move."""

Step = tuple[State, Move, State, tuple[Event, ...]]

HEADLESS = Path(__file__).parents[2] / "docs" / "headless.md"

of_whole_matches = settings(max_examples=settings.default.max_examples // 4)
"""For properties of whole matches, which have about a hundred positions."""


def random_match(name: str, seats: int, luck: Random) -> Iterator[Step]:
    """Yield the steps of a match with random house rules."""
    matches = beside(name, "table")
    start = load(name).rules.setup(matches.BOX, matches.some_rulings(luck), seats)
    unread = {"unread": 0.2} if name == "buntherum" else {}  # not every real card is keyed
    return matches.wander(start, luck, **unread)


def kinds(events: tuple[Event, ...]) -> list[str]:
    return [happened.kind for happened in events]


def find(events: tuple[Event, ...], kind: str) -> Event:
    """Return the only event of `kind`."""
    (happened,) = [event for event in events if event.kind == kind]
    return happened


def any_moves(verbs: tuple[str, ...], numbers: st.SearchStrategy[int]) -> st.SearchStrategy[Move]:
    """Return any moves, most with the game's verbs."""
    verb = st.sampled_from(verbs) | st.text(max_size=5)
    return st.builds(Move, st.integers(-3, 6), verb, st.lists(numbers, max_size=7).map(tuple))


def refusal(rules: Rules, state: State, move: Move) -> str:
    """Return the paragraph that refuses a move, "" if it is accepted.

    A refusal changes nothing and names its seat and paragraph; the move is not legal.
    """
    before, refused = hash(state), None
    try:
        rules.apply(state, move)
    except IllegalMove as error:
        refused = error
    assert hash(state) == before
    if refused is None:
        return ""
    assert move not in rules.legal(state, move.seat)
    assert refused.seat == move.seat
    assert f"({refused.rule})" in str(refused)
    return refused.rule


def changed(data: Any, move: Move, verbs: tuple[str, ...], numbers: st.SearchStrategy[int]) -> Move:
    """Return a legal move with one change."""
    place = data.draw(st.integers(0, len(move.args)))
    number = data.draw(numbers)
    return data.draw(
        st.sampled_from(
            [
                move._replace(seat=data.draw(st.integers(-2, 5))),
                move._replace(verb=data.draw(st.sampled_from(verbs))),
                move._replace(args=move.args[:-1]),
                move._replace(args=move.args[::-1]),
                move._replace(args=(*move.args, number)),
                move._replace(args=(*move.args[:place], number, *move.args[place + 1 :])),
            ]
        )
    )


def reasons(rules: Rules, state: State, move: Move, truths: Truths) -> set[Text]:
    """Return the reason for refusing a move, nothing if it is accepted.

    `truths` must confirm it. Only its seat may read the reason of a secret.
    """
    try:
        rules.apply(state, move)
    except IllegalMove as error:
        refused = error
        assert move not in rules.legal(state, move.seat)
    else:
        assert move in rules.legal(state, move.seat)
        return set()
    secret = move.verb in rules.SECRETS and rules.outcome(state) is None
    assert (refused.text == NOT_ACCEPTED) == secret
    why = refused.own
    values = {name: str(value) if isinstance(value, Text) else value for name, value in why.values}
    assert truths[why.msgid](state, move, **values), f"{why} of {move}"
    return {why}


def are_all_in_both_languages(told: set[Text], truths: Truths) -> None:
    """Check that each sentence occurred and is translated."""
    french, catalog = reader("fr"), catalogue("fr")
    assert {why.msgid for why in told} == truths.keys()
    for why in told:
        assert catalog[why.msgid].id in {why.msgid, (why.msgid, why.plural)}
        assert french(why) != str(why)
        assert "{" not in str(why) + french(why)


def is_sound(title: str, state: State, events: tuple[Event, ...]) -> None:
    """Check the types of a position, and its events against docs/headless.md."""
    assert is_of(state, type(state)), state
    for happened in events:
        assert is_of(happened.data, type(happened.data)), happened
        about = "one" if happened.seat is not None else "nobody"
        assert about in documented(title)[happened.kind], happened


@cache
def documented(title: str) -> dict[str, set[str]]:
    """Return whether each kind of event names a seat, by docs/headless.md."""
    section = HEADLESS.read_text("utf-8").partition(f"### {title}\n")[2].partition("\n#")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) ?\|", section, re.MULTILINE)
    either = {"`seat`": {"one"}, "`seat?`": {"one", "nobody"}}
    return {kind: either.get(keys.split(" ")[0], {"nobody"}) for kind, keys in rows}


def is_of(value: object, hint: Any) -> bool:
    """Return whether a value has a declared type."""
    hint, origin, kinds = shape(hint)
    if origin in {Union, UnionType}:
        return any(is_of(value, kind) for kind in kinds)
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        parts = kinds[:1] * len(value) if kinds[1:] == (...,) else kinds
        return len(parts) == len(value) and all(map(is_of, value, parts))
    if hasattr(hint, "_fields"):
        return type(value) is hint and all(map(is_of, value, declared(hint)))
    if isinstance(value, EventFacts):
        return type(value) is hint and all(map(is_of, vars(value).values(), declared(hint)))
    return isinstance(value, hint)


@cache
def shape(hint: Any) -> tuple[Any, Any, tuple[Any, ...]]:
    """Return a type, its origin and its arguments."""
    hint = getattr(hint, "__supertype__", hint)
    return hint, get_origin(hint), get_args(hint)


@cache
def declared(kind: type) -> tuple[Any, ...]:
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)] if issubclass(kind, EventFacts) else kind._fields
    return tuple(hints[name] for name in names)

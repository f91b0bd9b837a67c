"""What the tests of each game share: random matches, what any rules keep."""

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
"""What must hold where a sentence refuses a move, by the sentence."""

Step = tuple[State, Move, State, tuple[Event, ...]]

HEADLESS = Path(__file__).parents[2] / "docs" / "headless.md"

of_whole_matches = settings(max_examples=settings.default.max_examples // 4)
"""For what is looked at in each position of a random match: one has a hundred."""


def random_match(name: str, seats: int, luck: Random) -> Iterator[Step]:
    """Yield each (position, move, next position, events) of a match by house rules drawn by lot."""
    matches = beside(name, "table")
    start = load(name).rules.setup(matches.BOX, matches.some_rulings(luck), seats)
    unread = {"unread": 0.2} if name == "buntherum" else {}  # nobody keys in each real card
    return matches.wander(start, luck, **unread)


def kinds(events: tuple[Event, ...]) -> list[str]:
    return [happened.kind for happened in events]


def find(events: tuple[Event, ...], kind: str) -> Event:
    """Return the only event of a kind."""
    (happened,) = [event for event in events if event.kind == kind]
    return happened


def any_moves(verbs: tuple[str, ...], numbers: st.SearchStrategy[int]) -> st.SearchStrategy[Move]:
    """Return moves of any seat, verb and arguments, mostly such as the game knows."""
    verb = st.sampled_from(verbs) | st.text(max_size=5)
    return st.builds(Move, st.integers(-3, 6), verb, st.lists(numbers, max_size=7).map(tuple))


def refusal(rules: Rules, state: State, move: Move) -> str:
    """Return the paragraph that refuses a move, nothing when it is accepted; no refusal changes anything.

    What is refused is not legal, and the refusal names its seat and, as it is read, its paragraph.
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
    """Return a move that differs a little from one that is legal."""
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
    """Return what says why a move is refused, nothing when it is accepted.

    It is held against the position: its numbers and names are those that are wrong. `truths` has what must hold for
    each sentence: of the position, the move, and the values in its braces. Of a secret only its seat may read it.
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
    """Hold that each sentence was told, and that each has its words in both languages, of one and of several."""
    french, catalog = reader("fr"), catalogue("fr")
    assert {why.msgid for why in told} == truths.keys()
    for why in told:
        assert catalog[why.msgid].id in {why.msgid, (why.msgid, why.plural)}
        assert french(why) != str(why)
        assert "{" not in str(why) + french(why)


def is_sound(title: str, state: State, events: tuple[Event, ...]) -> None:
    """Hold a position and what is told against their declarations: each part is of its type, each fact is there."""
    assert is_of(state, type(state)), state
    for happened in events:
        assert is_of(happened.data, type(happened.data)), happened
        about = "one" if happened.seat is not None else "nobody"
        assert about in documented(title)[happened.kind], happened


@cache
def documented(title: str) -> dict[str, set[str]]:
    """Return of each kind of event of a game whether it is about one seat or nobody, as docs/headless.md has it."""
    section = HEADLESS.read_text("utf-8").partition(f"### {title}\n")[2].partition("\n#")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) ?\|", section, re.MULTILINE)
    either = {"`seat`": {"one"}, "`seat?`": {"one", "nobody"}}
    return {kind: either.get(keys.split(" ")[0], {"nobody"}) for kind, keys in rows}


def is_of(value: object, hint: Any) -> bool:
    """Tell whether a value is of a declared type, with all its parts."""
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
    """Return a type, what it is a kind of, and of what."""
    hint = getattr(hint, "__supertype__", hint)
    return hint, get_origin(hint), get_args(hint)


@cache
def declared(kind: type) -> tuple[Any, ...]:
    """Return the types of the fields of a NamedTuple, or of facts."""
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)] if issubclass(kind, EventFacts) else kind._fields
    return tuple(hints[name] for name in names)

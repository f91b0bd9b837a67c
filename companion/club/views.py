"""Public views as JSON, without box and sentences, so a wall can draw a table's board."""

from collections.abc import Callable
from dataclasses import asdict
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, NewType, Union, get_args, get_origin, get_type_hints

from companion.core import options
from companion.core.game import Game
from companion.core.limits import VIEW_NUMBER, VIEW_PARTS
from companion.core.rules import View
from companion.core.text import Text

OWN: Final = frozenset({"you", "box", "rulings"})
"""Fields that are not part of the position."""

Reader = Callable[[Any], Any]


def as_json(view: Any) -> dict[str, object]:
    """Return a public view as a JSON object. Raise ValueError for a seat's view."""
    if view.you is not None:
        raise ValueError("this view is a seat's own")
    position = {name: _plain(value) for name, value in view._asdict().items() if name not in OWN}
    return position | {"rulings": asdict(view.rulings)}


def read(game: Game, found: Any) -> View:
    """Parse the output of `as_json`. Raise ValueError, OptionError."""
    cls = get_type_hints(game.rules.view)["return"]
    kinds = {name: kind for name, kind in get_type_hints(cls).items() if name not in OWN}
    if not isinstance(found, dict) or found.keys() != kinds.keys() | {"rulings"}:
        raise ValueError("this is no view of this game")
    position = {name: _reader(kind)(found[name]) for name, kind in kinds.items()}
    rulings = options.read(game.rulings, _object(found["rulings"]), "rulings")
    if "box" in get_type_hints(cls):
        position["box"] = game.read_box(game.box_text, game.name)
    view: View = cls(you=None, rulings=rulings, **position)
    return view


def _plain(value: Any) -> object:
    if isinstance(value, Text):
        return ""
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value.value if isinstance(value, Enum) else value


@cache
def _reader(kind: Any) -> Reader:
    while isinstance(kind, NewType):
        kind = kind.__supertype__
    origin, parts = get_origin(kind), get_args(kind)
    if origin in {Union, UnionType}:
        rest = [part for part in parts if part is not NoneType]
        return _optional(_reader(rest[0]))
    if origin is tuple:
        of = [_reader(part) for part in parts if part is not ...]
        return _row(of[0]) if parts[-1] is ... else _record(of, _together)
    if kind is Text:
        return lambda _found: Text("")
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    if isinstance(kind, type) and issubclass(kind, tuple):  # a NamedTuple of the game
        return _record([_reader(part) for part in get_type_hints(kind).values()], kind)
    return _exactly(kind)


def _optional(read_value: Reader) -> Reader:
    return lambda found: None if found is None else read_value(found)


def _row(read_value: Reader) -> Reader:
    return lambda found: tuple(read_value(each) for each in _list(found))


def _record(readers: list[Reader], make: Callable[..., Any]) -> Reader:
    def read_record(found: Any) -> Any:
        parts = _list(found)
        return make(*(reader(part) for reader, part in zip(readers, parts, strict=True)))

    return read_record


def _together(*parts: Any) -> tuple[Any, ...]:
    return parts


def _exactly(kind: Any) -> Reader:
    def read_plain(found: Any) -> Any:
        if type(found) is not kind:
            raise ValueError(f"{found!r:.40}: this is no {kind}")
        if (kind is int and abs(found) > VIEW_NUMBER) or (kind is list and len(found) > VIEW_PARTS):
            raise ValueError(f"{found!r:.40}: this is more than a view has")
        return found

    return read_plain


_list, _object = _exactly(list), _exactly(dict)

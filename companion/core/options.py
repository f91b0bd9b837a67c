"""Options: frozen dataclasses whose fields declare default, allowed values and help."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field
from typing import Any, ClassVar, Final, Protocol, TypeVar

from companion.core.errors import OptionError, nearest
from companion.core.limits import DIGITS
from companion.core.text import Text, decimal, msg

T = TypeVar("T")


class Options(Protocol):
    """A frozen dataclass of options."""

    # Fields of any type: values are checked when they are read.
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


OptionsT = TypeVar("OptionsT", bound=Options)

_FRACTION: Final = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}", re.ASCII)


def option(
    default: T,
    help_text: Text,
    *,
    choices: tuple[str, ...] | Mapping[str, Text] = (),
    minimum: int | None = None,
    maximum: int | None = None,
    steps: tuple[T, ...] = (),
    label: Text | None = None,
    words: Mapping[T, Text] | None = None,
    scripted: T | None = None,
    fractions: bool = False,
    badge: Callable[[T], Text] | None = None,
    unit: Text | None = None,
    ours: bool = False,
) -> T:
    """Declare one option of a frozen dataclass; its type is that of the default.

    * `choices`: the allowed words, default first, or their texts in a menu.
    * `minimum`, `maximum`: bounds of a number, whole without `fractions`. A list has whole numbers if it has a
      `minimum`, else words.
    * `label`, `steps`, `words`, `unit`: the name in a menu, the values offered, texts of some values, and of other
      numbers, with `{n}`.
    * `scripted`: the default in scripts, if it differs. `badge`: the short text of a handicap.
    * `ours`: the option is not in the rulebook.
    """
    metadata = {
        "help": help_text,
        "choices": tuple(choices),
        "minimum": minimum,
        "maximum": maximum,
        "steps": steps or (default,),
        "label": label,
        "words": words or (choices if isinstance(choices, Mapping) else {}),
        "scripted": default if scripted is None else scripted,
        "fractions": fractions,
        "badge": badge,
        "unit": unit,
        "ours": ours,
    }
    return dataclasses.field(default=default, metadata=metadata)


def defaults(cls: type[OptionsT]) -> OptionsT:
    """Return the default options. Raise TypeError for a default that no file could express."""
    for field in dataclasses.fields(cls):
        name = f"{cls.__name__}.{field.name}"
        if "help" not in field.metadata:
            raise TypeError(f"{name} is not declared by option()")
        kinds = bool | int | str | tuple | (float if field.metadata["fractions"] else int)
        if not isinstance(field.default, kinds):
            raise TypeError(
                f"the default of {name} is {field.default!r}; "
                "allowed: true or false, a whole number, a text, or a tuple"
            )
    return cls()


def scripted(cls: type[Options]) -> dict[str, object]:
    """Return the defaults in scripts that differ from the usual ones."""
    fields = [field for field in dataclasses.fields(cls) if field.metadata["scripted"] != field.default]
    return {field.name: field.metadata["scripted"] for field in fields}


def read(cls: type[OptionsT], found: Mapping[str, object], where: str) -> OptionsT:
    """Build `cls` from keys and values. Numbers and booleans may be text, as on a command line.

    Raise OptionError with `where`, the key, what is allowed and the nearest match.
    """
    fields = {field.name: field for field in dataclasses.fields(cls)}
    for key in found:
        if key not in fields:
            raise OptionError(
                msg("{where}: unknown option {key!r}; {near}", where=where, key=key, near=nearest(key, fields))
            )
    return cls(**{key: _value(fields[key], value, where) for key, value in found.items()})


def words(given: Iterable[str], where: str) -> dict[str, object]:
    """Parse `KEY=VALUE` words. Raise OptionError."""
    found: dict[str, object] = {}
    for word in given:
        key, equals, value = word.partition("=")
        if not equals:
            raise OptionError(msg("{where}: {word!r} is not KEY=VALUE", where=where, word=word))
        found[key] = value
    return found


def declared(options: Options | type[Options], name: str) -> Field[object]:
    return next(field for field in dataclasses.fields(options) if field.name == name)


def line(options: Options, name: str) -> Text:
    field = declared(options, name)
    label = field.metadata["label"] or name.replace("_", " ")
    return msg("{name}: {value}", name=label, value=_said(field, getattr(options, name)))


def default_text(options: Options, name: str) -> object:
    field = declared(options, name)
    return _said(field, field.default)


def _said(field: Field[object], value: object) -> object:
    said = field.metadata["words"].get(value)
    if said is None and isinstance(value, bool):
        said = msg("yes") if value else msg("no")
    number = decimal(value) if isinstance(value, float) else str(value).replace("_", " ")
    if said is None and field.metadata["unit"]:
        return field.metadata["unit"]._replace(values=(("n", number),))
    return said or number


def next_value(options: OptionsT, name: str) -> OptionsT:
    field = declared(options, name)
    value = getattr(options, name)
    values = (False, True) if isinstance(value, bool) else field.metadata["choices"] or field.metadata["steps"]
    place = values.index(value) if value in values else -1
    return dataclasses.replace(options, **{name: values[(place + 1) % len(values)]})


def changed(options: Options) -> dict[str, object]:
    return {
        field.name: getattr(options, field.name)
        for field in dataclasses.fields(options)
        if getattr(options, field.name) != field.default
    }


def allowed(field: Field[object]) -> Text:
    if isinstance(field.default, bool):
        return msg("true or false")
    if field.metadata["choices"]:
        return msg("one of {choices}", choices=", ".join(field.metadata["choices"]))
    low, high = field.metadata["minimum"], field.metadata["maximum"]
    if field.metadata["fractions"]:
        return msg("a number from {low} to {high}", low=low, high=high)
    if isinstance(field.default, int):
        if low is None:
            return msg("a whole number") if high is None else msg("a whole number up to {high}", high=high)
        if high is None:
            return msg("a whole number from {low}", low=low)
        return msg("a whole number from {low} to {high}", low=low, high=high)
    if isinstance(field.default, tuple):
        return msg("a list of words") if _holds_words(field) else msg("a list of whole numbers from {low}", low=low)
    return msg("a text")


def _value(field: Field[object], found: object, where: str) -> object:
    value = _typed(field, found)
    metadata = field.metadata
    fits = type(value) is type(field.default) or (metadata["fractions"] and isinstance(value, float))
    if fits and metadata["choices"]:
        fits = value in metadata["choices"]
    if fits and isinstance(value, int | float) and not isinstance(value, bool):
        low, high = metadata["minimum"], metadata["maximum"]
        fits = (low is None or value >= low) and (high is None or value <= high)
    if fits:
        return value
    if metadata["choices"]:
        near = nearest(str(found), metadata["choices"])
    else:
        near = msg("allowed: {allowed}", allowed=allowed(field))
    raise OptionError(
        msg("{where}: {key} = {found!r}; {near}", where=where, key=field.name, found=found, near=near)
    )


def _holds_words(field: Field[object]) -> bool:
    return field.metadata["minimum"] is None


def _typed(field: Field[object], found: object) -> object:
    default = field.default
    if isinstance(default, tuple) and isinstance(found, list):
        if _holds_words(field):
            return tuple(found) if all(isinstance(x, str) for x in found) else found
        low = field.metadata["minimum"]
        return tuple(found) if all(type(x) is int and x >= low for x in found) else found
    if isinstance(found, str):
        if isinstance(default, bool):
            return {"true": True, "false": False}.get(found, found)
        digits = found.removeprefix("-")
        if isinstance(default, int) and digits.isdecimal() and digits.isascii() and len(digits) <= DIGITS:
            return int(found)
        if field.metadata["fractions"] and _FRACTION.fullmatch(found):
            found = float(found)
    if field.metadata["fractions"] and isinstance(found, float) and found.is_integer():
        return int(found)
    return found

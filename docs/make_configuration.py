"""Makes docs/configuration.md from the declarations of all options.

`.venv/bin/python docs/make_configuration.py`; a test fails when the page is out of date.
"""

import dataclasses
from gettext import NullTranslations
from pathlib import Path
from typing import Any

from companion.config.settings import CARDS, IN_MENU
from companion.config.table_file import GAMES, RULINGS, all_sections
from companion.core.game import Game
from companion.core.text import Text
from companion.core.toml import in_toml
from companion.games import all_games

PAGE = Path(__file__).with_name("configuration.md")

HEAD = """# Configuration

All options of `table.toml`. `companion config init` writes a file with every option, its default and an
explanation. `companion config check` names the mistakes in yours, with what is allowed. Options that you leave out
have their defaults. `companion play --table table.toml` uses the file. Options with *menu* can also be changed at
the table, under Settings, which writes them into the file.

Without `--table` the program uses `~/.config/companion/table.toml` (`$XDG_CONFIG_HOME` moves it). It creates the
file when there is something to store: a setting, a box, or the game and the seats of a match, with which the next
start begins. The last line of Settings names it. A file that cannot be read is renamed to `table.toml.damaged`;
the first screen says why, and the defaults are used. `companion headless` and `companion simulate` read only a
file that you name.
"""

MENU = " *menu*"


def page() -> str:
    games = all_games()
    parts = [HEAD]
    for name, cls in all_sections(games).items():
        parts.append(f"## [{name}]\n\n{_about(name, cls, games)}\n")
        if name.startswith(f"{RULINGS}."):
            continue
        rows = [_row(name, field) for field in dataclasses.fields(cls)]
        parts.append("\n".join(["| option | default | allowed | what it is |", "|---|---|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def _about(name: str, cls: type[Any], games: dict[str, Game]) -> str:
    group, _, game = name.partition(".")
    if group == RULINGS:
        return (
            f"The house rules of {games[game].title}. [Its page](rules/{game}.md#house-rules) lists them; a menu "
            "before each match also has them."
        )
    if group == GAMES:
        return f"The box of {games[game].title}."
    assert cls.__doc__
    return cls.__doc__.partition("\n")[0]


def _row(section: str, field: "dataclasses.Field[Any]") -> str:
    menu = MENU if (section, field.name) in {*IN_MENU, CARDS} else ""
    cells = (
        f"`{field.name}`{menu}",
        f"`{in_toml(field.default)}`",
        _allowed(field),
        _english(field.metadata["help"]),
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _allowed(field: "dataclasses.Field[Any]") -> str:
    """Describe the values of an option, with their names in menus."""
    metadata = field.metadata
    if metadata["choices"]:
        return ", ".join(_choice(word, metadata["words"].get(word)) for word in metadata["choices"])
    if isinstance(field.default, bool):
        return "`true`, `false`"
    low, high = metadata["minimum"], metadata["maximum"]
    if isinstance(field.default, int):
        return f"{low} or more" if high is None else f"{low} to {high}"
    if isinstance(field.default, tuple):
        return "words" if low is None else f"whole numbers, {low} or more"
    return "a text"


def _choice(word: str, said: Text | None) -> str:
    called = _english(said) if said else word
    return f"`{word}`" if called == word else f"`{word}` ({called})"


def _english(text: Text) -> str:
    """Return a text in English, independent of the user's language."""
    return text.render(NullTranslations())


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")

"""Where each sentence of the program can stand: by the call that it is written into, else by its module.

A module that nobody has assigned makes the tests fail: decide where its sentences are read, and add it to MODULES.
"""

import ast
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import messages


class Surface(StrEnum):
    """What has to hold a sentence."""

    STRIP = "the note of a strip"
    HOUSE = "the house's place on the display"
    PRIVATE = "one of two lines of a private screen"
    LINE = "a line of a menu"
    TITLE = "the title of a menu or a poster"
    DETAIL = "what explains a line of a menu, or says what to press"
    POSTER = "the text of a poster"
    RESULT = "why a match ended"
    STANDING = "how somebody stands at the end"
    OPTION = "part of a menu's line, with other parts"
    HELP = "what explains an option: in a file, and of some options below a menu"
    PAPER = "the story and the house's line beside a virtual table"
    HINT = "the note for newcomers beside a virtual table"
    PAGE = "a page or a screen of its own, whose frames are looked at as a whole (test_golden)"
    WORDS = "part of another sentence"
    TERMINAL = "a terminal, or a picture for one"


S = Surface

CALLS: Final = {
    ("Item", 0): S.LINE,
    ("Item", 3): S.DETAIL,
    ("Choice", 0): S.TITLE,
    ("sure_menu", 0): S.TITLE,
    ("_ask", 0): S.TITLE,
    ("Poster", 0): S.TITLE,
    ("Poster", 1): S.POSTER,
    ("Poster", 2): S.DETAIL,
    ("wrong", 1): S.DETAIL,
    ("option", 1): S.HELP,
    ("option", "label"): S.OPTION,
    ("option", "words"): S.OPTION,
    ("handicap", 0): S.HELP,
    ("handicap", "label"): S.OPTION,
    ("handicap", "badge"): S.WORDS,
    ("Outcome", 1): S.RESULT,
}
"""By the function that is called, and which argument a sentence is part of."""

NAMES: Final = {"_REASONS": S.RESULT, "_WHY": S.RESULT}
"""By the name of a constant that they are part of."""

_GAME: Final = {
    "box": (S.POSTER,),
    "console": (S.STRIP, S.PRIVATE),
    "prompts": (S.STRIP, S.PRIVATE),
    "notation": (S.TERMINAL,),
    "rules": (S.PRIVATE, S.POSTER),
    "text": (S.STRIP, S.PAPER),
    "guide": (S.PAGE,),
    "form": (S.PAGE,),
    "lesson": (S.PAGE,),
    "bots": (S.TITLE, S.TERMINAL),
}
"""The rooms of each game."""

MODULES: Final[dict[str, tuple[Surface, ...]]] = {
    "core/console": (S.PRIVATE,),
    "core/verbs": (S.PRIVATE, S.POSTER),
    "games/buntherum/rules/words": (S.STRIP, S.PAPER, S.PRIVATE, S.POSTER),
    "table/app": (S.TERMINAL,),
    "updates/release_folder": (S.POSTER,),
    "updates/release_file": (S.POSTER,),
    "updates/offers": (S.POSTER,),
    "updates/switched_back": (S.POSTER,),
    "visits/updating": (S.POSTER,),
    "visits/new_pods": (S.POSTER,),
    "visits/own_box": (S.DETAIL,),
    "visits/box_questions": (S.PAGE,),
    "cli/commands": (S.TERMINAL,),
    "cli/config": (S.TERMINAL,),
    "cli/demo": (S.TERMINAL,),
    "cli/play": (S.TERMINAL,),
    "cli/stats": (S.TERMINAL,),
    "cli/asked_match": (S.TERMINAL,),
    "cli/boxes": (S.TERMINAL,),
    "cli/card": (S.POSTER,),
    "config/card_file": (S.POSTER,),
    "cli/club": (S.TERMINAL,),
    "cli/asked": (S.TERMINAL,),
    "cli/update": (S.TERMINAL,),
    "cli/progress": (S.TERMINAL,),
    "club/broker": (S.TERMINAL,),
    "club/checks": (S.TERMINAL,),
    "table/wall_app": (S.TERMINAL,),
    "club/evening": (S.TERMINAL,),
    "club/hall": (S.PAGE,),
    "club/told_results": (S.TERMINAL,),
    "club/ledger": (S.TERMINAL,),
    "club/picture": (S.TERMINAL,),
    "club/report": (S.TERMINAL,),
    "club/running": (S.TERMINAL,),
    "club/tournament": (S.TERMINAL,),
    "records/index": (S.TERMINAL,),
    "config/boxes": (S.TERMINAL,),
    "config/drafts": (S.WORDS,),
    "config/sections": (S.TERMINAL,),
    "config/table_file": (S.TERMINAL,),
    "core/boxfile": (S.POSTER,),
    "core/errors": (S.POSTER,),
    "core/files": (S.POSTER,),
    "core/match": (S.POSTER,),
    "core/move": (S.POSTER,),
    "core/options": (S.TERMINAL,),
    "core/record": (S.POSTER,),
    "core/replay": (S.POSTER,),
    "core/text": (S.WORDS,),
    "core/toml": (S.POSTER,),
    "table/corrections": (S.LINE,),
    "devices/chip_checks": (S.TERMINAL,),
    "devices/findings": (S.TERMINAL,),
    "devices/keypads/checks": (S.TERMINAL,),
    "devices/pods/checks": (S.TERMINAL,),
    "devices/phones/checks": (S.TERMINAL,),
    "devices/phones/server": (S.TERMINAL,),
    "devices/phones/options": (S.TERMINAL,),
    "devices/phones/words": (S.PAGE,),
    "table/phone_door": (S.PAGE,),
    "display/virtual_seats": (S.PAPER,),
    "display/window": (S.TERMINAL,),
    "health/doctor": (S.TERMINAL,),
    "visits/doctor_at_table": (S.PAGE,),
    "health/failures": (S.POSTER,),
    "match/centre": (S.STRIP,),
    "games/__init__": (S.TERMINAL,),
    "cli/headless": (S.TERMINAL,),
    "visits/help": (S.PAGE,),
    "records/history": (S.TERMINAL,),
    "table/host": (S.POSTER,),
    "table/house_rules": (S.DETAIL,),
    "table/lobby": (S.DETAIL,),
    "match/lessons": (S.POSTER,),
    "match/hints": (S.HINT,),
    "match/house_place": (S.HOUSE,),
    "match/sounds": (S.WORDS,),  # they are heard
    "match/orders": (S.STRIP, S.PRIVATE),
    "match/news": (S.STRIP, S.PRIVATE),
    "match/told": (S.STRIP, S.PRIVATE),
    "match/rekeying": (S.STRIP, S.PRIVATE),
    "match/seating": (S.DETAIL,),
    "health/letters": (S.POSTER,),
    "health/logbook": (S.TERMINAL,),
    "health/report": (S.TERMINAL,),
    "table/matches": (S.TITLE,),
    "visits/past_matches": (S.PAGE,),
    "table/match_menus": (S.TITLE,),
    "cli/boards": (S.TERMINAL,),
    "cli/pods": (S.TERMINAL,),
    "referee/durable": (S.POSTER,),
    "referee/events": (S.PRIVATE,),
    "referee/journal": (S.POSTER,),
    "referee/referee": (S.PRIVATE,),
    "visits/replay": (S.PAGE,),
    "match/session": (S.STRIP, S.PRIVATE),
    "match/virtual_table": (S.TERMINAL,),
    "table/safe_mode": (S.POSTER,),
    "visits/self_test": (S.PAGE,),
    "health/service": (S.POSTER,),
    "config/settings": (S.LINE,),
    "match/robots": (S.TERMINAL,),
    "cli/cluster": (S.TERMINAL,),
    "cli/simulate": (S.TERMINAL,),
    "visits/stations": (S.PAGE,),
    "records/stats_rows": (S.PAGE,),
    "records/stats_pictures": (S.TERMINAL,),
    "visits/statistics": (S.PAGE,),
    "records/stats_text": (S.TERMINAL,),
    "match/seat_panels": (S.STRIP,),
    "core/tags": (S.TERMINAL,),
    "games/boese_buben/rules/reasons": (S.STRIP, S.PAPER, S.PRIVATE, S.POSTER),
    "visits/lesson_pages": (S.PAGE,),
    "referee/words": (S.STRIP, S.PAPER),
    "cli/usage": (S.TERMINAL,),
    "health/guided_check": (S.TERMINAL,),
    "health/jig": (S.TERMINAL,),
}
"""By module, for the sentences that no call assigns."""

FUNCTIONS: Final[dict[tuple[str, str], tuple[Surface, ...]]] = {
    ("match/centre", "good_to_know"): (S.DETAIL,),
    ("table/corrections", "told_of_last"): (S.DETAIL,),
    ("records/history", "of_newer"): (S.POSTER,),
    ("match/seat_panels", "_house_line"): (S.PAPER,),
    ("match/house_place", "controls_of"): (S.LINE,),
    ("match/centre", "menu"): (S.DETAIL,),
    ("match/centre", "last_photo"): (S.DETAIL,),
    ("match/centre", "rekeying"): (S.WORDS,),
    ("match/centre", "result"): (S.TITLE,),
    ("match/centre", "who_plays"): (S.POSTER,),
    ("match/seat_panels", "_lines"): (S.PRIVATE,),
    ("match/session", "_hear_seat"): (S.PRIVATE,),
    ("match/seating", "players_text"): (S.DETAIL,),
}
"""By module and function, where a module's sentences stand in several places."""

_FOLDERS: Final = {"devices": (S.POSTER,)}
"""By folder, where nothing more exact is said: what is wrong with a device stands on a poster."""

_WORDS_OF: Final = {
    "private": (S.PRIVATE,),
    "typed": (S.PRIVATE,),
    "house_entry": (S.STRIP, S.HOUSE),
    "_naming": (S.HOUSE,),
    "_reading": (S.HOUSE,),
    "_placing": (S.STRIP, S.HOUSE),
    "stands": (S.STANDING,),
    "_why": (S.RESULT,),
    "picture": (S.TERMINAL,),
}
"""By function, in the rooms of every game."""


class Standing(NamedTuple):
    """A sentence, its plural or nothing, where it is written, and where it can be read."""

    msgid: str
    plural: str
    place: str
    surfaces: tuple[Surface, ...]


@cache
def standings() -> tuple[Standing, ...]:
    """Return all sentences of the program. Raise LookupError naming a module that nobody has assigned."""
    return tuple(found for path in messages.marked() for found in _in_file(path))


def _in_file(path: Path) -> Iterator[Standing]:
    module = path.relative_to(messages.SOURCE).with_suffix("").as_posix()
    tree = ast.parse(path.read_text("utf-8"))
    yield from _in_node(tree, module, "", None)


def _in_node(node: ast.AST, module: str, function: str, by_call: Surface | None) -> Iterator[Standing]:
    if MODULES.get(module) == (S.TERMINAL,) and by_call not in {S.HELP, S.OPTION, S.WORDS}:
        by_call = None  # what is called there has the same names for other things
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        by_call = NAMES.get(node.target.id, by_call)
    if isinstance(node, ast.FunctionDef):
        function = node.name
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in messages.MARKS:
        texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
        if texts:
            surfaces = (by_call,) if by_call else _by_module(module, function)
            yield Standing(texts[0], "".join(texts[1:]), f"{module}.{function}", surfaces)
        for keyword in node.keywords:  # a sentence in a sentence
            yield from _in_node(keyword, module, function, S.WORDS)
        return
    if not isinstance(node, ast.Call):
        for child in ast.iter_child_nodes(node):
            yield from _in_node(child, module, function, by_call)
        return
    called = _name(node.func)
    yield from _in_node(node.func, module, function, by_call)
    for place, child in enumerate(node.args):
        yield from _in_node(child, module, function, CALLS.get((called, place), by_call))
    for keyword in node.keywords:
        yield from _in_node(keyword, module, function, CALLS.get((called, keyword.arg or ""), by_call))


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _by_module(module: str, function: str) -> tuple[Surface, ...]:
    if (module, function) in FUNCTIONS:
        return FUNCTIONS[module, function]
    if module in MODULES:
        return MODULES[module]
    top, *rooms = module.split("/")
    if top == "games" and rooms[1:] == ["rules", "spelling"]:
        return _GAME["notation"]
    if top == "games" and rooms[1:] and rooms[1] in _GAME:
        return _WORDS_OF.get(function, _GAME[rooms[1]])
    if top in _FOLDERS:
        return _FOLDERS[top]
    raise LookupError(f"where are the sentences of {module} read? Add it to MODULES in {__file__}")

"""Where each sentence of the program can appear, by its call or its module.

A missing module makes the tests fail: add it to MODULES.
"""

import ast
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from tests import messages


class Surface(StrEnum):
    """A place for a sentence."""

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
    ("option", "unit"): S.WORDS,
    ("handicap", 0): S.HELP,
    ("handicap", "label"): S.OPTION,
    ("handicap", "badge"): S.WORDS,
    ("Outcome", 1): S.RESULT,
    ("Feat", 1): S.PAGE,
    ("Feat", 2): S.RESULT,
}
"""By the called function and the argument's position."""

NAMES: Final = {"_REASONS": S.RESULT, "_WHY": S.RESULT}
"""By the constant that contains the sentence."""

_GAME: Final = {
    "box": (S.POSTER,),
    "map": (S.POSTER,),
    "console": (S.STRIP, S.PRIVATE),
    "prompts": (S.STRIP, S.PRIVATE),
    "notation": (S.TERMINAL,),
    "rules": (S.PRIVATE, S.POSTER),
    "text": (S.STRIP, S.PAPER),
    "guide": (S.PAGE,),
    "lesson": (S.PAGE,),
    "bots": (S.TITLE, S.TERMINAL),
    "game": (S.WORDS,),
}


def _each(modules: str, *surfaces: Surface) -> dict[str, tuple[Surface, ...]]:
    return dict.fromkeys(modules.split(), surfaces)


MODULES: Final[dict[str, tuple[Surface, ...]]] = {
    **_each(
        "cli/arguments cli/boards cli/boxes cli/club cli/commands cli/config cli/demo "
        "cli/headless cli/match_arguments cli/play cli/pods cli/progress cli/simulate cli/stats "
        "cli/update cli/usage club/broker club/checks club/evening club/ledger "
        "club/picture club/report club/schedule club/reported_results club/tournament config/boxes "
        "config/sections config/table_file core/options core/tags "
        "devices/buttons/driver devices/chip_checks devices/findings devices/keypads/driver devices/phones/driver "
        "devices/phones/options devices/phones/server devices/pods/driver devices/pods/firmware "
        "display/window games/__init__ "
        "diagnostics/doctor diagnostics/guided_check diagnostics/logbook diagnostics/part_findings "
        "diagnostics/report api match/cluster match/fairness/measuring match/fairness/wires match/robots "
        "match/simulation match/virtual_table "
        "records/history records/index records/match_list records/stats_pictures "
        "records/stats_text table/app table/wall_app",
        S.TERMINAL,
    ),
    **_each(
        "cli/card config/card_file core/boxfile core/errors core/files core/match "
        "core/names core/plugins core/record core/replay core/seats core/toml diagnostics/failures "
        "diagnostics/letters diagnostics/service match/lessons "
        "referee/durable referee/journal table/host table/safe_mode updates/offers updates/release_file "
        "updates/release_folder updates/switched_back screens/pairing screens/pod_updates screens/updating",
        S.POSTER,
    ),
    **_each(
        "club/hall devices/phones/words display/key_sheet match/house_sheet records/hall records/stats_rows "
        "table/phone_door",
        S.PAGE,
    ),
    **_each("match/news match/piece_tasks match/rekeying match/session match/seat_lines", S.STRIP, S.PRIVATE),
    **_each("match/seating table/house_rules table/lobby screens/own_box", S.DETAIL),
    **_each("core/console core/key_question referee/events referee/keys", S.PRIVATE),
    **_each("config/box_drafts core/text match/sounds records/feats", S.WORDS),
    "config/settings": (S.LINE,),
    "core/verbs": (S.PRIVATE, S.POSTER),
    "display/virtual_seats": (S.PAPER,),
    "games/boese_buben/rules/reasons": (S.STRIP, S.PAPER, S.PRIVATE, S.POSTER),
    "games/buntherum/rules/words": (S.STRIP, S.PAPER, S.PRIVATE, S.POSTER),
    "match/centre": (S.STRIP,),
    **_each("match/hints match/match_hints", S.HINT),
    "match/house_place": (S.HOUSE,),
    **_each("match/match_panels match/seat_panels", S.STRIP),
    "referee/sentences": (S.STRIP, S.PAPER),
    "table/corrections": (S.LINE,),
    "table/match_menus": (S.TITLE,),
    "table/matches": (S.TITLE,),
}
"""By module, for sentences without a call."""

FUNCTIONS: Final[dict[tuple[str, str], tuple[Surface, ...]]] = {
    ("config/settings", "_where"): (S.DETAIL,),
    ("config/settings", "nothing_is_kept"): (S.DETAIL, S.POSTER),
    ("match/centre", "good_to_know"): (S.DETAIL,),
    ("table/corrections", "told_of_last"): (S.DETAIL,),
    ("screens/pod_updates", "items"): (S.DETAIL,),
    ("records/history", "of_newer"): (S.POSTER,),
    ("match/match_panels", "_house_line"): (S.PAPER,),
    ("match/house_place", "in_words"): (S.LINE,),
    ("match/centre", "menu"): (S.DETAIL,),
    ("match/match_screens", "last_photo"): (S.DETAIL,),
    ("match/match_screens", "rekeying"): (S.WORDS,),
    ("match/match_screens", "result"): (S.TITLE,),
    ("match/match_screens", "_moment"): (S.RESULT,),
    ("match/centre", "who_plays"): (S.POSTER,),
    ("match/match_panels", "_lines"): (S.PRIVATE,),
    ("match/seat_panels", "_lines"): (S.PRIVATE,),
    ("match/session", "_hear_seat"): (S.PRIVATE,),
    ("match/seating", "players_text"): (S.DETAIL,),
}
"""By module and function, where a module's sentences have several surfaces."""

_FOLDERS: Final = {"devices": (S.POSTER,), "screens": (S.PAGE,)}
"""By folder, as a default: device faults go on posters, screens have pages."""

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
"""By function, in every game."""


class Standing(NamedTuple):
    """A sentence, its plural or "", its source, and its surfaces."""

    msgid: str
    plural: str
    place: str
    surfaces: tuple[Surface, ...]


@cache
def standings() -> tuple[Standing, ...]:
    """Return all sentences of the program. Raise LookupError for an unassigned module."""
    return tuple(found for path in messages.marked() for found in _in_file(path))


def _in_file(path: Path) -> Iterator[Standing]:
    module = path.relative_to(messages.SOURCE).with_suffix("").as_posix()
    tree = ast.parse(path.read_text("utf-8"))
    yield from _in_node(tree, module, "", None)


def _in_node(node: ast.AST, module: str, function: str, by_call: Surface | None) -> Iterator[Standing]:
    if MODULES.get(module) == (S.TERMINAL,) and by_call not in {S.HELP, S.OPTION, S.WORDS}:
        by_call = None  # called functions have other meanings there
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

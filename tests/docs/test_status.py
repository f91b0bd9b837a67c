"""docs/headless.md lists the exit statuses in the program's words."""

import ast
import inspect
import re

from companion.cli import status
from tests.docs.pages import ROOT


def test_page_describes_statuses_in_the_programs_words() -> None:
    body = ast.parse(inspect.getsource(status)).body
    names = [each.target.id for each in body if isinstance(each, ast.AnnAssign)]
    told = [each.value.value for each in body[1:] if isinstance(each, ast.Expr)]
    ours = {getattr(status, name): what for name, what in zip(names, told, strict=True)}
    text = (ROOT / "docs" / "headless.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \|", text[text.index("## Exit status") :], re.MULTILINE)
    assert {int(number): f"{what[0].upper()}{what[1:]}." for number, what in rows} == ours


def test_commands_never_return_a_literal_status() -> None:
    for path in (ROOT / "companion" / "cli").glob("*.py"):
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef) and function.name in {"main", "run"}:
                returned = [each.value for each in ast.walk(function) if isinstance(each, ast.Return)]
                assert not [each.value for each in returned if isinstance(each, ast.Constant)], path

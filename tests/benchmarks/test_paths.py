"""Counting the functions on a path, in a tiny package and in the two real paths."""

import sys
from pathlib import Path

import pytest

from benchmarks.paths import call, reveal, traced, walked

TINY = {
    "__init__.py": "",
    "one.py": """
from tiny.two import Two, add, late
from tiny.drawn.ink import ink

def walk():
    total = sum(each for each in [add(1, 2), add(3, 4)])  # two: add, twice, and a generator
    late(lambda: total)
    class Body:
        size = Two().size  # two: __init__ and a property; the body of a class is none
    return nested()

def nested():
    def within():
        return ink()  # draws
    return [within() for _ in range(2)]

def unused():
    return walk()
""",
    "two.py": """
class Two:
    def __init__(self):
        self._size = 2

    @property
    def size(self):
        return self._size

def add(a, b):
    return a + b

def late(work):
    return work()
""",
    "drawn/__init__.py": "",
    "drawn/ink.py": "def ink():\n    return 'ink'\n",
}


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    package = tmp_path / "tiny"
    for name, text in TINY.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield package
    for name in [name for name in sys.modules if name.partition(".")[0] == "tiny"]:
        del sys.modules[name]


def test_calls_and_changes_are_counted(tiny: Path) -> None:
    with traced(tiny, tiny / "drawn") as trace:
        from tiny.one import walk  # noqa: PLC0415  bodies of modules are not counted

        walk()
    walk()
    assert [code.co_name for code in trace.called] == [
        *("walk", "add", "add", "late", "__init__", "size"),
        *("nested", "within", "within"),
    ]
    assert (trace.functions, trace.files, trace.changes) == (7, 2, 2)


@pytest.mark.parametrize("path", [call, reveal])
def test_path_has_the_same_figures_each_time(path) -> None:
    first, second = walked(path), walked(path)
    assert first.called == second.called
    assert 10 < first.files < first.functions < first.changes

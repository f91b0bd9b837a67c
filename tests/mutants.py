"""Mutation testing: changes the program in small ways and checks that a test fails; `make mutants`.

    python -m tests.mutants [ROOM [PATTERN...]] [--sample N [--seed SEED]]

mutmut makes the changes. For each it runs the tests that reach the function, fastest first, until one fails.
Changes that mypy refuses, unused calls, and messages are left out. A room is a section of mutants.toml:

    [ROOM]
    package = "companion.referee"      # what is changed
    tests = ["tests/referee"]          # which tests may notice
    without = ["tests/.../test_a.py"]  # excluded files or tests

    [[ROOM.unnoticed]]                 # a change that no test can notice
    function = "arbiter.OpenRace.close"  # in that package
    becomes = ["..."]                  # the changed lines, if one reason holds for them
    reason = "..."                     # why not

Results are stored in build/mutants/ROOM, so interrupted runs continue. Mutants of changed functions and unlisted
survivors are tried again; `rm -r build/mutants` starts over. PATTERN selects mutants by name, such as `*arbiter*`.

All mutants of a room take hours. --sample tries N of those that mypy accepts, drawn by SEED from their names, and
prints the 95 % interval for the whole room. A seed draws the same mutants until the code changes.

The exit status is 1 if tests notice less than `LEAST` of the accepted mutants, if an unlisted mutant survives, if a
listed one is noticed, or if a listed one is never made.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
LISTS: Final = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text("utf-8"))
LINKED: Final = ("companion", "tests", "assets", "docs", "hardware", "systemd")

LEAST: Final = 0.95

NOTICED: Final = ("killed", "timeout", "segfault")
OPEN: Final = ("survived", "no tests", "suspicious")
REFUSED: Final = "caught by type check"

SENTENCE: Final = re.compile(r"\w.* .*\w")

LOOSE: Final = ("no-redef", "has-type", "unused-ignore")
"""mypy errors of every mutant, because mutmut repeats methods within a class."""


def settings(room: Mapping[str, Any]) -> str:
    package = room["package"]
    table = {
        "source_paths": ["companion"],
        "only_mutate": [f"{package.replace('.', '/')}/*"],
        "also_copy": [name for name in LINKED if name not in {"companion", "tests"}],
        "pytest_add_cli_args": [
            *("-p", "no:cacheprovider", "-p", "no:xdist"),
            *(f"--deselect={path}" for path in room.get("without", [])),
        ],
        "pytest_add_cli_args_test_selection": room["tests"],
        "type_check_command": [
            *("mypy", "--output=json", "--no-error-summary", "-p", package),
            *(f"--disable-error-code={code}" for code in LOOSE),
        ],
        "use_git_change_detection": False,
        # Each mutant imports the program again, since modules compute and cache values on import.
        "process_isolation": "forkserver",
        "forkserver_warmup": "none",
    }
    ours = (ROOT / "pyproject.toml").read_text("utf-8")
    lines = (f"{key} = {json.dumps(value)}\n" for key, value in table.items())
    return f"{ours}\n[tool.mutmut]\n{''.join(lines)}"


def function_of(name: str) -> str:
    module, _, mangled = name.rpartition(".")
    plain = mangled.partition("__mutmut_")[0].removeprefix("x_").removeprefix("xǁ").replace("ǁ", ".")
    return f"{module}.{plain}"


def changes(name: str) -> tuple[str, str]:
    from mutmut.mutation.diff_apply import get_diff_for_mutant

    lines = get_diff_for_mutant(name).splitlines()[3:]
    return function_of(name), "\n".join(line[1:].strip() for line in lines if line.startswith("+"))


def results() -> Iterator[tuple[Any, str, str]]:
    from mutmut.mutation.data import SourceFileMutationData
    from mutmut.stats import status_by_exit_code
    from mutmut.utils.file_utils import walk_mutatable_files

    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        for name, code in list(data.exit_code_by_key.items()):
            yield data, name, status_by_exit_code[code]


def listed(room: Mapping[str, Any]) -> set[tuple[str, str]]:
    return {
        (f"{room['package']}.{entry['function']}", line)
        for entry in room.get("unnoticed", [])
        for line in entry["becomes"]
    }


def choose(room: Mapping[str, Any], size: int | None, seed: int) -> set[str]:
    """Make mutmut try `size` of the mutants that mypy accepts, or all for None; the returned set is filled as it
    runs.

    Unlisted mutants that survived last time are tried again.
    """
    from mutmut import __main__ as tool
    from mutmut.state import state
    from mutmut.stats import status_by_exit_code
    from mutmut.workers.isolation import ForkServerRunner

    submit = ForkServerRunner.submit
    ask_mypy, collect = tool.filter_mutants_with_type_checker, tool.collect_source_file_mutation_data
    known, refused, chosen = listed(room), set[str](), set[str]()

    def asked() -> Any:
        caught = ask_mypy()
        refused.update(caught)
        return caught

    def collected(*, mutant_names: Sequence[str]) -> Any:
        mutants, by_path = collect(mutant_names=mutant_names)
        names = sorted(name for _, name, _ in mutants)
        if size is not None:
            names = sorted(set(names) - refused)
            names = random.Random(seed).sample(names, min(size, len(names)))
        chosen.update(names)
        associate()
        return [(data, name, kept(data, name)) for data, name, _ in mutants if name in chosen], by_path

    def kept(data: Any, name: str) -> int | None:
        code: int | None = data.exit_code_by_key[name]
        if status_by_exit_code[code] in OPEN and changes(name) not in known:
            code = data.exit_code_by_key[name] = None
            data.save()
        return code

    def associate() -> None:
        """Try all tests on functions that seem to have only one, which is the first test that imported them."""
        for tests in state().tests_by_mangled_function_name.values():
            if len(tests) == 1:
                tests.update(state().duration_by_test)

    def quick_first(runner: Any, name: str, tests: list[str], *limits: Any) -> None:
        submit(runner, name, sorted(tests, key=state().duration_by_test.__getitem__), *limits)

    tool.filter_mutants_with_type_checker = asked
    tool.collect_source_file_mutation_data = collected
    ForkServerRunner.submit = quick_first
    if not Path("mutants/mutmut-stats.json").exists():
        # The statistics run passes all tests already, so the clean run is skipped.
        ForkServerRunner.run_clean_tests = lambda *_, **__: 0
    return chosen


def interval(found: int, tried: int) -> tuple[float, float]:
    """Return the 95 % interval of a share found in `tried` (Wilson's score)."""
    z = 1.96
    middle, width = found + z * z / 2, z * sqrt(found * (tried - found) / tried + z * z / 4)
    return (middle - width) / (tried + z * z), (middle + width) / (tried + z * z)


def run(room: Mapping[str, Any], patterns: Sequence[str], size: int | None, seed: int) -> set[str]:
    """Make a room's mutants, try the chosen ones without a result, and return the chosen ones."""
    import libcst as cst
    from mutmut.__main__ import _run
    from mutmut.mutation.mutators import mutation_operators, operator_string

    def string(node: Any) -> Iterator[Any]:
        if not (isinstance(node, cst.SimpleString) and SENTENCE.search(node.value)):
            yield from operator_string(node)

    def left_out(node: Any) -> Iterator[Any]:
        if isinstance(node.value, cst.Call):
            yield cst.Pass()

    mutation_operators.append((cst.Expr, left_out))
    mutation_operators[mutation_operators.index((cst.BaseString, operator_string))] = (cst.BaseString, string)
    chosen = choose(room, size, seed)
    _run(list(patterns), None)
    return chosen


def report(room: Mapping[str, Any], chosen: set[str]) -> bool:
    """Print the figures of a room's mutants and everything unexpected; return whether all is as expected."""
    counts: Counter[str] = Counter()
    by_file: dict[str, Counter[str]] = {}
    known, unlisted, refuted = listed(room), [], []
    stale, functions = set(known), {function for function, _ in known}
    for data, name, status in results():
        is_open = name in chosen and status in OPEN
        # Reading a change takes time.
        change = changes(name) if is_open or function_of(name) in functions else None
        stale.discard(change)
        if name not in chosen:
            continue
        if is_open and change not in known:
            unlisted.append(change)
        elif status in NOTICED and change in known:
            refuted.append(change)
        kind = "listed" if is_open and change in known else status
        counts[kind] += 1
        by_file.setdefault(str(data.path), Counter())[kind] += 1
    for path, found in [*sorted(by_file.items()), (room["package"], counts)]:
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(found.items()))
        print(f"{path:50} {share(found):24} {kinds}")
    told = {
        "nobody noticed": unlisted,
        "is listed, and was noticed": refuted,
        "is listed, and is not made any more": sorted(stale),
    }
    for what, found_so in told.items():
        for function, line in found_so:
            print(f"{what}: {function}\n    {line}")
    return not (unlisted or refuted or stale) and noticed(counts) >= LEAST * tried(counts)


def tried(found: Counter[str]) -> int:
    return found.total() - found[REFUSED] - found["not checked"]


def noticed(found: Counter[str]) -> int:
    return sum(found[status] for status in NOTICED)


def share(found: Counter[str]) -> str:
    """Return the share of tried mutants that were noticed or are listed, with its interval."""
    if not tried(found):
        return "-"
    good = noticed(found) + found["listed"]
    low, high = interval(good, tried(found))
    return f"{good / tried(found):6.1%} ({low:.1%} to {high:.1%})"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("room", nargs="?", choices=LISTS)
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    if asked.room is None:
        runs = ([sys.executable, __file__, name, *arguments] for name in LISTS)
        return max(subprocess.run(command, check=False).returncode for command in runs)
    name = asked.room
    folder = ROOT / "build" / "mutants" / name
    folder.mkdir(parents=True, exist_ok=True)
    for linked in LINKED:
        if not (folder / linked).exists():
            (folder / linked).symlink_to(ROOT / linked)
    (folder / "pyproject.toml").write_text(settings(LISTS[name]), "utf-8")
    os.chdir(folder)
    os.environ["TMPDIR"] = str(folder / "tmp")  # stopped runs leave their files there
    shutil.rmtree(folder / "tmp", ignore_errors=True)
    (folder / "tmp").mkdir()
    sys.dont_write_bytecode = False  # each mutant imports everything, which is compiled once
    os.nice(10)  # a long run yields to other programs
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    chosen = run(LISTS[name], asked.patterns, asked.sample, asked.seed)
    return 0 if report(LISTS[name], chosen) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

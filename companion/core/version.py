"""The version of this program, with its commit where that is known.

It imports little, since imports would take most of the time of `companion --version`.
"""

from os.path import dirname, join

PACKAGE = dirname(dirname(__file__))


def program_version() -> str:
    """Return for example `1.0.0 (commit abc1234)`. hatch_build.py writes it into the wheel."""
    try:
        with open(join(PACKAGE, "version.txt"), encoding="utf-8") as built:
            return built.read().strip()
    except FileNotFoundError:
        return version_of_clone(dirname(PACKAGE))


def version_of_clone(clone: str) -> str:
    """Return the version in a clone; without git, without a commit."""
    with open(join(clone, "pyproject.toml"), encoding="utf-8") as project:
        [number] = (line.split('"')[1] for line in project if line.startswith("version = "))
    try:
        with open(join(clone, ".git", "logs", "HEAD"), encoding="utf-8", errors="replace") as log:
            _, commit, *_ = log.readlines()[-1].split()
    except (OSError, IndexError, ValueError):
        return number
    return with_commit(number, commit)


def with_commit(number: str, commit: str) -> str:
    return f"{number} (commit {commit[:7]})"

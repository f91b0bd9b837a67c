"""The hook for commit subjects, as git and `make lint` call it."""

import subprocess
from pathlib import Path

import pytest

HOOK = Path(__file__).parents[1] / ".githooks" / "commit-msg"


def run(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, words)), cwd=cwd, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("subject", "why"),
    [
        ("display: Fix the clock", ""),
        ("fixup! anything", ""),
        (f"display: Fix {'x' * 47}", ""),
        (f"display: Fix {'x' * 48}", "longer than 60 characters"),
        ("Fix the clock", "expected 'area: Verb object'"),
        ("display: fix the clock", "expected 'area: Verb object'"),
        ("display: Let the clock tick", "'Let' is not one of: Add"),
    ],
)
def test_subject_is_judged(tmp_path: Path, subject: str, why: str) -> None:
    message = tmp_path / "message"
    message.write_text(f"{subject}\n\nLet anything stand here.\n", "utf-8")
    done = run(HOOK, message, cwd=tmp_path)
    assert (done.returncode, why in done.stderr) == (bool(why), True)


def test_only_own_commits_of_a_branch_are_judged(tmp_path: Path) -> None:
    git = ("git", "-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    remote, clone = tmp_path / "remote", tmp_path / "clone"
    run("git", "init", "-q", remote, cwd=tmp_path)
    run(*git, "commit", "-q", "--allow-empty", "-m", "An old commit", cwd=remote)
    run("git", "clone", "-q", remote, clone, cwd=tmp_path)
    assert run(HOOK, cwd=clone).returncode == 0
    for subject in ("core: Add a move", "core: Say a move"):
        run(*git, "commit", "-q", "--allow-empty", "-m", subject, cwd=clone)
    done = run(HOOK, cwd=clone)
    assert done.returncode == 1
    assert "Say a move" in done.stderr
    assert "Add a move" not in done.stderr

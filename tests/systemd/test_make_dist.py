"""Tests gathering what a release hands out: twice, in two clones that differ in what must not matter."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.docs.pages import blocks

ROOT = Path(__file__).parents[2]
DATE_S = 1_700_000_000
VERSION = re.findall(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)[0]
CHANGES = (
    f"# Changelog\n\n## Unreleased\n\n* x\n\n## {VERSION}, 2026-01-01\n\n* All of it.\n\n## 0.0.1\n\n* Nothing\n"
)

# What needs OpenSCAD and a network is left to `make dist` itself.
MAKE = """
import sys
import make_dist
make_dist.make_parts = make_dist.make_bill = make_dist.make_debs = lambda *_: None
sys.exit(make_dist.main([]))
"""


def git(clone: Path, *words: str) -> str:
    own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
    date = f"{DATE_S} +0000"
    environ = os.environ | {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    done = subprocess.run(["git", *own, *words], cwd=clone, env=environ, capture_output=True, text=True, check=True)
    return done.stdout


def lay_clone(clone: Path, umask: int) -> None:
    """Commit this working tree anew, with other rights and times of its files."""
    listed = git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, clone / name)
            (clone / name).chmod((ROOT / name).stat().st_mode & 0o777 & ~umask)
            os.utime(clone / name, (DATE_S + umask, DATE_S + umask))
    (clone / "CHANGELOG.md").write_text(CHANGES, "utf-8")
    git(clone, "init", "-q")
    git(clone, "add", "-A")
    git(clone, "commit", "-q", "-m", "all of it")


def make_dist(clone: Path, umask: int, **environ: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-c", MAKE]
    own = os.environ | {"PYTHONPATH": str(clone / "systemd"), "PYTHONDONTWRITEBYTECODE": "1"} | environ
    return subprocess.run(words, cwd="/", env=own, umask=umask, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def clones(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Path]]:
    if not (ROOT / ".git").exists():
        pytest.skip("a release is made in a clone, and this is none")
    both = []
    for umask, environ in (
        (0o022, {"TZ": "UTC", "LC_ALL": "C"}),
        (0o077, {"TZ": "Asia/Tokyo", "LC_ALL": "fr_FR.UTF-8"}),
    ):
        clone = tmp_path_factory.mktemp("clone")
        lay_clone(clone, umask)
        done = make_dist(clone, umask, **environ)
        assert done.returncode == 0, done.stderr
        both.append(clone)
    yield both
    for clone in both:
        shutil.rmtree(clone)


def made(clone: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (clone / "build/dist").iterdir()}


def test_same_commit_gives_the_same_bytes(clones: list[Path]) -> None:
    first, second = map(made, clones)
    assert sorted(first) == [
        "RELEASE_NOTES.md",
        "SHA256SUMS",
        f"table-companion-{VERSION}-board-base-order.zip",
        f"table-companion-{VERSION}-board-pod-order.zip",
        f"table_companion-{VERSION}-py3-none-any.whl",
        f"table_companion-{VERSION}.tar.gz",
    ]
    assert [name for name in first if first[name] != second[name]] == []
    subprocess.run(["sha256sum", "--quiet", "-c", "SHA256SUMS"], cwd=clones[0] / "build/dist", check=True)


def test_sdist_without_git_builds_the_clones_wheel(clones: list[Path], tmp_path: Path) -> None:
    words = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path]
    environ = os.environ | {"SOURCE_DATE_EPOCH": str(DATE_S)}
    subprocess.run(words, cwd=clones[0], env=environ, capture_output=True, check=True)
    [of_clone] = tmp_path.iterdir()
    assert of_clone.read_bytes() == made(clones[0])[of_clone.name]
    commit = git(clones[0], "rev-parse", "HEAD")[:7]
    with zipfile.ZipFile(of_clone) as wheel:
        assert wheel.read("companion/version.txt").decode() == f"{VERSION} (commit {commit})\n"


def test_notes_are_the_versions_section(clones: list[Path]) -> None:
    notes = made(clones[0])["RELEASE_NOTES.md"].decode()
    assert notes == f"## {VERSION}, 2026-01-01\n\n* All of it.\n"


def test_changed_clone_is_refused(clones: list[Path]) -> None:
    (clones[1] / "tests/new.py").write_text("1\n")
    done = make_dist(clones[1], 0o022)
    (clones[1] / "tests/new.py").unlink()
    assert done.returncode == 1
    assert "commit or `git stash -u` first" in done.stderr
    assert "tests/new.py" in done.stderr


# --- Its parts --------------------------------------------------------------------------------------------


@pytest.fixture
def dist(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "systemd")
    spec = importlib.util.spec_from_file_location("make_dist", ROOT / "systemd" / "make_dist.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "OUT", tmp_path)
    return module


def test_zip_depends_on_names_and_contents_alone(dist: ModuleType, tmp_path: Path) -> None:
    dist.zipped(tmp_path / "1.zip", {"b": b"2" * 99, "a": b"1"}, DATE_S)
    dist.zipped(tmp_path / "2.zip", {"a": b"1", "b": b"2" * 99}, DATE_S)
    assert (tmp_path / "1.zip").read_bytes() == (tmp_path / "2.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "1.zip") as zipped:
        assert [(each.filename, each.date_time[:3]) for each in zipped.infolist()] == [
            ("a", (2023, 11, 14)),
            ("b", (2023, 11, 14)),
        ]


def test_page_checks_what_was_downloaded(
    dist: ModuleType, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    if not shutil.which("ssh-keygen"):
        pytest.skip("ssh-keygen is not here: apt install openssh-client")
    key = tmp_path_factory.mktemp("key") / "id"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    (tmp_path / "a.whl").write_bytes(b"a")
    (tmp_path / "not-downloaded").write_bytes(b"b")
    dist.make_sums()
    dist.sign_sums(str(key))
    (tmp_path / "not-downloaded").unlink()
    signer = f'companion namespaces="table-companion" {dist.make_release.public(str(key))}\n'
    (tmp_path / "allowed_signers").write_text(signer)
    [block] = [block for block in blocks(ROOT / "docs/appliance.md") if "ssh-keygen -Y verify" in block.text]
    words = ["sh", "-ec", block.text]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith('Good "table-companion" signature for companion with')
    assert done.stdout.endswith("\na.whl: OK\n")
    (tmp_path / "SHA256SUMS").write_text("0" * 64 + "  a.whl\n")
    assert subprocess.run(words, cwd=tmp_path, capture_output=True, check=False).returncode


def test_card_of_another_commit_is_left_out(
    dist: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(dist, "CHECKOUT", tmp_path)
    monkeypatch.setattr(dist, "described", lambda: ("1+gb", "b" * 40, DATE_S, []))
    (tmp_path / "build/card").mkdir(parents=True)
    (tmp_path / "build/card/t-arm64.img.xz").write_bytes(b"image")
    for commit in ("a", "b"):
        (tmp_path / "build/card/t-arm64.commit").write_text(commit * 40 + "\n")
        if commit == "a":
            with pytest.raises(dist.MakeError, match="make card"):
                dist.take_card("t")
    dist.take_card("t")
    assert (tmp_path / "t-arm64.img.xz").read_bytes() == b"image"


@pytest.mark.parametrize("name", ["a.dist-info/licenses/x/epl-v20", "a.dist-info/LICENSE.rst", "a/files/NOTICE"])
def test_licences_are_recognised(name: str, dist: ModuleType) -> None:
    assert dist.LICENCE.fullmatch(name)
    assert not dist.LICENCE.fullmatch(f"a/licenses/{name.replace('/', '_')}.py")
    assert not dist.LICENCE.fullmatch("a/licenses/")

"""Tests making a release and naming a clone."""

import hashlib
import importlib.util
import shutil
import subprocess
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from companion.updates.release_file import LIST, VERSION, Member, Release, open_release, write_list

ROOT = Path(__file__).parents[2]
NUMBER = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
FILES = {"b-1-py3-none-any.whl": b"b" * 700, "requirements.lock": b"b==1\n"}
DATE_S = 1_700_000_000


@pytest.fixture(scope="module")
def making() -> ModuleType:
    path = ROOT / "systemd" / "make_release.py"
    spec = importlib.util.spec_from_file_location("make_release", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not shutil.which("ssh-keygen"):
        pytest.skip("ssh-keygen is not here: apt install openssh-client")
    path = tmp_path_factory.mktemp("key") / "id"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "maker", "-f", path], check=True)
    return path


def packed(making: ModuleType, work: Path, key: Path) -> Path:
    (work / "files").mkdir(parents=True)
    members = []
    for name, data in FILES.items():
        (work / "files" / name).write_bytes(data)
        members.append(Member(name, len(data), hashlib.sha256(data).hexdigest()))
    release = Release("0.1.0+g0123456789", "0" * 40, DATE_S, 1, ("cp311-x86_64",), tuple(members))
    (work / LIST).write_bytes(write_list(release))
    making.sign(work / LIST, str(key))
    making.pack(release, work, work / "made.release")
    return work / "made.release"


def test_packed_release_opens_with_the_printed_signer(making: ModuleType, key: Path, tmp_path: Path) -> None:
    path = packed(making, tmp_path / "work", key)
    (tmp_path / "signers").write_text(f'companion namespaces="table-companion" {making.public(str(key))}\n')
    with open_release(path, tmp_path / "signers") as opened:
        assert [member.name for member in opened.unpack(tmp_path, lambda name: True)] == list(FILES)
    assert {name: (tmp_path / name).read_bytes() for name in FILES} == FILES


def test_packing_is_reproducible(making: ModuleType, key: Path, tmp_path: Path) -> None:
    made = [packed(making, tmp_path / name, key).read_bytes() for name in "ab"]
    assert made[0] == made[1]


def test_missing_public_key_has_a_remedy(making: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(making.MakeError, match="ssh-keygen -y"):
        making.public(str(tmp_path / "id"))


def test_overlong_wheel_name_keeps_one_platform(making: ModuleType, tmp_path: Path) -> None:
    front = "some_package_with_a_long_name-1.22.333-cp311-cp311-"
    platforms = "manylinux2014_aarch64.manylinux_2_17_aarch64.manylinux_2_28_aarch64"
    for name in (f"{front}{platforms}.whl", "short-1-py3-none-any.whl"):
        (tmp_path / name).touch()
    making.shorten(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        f"{front}manylinux2014_aarch64.whl",
        "short-1-py3-none-any.whl",
    }


def test_card_and_release_need_the_same_packages(making: ModuleType) -> None:
    lock = ROOT / "systemd" / "requirements.lock"
    wanted = {
        python: {line.partition("==")[0] for line in making.lines(lock, python, "aarch64")}
        for python in making.PYTHONS
    }
    assert wanted["3.11"] - wanted["3.13"] == {"lgpio", "typing-extensions"}
    assert wanted["3.13"] <= wanted["3.11"]
    assert all("--hash=sha256:" in line for line in making.lines(lock))


# --- Names of clones --------------------------------------------------------------------------------------


def described(clone: Path) -> list[str]:
    script = '. "$1" && describe "$2"'
    words = ["sh", "-c", script, "sh", ROOT / "systemd" / "source.sh", clone]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()


@pytest.fixture
def clone(tmp_path: Path, making: ModuleType) -> Path:
    """A small clone without git."""
    path = tmp_path / "clone"
    path.mkdir()
    for part in making.described()[3]:
        if (ROOT / part).is_dir():
            (path / part).mkdir()
        else:
            shutil.copy(ROOT / part, path)
    (path / "companion/app.py").write_text("1\n")
    return path


def git(clone: Path, *words: str) -> str:
    own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
    return subprocess.run(["git", *own, *words], cwd=clone, capture_output=True, text=True, check=True).stdout


def test_this_clone_has_a_name(making: ModuleType) -> None:
    version, _, date, parts = making.described()
    assert VERSION.fullmatch(version)
    assert date > DATE_S
    assert all((ROOT / part).exists() for part in parts)


def test_clone_without_git_is_named_by_content(clone: Path) -> None:
    name, commit, date = described(clone)
    assert name.startswith(f"{NUMBER}+s")
    assert VERSION.fullmatch(name)
    assert (commit, int(date) > DATE_S) == ("unknown", True)
    (clone / "companion/app.pyc").write_text("made by Python")
    assert described(clone)[0] == name
    (clone / "companion/app.py").write_text("2\n")
    assert described(clone)[0] != name


def test_committed_clone_is_named_by_its_commit(clone: Path) -> None:
    content = described(clone)[0]
    git(clone, "init", "-q")
    git(clone, "add", "-A")
    git(clone, "commit", "-q", "-m", "first")
    commit, date = git(clone, "log", "-1", "--format=%H %ct").split()
    assert described(clone) == [f"{NUMBER}+g{commit[:10]}", commit, date]
    (clone / "build").mkdir()
    (clone / "build/notes").write_text("of no part")
    assert described(clone)[1] == commit
    (clone / "companion/more.py").write_text("3\n")
    assert described(clone)[0].startswith(f"{NUMBER}+s")
    (clone / "companion/more.py").unlink()
    assert described(clone)[1] == commit
    shutil.rmtree(clone / ".git")
    assert described(clone)[0] == content


def test_enclosing_repository_does_not_name_the_clone(clone: Path) -> None:
    name = described(clone)[0]
    git(clone.parent, "init", "-q")
    git(clone.parent, "add", "-A")
    git(clone.parent, "commit", "-q", "-m", "around it")
    assert described(clone)[0] == name

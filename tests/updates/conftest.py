"""Fixtures: small signed releases, and root file systems."""

import os
import shutil
from pathlib import Path

import pytest

from companion.updates.release_file import IDENTITY, NAMESPACE
from tests.updates.release_bench import Machine, Made, new_key


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The key of a trusted signer."""
    if not shutil.which("ssh-keygen"):
        pytest.skip("ssh-keygen is not here: apt install openssh-client")
    return new_key(tmp_path_factory.mktemp("key") / "id")


@pytest.fixture(autouse=True)
def _nothing_waits_for_the_disk(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Replace `sync`, which is slow and invisible to these tests."""
    tools = tmp_path_factory.mktemp("tools")
    (tools / "sync").write_text("#!/bin/sh\n")
    (tools / "sync").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")


@pytest.fixture
def made(tmp_path: Path, key: Path) -> Made:
    return Made(tmp_path, key)


@pytest.fixture(scope="session")
def signer(key: Path) -> str:
    return f'# whose\n{IDENTITY} namespaces="{NAMESPACE}" {key.with_suffix(".pub").read_text()}'


@pytest.fixture
def signers(tmp_path: Path, signer: str) -> Path:
    path = tmp_path / "allowed_signers"
    path.write_text(signer)
    return path


@pytest.fixture
def machine(tmp_path: Path, signer: str) -> Machine:
    return Machine(tmp_path / "root", signer)

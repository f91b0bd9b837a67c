"""Small signed releases, and root file systems to install them on."""

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from companion.updates.release_file import (
    LIST,
    NAMESPACE,
    SIGNATURE,
    Member,
    Release,
    write_list,
)
from companion.updates.release_folder import GUIDE, HERE, LOCK, ReleaseFolder, run_command

SCRIPT = Path(__file__).parents[2] / "systemd" / "companion-release"
OLDER, OLD, NEW = "0.0.1+g0000000000", "0.1.0+g0000000001", "0.2.0+g0000000002"
DAY_S = 24 * 3600
OWN = "table_companion-0.2.0-py3-none-any.whl"
FILES = {OWN: b"the program", "other-1-py3-none-any.whl": b"o" * 3000, LOCK: b"other==1\n", GUIDE: b"how to"}


def new_key(path: Path) -> Path:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "maker", "-f", path], check=True)
    return path


class Made:
    """A release's file, each part of which can be wrong."""

    def __init__(self, folder: Path, key: Path) -> None:
        self.folder = folder
        self.key = key

    def release(self, version: str = NEW, files: dict[str, bytes] | None = None, **told: Any) -> Release:
        members = (
            Member(name, len(data), hashlib.sha256(data).hexdigest()) for name, data in (files or FILES).items()
        )
        fields = {"commit": "2" * 40, "date": 2 * DAY_S, "system": 1, "systems": (HERE,), "members": tuple(members)}
        return Release(version, **fields | told)

    def signature(self, listed: bytes, key: Path | None = None, namespace: str = NAMESPACE) -> bytes:
        signed = subprocess.run(
            ["ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f", key or self.key],
            input=listed,
            capture_output=True,
            check=True,
        )
        return signed.stdout

    def file(
        self, listed: bytes | None = None, signature: bytes | None = None, files: dict[str, bytes] | None = None
    ) -> Path:
        listed = write_list(self.release()) if listed is None else listed
        signature = self.signature(listed) if signature is None else signature
        path = self.folder / "made.release"
        with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as tar:
            for name, data in {LIST: listed, SIGNATURE: signature, **(FILES if files is None else files)}.items():
                add(tar, name, data)
        return path


def add(tar: tarfile.TarFile, name: str, data: bytes, **fields: Any) -> None:
    head = tarfile.TarInfo(name)
    head.size = len(data)
    for field, value in fields.items():
        setattr(head, field, value)
    tar.addfile(head, BytesIO(data))


class Machine:
    """A root file system on which OLD runs; slow commands write a few files instead."""

    def __init__(self, root: Path, signer: str | None = None) -> None:
        """Create one that trusts a signer; without one use the existing one."""
        self.root = root
        self.opt = root / "opt/companion"
        self.ran: list[str] = []
        self.releases = ReleaseFolder(root, self.command)
        if signer is None:
            return
        (root / "etc/companion").mkdir(parents=True)
        (root / "etc/companion/allowed_signers").write_text(signer)
        (root / "etc/companion/system").write_text("1\n")
        self.add(OLD)
        script = root / "usr/local/sbin/companion-release"
        script.parent.mkdir(parents=True)
        shutil.copy(SCRIPT, script)
        self.choose("take", OLD)

    def add(self, version: str) -> None:
        command = self.opt / "releases" / version / "venv/bin/companion"
        command.parent.mkdir(parents=True)
        command.write_text(f"#!/bin/sh\n# {version}\n")
        command.chmod(0o755)
        about = json.dumps({"version": version, "commit": "1" * 40, "date": DAY_S})
        (self.opt / "releases" / version / "release.json").write_text(about)

    def choose(self, *words: str) -> str:
        """Run companion-release like the service."""
        environ = {"COMPANION_ROOT": str(self.root), "PATH": os.environ["PATH"]}
        done = subprocess.run([SCRIPT, *words], env=environ, capture_output=True, text=True, check=True)
        return done.stderr

    def command(self, words: Sequence[object]) -> None:
        """Stand in for venv, pip and the new release."""
        said = " ".join(map(str, words))
        self.ran.append(said)
        if "companion-release" in said:
            run_command(words)
        elif " -m venv " in said:
            for name in ("python", "pip", "companion"):
                path = Path(str(words[-1])) / "bin" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(f"{name} of {NEW}")
                path.chmod(0o755)
        elif " -m pip " in said:
            for number in range(3):
                path = Path(str(words[0])).parents[1] / "lib" / f"{len(self.ran)}-{number}.py"
                path.parent.mkdir(exist_ok=True)
                path.write_text("a module\n" * 100)
        else:
            assert said.startswith(f"{self.opt}/releases/")
            assert "/venv/bin/companion config init " in said
            Path(str(words[-1])).write_text('#folder = ""\n')

    @property
    def current(self) -> str:
        return (self.opt / "current").resolve(strict=True).name

    @property
    def there(self) -> set[str]:
        return {path.name for path in (self.opt / "releases").iterdir()}

    def content(self, version: str) -> dict[str, str]:
        """Return the SHA-256 of each file."""
        folder = self.opt / "releases" / version
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}

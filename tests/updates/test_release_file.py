"""Tests that only signed releases with plain files are read."""

import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core import limits
from companion.updates.release_file import LIST, SIGNATURE, Member, UpdateError, open_release, write_list
from tests.updates.release_bench import FILES, NEW, OWN, Made, add, new_key


def read(path: Path, signers: Path, folder: Path) -> list[str]:
    folder.mkdir()
    with open_release(path, signers) as opened:
        return [member.name for member in opened.unpack(folder, lambda name: True)]


def refused(path: Path, signers: Path, tmp_path: Path) -> str:
    with pytest.raises(UpdateError) as raised:
        read(path, signers, tmp_path / "unpacked")
    return str(raised.value)


def test_signed_release_is_unpacked(made: Made, signers: Path, tmp_path: Path) -> None:
    assert read(made.file(), signers, tmp_path / "unpacked") == list(FILES)
    assert {path.name: path.read_bytes() for path in (tmp_path / "unpacked").iterdir()} == FILES


def test_only_wanted_files_are_unpacked(made: Made, signers: Path, tmp_path: Path) -> None:
    with open_release(made.file(), signers) as opened:
        assert opened.release.version == NEW
        assert len(list(opened.unpack(tmp_path, lambda name: name == OWN))) == len(FILES)
    assert {path.name for path in tmp_path.iterdir()} >= {OWN}
    assert not {*FILES} - {OWN} & {path.name for path in tmp_path.iterdir()}


# --- Signatures -------------------------------------------------------------------------------------------


def test_unknown_key_is_refused(made: Made, signers: Path, tmp_path: Path) -> None:
    listed = write_list(made.release())
    path = made.file(listed, made.signature(listed, new_key(tmp_path / "other")))
    assert "not signed by a trusted signer" in refused(path, signers, tmp_path)


def test_signature_for_another_purpose_is_refused(made: Made, signers: Path, tmp_path: Path) -> None:
    listed = write_list(made.release())
    path = made.file(listed, made.signature(listed, namespace="file"))
    assert "not signed by a trusted signer" in refused(path, signers, tmp_path)


def test_altered_list_is_refused(made: Made, signers: Path, tmp_path: Path) -> None:
    listed = write_list(made.release())
    path = made.file(listed.replace(b"0.2.0", b"9.2.0"), made.signature(listed))
    assert "not signed by a trusted signer" in refused(path, signers, tmp_path)


@pytest.mark.parametrize("text", [None, "", "# companion ssh-ed25519 AAAA\n\n"])
def test_nothing_is_accepted_without_a_trusted_signer(made: Made, tmp_path: Path, text: str | None) -> None:
    nobody = tmp_path / "nobody"
    if text is not None:
        nobody.write_text(text)
    assert f"no trusted signers in {nobody}" in refused(made.file(), nobody, tmp_path)


def test_signer_of_another_identity_is_refused(made: Made, signers: Path, tmp_path: Path) -> None:
    signers.write_text(signers.read_text().replace("companion namespaces", "somebody namespaces"))
    assert "not signed by a trusted signer" in refused(made.file(), signers, tmp_path)


def test_missing_ssh_keygen_error_says_what_to_install(
    made: Made, signers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made.file()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "apt install openssh-client" in refused(path, signers, tmp_path)


# --- Contents ---------------------------------------------------------------------------------------------


def test_altered_file_is_named(made: Made, signers: Path, tmp_path: Path) -> None:
    path = made.file(files={**FILES, OWN: b"the p_ogram"})
    assert f"{OWN} does not match its signature" in refused(path, signers, tmp_path)


WRONG_FILES: dict[str, dict[str, bytes]] = {
    "one is missing": {name: data for name, data in FILES.items() if name != OWN},
    "another length": {**FILES, OWN: b"the program and more"},
    "another order": dict(reversed(FILES.items())),
}


@pytest.mark.parametrize("what", WRONG_FILES)
def test_files_differing_from_the_list_are_refused(made: Made, signers: Path, tmp_path: Path, what: str) -> None:
    assert "in the place of" in refused(made.file(files=WRONG_FILES[what]), signers, tmp_path)


@pytest.mark.parametrize("part", range(0, 100, 5))
def test_truncated_release_is_refused(made: Made, signers: Path, tmp_path: Path, part: int) -> None:
    path = made.file()
    whole = len(path.read_bytes().rstrip(b"\0"))
    os.truncate(path, whole * part // 100)
    assert str(path) in refused(path, signers, tmp_path)


def below_0() -> tarfile.TarInfo:
    head = tarfile.TarInfo(OWN)
    head.size = -1
    return head


STRANGE: dict[str, Callable[[tarfile.TarFile], None]] = {
    "a link": lambda tar: add(tar, OWN, b"", type=tarfile.SYMTYPE, linkname="/etc/shadow"),
    "a hard link": lambda tar: add(tar, OWN, b"", type=tarfile.LNKTYPE, linkname=LIST),
    "a device": lambda tar: add(tar, OWN, b"", type=tarfile.BLKTYPE),
    "a folder": lambda tar: add(tar, OWN, b"", type=tarfile.DIRTYPE),
    "a path": lambda tar: add(tar, f"../{OWN}", FILES[OWN]),
    "a path from the root": lambda tar: add(tar, f"/tmp/{OWN}", FILES[OWN]),
    "a long name": lambda tar: add(tar, OWN, b"x" * 9, type=tarfile.GNUTYPE_LONGNAME),
    "more about the next": lambda tar: add(tar, OWN, b"9 a=b\n", type=tarfile.XHDTYPE),
    "a size below 0": lambda tar: tar.fileobj.write(below_0().tobuf(tarfile.GNU_FORMAT)),
    "nothing": lambda tar: None,
}


@pytest.mark.parametrize("what", STRANGE)
def test_only_plain_files_are_accepted(made: Made, signers: Path, tmp_path: Path, what: str) -> None:
    path, listed = tmp_path / "made.release", write_list(made.release())
    with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as tar:
        add(tar, LIST, listed)
        add(tar, SIGNATURE, made.signature(listed))
        STRANGE[what](tar)
    assert str(path) in refused(path, signers, tmp_path)
    assert [*(tmp_path / "unpacked").iterdir()] == []


@pytest.mark.parametrize("data", [b"", b"\0" * 2048, b"garbage" * 1000, b"\xff" * 700], ids=range(4))
def test_other_files_are_not_releases(signers: Path, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "no.release"
    path.write_bytes(data)
    assert "not a release" in refused(path, signers, tmp_path)


def test_named_pipe_is_refused_without_waiting(signers: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.release")
    with pytest.raises(OSError, match="not a regular file"):
        read(tmp_path / "pipe.release", signers, tmp_path / "unpacked")


def test_oversized_list_is_not_read(made: Made, signers: Path, tmp_path: Path) -> None:
    path = made.file(b" " * (limits.RELEASE_LIST_BYTES + 1), b"-")
    assert "in the place of manifest.json" in refused(path, signers, tmp_path)


GOOD = Member(OWN, 1, "0" * 64)
BAD_MEMBERS = {
    "twice": (GOOD, GOOD),
    "path": (GOOD._replace(name="a/b"),),
    "dots": (GOOD._replace(name=".."),),
    "below 0": (GOOD._replace(size=-1),),
    "no hash": (GOOD._replace(sha256="0"),),
    "too large": (GOOD._replace(size=limits.RELEASE_BYTES + 1),),
}


@pytest.mark.parametrize("what", BAD_MEMBERS)
def test_signed_list_with_invalid_members_is_refused(made: Made, signers: Path, tmp_path: Path, what: str) -> None:
    path = made.file(write_list(made.release()._replace(members=BAD_MEMBERS[what])))
    assert "not a release" in refused(path, signers, tmp_path)


@pytest.mark.parametrize(
    "version", ["", "0.1", "../0.1+g0000000", "0.1+x0000000", "0.1.0+g000000g", "1e9+g0000000"]
)
def test_invalid_version_is_refused(made: Made, signers: Path, tmp_path: Path, version: str) -> None:
    assert "version" in refused(made.file(write_list(made.release(version))), signers, tmp_path)


@pytest.mark.parametrize(
    "listed", [b"{", b"[]", b'{"format": 1}', b"\xff", b'{"format": 1, "files": [{"name": 1}]}']
)
def test_invalid_list_is_refused(made: Made, signers: Path, tmp_path: Path, listed: bytes) -> None:
    assert LIST in refused(made.file(listed), signers, tmp_path)


@pytest.mark.parametrize("name", ["date", "system"])
def test_infinite_number_in_list_is_refused(made: Made, signers: Path, tmp_path: Path, name: str) -> None:
    listed = json.dumps(json.loads(write_list(made.release())) | {name: float("inf")}).encode()
    assert LIST in refused(made.file(listed), signers, tmp_path)


@pytest.mark.parametrize("until", ['valid-before="20240101"', 'valid-after="20990101"'])
def test_key_outside_its_validity_is_refused(made: Made, signers: Path, tmp_path: Path, until: str) -> None:
    signers.write_text(signers.read_text().replace("namespaces=", f"{until},namespaces="))
    assert "not signed by a trusted signer" in refused(made.file(), signers, tmp_path)


def test_unknown_format_error_says_what_helps(made: Made, signers: Path, tmp_path: Path) -> None:
    listed = write_list(made.release()).replace(b'"format": 1', b'"format": 2')
    assert "run the installer" in refused(made.file(listed), signers, tmp_path)


def test_releases_are_ordered_by_version_and_date(made: Made) -> None:
    versions = ["0.9.0+g1111111", "0.10.0+g0000000", "1.0+s0000000"]
    ages = [made.release(version, date=9 - number).age for number, version in enumerate(versions)]
    assert ages == sorted(ages)
    assert made.release(date=1).age < made.release(date=2).age

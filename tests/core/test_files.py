"""The folders of logs and plug-ins."""

from pathlib import Path

import pytest

from companion.core.files import plugins_folder, state_folder


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"STATE_DIRECTORY": "/var/lib/companion", "XDG_STATE_HOME": "/state"}, "/var/lib/companion"),
        ({"STATE_DIRECTORY": "/var/lib/companion:/var/lib/other"}, "/var/lib/companion"),
        ({"XDG_STATE_HOME": "/state"}, "/state/companion"),
        ({"XDG_STATE_HOME": ""}, "/home/anna/.local/state/companion"),
        ({"XDG_STATE_HOME": "state"}, "/home/anna/.local/state/companion"),
        ({}, "/home/anna/.local/state/companion"),
    ],
)
def test_state_folder_follows_the_environment(
    environ: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/anna")
    assert state_folder(environ) == Path(folder)


@pytest.mark.parametrize(
    ("environ", "home", "folder"),
    [
        ({"STATE_DIRECTORY": "/state:/other"}, "/home/anna", "/state/plugins"),
        ({}, "/var/lib/companion", "/var/lib/companion/plugins"),
        ({}, "/home/anna", "/home/anna/.local/share/companion/plugins"),
    ],
)
def test_plug_ins_lie_beside_what_stays(
    environ: dict[str, str], home: str, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", home)
    assert plugins_folder(environ) == Path(folder)

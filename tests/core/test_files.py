"""The folder of the logs."""

from pathlib import Path

import pytest

from companion.core.files import state_folder


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

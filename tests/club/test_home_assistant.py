"""Home Assistant's discovery messages, whose templates Jinja renders as Home Assistant does."""

import json
from typing import Any

import jinja2
import pytest

from companion.club.home_assistant import discovery
from companion.club.topics import gone, online

ROOT = "companion/window"

SAID: dict[str, dict[str, Any]] = {
    "companion/window/online": dict(online("Window", "1", 0).message),
    "companion/window/state": {
        "game_name": "Buntherum",
        "players": ["Anna", "Ben", "Cleo"],
        "turn": [1, 3],
        "leads": [2],
    },
    "companion/window/verdict": {
        "first": [2],
        "order": [{"seat": 2, "player": "Ben"}, {"seat": 1, "player": "Anna"}],
    },
}


def shown(config: dict[str, Any], said: dict[str, Any]) -> str:
    return jinja2.Environment().from_string(config["value_template"]).render(value_json=said)


def configs() -> dict[str, dict[str, Any]]:
    return {sent.topic.split("/")[3]: json.loads(sent.payload) for sent in discovery(ROOT, "Window", "1")}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("game", "Buntherum"),
        ("turn", "Anna, Cleo"),
        ("leads", "Ben"),
        ("verdict", "Ben"),
        ("online", "ON"),
    ],
)
def test_sensor_shows_the_reported_value(name: str, said: str) -> None:
    config = configs()[name]
    assert shown(config, SAID[config["state_topic"]]) == said


def test_idle_and_lost_tables_show_empty_and_offline() -> None:
    found = configs()
    assert [shown(found[name], {"match": None}) for name in ("game", "turn", "leads")] == ["", "", ""]
    assert shown(found["online"], dict(gone("Window").message)) == "OFF"
    template = jinja2.Environment().from_string(found["game"]["availability_template"])
    assert template.render(value_json=dict(gone("Window").message)) == "offline"


def test_each_sensor_is_retained_and_has_unique_id() -> None:
    sent = discovery(ROOT, "Window", "1")
    assert all(each.kept and each.topic.startswith("homeassistant/") for each in sent)
    assert {json.loads(each.payload)["default_entity_id"] for each in sent} == {
        "binary_sensor.companion_companion_window_online",
        *(f"sensor.companion_companion_window_{name}" for name in ("game", "turn", "leads", "verdict")),
    }
    assert len({json.loads(each.payload)["unique_id"] for each in sent}) == len(sent)
    assert "companion_window" not in {each.topic for each in discovery("companion/door", "Door", "1")}

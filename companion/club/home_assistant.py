"""MQTT discovery messages: Home Assistant finds the table and reads its topics, but cannot control it."""

from typing import Final

from companion.club import topics
from companion.club.broker import Sent

PREFIX: Final = "homeassistant"


def _names(seats: str) -> str:
    return (
        f"{{% set ns = namespace(names=[]) %}}{{% for seat in value_json.{seats} | default([]) %}}"
        "{% set ns.names = ns.names + [value_json.players[seat - 1]] %}{% endfor %}{{ ns.names | join(', ') }}"
    )


SENSORS: Final = {
    "game": ("Game", "mdi:cards-playing", topics.STATE, "{{ value_json.game_name | default('') }}"),
    "turn": ("Whose turn", "mdi:account-clock", topics.STATE, _names("turn")),
    "leads": ("Leads", "mdi:trophy", topics.STATE, _names("leads")),
    "verdict": (
        "Who was first",
        "mdi:flag-checkered",
        topics.VERDICT,
        "{{ value_json.order | selectattr('seat', 'in', value_json.first) | map(attribute='player')"
        " | join(', ') }}",
    ),
}
"""Default name, icon, topic and template of each sensor."""


def discovery(root: str, table: str, program: str) -> list[Sent]:
    """Return the messages for one table. `root` is its topic prefix, `table` its name."""
    identity = "companion_" + root.replace("/", "_").replace("-", "_")
    device = {"identifiers": [identity], "name": table, "manufacturer": "table companion", "sw_version": program}

    def told(kind: str, name: str, called: str, topic: str, template: str, **more: object) -> Sent:
        own = f"{identity}_{name}"
        message = {
            "name": called,
            "unique_id": own,
            "default_entity_id": f"{kind}.{own}",
            "state_topic": f"{root}/{topic}",
            "value_template": template,
            "device": device,
            **more,
        }
        path = f"{PREFIX}/{kind}/{identity}/{name}/config"
        return Sent(path, topics.plain_json(message), kept=True, sure=True)

    online = {
        "availability_topic": f"{root}/{topics.ONLINE}",
        "availability_template": "{{ 'online' if value_json.online else 'offline' }}",
    }
    is_on = "{{ 'ON' if value_json.online else 'OFF' }}"
    found = [told("binary_sensor", "online", "Table", topics.ONLINE, is_on, device_class="connectivity")]
    for name, (called, icon, topic, template) in SENSORS.items():
        all_of_it = {"json_attributes_topic": f"{root}/{topic}"} if topic == topics.VERDICT else {}
        found.append(told("sensor", name, called, topic, template, icon=icon, **all_of_it, **online))
    return found

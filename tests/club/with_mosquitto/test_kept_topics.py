"""A real broker forgets renamed tables and those that left Home Assistant."""

from pathlib import Path

from companion.club.broker import Broker, connection
from companion.club.link import ClubLink
from companion.config.sections import ClubOptions
from companion.display import theme
from companion.games import all_games
from tests.club.with_mosquitto import mosquitto


def kept(options: ClubOptions) -> set[str]:
    found: set[str] = set()
    watching = Broker(connection(options), wanted=("#",), hear=lambda topic, data: data and found.add(topic))
    watching.start()
    assert watching.wait(1.0) is None
    watching.stop()
    return found


def told(options: ClubOptions, folder: Path) -> None:
    """Connect a table, which publishes its topics, and close it."""
    with ClubLink(options, folder, all_games(), theme.web_colour, lambda: None) as link:
        assert link._broker.wait(1.0) is None


def test_only_topics_in_use_stay_retained(tmp_path: Path) -> None:
    with mosquitto.running(tmp_path / "broker", tls=False) as broker:

        def options(table: str, *, home_assistant: bool) -> ClubOptions:
            return ClubOptions(
                "127.0.0.1",
                port=broker.port,
                table=table,
                user=mosquitto.USER,
                password_file=str(broker.password_file),
                home_assistant=home_assistant,
            )

        told(options("Window", home_assistant=True), tmp_path / "records")
        assert len(kept(options("Window", home_assistant=True))) == 8
        told(options("Door", home_assistant=True), tmp_path / "records")
        assert not any("window" in topic for topic in kept(options("Door", home_assistant=True)))
        told(options("Door", home_assistant=False), tmp_path / "records")
        left = kept(options("Door", home_assistant=False))
        assert left == {f"companion/door/{kind}" for kind in ("online", "state", "results")}

"""A table reports to its club only what everybody there has seen, and accepts valid messages only."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.club import views
from companion.club.link import ClubLink
from companion.club.results import FILE_NAME, LAST, Results
from companion.club.topics import TableCall, read_asked, read_payload, table_topic
from companion.config.sections import ClubOptions
from companion.core.errors import OptionError
from companion.core.match import Match
from companion.core.place import HOUSE
from companion.core.signal import ASKED
from companion.display.frame import Play
from companion.games import all_games, load
from companion.match.new_match import NAMES, new_match
from companion.match.seating import Sitter
from companion.referee.journal import SUFFIX
from companion.testing.playout import random_move
from tests.club_line import line_of, linked
from tests.host_bench import MS, Bench
from tests.running import for_robots

ROBOT = "easy"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[ClubLink]:
    with linked(tmp_path, ("call", "pause", "message")) as made:
        yield made


def table(folder: Path, club: ClubLink, name: str = "buntherum", robot: str = ROBOT, **more: Any) -> Bench:
    game = load(name)
    rulings = for_robots(game, game.rulings())
    match = new_match(game, NAMES[: min(game.rules.SEATS)], rulings=rulings, seed="club")
    return Bench(folder, match=match, sitters=[Sitter(one, robot) for one in match.names], club=club, **more)


def ask(bench: Bench) -> None:
    bench.hand(HOUSE, ASKED, source="club")


@pytest.mark.parametrize("name", all_games())
def test_match_is_reported_as_it_was_shown(tmp_path: Path, club: ClubLink, name: str) -> None:
    bench, line = table(tmp_path, club, name), line_of(club)
    assert bench.until(lambda: line.of("result"), 20_000)
    assert bench.match.outcome
    states, (result,) = line.of("state"), line.of("result")
    assert {state["game"] for state in states} == {name}
    assert states[-1]["over"]
    assert states[-1]["ranking"] == result["ranking"]
    assert result["players"] == list(bench.match.names)
    shown = [frame.screen.view for frame in bench.frames if isinstance(frame.screen, Play)]
    seen = [json.dumps(views.as_json(view)) for view in shown]
    told = [json.dumps(state["view"]) for state in states]
    places = iter(seen)
    assert all(view in places for view in told), "a position is told that was not shown, or not in its order"
    verdicts = [event for event in line.of("event") if event["kind"] == "verdict"]
    assert len(line.of("verdict")) == len(verdicts)
    assert not {"lamp", "false_start", "refused"} & {event["kind"] for event in line.of("event")}


def test_verdict_reports_the_order_and_the_margin(tmp_path: Path, club: ClubLink) -> None:
    bench, line = table(tmp_path, club), line_of(club)
    assert bench.until(lambda: len(line.of("verdict")) > 3, 5_000)
    for verdict in line.of("verdict"):
        first = verdict["order"][0]
        assert verdict["first"] == [first["seat"]]
        assert first["player"] == bench.match.names[first["seat"] - 1]
        assert first["after_ns"] == 0
        assert verdict["margin_ns"] == (verdict["order"][1]["after_ns"] if len(verdict["order"]) > 1 else None)
        assert first["colour"].startswith("#")


def test_nothing_is_reported_before_its_frame_is_seen(tmp_path: Path, club: ClubLink) -> None:
    bench, line = table(tmp_path, club), line_of(club)
    bench.blind = True
    told = len(line.sent)
    bench.wait(30)
    assert bench.match.length > 0
    assert len(line.sent) == told
    bench.blind = False
    bench.wait(5)
    assert len(line.sent) > told


def test_seen_frame_reports_nothing_of_the_next_move(tmp_path: Path, club: ClubLink) -> None:
    """The frame before a move is reported as seen while the move's own frame is not."""
    bench, line = table(tmp_path, club, robot=""), line_of(club)
    assert bench.until(bench.open, 60)
    bench.call(0, None)
    seen = bench.host.frames.shown(bench.frame, bench.clock.t_ns)
    assert seen
    bench.blind = True
    moves = bench.match.length
    bench.clock.t_ns += MS
    bench.press(0, "1")
    assert bench.match.length > moves
    told = len(line.sent)
    bench.host.signal(seen)
    assert len(line.sent) == told
    assert line.of("state")[-1]["moves"] == moves
    bench.blind = False
    bench._flip()
    assert line.of("state")[-1]["moves"] == bench.match.length
    assert line.of("event")[-1]["step"] == bench.match.length


def test_reveal_is_reported_when_it_is_seen(tmp_path: Path, club: ClubLink) -> None:
    bench, line = table(tmp_path, club, "buro_crazy"), line_of(club)
    reveal = bench.host.session.reveal
    assert bench.until(lambda: reveal.hidden, 600)
    told = [event["kind"] for event in line.of("event")].count("reveal")
    assert bench.until(lambda: not reveal.hidden, 60)
    bench.wait(1)
    assert [event["kind"] for event in line.of("event")].count("reveal") == told + 1


def test_idle_table_reports_no_match(tmp_path: Path, club: ClubLink) -> None:
    bench, line = table(tmp_path, club), line_of(club)
    bench.wait(5)
    bench.host._lobby.attract()
    bench.wait(1)
    assert line.of("state")[-1] == {"v": 1, "match": None}


def test_called_players_find_their_names(tmp_path: Path, club: ClubLink) -> None:
    bench, line = Bench(tmp_path, club=club), line_of(club)
    line.say("call", {"v": 1, "tournament": "autumn", "round": 2, "game": "buntherum", "players": ["Zoé", "Yann"]})
    ask(bench)
    assert bench.poster.lines == ("Zoé, Yann", "autumn, round 2")
    bench.press(0, "buzz")
    bench.press(1, "buzz")
    assert [sitter.name for sitter in bench.host.frames.seating.sitters] == ["Zoé", "Yann"]
    bench.press(0, "#")
    assert "Buntherum" in bench.menu.title  # its house rules: the call has chosen the game
    line.say("call", {"v": 1})
    ask(bench)
    assert club.call is None


def test_club_message_waits_for_a_key(tmp_path: Path, club: ClubLink) -> None:
    bench, line = table(tmp_path, club, robot=""), line_of(club)
    line.say("do/message", {"v": 1, "text": "Pizza is here"})
    ask(bench)
    assert bench.poster.lines == ("Pizza is here",)
    bench.hand(HOUSE, "ok")
    assert bench.menu  # the match waits
    assert bench.host.session.referee.pauses


def test_club_can_pause_a_match(tmp_path: Path, club: ClubLink) -> None:
    bench, line = table(tmp_path, club), line_of(club)
    line.say("do/pause", {"v": 1})
    ask(bench)
    assert bench.host.session.referee.pauses


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\xff",
        b"[" * 60_000,
        b"{}",
        {"v": 2, "text": "x"},
        {"v": 1},
        {"v": 1, "text": 7},
        {"v": 1, "text": "\x1b[2J"},
        {"v": 1, "text": "x" * 100_000},
    ],
)
def test_invalid_message_is_only_logged(
    tmp_path: Path, club: ClubLink, message: Any, caplog: pytest.LogCaptureFixture
) -> None:
    line_of(club).say("do/message", message)
    assert list(club.asked()) == []
    assert len(caplog.records) == 1
    assert len(caplog.messages[0]) < 500


@pytest.mark.parametrize("number", ["Infinity", "1e999", "-1e999", "NaN", "true", "9" * 400, "9" * 5_000])
def test_invalid_round_number_is_only_logged(club: ClubLink, number: str, caplog: pytest.LogCaptureFixture) -> None:
    call = '{"v": 1, "tournament": "t", "round": %s, "game": "buntherum", "players": ["A", "B"]}'
    line_of(club).say("call", (call % number).encode())
    assert list(club.asked()) == []
    assert len(caplog.records) == 1
    assert len(caplog.messages[0]) < 500


@pytest.mark.parametrize(
    "found",
    [
        {"players": ["A", "A"], "tournament": "t", "round": 1, "game": "g"},
        {"players": ["A"], "tournament": "t", "round": 1, "game": "g"},
        {"players": ["A", ""], "tournament": "t", "round": 1, "game": "g"},
        {"players": list("ABCDEF"), "tournament": "t", "round": 1, "game": "g"},
        {"players": ["A", "B"], "tournament": "t", "round": "x", "game": "g"},
        {"players": ["A", "B"], "tournament": "t", "game": "g"},
        {"players": ["A", "B"], "tournament": "t", "round": True, "game": "g"},
        {"players": ["A", "B"], "tournament": "t", "round": 0, "game": "g"},
    ],
)
def test_invalid_call_is_refused(found: dict[str, Any]) -> None:
    with pytest.raises((ValueError, KeyError)):
        read_asked("call", found)


def test_valid_call_is_read() -> None:
    call = TableCall("t", 1, "g", ("A", "B"))
    found = {"players": ["A", "B"], "tournament": "t", "round": 1, "game": "g"}
    assert (read_asked("call", found), read_asked("call", {})) == (call, None)


@pytest.mark.parametrize(
    ("name", "topic"), [("Window", "window"), ("Küche 2", "kuche-2"), ("+/#", "table"), ("x" * 99, "x" * 32)]
)
def test_topic_is_derived_from_the_table_name(name: str, topic: str) -> None:
    assert table_topic(name) == topic


@pytest.mark.parametrize(
    "wrong",
    [{"accept": ("poweroff",)}, {"accept": ("pause",)}, {"user": "me"}, {"topic": "a/#"}, {"topic": ""}],
)
def test_invalid_club_section_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=r"table.toml: \[club\]"):
        ClubOptions(**wrong).check("table.toml")


# --- Results ----------------------------------------------------------------------------------------------


def played(folder: Path, name: str, seed: str = "1") -> Match:
    game, pick = load("buntherum"), Random(seed)
    match = new_match(game, NAMES[:2], seed=seed)
    while match.outcome is None:
        match.push(random_move(game.rules, match.state, pick.randrange))
    (folder / f"{name}{SUFFIX}").write_text(match.dumps(), "utf-8")
    return match


def test_older_records_are_not_reported(tmp_path: Path) -> None:
    played(tmp_path, "a")
    assert list(Results(tmp_path, all_games()).look_through()) == []
    assert list(Results(tmp_path, all_games()).look_through()) == []
    assert Results(tmp_path, all_games()).last == []


def test_unconfirmed_result_is_found_in_its_record(tmp_path: Path) -> None:
    list(Results(tmp_path, all_games()).look_through())
    match = played(tmp_path, "a")
    assert Results(tmp_path, all_games()).note("a", match), "told, and the machine stops before anybody has it"
    (found,) = Results(tmp_path, all_games()).look_through()
    assert (found["match"], found["revision"]) == ("a", 1)
    results = Results(tmp_path, all_games())
    (found,) = results.look_through()
    results.confirm(found)
    assert list(Results(tmp_path, all_games()).look_through()) == []
    assert Results(tmp_path, all_games()).last == [found]


def test_newest_result_counts_despite_an_older_clock(tmp_path: Path) -> None:
    results = Results(tmp_path, all_games())
    list(results.look_through())
    match = played(tmp_path, "2026-11-26-200000")
    for number in range(LAST):
        results.confirm(results.note(f"2036-01-01-2000{number:02}", match))
    found = results.note("2026-11-26-200000", match)
    assert results.last[-1] == found
    results.confirm(found)
    assert Results(tmp_path, all_games()).last == results.last
    assert results.last[-1] == found


def test_corrected_match_is_reported_with_higher_revision(tmp_path: Path) -> None:
    results = Results(tmp_path, all_games())
    list(results.look_through())
    found = results.note("a", played(tmp_path, "a"))
    results.confirm(found)
    assert results.note("a", played(tmp_path, "a")) is None
    again = results.note("a", played(tmp_path, "a", seed="2"))
    assert again["revision"] == 2
    assert results.last == [again]


def test_damaged_results_file_does_not_stop_the_table(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / FILE_NAME).write_text("[1]")
    played(tmp_path, "a")
    assert list(Results(tmp_path, all_games()).look_through()) == []
    assert FILE_NAME in caplog.text


def test_link_sends_results_and_notes_confirmations(tmp_path: Path, club: ClubLink) -> None:
    list(Results(tmp_path, all_games()).look_through())
    match, line = played(tmp_path, "a"), line_of(club)
    club.end("a", match)
    (sent,) = [sent for sent in line.sent if sent.topic == "companion/window/result"]
    assert sent.sure
    assert read_payload(sent.payload)["ranking"] == [[seat + 1 for seat in each] for each in match.outcome.ranking]
    assert line.of("results")[-1]["results"][-1]["match"] == "a"
    line.given["arrived"](sent)
    assert [found["match"] for found in Results(tmp_path, all_games()).last] == ["a"]
    *_, online, state, results = line.given["hello"]()
    assert json.loads(online.payload)["online"]
    assert json.loads(state.payload)["match"] is None
    assert json.loads(results.payload)["results"][-1]["match"] == "a"


def emptied(made: ClubLink) -> set[str]:
    """Confirm everything that the link sends first; return the emptied topics."""
    line = line_of(made)
    sent = line.given["hello"]()
    for each in sent:
        if each.sure:
            line.given["arrived"](each)
    assert all(each.kept and each.sure for each in sent if not each.payload)
    return {each.topic for each in sent if not each.payload}


def test_home_assistant_forgets_a_table_that_left_it(tmp_path: Path) -> None:
    with linked(tmp_path, home_assistant=True) as made:
        told = {sent.topic for sent in line_of(made).given["hello"]() if sent.topic.startswith("homeassistant/")}
        assert emptied(made) == set()
    with linked(tmp_path) as made:
        assert emptied(made) == told
        assert emptied(made) == set(), "it is told once"


def test_broker_forgets_the_old_name_of_a_table(tmp_path: Path) -> None:
    with linked(tmp_path, home_assistant=True) as made:
        told = {sent.topic for sent in line_of(made).given["hello"]()}
    with linked(tmp_path, home_assistant=True, table="Door") as made:
        assert emptied(made) == told
    with linked(tmp_path, home_assistant=True, table="Door") as made:
        assert emptied(made) == set()


def test_unconfirmed_topics_are_emptied_again(tmp_path: Path) -> None:
    with linked(tmp_path):
        pass
    for _ in range(2):
        with linked(tmp_path, table="Door") as made:
            assert "companion/window/state" in {sent.topic for sent in line_of(made).given["hello"]()}

"""The levels of robots: in each game, in records, and in the timing of Buntherum's robots."""

from pathlib import Path
from random import Random
from statistics import median

import pytest

from companion.core.errors import RecordError
from companion.core.game import LEVELS
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat
from companion.core.place import HOUSE
from companion.core.replay import loads
from companion.core.tags import ROBOTS_TAG, robots_of
from companion.core.text import Text
from companion.games import all_games, load
from companion.match.new_match import new_match
from companion.match.seating import ROBOTS, Seating, Sitter, common_robots
from tests.host_bench import Bench, dropped, started

GAMES = all_games()
GAME = load("buntherum")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_each_game_lists_the_common_levels_first(game) -> None:
    assert tuple(game.bots)[: len(LEVELS)] == LEVELS
    assert all(kind in ROBOTS for kind in game.bots)


def test_common_robots_are_those_of_every_game() -> None:
    assert common_robots(GAMES.signs) == LEVELS
    other = GAME._replace(bots={"odd": GAME.bots["easy"], "random": GAME.bots["random"]})
    assert common_robots([*GAMES.signs, other.sign]) == ("random",)
    odd = GAME._replace(bots={"odd": GAME.bots["easy"]})
    assert common_robots([GAME.sign, odd.sign]) == (*GAME.bots, "odd")


def test_seated_robot_missing_from_a_game_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = GAME._replace(name="odd", title=Text("Odd"), bots={"odd": GAME.bots["easy"]})
    monkeypatch.setattr("tests.host_bench.all_games", lambda: {GAME.name: GAME, odd.name: odd})
    bench = Bench(tmp_path)
    bench.press(0, "buzz", "C", "#")
    bench.take("Odd", "Start")
    assert bench.menu.title == "Odd does not offer this robot: easy"
    bench.press(0, "*", "*")
    bench.press(1, *"B" * len(GAME.bots))
    assert bench.host.frames.seating.places[1] == Sitter("Ben", "odd")
    bench.press(0, "#")
    bench.take("Odd", "Start")
    assert bench.until(bench.open)
    assert bench.match.tags[ROBOTS_TAG] == "person odd"


def test_record_says_which_seats_are_robots() -> None:
    match = new_match(GAME, ["Anna", "Ben", "Cleo"], robots=["", "easy", "strong"])
    assert match.tags[ROBOTS_TAG] == "person easy strong"
    assert robots_of(loads(match.dumps(), GAMES)) == ("", "easy", "strong")
    assert robots_of(new_match(GAME, ["Anna", "Ben"])) is None


@pytest.mark.parametrize("said", ["", "easy", "easy easy easy", "easy nobody"])
def test_invalid_robots_tag_is_refused_with_alternatives(said: str) -> None:
    match = Match(GAME, ["Anna", "Cleo"], tags={ROBOTS_TAG: said})
    with pytest.raises(RecordError, match=f"Robots '{said}'.*for each of 2 seats one of easy, .*person"):
        robots_of(match)


def test_bh_a28_robots_cannot_play_with_real_cards(tmp_path: Path) -> None:
    sitters = [Sitter("Anna"), Sitter("Ben", "strong"), Sitter("Cleo")]
    bench = Bench(tmp_path, sitters=sitters, game="buntherum", deal="table")
    bench.press(0, "1", "#")
    bench.take("Start")
    assert (bench.menu.title, bench.records) == ("Robots cannot see real cards", [])


def test_bh_a28_record_with_robots_and_real_cards_is_refused() -> None:
    match = new_match(GAME, ["Anna", "Ben"], deal="table", robots=["", "easy"])
    with pytest.raises(RecordError, match=r"Robots 'person easy'.*cannot see real cards"):
        robots_of(match)


def test_resumed_match_has_its_robots_again(tmp_path: Path) -> None:
    bench = started(Bench(tmp_path, sitters=[Sitter("Anna"), Sitter("Ben", "strong"), Sitter("Cleo", "middle")]))
    assert bench.match.tags[ROBOTS_TAG] == "person strong middle"
    dropped(bench)
    again = Bench(tmp_path)
    again.press(HOUSE, "1")
    assert [sitter.robot for sitter in again.host.session.seating.sitters] == ["", "strong", "middle"]


def test_robot_of_one_game_becomes_a_common_one() -> None:
    seating = Seating((Sitter("Anna", "odd"), Sitter("Ben"), None, Sitter("Cleo", "strong")), (), LEVELS)
    assert [sitter.robot for sitter in seating.with_common_robots().sitters] == ["easy", "", "strong"]


# --- Calls of Buntherum's robots --------------------------------------------------------------------------


def calls(kind: str, count: int) -> list[tuple[float, bool]]:
    """Return seconds and correctness of each call."""
    rules, bot = GAME.rules, GAME.bots[kind]
    match = new_match(GAME, ["Anna", "Ben"], rulings=GAME.rulings(call_input="direct"), seed="levels")
    while not match.game.console.stage(match.view()).race:
        match.push(rules.draws(match.state)[0])
    found = []
    for seed in range(count):
        (act,) = bot.acts(match.view(Seat(0)), Seat(0), Random(f"{kind} {seed}"))
        call = Move(TABLE, "call", (0, int(act.control)))
        is_right = rules.overruled(match.state, call, right=False) is not None
        found.append((act.delay_ns / 1e9, is_right))
    return found


def test_easy_robot_calls_after_four_seconds() -> None:
    made = calls("easy", 4000)
    assert 3.8 <= median(seconds for seconds, _ in made) <= 4.2
    assert min(seconds for seconds, _ in made) >= 1.1
    wrong = [seconds for seconds, right in made if not right]
    assert 0.105 <= len(wrong) / len(made) <= 0.145
    assert 3.5 <= median(wrong) <= 4.5  # wrong calls are not faster in this model


def test_stronger_robots_are_faster_and_err_less() -> None:
    made = [calls(kind, 3000) for kind in LEVELS]
    easy, middle, strong = (median(seconds for seconds, _ in each) for each in made)
    assert easy > middle + 0.2
    assert middle > strong + 0.2
    easy, middle, strong = (sum(right for _, right in each) for each in made)
    assert easy < middle < strong

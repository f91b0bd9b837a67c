"""Each game's lesson: only its own moves, to its end, beside the table's matches."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion.cli.headless import Classroom
from companion.core.console import BUZZ, KEYS
from companion.core.errors import OptionError
from companion.core.game import Game
from companion.core.match import Match
from companion.core.move import TABLE, Move
from companion.core.tags import is_lesson
from companion.display.frame import Beat, HelpPage, Play
from companion.games import all_games, load
from companion.match.lessons import LEARNER, Tutor
from companion.match.new_match import NAMES, new_match
from companion.records import history, stats
from tests.host_bench import MS, Bench, robots

S = 1_000_000_000
LESSONS = [game for game in all_games().values() if game.lesson]

every_lesson = pytest.mark.parametrize("game", LESSONS, ids=[game.name for game in LESSONS])


def tutor_for(game: Game) -> Tutor:
    assert game.lesson
    return Tutor(game, NAMES[: game.lesson.seats])


class School:
    """A lesson on a virtual table; the test presses for the learner."""

    def __init__(self, game: Game) -> None:
        self.tutor = tutor_for(game)
        self.told: list[Any] = []
        self.table = Classroom(self.tutor)
        self.table.tell = lambda _, told: self.told.append(told)
        self.table.start()

    @property
    def moves(self) -> tuple[Move, ...]:
        return self.tutor.match.moves

    def wait(self, seconds: float) -> None:
        self.table.run(self.table.clock.now_ns() + round(seconds * S))

    def press(self, *controls: str) -> None:
        for control in controls:
            self.table.press(LEARNER, control)
            self.wait(0.3 if control == BUZZ else 0.1)  # a button is let go before it is pressed again

    def until_asked(self) -> tuple[str, ...]:
        """Return what the learner must press, () at the end."""
        for _ in range(1000):
            if self.tutor.over or self.tutor.controls(LEARNER):
                return self.tutor.controls(LEARNER)
            self.wait(0.25)
        raise AssertionError(f"nobody does what is due after {self.moves}")

    def until_contested(self) -> None:
        while (controls := self.until_asked()) and not self.tutor.rivals:
            self.press(*controls)
        assert self.tutor.rivals

    def clear(self) -> None:
        typed = ""
        while (entry := self.table.referee.entries.get(LEARNER, "")) != typed:
            typed = entry
            self.press("*")


def written(game: Game) -> list[Move]:
    assert game.lesson
    match = tutor_for(game).match
    return [game.notation.parse_move(match.box, step.move) for step in game.lesson.steps]


@every_lesson
def test_every_lesson_move_is_legal(game: Game) -> None:
    match = tutor_for(game).match
    for move in written(game):
        assert move.seat in match.to_act
        match.push(move)
    assert match.moves == tuple(written(game))


@every_lesson
def test_learners_steps_have_hints_and_draws_none(game: Game) -> None:
    assert game.lesson
    for step, move in zip(game.lesson.steps, written(game), strict=True):
        if move.seat == LEARNER:
            assert step.hint, step.move
        if move.verb in game.rules.DRAWS or move.seat not in {LEARNER, TABLE}:
            assert step.hint is None, step.move
    assert game.lesson.last


@every_lesson
def test_each_lesson_page_is_short(game: Game) -> None:
    assert game.lesson
    pages = [page for step in game.lesson.steps for page in step.pages] + list(game.lesson.last)
    for page in pages:
        assert 1 <= len(page.rows) <= 4
        assert sum(len(str(row.text).split()) for row in page.rows) <= 45, str(page.title)


@every_lesson
def test_lesson_is_played_to_its_end(game: Game) -> None:
    school = School(game)
    while controls := school.until_asked():
        school.press(*controls)
    assert school.tutor.over
    assert Counter(school.moves) == Counter(written(game))
    for seat in range(len(school.tutor.match.names)):
        assert [move for move in school.moves if move.seat == seat] == [
            move for move in written(game) if move.seat == seat
        ]
    school.wait(60)
    assert len(school.moves) == len(written(game))  # nothing continues after the end


@every_lesson
def test_lesson_accepts_only_its_own_moves(game: Game) -> None:
    school = School(game)
    while controls := school.until_asked():
        before = own_moves(school)
        for control in (*KEYS, BUZZ):
            if control == controls[0]:
                continue
            school.press(control, *("#" for _ in range(controls[0] != "#")))
            if own_moves(school) != before:  # two controls may do the same
                made = own_moves(school)  # this move, or it and the next
                assert made == [move for move in written(game) if move.seat == LEARNER][: len(made)], (
                    control,
                    controls,
                )
                break
        else:
            assert school.until_asked() == controls
            moves = school.moves
            school.press(*controls)  # no wrong key has to be taken back
            assert school.moves != moves, controls
    assert Counter(school.moves) == Counter(written(game))


def own_moves(school: School) -> list[Move]:
    return [move for move in school.moves if move.seat == LEARNER]


@every_lesson
def test_learner_may_retype_without_taking_back(game: Game) -> None:
    school = School(game)
    while controls := school.until_asked():
        moves = school.moves
        school.press(*controls[:-1], *controls)
        assert school.moves != moves, controls
    assert Counter(school.moves) == Counter(written(game))


@every_lesson
def test_keys_during_others_moves_change_nothing(game: Game) -> None:
    school = School(game)
    for _ in range(3000):
        if school.tutor.over:
            break
        controls = school.tutor.controls(LEARNER)
        if controls:
            school.press(*controls)
        else:
            school.press(*"159#", BUZZ)
            school.clear()
            school.wait(0.3)
    assert Counter(school.moves) == Counter(written(game))


def test_rival_alone_wins_nothing() -> None:
    school = School(load("buntherum"))
    school.until_contested()
    before = school.moves
    school.table.press(1, BUZZ)
    school.wait(1)
    assert school.moves == before
    school.press(BUZZ)
    assert school.moves[-1] == Move(TABLE, "call", (LEARNER,))


def test_rival_answers_late_or_in_an_exact_tie() -> None:
    school = School(load("buntherum"))
    while controls := school.until_asked():
        school.press(*controls)
    verdicts = [told.facts for told in school.told if told.kind == "verdict"]
    contested = [facts for facts in verdicts if len(facts["calls"]) > 1]
    assert [(facts["seats"], facts["margin_ns"]) for facts in contested] == [((0,), 12 * MS), ((0, 1), 0)]


def test_uncertain_call_does_not_lose_to_its_rival() -> None:
    school = School(load("buntherum"))
    school.until_contested()
    school.table.devices.buzzers[LEARNER].press(uncertainty_ns=40 * MS)
    school.wait(0.5)
    assert school.moves[-1] == Move(TABLE, "call", (LEARNER,))


def test_undone_step_can_be_repeated() -> None:
    school = School(load("buntherum"))
    school.press(*school.until_asked())
    (row,) = school.until_asked()
    school.press(row)
    school.table.devices.house("undo")
    school.wait(0.1)
    assert school.until_asked() == (row,)
    while controls := school.until_asked():
        school.press(*controls)
    assert Counter(school.moves) == Counter(written(load("buntherum")))


def test_missing_lesson_or_wrong_seats_raise_an_error() -> None:
    game = load("buntherum")._replace(lesson=None)
    with pytest.raises(OptionError, match="does not have a lesson"):
        Tutor(game, NAMES[:3])
    with pytest.raises(OptionError, match="3 seats"):
        Tutor(load("buntherum"), NAMES[:2])


# --- At the table -----------------------------------------------------------------------------------------


def lesson(folder: Path, place: int = 0, name: str = "buntherum", **options: Any) -> Bench:
    bench = Bench(folder, **options)
    bench.press(place, "0")
    bench.take("Learn a game")
    number = [game.name for game in LESSONS].index(name) + 1
    bench.press(place, str(number))
    return bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return lesson(tmp_path)


def page(bench: Bench) -> HelpPage:
    assert isinstance(bench.screen, HelpPage), bench.screen
    return bench.screen


def read(bench: Bench, place: int = 0, control: str = BUZZ) -> None:
    assert bench.until(lambda: isinstance(bench.screen, HelpPage), 20)
    while isinstance(bench.screen, HelpPage):
        bench.wait(1)
        bench.press(place, control)


def asked(bench: Bench) -> str:
    return bench.frame.sides[LEARNER].note


def first_call(bench: Bench, place: int = 0) -> None:
    """Read pages until the first card is open."""
    read(bench, place)
    read(bench, place)
    assert bench.until(bench.open, 10)


def finish(bench: Bench) -> None:
    for _ in range(3000):
        tutor = bench.host.session and bench.host.session.tutor
        if tutor is None:
            return
        if isinstance(bench.screen, HelpPage):
            bench.wait(1)
            bench.press(0, BUZZ)
        elif tutor.controls(LEARNER) and not tutor.pages:
            bench.press(0, *tutor.controls(LEARNER))
        else:
            bench.wait(0.25)
    raise AssertionError(f"the lesson does not end: {bench.screen}")


def test_lesson_played_by_hand_leaves_the_table_unchanged(bench: Bench, tmp_path: Path) -> None:
    assert page(bench).title == "Get rid of your cards"
    finish(bench)
    assert bench.menu.title == "Now you know Buntherum"
    assert [side.name for side in bench.frame.sides] == ["Anna", "", "", "", ""]
    match = bench.match
    assert is_lesson(match)
    assert match.moves == tuple(written(load("buntherum")))
    assert history.interrupted(tmp_path, all_games()) is None
    assert stats.statistics(history.kept(tmp_path, all_games()), demos=True).games == stats.statistics([]).games


def test_open_page_stops_the_lesson(bench: Bench) -> None:
    bench.wait(60)
    assert page(bench).title == "Get rid of your cards"
    assert bench.match.length == 0
    read(bench)
    assert bench.until(lambda: bench.match.length == 7, 2)
    bench.wait(60)
    assert page(bench).title == "Where does a card go?"
    assert bench.match.length == 7


def test_move_is_seen_before_a_page_covers_it(bench: Bench) -> None:
    first_call(bench)
    bench.press(0, BUZZ)
    bench.wait(0.3)
    bench.press(0, "6")
    bench.wait(1)
    assert isinstance(bench.screen, Play)
    assert bench.frame.sides[0].tone == "good"
    assert bench.until(lambda: isinstance(bench.screen, HelpPage), 2)
    assert page(bench).title == "Right!"


def test_refused_moves_are_not_offered(tmp_path: Path) -> None:
    bench = lesson(tmp_path, name="buro_crazy")
    read(bench)
    assert [side.note for side in bench.frame.sides] == ["The figures go on the stairs"] * 3
    assert bench.until(lambda: asked(bench).startswith("Press 5 2 1 #"), 10)
    bench.press(0, *"521#")
    assert bench.frame.panels[0].lines[1].startswith("Locked 23")
    assert asked(bench) == "P1: two secret bids"  # the lesson continues, so it cannot be taken back


def test_rivals_wait_for_earlier_pages(tmp_path: Path) -> None:
    """A page comes before the rival's tiles."""
    bench = lesson(tmp_path, name="de_et_boulanger")
    read(bench)
    bench.wait(2)  # long enough for the rival to begin
    shown = len(bench.frames)
    bench.press(0, "2")
    read(bench)
    assert bench.until(lambda: "#" in asked(bench), 10)
    bench.press(0, "#")
    assert bench.until(lambda: len(bench.match.moves) == 5, 20)
    assert all(side.tone != "bad" for frame in bench.frames[shown:] for side in frame.sides)


def test_house_ok_ends_the_viewing_time(bench: Bench) -> None:
    first_call(bench)
    bench.press(0, BUZZ)
    bench.wait(0.3)
    bench.press(0, "6")
    assert isinstance(bench.screen, Play)
    bench.house("ok")
    assert page(bench).title == "Right!"


def test_pages_turn_both_ways_but_not_hastily(bench: Bench) -> None:
    read(bench, control="#")
    assert bench.until(lambda: isinstance(bench.screen, HelpPage), 10)
    assert (page(bench).number, page(bench).of) == (1, 2)
    bench.hand(0, BUZZ)
    bench.hand(0, BUZZ, pressed=False)
    assert page(bench).number == 1
    bench.wait(1)
    bench.press(0, "5", "#")
    assert page(bench).number == 2
    bench.wait(1)
    bench.house("undo")
    assert page(bench).number == 1
    bench.wait(1)
    bench.press(0, "*")
    assert bench.menu.title == "Pause"
    bench.take("Go on")
    bench.wait(3)
    assert (page(bench).number, page(bench).of) == (1, 2)


def test_wrong_key_repeats_the_request(bench: Bench) -> None:
    first_call(bench)
    assert asked(bench) == "Press your buzzer"
    assert bench.frame.sides[0].lit
    bench.press(0, "5")
    assert (asked(bench), bench.frame.sides[0].tone) == ("Not that. Press your buzzer", "bad")
    bench.press(0, BUZZ)
    assert asked(bench) == "Press 6: no pink and no car there"
    bench.press(0, "1")
    assert asked(bench) == "Not that. Press 6: no pink and no car there"
    bench.wait(60)  # without a time limit
    bench.press(0, "6")
    assert bench.match.moves[-1] == Move(LEARNER, "declare", (6,))


def test_early_refusal_does_not_hide_the_next_request(tmp_path: Path) -> None:
    bench = lesson(tmp_path, name="buro_crazy")
    read(bench)
    assert bench.until(lambda: bench.frame.sides[LEARNER].lit, 20)
    bench.press(0, "5", "2", "1", "#")
    assert bench.until(lambda: isinstance(bench.screen, Play) and bench.screen.beat == Beat.DRUM, 20)
    bench.press(0, "1")
    assert asked(bench) == "ignored: pressed before it was shown"
    assert bench.until(lambda: isinstance(bench.screen, Play) and bench.screen.beat == Beat.REVEALED, 20)
    bench.wait(0.1)
    assert not bench.frame.sides[LEARNER].tone
    assert "not taken" not in asked(bench)


def test_lesson_is_left_from_its_pause(bench: Bench) -> None:
    first_call(bench)
    bench.house("undo")
    assert not any(item.startswith("Undo") for item in bench.menu.items)
    bench.take("Leave the lesson")
    assert bench.menu.title == "The table"
    bench.take("Play")
    assert [side.name for side in bench.frame.sides] == ["Anna", "", "", "", ""]


def test_finished_lesson_offers_a_match(tmp_path: Path) -> None:
    bench = lesson(tmp_path, name="buro_crazy")
    finish(bench)
    bench.take("Play it now", "Start")
    assert (bench.match.game.name, bench.match.names) == ("buro_crazy", ("Anna", "Ben", "Cleo"))
    assert bench.host.session.people == {0}


@pytest.mark.parametrize("place", [0, 2, 4])
def test_player_who_chooses_the_lesson_learns(tmp_path: Path, place: int) -> None:
    bench = lesson(tmp_path, place)
    first_call(bench, place)
    robots_at = [panel.place for panel in bench.frame.panels if panel.robot]
    assert robots_at == sorted((place + step) % 5 for step in (1, 2))
    bench.press(place, BUZZ)
    bench.wait(0.3)
    bench.press(place, "6")
    assert bench.match.moves[-1] == Move(LEARNER, "declare", (6,))


def test_lesson_waits_for_an_unplugged_seat(bench: Bench) -> None:
    first_call(bench)
    bench.press(0, BUZZ)
    bench.wait(0.3)
    bench.press(0, "6")
    bench.hand(0, "fault unplug")
    bench.wait(30)
    assert isinstance(bench.screen, Play)
    bench.hand(0, "fault unplug")
    assert bench.until(lambda: isinstance(bench.screen, HelpPage), 5)


def test_option_starts_a_lesson_directly(tmp_path: Path) -> None:
    bench = Bench(tmp_path, game="buntherum", lesson=True)
    assert page(bench).title == "Get rid of your cards"


def test_lesson_ignores_the_robots_of_the_table(tmp_path: Path) -> None:
    bench = robots(tmp_path, game="buntherum", lesson=True)
    assert [panel.place for panel in bench.frame.panels if panel.name] == [0, 1, 2]
    assert not bench.frame.panels[0].robot


@pytest.mark.parametrize("game", LESSONS, ids=[game.name for game in LESSONS])
def test_custom_box_is_mentioned_at_the_end(game: Game) -> None:
    assert game.lesson
    names = NAMES[: game.lesson.seats]
    usual, own = Tutor(game, names), Tutor(game, names, "ours")
    assert own.match.box_text == usual.match.box_text == game.box_text
    for move in written(game):
        usual.match.push(move)
        own.match.push(move)
    assert own.pages[:-1] == usual.pages[:-1]
    assert own.pages[-1].rows[:-1] == usual.pages[-1].rows
    assert str(own.pages[-1].rows[-1].text).startswith("The lesson used the built-in box. Yours, ours, ")


def test_lesson_has_no_seed() -> None:
    match: Match = new_match(load("buntherum"), NAMES[:3], lesson=True)
    assert "Seed" not in match.tags
    assert is_lesson(match)


def test_no_page_states_a_margin_in_milliseconds() -> None:
    pages = [page for game in LESSONS for step in game.lesson.steps for page in step.pages]
    texts = [row.text.msgid for page in pages for row in page.rows]
    assert not [text for text in texts if "thousandths" in text and re.search(r"\d", text)]

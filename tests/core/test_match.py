"""Matches: moves, undo, corrections, redraws, records and logs."""

from collections.abc import Sequence
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.console import Limit, Stage
from companion.core.dealer import Draw
from companion.core.errors import (
    AmendError,
    BoxError,
    CompanionError,
    IllegalMove,
    NewerRecordError,
    OptionError,
    RecordError,
)
from companion.core.match import SEED_TAG, Match
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.core.record import Evidence, parse_record
from companion.core.replay import loads, replay_entries
from companion.core.text import Text, msg, reader
from companion.testing.playout import random_move
from tests.sealed import SEALED, Console, DeclaredRules, RealDieRules, Rules, Rulings, State, View

GAMES = {"sealed": SEALED}
HEAD = '[Format "1"]\n[Game "sealed"]\n[Seat1 "Ann"]\n[Seat2 "Bob"]\n'
BOX = '[Box "highest = 3\\n"]\n\n'
TIE = ("1 commit 0", "2 commit 0", "T roll 1")


def played(*texts: str, names: tuple[str, ...] = ("Ann", "Bob"), **options) -> Match:
    match = Match(SEALED, names, **options)
    for text in texts:
        match.push(move(text))
    return match


def move(text: str) -> Move:
    return SEALED.notation.parse_move(None, text)


def everything(match: Match) -> tuple:
    return match.moves, match.state, match.drawn, tuple(match.entries), match.dumps()


# --- Moves ------------------------------------------------------------------------------------------------


def test_new_match_is_before_its_first_move() -> None:
    match = Match(SEALED, ["Ann", "Bob"])
    assert (match.moves, match.length, match.drawn, match.to_act, match.outcome) == ((), 0, 0, (0, 1), None)


@pytest.mark.parametrize("names", [[], ["Ann"], ["Ann", "Bob", "Cleo", "Dan", "Eve"]])
def test_wrong_number_of_players_is_refused(names: list[str]) -> None:
    with pytest.raises(OptionError) as refused:
        Match(SEALED, names)
    assert str(refused.value) == f"Sealed is for 2, 3 or 4 players, not {len(names)}"


def test_player_numbers_are_listed_in_the_readers_language() -> None:
    bakers = SEALED._replace(rules=SimpleNamespace(SEATS=range(2, 5, 2)), title=Text("Bakers"))
    with pytest.raises(OptionError) as refused:
        Match(bakers, ["Ann", "Bob", "Cleo"])
    assert reader("en")(refused.value.text) == "Bakers is for 2 or 4 players, not 3"
    assert reader("fr")(refused.value.text) == "Bakers se joue à 2 ou 4 joueurs, pas à 3"


def test_bad_box_is_refused() -> None:
    with pytest.raises(BoxError, match=r"^box\.toml: highest: allowed: a whole number$"):
        Match(SEALED, ["Ann", "Bob"], box_text="highest = many")


def test_push_returns_the_events() -> None:
    match = played("1 commit 3")
    told = match.push(move("2 commit 1"))
    assert [happened.kind for happened in told] == ["commit", "yours", "reveal", "point"]
    assert match.view().points == (1, 0)


def test_stale_prepared_step_is_refused() -> None:
    match = Match(SEALED, ["Ann", "Bob"])
    first, second = match.prepare(move("1 commit 3")), match.prepare(move("2 commit 3"))
    match.take(first)
    before = everything(match)
    with pytest.raises(ValueError, match=r"^prepared after 0 entries, taken after 1$"):
        match.take(second)
    assert everything(match) == before


@pytest.mark.parametrize("text", ["1 retract", "T roll 0"])
def test_refused_move_changes_nothing(text: str) -> None:
    match = played("2 commit 3")
    before = everything(match)
    with pytest.raises(IllegalMove):
        match.push(move(text))
    assert everything(match) == before


def test_prepared_step_changes_nothing_until_taken() -> None:
    match = played("1 commit 3")
    before = everything(match)
    steps = [match.prepare(move("2 commit 1")), match.prepare_undo(1), match.prepare_amend(1, move("1 commit 0"))]
    assert everything(match) == before
    match.take(steps[0])
    assert match.moves == (move("1 commit 3"), move("2 commit 1"))


def test_only_draws_are_counted_as_drawn() -> None:
    match = played(*TIE, *TIE)
    assert (match.length, match.drawn) == (6, 2)
    match.undo()
    assert match.drawn == 1


def test_table_decisions_are_not_counted_as_drawn() -> None:
    match = Match(SEALED._replace(rules=RealDieRules()), ["Ann", "Bob"])
    for text in ("T lost", "T roll 1", "T lost"):
        match.push(move(text))
    assert (match.length, match.drawn) == (3, 1)


def test_alternatives_are_moves_of_the_same_kind() -> None:
    match = Match(SEALED._replace(rules=RealDieRules()), ["Ann", "Bob", "Cleo"])
    for text in ("1 commit 1", "T roll 1", "1 retract"):
        match.push(move(text))
    assert match.alternatives(2) == [move("T roll 0"), move("T roll 2")]
    assert match.alternatives(3) == []


class TwiceRules(RealDieRules):
    """Rules that list each move twice."""

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        return [*super().legal(state, seat)] * 2


def test_duplicate_moves_are_one_alternative() -> None:
    match = Match(SEALED._replace(rules=TwiceRules()), ["Ann", "Bob", "Cleo"])
    for text in ("1 commit 1", "T roll 1"):
        match.push(move(text))
    assert match.alternatives(2) == [move("T roll 0"), move("T roll 2")]


@pytest.mark.parametrize("rules", [Rules(), DeclaredRules(), RealDieRules()])
def test_no_secret_is_listed_among_alternatives(rules: Rules) -> None:
    """Neither for a secret move, nor as a replacement of an open one."""
    match = Match(SEALED._replace(rules=rules), ["Ann", "Bob", "Cleo"])
    for text in ("1 commit 1", "1 retract", "1 commit 2", "2 commit 0", "3 commit 0"):
        match.push(move(text))
    listed = [match.alternatives(number) for number in range(1, match.length + 1)]
    assert [numbered for numbered, moves in enumerate(listed, 1) if moves] == []


class RuledRules(RealDieRules):
    """Rules in which the end of a time limit is also a move."""

    DRAWS = frozenset()


class RuledConsole(Console):
    def stage(self, view: View) -> Stage:
        return Stage(limit=Limit(1000, Move(TABLE, "lost")))


def test_ruling_may_be_corrected_to_any_open_move() -> None:
    match = Match(SEALED._replace(rules=RuledRules(), console=RuledConsole()), ["Ann", "Bob"])
    for text in ("1 commit 1", "T lost", "T roll 0"):
        match.push(move(text))
    assert match.alternatives(2) == [move("T roll 0"), move("T roll 1"), move("1 retract")]
    assert match.alternatives(3) == [move("T roll 1")]  # a decision of the house


def test_move_text_hides_secrets() -> None:
    match = played(*TIE)
    assert match.last_moves(2) == ["2 commit ??", "T roll 1"]
    assert [match.move_text(number) for number in (1, 2, 3)] == ["1 commit ??", "2 commit ??", "T roll 1"]


# --- Undo and corrections ---------------------------------------------------------------------------------


def test_undo_is_an_entry_and_returns_its_moves() -> None:
    match = played(*TIE)
    assert match.undo(2) == (move("2 commit 0"), move("T roll 1"))
    assert match.state == played("1 commit 0").state
    assert [str(entry) for entry in match.entries] == ["1. 1 commit 0", "2. 2 commit 0", "3. T roll 1", "undo 2"]
    match.push(move("2 commit 2"))
    assert str(match.entries[-1]) == "2. 2 commit 2"


def test_moves_of_one_key_stay_one_undo_unit() -> None:
    match = played("1 commit 3", "1 retract")
    match.push(move("1 commit 2"), Evidence(1))
    match.push(move("1 retract"), Evidence(1, key_move=2))
    match.push(move("1 commit 1"), Evidence(1, key_move=3))
    match.push(move("2 commit 0"))
    match.undo()
    match.amend(3, move("1 commit 1"))
    for same in (match, loads(match.dumps(), GAMES)):
        assert [same.undo_unit(length) for length in range(6)] == [0, 1, 1, 1, 2, 3]


def test_incomplete_key_press_has_a_shorter_undo_unit() -> None:
    match = Match(SEALED, ["Ann", "Bob"])
    match.push(move("1 commit 1"), Evidence(1, key_move=2))
    assert [match.undo_unit(length) for length in (0, 1)] == [0, 1]


@pytest.mark.parametrize("count", [-1, 0, 4])
def test_undo_of_an_impossible_count_is_refused(count: int) -> None:
    match = played(*TIE)
    before = everything(match)
    with pytest.raises(ValueError, match=rf"^cannot take back {count} of 3 moves$"):
        match.undo(count)
    assert everything(match) == before


def test_correction_replays_the_later_moves() -> None:
    match = played("1 commit 0", "2 commit 2", "1 commit 1")
    match.amend(1, move("1 commit 3"), "misread")
    assert match.moves == tuple(map(move, ("1 commit 3", "2 commit 2", "1 commit 1")))
    assert match.state == played("1 commit 3", "2 commit 2", "1 commit 1").state
    assert str(match.entries[-1]) == "amend 1. 1 commit 3 {misread}"


def test_correction_recounts_the_draws() -> None:
    match = played(*TIE)
    match.amend(3, move("T roll 0"))
    assert (match.drawn, match.view().points) == (1, (1, 0))
    match.amend(1, move("1 commit 0"))
    assert (match.drawn, match.view().points) == (1, (1, 0))


@pytest.mark.parametrize(
    ("texts", "number", "text", "error", "said"),
    [
        (TIE, 1, "1 commit 3", AmendError, "the correction makes move 3 (T roll 1) illegal: not accepted (SB-R1)"),
        (
            ("1 commit 3", "1 retract", "1 commit 2"),
            2,
            "3 commit 1",
            AmendError,
            "the correction makes move 3 (1 commit ??) illegal: not accepted (SB-R1)",
        ),
        (TIE, 2, "1 commit 1", IllegalMove, "not accepted (SB-R1)"),
        (TIE, 0, "1 commit 1", ValueError, "move 0 of 3 does not exist"),
        (TIE, 4, "1 commit 1", ValueError, "move 4 of 3 does not exist"),
    ],
)
def test_impossible_correction_is_named_and_changes_nothing(
    texts: tuple[str, ...], number: int, text: str, error: type[Exception], said: str
) -> None:
    match = played(*texts, names=("Ann", "Bob") if texts == TIE else ("Ann", "Bob", "Cleo"))
    before = everything(match)
    with pytest.raises(error) as refused:
        match.amend(number, move(text))
    assert str(refused.value) == said
    assert everything(match) == before


@given(seed=st.integers(0, 10**6), acts=st.lists(st.sampled_from("mmmmmua"), max_size=40))
def test_any_match_replays_from_its_record(seed: int, acts: list[str]) -> None:
    luck = Random(seed)
    match = Match(SEALED, ["Ann", "Bob", "Cleo"], rulings=Rulings(goal=2), tags={SEED_TAG: str(seed)})
    for act in acts:
        if act == "m" and match.to_act:
            match.push(random_move(SEALED.rules, match.state, luck.randrange), comment=f"t={luck.random()}")
        elif act == "u" and match.length:
            match.undo(1 + luck.randrange(match.length))
        elif act == "a" and match.length:
            number = 1 + luck.randrange(match.length)
            other = SecretMove(luck.randrange(3), "commit", (luck.randrange(4),))
            try:
                match.amend(number, other)
            except CompanionError:
                continue
    again = loads(match.dumps(), GAMES)
    assert everything(again) == everything(match)
    assert [told for _, told in replay_entries(match)][-1:] == [told for _, told in replay_entries(again)][-1:]


# --- Redraws ----------------------------------------------------------------------------------------------


def drawn_again(first: tuple[str, ...], *then: str, rules: Rules | None = None) -> Draw:
    """Make moves and a draw, undo all, make other moves, and return the draw then due."""
    match = Match(SEALED._replace(rules=rules or RealDieRules()), ["Ann", "Bob", "Cleo"])
    for text in (*first, "T roll 1"):
        match.push(move(text))
    match.undo(match.length)
    for text in then:
        match.push(move(text))
    return match.next_draw


def test_new_draw_is_not_a_redraw() -> None:
    assert played(*TIE[:2]).next_draw == Draw(0)
    assert played(*TIE).next_draw == Draw(1)


def test_same_public_decisions_bring_the_same_draw() -> None:
    tie = ("1 commit 0", "2 commit 0", "3 commit 0")
    for rules in (RealDieRules(), Rules(), DeclaredRules()):
        assert drawn_again(tie, *tie, rules=rules) == Draw(0, 0, same=True)
        assert drawn_again(tie, *reversed(tie), rules=rules) == Draw(0, 0, same=True)
        assert drawn_again(tie, *(text[:-1] + "1" for text in tie), rules=rules) == Draw(0, 1, same=False)


def test_unrevealed_secret_never_changes_a_draw() -> None:
    for mine, bobs in (("1 commit 0", "2 commit 3"), ("1 commit 2", "2 commit 1")):
        assert drawn_again(("1 commit 0", "2 commit 3"), mine, bobs) == Draw(0, 0, same=True)


def test_set_of_committed_seats_changes_the_draw() -> None:
    assert drawn_again(("1 commit 0",), "2 commit 0") == Draw(0, 1, same=False)
    assert drawn_again(("1 commit 0",)) == Draw(0, 1, same=False)


def test_each_line_of_play_keeps_its_own_draw() -> None:
    match = Match(SEALED._replace(rules=RealDieRules()), ["Ann", "Bob", "Cleo"])
    found = []
    for seats in ("1", "2", "12", "1", "12", "2", "21"):
        for seat in seats:
            match.push(move(f"{seat} commit 0"))
        found.append(match.next_draw.again)
        match.push(move("T roll 1"))
        match.undo(match.length)
    assert found == [0, 1, 2, 0, 2, 1, 2]


def test_correction_keeps_later_draws_for_its_line() -> None:
    match = Match(SEALED._replace(rules=RealDieRules()), ["Ann", "Bob", "Cleo"])
    for text in ("1 commit 0", "T roll 1", "T roll 2"):
        match.push(move(text))
    match.amend(1, move("2 commit 0"))
    match.undo(2)
    assert match.next_draw == Draw(0, 0, same=True)
    match.undo()
    match.push(move("1 commit 0"))
    assert match.next_draw == Draw(0, 0, same=True)
    match.push(move("1 retract"))
    assert match.next_draw == Draw(0, 1, same=False)
    again = loads(match.dumps(), {"sealed": SEALED._replace(rules=RealDieRules())})
    assert again.next_draw == match.next_draw


# --- Records ----------------------------------------------------------------------------------------------


def test_record_holds_everything_a_replay_needs() -> None:
    match = played(*TIE, rulings=Rulings(goal=4, low=True), tags={SEED_TAG: "4711", "Date": "2024-05-01"})
    assert match.dumps() == (
        f'{HEAD}[Ruling.goal "4"]\n[Ruling.ties "die"]\n[Ruling.low "true"]\n'
        f'[Seed "4711"]\n[Date "2024-05-01"]\n{BOX}'
        "1. 1 commit 0\n2. 2 commit 0\n3. T roll 1\n"
    )


def test_other_tags_beginning_with_seat_are_kept() -> None:
    match = loads(played(tags={"Seats": "round", "Seat1.Colour": "red"}).dumps(), GAMES)
    assert match.names == ("Ann", "Bob")
    assert (match.tags["Seats"], match.tags["Seat1.Colour"]) == ("round", "red")


def test_record_replays_with_its_stored_box() -> None:
    match = played(box_text="highest = 1\n")
    assert loads(match.dumps(), GAMES).box.highest == 1


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("", RecordError, "not a match record: the Format tag is missing"),
        (
            HEAD.replace('"1"', '"2"') + BOX,
            NewerRecordError,
            "record format 2 is from a newer version of the companion; this one reads 1. The record is unchanged: "
            "update the companion to open it",
        ),
        (HEAD.replace('"1"', '"0"') + BOX, RecordError, "unknown record format '0'; the companion reads 1"),
        (
            HEAD.replace("sealed", "saeled") + BOX,
            RecordError,
            "the game 'saeled' is not installed; install it, or set COMPANION_GAMES to the folder that contains it;"
            " known: sealed",
        ),
        (
            HEAD + '[Ruling.gaol "3"]\n' + BOX,
            OptionError,
            "record: unknown option 'gaol'; did you mean 'goal'? Allowed: goal, low, ties",
        ),
        (
            HEAD + '[Ruling.goal "5"]\n' + BOX,
            OptionError,
            "record: goal = '5'; allowed: a whole number from 1 to 4",
        ),
        (
            HEAD.replace("[Seat2", "[Seat4") + BOX,
            RecordError,
            "the seat tags are Seat1, Seat4; number them from Seat1, without gaps",
        ),
        (HEAD.replace("[Seat2", "[Chair2") + BOX, OptionError, "Sealed is for 2, 3 or 4 players, not 1"),
    ],
)
def test_record_with_a_bad_head_is_refused(text: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error) as refused:
        loads(text, GAMES)
    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "2. 2 commti 1",
            "entry 2 (2. 2 commti ??): no move 'commti'; did you mean 'commit'? Allowed: commit, retract",
        ),
        (
            "2. 2 commti 1 {I bid 1}",
            "entry 2 (2. 2 commti ??): no move 'commti'; did you mean 'commit'? Allowed: commit, retract",
        ),
        ("2. 9 commit 1", "entry 2 (2. 9 commit ??): '9' is not a seat; allowed: 1 to 5, T for the table"),
        ("2. 1 commit 1 {t}", "entry 2 (2. 1 commit ??): not accepted"),
        ("2. 2 commit ??", "entry 2 (2. 2 commit ??): '2 commit ??' lacks its number, or it is hidden"),
        ("3. 2 commit 1", "found move 3, expected move 2"),
        ("undo 2", "entry 2 (undo 2): cannot take back 2 of 1 moves"),
        ("amend 2. 2 commit 1", "entry 2 (amend 2. 2 commit ??): move 2 of 1 does not exist"),
        ("amend 1. 2 retract", "entry 2 (amend 1. 2 retract): not accepted"),
    ],
)
def test_unreplayable_entry_is_named(line: str, said: str) -> None:
    with pytest.raises(RecordError) as refused:
        loads(f"{HEAD}{BOX}1. 1 commit 2\n{line}\n", GAMES)
    assert str(refused.value) == said


def test_entry_error_is_translated_for_its_reader() -> None:
    with pytest.raises(RecordError) as refused:
        loads(f"{HEAD}{BOX}1. 9 commit 1\n", GAMES)
    why = dict(refused.value.text.values)["why"]
    assert why == msg("{found!r} is not a seat; allowed: 1 to 5, T for the table", found="9")


def test_unreplayable_correction_in_a_record_is_named() -> None:
    text = played(*TIE).dumps() + "amend 1. 1 commit 1\n"
    with pytest.raises(RecordError) as refused:
        loads(text, GAMES)
    assert str(refused.value) == (
        "entry 4 (amend 1. 1 commit ??): the correction makes move 3 (T roll 1) illegal: not accepted (SB-R1)"
    )


# --- Logs -------------------------------------------------------------------------------------------------


def log(match: Match, audience: int | None = None) -> list[str]:
    return [str(entry) for entry in match.log(audience).entries]


def secretive() -> Match:
    match = Match(SEALED, ["Ann", "Bob", "Cleo"], tags={SEED_TAG: "4711"})
    match.push(move("1 commit 3"), comment="keys 3 #")
    match.push(move("1 retract"), comment="keys *")
    match.push(move("2 commit 2"), comment="keys 2 #")
    match.amend(3, move("2 commit 1"), comment="misread")
    match.undo()
    return match


@pytest.mark.parametrize(
    ("audience", "first", "third", "fourth"),
    [
        (None, "1. 1 commit ??", "3. 2 commit ??", "amend 3. 2 commit ??"),
        (0, "1. 1 commit 3 {keys 3 #}", "3. 2 commit ??", "amend 3. 2 commit ??"),
        (1, "1. 1 commit ??", "3. 2 commit 2 {keys 2 #}", "amend 3. 2 commit 1 {misread}"),
        (2, "1. 1 commit ??", "3. 2 commit ??", "amend 3. 2 commit ??"),
    ],
)
def test_log_hides_the_secrets_of_others(audience: int | None, first: str, third: str, fourth: str) -> None:
    assert log(secretive(), audience) == [first, "2. 1 retract {keys *}", third, fourth, "undo 1"]


@pytest.mark.parametrize("audience", [None, 0, 1, 2])
def test_log_hides_the_seed_from_all(audience: int | None) -> None:
    assert secretive().log(audience).tags[SEED_TAG] == "??"
    assert "4711" not in str(secretive().log(audience))


def test_logs_are_equal_when_only_secrets_differ() -> None:
    one, other = played("1 commit 3", "1 retract"), played("1 commit 0", "1 retract")
    assert str(one.log()) == str(other.log()) == str(one.log(1))
    assert str(one.log(0)) != str(other.log(0))


def test_finished_match_hides_nothing() -> None:
    match = played("1 commit 3", "2 commit 1", rulings=Rulings(goal=1), tags={SEED_TAG: "4711"})
    assert match.outcome is not None
    assert str(match.log()) == match.dumps()
    match.undo()
    assert log(match) == ["1. 1 commit ??", "2. 2 commit ??", "undo 1"]


def test_log_without_hidden_moves_replays() -> None:
    match = played("1 commit 3")
    assert loads(str(match.log(0)), GAMES).state == match.state


def test_log_with_a_hidden_move_cannot_replay() -> None:
    text = str(played("1 commit 3").log())
    assert parse_record(text).entries[0].move == "1 commit ??"
    with pytest.raises(RecordError, match=r"^entry 1 \(1\. 1 commit \?\?\): .* hidden$"):
        loads(text, GAMES)

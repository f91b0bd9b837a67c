"""Each value of each of Buntherum's house rules."""

import pytest

from companion.core import options
from companion.core.console import BUZZ, Limit
from companion.core.errors import OptionError
from companion.core.move import TABLE, Move
from companion.games.buntherum import console, guide, rules
from companion.games.buntherum.rules import UNKNOWN, Phase, Rulings
from tests.games.buntherum.bh_table import BOX, Play, card
from tests.games.contract import kinds


def test_call_input_buzz_then_key_declares_after_buzzing():
    play = Play(call_input="buzz_then_key")
    play.flip("sky car")
    assert console.stage(play.view).race.controls == {BUZZ}
    assert play.refused("call", 1, 4) == "BH-R8"
    play.make("call", 1)
    assert play.view.phase == Phase.LOCKED
    play.make("declare", 4, seat=1)
    assert card("sky car") in play.view.rows[3]


def test_call_input_direct_calls_by_the_row_key():
    play = Play(call_input="direct")
    play.flip("sky car")
    assert console.stage(play.view).race.controls == set("0123456")
    assert play.refused("call", 1) == "BH-R8"
    events = play.make("call", 1, 4)
    assert kinds(events) == ["call", "declare", "right", "placed", "next"]
    assert card("sky car") in play.view.rows[3]


def test_call_input_direct_judges_impossible_and_wrong_rows():
    play = Play(call_input="direct")
    play.flip("pink car")
    play.make("call", 2, 0)
    assert (play.view.flipper, play.view.source) == (2, 2)
    play.flip("red flower")
    play.make("call", 0, 6)
    assert play.view.chips == (1, 0, 0)


@pytest.mark.parametrize(("option", "ms"), [(1, 1000), (1.5, 1500), (3, 3000), (10, 10000)])
def test_declare_s_limits_the_declaration(option, ms):
    play = Play(declare_s=option)
    play.flip("sky car")
    assert console.stage(play.view).limit is None
    play.make("call", 1)
    limit = console.stage(play.view).limit
    assert (limit.ms, limit.move) == (ms, Move(TABLE, "late"))


def test_late_declare_skip_costs_no_chip():
    play = Play(late_declare="skip")
    play.flip("sky car")
    play.make("call", 1)
    events = play.make("late")
    assert kinds(events) == ["late", "under", "next"]
    assert play.view.chips == (0, 0, 0)
    assert play.view.draw_pile == 25
    assert play.view.source == TABLE
    assert play.view.callers == (0, 1, 2)


def test_late_declare_skip_ends_a_tie_break():
    play = Play(4, late_declare="skip")
    play.flip("sky car")
    play.make("tie", 0, 3)
    play.turn()
    play.make("call", 3)
    play.make("late")
    assert play.view.callers == (0, 1, 2, 3)


def test_bh_a20_declare_s_may_be_a_fraction():
    assert options.read(Rulings, {"declare_s": "1.5"}, "here").declare_s == 1.5
    assert repr(options.read(Rulings, {"declare_s": 2.0}, "here").declare_s) == "2"
    with pytest.raises(OptionError, match="a number from 1 to 60"):
        options.read(Rulings, {"declare_s": "0.5"}, "here")


def test_bh_a20_late_declare_reopen_excludes_the_late_caller():
    play = Play(late_declare="reopen")
    play.flip("sky car")
    play.make("call", 1)
    events = play.make("late")
    assert kinds(events) == ["late", "reopen"]
    assert (play.view.phase, play.view.card, play.view.callers) == (Phase.OPEN, card("sky car"), (0, 2))
    assert play.view.chips == (0, 0, 0)
    assert not play.view.tied
    assert play.refused("call", 1) == "BH-A20"
    play.say(2, 4)
    assert (play.view.flipper, play.view.source, play.view.callers) == (2, 2, (0, 1, 2))


def test_bh_a20_late_declare_reopen_skips_when_all_were_late():
    play = Play(4, late_declare="reopen")
    play.turn()
    play.make("tie", 0, 3)
    play.turn()
    play.make("call", 3)
    play.make("late")
    assert (play.view.callers, play.view.tied) == ((0,), (0, 3))
    play.make("call", 0)
    assert kinds(play.make("late")) == ["late", "under", "next"]
    assert (play.view.chips, play.view.callers) == ((0, 0, 0, 0), (0, 1, 2, 3))


def test_bh_a20_reopened_card_without_callers_is_skipped():
    play = Play(3, late_declare="reopen", early_buzz="chip")
    play.wrong(2, 2)
    play.turn()
    for seat in (0, 1):
        play.make("call", seat)
        play.make("late")
    assert kinds(play.make("early", 2)) == ["early", "chip", "eliminated", "nobody", "under", "next"]
    assert play.view.callers == (0, 1)


def test_early_buzz_chip_costs_only_a_chip():
    play = Play(early_buzz="chip")
    assert console.early(play.view, 1) == Move(TABLE, "early", (1,))
    events = play.make("early", 1)
    assert kinds(events) == ["early", "chip"]
    assert play.view.chips == (0, 1, 0)
    assert play.view.phase == Phase.READY
    assert play.view.draw_pile == 25
    play.flip("sky car")
    play.make("call", 1)  # the chip is the whole penalty


def test_early_buzz_chip_counts_when_reported_after_card():
    play = Play(early_buzz="chip")
    play.flip("sky car")
    play.make("early", 1)
    assert play.view.chips == (0, 1, 0)
    assert play.view.phase == Phase.OPEN
    assert play.view.card == card("sky car")


def test_early_buzz_chip_costs_one_per_card():
    play = Play(early_buzz="chip")
    play.make("early", 1)
    assert console.early(play.view, 1) is None
    assert play.refused("early", 1) == "BH-A14"
    play.turn()
    assert play.refused("early", 1) == "BH-A14"
    play.make("nobody")
    play.make("early", 1)
    assert play.view.chips == (0, 2, 0)


def test_early_buzz_chip_eliminates_and_ends_match():
    play = Play(2, early_buzz="chip")
    for _ in range(2):
        play.make("early", 1)
        play.turn()
        play.make("nobody")
    play.make("early", 1)
    assert play.view.gone == (1,)
    assert play.view.outcome.winners == (0,)


def with_one_left_of_a_tie() -> Play:
    """Return a tie break of seats 0 (out) and 3 (two chips)."""
    play = Play(4, early_buzz="chip")
    play.wrong(0, 2)
    play.wrong(3, 2)
    play.turn()
    play.make("tie", 0, 3)
    play.make("early", 0)
    return play


def test_all_play_after_early_presses_eliminate_the_tie():
    play = with_one_left_of_a_tie()
    play.make("early", 3)
    assert play.view.gone == (0, 3)
    play.turn()
    assert play.view.callers == (1, 2)


def test_bh_a18_open_card_is_skipped_when_tie_is_eliminated():
    play = with_one_left_of_a_tie()
    play.turn()
    assert kinds(play.make("early", 3)) == ["early", "chip", "eliminated", "nobody", "under", "next"]
    assert (play.view.phase, play.view.callers) == (Phase.READY, (1, 2))


def test_bh_a20_reopened_real_card_is_not_turned_again():
    play = Play(3, open="at_once", late_declare="reopen", nobody_after_s=10)
    play.make("flip", UNKNOWN)
    assert play.view.armed
    play.make("call", 0)
    play.make("late")
    assert not play.view.armed
    assert "others play on" in str(console.prompt(rules.view(play.state, 0)))
    assert console.stage(play.view).limit


def test_eliminating_early_press_announces_the_new_pile():
    play = Play(3, early_buzz="chip")
    play.wrong(1, 2)
    play.right(1)
    assert (play.view.flipper, play.view.source) == (1, 1)
    events = play.make("early", 1)
    assert play.view.source == TABLE
    assert "next" in kinds(events)


@pytest.mark.parametrize("seconds", [1, 20])
def test_nobody_after_s_limits_an_open_card(seconds):
    play = Play(nobody_after_s=seconds)
    play.flip("sky car")
    limit = console.stage(play.view).limit
    assert (limit.ms, limit.move) == (seconds * 1000, Move(TABLE, "nobody"))


def test_nobody_after_s_zero_leaves_skipping_to_house():
    play = Play(nobody_after_s=0)
    play.flip("sky car")
    assert console.stage(play.view).limit is None
    assert console.house(play.view, "skip") == Move(TABLE, "nobody")


def test_bh_a26_open_at_once_turns_real_cards_automatically():
    play = Play(open="at_once")
    for seat in (1, 2):
        assert console.stage(play.view).deal.by_itself == Limit(1000, Move(TABLE, "flip", (UNKNOWN,)))
        play.right(seat)
    play.flip("??")
    assert play.view.armed


def test_bh_a26_open_ok_waits_for_the_house():
    play = Play(open="ok")
    assert console.stage(play.view).deal.by_itself is None
    assert console.house(play.view, "ok") == Move(TABLE, "flip", (UNKNOWN,))
    play.flip("??")
    assert not play.view.armed
    assert options.scripted(Rulings) == {"open": "ok"}


@pytest.mark.parametrize(("option", "limit"), [("at_once", None), ("ok", Limit(20_000, Move(TABLE, "nobody")))])
def test_bh_a26_clock_runs_only_for_a_turned_card(option, limit):
    play = Play(open=option, nobody_after_s=20)
    play.flip("??")
    assert console.stage(play.view).limit == limit


def test_bh_a27_judged_by_cards_allows_naming_before_call():
    play = Play(judged_by="cards")
    play.flip("??")
    assert kinds(play.make("card", card("sky car"))) == ["card"]
    assert (play.view.phase, play.view.card) == (Phase.OPEN, card("sky car"))
    assert kinds(play.say(1, 4)) == ["call", "declare", "right", "placed", "next"]


def test_bh_a27_judged_by_house_refuses_card_names():
    play = Play(judged_by="house")
    play.flip("??")
    assert play.refused("card", card("sky car")) == "BH-A27"
    play.say(1, 4)
    assert play.refused("card", card("sky car")) == "BH-A27"
    assert kinds(play.make("judge", 1)) == ["right", "placed", "next"]
    assert play.refused("read", 4, card("sky car")) == "BH-A27"


def test_bh_a27_judged_by_house_lays_starters_unread():
    play = Play(judged_by="house", starters=())
    assert console.stage(play.view).deal.by_itself == Limit(0, Move(TABLE, "laid"))
    assert kinds(play.make("laid")) == ["laid", "dealt", "next"]
    assert play.view.rows == ((UNKNOWN,),) * 6
    assert (play.view.draw_pile, play.view.piles) == (25, (9, 9, 9))
    assert Play(judged_by="cards", starters=()).refused("laid") == "BH-A27"


def test_bh_a27_judged_by_house_allows_overfull_rows():
    play = Play(judged_by="house", starters=())
    play.make("laid")
    for _ in range(8):
        play.flip("??")
        play.say(0, 1)
        assert play.view.phase == Phase.JUDGE
        play.make("judge", 1)
    assert len(play.view.rows[0]) == 9


@pytest.mark.parametrize("option", [True, False])
def test_bh_a2_printed_counts_includes_the_hexagon_print(option):
    play = Play(printed_counts=option)
    assert rules.fits(play.state, card("green car"), 1) is not option
    play.flip("green car")
    play.say(0, 1)
    assert play.view.chips == ((1, 0, 0) if option else (0, 0, 0))


@pytest.mark.parametrize(("option", "room"), [(True, 7), (False, 8)])
def test_printed_counts_limits_row_length(option, room):
    play = Play(printed_counts=option)
    row = play.state.rows[0]
    longest = (*row, *row * (room - 1))
    for cards, answer in ((longest[:-1], None), (longest, False)):
        state = play.state._replace(rows=(cards, *play.state.rows[1:]))
        assert rules.fits(state, rules.UNKNOWN, 1) is answer


def test_bh_a29_race_has_the_players_handicaps():
    for given, later_ms in (({"handicap_1": 350, "handicap_5": 100}, (350, 0)), ({}, ())):
        play = Play(2, **given)
        play.flip("sky car")
        assert console.stage(play.view).race.handicaps_ms == later_ms


@pytest.mark.parametrize(
    ("sentence", "rulings"),
    [
        ("you are out, and nobody waits for your buzzer", {}),  # BH-A7
        ("except within 0.3 s of the last card", {"early_buzz": "chip"}),  # BH-A14
        ("An earlier call still counts", {}),  # BH-R16
        ("An earlier call still counts", {"nobody_after_s": 10}),
        ("Your turn: the next card", {}),  # BH-R10
        ("a second after the verdict, or once its turner presses #", {}),  # BH-A26
        ("No clock runs before it is entered or called", {"nobody_after_s": 10}),  # BH-A26
    ],
)
def test_bh_a7_bh_a14_bh_r16_help_states_the_ruling(sentence, rulings):
    assert helped(sentence, **rulings) == 1


@pytest.mark.parametrize("rulings", [{}, {"early_buzz": "chip", "nobody_after_s": 10, "open": "ok"}])
def test_help_mentions_stopped_clock_only_where_it_applies(rulings):
    assert helped("No clock runs", **rulings) == 0


def helped(sentence: str, **rulings: object) -> int:
    """Return the number of help rows that contain a sentence."""
    return sum(sentence in str(row.text) for page in guide.pages(Rulings(**rulings), BOX) for row in page.rows)

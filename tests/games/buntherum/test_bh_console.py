"""The meaning of buzzers, keys, lamps and prompts in each phase of Buntherum."""

import pytest

from companion.core.console import BUZZ, Call, Deal, Keyed, Lamp, Limit, PlayerPrompt, Race, Stage
from companion.core.move import TABLE, Move
from companion.core.text import msg
from companion.games.buntherum import console, rules
from companion.games.buntherum.rules import IMPOSSIBLE, UNKNOWN
from tests.games.buntherum.bh_table import BOX, Play, card

BOTH_INPUTS = pytest.mark.parametrize("call_input", ["buzz_then_key", "direct"])


def opened(seats: int = 3, name: str = "sky car", **rulings) -> Play:
    play = Play(seats, **rulings)
    play.flip(name)
    return play


def locked(seat: int = 1) -> Play:
    play = opened()
    play.make("call", seat)
    return play


def judging() -> Play:
    play = opened(name="??")
    play.say(1, 4)
    return play


def over() -> Play:
    play = Play(5)
    play.right(0, 6)
    return play


def prompt(play: Play, seat: int | None) -> str:
    return str(console.prompt(rules.view(play.state, seat)))


def test_starters_come_together_and_cards_after_a_second():
    setup = console.stage(Play(3, starters=()).view)
    first = console.stage(Play(3).view)
    play = opened()
    play.say(0, 1)
    assert setup.deal.together
    assert setup.deal.pause_ms + first.deal.pause_ms == 1000
    assert console.stage(play.view).deal.pause_ms == 1000
    assert not console.stage(play.view).deal.together


@pytest.mark.parametrize(("call_input", "controls"), [("buzz_then_key", {BUZZ}), ("direct", set("0123456"))])
def test_open_card_starts_a_race_of_all_seats(call_input, controls):
    play = Play(3, call_input=call_input, tie_margin_ms=7)
    laid, dealt = msg("Last card laid? Press # and turn the next"), msg("Turn the next card: buzzer or #")
    by_hand = PlayerPrompt((0,), laid, offer=dealt)
    real = Limit(1000, Move(TABLE, "flip", (UNKNOWN,)))
    deal = Deal(500, early_controls=frozenset(controls), player_prompt=by_hand, by_itself=real)
    assert console.stage(play.view) == Stage(deal=deal)
    play.flip("sky car")
    assert console.stage(play.view) == Stage(race=Race(1, (0, 1, 2), frozenset(controls), 7), keying=1)


def test_each_card_starts_a_new_race():
    play = opened(early_buzz="chip")
    first = console.stage(play.view).race
    play.make("early", 2)
    assert console.stage(play.view).race == first
    play.make("nobody")
    play.turn()
    assert console.stage(play.view).race.number != first.number


def test_call_starts_the_declaration_clock():
    assert console.stage(locked().view) == Stage(limit=Limit(2000, Move(TABLE, "late"), 900, 50))


def test_no_clock_runs_during_judging_or_after_end():
    assert console.stage(judging().view) == Stage(keying=1)
    assert console.stage(over().view) == Stage()


def test_called_names_the_caller_or_all_tied():
    view = opened().view
    assert console.called(view, (Call(2, 5),)) == Move(TABLE, "call", (2,))
    assert console.called(view, (Call(2, 5), Call(0, 6))) == Move(TABLE, "tie", (0, 2))


def test_direct_call_carries_its_row():
    view = opened(call_input="direct").view
    assert console.called(view, (Call(2, 5, control="4"),)) == Move(TABLE, "call", (2, 4))
    assert console.called(view, (Call(2, 5, control="0"),)) == Move(TABLE, "call", (2, IMPOSSIBLE))


def test_early_press_costs_chip_between_setup_and_call():
    play = Play(3, early_buzz="chip")
    assert console.early(Play(3, starters=(), early_buzz="chip").view, 1) is None
    assert console.early(play.view, 1) == Move(TABLE, "early", (1,))
    play.flip("sky car")
    assert console.early(play.view, 1) == Move(TABLE, "early", (1,))
    play.make("call", 0)
    assert console.early(play.view, 1) is None


def test_early_press_of_eliminated_seat_is_ignored():
    play = Play(3, early_buzz="chip")
    play.wrong(1, 3)
    assert console.early(play.view, 1) is None


@pytest.mark.parametrize("key", "0123456")
def test_callers_digit_declares_the_row(key):
    assert console.key(locked(1).view, 1, key, {}) == Keyed(move=Move(1, "declare", (int(key),)))


@pytest.mark.parametrize(("seat", "key"), [(1, "7"), (1, "#"), (1, "*"), (0, "4"), (2, "0")])
def test_other_keys_and_seats_declare_nothing(seat, key):
    keyed = console.key(locked(1).view, seat, key, {})
    assert (keyed.move, keyed.accepted) == (None, False)


@BOTH_INPUTS
def test_bh_a11_card_is_skipped_once_all_callers_give_up(call_input):
    view = opened(call_input=call_input).view
    assert console.key(view, 0, "*", {}) == Keyed("*")
    assert console.key(view, 1, "*", {0: "*"}) == Keyed("*")
    assert console.key(view, 0, "*", {0: "*", 1: "*"}) == Keyed("*")
    assert console.key(view, 2, "*", {0: "*", 1: "*"}).move == Move(TABLE, "nobody")


@pytest.mark.parametrize("key", ["0", "4", "#", "A"])
def test_only_star_gives_a_card_up(key):
    assert not console.key(opened().view, 2, key, {0: "*", 1: "*"}).accepted


def test_bh_a18_only_tied_seats_give_up_in_tie_break():
    play = opened(4)
    play.make("tie", 0, 3)
    play.flip("red car")
    assert not console.key(play.view, 1, "*", {}).accepted
    assert console.key(play.view, 3, "*", {0: "*"}).move == Move(TABLE, "nobody")


def test_eliminated_seat_need_not_give_up():
    play = Play(3)
    play.wrong(1, 3)
    play.turn()
    assert not console.key(play.view, 1, "*", {}).accepted
    assert console.key(play.view, 2, "*", {0: "*"}).move == Move(TABLE, "nobody")


def test_house_names_an_unread_card_with_two_keys():
    play = opened(name="??")
    assert console.key(play.view, TABLE, "7", {}) == Keyed("7")
    named = console.key(play.view, TABLE, "8", {TABLE: "7"})  # seventh object, eighth colour
    assert named == Keyed(move=Move(TABLE, "card", (card("sky car"),)))
    assert console.key(judging().view, TABLE, "1", {TABLE: "1"}).move == Move(TABLE, "card", (card("green cube"),))


def test_house_keys_the_youngest_by_seat_number():
    view = rules.view(rules.setup(BOX, rules.Rulings(), 3), None)
    keyed = [console.key(view, TABLE, key, {}) for key in "01234"]
    assert [each.move for each in keyed] == [
        None,
        *(Move(TABLE, "youngest", (seat,)) for seat in range(3)),
        None,
    ]
    assert {str(each.why) for each in keyed if each.why} == {"Press the youngest player's seat: 1 to 3"}


def test_bh_a27_house_names_an_unread_card_in_a_row():
    play = judging()
    play.make("judge", 1)
    play.flip("??")
    row = 1 + [UNKNOWN in cards for cards in play.view.rows].index(True)
    typed = ""
    for key in f"B{row}7":
        keyed = console.key(play.view, TABLE, key, {TABLE: typed})
        assert keyed.accepted
        typed = keyed.entry
    assert typed == f"B{row}7"
    named = console.key(play.view, TABLE, "8", {TABLE: typed})
    assert named == Keyed(move=Move(TABLE, "read", (row, card("sky car"))))
    other = console.key(play.view, TABLE, str(row % 6 + 1), {TABLE: "B"})
    assert (other.entry, str(other.why)) == ("B", f"Rows with unread cards: {row}")
    assert str(console.key(opened().view, TABLE, "B", {}).why) == "All cards in the rows are known"


def test_bh_a27_no_cards_are_keyed_when_house_judges():
    play = opened(name="??", judged_by="house")
    for phase in ("open", "judge"):
        assert play.view.phase == phase
        assert str(console.key(play.view, TABLE, "7", {}).why) == "Cards are not entered here: the house judges"
        play.say(1, 4) if phase == "open" else None
    assert str(console.prompt(play.view)) == "House: right or wrong?"


def test_bh_a26_prompt_names_turner_while_calls_count():
    play = Play(3)
    play.flip("??")
    prompts = [str(console.prompt(rules.view(play.state, seat))) for seat in (0, 1, None)]
    assert prompts[0] == "You turn the next card. First buzzer counts"
    assert prompts[1] == "First buzzer counts"
    assert prompts[2] == "First buzzer counts. House: object, colour"
    play.make("tie", 0, 1)  # seat 2 turns it and is not in the tie
    play.flip("??")
    assert str(console.prompt(rules.view(play.state, play.view.flipper))) == "You turn the next card"


def test_house_deletes_a_mistyped_object_with_star():
    assert console.key(judging().view, TABLE, "*", {TABLE: "7"}) == Keyed("")


@pytest.mark.parametrize("key", ["0", "9", "#", "A"])
def test_invalid_colour_key_of_the_house_is_refused(key):
    refused = console.key(judging().view, TABLE, key, {TABLE: "7"})
    assert refused == Keyed("7", why=refused.why)
    assert str(refused.why) == "Colours are 1 to 8"


def test_house_cannot_rename_a_read_card():
    assert not console.key(locked().view, TABLE, "7", {}).accepted


@pytest.mark.parametrize(
    ("position", "meant"),
    [
        (lambda: Play(3, starters=()), {}),
        (lambda: Play(3), {"ok": Move(TABLE, "flip", (rules.UNKNOWN,))}),
        (opened, {"skip": Move(TABLE, "nobody")}),
        (locked, {}),
        (judging, {"right": Move(TABLE, "judge", (1,)), "wrong": Move(TABLE, "judge", (0,))}),
        (over, {}),
    ],
)
def test_house_controls_mean_moves_in_each_phase(position, meant):
    view = position().view
    controls = ("ok", "skip", "right", "wrong", "undo", "pause", "menu")
    assert {name: move for name in controls if (move := console.house(view, name))} == meant


def test_keys_for_gives_the_digit_of_a_declaration():
    assert console.keys_for(locked().view, Move(1, "declare", (4,))) == ("4",)
    assert console.keys_for(locked().view, Move(1, "declare", (IMPOSSIBLE,))) == ("0",)
    assert console.keys_for(opened().view, Move(TABLE, "nobody")) == ()


def test_callers_lamp_is_on():
    assert console.lamps(opened().view) == (Lamp.OFF, Lamp.OFF, Lamp.OFF)
    assert console.lamps(locked(1).view) == (Lamp.OFF, Lamp.ON, Lamp.OFF)
    assert console.lamps(judging().view) == (Lamp.OFF, Lamp.ON, Lamp.OFF)


def test_tied_seats_lamps_blink_until_tie_break_ends():
    play = opened(4)
    play.make("tie", 0, 3)
    blinking = (Lamp.BLINK, Lamp.OFF, Lamp.OFF, Lamp.BLINK)
    assert console.lamps(play.view) == blinking
    play.flip("red car")
    assert console.lamps(play.view) == blinking
    play.say(3, 1)
    assert console.lamps(play.view) == (Lamp.OFF,) * 4


def test_lamps_are_off_after_match_ending_tie_break():
    play = Play(5)
    play.right(3, 5)
    play.turn()
    play.make("tie", 0, 3)
    play.right(3)
    assert play.view.outcome.winners == (3,)
    assert console.lamps(play.view) == (Lamp.OFF,) * 5


def test_prompt_of_each_phase_says_what_is_due():
    begun = rules.setup(BOX, rules.Rulings(), 3)
    assert str(console.prompt(rules.view(begun, None))) == "Who is youngest? House: 1 to 3"
    assert str(console.prompt(rules.view(begun, 0))) == "The youngest turns the first card"
    assert prompt(Play(3, starters=()), None) == "Starter of side 1. House: object, colour"
    assert prompt(Play(3), None) == "Seat 1 turns the next card"
    assert prompt(Play(3), 0) == "You turn the next card"
    assert prompt(locked(1), None) == prompt(locked(1), 0) == "Seat 2 has the call"
    assert prompt(locked(1), 1) == "Your row: 1 to 6, 0 for impossible"
    assert prompt(judging(), None) == "House: object, colour; or right or wrong"
    assert prompt(judging(), 1) == "The house judges"
    assert prompt(over(), 1) == "The match is over"


@pytest.mark.parametrize(
    ("call_input", "said"),
    [("buzz_then_key", "First buzzer counts"), ("direct", "First key counts: 1 to 6, 0 for impossible")],
)
def test_prompt_of_open_card_says_what_counts(call_input, said):
    play = opened(call_input=call_input)
    assert {prompt(play, seat) for seat in (None, 0, 1, 2)} == {said}


def test_prompt_asks_verdict_when_row_is_unread():
    play = judging()
    play.make("judge", 1)
    play.flip("sky car")
    play.say(0, 4)
    assert prompt(play, None) == "House: right or wrong?"


def test_waiting_players_prompt_says_why():
    play = opened(4)
    play.make("tie", 0, 3)
    play.turn()
    assert prompt(play, 2) == "Wait: the others play off a tie"
    assert prompt(play, 3) == "First buzzer counts"
    play.wrong(0, 3)
    play.turn()
    assert prompt(play, 0) == "You are out of this match"


def test_bh_r15_prompt_tells_untied_player_to_turn():
    play = opened(4)
    play.make("tie", 0, 3)
    assert play.view.flipper in {1, 2}
    assert prompt(play, play.view.flipper) == "You turn the next card"


def test_bh_a7_prompt_tells_eliminated_caller_to_turn():
    play = Play(3)
    play.wrong(1, 3)
    assert play.view.flipper == 1
    assert prompt(play, 1) == "You turn the next card"

"""Tests of Böse Buben's keys, lamps and prompts."""

import pytest

from companion.core.console import BUZZ, KEYS, Deal, Keyed, Lamp, Stage
from companion.core.move import TABLE, Move, SecretMove
from companion.games.boese_buben import console, rules
from companion.games.boese_buben.rules import Phase
from tests.games.boese_buben.bb_starts import POSITIONS
from tests.games.boese_buben.bb_table import Play, ender


def typed(play: Play, seat: int, keys: str, entry: str = "") -> Keyed:
    """Press keys in turn; only the last may be refused or make a move."""
    view = rules.view(play.state, None if seat == TABLE else seat)
    keyed = Keyed(entry)
    for place, key in enumerate(keys.split()):
        entries = {seat: keyed.entry} if keyed.entry else {}
        keyed = console.key(view, seat, key, entries)
        if place < len(keys.split()) - 1:
            assert keyed.accepted, f"{key} is refused"
            assert keyed.move is None, f"{key} makes a move already"
    return keyed


def move_of(play: Play, seat: int, keys: str) -> Move:
    keyed = typed(play, seat, keys)
    assert keyed.accepted
    assert keyed.move is not None
    return keyed.move


def action(card: str, lanes: list[str]) -> Play:
    play = Play(len(lanes) - 1, variant="action").put(lanes, hands=[f"{card} 1a", *["1a"] * (len(lanes) - 2)])
    play.lay(f"R{card}", len(lanes))
    assert play.phase == Phase.ACTION
    return play


def schiebung() -> Play:
    play = ender(3, closing="2a", variant="action", mc=(0, 1, 0))
    play.end()
    return play


def asked(seats: int = 2, **options) -> Play:
    play = ender(seats, **options)
    play.end()
    return play


@pytest.mark.parametrize("position", POSITIONS)
def test_answer_keys_make_their_moves(position):
    state = POSITIONS[position](4)
    view = rules.view(state, *rules.to_act(state))
    for keys, move in console.question(view).answers.items():
        entry = ""
        for key in keys[:-1]:
            keyed = console.key(view, view.mover, key, {view.mover: entry})
            assert (keyed.move, keyed.why) == (None, None)
            entry = keyed.entry
        assert console.key(view, view.mover, keys[-1], {view.mover: entry}).moves == (move,)


@pytest.mark.parametrize("variant", ["basic", "action"])
@pytest.mark.parametrize(
    ("keys", "args"),
    [("4 2", (4, 2)), ("0 1", (0, 1)), ("6 3", (6, 3)), ("4 A 3", (10, 3)), ("1 A 1", (7, 1)), ("5 A 2", (11, 2))],
)
def test_value_action_key_and_lane_make_a_play(variant, keys, args):
    assert move_of(Play(2, variant=variant), 0, keys) == Move(0, "play", args)


def test_refusal_does_not_ask_for_the_next_key():
    """A refusal clears what was typed, so the card is due again."""
    assert str(typed(Play(2), 0, "0 A").why) == "the 0 has no action: leave out A"
    play = action("3a", ["R4", "B4", ""])
    assert str(typed(play, 0, "1 C").why) == "C is not a place: press a number after the lane"


def test_lane_may_repeat_the_card_digit():
    assert move_of(Play(3), 0, "4 4") == Move(0, "play", (4, 4))


@pytest.mark.parametrize(
    "keys", ["7", "8", "9", "A", "B", "#", "C", "D", "0 A", "6 A", "4 0", "4 4", "4 9", "4 #", "4 B"]
)
def test_wrong_play_keys_keep_the_entry(keys):
    keyed = typed(Play(2), 0, keys)
    assert (keyed.move, keyed.accepted) == (None, False)
    assert keyed.entry == "".join(keys.split()[:-1])


def test_second_action_key_is_refused():
    keyed = typed(Play(2), 0, "4 A A")
    assert (keyed.entry, keyed.accepted) == ("4A", False)


def test_star_deletes_the_last_key():
    play = Play(2)
    assert typed(play, 0, "4 A *") == Keyed("4")
    assert typed(play, 0, "4 *") == Keyed("")
    assert move_of(play, 0, "4 A * 2") == Move(0, "play", (4, 2))
    assert not typed(play, 0, "*").accepted


def test_basic_game_digit_plays_the_remaining_copy():
    play = Play(2).put(["", "", ""], hands=["4a 5 2 2a", "1"])
    assert move_of(play, 0, "4 1") == Move(0, "play", (10, 1))
    assert move_of(play, 0, "4 A 1") == Move(0, "play", (10, 1))
    assert move_of(play, 0, "5 1") == Move(0, "play", (5, 1))
    assert move_of(play, 0, "2 1") == Move(0, "play", (2, 1))
    assert move_of(play, 0, "2 A 1") == Move(0, "play", (8, 1))


def test_action_game_keeps_copies_apart():
    play = Play(2, variant="action").put(["", "", ""], hands=["4a 5 2 2a", "1"])
    assert typed(play, 0, "4 1").move in {None, Move(0, "play", (4, 1))}  # the rules refuse it
    assert move_of(play, 0, "4 A 1") == Move(0, "play", (10, 1))


@pytest.mark.parametrize("key", [*KEYS, BUZZ])
def test_only_the_mover_plays(key):
    play = Play(3)
    for seat in (1, 2, TABLE):
        keyed = typed(play, seat, key)
        assert (keyed.move, keyed.accepted, keyed.entry) == (None, False, "")


@pytest.mark.parametrize(("key", "said"), [("1", 1), ("0", 0)])
def test_owner_answers_with_one_key(key, said):
    move = move_of(asked(), 0, key)
    assert move == Move(0, "answer", (said,))
    assert isinstance(move, SecretMove)


def test_key_2_takes_free_card_with_the_right():
    assert move_of(asked(closing="1a", variant="action"), 0, "2") == Move(0, "answer", (2,))
    assert not typed(asked(), 0, "2").accepted


@pytest.mark.parametrize("key", [*"3456789*#ABCD"])
def test_wrong_keys_answer_nothing(key):
    keyed = typed(asked(zones=["R4 B2 B3"]), 0, key)
    assert (keyed.move, keyed.accepted) == (None, False)


@pytest.mark.parametrize(("key", "said"), [("A", 1), ("B", 0)])
def test_one_key_answers_for_all_own_cards(key, said):
    play = asked(zones=["R4 B2 R6"], purses=(9, 9))
    keyed = typed(play, 0, key)
    assert keyed.moves == (Move(0, "answer", (said,)),) * 2
    assert keyed.entry == key  # stays typed while somebody else is asked
    assert str(console.private(rules.view(play.state, 0), "")).endswith("; 4: 2, 6: 3")


def test_all_key_takes_all_cards_free():
    play = asked(closing="1a", variant="action", kostenlos="all", zones=["R4 R0"])
    assert [move.args for move in typed(play, 0, "A").moves] == [(2,), (1,)]


@pytest.mark.parametrize(
    ("zone", "said", "named"),
    [
        ("R4 R6", (1, 2), "6 free"),
        ("R6 R4", (2, 1), "6 free"),
        ("R4 B2 R6", (1, 2), "6 free"),
        ("R0 R1", (1, 2), "1 free"),
    ],
)
def test_bb_a25_all_key_spends_kostenlos_on_dearest(zone, said, named):
    play = asked(closing="1a", variant="action", zones=[zone], purses=(2, 9))
    assert tuple(move.args[0] for move in typed(play, 0, "A").moves) == said
    assert named in prompts(play)[1]


def test_card_owner_answers_instead_of_the_mover():
    play = asked(zones=["B4"])
    assert not typed(play, 0, "1").accepted
    assert move_of(play, 1, "1") == Move(1, "answer", (1,))


@pytest.mark.parametrize("keys", ["1 1 2 1", "2 1 1 1"])
def test_austausch_takes_two_places_in_either_order(keys):
    assert move_of(action("3a", ["R4 B2", "B4 R1", ""]), 0, keys) == Move(0, "exchange", (1, 1, 2, 1))


@pytest.mark.parametrize("keys", ["4", "#", "A", "1 3", "1 0", "1 1 0", "1 1 2 3", "1 1 A", "9"])
def test_wrong_keys_exchange_nothing(keys):
    keyed = typed(action("3a", ["R4 B2", "B4 R1", ""]), 0, keys)
    assert (keyed.move, keyed.accepted) == (None, False)


def test_rauswurf_takes_lane_and_place():
    play = action("4a", ["R5 B2", "", ""])
    assert move_of(play, 0, "1 1") == Move(0, "eject", (1, 1))
    assert not typed(play, 0, "2").accepted  # no card there
    assert not typed(play, 0, "1 3").accepted


def test_raengelei_takes_lane_and_all_places():
    play = action("5a", ["R1 B2 R3", "B1 R2", "", "R0"])
    assert move_of(play, 0, "1 3 1 2") == Move(0, "reorder", (1, 3, 1, 2))
    assert move_of(play, 0, "2 2 1") == Move(0, "reorder", (2, 2, 1))
    for keys in ("3", "5", "1 4", "1 1 1", "2 3", "1 2 0"):
        assert not typed(play, 0, keys).accepted


def test_schiebung_takes_two_seats():
    play = schiebung()
    assert move_of(play, 0, "2 3") == Move(0, "move_mc", (1, 2))
    assert move_of(play, 0, "1 2") == Move(0, "move_mc", (0, 1))
    for keys in ("4", "1 1", "1 0", "1 4", "#"):
        assert not typed(play, 0, keys).accepted


@pytest.mark.parametrize(
    "play",
    [
        lambda: action("3a", ["R4 B2", "B4 R1", ""]),
        lambda: action("4a", ["R5 B2", "", ""]),
        lambda: action("5a", ["R1 B2 R3", "", ""]),
        schiebung,
    ],
)
def test_zero_declines_and_prompt_says_so(play):
    table = play()
    assert move_of(table, 0, "0") == Move(0, "decline")
    assert "0" in str(console.prompt(rules.view(table.state, 0)))
    assert not typed(table, 1, "0").accepted
    assert typed(table, 0, "1 *") == Keyed("")
    assert not typed(table, 0, "1 0").accepted


def test_house_enters_who_begins():
    play = Play(3, first=None)
    assert move_of(play, TABLE, "2") == Move(TABLE, "first", (1,))
    for key in ("0", "4", "#", "A", "*"):
        assert not typed(play, TABLE, key).accepted
    for seat in range(3):
        assert not typed(play, seat, "1").accepted


def test_stage_draws_who_begins_then_waits_for_keys():
    setup = console.stage(Play(3, first=None).view)
    assert isinstance(setup.deal, Deal)
    assert setup == Stage(deal=setup.deal)
    for play in (Play(3), action("4a", ["R5 B2", "", ""]), schiebung(), asked(race=4)):
        assert console.stage(play.view) == Stage()
    assert console.stage(asked().view)._replace(keying=None) == Stage()


def test_lamp_shows_who_must_act():
    def on(play: Play) -> list[int]:
        lamps = console.lamps(play.view)
        assert set(lamps) <= {Lamp.ON, Lamp.OFF}
        return [seat for seat, lamp in enumerate(lamps) if lamp == Lamp.ON]

    assert on(Play(3, first=None)) == []
    assert on(Play(3, first=2)) == [2]
    assert on(action("4a", ["R5 B2", "", ""])) == [0]
    assert on(schiebung()) == [0]
    assert on(asked(zones=["B4"])) == [1]
    assert on(asked(race=4)) == []


def prompts(play: Play) -> list[str]:
    return [str(console.prompt(rules.view(play.state, seat))) for seat in (None, *play.seats)]


def test_only_the_mover_reads_the_keys():
    public, red, blue = prompts(Play(2))
    assert public == blue
    assert "Seat 1" in public
    assert "0-6" in red
    assert "1-3" in red
    public, red, blue = prompts(asked(zones=["B4"]))
    assert "Seat 2" in public
    assert public == red
    for part in ("4", "1: ", "0: ", "2"):  # card, keys and price
        assert part in blue


def test_prompt_offers_free_card_only_with_the_right():
    play = asked(closing="1a", variant="action")
    assert "2" in prompts(play)[1]
    assert "free" in prompts(play)[1]
    assert "free" not in prompts(asked())[1]


def test_forced_rauswurf_prompt_names_its_lanes():
    play = Play(2, variant="action", rauswurf="must").put(["R1 B2", "B5", "R3"], hands=["4a 6", "4 3"])
    play.lay("R4a", 3)
    public, red, blue = prompts(play)
    assert public == blue == "Seat 1 must throw out a five or a six"
    assert "lane 2, place" in red


def test_action_game_prompt_names_the_action_key():
    assert "A" in prompts(Play(2, variant="action"))[1]


def test_private_line_shows_own_ducats_and_hand():
    play = Play(2, variant="action").put(["", "", ""], hands=["4a 0", "1"], purses=(13, 27))
    assert console.private(play.view, "") is None
    own, other = (str(console.private(rules.view(play.state, seat), "")) for seat in (0, 1))
    assert "13" in own
    assert "4a" in own
    assert "27" not in own
    assert "27" in other
    assert "4a" not in other
    left = str(console.private(rules.view(play.state, 0), "4A"))
    assert left == own.replace(" 4a", "", 1)


@pytest.mark.parametrize(
    ("card", "text"),
    [
        ("1a", "one card back free if it ends the race"),
        ("2a", "move an MC card if it ends the race"),
        ("3a", "swap two equal cards"),
        ("4a", "throw out a 5 or a 6 for 1 ducat"),
        ("5a", "reorder a lane"),
    ],
)
def test_action_is_explained_before_it_is_played(card, text):
    play = Play(2, variant="action").put(["", "", ""], hands=[f"{card} 0", "1"])
    view = rules.view(play.state, 0)
    assert str(console.typed(view, card[0])) == f"{card[0]}, which lane? A: {text}"
    assert str(console.typed(view, card.upper())) == f"{card[0]}, which lane? Action: {text}"
    assert str(console.typed(view, "0")) == "Typed: 0"


def test_basic_game_never_mentions_actions():
    play = Play(2).put(["", "", ""], hands=["4a 0", "1"], purses=(13, 27))
    view = rules.view(play.state, 0)
    assert str(console.private(view, "")) == "13 ducats; 0 4"
    assert str(console.typed(view, "4")) == "Typed: 4"


def test_private_line_says_when_money_is_short():
    play = asked(purses=(1, 9))
    assert play.price == 2
    assert str(console.private(rules.view(play.state, 0), "")) != str(
        console.private(rules.view(asked(purses=(2, 8)).state, 0), "")
    )
    assert "not enough" in str(console.private(rules.view(play.state, 0), ""))

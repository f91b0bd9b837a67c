"""The meaning of keys, lamps and prompts in each phase of Büro Crazy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.console import BUZZ, KEYS, Keyed, Lamp
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.games.buro_crazy import console, rules
from companion.games.buro_crazy.rules import Phase
from tests.games.buro_crazy.bc_table import BOX, STAIRS, Play, SetUp, at_the_roof, counts, position
from tests.games.contract import find


def key(play: Play, seat: Seat, pressed: str, entry: str = "", others: dict[Seat, str] | None = None) -> Keyed:
    view = play.view if seat == TABLE else play.own(seat)
    return console.key(view, seat, pressed, {**(others or {}), seat: entry})


def type_keys(play: Play, seat: Seat, keys: str, entry: str = "") -> Keyed:
    """Press keys in turn, none of them refused."""
    keyed = Keyed(entry)
    for pressed in keys:
        assert keyed.move is None
        keyed = key(play, seat, pressed, keyed.entry)
        assert keyed.accepted, pressed
    return keyed


def refused(play: Play, seat: Seat, pressed: str, entry: str = "") -> bool:
    """Return whether a key is refused; the entry must stay."""
    keyed = key(play, seat, pressed, entry)
    assert keyed.accepted or keyed[:2] == (entry, None)
    return not keyed.accepted


def is_refused_anew(play: Play, seat: Seat, pressed: str, entry: str) -> bool:
    """Return whether a key is refused and clears the entry."""
    keyed = key(play, seat, pressed, entry)
    return not keyed.accepted and keyed[:2] == ("", None)


def prompt(play: Play, seat: Seat | None) -> str:
    return str(console.prompt(rules.view(play.state, seat)))


def private(play: Play, seat: Seat, entry: str = "") -> str:
    return str(console.private(play.own(seat), entry))


# Bids by cards.


@pytest.mark.parametrize(
    ("keys", "cards"),
    [
        ("#", []),
        ("1#", [1]),
        ("521#", [20, 2, 1]),
        ("12345#", [1, 2, 5, 10, 20]),
        ("5555#", [20] * 4),
        ("2122#", [1, 2, 2, 2]),
    ],
)
def test_keys_1_to_5_add_a_card(keys, cards):
    assert type_keys(Play(4), 0, keys).move == SecretMove(0, "commit", counts(cards))
    assert type(type_keys(Play(4), 0, keys).move) is SecretMove


def test_star_takes_the_last_card_back():
    assert type_keys(Play(4), 0, "52*1#").move == SecretMove(0, "commit", counts([20, 1]))
    assert type_keys(Play(4), 0, "5*") == Keyed("")
    assert refused(Play(4), 0, "*")


@pytest.mark.parametrize("entry", ["", "5", "552"])
def test_buzzer_locks_like_hash(entry):
    assert key(Play(4), 0, BUZZ, entry) == key(Play(4), 0, "#", entry)


@pytest.mark.parametrize("pressed", ["0", "6", "9", "A", "D"])
def test_other_keys_add_nothing(pressed):
    assert refused(Play(4), 0, pressed, "51")


def test_bid_is_limited_to_cards_in_hand():
    play = Play(4)
    play.put({0: [20, 20, 1]})
    assert type_keys(play, 0, "551").accepted
    for pressed, entry in (("5", "55"), ("5", "515"), ("2", ""), ("1", "1")):
        assert refused(play, 0, pressed, entry)
    assert type_keys(play, 0, "5", "5").entry == "55"


def test_card_keys_follow_the_boxs_value_order():
    view = Play(4).own(0)
    for place, value in enumerate(BOX.values, 1):
        assert console.key(view, 0, "#", {0: str(place)}).move == SecretMove(0, "commit", counts([value]))


@pytest.mark.parametrize("seat", [2, 3])
def test_keypads_outside_the_duel_are_dead(seat):
    play = Play(4)
    for pressed in KEYS:
        assert refused(play, seat, pressed)


def test_bc_a25_star_takes_a_locked_bid_back():
    play = Play(4)
    play.bid(0, [20])
    assert key(play, 0, "*").move == Move(0, "retract")
    for pressed in "15#0":
        assert refused(play, 0, pressed)
    play.make("retract", seat=0)
    assert type_keys(play, 0, "1#").move == SecretMove(0, "commit", counts([1]))


def test_rivals_lock_keeps_a_half_typed_bid():
    play = Play(4)
    before = console.stage(play.view).keying
    play.bid(1, [5])
    assert console.stage(play.view).keying == before
    play.make("retract", seat=1)
    assert console.stage(play.view).keying == before
    play.bid(1, [5])
    keyed = console.key(play.own(0), 0, "1", {0: "52", 1: ""})
    assert keyed == Keyed("521")


def test_each_attempt_and_pair_is_keyed_anew():
    play = Play(4, zero_tie_limit=3)
    seen = []
    for left, right in (([], []), ([1], [1]), ([2], [])):
        seen.append(console.stage(play.view).keying)
        play.fight(left, right)
    seen.append(console.stage(play.view).keying)
    assert None not in seen
    assert len(set(seen)) == 4


# Bids by total.


@pytest.mark.parametrize(
    ("keys", "cards"),
    [
        ("#", []),
        ("0#", []),
        ("19#", [10, 5, 2, 2]),
        ("152#", [1, 2, 5, 10, 20] * 4),
        ("20#", [20]),
        ("3*2#", [2]),
        ("007#", [5, 2]),
    ],
)
def test_bid_entry_total_uses_the_fewest_cards(keys, cards):
    play = Play(4, bid_entry="total")
    assert type_keys(play, 0, keys).move == SecretMove(0, "commit", counts(cards))


@pytest.mark.parametrize("entry", ["3", "24", "38", "9999", "44"])
def test_bid_entry_total_refuses_what_hand_cannot_show(entry):
    play = Play(4, bid_entry="total")
    play.put({0: [20, 20, 2]})
    assert is_refused_anew(play, 0, "#", entry)  # the next number begins anew


@pytest.mark.parametrize(("entry", "cards"), [("22", [20, 2]), ("42", [20, 20, 2]), ("40", [20, 20])])
def test_bid_entry_total_accepts_what_hand_can_show(entry, cards):
    play = Play(4, bid_entry="total")
    play.put({0: [20, 20, 2]})
    assert key(play, 0, "#", entry).move == SecretMove(0, "commit", counts(cards))


@pytest.mark.parametrize("pressed", ["A", "B", "C", "D"])
def test_bid_entry_total_accepts_only_digits(pressed):
    assert refused(Play(4, bid_entry="total"), 0, pressed, "1")


def test_tracking_points_bids_the_typed_number():
    play = Play(4, tracking="points")
    assert type_keys(play, 1, "37#").move == SecretMove(1, "total", (37,))
    assert is_refused_anew(play, 1, "#", "153")
    play.make("total", 37, seat=1)
    assert key(play, 1, "*").move == Move(1, "retract")


# Keys for moves.


@given(st.sampled_from(rules.SEATS), st.integers(0, 500), st.integers(1, 50), st.data())
def test_keys_for_a_move_make_that_move(seats, seed, length, data):
    state = position(seats, seed, length)
    for seat in rules.to_act(state):
        if seat == TABLE:
            continue
        legal = rules.legal(state, seat)
        view = rules.view(state, seat)
        move = legal[data.draw(st.integers(0, len(legal) - 1))]
        keys = console.keys_for(view, move)
        if not keys:
            # fewer cards show the same total
            assert move.verb == "commit"
            assert view.rulings.bid_entry == "total"
            total = sum(value * n for value, n in zip(view.values, move.args, strict=True))
            fewer = [other for other in legal if sum(map(int.__mul__, view.values, other.args)) == total]
            assert move.args != min(
                (other.args for other in fewer), key=lambda args: (sum(args), [-n for n in args[::-1]])
            )
            continue
        entry, made = "", None
        for place, pressed in enumerate(keys, 1):
            keyed = console.key(view, seat, pressed, {seat: entry} if entry else {})
            assert keyed.accepted
            entry, made = keyed.entry, keyed.move
            assert (made is not None) == (place == len(keys))
        assert made == move
        assert type(made) is type(move)


def test_table_moves_have_no_keys():
    view = Play(4).view
    for verb, args in (("coin", (0,)), ("roof", (5,)), ("counted", (3,)), ("place", STAIRS[4])):
        assert console.keys_for(view, Move(TABLE, verb, args)) == ()


# The end.


def test_report_is_typed_as_digits_and_hash():
    play = at_the_roof([1] * 9)
    play.hold({2: 230})
    assert type_keys(play, 2, "230#").move == SecretMove(2, "report", (230,))
    assert type_keys(play, 2, "239*1#").move == SecretMove(2, "report", (231,))
    assert refused(play, 2, "#", "229")
    assert refused(play, 2, "#", "1141")
    assert refused(play, 2, "#", "")
    assert refused(play, 2, "A", "23")
    play.make("report", 230, seat=2)
    for pressed in "1#*":
        assert refused(play, 2, pressed)


def test_wrong_key_after_first_lock_clears_last_report():
    """After an error the entry is empty, so `#` must not end the match."""
    play = Play(3, tracking="points").to("roof")
    for seat in (0, 1):
        play.make("report", play.own(seat).reportable[0], seat=seat)
    entry = type_keys(play, 2, f"{play.own(2).reportable[0]}#").entry
    assert is_refused_anew(play, 2, "7", entry)
    assert str(key(play, 2, "7", entry).why) == "that was not # or *: enter all your points again"
    assert key(play, 2, "*", entry) == Keyed(entry[:-1])
    assert key(play, 2, "#", entry).move


def test_first_lock_ends_nothing_after_anothers_undo():
    """Another report is undone after the first lock."""
    play = Play(3, tracking="points").to("roof")
    play.make("report", play.own(0).reportable[0], seat=0)
    entry = f"{play.own(2).reportable[0]}#"
    assert str(console.typed(play.own(2), entry)) == f"Points {entry[:-1]}"
    assert type_keys(play, 2, "7", entry).entry == f"{entry[:-1]}7"
    assert type_keys(play, 2, "*", entry).entry == entry[:-2]


def test_keypads_are_dead_during_deal_and_after_end():
    play = at_the_roof([1] * 18)
    play.make("roof", 1)
    over = at_the_roof([1])
    assert over.view.phase == Phase.OVER
    for table in (play, over):
        for seat in (TABLE, 0, 1, 2, 3):
            for pressed in KEYS:
                assert refused(table, seat, pressed)


# The house.


@pytest.mark.parametrize("seats", rules.SEATS)
def test_house_keys_the_placement_from_the_left(seats):
    play = SetUp(seats)
    keys = "".join(str(seat + 1) for seat in STAIRS[seats])
    assert type_keys(play, TABLE, keys + "#").move == Move(TABLE, "place", STAIRS[seats])
    assert refused(play, TABLE, "#", keys[:-1])
    assert is_refused_anew(play, TABLE, "1", keys)
    assert type_keys(play, TABLE, "*", keys) == Keyed(keys[:-1])
    assert refused(play, TABLE, "*")
    assert refused(play, TABLE, "0")
    assert refused(play, TABLE, str(seats + 1))
    double = keys[0] + keys[0] + keys[2:]
    assert refused(play, TABLE, "#", double)


@pytest.mark.parametrize("seats", rules.SEATS)
@pytest.mark.parametrize("tap", ["#", BUZZ])
def test_players_tap_figures_onto_stairs_from_the_left(seats, tap):
    play, placed, stairs = SetUp(seats), "", STAIRS[seats]
    for stands, seat in enumerate(stairs, 1):
        done = key(play, seat, tap, others={TABLE: placed})
        assert done == Keyed(placed + str(seat + 1) + "#" * (stands == len(stairs)), for_house=True)
        placed = done.entry
    assert key(play, 0, tap, others={TABLE: placed}) == Keyed(move=Move(TABLE, "place", stairs), for_house=True)
    assert key(play, TABLE, "#", placed).move == Move(TABLE, "place", stairs)
    assert key(play, 0, "*", others={TABLE: placed}) == Keyed(placed[:-2], for_house=True)


def test_tapped_figure_that_cannot_stand_is_refused():
    play = SetUp(4)
    assert str(key(play, 1, "#", others={TABLE: "312"}).why) == "P2 has two figures of seat 2: they cannot fight"
    assert str(key(play, 1, "#", others={TABLE: "21212324"}).why) == "all your 4 figures are placed"


def test_only_tap_and_colour_keys_work_before_placement():
    for pressed in set(KEYS) - {"A", "#"}:
        assert refused(SetUp(4), 0, pressed)


def test_house_keys_the_coins_winner():
    play = Play(4, zero_tie_limit=1)
    play.fight([], [])
    assert key(play, TABLE, "2").move == Move(TABLE, "coin", (1,))
    assert key(play, TABLE, "1").move == Move(TABLE, "coin", (0,))
    for pressed in ("3", "4", "0", "5", "#", "*"):
        assert refused(play, TABLE, pressed)
    for seat in (0, 1):
        assert refused(play, seat, "1")


def test_house_keys_roof_count_when_tracking_points():
    play = Play(4, tracking="points")
    assert type_keys(play, TABLE, "47#").move == Move(TABLE, "counted", (47,))
    assert type_keys(play, TABLE, "4*7#").move == Move(TABLE, "counted", (7,))
    assert refused(play, TABLE, "#", "151")
    assert refused(play, TABLE, "#", "")
    for pressed in "1#":
        assert refused(Play(4), TABLE, pressed)


# Stage.


def test_deal_is_due_for_placement_coin_and_roof():
    assert console.stage(SetUp(4).view).deal is not None
    coin = Play(4, zero_tie_limit=1)
    assert console.stage(coin.view).deal is None
    coin.fight([], [])
    assert console.stage(coin.view).deal is not None
    play = at_the_roof([1] * 9)
    play.hold({1: 3})
    assert console.stage(play.view).deal.together
    play.make("report", 3, seat=1)
    assert console.stage(play.view).deal is None
    assert console.stage(Play(4, tracking="points").to("roof").view).deal is None
    assert console.stage(at_the_roof([1]).view).deal is None


# Lamps, prompts, the seat's own screen.


def test_duel_lamps_blink_until_the_bid_is_locked():
    play = Play(4)
    assert console.lamps(play.view) == (Lamp.BLINK, Lamp.BLINK, Lamp.OFF, Lamp.OFF)
    play.bid(1, [])
    assert console.lamps(play.view) == (Lamp.BLINK, Lamp.ON, Lamp.OFF, Lamp.OFF)
    play.make("retract", seat=1)
    assert console.lamps(play.view) == (Lamp.BLINK, Lamp.BLINK, Lamp.OFF, Lamp.OFF)
    play.fight([1], [])
    assert console.lamps(play.view) == (Lamp.OFF, Lamp.OFF, Lamp.BLINK, Lamp.BLINK)


def test_report_lamps_blink_until_points_are_in():
    play = Play(4, tracking="points").to("roof")
    play.hold({2: 5})
    assert console.lamps(play.view) == (Lamp.BLINK,) * 4
    play.make("report", 5, seat=2)
    assert console.lamps(play.view) == (Lamp.BLINK, Lamp.BLINK, Lamp.ON, Lamp.BLINK)


def test_lamps_are_off_outside_duels_and_reports():
    coin = Play(4, zero_tie_limit=1)
    coin.fight([], [])
    for play in (SetUp(4), coin, at_the_roof([1])):
        assert console.lamps(play.view) == (Lamp.OFF,) * 4


def test_prompts_name_the_pair_and_the_keys():
    play = Play(4)
    assert "P1" in prompt(play, None)
    assert prompt(play, 2) == prompt(play, None)
    assert "#" in prompt(play, 0)
    play.bid(0, [])
    assert "*" in prompt(play, 0)
    assert prompt(play, 0) != prompt(play, 1)
    total = Play(4, bid_entry="total")
    assert "#" in prompt(total, 0)
    assert prompt(total, 0) != prompt(Play(4), 0)


def test_every_phase_has_its_own_prompt():
    coin = Play(4, zero_tie_limit=1)
    coin.fight([], [])
    tables = (
        SetUp(4),
        Play(4),
        coin,
        at_the_roof([1] * 9),
        Play(4, tracking="points").to("roof"),
        at_the_roof([1]),
    )
    assert len({prompt(table, None) for table in tables}) == len(tables)
    for table in tables:
        for seat in (None, 0, 1, 2, 3):
            assert 0 < len(prompt(table, seat)) <= 60


@given(st.integers(0, 100), st.lists(st.sampled_from(BOX.values), max_size=8), st.integers(0, 3))
def test_no_prompt_depends_on_a_hand(seed, hand, seat):
    play = Play(4)
    play.state = position(4, seed, 12, tracking="cards")
    before = [prompt(play, reader) for reader in (None, 0, 1, 2, 3)]
    play.put({seat: hand})
    assert [prompt(play, reader) for reader in (None, 0, 1, 2, 3)] == before


def test_private_line_shows_hand_and_locked_bid():
    play = Play(4)
    play.put({0: [20, 20, 5]})
    assert "45" in private(play, 0)
    play.bid(0, [20, 5])
    assert private(play, 0) == "Locked 25 (20 5); hand 20 (20)"
    assert private(play, 2) == private(Play(4), 2)


@pytest.mark.parametrize(
    ("rulings", "keys", "bid", "held"),
    [
        ({}, "51", "Bid 21 (20 1)", 131),
        ({"bid_entry": "total"}, "37", "Bid 37 (20 10 5 2)", "115 (3x20 3x10 3x5 3x2 4x1)"),
        ({"bid_entry": "total"}, "999", "Bid 999", 0),
        ({"tracking": "points"}, "37", "Bid 37", 115),
        ({"tracking": "points"}, "999", "Bid 999", 0),
    ],
)
def test_typed_bid_is_shown_with_the_remaining_hand(rulings, keys, bid, held):
    play = Play(4, **rulings)
    assert str(console.typed(play.own(0), keys)) == bid
    assert private(play, 0, keys).startswith(f"Hand {held}")
    assert console.typed(play.own(0), "") is None
    assert console.typed(play.own(3), "51") is None


def test_waiting_seat_sees_its_hand():
    assert "152" in private(Play(4), 3)
    assert "152" in private(Play(4, tracking="points"), 3)


def test_public_view_and_end_have_no_private_line():
    for play in (Play(4), at_the_roof([1] * 9)):
        assert console.private(play.view, "") is None
    assert console.private(at_the_roof([1]).own(0), "") is None


def test_typed_report_is_shown_to_its_seat():
    play = Play(4, tracking="points").to("roof")
    assert str(console.typed(play.own(0), "23")) == "Points 23"


def test_first_report_switches_prompts_to_reporting():
    play = at_the_roof([1] * 9)
    play.hold({2: 5})
    before = prompt(play, None)
    play.make("report", 5, seat=2)
    assert prompt(play, None) != before
    assert prompt(play, 2) != prompt(play, 0)
    assert find(play.told, "reported").seat == 2

"""Each value of each house rule of Böse Buben."""

import dataclasses

import pytest
from bb_table import Play, ender

from companion.core import options
from companion.core.errors import OptionError
from companion.games.boese_buben.rules import Phase, Rulings


def test_the_defaults_are_the_rulebook():
    assert dataclasses.asdict(Rulings()) == {
        "variant": "basic",
        "monochrome_lane": "three",
        "next_start": "after_last_play",
        "kostenlos": "one",
    }


@pytest.mark.parametrize(
    "found",
    [
        {"variant": "advanced"},
        {"monochrome_lane": "two"},
        {"next_start": "after_ender"},
        {"kostenlos": "none"},
        {"skip_proof": "engine"},  # alternatives that are no options: BB-A1, A2, A5, A12, A19, A20, A23, A29
        {"unique_scope": "track"},
        {"early_end_scores": True},
        {"bribery_order": "oldest_first"},
        {"rauswurf_to": "penalty"},
        {"rauswurf_ends": True},
        {"austausch_zone": "track"},
        {"tiebreak_cards": "hand"},
    ],
)
def test_unknown_options_and_values_are_refused_by_name(found):
    (key,) = found
    with pytest.raises(OptionError, match=f"here: .*{key}"):
        options.read(Rulings, found, "here")


def test_each_option_has_words_of_help():
    for field in dataclasses.fields(Rulings):
        assert str(field.metadata["help"])
        assert field.metadata["choices"][0] == field.default


@pytest.mark.parametrize(("variant", "phase"), [("basic", Phase.TURN), ("action", Phase.ACTION)])
@pytest.mark.parametrize("card", ["3a", "4a", "5a"])
def test_variant(variant, phase, card):
    play = Play(2, variant=variant).put(["R5 B2", "B5 R2", ""], hands=[f"{card} 1", "1"])
    play.lay(f"R{card}", 3)
    assert play.phase == phase


@pytest.mark.parametrize(
    ("lane", "three", "any_number"),
    [
        ("R4", 0, None),
        ("R4 R2", 0, None),
        ("R0 R2", 0, None),
        ("R1 R2 R3", None, None),
        ("R0", None, None),
        ("R4 B2", 0, 0),
        ("R4 R2 B3", 0, 0),
    ],
)
def test_monochrome_lane(lane, three, any_number):
    for value, winner in (("three", three), ("any", any_number)):
        play = ender(4, seat=3, lanes=[lane], monochrome_lane=value)
        play.end()
        assert play.prizes[0] == winner
        assert sum(play.purses) == 24 + 3 * (winner is not None)


@pytest.mark.parametrize(
    ("value", "starters"), [("after_last_play", {0: 1, 1: 2, 2: 0}), ("after_starter", {0: 2, 1: 2, 2: 2})]
)
def test_next_start(value, starters):
    for seat, starter in starters.items():
        play = ender(3, seat=seat, hands=["6", "6", "6"], race=2, next_start=value)
        play.put_books(starter=1)
        play.end()
        play.leave_all()
        assert (play.race, play.turn, play.starter) == (3, starter, starter)


def test_next_start_after_the_starter_counts_who_was_to_begin_even_if_he_skipped():
    play = Play(3, next_start="after_starter").put(
        ["R5", "R5a", "", ""], zones=["R1", "", "", ""], hands=["0", "6", "6"], race=1
    )
    play.lay("R0", 1)
    play.lay("B6", 3)
    play.lay("G6", 4)
    assert play.phase == Phase.BRIBERY
    play.answer("buy")
    assert (play.race, play.starter, play.turn) == (2, 1, 0)  # blue's race, but only red has a card
    play.lay("R1", 3)
    assert play.phase == Phase.OVER


@pytest.mark.parametrize(("value", "hand", "purse"), [("one", {"R3a"}, 6), ("all", {"R3a", "R4a", "R5a", "R2"}, 6)])
def test_kostenlos(value, hand, purse):
    play = ender(2, closing="1a", variant="action", kostenlos=value)
    play.end()
    while play.phase == Phase.BRIBERY:
        play.answer("free" if "free" in play.answers() else "leave")
    assert play.hand(0) == hand
    assert play.purses[0] == purse


def test_kostenlos_all_still_allows_to_buy_and_to_leave():
    play = ender(2, closing="1a", variant="action", kostenlos="all")
    play.end()
    for answer in ("leave", "buy", "free"):
        assert play.answers() == {"buy", "leave", "free"}
        play.answer(answer)
    assert play.hand(0) == {"R4a", "R5a"}
    assert play.purses == (4, 6)


def test_kostenlos_all_is_for_own_cards():
    play = ender(2, closing="1a", variant="action", kostenlos="all", zones=["B4"])
    play.end()
    assert play.asked == "B4"
    assert play.answers() == {"buy", "leave"}

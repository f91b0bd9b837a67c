"""Buntherum's sentences for events, and its text picture."""

import pytest

from companion.core.event import Event, event
from companion.core.move import TABLE, Move
from companion.core.text import msg, reader
from companion.games.buntherum import rules, text
from companion.games.buntherum.rules.kinds import Read
from companion.games.buntherum.rules.words import word
from tests.games.buntherum.bh_table import BOX, Play, card
from tests.games.contract import find

NAMES = ("Ada", "Bo", "Cy", "Di", "Eve")


def told(event: Event) -> str:
    return str(event.sentence(NAMES))


@pytest.mark.parametrize(
    ("verb", "sentence"),
    [("first", "Bo is the youngest and turns the first card"), ("lot", "By lot: Bo turns the first card")],
)
def test_bh_r5_sentence_tells_lot_from_youngest(verb, sentence):
    told_events = []
    rules.apply(rules.setup(BOX, rules.Rulings(), 3), Move(TABLE, verb, (1,)), told_events)
    assert [told(each) for each in told_events] == [sentence.replace("Bo", NAMES[1])]


def test_turn_is_narrated_step_by_step():
    play = Play(3)
    assert [told(each) for each in play.flip("sky car")] == ["Ada turns over the sky car (draw pile)"]
    assert [told(each) for each in play.say(1, 4)[:-1]] == [
        "Bo was first",
        "Bo says: row 4",
        "Right",
        "The sky car goes to row 4",
    ]
    assert [told(each) for each in play.flip("red flower")] == ["Bo turns over the red flower"]
    assert [told(each) for each in play.say(2, 0)[:-1]] == [
        "Cy was first",
        "Cy says: impossible",
        "Wrong",
        "The red flower goes under the draw pile",
        "A red chip for Cy: 1",
    ]


def test_card_read_late_is_named():
    assert told(event(Read(2, "red flower"))) == "The unread card of row 2 is the red flower"


def test_unread_card_has_no_name_until_read():
    play = Play(3)
    assert [told(each) for each in play.flip("??")] == ["Ada turns the next card (draw pile)"]
    play.say(1, 4)
    assert told(play.make("card", card("sky car"))[0]) == "The card is the sky car"


def test_tie_sentence_names_all_tied():
    play = Play(4)
    play.flip("sky car")
    assert told(play.make("tie", 0, 3)[0]) == "A tie: Ada, Di"


def test_end_is_narrated_with_its_reason():
    play = Play(5)
    assert told(find(play.right(4, 6), "over")) == "Eve wins: the last card!"
    play = Play(2)
    assert told(find(play.wrong(0, 3), "over")) == "Bo is the last one in the game and wins"


def test_bh_a1_must_place_end_names_the_winner():
    play = Play(5, last_card="must_place")
    sentence = told(find(play.right(4, 7), "over"))
    assert "Eve" in sentence
    assert "may turn" not in sentence  # it was turned long ago


def test_picture_shows_rows_card_and_players():
    play = Play(3)
    play.wrong(1, 3)
    play.wrong(2)
    play.right(0)
    play.flip("sky car")
    picture = text.picture(play.view, NAMES[:3], str)
    lines = picture.splitlines()
    assert lines[0].startswith("  1 [green cube] pink ball")
    assert lines[5].startswith("  6 [purple flower] pink telephone")
    assert lines[6] == "  open: sky car"
    players = [line.split() for line in lines[7:]]
    assert players[0] == ["Ada", "8", "cards"]
    assert players[1][:2] == ["Bo", "out"]
    assert players[2] == ["Cy", "9", "cards", "●"]


def test_picture_shows_no_card_before_a_turn():
    assert "open" not in text.picture(Play(2).view, NAMES[:2], str)


def test_picture_shows_an_unread_card_as_unread():
    play = Play(2)
    play.flip("??")
    assert "open: ??" in text.picture(play.view, NAMES[:2], str)


def test_custom_box_words_are_not_translated():
    french = reader("fr")
    assert french(msg("out")) == "hors jeu"
    assert french(word("out")) == "out"

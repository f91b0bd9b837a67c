"""Views show no hidden card and no hint; refusals change nothing."""

from random import Random

import pytest

from companion.core.move import TABLE
from companion.games.buntherum import console, rules
from companion.games.buntherum.rules import Phase, View
from tests.games.buntherum.bh_table import BOX, Play, card, fitting, some_rulings, wander
from tests.games.contract import kinds

EVERYBODY = (None, 0, 1, 2, 3)


def test_views_do_not_depend_on_hidden_cards():
    luck = Random("hidden")
    for _ in range(5):
        start = rules.setup(BOX, some_rulings(luck), 4)
        for state, _move, _next, _events in wander(start, luck):
            seen = sorted(set(BOX.deck) - set(state.unseen))
            swapped = state.unseen[::-1]
            if seen and swapped:
                swapped = (seen[0], *swapped[1:])
            for seat in EVERYBODY:
                assert rules.view(state._replace(unseen=swapped), seat) == rules.view(state, seat)


def test_all_seats_see_the_same():
    for state, *_ in wander(rules.setup(BOX, rules.Rulings(), 4), Random(1)):
        for seat in range(4):
            assert rules.view(state, seat)._replace(you=None) == rules.view(state, None)


def test_open_card_does_not_reveal_whether_it_fits():
    views, prompts, told = [], [], []
    for name in ("sky car", "pink car"):
        play = Play(4)
        events = play.flip(name)
        assert bool(fitting(play.state, card(name))) == (name == "sky car")
        views.append([rules.view(play.state, seat)._replace(card=0) for seat in EVERYBODY])
        prompts.append([console.prompt(rules.view(play.state, seat)) for seat in EVERYBODY])
        told.append([(one.kind, one.seat, {**one.facts, "card": ""}) for one in events])
        assert console.lamps(play.view) == (console.Lamp.OFF,) * 4
    assert views[0] == views[1]
    assert prompts[0] == prompts[1]
    assert told[0] == told[1]


def test_locked_call_does_not_reveal_its_verdict():
    views = []
    for name in ("sky car", "pink car"):
        play = Play(4)
        play.flip(name)
        assert kinds(play.make("call", 2)) == ["call"]
        views.append([rules.view(play.state, seat)._replace(card=0) for seat in EVERYBODY])
    assert views[0] == views[1]


def test_view_has_only_public_fields():
    public = (
        "you box rulings phase turn rows draw_pile piles chips gone flipper source callers early late tied card"
    )
    assert set(View._fields) == {*public.split(), "caller", "said", "outcome"}


@pytest.mark.parametrize(
    ("verb", "args", "seat", "rule"),
    [
        ("flip", (0,), TABLE, "BH-R6"),
        ("call", (7,), TABLE, "BH-R8"),
        ("call", (1,), 1, "BH-R8"),
        ("tie", (1,), TABLE, "BH-R15"),
        ("declare", (1,), 1, "BH-R7"),
        ("declare", (1,), TABLE, "BH-R7"),
        ("late", (), TABLE, "BH-A20"),
        ("nobody", (1,), TABLE, "BH-A11"),
        ("early", (1,), TABLE, "BH-A14"),
        ("youngest", (1,), TABLE, "BH-R5"),
        ("starter", (1, 1), TABLE, "BH-R3"),
        ("judge", (1,), TABLE, "BH-R9"),
        ("card", (1,), TABLE, "BH-R2"),
        ("dance", (), TABLE, "BH-R16"),
    ],
)
def test_refusal_names_its_paragraph(verb, args, seat, rule):
    play = Play(4)
    play.flip("sky car")
    assert play.view.phase == Phase.OPEN
    assert play.refused(verb, *args, seat=seat) == rule

"""Every game keeps its contract in random matches."""

from dataclasses import fields
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.console import BUZZ, HOUSE_CONTROLS, KEYS
from companion.core.event import BAD, GOOD
from companion.core.move import TABLE, Move, Seat
from companion.core.options import read
from companion.core.rules import State
from companion.core.text import reader
from companion.core.verbs import NOT_ACCEPTED, NOT_DUE, NOT_SO_MANY
from companion.games import load
from companion.match.new_match import NAMES
from tests.games import contract
from tests.games.contract import Step, random_match
from tests.of_games import LETTERS, facts

each_game = pytest.mark.parametrize("name", LETTERS)


@cache
def steps(name: str) -> tuple[Step, ...]:
    seats = load(name).rules.SEATS
    numbers = range(facts(name).matches)
    matches = (random_match(name, seats[n % len(seats)], Random(f"any {name} {n}")) for n in numbers)
    return tuple(step for match in matches for step in match)


def some_steps(name: str, most: int = 600) -> list[Step]:
    return Random(name).sample(steps(name), min(len(steps(name)), most))


def seats_of(name: str, state: State) -> range:
    return range(len(load(name).teller.score(load(name).rules.view(state, None))))


def drawn_position(name: str, data: Any) -> State:
    """Draw a position of a random match."""
    seats = data.draw(st.sampled_from(load(name).rules.SEATS))
    match = random_match(name, seats, Random(data.draw(st.integers(0, 200))))
    return [after for _, _, after, _ in islice(match, data.draw(st.integers(1, facts(name).longest)))][-1]


def numbers_near(name: str) -> st.SearchStrategy[int]:
    return st.integers(-3, 8) | st.sampled_from(facts(name).edges) | st.integers()


def is_accepted(name: str, state: State, move: Move) -> bool:
    paragraph = contract.refusal(load(name).rules, state, move)
    assert not paragraph or paragraph.startswith(f"{LETTERS[name]}-")
    return not paragraph


@each_game
@given(st.data())
def test_move_is_legal_exactly_when_accepted(name: str, data: Any) -> None:
    rules, state = load(name).rules, drawn_position(name, data)
    move = data.draw(contract.any_moves(tuple(rules.VERBS.names), numbers_near(name)))
    assert is_accepted(name, state, move) == (move in rules.legal(state, move.seat))


@each_game
@given(st.data())
def test_altered_move_is_legal_exactly_when_accepted(name: str, data: Any) -> None:
    rules, state = load(name).rules, drawn_position(name, data)
    able = [legal for seat in rules.to_act(state) if (legal := rules.legal(state, seat))]
    if not able:
        assert rules.to_act(state) == ()
        return
    legal = data.draw(st.sampled_from(able))
    move = legal[data.draw(st.integers(0, len(legal) - 1))]
    assert is_accepted(name, state, move)
    changed = contract.changed(data, move, tuple(rules.VERBS.names), numbers_near(name))
    assert is_accepted(name, state, changed) == (changed in rules.legal(state, changed.seat))


@each_game
def test_legal_moves_are_a_sequence_without_repeats(name: str) -> None:
    rules = load(name).rules
    for state, *_ in some_steps(name, 200):
        for seat in range(-2, 6):
            legal = rules.legal(state, seat)
            listed = list(islice(legal, 200))
            assert bool(listed) == (seat in rules.to_act(state))
            assert len(listed) == len(set(listed)) == min(len(legal), 200)
            assert [legal[place] for place in range(len(listed))] == listed
            assert [legal[place - len(legal)] for place in range(len(listed))] == listed
            assert all(move in legal and move.seat == seat for move in listed)
            for beyond in (len(legal), -len(legal) - 1):
                with pytest.raises(IndexError):
                    legal[beyond]


@each_game
def test_every_event_has_a_sentence_naming_its_seat(name: str) -> None:
    documented = contract.documented(str(load(name).title)).keys()
    seen = set()
    for state, _, _, events in steps(name):
        names = NAMES[: len(seats_of(name, state))]
        for happened in events:
            seen.add(happened.kind)
            sentence = happened.sentence(names)
            assert happened.data.tone in {"", GOOD, BAD}
            assert (sentence is None) == facts(name).silent(happened), happened
            if sentence is not None:
                assert "{" not in str(sentence)
                named = happened.seat is not None and happened.kind not in facts(name).nameless
                assert not named or names[happened.seat] in str(sentence), happened
    assert seen >= documented - facts(name).seldom
    assert seen <= documented


@each_game
def test_any_key_is_accepted_or_refused_with_reason(name: str) -> None:
    console, rules, luck, heard = load(name).console, load(name).rules, Random(name), set()
    french = reader("fr")
    for state, *_ in some_steps(name):
        entries: dict[Seat, str] = {}
        for seat in luck.choices((TABLE, *seats_of(name, state)), k=3):
            for key in luck.choices(KEYS if seat == TABLE else (*KEYS, BUZZ), k=5):  # the house has no buzzer
                keyed = console.key(rules.view(state, None if seat == TABLE else seat), seat, key, entries)
                assert keyed.accepted == (keyed.why is None), (state.phase, seat, entries, key)
                assert {move.seat for move in keyed.moves} <= {seat, TABLE}
                entries[TABLE if keyed.for_house else seat] = "" if keyed.move else keyed.entry
                heard |= {keyed.why} - {None}
    assert len({why.msgid for why in heard}) >= facts(name).reasons
    for why in heard:
        assert why not in {NOT_DUE, NOT_ACCEPTED, NOT_SO_MANY}
        assert french(why) != str(why)
        assert "{" not in str(why) + french(why)


@pytest.mark.parametrize("name", [name for name in LETTERS if not facts(name).races])
def test_stages_of_games_without_races_only_deal(
    name: str,
) -> None:
    console, rules = load(name).console, load(name).rules
    for *_, state, _ in some_steps(name):
        view = rules.view(state, None)
        stage = console.stage(view)
        assert stage.race is stage.limit is console.early(view, Seat(0)) is console.called(view, ()) is None
        assert {console.house(view, control) for control in HOUSE_CONTROLS} == {None}
        assert (stage.deal is not None) == bool(len(rules.draws(state)))


@each_game
def test_prompts_are_short_and_never_empty(name: str) -> None:
    game = load(name)
    for *_, state, _ in some_steps(name):
        for seat in (None, *game.rules.to_act(state)):
            prompt = str(game.console.prompt(game.rules.view(state, None if seat == TABLE else seat)))
            assert 0 < len(prompt) <= facts(name).prompt, prompt


@pytest.mark.parametrize("name", [name for name in LETTERS if name != "buro_crazy"])  # not every bid has keys
def test_last_key_of_keys_for_makes_the_move(name: str) -> None:
    game, luck, verbs = load(name), Random(name), set()
    for state, *_ in some_steps(name):
        for seat in seats_of(name, state):
            view, legal = game.rules.view(state, seat), game.rules.legal(state, seat)
            for move in luck.sample(legal, min(len(legal), 20)):
                keys, entry, made = game.console.keys_for(view, move), "", None
                kinds_put_away = sum(map(bool, move.args)) if move.verb == "unload" else 0
                if kinds_put_away > 1 and move.args != view.loads[seat]:  # one kind or all can be keyed
                    assert keys == ()
                    continue
                assert set(keys) <= set(KEYS)
                for place, key in enumerate(keys, 1):
                    keyed = game.console.key(view, seat, key, {seat: entry} if entry else {})
                    entry, made = keyed.entry, keyed.move
                    assert keyed.accepted
                    assert (made is not None) == (place == len(keys))
                assert (made, type(made)) == (move, type(move))
                verbs.add(move.verb)
    assert verbs == {step[1].verb for step in steps(name) if step[1].seat != TABLE}


@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, kind) for name in LETTERS for kind, bot in load(name).bots.items() if hasattr(bot, "decide")],
)
def test_robot_types_the_keys_of_a_legal_move(name: str, kind: str) -> None:
    game = load(name)
    bot: Any = game.bots[kind]
    for state, *_ in some_steps(name, 150):
        for seat in seats_of(name, state):
            view = game.rules.view(state, seat)
            move = bot.decide(view, seat, Random(5))
            assert move is None or move in game.rules.legal(state, seat)
            assert (move is not None) == (seat in game.rules.to_act(state)) or name == "buro_crazy"  # some wait
            acts, entry, made = bot.acts(view, seat, Random(5)), "", None
            assert [act.delay_ns for act in acts] == sorted(act.delay_ns for act in acts if act.delay_ns > 0)
            for act in acts:
                assert made is None
                keyed = game.console.key(view, seat, act.control, {seat: entry} if entry else {})
                assert keyed.accepted
                entry, made = keyed.entry, keyed.move
            assert made == move


@each_game
def test_menu_offers_only_allowed_values_of_rulings(name: str) -> None:
    rulings = load(name).rulings
    for option in fields(rulings):
        for value in option.metadata["steps"]:
            assert getattr(read(rulings, {option.name: value}, "menu"), option.name) == value

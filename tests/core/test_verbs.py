"""Legal moves, refusals and notation that follow from a game's verbs."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.choices import Choices, Singles
from companion.core.errors import IllegalMove, NotationError
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.core.text import Text, msg
from companion.core.verbs import (
    NOT_ACCEPTED,
    NOT_DUE,
    NOT_SO_MANY,
    Spelling,
    Told,
    Verb,
    Verbs,
    by_table,
    during,
    nothing,
    number,
    one_seat,
    takes,
    word_of,
)

ANNA, BEN = Seat(0), Seat(1)


class State(NamedTuple):
    phase: str = "play"
    total: int = 0
    asked: tuple[Seat, ...] = (ANNA,)


def is_asked(state: State, seat: Seat) -> bool:
    return seat in state.asked


def up_to_three(_state: State, _seat: Seat) -> Choices:
    return ((1,), (2,), (3,))


def any_digit(_state: State, _seat: Seat) -> Choices:
    return Singles(range(10))


def add(state: State, _seat: Seat, args: tuple[int, ...], told: Told) -> State:
    assert told is None
    return state._replace(total=state.total + args[0])


@takes(1)
def too_much(state: State, seat: Seat, args: tuple[int, ...]) -> Text:
    return msg("{n} of {seat} after {total}", n=args[0], seat=seat, total=state.total)


def elsewhere(_state: State, _seat: Seat, _args: tuple[int, ...]) -> tuple[str, Text]:
    return "T-9", msg("nobody is asked")


ONE_NUMBER: Spelling[str] = Spelling(
    lambda box, args: f"{box}{args[0]}", lambda box, words: (number(words[0].removeprefix(box)),)
)

VERBS: Verbs[State, str] = Verbs(
    "Tiny",
    {
        "add": Verb("T-1", during(("play",), is_asked, elsewhere), up_to_three, add, ONE_NUMBER, too_much),
        "bid": Verb("T-2", during(("play",), is_asked), any_digit, add, ONE_NUMBER, too_much, secret=True),
        "roll": Verb("T-3", during(("play", "wait"), by_table), up_to_three, add, ONE_NUMBER, draw=True),
    },
    ("T-8", "over"),
)


def refusal(state: State, move: Move) -> IllegalMove:
    with pytest.raises(IllegalMove) as told:
        VERBS.apply(state, move)
    assert str(told.value) == str(VERBS.refusal(state, move))
    assert told.value.seat == move.seat
    return told.value


def test_verbs_expose_exactly_what_is_declared() -> None:
    assert VERBS.title == "Tiny"
    assert VERBS.names == ("add", "bid", "roll")
    assert (VERBS.draws, VERBS.secrets) == ({"roll"}, {"bid"})


def test_legal_moves_follow_the_order_of_declaration() -> None:
    moves = list(VERBS.legal(State(), ANNA))
    assert moves == [Move(ANNA, "add", (n,)) for n in (1, 2, 3)] + [Move(ANNA, "bid", (n,)) for n in range(10)]
    assert [type(move) for move in moves] == [Move] * 3 + [SecretMove] * 10
    assert list(VERBS.legal(State(), BEN)) == []
    assert list(VERBS.legal(State("wait"), TABLE)) == [Move(TABLE, "roll", (n,)) for n in (1, 2, 3)]


def test_legal_move_has_its_effect() -> None:
    for move in (Move(ANNA, "add", (3,)), Move(ANNA, "bid", (3,)), Move(TABLE, "roll", (3,))):
        assert VERBS.apply(State(total=4), move) == State(total=7)


@pytest.mark.parametrize(
    ("state", "move", "said"),
    [
        (State("over"), Move(ANNA, "add", (1,)), "the match is over (T-8)"),
        (State("over"), Move(ANNA, "milk"), "the match is over (T-8)"),
        (State(), Move(ANNA, "milk"), "'milk' is not a move of Tiny (T-8)"),
        (State(total=5), Move(ANNA, "add", (4,)), "4 of 0 after 5 (T-1)"),
        (State(), Move(ANNA, "add", ()), f"{NOT_SO_MANY} (T-1)"),
        (State(), Move(ANNA, "add", (1, 2)), f"{NOT_SO_MANY} (T-1)"),
        (State(), Move(BEN, "add", (1,)), "nobody is asked (T-9)"),
        (State("wait"), Move(ANNA, "add", (1,)), "nobody is asked (T-9)"),
        (State(), Move(ANNA, "roll", (1,)), f"{NOT_DUE} (T-3)"),
        (State(), Move(TABLE, "roll", (7,)), f"{NOT_DUE} (T-3)"),
    ],
)
def test_each_refusal_has_its_reason_and_paragraph(state: State, move: Move, said: str) -> None:
    refused = refusal(state, move)
    assert str(refused) == said
    assert refused.own == refused.text


@pytest.mark.parametrize(
    ("state", "args", "own"), [(State(total=5), (11,), "11 of 0 after 5"), (State("wait"), (1,), str(NOT_DUE))]
)
def test_only_its_owner_reads_a_secret_moves_refusal(state: State, args: tuple[int, ...], own: str) -> None:
    refused = refusal(state, SecretMove(ANNA, "bid", args))
    assert str(refused) == f"{NOT_ACCEPTED} (T-2)"
    assert str(refused.own) == own


def test_choices_of_a_situation_are_computed_once() -> None:
    asked = []

    def only_anna(_state: State, seat: Seat) -> bool:
        asked.append(seat)
        return seat == ANNA

    verb: Verb[State, str] = Verb("T-1", during(("play",), only_anna), up_to_three, add)
    verbs: Verbs[State, str] = Verbs("Tiny", {"add": verb}, ("", "over"), lambda state, seat: (state.phase, seat))
    for total in range(3):
        assert len(verbs.legal(State(total=total), ANNA)) == 3
        assert len(verbs.legal(State(total=total), BEN)) == 0
    assert asked == [ANNA, BEN]


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Move(ANNA, "add", (2,)), "1 add x2"),
        (Move(TABLE, "roll", (3,)), "T roll x3"),
        (SecretMove(BEN, "bid", (9,)), "2 bid x9"),
    ],
)
def test_move_is_written_and_read_back(move: Move, text: str) -> None:
    assert VERBS.format_move("x", move) == text
    read = VERBS.parse_move("x", text)
    assert (read, type(read)) == (move, type(move))


def test_unknown_move_is_written_without_its_numbers() -> None:
    assert VERBS.format_move("x", Move(BEN, "milk", (1,))) == "2 milk"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 rol x3", "'rol' is not a move of Tiny; did you mean 'roll'? Allowed: add, bid, roll"),
        ("1", "'' is not a move of Tiny; allowed: add, bid, roll"),
        ("9 add x1", "'9' is not a seat; allowed: 1 to 5, T for the table"),
        ("1 add x-1", "'-1'; allowed: a whole number from 0 to 999"),
    ],
)
def test_unreadable_move_is_refused_with_its_reason(text: str, said: str) -> None:
    with pytest.raises(NotationError) as told:
        VERBS.parse_move("x", text)
    assert str(told.value) == said


def test_verb_without_numbers_accepts_none() -> None:
    verbs: Verbs[State, str] = Verbs(
        "Tiny", {"stop": Verb("T-1", during(("play",), is_asked), up_to_three, add)}, ("", "")
    )
    assert verbs.parse_move("x", "1 stop") == Move(ANNA, "stop")
    assert verbs.format_move("x", Move(ANNA, "stop")) == "1 stop"
    with pytest.raises(NotationError, match="unexpected '7'"):
        verbs.parse_move("x", "1 stop 7")


# --- Words ------------------------------------------------------------------------------------------------


@given(st.integers(0, 999))
def test_number_is_read_as_it_is_printed(n: int) -> None:
    assert number(str(n)) == n


@pytest.mark.parametrize("word", ["", "-1", "+1", "01", "1.0", "1000", "x", "²", "٣", "1 ", "9" * 5000])
def test_other_words_are_not_numbers(word: str) -> None:
    with pytest.raises(NotationError, match="allowed: a whole number from 0 to 999"):
        number(word)


@given(st.text(max_size=4), st.integers(0, 20), st.integers(0, 20))
def test_number_stays_within_its_bounds(word: str, least: int, most: int) -> None:
    try:
        found = number(word, least, most)
    except NotationError:
        return
    assert least <= found <= most
    assert str(found) == word


def test_bound_may_have_any_number_of_digits() -> None:
    assert number("12000", 0, 20000) == 12000
    with pytest.raises(NotationError, match="allowed: a whole number from 0 to 20000"):
        number("20001", 0, 20000)


def test_nearest_word_is_suggested() -> None:
    assert word_of("right", ("wrong", "right")) == 1
    with pytest.raises(NotationError, match=r"unknown word 'rigth'; did you mean 'right'\?"):
        word_of("rigth", ("wrong", "right"))


def test_too_many_words_are_refused() -> None:
    assert nothing([]) == ()
    with pytest.raises(NotationError, match="unexpected 'a b'"):
        nothing(["a", "b"])
    assert one_seat(["3"]) == 2
    with pytest.raises(NotationError, match="'3 4' is not a seat"):
        one_seat(["3", "4"])

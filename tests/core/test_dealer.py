"""The dealer's draws and the commitment to its seed."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.dealer import Dealer
from companion.core.match import Match
from companion.core.move import SecretMove
from tests.sealed import SEALED


@given(seed=st.text(), draw=st.integers(0, 10**6), size=st.integers(1, 10**9))
def test_same_seed_and_number_give_the_same_card(seed: str, draw: int, size: int) -> None:
    card = Dealer(seed).choose(draw, range(size))
    assert card in range(size)
    assert Dealer(seed).choose(draw, range(size)) == card


def test_draws_of_a_seed_never_change_between_releases() -> None:
    """A journal continues after an update only if its seed deals the same cards."""
    assert [Dealer("7").choose(draw, range(52)) for draw in range(10)] == [48, 44, 28, 36, 38, 13, 0, 11, 48, 25]


def test_redraws_of_a_seed_never_change_between_releases() -> None:
    dealer = Dealer("7")
    assert [dealer.choose(draw, range(52), again) for draw in (0, 1) for again in (0, 1, 2)] == [
        48,
        48,
        51,
        44,
        30,
        50,
    ]


def test_redraws_match_first_draws_only_by_chance() -> None:
    dealer = Dealer("7")
    same = sum(dealer.choose(draw, range(52)) == dealer.choose(draw, range(52), 1) for draw in range(5200))
    assert 60 < same < 150  # one in 52 by chance


def test_draw_does_not_depend_on_earlier_draws() -> None:
    dealer = Dealer("7")
    expected = [dealer.choose(draw, range(52)) for draw in range(20)]
    assert [dealer.choose(draw, range(52)) for draw in reversed(range(20))] == expected[::-1]


def test_other_seed_or_number_gives_other_cards() -> None:
    lines = {
        tuple(Dealer(seed).choose(first + n, range(52)) for n in range(8)) for seed in "ab" for first in (0, 8)
    }
    assert len(lines) == 4


@pytest.mark.parametrize(("size", "limit"), [(2, 10.8), (6, 20.5), (52, 87.0)])
def test_draws_are_uniform(size: int, limit: float) -> None:
    """The limits are the 99.9th percentiles of the chi-square distribution."""
    draws = 200 * size
    counts = [0] * size
    for draw in range(draws):
        counts[Dealer("chi square").choose(draw, range(size))] += 1
    expected = draws / size
    assert sum((count - expected) ** 2 / expected for count in counts) < limit


def test_draws_from_huge_ranges_are_uniform() -> None:
    """A remainder would pick low numbers in three of four draws, as 3 * 2**61 does not divide 2**64."""
    low = sum(Dealer("big").choose(draw, range(3 << 61)) < 2 << 61 for draw in range(5000))
    assert low / 5000 == pytest.approx(2 / 3, abs=0.03)


def test_draw_from_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to draw from"):
        Dealer("7").choose(0, ())


def test_commitment_is_the_hash_of_the_seed() -> None:
    assert Dealer("größe").commitment == sha256("größe".encode()).hexdigest()


def test_repr_hides_the_seed() -> None:
    assert repr(Dealer("4711")) == f"Dealer(commitment='{sha256(b'4711').hexdigest()}')"


def rolled(match: Match, dealer: Dealer) -> int:
    """Play a tied round, let the dealer roll, and return the die."""
    for seat in range(len(match.names)):
        match.push(SecretMove(seat, "commit", (2,)))
    move = dealer.choose(match.drawn, match.game.rules.draws(match.state))
    match.push(move)
    return move.args[0]


def test_undo_never_changes_the_dice() -> None:
    dealer, match = Dealer("9"), Match(SEALED, ["Ann", "Bob", "Cleo", "Dan"])
    dice = [rolled(match, dealer) for _ in range(3)]
    match.undo(5)
    assert rolled(match, dealer) == dice[-1]
    match.undo(match.length)
    assert [rolled(match, dealer) for _ in range(3)] == dice
    assert dice == [2, 3, 1]

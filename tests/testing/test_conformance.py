"""The conformance suite accepts the toy game and rejects its faults."""

from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from companion.core.console import BUZZ
from companion.core.game import Act, Game
from companion.core.match import Match, Step
from companion.core.move import Move, Seat
from companion.core.record import Record
from companion.games import load
from companion.testing.conformance import ConformanceError, check, some_rulings
from tests.sealed import SEALED, Console, DeclaredRules, RealDieRules, Rulings, StickyRules
from tests.testing.leaky import FAULTS

LOG = Match.log


class NoKeys(Console):
    def keys_for(self, view: object, move: object) -> tuple[str, ...]:
        return ()


class Buzzers(Console):
    def keys_for(self, view: object, move: object) -> tuple[str, ...]:
        return (BUZZ,)


SOUND = {
    "as it is": SEALED,
    "declared": SEALED._replace(rules=DeclaredRules()),
    "sticky": SEALED._replace(rules=StickyRules()),
    "real die": SEALED._replace(rules=RealDieRules()),
}


@pytest.mark.parametrize("kind", SOUND)
@pytest.mark.parametrize("seats", SEALED.rules.SEATS)
@pytest.mark.parametrize("seed", range(3))
def test_sound_game_passes(kind: str, seats: int, seed: int) -> None:
    luck = Random(seed)
    rulings = some_rulings(SEALED, luck.randrange)
    match = check(SOUND[kind], luck.randrange, seats=seats, rulings=rulings)
    assert match.outcome is not None
    assert len(match.names) == seats


@pytest.mark.parametrize("console", [NoKeys(), Buzzers()])
def test_game_without_keypad_moves_passes(console: Console) -> None:
    assert check(SEALED._replace(console=console), Random(1).randrange).outcome is not None


@pytest.mark.parametrize("fault", FAULTS)
def test_broken_game_is_rejected(fault: str) -> None:
    game, found = FAULTS[fault]
    with pytest.raises(ConformanceError, match=found):
        play_some(game)


def without(room: object, *names: str) -> SimpleNamespace:
    """Return a module without some of its attributes."""
    return SimpleNamespace(**{name: getattr(room, name) for name in dir(room) if name not in {*names, "__class__"}})


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ({"console": without(SEALED.console, "early", "house")}, "missing in its console: early, house"),
        ({"teller": without(SEALED.teller, "SCORE")}, "missing in its teller: SCORE"),
        ({"rules": without(SEALED.rules, "SECRETS")}, "missing in its rules: SECRETS"),
        ({"scene": "sealed.scene"}, "its scene is no module: sealed.scene"),
        ({"scene": "scene_of_sealed"}, "its scene is no module: scene_of_sealed"),
        ({"emblem": "wrnch"}, "its emblem is no drawing of assets/pictograms: wrnch; did you mean wrench?"),
        (
            {"scene": "sealed.scene", "emblem": "0"},
            "its scene is no module: sealed.scene; its emblem is no drawing of assets/pictograms: 0",
        ),
        ({"emblem": "0"}, "its emblem is no drawing of assets/pictograms: 0"),
    ],
)
def test_missing_or_wrong_game_part_is_named(part: dict[str, Any], found: str) -> None:
    with pytest.raises(ConformanceError) as caught:
        check(SEALED._replace(**part), Random(1).randrange)
    assert caught.value.broken == found


class Peeper:
    """A robot that remembers whose view it saw last."""

    def __init__(self) -> None:
        self.seen = ""

    def acts(self, view: object, seat: Seat, luck: Random) -> tuple[Act, ...]:
        last, self.seen = self.seen, str(seat)
        return (Act(luck.randrange(9), last),)


def test_robot_using_more_than_its_view_is_rejected() -> None:
    with pytest.raises(ConformanceError, match="the robot peeper of seat 1 acts by more than its view"):
        play_some(SEALED._replace(bots={"peeper": Peeper()}))


def test_question_skipped_for_lack_of_money_is_rejected() -> None:
    """A purse is secret, although no secret move made it."""
    buddies = load("boese_buben")
    rules = buddies.rules

    def apply(state: Any, move: Move, told: Any = None) -> Any:
        after = rules.apply(state, move, told)
        while after.asked[0] and len(rules.legal(after, after.mover)) == 1:
            after = rules.apply(after, rules.legal(after, after.mover)[0], told)
        return after

    with pytest.raises(ConformanceError, match=r"tells of the secret of seat \d"):
        play_some(buddies._replace(rules=SimpleNamespace(**vars(rules) | {"apply": apply})))


def play_some(game: Game) -> None:
    for seed in range(20):
        check(game, Random(seed).randrange, seats=3)


def test_error_names_the_moves_before_the_fault() -> None:
    with pytest.raises(ConformanceError) as caught:
        play_some(FAULTS["LaterEvent"].game)
    match = Match(SEALED, ["Ann", "Bob", "Cleo"])
    for move in caught.value.moves:
        match.push(move)
    assert match.moves[-1].verb == "retract"
    last = SEALED.notation.format_move(match.box, match.moves[-1])
    assert str(caught.value).startswith(f"{caught.value.broken}; moves before: {match.length}, the last: ")
    assert str(caught.value).endswith(last)


def shows_the_seed(match: Match, audience: int | None = None) -> Record:
    return Record(match.tags, LOG(match, audience).entries)


def shows_the_moves(match: Match, audience: int | None = None) -> Record:
    return Record(LOG(match, audience).tags, tuple(match.entries))


def hides_too_much(match: Match, audience: int | None = None) -> Record:
    return LOG(match, None)


@pytest.mark.parametrize(
    ("log", "found"),
    [
        (shows_the_seed, r"the log of everybody shows the seed"),
        (shows_the_moves, r"the log of everybody has \d+\. \d commit \d for \d commit \d"),
        (hides_too_much, r"the log of seat \d has \d+\. \d commit \?\? for \d commit \d"),
    ],
)
def test_leaking_log_is_rejected(log: object, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Match, "log", log)
    with pytest.raises(ConformanceError, match=found):
        play_some(SEALED)


def test_log_of_an_unfinished_match_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Match, "log", shows_the_moves)
    with pytest.raises(ConformanceError, match=r"the log of everybody"):
        check(SEALED, lambda size: size - 1, limit=1)


@pytest.mark.parametrize(
    ("method", "found"),
    [
        ("prepare_undo", r"undo of \d+ leads to another position"),
        ("prepare_amend", r"undo of \d+, redo, amend of \d+: another match"),
    ],
)
def test_undoing_one_move_too_many_is_rejected(method: str, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = getattr(Match, method)

    def one_too_many(*args: object, **words: object) -> Step:
        step: Step = right(*args, **words)
        return step._replace(kept=max(0, step.kept - 1))

    monkeypatch.setattr(Match, method, one_too_many)
    with pytest.raises(ConformanceError, match=found):
        play_some(SEALED)


def test_record_that_forgets_an_undo_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(match: Match, count: int) -> None:
        match.take(match.prepare_undo(count))
        match.entries.pop()

    monkeypatch.setattr(Match, "undo", forgetful)
    with pytest.raises(ConformanceError, match=r"^raises RecordError: found move \d+, expected move \d+"):
        play_some(SEALED)


def test_match_ends_at_the_limit() -> None:
    match = check(SEALED, Random(1).randrange, limit=2)
    assert (match.length, match.outcome) == (2, None)


def test_rulings_are_drawn_from_the_allowed_values() -> None:
    luck = Random(1)
    drawn = {some_rulings(SEALED, luck.randrange) for _ in range(200)}
    assert drawn == {
        Rulings(goal, ties, low) for goal, ties, low in product((1, 3, 4), ("die", "nobody"), (True, False))
    }

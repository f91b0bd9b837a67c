"""The toy game with one fault each; FAULTS has the error expected for each."""

from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

from companion.core.console import Touch
from companion.core.errors import IllegalMove
from companion.core.game import Game
from companion.core.move import TABLE, Move, SecretMove
from companion.core.rules import Outcome
from companion.core.text import msg
from tests.free_events import event
from tests.sealed import SEALED, Console, Notation, Rules, State, Teller


class Fault(NamedTuple):
    game: Game
    found: str
    """The regular expression for the error."""


FAULTS: dict[str, Fault] = {}


def breaks(found: str, part: str = "rules") -> Callable[[type], type]:
    """Register the toy game with the class as its `part`."""

    def note(cls: type) -> type:
        FAULTS[cls.__name__] = Fault(SEALED._replace(**{part: cls()}), found)
        return cls

    return note


# --- Values and determinism -------------------------------------------------------------------------------


class Tally(list):
    def __hash__(self) -> int:
        return 1


@breaks(r"changed the position that it was applied to")
class SharedList(Rules):
    def setup(self, *args: Any) -> Any:
        state = super().setup(*args)
        return state._replace(points=Tally(state.points))

    def point(self, state: Any, seat: int) -> Any:
        state.points[seat] += 1
        return state, ()


@breaks(r"changed the position that it was applied to")
class RefusalChanges(SharedList):
    def refusal(self, state: Any, move: Move) -> IllegalMove:
        state.points.append(0)
        return super().refusal(state, move)

    def point(self, state: Any, seat: int) -> Any:
        return state, ()


@breaks(r"a later move changed an earlier position")
class ChangesThePast(Rules):
    first = Tally()

    def setup(self, *args: Any) -> Any:
        return super().setup(*args)._replace(shown=self.first)

    def point(self, state: Any, seat: int) -> Any:
        self.first.extend(state.points if sum(state.points) == 2 else ())
        return super().point(state, seat)


@breaks(r"not hashable: unhashable type: 'list'")
class ListInside(Rules):
    def setup(self, *args: Any) -> Any:
        return super().setup(*args)._replace(shown=[])


@breaks(r"not a value: it does not equal its copy")
class ObjectInside(Rules):
    SHOWN = type("Shown", (), {})()

    def setup(self, *args: Any) -> Any:
        return super().setup(*args)._replace(shown=self.SHOWN)


@breaks(r"1 commit \d is not deterministic")
class Counter(Rules):
    def __init__(self) -> None:
        self.count = count()

    def play(self, state: Any, move: Move) -> Any:
        state, told = super().play(state, move)
        return state, (*told, event("number", n=next(self.count)))


@breaks(r"setup is not deterministic")
class RestlessSetup(Rules):
    def __init__(self) -> None:
        self.count = count()

    def setup(self, *args: Any) -> Any:
        return super().setup(*args)._replace(shown=(next(self.count),))


@breaks(r"the record replays otherwise")
class SecondMatchDiffers(Rules):
    matches = 0

    def setup(self, *args: Any) -> Any:
        state = super().setup(*args)
        self.matches += 1
        return state

    def point(self, state: Any, seat: int) -> Any:
        return super().point(state, seat if self.matches < 3 else 0)


@breaks(r"equal positions, unequal views of everybody")
class ViewByIdentity(Rules):
    def view(self, state: Any, seat: Any) -> Any:
        view = super().view(state, seat)
        return type("View", (), {name: getattr(view, name) for name in view._fields})()


# --- Turns and outcomes -----------------------------------------------------------------------------------


@breaks(r"setup accepts 0 seats")
class AnySeats(Rules):
    def setup(self, box: Any, rulings: Any, seats: int) -> Any:
        return State(box, rulings, (None,) * seats, (0,) * seats)


@breaks(r"to_act is \(0, 1, 2\) while the outcome is Outcome")
class ActsAfterTheEnd(Rules):
    def to_act(self, state: Any) -> Any:
        return super().to_act(state) or (0, 1, 2)


@breaks(r"to_act is \(\) while the outcome is None")
class NoOutcome(Rules):
    def to_act(self, state: Any) -> Any:
        return () if any(state.points) else super().to_act(state)

    def outcome(self, state: Any) -> None:
        return None


@breaks(r"raises KeyError: 'missing'")
class ReasonCrash(Rules):
    def outcome(self, state: Any) -> Any:
        found = super().outcome(state)
        return found and Outcome(found.ranking, msg("{missing}"))


@breaks(r"to_act is \(0, 0\): not seats")
class ActsTwice(Rules):
    def to_act(self, state: Any) -> Any:
        return (0, 0)


@breaks(r"seat 3 has legal moves and is not in to_act")
class ActsOutOfTurn(Rules):
    def to_act(self, state: Any) -> Any:
        return (0, 1) if 2 in super().to_act(state) else super().to_act(state)

    def legal(self, state: Any, seat: int) -> Any:
        return super().legal(state, 0) and [Move(2, "retract")] if seat == 2 else super().legal(state, seat)


@breaks(r"nobody has a legal move")
class Deadlock(Rules):
    def legal(self, state: Any, seat: int) -> Any:
        return () if state.rolling else super().legal(state, seat)


@breaks(r"the ranking \(\(\d,\),\) has not each seat exactly once")
class OnlyTheWinner(Rules):
    def outcome(self, state: Any) -> Any:
        full = super().outcome(state)
        return full and Outcome(full.ranking[:1], full.reason)


# --- Legal and illegal moves ------------------------------------------------------------------------------


@breaks(r"1 commit .* is not legal but accepted")
class AnyBid(Rules):
    def apply(self, state: Any, move: Move, told: Any = None) -> Any:
        if move.verb == "commit" and self.legal(state, move.seat)[1:]:
            return self.play(state, move)[0]
        return super().apply(state, move, told)


@breaks(r"1 commit 0 is legal but refused")
class NoZero(Rules):
    def apply(self, state: Any, move: Move, told: Any = None) -> Any:
        if move.args == (0,) and move.verb == "commit":
            raise self.refusal(state, move)
        return super().apply(state, move, told)


@breaks(r"2 commit 0 is no move of seat 1")
class WrongSeat(Rules):
    def legal(self, state: Any, seat: int) -> Any:
        return [move._replace(seat=1) if seat == 0 else move for move in super().legal(state, seat)]


@breaks(r"1 commit 0 leads elsewhere where nobody listens")
class OtherwiseUnheard(Rules):
    def apply(self, state: Any, move: Move, told: Any = None) -> Any:
        following = super().apply(state, move, told)
        return following if told is not None else following._replace(points=(1, *following.points[1:]))


@breaks(r"raises TypeError: Object of type object is not JSON serializable")
class ObjectInEvent(Rules):
    THING = object()

    def play(self, state: Any, move: Move) -> Any:
        state, told = super().play(state, move)
        return state, (*told, event("thing", thing=self.THING))


@breaks(r"`in` does not find it")
class LostInTheList(Rules):
    def legal(self, state: Any, seat: int) -> Any:
        class Blind(list):
            def __contains__(self, move: object) -> bool:
                return False

        return Blind(super().legal(state, seat))


@breaks(r"T roll 3 is drawn")
class DrawsTooMuch(Rules):
    def draws(self, state: Any) -> Any:
        return [*super().draws(state), Move(TABLE, "roll", (3,))] if state.rolling else ()


@breaks(r"T roll 0 is drawn")
class DrawsOutOfTurn(Rules):
    def draws(self, state: Any) -> Any:
        return [Move(TABLE, "roll", (0,))]


@breaks(r"is secret, or its verb is one of SECRETS, not both")
class UndeclaredSecret(Rules):
    SECRETS = frozenset()


@breaks(r"is drawn, but is no legal move of the TABLE or not of DRAWS")
class NoDraws(Rules):
    DRAWS = frozenset()


@breaks(r"is refused without its seat or a paragraph")
class NoParagraph(Rules):
    def refusal(self, state: Any, move: Move) -> IllegalMove:
        return IllegalMove(move.seat, "not your turn", msg("not accepted"))


@breaks(r"is refused without its seat or a paragraph")
class NoSeat(Rules):
    def refusal(self, state: Any, move: Move) -> IllegalMove:
        return IllegalMove(7, "SB-R1", msg("not accepted"))


@breaks(r"is not refused by a paragraph, it raises ValueError")
class BareError(Rules):
    def refusal(self, state: Any, move: Move) -> Any:
        return ValueError("no")


# --- Notation and console ---------------------------------------------------------------------------------


@breaks(r"1 commit 3 is printed as '1 commit 3' and read as 1 commit 2", "notation")
class ParseLoss(Notation):
    def parse_move(self, box: Any, text: str) -> Move:
        return super().parse_move(box, text.replace("3", "2"))


@breaks(r"read as 1 commit 0, a Move", "notation")
class SecretLost(Notation):
    def parse_move(self, box: Any, text: str) -> Move:
        return Move(*super().parse_move(box, text))


@breaks(r"'1 commit \{0\}' is no text of a move", "notation")
class Braces(Notation):
    def format_move(self, box: Any, move: Move) -> str:
        return super().format_move(box, move).replace("commit 0", "commit {0}")


@breaks(r"'1 commit \?\?' hides a secret and is read as a move", "notation")
class GuessesHidden(Notation):
    def parse_move(self, box: Any, text: str) -> Move:
        return super().parse_move(box, text.replace("??", "1"))


@breaks(r"reading .* raises (IndexError|ValueError|KeyError).*: no NotationError", "notation")
class ParseCrash(Notation):
    def parse_move(self, box: Any, text: str) -> Move:
        if text.endswith("??"):
            return super().parse_move(box, text)
        seat, verb, *args = text.split()
        kind = {"commit": SecretMove, "retract": Move, "roll": Move}[verb]
        return kind({"T": TABLE}.get(seat, int(seat.replace("T", "0")) - 1), verb, tuple(map(int, args)))


@breaks(r"1 commit \d is made by the keys \d#, and cannot be touched behind '\d'", "console")
class NoTouchThatLocks(Console):
    def touches(self, view: Any, entry: str) -> Any:
        return tuple(Touch(key, msg("key")) for key in "0123456789")


@breaks(r"the keys 3 # are said to make 1 commit 3 and do not", "console")
class WrongKey(Console):
    def key(self, view: Any, seat: int, key: str, entries: Any) -> Any:
        return super().key(view, seat, key.replace("3", "2"), entries)


@breaks(r"the keys 0 # are said to make 1 commit 0 and do not", "console")
class MoveTooEarly(Console):
    def key(self, view: Any, seat: int, key: str, entries: Any) -> Any:
        keyed = super().key(view, seat, key, entries)
        return super().key(view, seat, "#", {seat: key}) if keyed.entry and key != "#" else keyed


@breaks(r"1 commit 0 is a SecretMove by the rules or by the keys, not by both", "console")
class KeyedOpenly(Console):
    def key(self, view: Any, seat: int, key: str, entries: Any) -> Any:
        keyed = super().key(view, seat, key, entries)
        return keyed._replace(move=keyed.move and Move(*keyed.move))


@breaks(r"clears what others type: the `keying` of the stage is None, then None", "console")
class ForgetsWhatIsTyped(Console):
    def stage(self, view: Any) -> Any:
        return super().stage(view)._replace(keying=None)


@breaks(r"clears what others type: the `keying` of the stage is 0, then 1", "console")
class AnotherKeyingEachMove(Console):
    def stage(self, view: Any) -> Any:
        return super().stage(view)._replace(keying=sum(view.locked))


@breaks(r"raises KeyError: 'missing'", "console")
class PromptCrash(Console):
    def prompt(self, view: Any) -> Any:
        return msg("{missing}")


@breaks(r"raises NotImplementedError: no stage", "console")
class StageCrash(Console):
    def stage(self, view: Any) -> Any:
        raise NotImplementedError("no stage")


@breaks(r"raises KeyError: 'missing'")
class TellerCrash(Rules):
    def apply(self, state: Any, move: Any, told: Any = None) -> Any:
        if told is not None:
            told.append(event("unsaid", said=msg("{missing}")))
        return super().apply(state, move, told)


@breaks(r"raises ZeroDivisionError", "teller")
class PictureCrash(Teller):
    def picture(self, view: Any, names: Any, render: Any) -> Any:
        return 1 // 0


@breaks(r"not one score a seat", "teller")
class ScoreMissing(Teller):
    def score(self, view: Any) -> Any:
        return super().score(view)[1:]


@breaks(r"not one colour a seat", "teller")
class ColourMissing(Teller):
    def colours(self, view: Any) -> Any:
        return super().colours(view)[1:]


@breaks(r"not one lamp a seat", "console")
class LampTooMany(Console):
    def lamps(self, view: Any) -> Any:
        return (*super().lamps(view), "on")

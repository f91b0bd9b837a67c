"""The console of any other game: buzzers call and stop clocks, `#` locks a number, the house keys points."""

from collections.abc import Mapping
from typing import Final

from companion.core.console import (
    BACK,
    BUZZ,
    NOTHING_TYPED,
    TURN,
    Call,
    Code,
    Deal,
    HouseEntry,
    Keyed,
    Lamp,
    Limit,
    Race,
    Stage,
    digits_of,
)
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.core.text import Text, msg, seat_name
from companion.core.units import MS
from companion.games.any.rules import AMOUNT_MOST, KINDS, NOBODY, Kind, Phase, View, bid_most

LOCK: Final = TURN

RIGHT: Final = "1"
WRONG: Final = "0"
"""The keys of a seat that asks, each confirmed by LOCK."""

ADD: Final = "A"
TAKE: Final = "B"
"""The house's keys after a seat and an amount of points."""

READY_MS: Final = 1500
"""The pause before buzzers open at once, or before a secret delay begins."""

TICK_MS: Final = 400
LONGER_MS: Final = 200
"""A step of a secret delay, and how much longer each number of the last draw makes it: no rhythm to count along."""

LOT_MS: Final = 700

_BUZZER: Final = frozenset({BUZZ})


def stage(view: View) -> Stage:
    """Return the stage. Points that the house is keying outlive the turns of a clock."""
    if view.phase == Phase.CLOCK:
        race = Race(view.turn, (view.caller,), _BUZZER, 0)
        flag = Limit(view.rest[view.caller].all_ms, Move(TABLE, "flag", (view.caller,)))
        return Stage(race=race, limit=flag, keying=-1 - view.number)
    if view.phase == Phase.OPEN:
        return Stage(race=Race(view.turn, view.callers, _BUZZER, view.rulings.tie_margin_ms), keying=view.turn)
    if view.phase == Phase.READY and view.round.kind == Kind.FIRST:
        return Stage(deal=_opening(view), keying=view.turn)
    if view.phase == Phase.LOTS:
        return Stage(deal=Deal(LOT_MS, together=len(view.drawn) > 0), keying=view.turn)
    if view.phase == Phase.ANSWER and view.round.answer_s:
        return Stage(limit=Limit(view.round.answer_s * 1000, Move(TABLE, "late")), keying=view.turn, photo=True)
    return Stage(keying=view.turn, photo=True)


def _opening(view: View) -> Deal:
    if view.round.opens == "ok":
        return Deal(None, early_controls=_BUZZER)
    pause_ms = TICK_MS + LONGER_MS * view.ticks[-1] if view.ticks else READY_MS
    by_itself = Limit(READY_MS, Move(TABLE, "open")) if view.round.opens == "at_once" else None
    return Deal(pause_ms, early_controls=_BUZZER, by_itself=by_itself)


def called(view: View, winners: tuple[Call, ...]) -> Move:
    if view.phase == Phase.CLOCK:
        used_ms = min(winners[0].used_ns // MS, view.rest[view.caller].all_ms - 1)
        return Move(TABLE, "pass", (view.caller, used_ms))
    seats = tuple(sorted(call.seat for call in winners))
    return Move(TABLE, "tie" if len(seats) > 1 else "call", seats)


def early(view: View, seat: Seat) -> Move | None:
    """Return the move that locks a seat out which pressed too early (AN-R9)."""
    due = view.round.kind == Kind.FIRST and view.phase in {Phase.READY, Phase.OPEN} and seat in view.callers
    return Move(TABLE, "early", (seat,)) if due else None


def house(view: View, control: str) -> Move | None:
    if control == "ok" and view.phase == Phase.READY:
        return Move(TABLE, "skip" if view.drawn else "open")
    if control == "skip" and view.phase != Phase.OVER:
        return Move(TABLE, "skip")
    if control in {"right", "wrong"} and view.phase == Phase.ANSWER:
        return Move(TABLE, control)
    return None


# --- Keys ---------------------------------------------------------------------------------------------------


def key(view: View, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
    typed = entries.get(seat, "")
    if key == BACK and typed:
        return Keyed(typed[:-1])
    if seat == TABLE:
        return _house_key(view, key, typed)
    if view.phase == Phase.SEALED:
        return _bid_key(view, seat, LOCK if key == BUZZ else key, typed)
    if view.phase == Phase.ANSWER and seat == view.asker:
        return _judging_key(key, typed)
    if view.phase == Phase.READY and key in {TURN, BUZZ} and seat in starters(view):
        return Keyed(move=Move(TABLE, "open"))
    return Keyed(typed, why=NOTHING_TYPED if key == BACK else prompt(view))


def starters(view: View) -> tuple[Seat, ...]:
    """Return the seats whose `#` begins the round, as the house's ok does (AN-R6)."""
    if view.round.kind == Kind.CLOCK:
        return (view.caller,)
    if view.round.kind == Kind.LOTS:
        return tuple(map(Seat, range(len(view.points))))
    return (view.asker,) if view.round.opens == "ok" and view.asker != NOBODY else ()


def _judging_key(key: str, typed: str) -> Keyed:
    if key in {RIGHT, WRONG}:
        return Keyed(key)
    if key == LOCK and typed:
        return Keyed(move=Move(TABLE, "right" if typed == RIGHT else "wrong"))
    return Keyed(typed, why=_YOU_JUDGE)


_YOU_JUDGE: Final = msg("{right}: right, {wrong}: wrong, then #", right=RIGHT, wrong=WRONG)


def _bid_key(view: View, seat: Seat, key: str, typed: str) -> Keyed:
    if view.keyed[seat]:
        return Keyed(move=Move(seat, "retract")) if key == BACK else Keyed(why=_LOCKED)
    least, most = view.round.least, bid_most(view.round, view.points[seat])
    if key == LOCK and typed:
        return Keyed(move=SecretMove(seat, "lock", (int(typed),)))
    if key.isdecimal() and typed != "0" and least <= int(typed + key) <= most:
        return Keyed(typed + key)
    return Keyed(typed, why=NOTHING_TYPED if key == BACK else _bounds(least, most))


_LOCKED: Final = msg("Your number is locked; * takes it back")


def _bounds(least: int, most: int) -> Text:
    digits = digits_of(range(least, min(most, 9) + 1))
    if most > 9:
        return msg("A number up to {most}: {digits}, then #", most=most, digits=digits)
    return msg("Your number: {digits}, then #", digits=digits)


def _house_key(view: View, key: str, typed: str) -> Keyed:
    """Handle a key of the house: a seat and an amount, or a number of a real die, a lot or the right answer."""
    if key.isdecimal() and len(typed) <= len(str(AMOUNT_MOST)):
        return Keyed(typed + key)
    if key == LOCK and typed and view.phase in _NUMBERED:
        return Keyed(move=Move(TABLE, _NUMBERED[view.phase], (int(typed),)))
    changed = points_of(view, typed)
    if key in {ADD, TAKE} and changed:
        return Keyed(move=Move(TABLE, "add" if key == ADD else "take", changed))
    return Keyed(typed, why=NOTHING_TYPED if key == BACK else _HOW_POINTS)


_NUMBERED: Final = {Phase.LOTS: "draw", Phase.NUMBER: "number"}

_HOW_POINTS: Final = msg("Points: seat, amount, then {add} adds, {take} subtracts", add=ADD, take=TAKE)


def points_of(view: View, typed: str) -> tuple[Seat, int] | None:
    """Return the seat and the amount that the house has keyed, None if they are incomplete."""
    if len(typed) < 2 or not 1 <= int(typed[0]) <= len(view.points) or not int(typed[1:]):
        return None
    return Seat(int(typed[0]) - 1), int(typed[1:])


def keys_for(view: View, move: Move) -> tuple[str, ...]:
    if move.verb == "lock":
        return (*str(move.args[0]), LOCK)
    return (BACK,) if move.verb == "retract" else ()


# --- What is shown ------------------------------------------------------------------------------------------


def house_entry(view: View, entry: str) -> HouseEntry | None:
    """Return what the house does now. Points can always be keyed, except in a race and over secrets."""
    if entry and view.phase not in _NUMBERED:
        return _points_entry(view, entry)
    skip = Code("skip", msg("End the round"))
    if view.phase == Phase.READY:
        begins = (msg("House: ok begins"), msg("Begin"))
        task, said = (msg("House: ok goes on"), msg("Go on")) if view.drawn else begins
        return HouseEntry(task, (Code("ok", said), skip), due=view.round.opens == "ok")
    if view.phase == Phase.OPEN:
        return HouseEntry(msg("Does nobody know it? House: skip"), (skip,), due=False)
    if view.phase == Phase.ANSWER:
        codes = (Code("right", msg("Right")), Code("wrong", msg("Wrong")))
        return HouseEntry(msg("House: right or wrong?"), codes, due=view.asker == NOBODY)
    if view.phase in _NUMBERED:
        task = msg("House: the number, then #")
        return HouseEntry(task, (Code("0-9"), Code(LOCK, msg("done"))), Text(entry) if entry else None)
    if view.phase == Phase.POINTS:
        return _points_entry(view, entry)
    return HouseEntry(msg("House: skip ends the round"), (skip,), due=False)


def _points_entry(view: View, entry: str) -> HouseEntry:
    changed = points_of(view, entry)
    meaning = msg("{seat}: {n}", seat=seat_name(changed[0]), n=changed[1]) if changed else None
    codes = (Code(ADD, msg("Add")), Code(TAKE, msg("Subtract")))
    return HouseEntry(_HOW_POINTS, codes, meaning, due=view.phase == Phase.POINTS)


def prompt(view: View) -> Text:
    """Return what the reader may do, which depends neither on a secret number nor on a hidden text."""
    if view.phase in _PROMPTS:
        return _PROMPTS[view.phase]
    if view.phase == Phase.READY:
        return _ready_prompt(view)
    if view.phase == Phase.CLOCK:
        return msg("Your clock runs; the buzzer ends your turn") if view.you == view.caller else _clock_of(view)
    if view.phase == Phase.SEALED:
        return _sealed_prompt(view)
    if view.phase == Phase.ANSWER:
        return _answer_prompt(view)
    return _race_prompt(view, msg("First buzzer counts"))


_PROMPTS: Final = {
    Phase.OVER: msg("The match is over"),
    Phase.POINTS: msg("The house keys points"),
    Phase.NUMBER: msg("The house keys the right number"),
    Phase.LOTS: msg("The lot decides"),
}


def _ready_prompt(view: View) -> Text:
    if view.round.kind == Kind.LOTS:
        return msg("# throws once more; ok goes on") if view.drawn else msg("# throws or draws")
    if view.round.kind == Kind.CLOCK:
        return msg("# starts your clock") if view.you == view.caller else _clock_of(view)
    if view.you is not None and view.you == view.asker:
        return msg("You ask; # opens the buzzers") if view.round.opens == "ok" else msg("You ask")
    return _race_prompt(view, msg("Wait: the buzzers are closed"))


def _race_prompt(view: View, said: Text) -> Text:
    if view.you is None or view.you == TABLE or view.you in view.callers:
        return said
    if view.you == view.asker:
        return msg("You asked: the others press")
    return msg("You are out of this round") if view.you in view.locked else msg("Wait: a tie is played off")


def _clock_of(view: View) -> Text:
    return msg("The clock of {seat}", seat=seat_name(view.caller))


def _answer_prompt(view: View) -> Text:
    if view.you == view.caller:
        return msg("Your answer, please")
    if view.you is not None and view.you == view.asker:
        return _YOU_JUDGE
    return msg("{seat} has the word", seat=seat_name(view.caller))


def _sealed_prompt(view: View) -> Text:
    if view.you is None or view.you == TABLE:
        return msg("Key a number in secret, then #")
    return (
        _LOCKED if view.keyed[view.you] else _bounds(view.round.least, bid_most(view.round, view.points[view.you]))
    )


def private(view: View, entry: str) -> Text | None:
    """Return a seat's own number, or what the house alone reads of the round."""
    if view.you == TABLE:
        return house_text(view)
    if view.you is None or view.phase != Phase.SEALED:
        return None
    said = entry or "?" if view.bid is None else str(view.bid)
    if view.round.words and said.isdecimal() and 1 <= int(said) <= len(view.round.words):
        return msg("{n}: {word}", n=said, word=view.round.words[int(said) - 1])
    return msg("Your number: {n}", n=said)


def house_text(view: View) -> Text | None:
    """Return question and answer for the house, None without them."""
    this = view.round
    if view.phase == Phase.OVER or not (this.text or this.answer):
        return None
    said = "{question} ({answer})" if this.answer else "{question}"  # not a sentence to translate
    return Text(said, (("question", this.text), ("answer", this.answer)))


def lamps(view: View) -> tuple[Lamp, ...]:
    """Return the lamps: on for the seat that has the word or whose clock runs, blinking for who must act."""
    seats = range(len(view.points))
    if view.phase == Phase.SEALED:
        return tuple(Lamp.ON if keyed else Lamp.BLINK for keyed in view.keyed)
    if view.phase in {Phase.ANSWER, Phase.CLOCK}:
        return tuple(Lamp.ON if seat == view.caller else Lamp.OFF for seat in seats)
    calls = view.callers if view.phase == Phase.OPEN and view.tied else ()
    return tuple(Lamp.BLINK if seat in calls else Lamp.OFF for seat in seats)


def title_of(view: View) -> Text:
    """Return the round's number and kind in words."""
    kind = KINDS[view.round.kind]
    return msg("Round {n} of {count}: {kind}", n=min(view.number + 1, view.rounds), count=view.rounds, kind=kind)

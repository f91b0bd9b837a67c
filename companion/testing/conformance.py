"""Tests any game's rules, notation, console, texts and robots with a random match.

    def test_conformance():
        check(GAME, random.Random(7).randrange, seats=3)

The alternatives of a secret move must look alike to all other seats and to the house: events, views, prompts, who
may act, legal moves, draws, refusals. They are compared at once and, as twins of the match, after each move while
the secret lasts. Robots must act alike for equal views.

* By default, a secret lasts while another seat owes a secret move with alternatives. The release by the last of
  these moves is not tested, nor are secrets outside such a round.
* Alternatively, a game defines `released(state, move)` for legal moves. It returns a hashable value for everything
  secret that this move makes public, None for nothing. Two lines that differ in a secret of one seat must look
  alike until their released values differ. For sealed bids it is None until the last bid, then the bids; for a
  secret purchase it is whether it succeeded.
* A game that defines `lookalikes(state, seat)` has a secret that does not come from secret moves, such as a purse.
  The returned positions differ only in it, () for a seat without one. One is followed until the match ends. The
  TABLE has one, too, if only the house knows something, such as questions to come.
"""

import dataclasses
import json
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from itertools import islice
from random import Random
from typing import Final, NamedTuple, TypeVar

from companion.core.console import BUZZ, OffersTouch
from companion.core.errors import IllegalMove, NotationError, OptionError
from companion.core.event import Event, to_json
from companion.core.game import Game, missing
from companion.core.match import SEED_TAG, Match
from companion.core.move import HIDDEN, TABLE, Move, Seat, SecretMove, each_seat
from companion.core.replay import loads
from companion.core.rules import Concealing, Outcome, Releasing, Rulings, State, View, narrated
from companion.core.seats import seat_text
from companion.core.text import Text
from companion.testing.playout import Pick, random_move

_PARAGRAPH: Final = re.compile(r"[A-Z]{2,}-[A-Z]+[0-9]+[a-z]?")
_FEW: Final = 24  # longer lists of moves are sampled down to this number
_TWINS: Final = 6  # twins that are followed at the same time
_SHOWN: Final = 12  # moves in an error message
_SEED: Final = "only shown at the end"

T = TypeVar("T")
_Line = tuple[State, tuple[Event, ...]]


class ConformanceError(AssertionError):
    """A broken contract: `broken` says which, after the match's `moves`.

    It is for the game's author: not translated, and with the secrets of the random match.
    """

    def __init__(self, broken: str, moves: Sequence[Move]) -> None:
        shown = ", ".join(map(_plain, moves[-_SHOWN:])) or "none"
        super().__init__(f"{broken}; moves before: {len(moves)}, the last: {shown}")
        self.broken = broken
        self.moves = tuple(moves)


def check(
    game: Game, pick: Pick, *, seats: int | None = None, rulings: Rulings | None = None, limit: int = 1000
) -> Match:
    """Play a random match of at most `limit` moves and return it.

    By default with the fewest `seats`. Raise ConformanceError for the first broken contract.
    """
    if lacking := "; ".join(missing(game)):
        raise ConformanceError(lacking, ())
    run = _Run(game, pick, seats or game.rules.SEATS[0], rulings)
    try:
        run.setup()
        while run.position() and run.match.length < limit:
            run.step()
        run.whole()
    except ConformanceError:
        raise
    except Exception as error:
        raise run.broken(f"raises {type(error).__name__}: {error}") from error
    return run.match


def some_rulings(game: Game, pick: Pick, **fixed: object) -> Rulings:
    """Return random house rules: each choice, boolean or the minimum, maximum or default of a number.

    Options in `fixed` are not random. Each depends on its name, so a new option does not change the others.
    """
    lot = pick(1 << 32)
    fields = [field for field in dataclasses.fields(game.rulings) if field.name not in fixed]
    drawn = {field.name: _value(field, Random(f"{lot} {field.name}").randrange) for field in fields}
    return game.rulings(**drawn, **fixed)


def _value(field: "dataclasses.Field[object]", pick: Pick) -> object:
    values: Sequence[object] = field.metadata["choices"] or (field.default,)
    if isinstance(field.default, bool):
        values = (False, True)
    elif isinstance(field.default, int):
        bounds = (field.metadata["minimum"], field.metadata["maximum"])
        values = (field.default, *(bound for bound in bounds if bound is not None))
        if field.metadata["fractions"]:
            values = (*values, *field.metadata["steps"])
    return values[pick(len(values))]


def _plain(move: Move) -> str:
    return " ".join((seat_text(move.seat), move.verb, *map(str, move.args)))


@cache
def _name(audience: Seat | None) -> str:
    if audience == TABLE:
        return "the house"
    return "everybody" if audience is None else f"seat {seat_text(audience)}"


class _Kept(NamedTuple):
    state: State
    copy: State
    hash: int

    def unchanged(self) -> bool:
        return bool(self.copy == self.state) and self.hash == hash(self.state)


class _Twin(NamedTuple):
    """A position that differs in a secret of its `owner`. The end of the match reveals a `concealed` one."""

    owner: Seat
    state: State
    concealed: bool = False


class _Look(NamedTuple):
    """All that a position shows, and the events on the way there."""

    to_act: tuple[Seat, ...]
    outcome: Outcome | None
    draws: Sequence[Move]
    legal: Mapping[Seat, Sequence[Move]]
    views: Mapping[Seat | None, View]
    prompts: Mapping[Seat | None, Text]
    events: tuple[Event, ...]


class _Run:
    def __init__(self, game: Game, pick: Pick, seats: int, rulings: Rulings | None) -> None:
        self.game = game
        self.rules = game.rules
        self.pick = pick
        self.seats = each_seat(seats)
        self.audiences: tuple[Seat | None, ...] = (None, TABLE, *self.seats)
        self.match = Match(game, [f"P{n + 1}" for n in self.seats], rulings=rulings, tags={SEED_TAG: _SEED})
        self.kept: list[_Kept] = []
        self.known: dict[Move, None] = {}
        self.twins: list[_Twin] = []
        self.released = self.rules.released if isinstance(self.rules, Releasing) else self._released

    def hold(self, kept: bool, law: str, *found: object) -> None:
        """Raise ConformanceError unless the law holds; `found` fills its braces."""
        if not kept:
            raise self.broken(law.format(*(_plain(x) if isinstance(x, Move) else x for x in found)))

    def broken(self, how: str) -> ConformanceError:
        return ConformanceError(how, self.match.moves)

    def some(self, items: Sequence[T]) -> Sequence[T]:
        return items if len(items) <= _FEW else [items[self.pick(len(items))] for _ in range(_FEW)]

    def text(self, move: Move) -> str:
        return self.game.notation.format_move(self.match.box, move)

    def setup(self) -> None:
        box, rulings = self.match.box, self.match.rulings
        first = self.rules.setup(box, rulings, len(self.seats))
        self.hold(first == self.match.state, "setup is not deterministic: two first positions differ")
        for seats in set(range(self.rules.SEATS[-1] + 2)).difference(self.rules.SEATS):
            try:
                self.rules.setup(box, rulings, seats)
            except OptionError:
                continue
            self.hold(False, "setup accepts {} seats, which are not in SEATS", seats)

    def position(self) -> bool:
        """Test the current position. Return False after the end."""
        state = self.match.state
        try:
            self.kept.append(_Kept(state, deepcopy(state), hash(state)))
        except TypeError as error:
            self.hold(False, "the position is not hashable: {}", error)
        self.hold(self.kept[-1].unchanged(), "the position is not a value: it does not equal its copy")
        legal = self._turn(state)
        self._conceal(state)
        self._screens(state)
        for seat, moves in legal.items():
            self._legal_moves(state, seat, moves)
        for draw in self.some(self.rules.draws(state)):
            fits = draw in legal.get(TABLE, ()) and draw.verb in self.rules.DRAWS
            self.hold(fits, "{} is drawn, but is no legal move of the TABLE or not of DRAWS", draw)
        for probe in self._probes():
            self._probe(state, probe, legal)
        if not self.pick(16):
            self._logs()
        return bool(legal)

    def step(self) -> None:
        """Make a random move, also in each twin that must still look alike after it."""
        state = self.match.state
        move = self._choose(state)
        released = self.released(state, move)
        events = self.match.push(move)
        if isinstance(move, SecretMove):
            self._stays_typed(state, move)
        for happened in events:
            str(happened.sentence(self.match.names))
        look = self._look((self.match.state, events))
        twins = []
        for twin in self.twins:
            if twin.owner == move.seat and move not in self.rules.legal(twin.state, twin.owner):
                continue  # a seat's legal moves may depend on its own secret
            if self.released(twin.state, move) == released:
                other = self._apply(twin.state, move)
                seen = self._look(other)
                if not (twin.concealed and look.outcome and seen.outcome):
                    self._alike(twin.owner, look, seen)
                    twins.append(twin._replace(state=other[0]))
        if isinstance(move, SecretMove):
            for rival in self.some(self.rules.legal(state, move.seat)):
                if rival.verb == move.verb and self.released(state, rival) == released:
                    twins.append(_Twin(move.seat, self._apply(state, rival)[0]))
        self.twins = [twin for twin in twins if twin.state != self.match.state][-_TWINS:]

    def _conceal(self, state: State) -> None:
        """Begin to follow a lookalike of the position unless one is followed already."""
        if not isinstance(self.rules, Concealing) or any(twin.concealed for twin in self.twins):
            return
        if self.rules.outcome(state) is None:
            owner = (*self.seats, TABLE)[self.pick(len(self.seats) + 1)]
            others = self.rules.lookalikes(state, owner)
            if not others:
                return
            twin = _Twin(owner, others[self.pick(len(others))], concealed=True)
            self._alike(owner, self._look((state, ())), self._look((twin.state, ())))
            self.twins.append(twin)

    def _stays_typed(self, before: State, move: Move) -> None:
        """Test that locking a secret does not clear what other seats that owe one have typed."""
        after = self.match.state
        was, now = (self.game.console.stage(self.rules.view(state, None)).keying for state in (before, after))
        typing = [seat for seat in self.seats if seat != move.seat and self._owes(before, seat)]
        stays = (was is not None and was == now) or not any(self._owes(after, seat) for seat in typing)
        self.hold(stays, "{} clears what others type: the `keying` of the stage is {}, then {}", move, was, now)

    def _owes(self, state: State, seat: Seat) -> bool:
        return any(isinstance(move, SecretMove) for move in self.rules.legal(state, seat))

    def whole(self) -> None:
        """Test the match's positions, record, undo and correction."""
        match, games = self.match, {self.game.name: self.game}
        self.hold(all(kept.unchanged() for kept in self.kept), "a later move changed an earlier position")
        self._logs()
        again = loads(match.dumps(), games)
        self.hold(again.dumps() == match.dumps() and again.state == match.state, "the record replays otherwise")
        back = 1 + self.pick(match.length)
        again.undo(back)
        self.hold(again.state == self.kept[-1 - back].state, "undo of {} leads to another position", back)
        for move in match.moves[-back:]:
            again.push(move)
        number = 1 + self.pick(match.length)
        again.amend(number, match.moves[number - 1])
        same = (again.moves, again.state) == (match.moves, match.state)
        self.hold(same, "undo of {}, redo, amend of {}: another match", back, number)
        self.hold(loads(again.dumps(), games).dumps() == again.dumps(), "a record with undo and amend is lost")

    def _choose(self, state: State) -> Move:
        if self.pick(4):
            return random_move(self.rules, state, self.pick)
        able = [moves for seat in self.rules.to_act(state) if (moves := self.rules.legal(state, seat))]
        moves = able[self.pick(len(able))]
        return moves[self.pick(len(moves))]

    def _turn(self, state: State) -> Mapping[Seat, Sequence[Move]]:
        actors, outcome = self.rules.to_act(state), self.rules.outcome(state)
        over = outcome is not None
        self.hold(bool(actors) != over, "to_act is {} while the outcome is {}", actors, outcome)
        self.hold(len(set(actors) & {TABLE, *self.seats}) == len(actors), "to_act is {}: not seats", actors)
        if outcome is not None:
            str(outcome.reason)
            complete = sorted(sum(outcome.ranking, ())) == list(self.seats) and all(outcome.ranking)
            self.hold(complete, "the ranking {} has not each seat exactly once", outcome.ranking)
        for seat in map(Seat, range(TABLE - 1, len(self.seats) + 1)):
            idle = seat in actors or not len(self.rules.legal(state, seat))
            self.hold(idle, "{} has legal moves and is not in to_act", _name(seat))
        legal = {seat: self.rules.legal(state, seat) for seat in actors}
        self.hold(over or any(map(len, legal.values())), "to_act is {} and nobody has a legal move", actors)
        return legal

    def _legal_moves(self, state: State, seat: Seat, moves: Sequence[Move]) -> None:
        """Test some legal moves of a seat, and that the alternatives of a secret one look alike."""
        view = self.rules.view(state, seat)
        first: dict[tuple[str, Hashable], _Look] = {}
        for move in self.some(moves):
            line = self._legal_move(state, view, seat, move, moves)
            if isinstance(move, SecretMove):
                look = self._look(line)
                self._alike(seat, first.setdefault((move.verb, self.released(state, move)), look), look)

    def _legal_move(self, state: State, view: View, seat: Seat, move: Move, moves: Sequence[Move]) -> _Line:
        fit = isinstance(move, Move) and move.seat == seat and isinstance(move.args, tuple)
        self.hold(fit and move in moves, "{} is no move of {}, or `in` does not find it", move, _name(seat))
        secret = move.verb in self.rules.SECRETS
        self.hold(
            isinstance(move, SecretMove) == secret, "{!r} is secret, or its verb is one of SECRETS, not both", move
        )
        if secret:
            self._says_nothing(move)
        if move not in self.known:
            self.known[move] = None
            self._notation(move)
        if seat != TABLE:
            self._keys(view, move)
        line = self._apply(state, move)
        for happened in line[1]:
            json.dumps(to_json(0, happened))
        return line

    def _apply(self, state: State, move: Move) -> _Line:
        try:
            first, again = narrated(self.rules, state, move), narrated(self.rules, state, move)
        except IllegalMove as refusal:
            self.hold(False, "{} is legal but refused: {}", move, refusal)
        self.hold(self.kept[-1].unchanged(), "{} changed the position that it was applied to", move)
        self.hold(first == again, "{} is not deterministic: applied twice, it leads to different things", move)
        self.hold(first[0] == self.rules.apply(state, move), "{} leads elsewhere where nobody listens", move)
        return first

    def _notation(self, move: Move) -> None:
        text = self.text(move)
        fit = text.isprintable() and text == text.strip() and not set(text) & set("{};")
        self.hold(fit, "{!r} is no text of a move: one line, no brace, no semicolon", text)
        found = self.game.notation.parse_move(self.match.box, text)
        same = found == move and type(found) is type(move)
        self.hold(same, "{} is printed as {!r} and read as {}, a {}", move, text, found, type(found).__name__)
        if isinstance(move, SecretMove):
            hidden = f"{seat_text(move.seat)} {move.verb} {HIDDEN}"
            self.hold(self._read(hidden) is None, "{!r} hides a secret and is read as a move", hidden)

    def _says_nothing(self, move: Move) -> None:
        bare = SecretMove(move.seat, move.verb)
        same = (repr(move), str(move), f"{move}") == (repr(bare), str(bare), f"{bare}")
        self.hold(same, "the repr of the secret move {} shows it", move)

    def _read(self, text: str) -> Move | None:
        try:
            return self.game.notation.parse_move(self.match.box, text)
        except NotationError:
            return None
        except Exception as error:
            raise self.broken(f"reading {text!r} raises {error!r}: no NotationError") from error

    def _keys(self, view: View, move: Move) -> None:
        made, entry, fit = None, "", True
        keys = self.game.console.keys_for(view, move)
        if not keys or BUZZ in keys:
            return
        for place, key in enumerate(keys, 1):
            entries = {move.seat: entry} if entry else {}
            keyed = self.game.console.key(view, move.seat, key, entries)
            entry, made = keyed.entry, keyed.move
            fit = fit and keyed.accepted and (made is not None) == (place == len(keys))
        self.hold(fit and made == move, "the keys {} are said to make {} and do not", " ".join(keys), move)
        self.hold(type(made) is type(move), "{} is a SecretMove by the rules or by the keys, not by both", move)
        self._touches(view, move, "".join(keys))

    def _touches(self, view: View, move: Move, keys: str) -> None:
        console, typed = self.game.console, ""
        if move.seat == TABLE or not isinstance(console, OffersTouch) or console.touches(view, "") is None:
            return
        while typed != keys:
            rest, offered = keys.removeprefix(typed), console.touches(view, typed) or ()
            found = max((touch.keys for touch in offered if rest.startswith(touch.keys)), key=len, default="")
            self.hold(
                bool(found), "{} is made by the keys {}, and cannot be touched behind {!r}", move, keys, typed
            )
            typed += found

    def _screens(self, state: State) -> None:
        for audience in self.audiences:
            view, equal = self.rules.view(state, audience), self.rules.view(self.kept[-1].copy, audience)
            self.hold(view == equal, "equal positions, unequal views of {}", _name(audience))
            str(self.game.console.prompt(view))
            self.game.teller.picture(view, self.match.names, str)
        public, houses = self.rules.view(state, None), self.rules.view(state, TABLE)
        own = getattr(houses, "you", None) == TABLE
        self.hold(own or houses == public, "the view of the house is not the public one, and `you` is not TABLE")
        self.game.console.stage(public)
        self.hold(len(self.game.console.lamps(public)) == len(self.seats), "there is not one lamp a seat")
        teller = self.game.teller
        self.hold(len(teller.score(public)) == len(self.seats), "there is not one score a seat")
        self.hold(len(teller.colours(public)) == len(self.seats), "there is not one colour a seat")
        for seat in self.seats:
            str(teller.stands(public, seat))
        self._robots(state)

    def _robots(self, state: State) -> None:
        """Ask a robot twice, and in between show it what another seat sees, also in the twins."""
        turn = self.match.length
        seat, other = self.seats[turn % len(self.seats)], self.seats[(turn + 1) % len(self.seats)]
        view = self.rules.view(state, seat)
        others: list[View] = []
        for position in (state, *(twin.state for twin in self.twins)):
            sight = self.rules.view(position, other)
            others += [] if sight in others else [sight]
        for kind, bot in self.game.bots.items():
            acts = list(bot.acts(view, seat, Random(turn)))
            for sight in others:
                bot.acts(sight, other, Random(turn))
            again = list(bot.acts(self.rules.view(self.kept[-1].copy, seat), seat, Random(turn)))
            self.hold(acts == again, "the robot {} of {} acts by more than its view", kind, _name(seat))

    def _probes(self) -> Iterator[Move]:
        """Yield mostly illegal moves: known ones, changed or misread ones, nonsense."""
        known = list(self.known)
        for move in self.some(known):
            yield move
            yield self._changed(move, known)
        if known:
            text = self.text(known[self.pick(len(known))])
            cut = text[: self.pick(len(text) + 1)]
            yield from filter(None, map(self._read, (cut, f"{cut} {text}", f"{text} {text.split()[-1]}")))
        yield Move(Seat(len(self.seats) + 7), "nonsense", (-1, 10**9))
        yield Move(TABLE, "")

    def _changed(self, move: Move, known: Sequence[Move]) -> Move:
        args, place, what = move.args, self.pick(len(move.args) + 1), self.pick(4)
        if what == 0:
            return move._replace(seat=Seat(self.pick(len(self.seats) + 3) - 2))
        if what == 1:
            return Move(move.seat, known[self.pick(len(known))].verb, args)
        if place == len(args):
            return move._replace(args=(*args, self.pick(5) - 1))
        number = () if what == 2 else (args[place] + (1, -1, 99, -99)[self.pick(4)],)
        return move._replace(args=(*args[:place], *number, *args[place + 1 :]))

    def _probe(self, state: State, move: Move, legal: Mapping[Seat, Sequence[Move]]) -> None:
        moves = legal[move.seat] if move.seat in legal else self.rules.legal(state, move.seat)
        found, answer = move in moves, self._answer(state, move)
        self.hold(self.kept[-1].unchanged(), "{} changed the position that it was applied to", move)
        self.hold(found or answer is not None, "{} is not legal but accepted", move)
        self.hold(not found or answer is None, "{} is legal but refused: {}", move, answer)
        str(answer and answer[0])
        if answer and isinstance(move, SecretMove):
            told = self._answer(state, move._replace(args=(-1,))) not in {None, answer}
            self.hold(not told, "refusing {} tells what was tried: {}", move, answer)
        for twin in self.twins:
            same = twin.owner == move.seat or self._answer(twin.state, move) == answer
            self.hold(same, "refusing {} tells of the secret of {}", move, _name(twin.owner))

    def _answer(self, state: State, move: Move) -> tuple[Text, str] | None:
        try:
            self.rules.apply(state, move)
        except IllegalMove as refusal:
            fit = _PARAGRAPH.fullmatch(refusal.rule) and refusal.seat == move.seat
            self.hold(bool(fit), "{} is refused without its seat or a paragraph: {}", move, refusal)
            return refusal.text, refusal.rule
        except Exception as error:
            raise self.broken(f"{_plain(move)} is not refused by a paragraph, it raises {error!r}") from error
        return None

    def _released(self, state: State, move: Move) -> Hashable:
        """Return what a move makes public by default: nothing while other seats owe secrets."""
        if not isinstance(move, SecretMove):
            return None
        for seat in self.rules.to_act(state):
            secret = (1 for owed in self.rules.legal(state, seat) if isinstance(owed, SecretMove))
            if seat != move.seat and len(list(islice(secret, 2))) == 2:
                return None
        return object()  # everything: equal to nothing else

    def _look(self, line: _Line) -> _Look:
        state, events = line
        rules, actors = self.rules, self.rules.to_act(state)
        views = {audience: rules.view(state, audience) for audience in self.audiences}
        prompts = {audience: self.game.console.prompt(view) for audience, view in views.items()}
        legal = {seat: rules.legal(state, seat) for seat in actors}
        return _Look(actors, rules.outcome(state), rules.draws(state), legal, views, prompts, events)

    def _alike(self, owner: Seat, look: _Look, twin: _Look) -> None:
        """Raise ConformanceError unless two lines that differ in a secret of `owner` look alike to others."""
        secret = f"tells of the secret of {_name(owner)}"
        self.hold(look.to_act == twin.to_act, "to_act {}", secret)
        self.hold(look.outcome == twin.outcome, "the outcome {}", secret)
        self.hold(self._same(look.draws, twin.draws), "what may be drawn {}", secret)
        for seat, moves in look.legal.items():
            same = seat == owner or self._same(moves, twin.legal[seat])
            self.hold(same, "what is legal for {} {}", _name(seat), secret)
        for audience, view in look.views.items():
            same = look.prompts[audience] == twin.prompts[audience]
            self.hold(same, "the prompt of {} {}", _name(audience), secret)
            if audience != owner:
                self.hold(view == twin.views[audience], "the view of {} {}", _name(audience), secret)
                seen, heard = ([x for x in what if x.visible_to(audience)] for what in (look.events, twin.events))
                self.hold(seen == heard, "an event for {} {}", _name(audience), secret)

    def _same(self, moves: Sequence[Move], others: Sequence[Move]) -> bool:
        places = self.some(range(len(moves)))
        return moves is others or (len(moves) == len(others) and all(moves[n] == others[n] for n in places))

    def _logs(self) -> None:
        for audience in self.audiences if self.match.outcome is None else ():
            log = self.match.log(audience)
            self.hold(_SEED not in str(log), "the log of {} shows the seed", _name(audience))
            for entry, move in zip(log.entries, self.match.moves, strict=True):
                hidden = isinstance(move, SecretMove) and move.seat != audience
                right = (entry.move == self.text(move)) != hidden
                self.hold(right, "the log of {} has {} for {}", _name(audience), entry, move)

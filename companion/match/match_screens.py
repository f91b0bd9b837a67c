"""The screens of a match in the centre of the display: the match, its photo finish and its result."""

from collections.abc import Sequence
from typing import Final

from companion.core.console import BACK
from companion.core.match import Match
from companion.core.move import TABLE, each_seat
from companion.core.rules import Outcome, State, places
from companion.core.text import Render, Text, msg
from companion.display.frame import Beat, Chart, Curve, Plain, Play, Poster, Result, ResultLine
from companion.match.house_place import ANY_KEYPAD, house_place
from companion.match.moment import Moment
from companion.match.rekeying import Rekeying
from companion.match.seat_lines import story
from companion.records.feats import best_moment
from companion.referee.sentences import tell_move, write_move

SAMPLES: Final = 60
"""Maximum points of a curve in the chart of a match."""


def rekeying(again: Rekeying, read: Render = str, *, lends: bool = False) -> Poster:
    """Return the screen on which a move is entered again. With `lends` the house has to borrow a keypad."""
    match, number = again.match, again.number
    move = match.moves[number - 1]
    said = read(tell_move(match, number, move) or write_move(match, move))
    who = read(msg("the house")) if again.seat == TABLE else match.names[again.seat]
    lent = (f"{read(ANY_KEYPAD)}.",) if lends and again.seat == TABLE else ()
    return Poster(
        read(msg("What was it really?")),
        (f"{number}. {said}.", *lent, read(again.prompt())),
        read(
            msg(
                "{who} enters it again. To give up: {back} at another seat; house: ok, undo or pause",
                who=who,
                back=BACK,
            )
        ),
    )


def play(moment: Moment) -> Play:
    finish, match, state = moment.finish, moment.match, moment.state
    scene, view = match.game.scene, match.game.rules.view(state, None)
    photo = finish.photo if finish.current or finish.covers else None
    shown = Play(scene, view, Beat.FINISH if finish.covers else moment.beat, finish=photo)
    if moment.beat == Beat.REVEALED:
        assert moment.before is not None
        shown = Play(scene, view, Beat.REVEALED, match.game.rules.view(moment.before, None))
    if shown.beat == Beat.CALM:
        shown = shown._replace(house=house_place(moment, moment.read))
    return shown if scene else in_words(shown, match, state, story(moment), moment.read)


def last_photo(moment: Moment) -> Play:
    match, state, photo = moment.match, moment.state, moment.finish.photo
    assert photo
    finish = photo._replace(hint=moment.read(msg("Press any button")))
    shown = Play(match.game.scene, match.game.rules.view(state, None), Beat.FINISH, finish=finish)
    return in_words(shown, match, state, story(moment), moment.read)


def in_words(play: Play, match: Match, state: State, told: Sequence[Text], read: Render) -> Play:
    """Add the text for a game without a scene; `told` is the story.

    While a reveal is held, the scores are those before it.
    """
    game, view, teller = match.game, play.view, match.game.teller
    if game.scene:
        return play
    held = play.beat == Beat.REVEALED
    outcome = None if held else game.rules.outcome(state)
    plain = Plain(
        title=read(game.title),
        lines=tuple(teller.picture(view, match.names, read).splitlines()),
        scores=teller.score(play.before if held and play.before is not None else view),
        colours=teller.colours(view),
        last=read(told[-1]) if told else "",
        winners=outcome.winners if outcome else (),
    )
    return play._replace(plain=plain)


def result(match: Match, outcome: Outcome, read: Render = str) -> Result:
    view, teller = match.view(), match.game.teller
    standings = tuple(
        ResultLine(place, seat, match.names[seat], read(teller.stands(view, seat)))
        for seat, place in places(outcome.ranking).items()
    )
    winners = ", ".join(match.names[seat] for seat in outcome.winners)
    title = read(msg("{winners} wins", "{winners} win", winners=winners, n=len(outcome.winners)))
    hint = read(msg("1 or #: rematch. 2: another game. 3: undo"))
    return Result(title, read(outcome.reason), standings, hint, _chart(match, read), _moment(match, read))


def _moment(match: Match, read: Render) -> str:
    best = best_moment(match)
    return read(msg("Best moment: {moment}", moment=best)) if best else ""


def _chart(match: Match, read: Render) -> Chart | None:
    teller, rules = match.game.teller, match.game.rules
    last = match.length
    numbers = sorted({last * moment // SAMPLES for moment in range(SAMPLES)} - {last})
    states = [match.before(number + 1) for number in numbers] + [match.state]
    scores = list(zip(*(teller.score(rules.view(state, None)) for state in states), strict=True))
    if all(value is None for values in scores for value in values):
        return None
    colours = teller.colours(match.view())
    curves = zip(each_seat(len(match.names)), match.names, scores, colours, strict=True)
    return Chart(read(teller.SCORE), tuple(Curve(*curve) for curve in curves))

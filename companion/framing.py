"""What the display is told to show of the lobby, of a running match and of the places round the table."""

from collections.abc import Mapping, Sequence
from typing import Final

from companion.core.console import Lamp
from companion.core.guide import Page
from companion.core.match import Match
from companion.core.move import TABLE, Seat
from companion.core.rules import Outcome, State
from companion.core.text import Render, Text, decimal, msg
from companion.devices.virtual import VirtualDevices
from companion.display.frame import (
    Beat,
    Chart,
    Curve,
    HelpPage,
    Menu,
    Panel,
    PhotoFinish,
    Plain,
    Play,
    Poster,
    Press,
    PressLine,
    Result,
    Side,
    Standing,
    TimeLeft,
    told,
)
from companion.lessons import LEARNER
from companion.lobby import BACK, ROBOTS, Choice, Item, Seating, Sitter, players_text
from companion.moments import REVEAL
from companion.orders import NOTHING, News
from companion.readers import EVERYBODY, Readers
from companion.referee.calls import MS
from companion.running import PADS, Rekeying, Running

EMBLEMS: Final = {
    "buntherum": "icecream",
    "buro_crazy": "figure",
    "boese_buben": "goblin_on_pig",
    "de_et_boulanger": "baker",
}
"""A drawing that stands for each game."""

OTHER_EMBLEM: Final = "die_5"
"""The drawing of a game that has none of its own."""

ICONS: Final = {
    "go_on": "arrow",
    "undo": "swap",
    "correct": "wrench",
    "photo": "camera",
    "help": "question",
    "lessons": "mortarboard",
    "leave_lesson": "door",
    "settings": "gear",
    "self_test": "stethoscope",
    "join": "buzzer",
    "restart": "cards",
    "leave": "door",
    "resume": "arrow",
    "attract": "clock",
    "again": "arrow",
    "cause": "wrench",
    "sure_leave": "door",
    "off": "door",
    "end": "door",
    "try_again": "arrow",
    "unsaved": "cards",
    "past": "history",
    "statistics": "bars",
    "replay": "arrow",
    "result": "cup_trophy",
    "photos": "camera",
    BACK: "door",
}
"""A drawing for what a line of a menu does."""

OPTION_ICONS: Final = {
    ("sound", "mute"): "loudspeaker",
    ("sound", "volume"): "knob",
    ("display", "language"): "bubble",
    ("display", "contrast"): "contrast",
    ("display", "text"): "letters",
    ("display", "motion"): "motion",
    ("pace", "timers"): "hourglass",
    ("pace", "nudge_s"): "bulb",
    ("pace", "sound_s"): "bell",
}
"""A drawing for each option of the settings, by its section and name."""

MOST_SENTENCES: Final = 3
"""How many sentences a strip tells at most, if it has room for them."""

SAMPLES: Final = 60
"""How many moments of a match its chart has at most."""


def attract(read: Render = str) -> Poster:
    """Return the screen of a table at which nobody plays."""
    return Poster(
        read(msg("The table companion")),
        (read(msg("Who is first? Nobody has to argue about it any more.")),),
        read(msg("Press a buzzer to sit down. 0: menu")),
        pictures=("buzzer", *EMBLEMS.values()),
    )


def good_to_know(notice: Text, read: Render = str) -> Poster:
    """Return the screen with what the people should know of their devices before they play."""
    hint = read(msg("Press any button"))
    return Poster(read(msg("Good to know")), (read(notice),), hint, trouble=True, pictures=("wrench",))


def wrong(text: Text, hint: Text, read: Render = str) -> Poster:
    """Return the screen that says what went wrong."""
    return Poster(read(msg("Something is wrong")), (read(text),), read(hint), trouble=True, pictures=("wrench",))


def switched_off(read: Render = str) -> Poster:
    """Return the screen of a table that is about to go dark."""
    wait = read(msg("Its plug may be pulled when the screen is dark"))
    return Poster(read(msg("The table switches itself off")), (wait,), pictures=("clock",))


def rekeying(again: Rekeying, read: Render = str) -> Poster:
    """Return the screen while a move that was keyed wrongly is keyed again."""
    match = again.match
    who = read(msg("the house")) if again.seat == TABLE else match.names[again.seat]
    return Poster(
        read(msg("What was it really?")),
        (f"{again.number}. {match.move_text(again.number)}.", read(again.prompt())),
        read(msg("{who} keys it again. House: ok, undo or pause gives up", who=who)),
    )


def menu(choice: Choice, read: Render = str) -> Menu:
    """Return a menu's screen."""
    line = choice.items[choice.selected]
    detail, hint = line.detail, msg("digit or # takes a line, a buzzer goes on, * goes back")
    if line.help:
        detail = detail and msg("{detail}. A: how it is played", detail=detail)
        hint = msg("digit or # takes a line, a buzzer goes on, * goes back, A: how it is played")
    labels = tuple(read(item.label) for item in choice.items)
    return Menu(read(choice.title), labels, choice.selected, told(detail, read), read(hint), _icons(choice))


def _icons(choice: Choice) -> tuple[str, ...]:
    """Return the drawing of each line of a menu; () where only some lines have one."""
    icons = tuple(map(_icon, choice.items))
    return icons if all(icons) else ()


def _icon(item: Item) -> str:
    """Return the drawing of a menu's line, empty for none."""
    if item.act in {"game", "lesson"}:
        return EMBLEMS.get(item.value, OTHER_EMBLEM)
    return OPTION_ICONS.get(item.value, "") if item.act == "turn" else ICONS.get(item.act, "")


def help_page(page: Page, number: int, of: int, hint: Text, read: Render = str) -> HelpPage:
    """Return the screen of a page: the one of that `number`, from 1, of so many."""
    rows = tuple((row.sign, read(row.text)) for row in page.rows)
    return HelpPage(read(page.title), rows, page.picture, read(hint), number, of)


def who_plays(seating: Seating, allowed: Sequence[int], read: Render = str) -> Poster:
    """Return the screen on which everybody sits down; so many as `allowed` can begin."""
    hint = msg("# when all sit") if len(seating.taken) in allowed else players_text(allowed)
    lines = (read(msg("Press your buzzer to sit down or stand up.")), read(msg("A: name. B: robot.")))
    return Poster(read(msg("Who plays?")), lines, read(hint), pictures=("buzzer", "person", "robot"))


def play(running: Running, *, always_photo: bool = False) -> Play:
    """Return the match as it is shown: with the drum or the hold of a reveal, with the finish of the last call."""
    return in_words(
        _scene(running, always_photo=always_photo), running.match, running.state, story(running), running.read
    )


def _scene(running: Running, *, always_photo: bool) -> Play:
    reveal, finish = running.reveal, running.finish
    game, view = running.match.game.name, running.view()
    if always_photo:
        assert finish.photo
        hint = running.read(msg("Press any button"))
        return Play(game, view, Beat.FINISH, finish=finish.photo._replace(hint=hint))
    if reveal.beat == Beat.REVEALED:
        return Play(game, view, Beat.REVEALED, running.match.game.rules.view(reveal.before, None))
    photo = finish.photo if finish.current else None
    return Play(game, view, Beat.FINISH if finish.covers else reveal.beat, finish=photo)


def in_words(play: Play, match: Match, state: State, told: Sequence[Text], read: Render) -> Play:
    """Return a position as it is shown, with all that is drawn of a game without a scene; `told` is what happened.

    While a reveal is held, the seats still stand as they did before it.
    """
    game, view, teller = match.game, play.view, match.game.teller
    if game.scene:
        return play
    held = play.beat == Beat.REVEALED
    outcome = None if held else game.rules.outcome(state)
    plain = Plain(
        title=game.title,
        lines=tuple(teller.picture(view, match.names, read).splitlines()),
        scores=teller.score(play.before if held else view),
        colours=teller.colours(view),
        last=read(told[-1]) if told else "",
        winners=outcome.winners if outcome else (),
    )
    return play._replace(plain=plain)


def result(match: Match, outcome: Outcome, read: Render = str) -> Result:
    """Return the screen of how a match ended."""
    standings = []
    place = 1
    for seats in outcome.ranking:
        names = ", ".join(match.names[seat] for seat in seats)
        standings.append(Standing(place, names, _how(match, seats, read)))
        place += len(seats)
    winners = ", ".join(match.names[seat] for seat in outcome.winners)
    title = read(msg("{winners} wins", "{winners} win", winners=winners, n=len(outcome.winners)))
    hint = read(msg("1 or #: again. 2: another game"))
    return Result(title, read(outcome.reason), tuple(standings), hint, _chart(match, read))


def _how(match: Match, seats: Sequence[Seat], read: Render = str) -> str:
    """Say how those who share a place stood at the end; each of them, where that differs."""
    view = match.view()
    hows = [read(match.game.teller.stands(view, seat)) for seat in seats]
    return ", ".join(hows[:1] if len(set(hows)) == 1 else hows)


def _chart(match: Match, read: Render) -> Chart | None:
    """Return how the score went, from what everybody could see; None where there is no line to draw."""
    teller, rules = match.game.teller, match.game.rules
    last = match.length
    numbers = sorted({last * moment // SAMPLES for moment in range(SAMPLES)} - {last})
    states = [match.before(number + 1) for number in numbers] + [match.state]
    scores = list(zip(*(teller.score(rules.view(state, None)) for state in states), strict=True))
    if all(value is None for values in scores for value in values):
        return None
    colours = teller.colours(match.view())
    curves = zip(range(len(match.names)), match.names, scores, colours, strict=True)
    return Chart(read(teller.SCORE), tuple(Curve(*curve) for curve in curves))


def troubles(found: Mapping[int, Text], read: Render = str) -> Poster:
    """Return the screen that says which device is missing or broken; the match waits for it."""
    # A screen runs its lines together: two sentences without a stop would be read as one.
    text = ". ".join(dict.fromkeys(read(text) for text in found.values()))
    return Poster(
        read(msg("The match waits")),
        (text,),
        read(msg("It goes on when the device works")),
        trouble=True,
        pictures=("plug",),
    )


def sides(
    seating: Seating, running: Running | None, devices: VirtualDevices, ended: bool, readers: Readers = EVERYBODY
) -> tuple[Side, ...]:
    """Return the strips: of all places in the lobby, of the seats that play in a match.

    With the result of a match that has `ended`, they do not tell of its last move any more.
    """
    if running is None:
        return tuple(_lobby_side(sitter, readers.at(place)) for place, sitter in enumerate(seating.places))
    return tuple(
        _match_side(running, devices, seat, ended, readers.at(place)) for seat, place in enumerate(running.places)
    )


def panels(
    seating: Seating,
    running: Running | None,
    devices: VirtualDevices,
    *,
    peeking: bool,
    readers: Readers = EVERYBODY,
) -> tuple[Panel, ...]:
    """Return the virtual seats beside the display.

    Where several people share a PC, their private lines are covered unless somebody is `peeking`.
    """
    hands = _hands(seating, running)
    people = [sitter for sitter in seating.places if sitter and not sitter.robot]
    covered = len(people) > 1 and not peeking
    return tuple(
        Panel(
            place,
            devices.lamps.lamps[place],
            _private(seating, running, place, readers.at(place), covered=covered),
            _faults(devices, place),
            devices.buzzers[place].plugged,
            hands.get(place, ""),
            sitter.name if sitter else "",
            bool(sitter and sitter.robot),
        )
        for place, sitter in enumerate(seating.places)
    )


def private_lines(
    seating: Seating, running: Running | None, place: int, readers: Readers = EVERYBODY
) -> tuple[str, str]:
    """Return what only this place's own screen shows, whoever else shares the PC."""
    return _private(seating, running, place, readers.at(place), covered=False)


def _lobby_side(sitter: Sitter | None, read: Render) -> Side:
    if sitter is None:
        return Side(note=read(msg("free")), picture="buzzer")
    note = read(msg("robot: {kind}", kind=ROBOTS[sitter.robot])) if sitter.robot else ""
    return Side(sitter.name, note, lit=True, picture="robot" if sitter.robot else "person")


def _match_side(running: Running, devices: VirtualDevices, seat: Seat, ended: bool, read: Render) -> Side:
    name = running.match.names[seat]
    if ("unplugged", seat) in running.referee.pauses:
        return Side(name, read(msg("unplugged!")), seat=seat, tone="bad")
    if seat in running.lost:
        return Side(name, read(msg("some presses were lost")), seat=seat, tone="bad")
    if running.tutor and seat in running.refused:
        return Side(name, read(running.refused[seat]), seat=seat, tone="bad")
    asked = running.tutor is not None and seat == LEARNER and running.tutor.hint is not None
    if seat in running.reminders.seats:
        return Side(name, read(running.prompt(seat)), lit=True, seat=seat, tone="nudge")
    lit = asked or devices.lamps.lamps[running.places[seat]] != Lamp.OFF
    if ended or running.referee.paused:
        return Side(name, read(running.prompt(seat)), lit, seat)
    press = _press(running, seat, read)
    news = NOTHING if press or running.reveal.beat == Beat.DRUM else _news(running, seat)
    if not news.sentences:
        return Side(name, press or read(running.prompt(seat)), lit, seat)
    *older, note = map(read, news.sentences[-MOST_SENTENCES:])
    return Side(name, note, lit and not news.tone, seat, news.tone, older=tuple(older))


def _news(running: Running, seat: Seat) -> News:
    """Return what a seat is told of the last steps; nothing when only what it may do matters."""
    now_ns, orders = running.clock.now_ns(), running.orders
    acts = running.referee.calls_may_come or seat in running.to_act
    # With real cards the next move may come before anybody has carried out the last one.
    young = running.referee.dealer is None and (acts or running.referee.draws)
    if acts and not young:
        return NOTHING
    if running.reveal.beat == Beat.REVEALED:
        return NOTHING if acts else orders.of_kind(REVEAL)
    own = orders.own(seat, now_ns, young=young)
    return own if own.sentences or acts else orders.common(now_ns, young=young)


def _press(running: Running, seat: Seat, read: Render) -> str:
    """Say by how much a seat was first, or too late, while the card of a contested call is not answered."""
    finish = running.finish
    answered = running.referee.draws and len(_firsts(finish.photo)) < 2
    if not finish.current or finish.photo is None or answered or running.referee.over:
        return ""
    press = next((line for line in finish.photo.presses if line.seat == seat and line.kind == Press.CALL), None)
    if press is None:
        return ""
    apart, margin = decimal(press.after_ns / MS), decimal(finish.photo.margin_ns / MS)
    if len(_firsts(finish.photo)) > 1:
        return read(msg("A tie: {ms} ms apart", ms=margin)) if press.first else ""
    if not press.first:
        return read(msg("+{ms} ms", ms=apart))
    first = read(msg("First, by {ms} ms", ms=margin))
    return f"{first}. {read(running.prompt(seat))}" if seat in running.to_act else first


def _firsts(photo: PhotoFinish | None) -> list[PressLine]:
    return [line for line in photo.presses if line.first] if photo else []


def story(running: Running | None) -> tuple[Text, ...]:
    """Return what happened last; while a reveal is held not what follows from it."""
    if running is None:
        return ()
    return running.orders.story(REVEAL if running.reveal.beat == Beat.REVEALED else "")


def time_left(running: Running) -> TimeLeft | None:
    """Return the time limit of what the match shows; None where there is none."""
    limit = running.referee.time_limit
    if limit is None or running.referee.paused or running.reveal.on:
        return None
    callers = running.referee.callers
    seats = callers or tuple(seat for seat in running.to_act if seat != TABLE)
    return TimeLeft(seats, limit.length_ns, limit.ends_ns)


def _faults(devices: VirtualDevices, place: int) -> tuple[str, ...]:
    """Return what is wrong at a place, by the names of the controls that make it so."""
    buzzer = devices.buzzers[place]
    faults = (
        ("unplug", not buzzer.plugged),
        ("bounce", buzzer.fault.bounce_ns),
        ("stuck", buzzer.fault.stuck),
        ("late", buzzer.fault.late_ns),
    )
    return tuple(name for name, on in faults if on)


def _private(
    seating: Seating, running: Running | None, place: int, read: Render, *, covered: bool
) -> tuple[str, str]:
    """Return the two lines of a place's private screen; a robot's own second line is nobody's business."""
    sitter = seating.places[place]
    if running is None or place not in running.places:
        return sitter.name if sitter else read(msg("free")), ""
    seat = running.places.index(place)
    first, private = running.prompt(seat), running.private(seat)
    second = running.refused.get(seat, private)
    secret = bool(private) and running.match.has_secrets
    if private and sitter and sitter.robot:
        second = None
    elif secret and covered:  # also what was refused: it tells of the hand
        second = msg("covered: hold Tab to look")
    return read(first), told(second, read)


def _hands(seating: Seating, running: Running | None) -> dict[int, str]:
    """Return which places have the PC's digit keys: those who must act, else the first two persons.

    Where only robots play there is nothing to key but menus.
    """
    people = [place for place, sitter in enumerate(seating.places) if sitter and not sitter.robot]
    watched = running is not None and not (people or running.referee.paused or running.referee.over)
    if watched or house_line(running) is not None:
        return {}
    acting = [running.places[seat] for seat in _keying_seats(running) if seat != TABLE] if running else []
    wanted = [place for place in acting if place in people] or people or [0]
    if running and running.hardware:
        return {wanted[0]: PADS[0]}  # one keyboard for all, for whoever must act
    return running.pads(wanted) if running else dict(zip(wanted, PADS, strict=False))


def _keying_seats(running: Running) -> tuple[Seat, ...]:
    return (running.rekeying.seat,) if running.rekeying else running.to_act


def house_line(running: Running | None, read: Render = str) -> str | None:
    """Return what the house's own line says while nobody else has to key anything; None when that is not so."""
    if running is None or (running.referee.paused and not running.rekeying):
        return None
    if _keying_seats(running) != (TABLE,) or (running.referee.dealer and not running.rekeying):
        return None
    entry = running.rekeying.entry if running.rekeying else running.referee.entry(TABLE)
    return read(msg("House keys (row of digits): {entry}", entry=entry))

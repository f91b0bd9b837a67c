"""The house's page in a real Chromium, and a match that it referees."""

import random
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.core.console import BUZZ
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.place import HOUSE, HouseSheet, Place, each_place
from companion.devices.phones.phones import Phones
from companion.display.frame import Result
from companion.games import all_games, load
from companion.games.buntherum.rules import Phase
from companion.match.new_match import NAMES, new_match
from companion.records.history import records
from companion.referee.journal import open_record
from companion.testing.playout import random_move
from tests.browser.with_chromium.chromium import LANDSCAPE, PORTRAIT, Chromium, Phone
from tests.browser.with_chromium.page import wait_for
from tests.browser.with_chromium.painted_table import PaintedTable
from tests.browser.with_chromium.test_pictures_in_chromium import SHOTS, in_gallery

FITS = """[...document.querySelectorAll("button")].every((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
        && (one.scrollWidth <= one.clientWidth + 1 || one.id === "seat");
})"""
SCROLLS = "((one) => one.scrollHeight > one.clientHeight + 1)(document.getElementById('screen'))"
SMALL_PX = 44
HEIGHTS = """[...document.querySelectorAll("#touch button, #house button")].map((one) => one.offsetHeight)"""


def numbered(*lines: str) -> tuple[tuple[str, str], ...]:
    return tuple((str(n), f"{n} {line}") for n, line in enumerate(lines, 1))


QUESTION = HouseSheet(
    due="House: read it out, then ok",
    own="Which planet has the longest day, longer than its own year? Venus: 243 days, and 225 for a year",
    points="Anna 3 · Ben 2 · Cleo 0 · Dan 11 · Eva\N{NO-BREAK SPACE}7",
    controls=(("ok", "Open the buzzers"), ("skip", "Skip"), ("undo", "Undo"), ("pause", "Pause")),
)
CARD = HouseSheet(
    due="House: object, colour; or right or wrong",
    said="7 car, which colour?",
    points="Anna 13 · Ben 12",
    controls=(("right", "Right"), ("wrong", "Wrong"), ("undo", "Undo"), ("pause", "Pause")),
    touches=numbered("pink", "red", "sky", "yellow", "green", "blue", "black", "white"),
    keys=True,
)
FRENCH = HouseSheet(
    due="Meneur\u202f: objet, couleur de la carte\u202f; ou juste ou faux",
    said="7 voiture, de quelle couleur\u202f?",
    points="Anna 13 · Ben 12",
    controls=(("skip", "Personne ne veut la carte"), ("undo", "Annuler"), ("pause", "Pause")),
    touches=numbered("papillon", "crème-glacée", "bonhomme", "voiture", "ballon"),
    keys=True,
)
MENU = HouseSheet(
    due="Pause",
    said="Takes back: Anna calls the card",
    controls=(("ok", "Go on"), ("skip", "Next"), ("pause", "Menu, back")),
    touches=numbered(
        "Go on",
        "Undo",
        "Correct a move",
        "Photo finish",
        "How to play",
        "Settings",
        "The house: tells presses 12.5 ms apart",
        "Start again",
        "Leave",
    ),
)
SHEETS = {"question": QUESTION, "card": CARD, "french": FRENCH, "large": FRENCH, "menu": MENU}


@pytest.mark.parametrize("size", [PORTRAIT, LANDSCAPE], ids=["portrait", "landscape"])
@pytest.mark.parametrize("name", SHEETS)
def test_sheet_of_the_house_fits(phones: Phones, name: str, size: tuple[int, int]) -> None:
    sheet = SHEETS[name]
    phones.language = "fr" if sheet is FRENCH else "en"
    phones.wish(HOUSE, language=phones.language, text="large" if name == "large" else "usual")
    phones.show_house(sheet)
    with Phone(phones.invite([HOUSE])[HOUSE].address, size) as phone:
        wait_for(lambda: phone.lines == [sheet.due, sheet.own, sheet.said, sheet.points], "the sheet")
        phone.photograph(SHOTS / f"house-{name}-{size[0]}.png")
        assert not phone.of("document.getElementById('who').offsetParent"), "the house needs no name"
        assert phone.of(FITS)
        assert name == "large" or not phone.of(SCROLLS)
        assert size == LANDSCAPE or min(phone.of(HEIGHTS)) >= SMALL_PX
        assert phone.complaints() == []


QUIZ = '[[rounds]]\nkind = "first"\ntext = "Which planet has a day longer than its year?"\nanswer = "Venus"\n'


def test_house_reads_a_question(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """The picture of docs/quiz-night.md."""
    match = new_match(load("any")._replace(box_text=QUIZ * 4), NAMES[:3])
    for verb in ("open", "call 2", "right", "open", "call 1"):
        match.push(match.game.notation.parse_move(match.box, f"T {verb}"))
    with (
        PaintedTable(tmp_path) as table,
        Phone(table.phones.invite([HOUSE])[HOUSE].address, PORTRAIT) as house,
    ):
        table.play(match)
        wait_for(lambda: "Which planet has a day longer than its year? (Venus)" in house.lines, "the question")
        house.photograph(SHOTS / "house-en-390x844.png")
        in_gallery("house-en-390x844", request.config.getoption("update_golden"))
        assert house.of(FITS)


# --- A match ----------------------------------------------------------------------------------------------

SURE_NS = 150_000_000
"""An upper limit of a browser timestamp's uncertainty here."""


def nearly_over(moves: int) -> Match:
    """Return a match of real cards that the house judges, some moves before its end."""
    game, luck = load("buntherum"), random.Random("house")
    rulings = game.rulings(open="ok", judged_by="house")
    whole = new_match(game, NAMES[:2], rulings=rulings, deal="table", seed="house")
    while whole.outcome is None:
        whole.push(random_move(game.rules, whole.state, luck.randrange))
    match = new_match(game, NAMES[:2], rulings=rulings, deal="table", seed="house")
    for move in whole.moves[:-moves]:
        match.push(move)
    return match


class Evening:
    """Two players and the house at real pages. `judged` are the house's verdicts."""

    def __init__(self, table: PaintedTable, phones: dict[Place, Phone]) -> None:
        self.table, self.phones, self.house = table, phones, phones[HOUSE]
        self.luck = random.Random("people")
        self.judged: list[str] = []
        assert table.host.session
        self.session = table.host.session

    @property
    def over(self) -> bool:
        return isinstance(self.table.frames[-1].screen, Result)

    def press(self, control: str) -> None:
        """Press a button of the house once its page says that it has an effect."""
        lit = f"!document.querySelector('[data-control={control}]').classList.contains('idle')"
        wait_for(lambda: self.house.of(lit), control)
        self.house.press(self.house.control_for(control))

    def answer(self, seat: Seat, control: str) -> None:
        session = self.session
        wait_for(lambda: session.referee.gate.takes(seat, session.clock.now_ns() - SURE_NS), "reading")
        self.phones[Place(seat)].press(control)

    def step(self) -> None:
        session, state, length = self.session, self.session.match.state, self.session.match.length
        if session.referee.over or state.phase == Phase.READY:
            self.press("ok")  # the pieces are moved, or the card is turned
        elif state.phase == Phase.JUDGE:
            self.judged.append(self.luck.choice(("right", "wrong")))
            self.house.photograph(SHOTS / "house-judges.png")
            self.press(self.judged[-1])
        elif state.phase == Phase.OPEN:
            self.answer(self.luck.choice(session.referee.stage.race.callers), BUZZ)
        else:
            self.answer(state.caller, str(self.luck.randint(1, 6)))
        wait_for(lambda: self.over or session.match.length > length, f"what follows {state.phase}")


@pytest.mark.usefixtures("fixed_secrets")
def test_house_referees_a_match_by_phone(tmp_path: Path, chromium: Chromium) -> None:
    match = nearly_over(24)
    began = match.length
    with PaintedTable(tmp_path) as table, ExitStack() as opened:
        codes = table.phones.invite([*each_place(2), HOUSE])
        phones = {place: Phone(code.address, browser=chromium) for place, code in codes.items()}
        for place, phone in phones.items():
            opened.enter_context(phone)
            if place != HOUSE:
                phone.sits()
        wait_for(lambda: list(map(bool, table.phones.bounds_ns.values())) == [True] * 3, "all have joined")
        table.play(match)
        evening = Evening(table, phones)
        while not evening.over:
            evening.step()
        wait_for(lambda: "win" in evening.house.lines[0], "the result")
        evening.house.photograph(SHOTS / "house-result.png")
        assert all(phone.complaints() == [] for phone in phones.values())
    [path] = records(tmp_path)
    played = open_record(path, all_games()).match
    assert played.outcome
    judged = [move.args for move in played.moves[began:] if move.verb == "judge"]
    assert judged == [(int(verdict == "right"),) for verdict in evening.judged]
    assert judged

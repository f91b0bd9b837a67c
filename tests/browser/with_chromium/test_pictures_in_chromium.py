"""Hands and typed choices as pictures on real pages: large, coverable, readable aloud and one-handed."""

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.match import Match
from companion.core.move import Seat
from companion.games import load
from companion.games.boese_buben.rules import Phase as BuddiesPhase
from companion.games.buro_crazy.rules.components import Phase as OfficePhase
from companion.match.new_match import NAMES, new_match
from companion.testing.playout import random_move
from tests import pictures
from tests.browser.with_chromium.chromium import LANDSCAPE, PORTRAIT, Phone
from tests.browser.with_chromium.painted_table import PaintedTable
from tests.phone_sim import wait_for

SHOTS = Path(__file__).parents[3] / "build" / "browser"

GALLERY = pictures.FOLDER / "phone"
"""Pictures for docs/gallery.md; `pytest tests/browser/with_chromium --update-golden` makes them again."""

MOST_OTHER = 0.06
"""The allowed share of differing pixels, since browsers differ in fonts and smoothing."""

READ_NS = 500_000_000
"""Keys within the reading time of a question are refused."""

SEEN = """(() => {
    const shown = document.getElementById("picture");
    return shown.offsetParent !== null && shown.complete && shown.naturalWidth > 0;
})()"""
SOURCE = "document.getElementById('picture').src"
HELD = "document.getElementById('held')"
VISIBLE = "{}.offsetParent !== null && {}.getBoundingClientRect().width > 2"
COVERED = "document.getElementById('screen').classList.contains('hidden')"
FITS = """[...document.querySelectorAll("button, #lines, #picture:not([hidden])")].every((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
        && (one.scrollWidth <= one.clientWidth + 1 || one.id === "seat");
})"""
SHOWN = """(() => {
    const shown = document.getElementById("picture");
    const { width, height } = shown.getBoundingClientRect();
    const share = Math.min(width / shown.naturalWidth, height / shown.naturalHeight);
    return [share * shown.naturalWidth, share * shown.naturalHeight, share * devicePixelRatio];
})()"""
KEYS = """[...document.querySelectorAll("#touch button, #buzzer, #cover")].map((one) => {
    const { left, right, top, width, height } = one.getBoundingClientRect();
    return [left, right, top, width, height];
})"""
LIT = """document.getAnimations().forEach((one) => { one.pause(); one.currentTime = 300; })"""

COUNTED = """window.shown = 0;
new MutationObserver((seen) => {
    window.shown += seen.filter(({ attributeName }) => attributeName === "src").length;
}).observe(document.getElementById("picture"), { attributes: true });"""
LYING = """window.dispatchEvent(Object.assign(new Event("deviceorientation"), {{ beta: {} }}))"""


@pytest.fixture(autouse=True)
def _nobody_sees_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def reached(name: str, seats: int, due: Callable[[Any], bool]) -> Match:
    """Return a random match played until `due` holds."""
    game = load(name)
    match, luck = new_match(game, NAMES[:seats], seed="phones"), random.Random("phones")
    while not due(match.state):
        match.push(random_move(game.rules, match.state, luck.randrange))
    return match


def a_hand() -> tuple[Match, Seat]:
    """Return a race of Böse Buben and its mover, who has a full hand."""
    match = reached("boese_buben", 3, lambda state: state.phase == BuddiesPhase.TURN)
    return match, match.state.mover


def a_duel() -> tuple[Match, Seat]:
    """Return a duel of Büro Crazy without bids, and its first seat."""
    match = reached("buro_crazy", 3, lambda state: state.phase == OfficePhase.BID)
    return match, match.state.duel[0]


class Seated:
    """One seat's page in a running match; robots have the other seats."""

    def __init__(
        self, folder: Path, made: tuple[Match, Seat], language: str, size: tuple[int, int], look: dict[str, str]
    ) -> None:
        match, seat = made
        self.table = PaintedTable(folder, [language] * 5, **look)
        self.phone = Phone(self.table.invite(len(match.names))[seat], size)
        self.phone.sits()
        self.table.play(match)
        wait_for(lambda: self.phone.of(SEEN), "the picture")
        read_ns = time.monotonic_ns() + READ_NS
        wait_for(lambda: time.monotonic_ns() > read_ns, "reading")

    def close(self) -> None:
        with self.table, self.phone:
            pass

    def changes(self, do: Callable[[], object]) -> None:
        before = self.phone.of(SOURCE)
        do()
        wait_for(lambda: self.phone.of(SOURCE) != before and self.phone.of(SEEN), "another picture")

    def touch(self, keys: str) -> None:
        for key in keys:
            self.changes(lambda: self.phone.press(self.phone.control_for(key)))  # noqa: B023  at once


Sits = Callable[..., Seated]


@pytest.fixture
def sits(tmp_path: Path) -> Iterator[Sits]:
    """Return a function that seats a phone with a language, size and look."""
    opened: list[Seated] = []

    def sit(
        made: tuple[Match, Seat], language: str = "en", size: tuple[int, int] = PORTRAIT, **look: str
    ) -> Seated:
        opened.append(Seated(tmp_path / str(len(opened)), made, language, size, look))
        return opened[-1]

    yield sit
    for each in opened:
        each.close()


# --- Seen -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("look", [{}, {"contrast": "high", "text": "large"}], ids=["usual", "high"])
@pytest.mark.parametrize("size", [PORTRAIT, LANDSCAPE], ids=["portrait", "landscape"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_hand_is_shown_large_and_sharp(
    sits: Sits, request: pytest.FixtureRequest, language: str, size: tuple[int, int], look: dict[str, str]
) -> None:
    """The pictures cover hands and bids; some are in the gallery."""
    of_buddies = (language == "en") == (size == PORTRAIT)
    seated = sits(a_hand() if of_buddies else a_duel(), language, size, **look)
    seated.touch("3" if of_buddies else "135")
    phone = seated.phone
    phone.driver.execute_script(LIT)
    name = "-".join(("hand" if of_buddies else "bid", language, "x".join(map(str, size)), *look.values()))
    phone.photograph(SHOTS / f"{name}.png")
    in_gallery(name, request.config.getoption("update_golden"))
    assert phone.of(FITS)
    width, height, pixels = phone.of(SHOWN)
    assert width * height > 0.17 * size[0] * size[1]
    assert 0.8 < pixels < 1.35, "a pixel of the picture is one of the phone"
    assert phone.of(VISIBLE.format(HELD, HELD)) is False
    assert phone.complaints() == []


def in_gallery(name: str, update: bool) -> None:
    """Compare a picture with the gallery's of the same name, or update that."""
    seen, path = pictures.loaded(SHOTS / f"{name}.png"), GALLERY / f"{name}.png"
    if path.exists() and update:
        pictures.write(path, seen)
    if path.exists():
        kept = pictures.loaded(path)
        assert kept.get_size() == seen.get_size(), path
        other = pictures.far(seen, kept, 2 * (pictures.ROUNDING + pictures.TOLERANCE))
        assert other < MOST_OTHER * seen.get_width() * seen.get_height(), f"it looks otherwise than {path}"


def test_rotation_redraws_the_picture(sits: Sits) -> None:
    seated = sits(a_hand())
    phone = seated.phone
    upright, _, _ = phone.of(SHOWN)
    metrics = {"width": 844, "height": 390, "deviceScaleFactor": 2, "mobile": True}
    seated.changes(lambda: phone.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics))
    wait_for(lambda: 0.8 < phone.of(SHOWN)[2] < 1.35 and phone.of(SHOWN)[0] > upright, "a picture that suits")
    assert phone.of(FITS)


def test_reload_shows_the_same_hand(sits: Sits) -> None:
    seated = sits(a_hand())
    held = seated.phone.of(f"{HELD}.textContent")
    seated.phone.driver.refresh()
    seated.phone.sits()
    wait_for(lambda: seated.phone.of(SEEN), "the picture")
    assert seated.phone.of(f"{HELD}.textContent") == held


def test_unproved_picture_is_not_shown(sits: Sits) -> None:
    """Somebody between table and phone could send one; genuine pictures carry a proof."""
    seated = sits(a_hand())
    seated.phone.driver.execute_script(COUNTED)
    server = seated.table.phones.server
    assert server
    for talk in seated.table.phones._talks:
        talk._shown = b""
        with seated.table.phones._lock:
            talk.link.png = b"\x89PNG of somebody else"
    server.wake()
    seated.touch("3")
    assert seated.phone.of("shown") == 1, "the next one that is meant"
    assert seated.phone.complaints() == []


# --- Touched ----------------------------------------------------------------------------------------------


def test_second_touch_waits_for_the_picture_that_answers(sits: Sits) -> None:
    """Otherwise the second touch would choose the first one's lane."""
    seated = sits(a_hand())
    phone = seated.phone
    x, y = phone.middle("3")

    def twice() -> None:
        for _ in range(2):
            phone._lay(x, y)
            phone.up()

    seated.changes(twice)
    wait_for(lambda: "Lane 1" in phone.of("document.getElementById('touch').textContent"), "the lanes")
    assert phone.lines[0] == "Typed: 3"


def test_touch_ends_on_the_control_it_began(sits: Sits) -> None:
    """The page may change its layout before the finger is lifted."""
    phone = sits(a_hand()).phone
    phone._lay(*phone.middle("3"))
    wait_for(lambda: phone.lines[0] == "Typed: 3", "the answer")
    phone.driver.execute_script(
        "document.getElementById('seat').style.cssText = 'position: fixed; inset: 0; z-index: 9'"
    )
    phone.up()
    phone.driver.execute_script("document.getElementById('seat').style.cssText = ''")
    wait_for(lambda: "Lane 1" in phone.of("document.getElementById('touch').textContent"), "the lanes")
    phone.press("1")
    wait_for(lambda: "Typed" not in phone.lines[0], "the card is placed")
    assert not phone.is_asked


# --- Covered ----------------------------------------------------------------------------------------------


def test_hand_is_covered_by_touch_or_face_down(sits: Sits) -> None:
    seated = sits(a_hand())
    phone = seated.phone
    for cover in (
        lambda: phone.driver.find_element("id", "cover").click(),
        lambda: phone.driver.execute_script(LYING.format(178)),
        lambda: phone.driver.execute_script(LYING.format(-165)),
    ):
        assert phone.of(SEEN)
        cover()
        assert phone.of(COVERED)
        assert not phone.of(SEEN)
        assert names(phone).isdisjoint({phone.of(f"{HELD}.textContent")})
        phone.driver.execute_script(LYING.format(20))
        assert phone.of(COVERED), "it is looked at by who touches it, not by who lifts it"
        phone.driver.refresh()
        phone.sits()
        assert phone.of(COVERED), "also when its page was loaded anew"
        phone.driver.find_element("id", "screen").click()
        wait_for(lambda: phone.of(SEEN), "the picture")


# --- Read aloud -------------------------------------------------------------------------------------------


def tree(phone: Phone) -> list[tuple[str, str]]:
    """Return the role and name of everything in the accessibility tree."""
    nodes = phone.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    return [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"] and "role" in node
    ]


def names(phone: Phone) -> set[str]:
    return {name for _, name in tree(phone)}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Seat 2: Ben", "Cover", "Both hands", "Choices", "Card 3a", "Buzzer", "Lamp on")),
        ("fr", ("Place 2: Ben", "Cacher", "Deux mains", "Choix", "Carte 3a", "Buzzer", "Lampe allumée")),
    ],
)
def test_screen_reader_gets_labels_and_the_hand(sits: Sits, language: str, words: tuple[str, ...]) -> None:
    seated = sits(a_hand(), language)
    wait_for(lambda: seated.phone.lamp == "on", "the lamp")
    read = tree(seated.phone)
    buttons = [name for role, name in read if role == "button"]
    assert len(buttons) == 4 + 12
    assert all(buttons)
    assert {*words} <= {name for _, name in read}
    assert seated.phone.of(f"{HELD}.textContent") in {name for _, name in read}
    assert not [name for role, name in read if role in {"image", "img"}], "the picture says nothing more"


# --- With one hand ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [PORTRAIT, LANDSCAPE], ids=["portrait", "landscape"])
def test_one_thumb_reaches_every_control(sits: Sits, size: tuple[int, int]) -> None:
    seated = sits(a_hand(), size=size)
    seated.touch("3")
    phone, reach = seated.phone, 0.87 if size == PORTRAIT else 0.6
    hand = phone.driver.find_element("id", "hand")
    for name, far in (("right", lambda left, right: size[0] - left), ("left", lambda left, right: right)):
        hand.click()
        assert phone.of("document.body.dataset.hand") == name
        assert all(far(left, right) <= reach * size[0] for left, right, *_ in phone.of(KEYS))
        assert all(width >= 40 and height >= 32 for *_, width, height in phone.of(KEYS))
        assert phone.of(FITS)
        phone.photograph(SHOTS / f"one-hand-{name}-{size[0]}x{size[1]}.png")
    phone.driver.refresh()
    phone.sits()
    assert phone.of("document.body.dataset.hand") == "left", "a phone knows whose it is"

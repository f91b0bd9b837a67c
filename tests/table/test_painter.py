"""The painter draws the pictures of private screens."""

import io
from types import SimpleNamespace

import pygame
import pytest

from companion.core.game import PieceTask
from companion.core.move import Seat
from companion.core.place import HOUSE, PictureSize, Place, ScreenSize
from companion.core.text import Text
from companion.display import screens
from companion.display.frame import Beat, Look, PrivatePicture
from companion.games import load
from companion.games.buro_crazy.own import Own
from companion.match.new_match import NAMES, new_match
from companion.match.piece_tasks import PieceTasks
from companion.match.seat_panels import Controls
from companion.match.seating import Sitter
from companion.table.mirror import png
from companion.table.painter import STEP_NS, Painter
from tests.host_bench import Bench
from tests.pod_fakes import AtOnce, NoHardware

OFFICE = load("buro_crazy")
SIZE = PictureSize(300, 200, "phone")
FIRST, SECOND, THIRD = map(Place, range(3))
HAND = Own((1, 2, 5, 10, 20), (4, 4, 4, 4, 4), (0, 0, 0, 0, 0), due=True, keys=True)


class FakeHardware(NoHardware):
    """Three places, two with pictures; records what they receive."""

    places = (FIRST, SECOND, THIRD)

    def __init__(self):
        super().__init__()
        self.picture_sizes = {FIRST: SIZE, SECOND: SIZE._replace(height_px=100)}
        self.shown, self.said, self.described = [], {}, {}

    def describe(self, place, said):
        self.described[place] = said

    def picture(self, place, png, areas):
        self.areas = areas
        self.shown.append((place, png))

    def taken(self):
        taken, self.shown = self.shown, []
        return taken

    def say(self, place, *lines):
        self.said[place] = lines

    def screen_size(self, place):
        return ScreenSize(20, 4)


@pytest.fixture(autouse=True)
def _dummy_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture
def hardware():
    return FakeHardware()


@pytest.fixture
def packer():
    return AtOnce()


@pytest.fixture
def painter(hardware, packer):
    return Painter(hardware, packer)


def bid(number):
    return PrivatePicture(OFFICE.scene, HAND._replace(number=number), f"Bid {number}")


def packed(number, height_px=200):
    return png((300, height_px), screens.private_pixels((300, height_px), bid(number))[0])


def test_each_screen_gets_its_picture_once(hardware, painter):
    painter.put({FIRST: bid("7"), SECOND: bid("8")})
    painter.look(STEP_NS)
    pictures = [pygame.image.load(io.BytesIO(png), "x.png") for _, png in hardware.shown]
    assert [picture.get_size() for picture in pictures] == [(300, 200), (300, 100)]
    assert hardware.taken() == [(FIRST, packed("7")), (SECOND, packed("8", 100))]
    painter.put({FIRST: bid("7"), SECOND: bid("9")})
    painter.look(2 * STEP_NS)
    assert hardware.taken() == [(SECOND, packed("9", 100))]
    painter.put({FIRST: None, SECOND: bid("9")})
    painter.look(3 * STEP_NS)
    assert hardware.taken() == [(FIRST, b"")]


def test_fast_changes_are_drawn_at_a_limited_rate(hardware, painter):
    for n in range(100):
        painter.put({FIRST: bid(str(n)), SECOND: None})
        painter.look(STEP_NS + n * STEP_NS // 10)
    drawn = [png for place, png in hardware.taken() if place == FIRST]
    assert drawn == [packed(str(n)) for n in range(0, 100, 10)]
    painter.look(20 * STEP_NS)
    assert hardware.taken() == [(FIRST, packed("99"))]


def test_slow_machine_packs_only_the_newest_pictures(hardware, painter, packer):
    packer.slow = True
    for n in range(20):
        painter.put({FIRST: bid(str(n)), SECOND: bid("7")})
        painter.look((n + 1) * STEP_NS)
    assert len(packer.later) == 2
    packer.work()
    painter.look(30 * STEP_NS)
    packer.work()
    assert hardware.taken() == [(FIRST, packed("0")), (SECOND, packed("7", 100)), (FIRST, packed("19"))]


def test_replaced_screen_gets_the_last_picture(hardware, painter):
    painter.put({FIRST: bid("7")})
    painter.look(STEP_NS)
    hardware.taken()
    for sizes in ({FIRST: SIZE._replace(screen="other")}, {}, {FIRST: SIZE}):
        hardware.picture_sizes = sizes
        painter.look(STEP_NS)
        painter.look(2 * STEP_NS)
        assert hardware.taken() == [(FIRST, packed("7"))] * len(sizes)
        painter._drawn_ns.clear()


@pytest.mark.logs_errors
def test_failing_scene_draws_no_picture_and_stops_nobody(hardware, painter, caplog):
    painter.put({FIRST: PrivatePicture(OFFICE.scene, SimpleNamespace(), "Hand 152"), SECOND: bid("8")})
    painter.look(STEP_NS)
    assert hardware.taken() == [(FIRST, b""), (SECOND, packed("8", 100))]
    assert "the private picture of" in caplog.text


# --- At a table -------------------------------------------------------------------------------------------


@pytest.fixture
def bench(tmp_path, hardware, painter):
    """Büro Crazy: two people's first bids are due, and a robot watches."""
    match = new_match(OFFICE, NAMES[:3], seed="7")
    match.push(
        next(one for one in OFFICE.rules.draws(match.state) if OFFICE.rules.apply(match.state, one).duel == (0, 1))
    )
    sitters = [Sitter("Anna"), Sitter("Ben"), Sitter("Cleo", "easy")]
    bench = Bench(tmp_path, match=match, sitters=sitters, hardware=hardware, paint=painter.put)
    bench.read()
    return bench


def press(bench, place, *keys):
    for key in keys:
        bench.hand(place, key, source="pod")
        bench.wait(0.2)


def looked(bench, painter, hardware):
    """Describe each new picture, by place."""
    bench.clock.t_ns += STEP_NS
    painter.look(bench.clock.t_ns)
    return {place: hardware.described[place] if png else "no picture" for place, png in hardware.taken()}


def test_typed_bid_is_drawn_only_for_its_seat(bench, hardware, painter):
    assert looked(bench, painter, hardware) == dict.fromkeys((FIRST, SECOND), "Hand 152 (4x20 4x10 4x5 4x2 4x1)")
    press(bench, FIRST, "5")
    assert hardware.shown == [], "who presses waits for no drawing"
    assert looked(bench, painter, hardware) == {FIRST: "Hand 132 (3x20 4x10 4x5 4x2 4x1)"}
    assert hardware.said[FIRST] == ("Bid 20 (20)", "", "", "")
    press(bench, FIRST, "9")
    assert looked(bench, painter, hardware) == {FIRST: "Hand 152 (4x20 4x10 4x5 4x2 4x1)"}
    assert hardware.said[FIRST] == ("Touch your cards", "1 to 5 add a card, *", "removes one", "")
    bench.read()
    hardware.picture_sizes = {}
    press(bench, FIRST, "4")
    assert hardware.said[FIRST][:2] == ("Bid 10 (10)", "Hand 142 (4x20 3x10")


def test_touched_cards_give_way_to_keys_in_menus(bench, hardware, painter):
    """The buzzer stays small in games without a race."""
    looked(bench, painter, hardware)
    assert [(area.keys, area.label) for area in hardware.areas][-2:] == [("5", "Add 20"), ("#", "Lock 0")]
    press(bench, FIRST, "5")
    looked(bench, painter, hardware)
    assert [(area.keys, area.label) for area in hardware.areas][-2:] == [("*", "Delete"), ("#", "Lock 20")]
    assert bench.host.frames._controls(hardware)[FIRST] == Controls(keys=False, buzzer=False)
    bench.house("menu")
    looked(bench, painter, hardware)
    assert hardware.areas == ()
    assert bench.host.frames._controls(hardware)[FIRST] == Controls()


def test_hand_on_a_phone_stays_off_the_pc(bench, monkeypatch):
    monkeypatch.setattr(FakeHardware, "screen_places", (FIRST,))
    press(bench, FIRST, "5")
    bench.host.frames.peek(True)
    one, other = bench.frame.panels[:2]
    assert (one.lines[1], one.own) == ("", None)
    assert "Bid" not in one.lines[0], "what is typed is a secret"
    assert other.lines[1].startswith("Hand 152")
    assert other.own.own.hand == (4, 4, 4, 4, 4)
    bench.host.frames.peek(False)
    assert [panel.own for panel in bench.frame.panels] == [None] * 5


def test_buzzer_is_large_in_games_with_a_race(tmp_path, hardware, painter):
    bench = Bench(tmp_path, sitters=[Sitter(name) for name in NAMES[:3]], hardware=hardware, paint=painter.put)
    bench.house("ok", "ok")
    bench.take("Buntherum", "Start")
    assert bench.host.frames._controls(hardware) == dict.fromkeys(hardware.places, Controls())


def test_drum_hides_the_pictures_until_it_ends(bench, hardware, painter):
    press(bench, FIRST, "5", "#")
    press(bench, SECOND, "1")
    looked(bench, painter, hardware)
    press(bench, SECOND, "#")
    assert bench.beat == Beat.DRUM
    assert looked(bench, painter, hardware) == dict.fromkeys((FIRST, SECOND), "no picture")
    bench.until(lambda: bench.screen.beat == Beat.CALM, 20)
    assert looked(bench, painter, hardware)[FIRST].startswith("Hand 1")


def test_corrected_bid_is_drawn_from_its_original_hand(bench, hardware, painter):
    press(bench, FIRST, "5", "#")
    press(bench, HOUSE, "menu", "right")
    bench.take("Correct", "2. ")
    assert looked(bench, painter, hardware)[FIRST] == "Hand 152 (4x20 4x10 4x5 4x2 4x1)"
    press(bench, FIRST, "4", "4")
    assert looked(bench, painter, hardware) == {FIRST: "Hand 132 (4x20 2x10 4x5 4x2 4x1)"}


def test_picture_comes_with_the_real_cards_to_take(bench, hardware, painter):
    session = bench.host.session
    session.piece_tasks = PieceTasks(session.match.names, {FIRST, SECOND}, lambda: None, bench.clock.now_ns)
    session.piece_tasks.hear([PieceTask(Seat(0), Text("Take a 20 and a 1"), secret=True)])
    session.piece_tasks.turn_over(None)
    press(bench, FIRST, "5")
    assert hardware.said[FIRST] == ("Bid 20 (20)", "Take a 20 and a 1", "", "")
    assert looked(bench, painter, hardware)[FIRST].startswith("Hand 132")


def test_game_without_private_drawing_uses_words(tmp_path, hardware, painter):
    match = new_match(load("de_et_boulanger"), NAMES[:2], seed="7")
    bench = Bench(tmp_path, match=match, hardware=hardware, paint=painter.put)
    bench.read()
    assert set(looked(bench, painter, hardware).values()) <= {"no picture"}
    assert any(hardware.said[FIRST])


def test_each_look_has_its_own_picture(hardware, painter):
    drawn = set()
    for n, look in enumerate((Look(), Look(high_contrast=True))):
        painter.put({FIRST: bid("7")._replace(look=look)})
        painter.look((n + 1) * STEP_NS)
        drawn.add(hardware.shown[-1][1])
    assert len(drawn) == 2

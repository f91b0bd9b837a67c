"""New pods are given to seats: who is asked presses a key on the own pod."""

from companion.screens.new_pods import PATIENCE_NS, PodBinding
from tests.pod_fakes import FakePods

S = 1_000_000_000


def test_places_without_a_pod_are_asked_clockwise() -> None:
    pods = FakePods("AA", "BB", seats=["", "CC"])
    binding = PodBinding(pods, 3, S)
    assert binding.place == 0
    pods.press("BB", 2 * S)
    assert binding.look(2 * S)
    assert binding.place == 2
    pods.press("AA", 3 * S)
    assert binding.look(3 * S)
    assert binding.place is None
    assert pods.seats == ["BB", "CC", "AA"]


def test_nothing_happens_while_nobody_presses() -> None:
    pods = FakePods("AA")
    binding = PodBinding(pods, 5, S)
    assert not binding.look(20 * S)
    assert binding.place == 0
    assert not binding.changed
    assert pods.seats == []


def test_a_seat_that_does_not_answer_is_passed_over() -> None:
    binding = PodBinding(FakePods("AA"), 2, S)
    assert not binding.look(S + PATIENCE_NS - 1)
    assert binding.place == 0
    assert not binding.look(S + PATIENCE_NS)
    assert binding.place == 1
    assert not binding.look(S + 2 * PATIENCE_NS)
    assert binding.place is None
    assert not binding.changed


def test_what_was_pressed_before_the_question_is_no_answer() -> None:
    pods = FakePods("AA")
    pods.press("AA", S)
    binding = PodBinding(pods, 5, S)
    assert not binding.look(2 * S)
    pods.press("AA", S + 1)
    assert binding.look(2 * S)


def test_a_press_answers_one_question_only() -> None:
    pods = FakePods("AA", "BB")
    binding = PodBinding(pods, 5, S)
    pods.press("BB", 2 * S)
    pods.press("AA", 3 * S)
    assert binding.look(3 * S)
    assert not binding.look(4 * S)
    assert (binding.place, pods.seats) == (1, ["AA"])
    pods.press("BB", 5 * S)
    assert binding.look(5 * S)
    assert pods.seats == ["AA", "BB"]


def test_the_pod_that_was_pressed_last_is_meant() -> None:
    pods = FakePods("AA", "BB")
    binding = PodBinding(pods, 5, S)
    pods.press("AA", 2 * S)
    pods.press("BB", 3 * S)
    assert binding.look(3 * S)
    assert pods.seats == ["BB"]


def test_a_place_may_be_skipped() -> None:
    pods = FakePods("AA")
    binding = PodBinding(pods, 2, S)
    binding.skip(2 * S)
    assert binding.place == 1
    assert not binding.changed
    binding.skip(3 * S)
    assert binding.place is None
    pods.press("AA", 4 * S)
    assert not binding.look(4 * S)
    assert pods.seats == []


def test_a_press_just_before_a_skip_is_not_for_the_next_place() -> None:
    pods = FakePods("AA")
    binding = PodBinding(pods, 5, S)
    pods.press("AA", 2 * S)
    binding.skip(2 * S)
    assert not binding.look(3 * S)
    assert pods.seats == []


def test_nobody_is_asked_when_no_pod_is_left_or_every_place_has_one() -> None:
    assert PodBinding(FakePods(), 5, S).place is None
    assert PodBinding(FakePods("FF", seats=["AA", "BB"]), 2, S).place is None
    pods = FakePods("AA")
    binding = PodBinding(pods, 5, S)
    pods.pull("AA")
    assert binding.place is None
    assert not binding.look(2 * S)


def test_the_screen_names_the_seat() -> None:
    pods = FakePods("AA", seats=["CC"])
    poster = PodBinding(pods, 5, S).poster()
    assert poster.title == "Whose pod is this?"
    assert poster.lines == ("Seat 2: press a key on your pod",)
    assert poster.hint == "House: skip asks the next seat, ok ends"

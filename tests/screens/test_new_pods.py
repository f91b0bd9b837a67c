"""Binding new pods: each player presses a key on their pod."""

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


def test_nothing_happens_without_a_press() -> None:
    pods = FakePods("AA")
    binding = PodBinding(pods, 5, S)
    assert not binding.look(20 * S)
    assert binding.place == 0
    assert not binding.changed
    assert pods.seats == []


def test_silent_seat_is_passed_over() -> None:
    binding = PodBinding(FakePods("AA"), 2, S)
    assert not binding.look(S + PATIENCE_NS - 1)
    assert binding.place == 0
    assert not binding.look(S + PATIENCE_NS)
    assert binding.place == 1
    assert not binding.look(S + 2 * PATIENCE_NS)
    assert binding.place is None
    assert not binding.changed


def test_earlier_press_is_not_an_answer() -> None:
    pods = FakePods("AA")
    pods.press("AA", S)
    binding = PodBinding(pods, 5, S)
    assert not binding.look(2 * S)
    pods.press("AA", S + 1)
    assert binding.look(2 * S)


def test_press_answers_only_one_question() -> None:
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


def test_last_pod_pressed_is_bound() -> None:
    pods = FakePods("AA", "BB")
    binding = PodBinding(pods, 5, S)
    pods.press("AA", 2 * S)
    pods.press("BB", 3 * S)
    assert binding.look(3 * S)
    assert pods.seats == ["BB"]


def test_place_may_be_skipped() -> None:
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


def test_press_before_a_skip_does_not_count_later() -> None:
    pods = FakePods("AA")
    binding = PodBinding(pods, 5, S)
    pods.press("AA", 2 * S)
    binding.skip(2 * S)
    assert not binding.look(3 * S)
    assert pods.seats == []


def test_full_table_or_missing_pods_ask_nobody() -> None:
    assert PodBinding(FakePods(), 5, S).place is None
    assert PodBinding(FakePods("FF", seats=["AA", "BB"]), 2, S).place is None
    pods = FakePods("AA")
    binding = PodBinding(pods, 5, S)
    pods.pull("AA")
    assert binding.place is None
    assert not binding.look(2 * S)


def test_poster_names_the_seat() -> None:
    pods = FakePods("AA", seats=["CC"])
    poster = PodBinding(pods, 5, S).poster()
    assert poster.title == "Whose pod is this?"
    assert poster.lines == ("Seat 2: press a key on your pod",)
    assert poster.hint == "House: skip asks the next seat, ok ends"

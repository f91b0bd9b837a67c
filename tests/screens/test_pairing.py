"""The question whose pod or number pad it is: each owner presses a key of theirs."""

from companion.referee.arbiter import SETTLE_MOST_NS
from companion.screens.pairing import PATIENCE_NS, PairingRound
from tests.pod_fakes import FakePods

S = 1_000_000_000
MS = 1_000_000


def test_places_without_a_pod_are_asked_clockwise() -> None:
    pods = FakePods("AA", "BB", seats=["", "CC"], places=3)
    asking = PairingRound(pods, S)
    assert asking.place == 0
    pods.press("BB", 2 * S)
    assert asking.look(3 * S)
    assert asking.place == 2
    pods.press("AA", 4 * S)
    assert asking.look(5 * S)
    assert asking.place is None
    assert pods.seats == ["BB", "CC", "AA"]


def test_nothing_happens_without_a_press() -> None:
    pods = FakePods("AA")
    asking = PairingRound(pods, S)
    assert not asking.look(20 * S)
    assert asking.place == 0
    assert not asking.changed
    assert pods.seats == []


def test_silent_seat_is_passed_over() -> None:
    asking = PairingRound(FakePods("AA", places=2), S)
    assert not asking.look(S + PATIENCE_NS - 1)
    assert asking.place == 0
    assert asking.look(S + PATIENCE_NS)
    assert asking.place == 1
    assert asking.look(S + 2 * PATIENCE_NS)
    assert asking.place is None
    assert not asking.changed


def test_earlier_press_is_not_an_answer() -> None:
    pods = FakePods("AA")
    pods.press("AA", S)
    asking = PairingRound(pods, S)
    assert not asking.look(2 * S)
    pods.press("AA", S + 1)
    assert asking.look(2 * S)


def test_press_answers_only_one_question() -> None:
    pods = FakePods("AA", "BB")
    asking = PairingRound(pods, S)
    pods.press("AA", 2 * S)
    pods.press("BB", 2 * S + MS)
    assert asking.look(3 * S)
    assert not asking.look(4 * S)
    assert (asking.place, pods.seats) == (1, ["AA"])
    pods.press("BB", 5 * S)
    assert asking.look(6 * S)
    assert pods.seats == ["AA", "BB"]


def test_timestamps_decide_and_not_the_arrival() -> None:
    pods = FakePods("AA", "BB")
    asking = PairingRound(pods, S)
    pods.press("AA", 2 * S)
    assert not asking.look(2 * S + SETTLE_MOST_NS - 1)
    pods.press("BB", 2 * S - 1)
    pods.press("BB", 2 * S + 2)
    assert asking.look(2 * S + SETTLE_MOST_NS)
    assert pods.seats == ["BB"]


def test_two_presses_at_once_bind_neither() -> None:
    pods = FakePods("AA", "BB")
    asking = PairingRound(pods, S)
    pods.press("AA", 2 * S, 10 * MS)
    pods.press("BB", 2 * S + 20 * MS, 10 * MS)
    assert asking.look(3 * S)
    assert (asking.place, pods.seats) == (0, [])
    assert asking.poster().lines == ("Two were pressed at once. Seat 1: press a key on your pod",)
    pods.press("BB", 4 * S, 10 * MS)
    assert asking.look(5 * S)
    assert pods.seats == ["BB"]
    assert asking.poster().lines == ("Seat 2: press a key on your pod",)


def test_pod_of_another_seat_is_refused() -> None:
    pods = FakePods("AA", seats=["CC"])
    asking = PairingRound(pods, S)
    pods.press("CC", 2 * S)
    assert asking.look(3 * S)
    assert pods.seats == ["CC"]
    assert asking.poster().lines == ("That one is seat 1's. Seat 2: press a key on your pod",)


def test_asking_anew_exchanges_pods() -> None:
    pods = FakePods(seats=["AA", "BB"])
    assert PairingRound(pods, S).place is None
    asking = PairingRound(pods, S, anew=True)
    pods.press("BB", 2 * S)
    assert asking.look(3 * S)
    pods.press("BB", 4 * S)
    assert asking.look(5 * S)
    assert asking.poster().lines[0].startswith("That one is seat 1's. ")
    pods.press("AA", 6 * S)
    assert asking.look(7 * S)
    assert pods.seats == ["BB", "AA"]
    assert asking.place is None


def test_place_may_be_skipped() -> None:
    pods = FakePods("AA", places=2)
    asking = PairingRound(pods, S)
    asking.skip(2 * S)
    assert asking.place == 1
    assert not asking.changed
    asking.skip(3 * S)
    assert asking.place is None
    pods.press("AA", 4 * S)
    assert not asking.look(5 * S)
    assert pods.seats == []


def test_press_before_a_skip_does_not_count_later() -> None:
    pods = FakePods("AA")
    asking = PairingRound(pods, S)
    pods.press("AA", 2 * S)
    asking.skip(2 * S)
    assert not asking.look(3 * S)
    assert pods.seats == []


def test_full_table_or_missing_pods_ask_nobody() -> None:
    assert PairingRound(FakePods(), S).place is None
    assert PairingRound(FakePods("FF", seats=["AA", "BB"], places=2), S).place is None
    pods = FakePods("AA")
    asking = PairingRound(pods, S)
    pods.pull("AA")
    assert asking.place is None
    assert not asking.look(2 * S)


def test_poster_names_the_seat() -> None:
    pods = FakePods("AA", seats=["CC"])
    poster = PairingRound(pods, S).poster()
    assert poster.title == "Whose pod is this?"
    assert poster.lines == ("Seat 2: press a key on your pod",)
    assert poster.hint == "House: skip asks the next seat, ok ends"

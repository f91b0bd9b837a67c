"""Secrets at the table: nobody learns who pressed before the verdict, and refusals are private."""

from collections.abc import Callable

import pytest

from tests.referee.bench import Bench

Act = Callable[[Bench, int], None]


class Eyes:
    def __init__(self) -> None:
        self.frames: list[tuple[object, str]] = []
        self.bench: Bench | None = None

    def show(self, view, prompt) -> int:
        self.frames.append((view, str(prompt)))
        return self.bench.table.clock.now_ns() if self.bench else 0


def public(act: Act, seat: int, until_ms: float, start_ms: float = 1500, **options) -> list[object]:
    """Return what is public until `until_ms` when a seat acts."""
    eyes = Eyes()
    bench = Bench(screen=eyes, settle_ms=10, **options)
    eyes.bench = bench
    bench.at(start_ms)
    act(bench, seat)
    bench.at(until_ms)
    heard = [(t_ns, event) for t_ns, event in bench.told if event.visible_to(None)]
    return [heard, eyes.frames, list(bench.devices.lamps)]


def same_for_all(act: Act, until_ms: float, start_ms: float = 1500, **options) -> bool:
    first, *others = [public(act, seat, until_ms, start_ms, **options) for seat in range(3)]
    return all(other == first for other in others)


def test_nobody_learns_who_pressed_before_the_verdict():
    assert same_for_all(Bench.buzz, until_ms=1510)
    assert not same_for_all(Bench.buzz, until_ms=1600)


def test_nobody_learns_that_somebody_pressed_before_verdict():
    def nothing(bench: Bench, seat: int) -> None:
        pass

    assert public(Bench.buzz, 0, until_ms=1510) == public(nothing, 0, until_ms=1510)


def test_nobody_learns_keys_in_the_direct_variant():
    def key(bench: Bench, seat: int) -> None:
        bench.keys(seat, "146"[seat])

    assert same_for_all(key, until_ms=1510, call_input="direct")


def test_free_false_starts_are_private():
    assert same_for_all(Bench.buzz, start_ms=800, until_ms=5000)


def test_giving_up_is_private_until_all_have():
    def give_up(bench: Bench, seat: int) -> None:
        bench.keys(seat, "*")

    assert same_for_all(give_up, until_ms=5000)


def test_refused_keys_are_private():
    def fumble(bench: Bench, seat: int) -> None:
        bench.keys(seat, "#7A")

    assert same_for_all(fumble, until_ms=5000)


def test_noise_on_a_line_is_private():
    assert same_for_all(Bench.stray, until_ms=5000)


@pytest.mark.parametrize("kind", ["refused", "false_start"])
def test_refusal_and_false_start_reach_only_their_seat(kind):
    bench = Bench().at(800)
    bench.buzz(1)
    bench.keys(1, "9")
    bench.at(1500)
    (event,) = bench.of(kind)
    assert event.seen_by == (1,)
    assert [event.visible_to(audience) for audience in (None, 0, 1, 2)] == [False, False, True, False]


def test_all_other_events_of_a_turn_are_public():
    bench = Bench().at(1500)
    bench.call(0, 0)
    bench.at(3000)
    assert {event.kind for _, event in bench.told if event.seen_by is not None} == set()


def test_no_event_names_an_unturned_card():
    bench = Bench().at(1500)
    bench.call(0, 0)
    bench.at(2300)
    told = " ".join(str(event) for _, event in bench.told)
    seen = {bench.match.box.names[card] for row in bench.view.rows for card in row}
    seen |= {event.facts["card"] for event in bench.of("flip")}
    named = {name for name in bench.match.box.names if f"'{name}'" in told}
    assert named <= seen

"""The number of starting placements in Büro Crazy, counted, and listed for few figures."""

from functools import cache
from itertools import combinations, combinations_with_replacement


@cache
def arrangements(seats: int, each: int) -> int:
    """Count placements by inclusion and exclusion over pairs of one seat."""
    pairs = seats * each // 2
    total = 0
    for doubles in range(pairs + 1):
        for owners in combinations_with_replacement(range(seats), doubles):
            spent = [each - 2 * owners.count(seat) for seat in range(seats)]
            if min(spent) >= 0:
                # choose the double pairs and their owners, then place the rest anywhere
                ways = multinomial([owners.count(seat) for seat in range(seats)] + [pairs - doubles])
                total += (-1) ** doubles * ways * multinomial(spent)
    return total


def multinomial(parts: list[int]) -> int:
    ways, placed = 1, 0
    for part in parts:
        for n in range(1, part + 1):
            placed += 1
            ways = ways * placed // n
    return ways


def brute_arrangements(seats: int, each: int) -> set[tuple[int, ...]]:
    """Return every placement of few figures."""
    size = seats * each
    found: set[tuple[int, ...]] = set()

    def fill(spaces: tuple[int | None, ...], seat: int) -> None:
        if seat == seats:
            row = tuple(one for one in spaces if one is not None)
            if all(row[n] != row[n + 1] for n in range(0, size - 1, 2)):
                found.add(row)
            return
        free = [n for n in range(size) if spaces[n] is None]
        for chosen in combinations(free, each):
            fill(tuple(seat if n in chosen else one for n, one in enumerate(spaces)), seat + 1)

    fill((None,) * size, 0)
    return found

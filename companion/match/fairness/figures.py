"""Counts verdicts of pairs, and writes tables of them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]


def cell_of(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the verdicts of one distance: how many pairs, and how late."""
    was = Counter(row["found"] for row in rows)
    cell: dict[str, Any] = {"pairs": len(rows), **{name: was[name] for name in ("first", "tie", "wrong", "missed")}}
    if "failed" in rows[0]:
        cell["failed"] = sum(row["failed"] for row in rows)
    cell["twice"] = sum("more" in row for row in rows)
    late_ns = [row["late_ns"] for row in rows if "late_ns" in row]
    return cell | {"late_ms": [quantile_ms(late_ns, 0.5), quantile_ms(late_ns, 0.99)]}


def quantile_ms(values_ns: Sequence[int], share: float) -> float | None:
    """Return the value below which a `share` of all lies."""
    ordered = sorted(values_ns)
    return round(ordered[int((len(ordered) - 1) * share + 0.5)] / 1e6, 2) if ordered else None


def cell_text(cell: Row) -> str:
    """Return the numbers of pairs without the right verdict."""
    counts = [f"{cell[name]} {name}" for name in ("wrong", "tie", "missed") if cell[name]]
    return ", ".join(counts) if counts else "right"


def markdown(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    rule = "|".join(["---"] * len(head))
    return "\n".join([f"| {' | '.join(head)} |", f"|{rule}|", *(f"| {' | '.join(line)} |" for line in lines)])

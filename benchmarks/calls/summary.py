"""Computes figures and tables from the measured pairs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from companion.match.fairness.figures import Row, cell_of, cell_text, markdown, quantile_ms
from companion.match.fairness.pairs import DISTANCES_MS

TITLES: Final = {
    "gpiod": "companion, gpiod",
    "lgpio": "companion, lgpio",
    "rpigpio": "companion, RPi.GPIO",
    "callback": "callback that reads the clock",
    "poll": "poll loop, 10 ms",
    "when_pressed": "`when_pressed`, 50 ms debounce",
}

LAMP: Final = {
    "press_to_lamp_ns": "press to lamp",
    "verdict_to_lamp_ns": "end of the settle window to lamp",
    "beyond_ns": "press to lamp, beyond settle window and commit",
}

BESIDE: Final = {
    "alone": "buzzers, lamps and referee",
    "display": "the same and the display's loop",
    "house": "the same as the first and four buttons of the house",
}


def summary(
    found: Iterable[Mapping[str, Any]], idle: Sequence[Row], conditions: Mapping[str, Any]
) -> dict[str, Any]:
    cells, lamps = [], []
    for measured in found:
        about = {name: measured[name] for name in ("method", "bounce", "load")}
        for distance_ms in DISTANCES_MS:
            rows = [row for row in measured["rows"] if row["distance_ms"] == distance_ms]
            cells.append({**about, "distance_ms": distance_ms, **cell_of(rows)})
        if any("press_to_lamp_ns" in row for row in measured["rows"]):
            lamps.append({**about, **_lamp(measured["rows"]), "odd": len(measured["odd"])})
    return {"conditions": dict(conditions), "cells": cells, "lamps": lamps, "idle": list(idle)}


def _lamp(rows: Sequence[Row]) -> dict[str, list[float | None]]:
    lit = [row for row in rows if "press_to_lamp_ns" in row]
    values = {name: [row[name] for row in lit] for name in ("press_to_lamp_ns", "verdict_to_lamp_ns")}
    values["beyond_ns"] = [row["press_to_lamp_ns"] - row["window_ns"] - row["commit_ns"] for row in lit]
    return {name: [quantile_ms(value, 0.5), quantile_ms(value, 0.99)] for name, value in values.items()}


def tables(figures: Mapping[str, Any]) -> str:
    return "\n\n".join(
        (_calls_table(figures["cells"]), _lamp_table(figures["lamps"]), _idle_table(figures["idle"]))
    )


def _calls_table(cells: Sequence[Row]) -> str:
    head = ["who judges", "bounce", "busy", *(f"{distance:g} ms" for distance in DISTANCES_MS), "told after"]
    return markdown(head, (_calls_line(method, bounce, busy, cells) for method, bounce, busy in order(cells)))


def order(cells: Sequence[Row]) -> list[tuple[str, bool, int]]:
    there = {(cell["method"], cell["bounce"], cell["load"]) for cell in cells}
    return sorted(there, key=lambda measured: (list(TITLES).index(measured[0]), measured[2], measured[1]))


def _calls_line(method: str, bounce: bool, busy: int, cells: Sequence[Row]) -> list[str]:
    mine = [cell for cell in cells if (cell["method"], cell["bounce"], cell["load"]) == (method, bounce, busy)]
    p50, p99 = zip(*(cell["late_ms"] for cell in mine if cell["late_ms"][0] is not None), strict=True)
    told = f"{sorted(p50)[len(p50) // 2]:.0f}, {max(p99):.0f} ms"
    return [TITLES[method], "yes" if bounce else "no", str(busy or "no"), *map(cell_text, mine), told]


def _lamp_table(lamps: Sequence[Row]) -> str:
    head = ["who judges", "bounce", "busy", *LAMP.values()]
    lines = []
    for method, bounce, busy in order(lamps):
        mine = next(
            lamp for lamp in lamps if (lamp["method"], lamp["bounce"], lamp["load"]) == (method, bounce, busy)
        )
        spans = [", ".join(f"{value:.1f}" for value in mine[name]) + " ms" for name in LAMP]
        lines.append([TITLES[method], "yes" if bounce else "no", str(busy or "no"), *spans])
    return markdown(head, lines)


def _idle_table(idle: Sequence[Row]) -> str:
    lines = [
        [TITLES[row["source"]], BESIDE[row["beside"]], f"{row['wakes_per_s']:.0f}", f"{row['share_of_core']:.1%}"]
        for row in idle
    ]
    return markdown(["buzzers read by", "what runs", "wakes a second", "share of the processor"], lines)

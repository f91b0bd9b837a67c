"""French is longer than English: what the games show in it must fit and be read as well."""

from pathlib import Path

import gallery
import laws
import pytest
import shows

GAMES = [show for show in shows.all_shows() if show != "table"]


@pytest.mark.parametrize("size", shows.SIZES, ids=lambda size: "{}x{}".format(*size))
@pytest.mark.parametrize("game", GAMES)
def test_french_fits(game: str, size: tuple[int, int], tmp_path: Path) -> None:
    show = shows.all_shows()[game]
    with shows.in_language("fr"):
        frames = {n: show.module.frames(tmp_path / str(n), n) for n in show.module.SEATS}
    laws_of_text = [law for law in laws.LAWS if law is not laws.is_large_at_a_glance]
    faults = [
        f"{name}, {seats} seats: {fault}"
        for seats, named in frames.items()
        for name, frame in named.items()
        for law in laws_of_text
        for fault in law(frame, gallery.drawn(frame, size).placed, size)
    ]
    assert not faults, "\n".join(faults)

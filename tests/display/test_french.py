"""French is longer than English: what is shown in it must fit and be read as well."""

import gallery
import laws
import pytest
import shows


@pytest.mark.parametrize("size", shows.SIZES, ids=lambda size: "{}x{}".format(*size))
@pytest.mark.parametrize("show", shows.all_shows())
def test_french_fits(frames_of, show: str, size: tuple[int, int]) -> None:
    laws_of_text = [law for law in laws.LAWS if law is not laws.is_large_at_a_glance]
    faults = [
        f"{name}, {seats} seats: {fault}"
        for seats, named in frames_of(show, "fr").items()
        for name, frame in named.items()
        for law in laws_of_text
        for fault in law(frame, gallery.placed(frame, size), size)
    ]
    assert not faults, "\n".join(faults)

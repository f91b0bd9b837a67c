"""Makes docs/gallery.md, the page of all golden pictures, from the captions of their frames.

`.venv/bin/python docs/make_gallery.py`; `pytest tests/display --update-golden` makes the page and its pictures.
`--sight FOLDER` writes all pictures as colour-blind people see them instead: check those when a scene has changed.
"""

import argparse
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pygame

from companion.display.frame import Frame
from tests import pictures
from tests.display import colour_science, gallery, shows

PAGE = Path(__file__).with_name("gallery.md")

HEAD = """# Gallery

The display at every moment of every game. The tests compare each picture with what the program draws. The display
has 800x480 pixels; two views side by side are of a small and a large table. Each chapter has one picture of a tall
display of 720x1280. Strips are turned to their players. [play.md](play.md) names the keys,
[the rules](README.md#play) explain the games.
"""

PHONE_TITLE = "On a phone"

PHONE = """The private screen of one player, on [phones](phones.md) in a real browser. `make test-browser`
compares the page with these pictures; letters differ between browsers.
"""

PHONE_CAPTIONS = {
    "hand-en-390x844": "A hand of Böse Buben with a 3 typed: two cards fit.",
    "bid-fr-390x844": "A bid of Büro Crazy in French: a key adds a card.",
    "hand-en-390x844-high-large": "The same hand with high contrast and large text.",
    "hand-fr-844x390": "A hand of Böse Buben on a phone held sideways, in French.",
    "bid-en-844x390": "A bid of Büro Crazy on a phone held sideways.",
    "house-en-390x844": "The house's page: a question of Any other game, with its answer.",
}
"""Captions of the pictures of a phone, by name."""

WIDTHS = {1: (64, 22), 2: (56, 38)}  # width of a wide and a tall sheet with 1 or 2 frames, in percent: equally high

SIGHTS: dict[str, Callable[[colour_science.Colour], colour_science.Colour]] = {
    "grey": colour_science.grey,
    **{
        sight: lambda colour, sight=sight: colour_science.simulated(colour, sight)
        for sight in colour_science.SIGHTS
        if sight != "normal"
    },
}


def page(sheets: Mapping[str, Mapping[str, list[Frame]]]) -> str:
    """Return the page of these sheets, given by show and name."""
    titles = [*(show.title for show in shows.all_shows().values()), PHONE_TITLE]
    parts = [
        HEAD,
        " · ".join(f"[{title}](#{_anchor(title)})" for title in titles) + "\n",
    ]
    for folder, show in shows.all_shows().items():
        parts.append(f"## {show.title}\n")
        parts += [
            _entry(folder, name, caption_of(show, name), len(sheets[folder][name])) for name in sheets[folder]
        ]
    parts += [f"## {PHONE_TITLE}\n", PHONE, *(_phone(name, caption) for name, caption in PHONE_CAPTIONS.items())]
    return "\n".join(parts)


def phone_path(name: str) -> Path:
    return pictures.FOLDER / "phone" / f"{name}.png"


def _phone(name: str, caption: str) -> str:
    width = 56 if "844x390" in name else 28
    return f'{caption}\n\n<img src="gallery/phone/{name}.png" width="{width}%" alt="">\n'


def caption_of(show: shows.Show, name: str) -> str:
    return show.captions.get(name, f"{name.replace('_', ' ').capitalize()}.")


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")


def _entry(folder: str, name: str, caption: str, count: int) -> str:
    """Return a caption with its pictures, whose alternative text is empty, since the caption says it."""
    sizes = shows.sizes_of(folder, name)
    paths = [pictures.sheet_path(folder, name, size, Path("gallery")).as_posix() for size in sizes]
    images = [
        f'<img src="{path}" width="{width}%" alt="">' for path, width in zip(paths, WIDTHS[count], strict=False)
    ]
    return f"{caption}\n\n" + "\n".join(images) + "\n"


def all_sheets(folder: Path) -> dict[str, dict[str, list[Frame]]]:
    """Return the sheets of all shows. Their hosts write to `folder`."""
    return {name: shows.sheets_of(shows.frames_of(show, folder)) for name, show in shows.all_shows().items()}


def write_sights(sheets: Mapping[str, Mapping[str, list[Frame]]], folder: Path, wanted: Iterable[str]) -> None:
    """Write every sheet, as each kind of sight sees it, into that sight's folder."""
    for show, named in sheets.items():
        for name, frames in named.items():
            whole = pictures.sheet([gallery.drawn(frame, shows.SIZES[0]).surface for frame in frames])
            for sight in wanted:
                path = pictures.sheet_path(show, name, shows.SIZES[0], folder / sight)
                path.parent.mkdir(parents=True, exist_ok=True)
                pygame.image.save(_seen(whole, SIGHTS[sight]), path)


def _seen(
    surface: pygame.Surface, sight: Callable[[colour_science.Colour], colour_science.Colour]
) -> pygame.Surface:
    pixels = memoryview(pygame.image.tobytes(surface, "RGBX")).cast("I")
    seen = {word: bytes(sight(tuple(word.to_bytes(4, "little")[:3]))) for word in Counter(pixels)}
    return pygame.image.frombytes(b"".join(map(seen.__getitem__, pixels)), surface.get_size(), "RGB")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--sight", type=Path, metavar="FOLDER", help="write what other eyes see into a folder")
    options.add_argument("--only", choices=SIGHTS, action="append", help="only this sight")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sheets = all_sheets(Path(folder))
    if chosen.sight:
        write_sights(sheets, chosen.sight, chosen.only or SIGHTS)
    else:
        PAGE.write_text(page(sheets), "utf-8")


if __name__ == "__main__":
    main()

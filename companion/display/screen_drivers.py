"""Which SDL driver opens the screen, and what SDL must be told in its environment. It needs no pygame."""

import os
from pathlib import Path
from typing import Final

DRM: Final = Path("/sys/class/drm")
"""Where the kernel lists graphics cards and what is plugged into them."""


def has_desktop() -> bool:
    """Return whether a desktop can show a window."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def screen_driver(fullscreen: bool) -> str | None:
    """Return the SDL driver to ask for, None when there is no screen. SDL itself would pick an invisible one."""
    asked = os.environ.get("SDL_VIDEODRIVER")
    if asked:
        return asked
    if has_desktop():
        return "x11" if os.environ.get("DISPLAY") else "wayland"
    return "kmsdrm" if fullscreen else None


def connected_card(folder: Path = DRM) -> int | None:
    """Return the number of the graphics card that a screen is plugged into; None when there is no such card.

    Cards change their numbers from one boot to the next, so this is looked up at each start.
    """
    plug = _connected(folder)
    return int(plug.name.removeprefix("card").partition("-")[0]) if plug else None


def screen_size(driver: str, folder: Path = DRM) -> tuple[int, int] | None:
    """Return how many pixels the screen has that a driver would open; None when only opening it would tell."""
    plug = _connected(folder) if driver == "kmsdrm" else None
    try:
        # The kernel lists first what the screen likes best, "800x480" for example.
        wide, high = (plug / "modes").read_text().split()[0].split("x") if plug else ("", "")
        return int(wide), int(high)
    except (OSError, ValueError, IndexError):
        return None


def _connected(folder: Path) -> Path | None:
    """Return the kernel's folder of the plug in which a screen is; None when there is no such plug."""
    plugs = (status.parent for status in sorted(folder.glob("card*-*/status")) if _says_connected(status))
    return next(plugs, None)


def _says_connected(status: Path) -> bool:
    return status.read_text().strip() == "connected"


def environment(driver: str) -> dict[str, str]:
    """Return the variables by which SDL opens a screen with a driver; what is set already stays."""
    wanted = {"SDL_VIDEO_X11_WMCLASS": "companion"}
    if driver == "kmsdrm":
        # NOTE: without libgl1 SDL picks desktop OpenGL, which flips and draws nothing.
        wanted["SDL_RENDER_DRIVER"] = "opengles2"
        card = connected_card()
        if card is not None:
            wanted["SDL_KMSDRM_DEVICE_INDEX"] = str(card)
    elif driver == "wayland":
        # SDL has no picture of its own on Wayland: it must draw by OpenGL, and the lighter one does.
        wanted["SDL_RENDER_DRIVER"] = wanted["SDL_FRAMEBUFFER_ACCELERATION"] = "opengles2"
    else:
        # A desktop's drivers for 3D would take 90 MB and half the start, for nothing that is drawn here.
        wanted["SDL_RENDER_DRIVER"] = "software"
        wanted["SDL_FRAMEBUFFER_ACCELERATION"] = "0"
    return {"SDL_VIDEODRIVER": driver} | {name: os.environ.get(name, value) for name, value in wanted.items()}

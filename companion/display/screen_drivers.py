"""Chooses the SDL driver for the screen and its environment. Does not need pygame."""

import os
from pathlib import Path
from typing import Final

DRM: Final = Path("/sys/class/drm")  # where the kernel lists graphics cards and their connectors


def has_desktop() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def screen_driver(fullscreen: bool) -> str | None:
    """Return the SDL driver to request, or None without a screen, where SDL would pick an invisible one."""
    asked = os.environ.get("SDL_VIDEODRIVER")
    if asked:
        return asked
    if has_desktop():
        return "x11" if os.environ.get("DISPLAY") else "wayland"
    return "kmsdrm" if fullscreen else None


def connected_card(folder: Path = DRM) -> int | None:
    """Return the number of the graphics card with a screen, or None. It may change at each boot."""
    plug = _connected(folder)
    return int(plug.name.removeprefix("card").partition("-")[0]) if plug else None


def screen_size(driver: str, folder: Path = DRM) -> tuple[int, int] | None:
    """Return the pixels of a driver's screen, or None if only opening it would show them."""
    plug = _connected(folder) if driver == "kmsdrm" else None
    try:
        # The kernel lists the preferred mode first, such as "800x480".
        wide, high = (plug / "modes").read_text().split()[0].split("x") if plug else ("", "")
        return int(wide), int(high)
    except (OSError, ValueError, IndexError):
        return None


def _connected(folder: Path) -> Path | None:
    plugs = (status.parent for status in sorted(folder.glob("card*-*/status")) if _says_connected(status))
    return next(plugs, None)


def _says_connected(status: Path) -> bool:
    return status.read_text().strip() == "connected"


def environment(driver: str) -> dict[str, str]:
    """Return the environment by which SDL opens a screen. Variables that are already set stay."""
    wanted = {"SDL_VIDEO_X11_WMCLASS": "companion"}
    if driver == "kmsdrm":
        # NOTE: without libgl1 SDL picks desktop OpenGL, which flips but draws nothing.
        wanted["SDL_RENDER_DRIVER"] = "opengles2"
        card = connected_card()
        if card is not None:
            wanted["SDL_KMSDRM_DEVICE_INDEX"] = str(card)
    elif driver == "wayland":
        # On Wayland SDL can only draw by OpenGL; OpenGL ES is the lighter one.
        wanted["SDL_RENDER_DRIVER"] = wanted["SDL_FRAMEBUFFER_ACCELERATION"] = "opengles2"
    else:
        # A desktop's 3D drivers would take 90 MB and half the startup time for nothing.
        wanted["SDL_RENDER_DRIVER"] = "software"
        wanted["SDL_FRAMEBUFFER_ACCELERATION"] = "0"
    return {"SDL_VIDEODRIVER": driver} | {name: os.environ.get(name, value) for name, value in wanted.items()}

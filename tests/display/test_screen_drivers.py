"""Choosing the driver of the screen, and SDL's settings."""

import pytest

from companion.display.screen_drivers import connected_card, environment, screen_driver, screen_size


@pytest.mark.parametrize(
    ("environ", "fullscreen", "driver"),
    [
        ({}, False, None),
        ({}, True, "kmsdrm"),
        ({"DISPLAY": ":0"}, False, "x11"),
        ({"DISPLAY": ":0"}, True, "x11"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, False, "wayland"),
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, False, "x11"),
        ({"SDL_VIDEODRIVER": "dummy", "DISPLAY": ":0"}, True, "dummy"),
    ],
)
def test_driver_depends_on_the_environment(monkeypatch, environ, fullscreen, driver):
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert screen_driver(fullscreen) == driver


@pytest.mark.parametrize(
    ("states", "card"),
    [
        ({}, None),
        ({"card0-HDMI-A-1": "disconnected"}, None),
        ({"card0-HDMI-A-1": "disconnected", "card1-DSI-1": "connected"}, 1),
        ({"card12-HDMI-A-2": "connected"}, 12),
    ],
)
def test_card_with_the_connected_screen_is_found(tmp_path, states, card):
    for name, state in states.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "status").write_text(state + "\n", "utf-8")
    assert connected_card(tmp_path) == card


@pytest.mark.parametrize(
    ("modes", "size"),
    [
        ("720x1280\n640x480\n", (720, 1280)),
        ("800x480\n", (800, 480)),
        ("", None),
        ("1920x1080i\n", None),
        (None, None),
    ],
)
def test_kernel_reports_the_screen_size(tmp_path, modes, size):
    plug = tmp_path / "card1-DSI-1"
    plug.mkdir()
    (plug / "status").write_text("connected\n", "utf-8")
    if modes is not None:
        (plug / "modes").write_text(modes, "utf-8")
    assert screen_size("kmsdrm", tmp_path) == size
    assert screen_size("dummy", tmp_path) is None
    assert screen_size("kmsdrm", tmp_path / "nothing") is None


# --- Wayland ----------------------------------------------------------------------------------------------


def test_wayland_draws_with_opengl(monkeypatch):
    """Without it, SDL reports "Window framebuffer support not available"."""
    monkeypatch.delenv("SDL_RENDER_DRIVER", raising=False)
    monkeypatch.setenv("SDL_FRAMEBUFFER_ACCELERATION", "opengl")
    told = environment("wayland")
    assert told["SDL_RENDER_DRIVER"] == "opengles2"
    assert told["SDL_FRAMEBUFFER_ACCELERATION"] == "opengl"  # a setting of the user stays

"""The display: frames, scenes, pages and the window.

* A frame carries its `Look` (contrast, text size, motion), so a change in the settings shows in the next frame.
* The canvas replaces the theme's colours by those of the look. Code that draws on its surface directly calls
  `tone`.
* Large text never takes room from a game's pieces. A page that is too full falls back to the `usual` sizes.
* Motion is drawn over a finished picture and ends in exactly that picture. Nothing waits for it, and nobody needs
  it to follow the game. A picture that opens a race appears without motion.
* A canvas records what it draws. Tests find overlapping, cut-off, small or faint text without comparing pixels.
"""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # keeps pygame's banner out of our output

"""Pixels: what everybody sees, from all sides.

Why it is as it is:

* A frame says how it looks (`Look`): contrast, size of text, motion. So a change in the menu works with the
  next picture, and pictures stay functions of values.
* The look is the canvas's. It replaces each colour by that of the frame's look, so scenes name the theme's;
  who draws past it asks for the `tone`. Large text grows where it takes no room from a game's pieces, and
  falls back to the `usual` sizes where a page is full: nothing is left out or smaller because others are
  larger.
* Motion is added to a picture, never in it. A frame is drawn as it is; between two of the same match its
  scene names the pieces that moved, and the window draws them over the new picture, which is there at the end
  byte for byte. So nothing waits, nothing must be understood from it, and what opens a race comes in one
  flip.
* A canvas remembers what it drew, so that tests find texts that overlap, are cut, too small or too faint, on
  every size and for every number of seats, without looking at pixels.
"""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # a program's output is its own

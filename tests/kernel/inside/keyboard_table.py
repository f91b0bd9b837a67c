"""The program on an invisible screen, with keys from standard input."""

import sys
import threading

import pygame

from companion.cli.commands import main


def type_lines() -> None:
    """Press the keys once the window is open."""
    for line in sys.stdin:
        key = pygame.key.key_code(line.strip())
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, scancode=key))
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key, scancode=key))


if __name__ == "__main__":
    threading.Thread(target=type_lines, daemon=True).start()
    sys.exit(main(sys.argv[1:]))

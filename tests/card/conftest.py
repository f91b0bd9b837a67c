"""`make test-card` runs in_emulator."""

collect_ignore = ["in_emulator"]

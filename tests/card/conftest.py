"""`make test` boots no card: `make test-card` does, in an emulator."""

collect_ignore = ["in_emulator"]

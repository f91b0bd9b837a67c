"""`make test-appliance` runs on_machine."""

collect_ignore = ["on_machine"]

"""`make test-kernel` runs `inside` in the guest."""

collect_ignore = ["inside"]

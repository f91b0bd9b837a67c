"""What is inside runs in the guest only: `make test-kernel`."""

collect_ignore = ["inside"]

"""`make test-deb` runs on_debians."""

collect_ignore = ["on_debians"]

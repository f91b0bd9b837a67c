"""`make test-browser` runs with_chromium, which needs a browser."""

collect_ignore = ["with_chromium"]

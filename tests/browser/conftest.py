"""`make test-browser` runs what is in with_chromium: it needs a browser."""

collect_ignore = ["with_chromium"]

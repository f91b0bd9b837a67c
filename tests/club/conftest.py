"""`make test` excludes tests with a broker; `make test-club` runs them."""

collect_ignore = ["with_mosquitto"]

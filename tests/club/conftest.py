"""`make test` has no broker: `make test-club` plays with a real one."""

collect_ignore = ["with_mosquitto"]

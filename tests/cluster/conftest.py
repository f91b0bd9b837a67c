"""`make test-cluster` runs what is in with_workers: schedulers and workers are started for it."""

collect_ignore = ["with_workers"]

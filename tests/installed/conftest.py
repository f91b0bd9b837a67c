"""`make test-dist` runs what is in in_environments: it installs the wheel anew for each way and Python."""

collect_ignore = ["in_environments"]

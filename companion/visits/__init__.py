"""Where one goes and comes back from: help, past matches, replay, statistics, self-test, new pods."""

"""Reads stored matches: history, verdicts, statistics and pictures of them."""

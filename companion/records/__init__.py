"""Kept matches, read back: history, verdicts, statistics and their pictures on paper."""

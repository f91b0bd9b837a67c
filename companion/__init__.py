"""The table companion: a fair referee for the middle of a real board game table."""

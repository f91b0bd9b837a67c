"""The table companion: a referee for real board games."""

"""Measures speed, growth and memory for `make bench`."""

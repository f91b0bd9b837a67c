"""Lets the tests of each game find what they share, in this folder."""

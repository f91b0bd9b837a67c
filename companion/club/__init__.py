"""Tournaments and displays over the tables of a club.

A tournament is a list of events, including draws, so other versions of this program can read it.
"""

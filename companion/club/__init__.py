"""An evening of a club: a tournament over several tables, from its players and the records of what they played.

A tournament is its events, as a match is its moves: rounds, standings and calls are derived. What was drawn is an
event itself, so another version of this program, which may draw otherwise, reads the same tournament.
"""

"""An evening of a club: a tournament over several tables, from its players and their records.

A tournament is its events, as a match is its moves: rounds, standings and calls are derived. Each draw is an event
itself, so another version of this program, which may draw otherwise, reads the same tournament.
"""

"""Lets pytest find the games' shared helpers in this folder."""

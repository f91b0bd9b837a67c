"""Counts the program's instructions on a Raspberry Pi's processor, on any machine."""

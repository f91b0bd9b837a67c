"""Measures who pressed first on a real kernel: the companion against three naive programs."""

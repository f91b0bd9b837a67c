"""Measures at a table how close two presses may be: pairs at known distances, judged as in a match."""

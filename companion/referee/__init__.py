"""The referee: signals in, moves made, moves committed, events out. It knows no game and no device."""

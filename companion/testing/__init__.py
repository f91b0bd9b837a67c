"""For who writes a game: conformance, random matches, counts of positions. Pure."""

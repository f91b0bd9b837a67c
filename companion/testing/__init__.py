"""For who writes a game: conformance, random matches, counts of positions; only what checks a scene draws."""

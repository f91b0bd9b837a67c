"""Tools for authors of games: conformance tests, random matches and scene tests."""

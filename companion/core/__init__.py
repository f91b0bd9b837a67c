"""What all games share: moves, events, matches, records and the dealer. Pure."""

"""Real keypads: USB number pads, and a matrix of keys on GPIO lines."""

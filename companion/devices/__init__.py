"""Everything that touches the world: buzzers, keypads, lamps, and their virtual twins."""

"""The shared display: what everybody sees, from all sides."""

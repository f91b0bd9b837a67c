"""The pages of the centre, one module each."""

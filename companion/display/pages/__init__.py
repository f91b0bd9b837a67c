"""One painter for each page of the centre that is no match."""

"""What one sets: table.toml, read, checked and kept; what is changed while the table runs; who reads what."""

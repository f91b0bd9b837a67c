"""What one sets: table.toml, own boxes, what is changed at the table while it runs; who reads which language."""

"""Settings: table.toml, custom boxes, changes at the running table, languages."""

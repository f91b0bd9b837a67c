"""What one types: one module a command, and headless' script language."""

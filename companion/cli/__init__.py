"""The command line: one module a command, and the script language of `headless`."""

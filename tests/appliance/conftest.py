"""What is in on_machine boots a virtual machine: `make test-appliance`."""

collect_ignore = ["on_machine"]

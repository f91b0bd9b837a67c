"""Finds, reads and watches the devices that Linux shows as input devices, by the kernel's timestamps."""

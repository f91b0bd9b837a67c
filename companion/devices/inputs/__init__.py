"""Whatever Linux shows as an input device: how it is found, read with the kernel's timestamps, and watched."""

"""Prints those lines of our locks that a Raspberry Pi wants, with their hashes: wheels.py PYTHON LOCK..., as 3.13

pip itself would ask the machine that it runs on.
"""

import sys
from pathlib import Path

from packaging.requirements import Requirement

version, *locks = sys.argv[1:]
system = {
    "implementation_name": "cpython",
    "os_name": "posix",
    "platform_machine": "aarch64",
    "platform_system": "Linux",
    "python_full_version": f"{version}.5",
    "python_version": version,
    "sys_platform": "linux",
}

for lock in locks:
    lines = Path(lock).read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    for line in (line for line in lines if line and not line.lstrip().startswith("#")):
        wanted, *hashes = line.split("--hash=")
        marker = Requirement(wanted).marker
        if marker is None or marker.evaluate(system):
            words = [wanted.partition(";")[0].strip(), *(f"--hash={each.strip()}" for each in hashes)]
            sys.stdout.write(" ".join(words) + "\n")

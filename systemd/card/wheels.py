"""Prints those lines of our locks that a Raspberry Pi wants, with their hashes: wheels.py PYTHON LOCK..., as 3.13

pip itself would ask the machine that it runs on.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement


def lines(lock: Path, python: str = "3.13", machine: str = "aarch64") -> Iterator[str]:
    """Yield the lines of a lock that a Python and a processor want, each with its hashes."""
    surroundings = {
        "implementation_name": "cpython",
        "os_name": "posix",
        "platform_machine": machine,
        "platform_system": "Linux",
        "python_full_version": f"{python}.5",
        "python_version": python,
        "sys_platform": "linux",
    }
    text = lock.read_text(encoding="utf-8").replace("\\\n", " ")
    for line in (line for line in text.splitlines() if line and not line.lstrip().startswith("#")):
        wanted, *hashes = line.split("--hash=")
        marker = Requirement(wanted).marker
        if marker is None or marker.evaluate(surroundings):
            words = [wanted.partition(";")[0].strip(), *(f"--hash={each.strip()}" for each in hashes)]
            yield " ".join(words)


if __name__ == "__main__":
    version, *locks = sys.argv[1:]
    for each in locks:
        for line in lines(Path(each), version):
            sys.stdout.write(f"{line}\n")

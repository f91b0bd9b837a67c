"""Leaves a mark on a disk for each line that a program prints: acknowledged.py DISK OFFSET NAME < LINES > KEPT

A line of `companion headless` is printed when what it tells is durable. The mark goes past all caches to the same
disk, behind the end of its file system; so whoever logs the writes of the disk finds it after the flush
that made the line's move durable, and everything before it in the log had to be enough for it.
"""

import mmap
import os
import sys

SECTOR = 512


def main(disk, offset, name):
    fd = os.open(disk, os.O_WRONLY | os.O_DIRECT)
    page = mmap.mmap(-1, mmap.PAGESIZE)  # O_DIRECT wants an aligned buffer
    for number, line in enumerate(sys.stdin, 1):
        sys.stdout.write(line)
        sys.stdout.flush()
        page[:SECTOR] = f"acknowledged {name} {number}\n".encode().ljust(SECTOR, b"\0")
        os.pwrite(fd, memoryview(page)[:SECTOR], int(offset))


main(*sys.argv[1:])

"""Writes a mark on a disk for each line printed: acknowledged.py DISK OFFSET NAME < LINES > KEPT

`companion headless` prints a line when its move is durable. The mark bypasses all caches, behind the end of the
disk's file system; so it follows the move's flush in the disk's log.
"""

import mmap
import os
import sys

SECTOR = 512


def main(disk, offset, name):
    fd = os.open(disk, os.O_WRONLY | os.O_DIRECT)
    page = mmap.mmap(-1, mmap.PAGESIZE)  # O_DIRECT needs an aligned buffer
    for number, line in enumerate(sys.stdin, 1):
        sys.stdout.write(line)
        sys.stdout.flush()
        page[:SECTOR] = f"acknowledged {name} {number}\n".encode().ljust(SECTOR, b"\0")
        os.pwrite(fd, memoryview(page)[:SECTOR], int(offset))


main(*sys.argv[1:])

"""Prints a seat whenever its lamp is lit: lit.py PIN PIN ..."""

import sys
import time


def main(pins):
    files = [open(f"/run/lines/sim_gpio{pin}/value") for pin in pins]  # noqa: SIM115  for as long as it runs
    was = [False] * len(files)
    while True:
        for seat, file in enumerate(files):
            file.seek(0)
            lit = file.read().strip() == "1"
            if lit and not was[seat]:
                print(seat, flush=True)
            was[seat] = lit
        time.sleep(0.005)


main(sys.argv[1:])

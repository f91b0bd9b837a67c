"""Drivers for buzzers, keypads, lamps, sound and private screens, and their virtual twins.

Design decisions:

* `Hardware` presents the devices of all drivers as one. If two have a buzzer at a place, the later driver's counts.
* Sources only report edges and levels. Errors, gaps, stuck contacts and dead threads are handled once, in
  `buzzers/watch.py`. A failed source is reopened every second; the match waits and names the seat.
* A weaker source is never used silently: the screen says how uncertain the timestamps are.
* A place is plugged in when all its devices are, so a returning keypad cannot resume a match without its buzzer.
* A keypad's timestamp is the end of an interval: pads are polled and debounced. Verdicts wait that much longer at
  seats with keypads, in case keys are the calls.
* A pod's timestamp is a bound: each answered ping limits the difference of the clocks. No symmetry of the line is
  assumed (`docs/pod-protocol.md`).
* A race is judged as soon as `settled_ns` has passed every moment that matters; pods can prove this early.
* During a race all pods are pinged at a constant rate (`Device.race`). Firmware that learned of another player's
  press could backdate its own.
* At a real table a keyboard answers but never calls: its digits belong to the player who must act.
"""

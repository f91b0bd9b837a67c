"""Pods: a seat's keypad, buzzer, lamp and screen on a microcontroller, as docs/pod-protocol.md has them."""

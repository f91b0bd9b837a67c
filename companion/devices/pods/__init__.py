"""Pods: a seat's buzzer, keypad, lamp and screen on a microcontroller. See docs/pod-protocol.md."""

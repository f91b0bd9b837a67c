"""Everything that touches the world: drivers of buzzers, keypads, lamps, private screens, and their virtual twins.

Why it is as it is:

* A driver is a file (`driver.py`): the sections of `table.toml` that it reads, what it opens, what the doctor
  finds. Ours and those of entry points are one list, and `Hardware` is all that they have opened, as one device.
  Where two have a buzzer at a place, the later driver's calls, so a pod silences the line meant for its seat.
* A source is small, and one place watches over all of them. Sources report edges and read levels; what an
  error, a gap in the numbers, a stuck contact or a broken thread means for a seat is said once, in
  `devices/buzzers/watch.py`. A source that fails is opened again each second; the match waits meanwhile and
  names the seat.
* Whatever reports more than anybody can press is cut off at one door (`devices/floods.py`), and made deaf where
  it can be: what is read costs the others, also when nobody hears it. A third-party
  driver that cannot be loaded or opened is named and left out.
* A weaker source is never taken in silence. Without gpiod the screen says first how wide the stamps are and
  what is missing; the mock is taken only when it is asked for.
* gpiozero's pins have one factory a process, on the chip that has the right label: gpiozero shares its pins
  between factories, and the numbers of chips move.
* A place is plugged in when all its devices are (`devices/plugs.py`): a keypad that is back must not let a
  match go on whose buzzer is still lost.
* A keypad's stamp is the end of an interval: a number pad is asked for its keys now and then and waits for
  its contacts to rest, so a key was pressed before its stamp, never after it. Verdicts wait so much longer at
  a table whose seats have keypads, in case keys are the calls.
* A pod's stamp is a bound. Each answered ping bounds the distance of the clocks; their intersection is
  the uncertainty, and no symmetry of the line is assumed (`docs/pod-protocol.md`).
* A verdict need not wait where a pod proves that nothing is on its way. `Inputs.settled_ns` is how late
  reports may be, or what the pods' pongs have proved; a race is judged as soon as that has passed every
  moment that matters.
* No device hears of another one's press before the verdict: while a race lies open all are pinged on one
  constant beat (`Device.race`), since firmware that knew of a press could press after it and date it back.
* A loss is told where it happened. A pod keeps what is pressed while nobody listens; what had no room is a
  signal of its own, and the seat's strip says so until its next press.
* At a real table a keyboard answers and never calls: whoever must act has its digits.
* Nobody waits for a sound card. It is opened, played on and let go in a thread of its own; a clip that comes
  half a second late is dropped, since it would seem to tell of something else.
"""

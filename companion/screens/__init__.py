"""Where one goes and comes back from: help, past matches, replay, statistics, self-test, new pods.

Why it is as it is:

* Many records are read in pieces of some entries, on the host's own clock: no thread, and presses are heard
  in between. A list reads only its page.
* A replay shows the public view of each position, also of a match that is over: what was hidden then stays
  so, and nothing has to be decided about when it would not matter any more.
"""

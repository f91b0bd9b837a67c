"""Releases of the program: the signed file of one, where it is installed, what waits on a stick.

Why it is as it is:

* Nothing of a release is believed before its signature is: the file begins with a list of all that follows and with
  the signature of that list, both small and read as they are. All that follows is checked by the list while it is
  copied, and installed from the copy: a stick may give something else when it is read again.
* Which release runs is chosen by `systemd/companion-release`, which belongs to the system: a release does not judge
  itself. This room only puts one beside the others, and asks that program to switch.
* The table may not install anything. It sees in a folder of root's what a stick offers, and asks for it as it asks
  for its power to be switched off.
"""

"""Releases of the program: signed files, their installation, offers on USB sticks.

* Nothing in a release is trusted before its signature is verified. The file begins with a small list of its
  contents and the list's signature. Other files are checked against the list while they are copied, and installed
  from the copy: a stick may return other data when it is read again.
* `systemd/companion-release`, a part of the system, chooses which release runs: a release does not judge itself.
* The table cannot install anything. It reads offers from root's folder, and requests an update like a shutdown.
"""

"""Debian's Mosquitto on the loopback, with password and TLS, for kills and restarts."""

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

PROGRAM: Final = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/opt/homebrew/sbin")
USER: Final = "table"
PASSWORD: Final = "only for this test"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


class Mosquitto:
    """A broker with its files in `folder`; a kill loses its retained messages."""

    def __init__(self, folder: Path, *, tls: bool = True) -> None:
        self.folder, self.port, self.tls = folder, free_port(), tls
        folder.mkdir(parents=True, exist_ok=True)
        self.certificate, self.password_file = folder / "ca.pem", folder / "password"
        self.password_file.write_text(PASSWORD + "\n")
        passwords = folder / "passwords"
        passwords.touch(mode=0o600)
        _run("mosquitto_passwd", "-b", str(passwords), USER, PASSWORD)
        lines = ["per_listener_settings false", "allow_anonymous false", f"password_file {passwords}"]
        lines += [f"listener {self.port} 127.0.0.1", "user root", "max_queued_messages 10000"]
        if tls:
            self._make_certificate()
            lines += [f"certfile {self.certificate}", f"keyfile {folder / 'key.pem'}"]
        (folder / "mosquitto.conf").write_text("\n".join(lines) + "\n")
        self._process: subprocess.Popen[bytes] | None = None

    def _make_certificate(self) -> None:
        names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
        files = ["-keyout", str(self.folder / "key.pem"), "-out", str(self.certificate)]
        _run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names, *files)

    def start(self) -> None:
        assert PROGRAM
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen([PROGRAM, "-c", str(self.folder / "mosquitto.conf")], stderr=log)
        while not self._listens():
            if self._process.poll() is not None:
                raise RuntimeError((self.folder / "log").read_text())

    def _listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except ConnectionRefusedError:
            return False
        return True

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None

    def section(self, **more: str) -> str:
        lines = {
            "broker": '"127.0.0.1"',
            "port": str(self.port),
            "user": f'"{USER}"',
            "password_file": f'"{self.password_file}"',
            "certificate": f'"{self.certificate if self.tls else ""}"',
            **more,
        }
        return "[club]\n" + "".join(f"{key} = {value}\n" for key, value in lines.items())


@contextmanager
def running(folder: Path, *, tls: bool = True) -> Iterator[Mosquitto]:
    broker = Mosquitto(folder, tls=tls)
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)

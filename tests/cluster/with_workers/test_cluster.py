"""`simulate` on a real Dask cluster on the loopback: equal counts and clear errors."""

import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from tests.running import COMMAND, companion, environment

ROOT = Path(__file__).parents[3]
WORDS = ("simulate", "buntherum", "-n", "60", "--seed", "7", "--bots", "middle,random")


@contextmanager
def dask(home: Path, *words: str, path: Path = ROOT) -> Iterator[None]:
    """Run a Dask command with the companion in `path`."""
    command = [sys.executable, "-m", "dask", *words]
    with (home / f"{words[0]}.log").open("a") as log:
        program = subprocess.Popen(
            command, cwd=home, stdout=log, stderr=log, env=environment(home) | {"PYTHONPATH": str(path)}
        )
        try:
            yield
        finally:
            program.terminate()
            program.wait(timeout=30)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@contextmanager
def scheduler(home: Path) -> Iterator[str]:
    port = free_port()
    with dask(home, "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"):
        until(lambda: answers(port))
        yield f"tcp://127.0.0.1:{port}"


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def until(true: object, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def worker(home: Path, address: str, workers: int = 1, path: Path = ROOT) -> object:
    where = ("--local-directory", str(home), "--no-dashboard")
    return dask(home, "worker", address, "--nworkers", str(workers), "--nthreads", "1", *where, path=path)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a cluster of three registered workers."""
    home = tmp_path_factory.mktemp("cluster")
    with scheduler(home) as address, worker(home, address, 3):
        until(lambda: (home / "worker.log").read_text().count("Registered to:") == 3)
        yield address


def counted(report: str) -> list[str]:
    return [line for line in report.splitlines() if "a second" not in line]


def test_three_workers_count_the_same_as_one_process(tmp_path: Path, cluster: str) -> None:
    alone = companion(tmp_path, *WORDS, "--records", "alone")
    shared = companion(tmp_path, *WORDS, "--records", "shared", "--scheduler", cluster)
    assert (alone.returncode, shared.returncode, shared.stderr) == (0, 0, "")
    assert counted(alone.stdout) == counted(shared.stdout)
    kept = [{path.name: path.read_text() for path in (tmp_path / name).iterdir()} for name in ("alone", "shared")]
    assert len(kept[0]) == 60
    assert kept[0] == kept[1]


def started(home: Path, *words: str) -> "subprocess.Popen[str]":
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([*COMMAND, *words], cwd=home, env=environment(home), **pipes)


def test_ctrl_c_prints_the_matches_played_so_far(tmp_path: Path, cluster: str) -> None:
    words = ("simulate", "buntherum", "-n", "100000", "--records", "kept", "--scheduler", cluster)
    with started(tmp_path, *words) as program:
        until(lambda: len(list(tmp_path.glob("kept/*.record"))) > 50 or program.poll() is not None)
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=60)
    assert (program.returncode, err) == (130, "companion: interrupted\n")
    assert 25 < int(out.partition(" matches of Buntherum")[0]) <= len(list(tmp_path.glob("kept/*.record")))


def test_lost_scheduler_ends_with_the_counted_matches(tmp_path: Path) -> None:
    words = ("simulate", "buntherum", "-n", "100000", "--records", "kept", "--scheduler")
    with ExitStack() as running:
        address = running.enter_context(scheduler(tmp_path))
        with worker(tmp_path, address), started(tmp_path, *words, address) as program:
            until(lambda: len(list(tmp_path.glob("kept/*.record"))) > 25 or program.poll() is not None)
            running.close()
            out, err = program.communicate(timeout=100)
    assert program.returncode == 2
    assert int(out.partition(" matches of Buntherum")[0]) > 25
    assert f"companion: the cluster at {address} failed: " in err


@pytest.mark.parametrize("lacks", ["equal", "any"])
def test_worker_with_another_companion_is_named(tmp_path: Path, lacks: str) -> None:
    (tmp_path / "other").mkdir()
    if lacks == "equal":
        shutil.copytree(ROOT / "companion", tmp_path / "other" / "companion")
        with (tmp_path / "other" / "companion" / "__init__.py").open("a") as file:
            file.write("# another\n")
    else:
        (tmp_path / "other" / "companion.py").write_text("")
    with scheduler(tmp_path) as address, worker(tmp_path, address, path=tmp_path / "other"):
        done = companion(tmp_path, *WORDS, "--scheduler", address)
    assert (done.returncode, done.stdout) == (2, "")
    said = (
        "its companion or game is a different version"
        if lacks == "equal"
        else "the companion is missing or a different version"
    )
    assert said in done.stderr
    assert done.stderr.startswith("companion: tcp://127.0.0.1:")
    assert "install the same one on every machine" in done.stderr


def test_scheduler_without_workers_explains_what_to_start(tmp_path: Path) -> None:
    with scheduler(tmp_path) as address:
        done = companion(tmp_path, *WORDS, "--scheduler", address)
    assert done.returncode == 2
    assert f"--scheduler {address}: no workers for 10 s; start some with `dask worker" in done.stderr


@pytest.mark.parametrize("address", ["nowhere", "tls://127.0.0.1:1", "127.0.0.1:99999", "tcp://127.0.0.1:1"])
def test_address_without_a_scheduler_is_refused(tmp_path: Path, address: str) -> None:
    refused(tmp_path, address)


@pytest.mark.parametrize("greeting", [b"", b"SSH-2.0-OpenSSH\r\n"])
def test_address_of_another_service_is_refused(tmp_path: Path, greeting: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        with ThreadPoolExecutor(1) as others:
            met = others.submit(greet, server, greeting)
            refused(tmp_path, f"127.0.0.1:{server.getsockname()[1]}")
            met.result()


def greet(server: socket.socket, greeting: bytes) -> None:
    line, _ = server.accept()
    with line:
        line.sendall(greeting)
        line.settimeout(60)
        with suppress(ConnectionResetError):  # it has not read everything
            line.recv(1)  # until the other side closes


def refused(home: Path, address: str) -> None:
    done = companion(home, *WORDS, "--scheduler", address)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"--scheduler {address}: no scheduler answered within 10 s; start one with" in done.stderr

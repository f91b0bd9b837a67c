"""Runs tasks on the workers of a Dask cluster."""

import hashlib
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from functools import cache, partial
from importlib import resources
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from companion.core.errors import CompanionError, OptionError
from companion.core.install import install_command
from companion.core.text import Text, msg

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from distributed import Client

P = ParamSpec("P")
T = TypeVar("T")

ANSWER_S: Final = 10
"""Timeout for a scheduler, and then for a worker."""

_LONGEST_GREETING: Final = 1 << 20
"""In bytes. Another service's text, read as a length, exceeds it."""

_SOURCES: Final = (".py", ".toml")


@contextmanager
def cluster(address: str, package: str) -> Iterator[tuple[Executor, int]]:
    """Yield an executor for the workers of a scheduler, and their number of threads.

    Raise OptionError without a scheduler or a worker, or if their `companion` or game `package` differs. Raise
    CompanionError if the cluster fails later.
    """
    if find_spec("distributed") is None:
        raise OptionError(msg("--scheduler: distributed is not installed: {get}", get=install_command("cluster")))
    # Optional, and slow to import.
    from distributed import KilledWorker  # noqa: PLC0415
    from distributed.comm import CommClosedError  # noqa: PLC0415

    with _connected(address) as client:
        try:
            own = fingerprint(package)
            found = client.run(fingerprint, package, on_error="return")
            try:
                found["scheduler"] = client.run_on_scheduler(fingerprint, package)
            except Exception as error:  # noqa: BLE001  any error there is told as the worker's
                found["scheduler"] = error
            for place, print_ in found.items():
                if print_ != own:
                    raise OptionError(_another(place, print_, own))
            yield _Checked(client.get_executor(), package, own), sum(client.nthreads().values())
        except (CancelledError, CommClosedError, KilledWorker) as error:
            why = str(error) or type(error).__name__
            raise CompanionError(msg("the cluster at {address} failed: {why}", address=address, why=why)) from error


@contextmanager
def _connected(address: str) -> Iterator["Client"]:
    from distributed import Client  # noqa: PLC0415

    try:
        _greet(address)
        client = Client(address, timeout=ANSWER_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise OptionError(
            msg(
                "--scheduler {address}: no scheduler answered within {s} s; start one with `dask scheduler`, "
                "and give the address it prints, such as tcp://192.168.1.5:8786",
                address=address,
                s=ANSWER_S,
            )
        ) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=ANSWER_S)
        except TimeoutError as error:
            raise OptionError(
                msg(
                    "--scheduler {address}: no workers for {s} s; start some with `dask worker {address}`",
                    address=address,
                    s=ANSWER_S,
                )
            ) from error
        yield client


def _greet(address: str) -> None:
    """Raise OSError or ValueError without a scheduler; a client would hang."""
    host, _colon, port = address.removeprefix("tcp://").rpartition(":")
    with socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER_S) as line:
        first = line.recv(8, socket.MSG_WAITALL)  # a scheduler first sends the length of its greeting
    if len(first) < 8 or int.from_bytes(first, "little") > _LONGEST_GREETING:
        raise ConnectionError(f"{address} is no scheduler")


@cache
def fingerprint(package: str) -> str:
    """Return a hash of the sources of the companion and a game's package."""
    total = hashlib.sha256()
    for root in sorted({"companion", package}):
        for path, content in sorted(_sources(resources.files(root), root)):
            total.update(f"{path}\0{len(content)}\0".encode() + content)
    return total.hexdigest()[:12]


def _sources(folder: "Traversable", path: str) -> Iterator[tuple[str, bytes]]:
    for each in folder.iterdir():
        name = f"{path}/{each.name}"
        if each.is_dir():
            yield from _sources(each, name)
        elif name.endswith(_SOURCES):
            yield name, each.read_bytes()


def _another(place: str, found: object, own: str) -> Text:
    if isinstance(found, str):
        return msg(
            "{place}: its companion or game is a different version (sources {found}, here {own}); install "
            "the same one on every machine of the cluster",
            place=place,
            found=found,
            own=own,
        )
    return msg(
        "{place}: the companion is missing or a different version ({found}); install the same one on "
        "every machine of the cluster",
        place=place,
        found=found,
    )


class _Checked(Executor):
    """Checks the fingerprint before each task, since workers may join later."""

    def __init__(self, executor: Executor, package: str, own: str) -> None:
        self._executor = executor
        self._package = package
        self._own = own

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        return self._executor.submit(_checked, self._package, self._own, partial(fn, *args, **kwargs))


def _checked(package: str, own: str, work: Callable[[], Any]) -> Any:
    found = fingerprint(package)
    if found != own:
        raise OptionError(_another("worker", found, own))
    return work()

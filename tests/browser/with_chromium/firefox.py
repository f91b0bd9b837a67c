"""Phones as Firefox tabs, driven by WebDriver BiDi, since Debian lacks geckodriver."""

import json
import re
import shutil
import socket
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Final, Self

from websocket import create_connection

from tests.browser.with_chromium.page import PATIENCE_S, Page, wait_for
from tests.browser.with_chromium.relay import ADDRESS

BROWSER: Final = shutil.which("firefox-esr") or shutil.which("firefox") or ""

LISTENS: Final = re.compile(r"WebDriver BiDi listening on (ws://\S+)\n")

PREFS: Final = {
    "network.dns.forceResolve": ADDRESS,  # requests by name go through a relay
    "dom.security.https_first": False,
    "dom.w3c_touch_events.enabled": 1,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.normandy.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
}


def through_relay(address: str) -> str:
    """Return the address of the relay, which uses the machine's name."""
    return address.replace("127.0.0.1", socket.gethostname().lower())


class Firefox:
    """A browser whose tabs are phones with separate storage."""

    def __init__(self, *, keeps_nothing: bool = False) -> None:
        self._folder = TemporaryDirectory(prefix="firefox-")
        wanted = {**PREFS, **({"network.cookie.cookieBehavior": 2} if keeps_nothing else {})}
        prefs = "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in wanted.items())
        (Path(self._folder.name) / "user.js").write_text(prefs)
        flags = ("--headless", "--no-remote", "--profile", self._folder.name, "--remote-debugging-port", "0")
        said = Path(self._folder.name) / "said"
        with said.open("wb") as err:
            self._process = subprocess.Popen([BROWSER, *flags], stdout=subprocess.DEVNULL, stderr=err)
        wait_for(lambda: LISTENS.search(said.read_text()) or self._process.poll() is not None, "Firefox")
        listens = LISTENS.search(said.read_text())
        assert listens, said.read_text()
        self._socket = create_connection(f"{listens[1]}/session", PATIENCE_S, suppress_origin=True)
        self._asked = 0
        self.ask("session.new", capabilities={})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.ask("browser.close")
        self._socket.close()
        self._process.wait(PATIENCE_S)
        self._folder.cleanup()

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._asked += 1
        self._socket.send(json.dumps({"id": self._asked, "method": method, "params": params}))
        while True:
            told: dict[str, Any] = json.loads(self._socket.recv())
            if told.get("id") == self._asked:
                assert told["type"] == "success", told
                return dict(told["result"])


class FirefoxPhone(Page):
    """A tab of a Firefox."""

    def __init__(self, address: str, browser: Firefox) -> None:
        self._browser = browser
        container = browser.ask("browser.createUserContext")["userContext"]
        made = browser.ask("browsingContext.create", type="tab", userContext=container)
        self._tab = made["context"]
        browser.ask("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def close(self) -> None:
        self._browser.ask("browsingContext.close", context=self._tab)

    def reload(self) -> None:
        self._browser.ask("browsingContext.reload", context=self._tab, wait="complete")

    def of(self, expression: str) -> Any:
        told = self._browser.ask(
            "script.evaluate",
            expression=f"JSON.stringify({expression})",
            target={"context": self._tab},
            awaitPromise=False,
        )
        assert told["type"] == "success", told
        return json.loads(told["result"]["value"])

    def up(self) -> None:
        self._perform({"type": "pointerUp", "button": 0})

    def _lay(self, x: float, y: float) -> None:
        self._perform({"type": "pointerMove", "x": round(x), "y": round(y)}, {"type": "pointerDown", "button": 0})

    def _perform(self, *actions: dict[str, Any]) -> None:
        finger = {
            "type": "pointer",
            "id": "finger",
            "parameters": {"pointerType": "touch"},
            "actions": list(actions),
        }
        self._browser.ask("input.performActions", context=self._tab, actions=[finger])

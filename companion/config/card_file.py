"""`companion.txt`: settings that a user writes onto a card before its first start, on any PC.

Each line is `name = value`, or a comment after #. A mistake affects only its own line.
"""

import base64
import binascii
import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from companion.config.table_file import keep_option, replace_file
from companion.core.errors import OptionError, closest, nearest
from companion.core.files import ENCODING
from companion.core.names import character
from companion.core.text import LANGUAGES, Text, msg, shortened
from companion.core.toml import in_toml

FILE_NAME: Final = "companion.txt"

MOST_BYTES: Final = 65536

BUILDS: Final = ("no-solder", "classic", "full", "nothing-to-build", "phones")
"""The builds of a table; each has a table.toml."""

_SINGLE: Final = "‘’‚‛‹›′"
_CURLY: Final = f"“”„‟«»″{_SINGLE}"

_SIZE_MM: Final = range(30, 2001)
_PASSWORD_SIGNS: Final = range(8, 64)
_KEY_KINDS: Final = ("ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521")


class CardFile(NamedTuple):
    """The settings of a companion.txt, and its mistakes, which do not quote secrets."""

    values: Mapping[str, str]
    """Without settings that are missing or wrong."""

    mistakes: tuple[Text, ...] = ()

    def __repr__(self) -> str:
        """Omit the values, since one of them is a password."""
        return f"CardFile({sorted(self.values)}, {self.mistakes})"

    def display(self) -> dict[str, int]:
        found = {"turn": int(self.values["display turn"])} if "display turn" in self.values else {}
        if "display size" in self.values:
            width, height = self.values["display size"].split("x")
            found |= {"width_mm": int(width), "height_mm": int(height)}
        return found


def read_card(data: bytes, zones: Collection[str]) -> CardFile:
    """Parse a companion.txt; `zones` are the machine's time zones."""
    values: dict[str, str] = {}
    lines: dict[str, int] = {}
    mistakes: list[Text] = []
    may_have_password = False
    for number, line in enumerate(data[:MOST_BYTES].splitlines(), 1):
        name = ""
        try:
            text = line.decode(ENCODING if number == 1 else "utf-8").strip().strip("\0")
            if not text or text.startswith("#"):
                continue
            name, value = _line(text)
            again = lines.setdefault(name, number)
            if again != number:
                why = msg("{name} is already in line {n}; keep one of them", name=name, n=again)
                mistakes.append(_at(number, why))
            elif value:
                _check_typed(name, value)
                values[name] = _CHECKS[name](value, zones)
        except UnicodeDecodeError:
            mistakes.append(_at(number, msg("it is not valid UTF-8; save the file as UTF-8")))
            may_have_password = True
        except OptionError as error:
            mistakes.append(_at(number, error.text))
            may_have_password |= name in {"", "wifi password"}
    if may_have_password and "wifi password" not in values:
        values.pop("wifi name", None)  # otherwise the card would join any open network of that name
    for name in sorted({"wifi password", "wifi country"} & set(values)):
        if "wifi name" not in lines:
            mistakes.append(_at(lines[name], msg("{name} needs a network; add a line wifi name = …", name=name)))
    return CardFile(values, tuple(mistakes))


def _at(number: int, why: Text) -> Text:
    return msg("{file}, line {n}: {why}", file=FILE_NAME, n=number, why=why)


def _line(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    name = " ".join(name.lower().replace("wi-fi", "wifi").replace("_", " ").replace("-", " ").split())
    # The line is not quoted: it may be a password on a separate line, which may contain =.
    if not equals:
        raise OptionError(msg("there is no = in it; write name = value, or begin the line with #"))
    if name not in _CHECKS:
        raise OptionError(msg("unknown setting; {near}", near=nearest(name, _CHECKS)))
    value = value.strip()
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return name, value[1:-1] if quoted else value


def _check_typed(name: str, value: str) -> None:
    """Raise OptionError for typographic quotes and spaces. A network's name may contain them, but not around it."""
    marks = [letter for letter in value if letter in _CURLY or (letter.isspace() and letter != " ")]
    if name == "wifi name" and not (value[:1] in _CURLY and value[-1:] in _CURLY):
        marks = [letter for letter in marks if letter not in _CURLY]
    if marks:
        plain = msg("space") if marks[0].isspace() else Text("'" if marks[0] in _SINGLE else '"')
        raise OptionError(
            msg(
                "it has {letter} instead of a plain {sign}; some editors insert it. Type it again, or delete it",
                letter=character(marks[0]),
                sign=plain,
            )
        )


# --- Checks -----------------------------------------------------------------------------------------------


def _language(value: str, _zones: Collection[str]) -> str:
    if value.lower() not in LANGUAGES:
        raise OptionError(_wrong(value, nearest(value, LANGUAGES)))
    return value.lower()


def _build(value: str, _zones: Collection[str]) -> str:
    build = value.lower().replace(" ", "-")
    if build not in BUILDS:
        raise OptionError(_wrong(value, nearest(build, BUILDS)))
    return build


def _zone(value: str, zones: Collection[str]) -> str:
    by_lower = {zone.lower(): zone for zone in zones}
    found = by_lower.get(value.lower().replace(" ", "_"))
    if found is None:
        close = _offset_zone(value) or closest(value, zones)
        raise OptionError(_wrong(value, msg("write a time zone such as {zone}", zone=close or "Europe/Zurich")))
    return found


def _offset_zone(value: str) -> str:
    """Return the zone for UTC+1 or GMT+1. The names of such zones have the opposite sign."""
    found = re.fullmatch(r"(?:utc|gmt)? ?([+-]) ?0?([1-9]|1[0-4])(?::?00)?", value.lower(), re.ASCII)
    return f"Etc/GMT{'-' if found[1] == '+' else '+'}{found[2]}" if found else ""


def _wifi_name(value: str, _zones: Collection[str]) -> str:
    size = len(value.encode())
    hidden = next((letter for letter in value if not letter.isprintable()), "")
    if hidden:
        raise OptionError(msg("it has {letter}, which cannot be shown; delete it", letter=character(hidden)))
    if size > 32:
        raise OptionError(msg("the name of a Wi-Fi network has at most 32 bytes; this one has {n}", n=size))
    return value


def _wifi_password(value: str, _zones: Collection[str]) -> str:
    if len(value) not in _PASSWORD_SIGNS or not (value.isascii() and value.isprintable()):
        raise OptionError(
            msg(
                "a Wi-Fi password has {least} to {most} letters, digits and symbols, no accents; this one has {n}",
                least=_PASSWORD_SIGNS[0],
                most=_PASSWORD_SIGNS[-1],
                n=len(value),
            )
        )
    return value


def _fitting(pattern: str, allowed: Text) -> Callable[[str, Collection[str]], str]:
    fits = re.compile(pattern, re.ASCII)

    def check(value: str, _zones: Collection[str]) -> str:
        if not fits.fullmatch(value):
            raise OptionError(_wrong(value, allowed))
        return value

    return check


def _size(value: str, _zones: Collection[str]) -> str:
    found = re.fullmatch(r"(\d{1,4})\s*[xX×]\s*(\d{1,4})(\s*mm)?", value, re.ASCII)
    if not found or not {int(found[1]), int(found[2])} <= set(_SIZE_MM):
        raise OptionError(_wrong(value, msg("write width x height of the picture in millimetres, such as 154x86")))
    return f"{found[1]}x{found[2]}"


def _ssh_key(value: str, _zones: Collection[str]) -> str:
    kind, _, rest = value.partition(" ")
    coded = rest.split(" ")[0]
    try:
        inside = base64.b64decode(coded, validate=True)
    except (binascii.Error, ValueError):
        inside = b""
    # A key begins with the length of its kind, and its kind.
    whole = len(kind).to_bytes(4) + kind.encode()
    if (
        kind not in _KEY_KINDS
        or not inside.startswith(whole)
        or len(inside) == len(whole)
        or not value.isprintable()
    ):
        raise OptionError(
            msg(
                "this is not a public key; copy the single line of a file such as id_ed25519.pub, from "
                "ssh-ed25519 to the end"
            )
        )
    return value


def _wrong(value: str, allowed: Text) -> Text:
    return msg("{entered!r}: {allowed}", entered=shortened(value), allowed=allowed)


_CHECKS: Final[Mapping[str, Callable[[str, Collection[str]], str]]] = {
    "build": _build,
    "language": _language,
    "time zone": _zone,
    "wifi name": _wifi_name,
    "wifi password": _wifi_password,
    "wifi country": _fitting("[A-Z]{2}", msg("write the country of the network in two capitals, such as CH")),
    "host name": _fitting(
        "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?",
        msg("allowed: 1 to 63 letters, digits and hyphens, such as table"),
    ),
    "display turn": _fitting("[0-3]", msg("allowed: 0 to 3, its rotation in quarter turns anticlockwise")),
    "display size": _size,
    "ssh key": _ssh_key,
}


# --- System files -----------------------------------------------------------------------------------------


class SystemFile(NamedTuple):
    """The text and the permissions of a system file."""

    text: str
    mode: int = 0o644

    def __repr__(self) -> str:
        """Omit the text of a file that only root may read."""
        return f"SystemFile({self.text if self.mode & 0o044 else '…'!r}, {self.mode:#o})"


def system_files(card: CardFile, hosts: str = "") -> dict[str, SystemFile]:
    """Return the files to write, by path below the root; `hosts` is the current etc/hosts."""
    values = card.values
    found = {"run/companion-card/environment": SystemFile(f"LANGUAGE={values.get('language', '')}\n")}
    if "host name" in values:
        name = values["host name"]
        found["etc/hostname"] = SystemFile(f"{name}\n")
        found["etc/hosts"] = SystemFile(_hosts(hosts or "127.0.0.1 localhost\n::1 localhost\n", name))
    if "wifi name" in values:
        found["etc/wpa_supplicant/wpa_supplicant-wlan0.conf"] = SystemFile(_wifi(values), 0o600)
    if "ssh key" in values:
        found["root/.ssh/authorized_keys"] = SystemFile(f"{values['ssh key']}\n", 0o600)
        # The name NAME.local resolves only with a key, since otherwise nobody can log in.
        found["etc/systemd/resolved.conf.d/50-key.conf"] = SystemFile("[Resolve]\nMulticastDNS=yes\n")
    return found


def _hosts(text: str, name: str) -> str:
    ours = f"127.0.1.1 {name}"
    lines = [ours if line.split()[:1] == ["127.0.1.1"] else line for line in text.splitlines()]
    return "".join(f"{line}\n" for line in (lines if ours in lines else [*lines, ours]))


def _wifi(values: Mapping[str, str]) -> str:
    country = [f"country={values['wifi country']}"] if "wifi country" in values else []
    password = values.get("wifi password")
    keys = [f'psk="{password}"', "key_mgmt=WPA-PSK SAE", "ieee80211w=1"] if password else ["key_mgmt=NONE"]
    lines = [f"ssid={values['wifi name'].encode().hex()}", "scan_ssid=1", *keys]
    network = "".join(f"    {line}\n" for line in lines)
    return "\n".join(["update_config=0", *country, f"network={{\n{network}}}\n"])


# --- The table's own file ---------------------------------------------------------------------------------


def build_table(build: str) -> Path:
    """Return the table.toml of a build, in the package or in a checkout."""
    package = Path(__file__).parents[1]
    installed = package / "builds" / f"{build}.toml"
    return installed if installed.exists() else package.parent / "hardware" / build / "table.toml"


def keep_build(card: CardFile, table: Path, note: Path, default: bytes = b"") -> Text | None:
    """Switch to the table.toml of the build, if another one than the note's is wanted.

    The earlier file is kept beside it and returns with its own build; `default` is one that nobody has changed. A
    power cut at any step loses neither. Returns what to tell people. Raises OSError.
    """
    build = card.values.get("build", "")
    if not build:
        return None
    kept = None
    before = note.read_text(encoding="utf-8").strip() if note.exists() else ""
    waiting = _of_build(table, build)
    if build != before:
        if table.exists() and table.read_bytes() != default:
            kept = _of_build(table, before or "before")
            replace_file(kept, table.read_text(encoding="utf-8"))
        if not waiting.exists():
            folder = in_toml(str(table.with_name("matches")))
            text = build_table(build).read_text(encoding="utf-8")
            replace_file(waiting, f"{text}\n[journal]\nfolder = {folder}\n")
        replace_file(note, f"{build}\n")
    if waiting.exists():
        waiting.replace(table)
    if kept is None:
        return None
    return msg(
        "{file}: build = {build}: the table now uses this build's table.toml. The earlier one is kept as {name}",
        file=FILE_NAME,
        build=build,
        name=kept.name,
    )


def _of_build(table: Path, build: str) -> Path:
    return table.with_name(f"{table.name}.{build}")


def keep_display(card: CardFile, table: Path, note: Path) -> None:
    """Write the display's turn and size into a table.toml, unless the note has the same values and build.

    Changes in table.toml thus stay until companion.txt changes. Raises OptionError or OSError.
    """
    wanted = card.display()
    said = "".join(f"{key} = {value}\n" for key, value in wanted.items())
    if wanted and "build" in card.values:
        said += f"build = {card.values['build']}\n"
    if said == (note.read_text(encoding="utf-8") if note.exists() else ""):
        return
    for key, value in wanted.items():
        keep_option(table, "display", key, value)
    replace_file(note, said)

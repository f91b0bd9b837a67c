"""The two boards: components, positions and nets. `draw.py` makes KiCad files from it.

Positions are millimetres from the upper left corner, x to the right, y down. Pins without a net stay free.
"""

import re
from typing import Final, NamedTuple


class Kind(NamedTuple):
    """A kind of part: KiCad's symbol and footprint, its name in the parts list, and what to order."""

    symbol: str
    footprint: str
    part: str
    number: str
    second: str


class Component(NamedTuple):
    """A part: position, rotation in degrees, the net of each pin, and where the board writes its name and pins."""

    name: str
    value: str
    kind: Kind
    x: float
    y: float
    turned: int
    nets: dict[str, str]
    named: str = ""
    pins_named: str = ""

    @property
    def words(self) -> str:
        """What the board writes beside it."""
        if self.name.startswith("TP"):
            return mark(self.nets["1"])
        if self.name.startswith("J"):
            return self.value
        return self.name if self.name[0] in "DQ" else f"{self.name} {self.value}"


class Board(NamedTuple):
    """A board. Its four screws are `hole_in` from the edges. `steps` has the parts of each step of soldering."""

    name: str
    title: str
    size: tuple[float, float]
    hole_in: float
    components: tuple[Component, ...]
    words: tuple[tuple[str, float, float], ...]
    arrow: tuple[float, float] | None
    steps: tuple[str, ...]


REVISION: Final = "B"

MARKS: Final = (
    (r"CONTACT\d", "TIP"),
    (r"RING\d", "RING"),
    (r"BUTTON_", ""),
    (r"BUZZER(\d)", r"B\1"),
    (r"LAMP(\d)", r"L\1"),
    (r"BUZZER", "BUZZ"),
    (r"SIREN-", "-"),
)


def mark(net: str) -> str:
    """Return what the board writes at a pin."""
    for pattern, said in MARKS:
        net = re.sub(pattern, said, net)
    return net


def resistor(ohm: str, part: str) -> Kind:
    shape = "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P7.62mm_Horizontal"
    digits = {"220R": "2200", "1K": "1001", "2K2": "2201", "10K": "1002"}[ohm]
    return Kind("Device:R", shape, part, f"Yageo MFR-25FBF52-{ohm}", f"Vishay MRS25000C{digits}FCT00")


def strip(ways: int) -> Kind:
    shape = f"Connector_PinHeader_2.54mm:PinHeader_1x{ways:02}_P2.54mm_Vertical"
    symbol = f"Connector_Generic:Conn_01x{ways:02}"
    return Kind(symbol, shape, "Pin header 1 x 40", "Würth 61304011121", "Samtec TSW-140-07-T-S")


def lead(ways: int) -> Kind:
    """Return a keyed socket. On a board each use has its own number of ways, so that no plug fits another."""
    shape = f"Connector_JST:JST_XH_B{ways}B-XH-A_1x{ways:02}_P2.50mm_Vertical"
    symbol = f"Connector_Generic:Conn_01x{ways:02}"
    second = f"Megastar ZX-XH2.54-{ways}PZZ"
    return Kind(symbol, shape, f"JST XH header of {ways} ways", f"JST B{ways}B-XH-A", second)


TVS: Final = Kind(
    "Device:D_Zener",
    "Diode_THT:D_DO-41_SOD81_P7.62mm_Horizontal",
    "P4KE6.8A diode",
    "Littelfuse P4KE6.8A",
    "Vishay P4KE6.8A-E3/54",
)
CAPACITOR: Final = Kind(
    "Device:C",
    "Capacitor_THT:C_Disc_D3.8mm_W2.6mm_P2.50mm",
    "100 nF capacitor",
    "Vishay K104K10X7RF5UL2",
    "KEMET C315C104K5R5TA",
)
NETWORK_9: Final = Kind(
    "Device:R_Network09",
    "Resistor_THT:R_Array_SIP10",
    "Resistor network 9 x 2.2 kilohm",
    "Bourns 4610X-101-222LF",
    "Vishay CSC10A012K20GEK",
)
NETWORK_6: Final = Kind(
    "Device:R_Network06",
    "Resistor_THT:R_Array_SIP7",
    "Resistor network 6 x 4.7 kilohm",
    "Bourns 4607X-101-472LF",
    "Vishay CSC07A014K70GEK",
)
DRIVER: Final = Kind(
    "Transistor_Array:TBD62783A",
    "Package_DIP:DIP-18_W7.62mm_Socket",
    "TBD62783APG with socket",
    "Toshiba TBD62783APG in Assmann A 18-LC-TT",
    "Microchip MIC2981/82YN in Mill-Max 110-43-318-41-001000",
)
NPN: Final = Kind(
    "Transistor_BJT:Q_NPN_CBE",
    "Package_TO_SOT_THT:TO-92_Inline_Wide",
    "BC337 transistor",
    "onsemi BC33740TA",
    "Diotec BC337-40",
)
DIODE: Final = Kind(
    "Device:D",
    "Diode_THT:D_DO-35_SOD27_P7.62mm_Horizontal",
    "1N4148 diode",
    "Vishay 1N4148-TAP",
    "onsemi 1N4148TR",
)
RIBBON: Final = Kind(
    "Connector_Generic:Conn_02x20_Odd_Even",
    "Connector_IDC:IDC-Header_2x20_P2.54mm_Vertical",
    "Box header 2 x 20",
    "Würth 61204021621",
    "On Shore 302-S401",
)
SOCKET_20: Final = Kind(
    "Connector_Generic:Conn_01x20",
    "Connector_PinSocket_2.54mm:PinSocket_1x20_P2.54mm_Vertical",
    "Socket strip 1 x 20",
    "Würth 61302011821",
    "Samtec SSW-120-01-T-S",
)
PAD: Final = Kind("Connector:TestPoint", "TestPoint:TestPoint_THTPad_D1.5mm_Drill0.7mm", "", "", "")

# --- The base ---------------------------------------------------------------------------------------------

HEADER: Final = {
    "BUZZER1": 11, "BUZZER2": 13, "BUZZER3": 15, "BUZZER4": 16, "BUZZER5": 18,
    "LAMP1": 29, "LAMP2": 31, "LAMP3": 33, "LAMP4": 35, "LAMP5": 32,
    "SIREN": 12, "OK": 36, "UNDO": 38, "PAUSE": 40, "SKIP": 37,
}  # fmt: skip
"""Pins of the Pi's header. table.toml of the classic build has the same as GPIO numbers."""

SEATS: Final = range(1, 6)
HOUSE: Final = ("OK", "UNDO", "PAUSE", "SKIP")
GROUNDS: Final = (6, 9, 25)
"""Three of eight, one ampere each. Wires surround the others."""


def _header() -> dict[str, str]:
    power = {1: "+3V3", 17: "+3V3", 2: "+5V", 4: "+5V", **dict.fromkeys(GROUNDS, "GND")}
    return {str(pin): net for pin, net in {**power, **{pin: net for net, pin in HEADER.items()}}.items()}


def _seat(seat: int) -> list[Component]:
    x, one, two = 16 * (seat - 1) + 5.0, 2 * seat - 1, 2 * seat
    contact, lamp = f"CONTACT{seat}", f"RING{seat}"
    ways = {"1": contact, "2": lamp, "3": "GND"}
    before = resistor("1K", "1 kilohm resistor"), resistor("220R", "220 ohm resistor")
    return [
        Component(f"J{seat + 1}", f"Seat {seat}", lead(3), x + 3, 63.5, 0, ways, "s", "n"),
        Component(f"D{one}", "P4KE6.8A", TVS, x + 1, 47.7, 270, {"1": contact, "2": "GND"}),
        Component(f"D{two}", "P4KE6.8A", TVS, x + 6.7, 47.7, 270, {"1": lamp, "2": "GND"}),
        Component(f"C{one}", "100n", CAPACITOR, x + 11.7, 40, 270, {"1": contact, "2": "GND"}),
        Component(f"C{two}", "100n", CAPACITOR, x + 11.7, 50, 270, {"1": lamp, "2": "GND"}),
        Component(f"R{one}", "1k", before[0], x + 1, 37.5, 270, {"1": f"BUZZER{seat}", "2": contact}),
        Component(f"R{two}", "220", before[1], x + 6.7, 37.5, 270, {"1": f"DRIVE{seat}", "2": lamp}),
    ]


def _house() -> list[Component]:
    ways = {str(n): f"BUTTON_{net}" for n, net in enumerate(HOUSE, 1)}
    found = [Component("J8", "House", lead(5), 85, 32.5, 90, {**ways, "5": "GND"}, "n", "w")]
    for number, net in enumerate(HOUSE):
        y, n, button = 33.655 - 4.445 * number, 11 + number, f"BUTTON_{net}"
        series = resistor("1K", "1 kilohm resistor")
        found += [
            Component(f"D{n}", "P4KE6.8A", TVS, 75.4, y, 180, {"1": button, "2": "GND"}),
            Component(f"R{n}", "1k", series, 57.4, y, 0, {"1": net, "2": button}),
            Component(f"C{n}", "100n", CAPACITOR, 54.5, y, 180, {"1": button, "2": "GND"}),
        ]
    return found


def _driver() -> dict[str, str]:
    """Return the lamp driver's nets: five lines, three inputs at ground."""
    inputs = {str(9 - seat): f"LAMP{seat}" for seat in SEATS}
    outputs = {str(10 + seat): f"DRIVE{seat}" for seat in SEATS}
    return {**inputs, **outputs, **dict.fromkeys(("1", "2", "3", "10"), "GND"), "9": "+5V"}


def _test_pads() -> list[Component]:
    """Return a pad for each line, in the order of the header's pins, beside the triangle at its first one."""
    found: list[Component] = []
    for start, lines in ((12.5, ["+5V", "+3V3"]), (21.8, ["GND", *sorted(HEADER, key=lambda net: HEADER[net])])):
        right = start
        for net in lines:
            long = max(3.0, 0.93 * len(mark(net)) + 0.9)
            found.append(Component(f"TP{len(found) + 1}", net, PAD, right + long / 2, 15.875, 0, {"1": net}, "n"))
            right += long
    return found


def _base() -> tuple[Component, ...]:
    pulled = [*(f"CONTACT{seat}" for seat in SEATS), *(f"BUTTON_{net}" for net in HOUSE)]
    held = [*(f"LAMP{seat}" for seat in SEATS), "SIREN"]
    pulls = {"1": "+3V3", **{str(n): net for n, net in enumerate(pulled, 2)}}
    holds = {"1": "GND", **{str(n): net for n, net in enumerate(held, 2)}}
    base = resistor("1K", "1 kilohm resistor")
    power = {"1": "+5V", "2": "+5V", "3": "GND", "4": "GND"}
    return (
        Component("J1", "To the Pi", RIBBON, 21, 9.5, 90, _header(), "n"),
        *(each for seat in SEATS for each in _seat(seat)),
        *_house(),
        Component("U1", "TBD62783", DRIVER, 47.6, 20.6, 270, _driver(), "s"),
        Component("C15", "100n", CAPACITOR, 22.86, 23.5, 270, {"1": "+5V", "2": "GND"}),
        Component("RN1", "9 x 2.2k", NETWORK_9, 3, 34.5, 0, pulls, "n"),
        Component("RN2", "6 x 4.7k", NETWORK_6, 30.2, 34.5, 0, holds, "n"),
        Component("J7", "Siren", lead(2), 9, 25, 270, {"1": "+5V", "2": "SIREN-"}, "n", "w"),
        Component("R15", "1k", base, 13.3, 29.9, 0, {"1": "SIREN", "2": "BASE"}),
        Component("Q1", "BC337", NPN, 14.6, 24.765, 0, {"1": "SIREN-", "2": "BASE", "3": "GND"}, "w"),
        Component("D15", "1N4148", DIODE, 14, 19.685, 0, {"1": "+5V", "2": "SIREN-"}),
        Component("J9", "Display", lead(4), 9, 9, 270, power, "n", "w"),
        *_test_pads(),
    )


BASE: Final = Board(
    "base",
    "Base board of the classic table",
    (90, 70),
    2,
    _base(),
    (("Table", 82, 5), ("companion", 82, 6.8), ("base board", 82, 9.4), (f"revision {REVISION}", 82, 11.2)),
    None,
    ("R D", "R D U C", "R D U C RN Q", "R D U C RN Q J"),
)

# --- The pod ----------------------------------------------------------------------------------------------

PICO: Final = {
    **{f"KEY{n}": pin for n, pin in enumerate((4, 5, 6, 7, 9, 10, 11, 12), 1)},
    "BUZZER": 14, "LAMP": 15, "SDA": 21, "SCL": 22, "+3V3": 36, "+5V": 40,
}  # fmt: skip
"""Pins of the Pico. hardware/pod/pins.py has the same as GPIO numbers."""

PICO_GROUNDS: Final = (3, 8, 13, 18, 23, 28, 38)


def _pico(side: range) -> dict[str, str]:
    nets = {**{pin: net for net, pin in PICO.items()}, **dict.fromkeys(PICO_GROUNDS, "GND")}
    return {str(n): nets[pin] for n, pin in enumerate(side, 1) if pin in nets}


def _pod() -> tuple[Component, ...]:
    keys = {str(n): f"KEY{n}" for n in range(1, 9)}
    screen = {"1": "GND", "2": "+3V3", "3": "SCL", "4": "SDA"}
    lamp = {"1": "+5V", "2": "LAMP-", "3": "GND"}
    up, base, down = (
        resistor(ohm, f"{said} kilohm resistor") for ohm, said in (("2K2", "2.2"), ("1K", "1"), ("10K", "10"))
    )
    found = [
        Component("J1", "Pico 1-20", SOCKET_20, 16.11, 2.9, 0, _pico(range(1, 21)), "s", "w"),
        Component("J2", "Pico 40-21", SOCKET_20, 33.89, 2.9, 0, _pico(range(40, 20, -1)), "s", "e"),
        Component("J3", "Keypad", strip(8), 16.11, 66.5, 90, keys, "e", "n"),
        Component("J4", "Screen", strip(4), 44.5, 30, 0, screen, "n", "w"),
        Component("J5", "Button", lead(2), 42.5, 58, 0, {"1": "BUZZER", "2": "GND"}, "n", "s"),
        Component("J6", "Lamp", lead(3), 3.8, 58, 0, lamp, "n", "s"),
        Component("R1", "2.2k", up, 40.5, 51.2, 0, {"1": "+3V3", "2": "BUZZER"}),
        Component("R2", "1k", base, 2.54, 39, 270, {"1": "LAMP", "2": "BASE"}),
        Component("R3", "10k", down, 7.2, 39, 270, {"1": "LAMP", "2": "GND"}),
        Component("Q1", "BC337", NPN, 4, 50.5, 0, {"1": "LAMP-", "2": "BASE", "3": "GND"}, "e"),
        Component("C1", "100n", CAPACITOR, 41, 22, 0, {"1": "+3V3", "2": "GND"}),
    ]
    tested = [*(f"KEY{n}" for n in range(1, 9)), "BUZZER", "LAMP", "SDA", "SCL", "+3V3", "+5V", "GND"]
    found += [
        Component(f"TP{n}", net, PAD, 20 + 5 * ((n - 1) % 3), 12 + 8 * ((n - 1) // 3), 0, {"1": net}, "n")
        for n, net in enumerate(tested, 1)
    ]
    return tuple(found)


POD: Final = Board(
    "pod",
    "Board of a pod",
    (50, 70),
    2,
    _pod(),
    (("USB", 25, 5.5), ("Table companion", 25, 55.6), ("pod board", 25, 57.3), (f"revision {REVISION}", 25, 59)),
    (25, 1.2),
    ("R C Q", "R C Q J"),
)

BOARDS: Final = (BASE, POD)

"""The two boards: components, positions and nets. `draw.py` makes KiCad files from it.

Positions are millimetres from the upper left corner, x to the right, y down. Pins without a net stay free.
"""

from typing import Final, NamedTuple


class Kind(NamedTuple):
    """A kind of part: KiCad's symbol and footprint, its name in the parts list, and an example number."""

    symbol: str
    footprint: str
    part: str
    number: str


class Component(NamedTuple):
    """A part: position, rotation in degrees, and the net of each pin."""

    name: str
    value: str
    kind: Kind
    x: float
    y: float
    turned: int
    nets: dict[str, str]


class Board(NamedTuple):
    """A board. Its four screws are `hole_in` from the edges."""

    name: str
    title: str
    size: tuple[float, float]
    hole_in: float
    components: tuple[Component, ...]


def resistor(part: str) -> Kind:
    shape = "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P7.62mm_Horizontal"
    return Kind("Device:R", shape, part, "MFR-25 series, Yageo")


def strip(ways: int) -> Kind:
    shape = f"Connector_PinHeader_2.54mm:PinHeader_1x{ways:02}_P2.54mm_Vertical"
    return Kind(f"Connector_Generic:Conn_01x{ways:02}", shape, "Pin header 1 x 40", "61304011121, Würth")


def lead(ways: int) -> Kind:
    shape = f"Connector_JST:JST_XH_B{ways}B-XH-A_1x{ways:02}_P2.50mm_Vertical"
    return Kind(
        f"Connector_Generic:Conn_01x{ways:02}", shape, f"JST XH header of {ways} ways", f"B{ways}B-XH-A, JST"
    )


TVS: Final = Kind(
    "Device:D_Zener", "Diode_THT:D_DO-15_P10.16mm_Horizontal", "P6KE6.8A diode", "P6KE6.8A, Littelfuse"
)
CAPACITOR: Final = Kind(
    "Device:C", "Capacitor_THT:C_Disc_D3.8mm_W2.6mm_P2.50mm", "100 nF capacitor", "K104K10X7RF5UL2, Vishay"
)
NETWORK_9: Final = Kind(
    "Device:R_Network09", "Resistor_THT:R_Array_SIP10", "Resistor network 9 x 2.2 kilohm", "4610X-101-222LF, Bourns"
)
NETWORK_6: Final = Kind(
    "Device:R_Network06", "Resistor_THT:R_Array_SIP7", "Resistor network 6 x 10 kilohm", "4607X-101-103LF, Bourns"
)
BUFFER: Final = Kind("74xx:74LS541", "Package_DIP:DIP-20_W7.62mm_Socket", "74HC541 with socket", "SN74HC541N, TI")
NPN: Final = Kind(
    "Transistor_BJT:Q_NPN_CBE", "Package_TO_SOT_THT:TO-92_Inline_Wide", "BC337 transistor", "BC337-40, onsemi"
)
DIODE: Final = Kind("Device:D", "Diode_THT:D_DO-35_SOD27_P7.62mm_Horizontal", "1N4148 diode", "1N4148, Vishay")
RIBBON: Final = Kind(
    "Connector_Generic:Conn_02x20_Odd_Even",
    "Connector_IDC:IDC-Header_2x20_P2.54mm_Vertical",
    "Box header 2 x 20",
    "61204021621, Würth",
)
SOCKET_20: Final = Kind(
    "Connector_Generic:Conn_01x20",
    "Connector_PinSocket_2.54mm:PinSocket_1x20_P2.54mm_Vertical",
    "Socket strip 1 x 20",
    "61302011821, Würth",
)
PAD: Final = Kind("Connector:TestPoint", "TestPoint:TestPoint_THTPad_D1.5mm_Drill0.7mm", "", "")

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
    x = 16 * (seat - 1) + 5.0
    contact, lamp = f"CONTACT{seat}", f"RING{seat}"
    number = 2 * seat
    return [
        Component(f"J{seat + 1}", f"Seat {seat}", lead(3), x + 3, 63.5, 0, {"1": contact, "2": lamp, "3": "GND"}),
        Component(f"D{number - 1}", "P6KE6.8A", TVS, x + 2.5, 47, 270, {"1": contact, "2": "GND"}),
        Component(f"D{number}", "P6KE6.8A", TVS, x + 7, 47, 270, {"1": lamp, "2": "GND"}),
        Component(f"C{number - 1}", "100n", CAPACITOR, x + 11.5, 47.5, 270, {"1": contact, "2": "GND"}),
        Component(f"C{number}", "100n", CAPACITOR, x + 11.5, 54, 270, {"1": lamp, "2": "GND"}),
        Component(
            f"R{number - 1}",
            "1k",
            resistor("1 kilohm resistor"),
            x + 2.5,
            36,
            270,
            {"1": f"BUZZER{seat}", "2": contact},
        ),
        Component(
            f"R{number}", "220", resistor("220 ohm resistor"), x + 7, 36, 270, {"1": f"DRIVE{seat}", "2": lamp}
        ),
    ]


def _buffer() -> dict[str, str]:
    """Return the lamp driver's nets: five lines, three inputs at ground, both gates open."""
    inputs = {str(1 + seat): f"LAMP{seat}" for seat in SEATS}
    outputs = {str(19 - seat): f"DRIVE{seat}" for seat in SEATS}
    return {**inputs, **outputs, **dict.fromkeys(("1", "19", "7", "8", "9", "10"), "GND"), "20": "+3V3"}


def _base() -> tuple[Component, ...]:
    pulls = [*(f"CONTACT{seat}" for seat in SEATS), *HOUSE]
    holds = [*(f"LAMP{seat}" for seat in SEATS), "SIREN"]
    found = [
        Component("J1", "To the Pi", RIBBON, 21, 9.5, 90, _header()),
        Component("U1", "74HC541", BUFFER, 13.3, 28, 90, _buffer()),
        Component("C11", "100n", CAPACITOR, 39.5, 27, 90, {"1": "+3V3", "2": "GND"}),
        Component(
            "RN1",
            "9 x 2.2k",
            NETWORK_9,
            44,
            26.5,
            0,
            {"1": "+3V3", **{str(n): net for n, net in enumerate(pulls, 2)}},
        ),
        Component(
            "RN2", "6 x 10k", NETWORK_6, 44, 31, 0, {"1": "GND", **{str(n): net for n, net in enumerate(holds, 2)}}
        ),
        Component("R11", "1k", resistor("1 kilohm resistor"), 62.9, 31, 0, {"1": "SIREN", "2": "BASE"}),
        Component("Q1", "BC337", NPN, 74, 31, 0, {"1": "SIREN-", "2": "BASE", "3": "GND"}),
        Component("D11", "1N4148", DIODE, 70, 21.6, 0, {"1": "+5V", "2": "SIREN-"}),
        Component("J7", "Siren", lead(2), 85, 28.5, 90, {"1": "+5V", "2": "SIREN-"}),
        Component("J12", "5 V of the display", strip(2), 76.5, 25.4, 90, {"1": "+5V", "2": "GND"}),
        *(each for seat in SEATS for each in _seat(seat)),
    ]
    for number, net in enumerate(HOUSE):
        place = (5.0, 8.0 + 8.5 * number) if number < 2 else (83.0, 8.0 + 8.5 * (number - 2))
        found.append(
            Component(f"J{8 + number}", f"House {net.lower()}", lead(2), *place, 0, {"1": net, "2": "GND"})
        )
    tested = [*HEADER, "+3V3", "+5V", "GND"]
    found += [Component(f"TP{n}", net, PAD, 14 + 3.6 * n, 16.5, 0, {"1": net}) for n, net in enumerate(tested, 1)]
    return tuple(found)


BASE: Final = Board("base", "Base board of the classic table", (90, 70), 2, _base())

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
    found = [
        Component("J1", "Pico, pins 1 to 20", SOCKET_20, 16.11, 2.9, 0, _pico(range(1, 21))),
        Component("J2", "Pico, pins 40 to 21", SOCKET_20, 33.89, 2.9, 0, _pico(range(40, 20, -1))),
        Component("J3", "Keypad", strip(8), 16.11, 66.5, 90, keys),
        Component("J4", "Screen", strip(4), 44.5, 30, 0, {"1": "GND", "2": "+3V3", "3": "SCL", "4": "SDA"}),
        Component("J5", "Button", lead(2), 42.5, 58, 0, {"1": "BUZZER", "2": "GND"}),
        Component("J6", "Lamp", lead(2), 5, 58, 0, {"1": "+5V", "2": "LAMP-"}),
        Component("R1", "2.2k", resistor("2.2 kilohm resistor"), 39, 52, 0, {"1": "+3V3", "2": "BUZZER"}),
        Component("R2", "1k", resistor("1 kilohm resistor"), 5, 36, 270, {"1": "LAMP", "2": "BASE"}),
        Component("R3", "10k", resistor("10 kilohm resistor"), 10, 36, 270, {"1": "LAMP", "2": "GND"}),
        Component("Q1", "BC337", NPN, 5, 51, 0, {"1": "LAMP-", "2": "BASE", "3": "GND"}),
        Component("C1", "100n", CAPACITOR, 41, 22, 0, {"1": "+3V3", "2": "GND"}),
    ]
    tested = [*(f"KEY{n}" for n in range(1, 9)), "BUZZER", "LAMP", "SDA", "SCL", "+3V3", "+5V", "GND"]
    found += [
        Component(f"TP{n}", net, PAD, 20.5 + 4.5 * ((n - 1) % 3), 10 + 8 * ((n - 1) // 3), 0, {"1": net})
        for n, net in enumerate(tested, 1)
    ]
    return tuple(found)


POD: Final = Board("pod", "Board of a pod", (50, 70), 2, _pod())

BOARDS: Final = (BASE, POD)

"""Limits for untrusted input. The companion's own files stay far below them."""

from typing import Final

RECORD_BYTES: Final = 8_000_000
"""20,000 moves with evidence."""

RECORD_LINE_BYTES: Final = 65_536
"""A tag with a whole box."""

RECORD_ENTRIES: Final = 20_000
"""Moves, undos and corrections; a long match has some hundreds."""

REPLAYED_MOVES: Final = 40_000
"""Moves that all corrections of a record may replay together."""

RECORD_NAME_SIGNS: Final = 200

NAME_SIGNS: Final = 24
"""The longest name of a player; every screen shows it whole."""

TOML_BYTES: Final = 65_536
"""The size of table.toml or a box."""

TOML_LINE_SIGNS: Final = 4_000

TOML_DEPTH: Final = 16

DIGITS: Final = 18
"""A timestamp of thirty years in nanoseconds."""

BOX_NUMBER: Final = 999
"""The default upper bound of a box's numbers."""

LINE_NUMBER: Final = 9_999

BOUNCE_MS: Final = 100
"""The bounce of virtual contacts; real ones are at rest within 20 ms."""

RELEASE_LIST_BYTES: Final = 64 << 10
"""A release's list or signature; both are read before they are trusted."""

RELEASE_BYTES: Final = 300 << 20
"""Four times a usual release."""

STICK_NAMES: Final = 1_000
"""File names on a USB stick that are checked for a release."""

SENTENCE_SIGNS: Final = 2_000
"""The longest message; the middle of longer ones is left out."""

EDGES_A_SECOND: Final = 500
"""More edges than a finger on a bouncing buzzer makes."""

LEVELS_A_SECOND: Final = 2_000
"""A pod sends one with each answer to a ping."""

KEYS_A_SECOND: Final = 200
"""Keys and controls of one device at a place, including those that a pod has stored."""

POD_BYTES_A_SECOND: Final = 100_000
"""2,500 sentences, five times what a bounce needs."""

PAD_EVENTS_AT_ONCE: Final = 256
"""Events of a number pad that are read before the other devices."""

SIGNALS_WAITING: Final = 2_000
"""Signals of one device at a place; the table handles them within a second."""

PHONE_CONNECTIONS: Final = 64

PHONE_MESSAGE_SIGNS: Final = 160

NOBODYS_BYTES_A_SECOND: Final = 2_000
"""Ten times what a phone needs to authenticate."""

PHONE_REQUESTS_A_SECOND: Final = 50

PHONES_OF_ONE_ADDRESS: Final = 16
"""A browser with all seats in its tabs, and some stale ones."""

VIEW_NUMBER: Final = 9_999
"""The largest number in a view; walls draw some one by one."""

VIEW_PARTS: Final = 200

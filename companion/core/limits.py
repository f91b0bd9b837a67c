"""How much is read of what others may have written: of records, table.toml and boxes, in one place.

What a table writes itself stays far below each of them; what exceeds one is named, and read no further.
"""

from typing import Final

RECORD_BYTES: Final = 8_000_000
"""The longest record: 20,000 moves with all their evidence."""

RECORD_LINE_BYTES: Final = 65_536
"""The longest line of a record: a tag with a whole box."""

RECORD_ENTRIES: Final = 20_000
"""The most moves, undos and corrections of a record; a long match has some hundreds."""

REPLAYED_MOVES: Final = 40_000
"""The most moves that the corrections of a record make anew, all together: each plays on from what it changes."""

RECORD_NAME_SIGNS: Final = 200
"""The longest name of a player in a record, which others may have written."""

NAME_SIGNS: Final = 24
"""The longest name that somebody may give a player: every screen shows it whole."""

TOML_BYTES: Final = 65_536
"""The largest table.toml, and the largest box."""

TOML_LINE_SIGNS: Final = 4_000
"""The longest line of either."""

TOML_DEPTH: Final = 16
"""How deep either may be nested."""

DIGITS: Final = 18
"""The longest whole number in anything: a nanosecond stamp of thirty years."""

BOX_NUMBER: Final = 999
"""The largest number of a box that its game does not bound itself."""

LINE_NUMBER: Final = 9_999
"""The largest number of a line of a GPIO chip."""

BOUNCE_MS: Final = 100
"""The longest bounce of a virtual contact; real ones are over in 20 ms."""

RELEASE_LIST_BYTES: Final = 64 << 10
"""The largest list of a release, and its signature: both are read before anybody is believed."""

RELEASE_BYTES: Final = 300 << 20
"""The most bytes of all files of a release, four times what one has."""

STICK_NAMES: Final = 1_000
"""So many names of a stick are looked at for a release."""

SENTENCE_SIGNS: Final = 2_000
"""The longest sentence that is told; of a longer one, which quotes what somebody wrote, the middle is left out."""

EDGES_A_SECOND: Final = 500
"""The most edges of one place's buzzer: more are no finger's, however its contact bounces."""

LEVELS_A_SECOND: Final = 2_000
"""The most level readings of one place's buzzer, of which a pod sends one with each answer to a ping."""

KEYS_A_SECOND: Final = 200
"""The most keys and controls of one device at a place, a pod's kept ones among them."""

POD_BYTES_A_SECOND: Final = 100_000
"""The most bytes of a pod, sentences or not: 2,500 sentences of usual length, five times what a bounce needs."""

PAD_EVENTS_AT_ONCE: Final = 256
"""So many events of a number pad are read before the others have their turn."""

SIGNALS_WAITING: Final = 2_000
"""The most signals of one device at a place that wait for the table, which takes a second for them at worst."""

PHONE_CONNECTIONS: Final = 64
"""The most connections of phones and of whoever looks at the table from elsewhere."""

PHONE_MESSAGE_SIGNS: Final = 160
"""The longest message of a phone: a sentence with its proof."""

NOBODYS_BYTES_A_SECOND: Final = 2_000
"""The most bytes of a phone that has not proved who it is: ten times what it takes to do so."""

PHONE_REQUESTS_A_SECOND: Final = 50
"""The most requests of one address."""

PHONES_OF_ONE_ADDRESS: Final = 16
"""The most WebSockets of one address: a browser with all seats in its tabs, and some that it left open."""

VIEW_NUMBER: Final = 9_999
"""The largest number of a view that a wall draws: eight times all points of any box; some are drawn one by one."""

VIEW_PARTS: Final = 200
"""The longest list of a view: six times that of any game here."""

"""The phone's page in a real Chromium, with the real server."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from companion.core.clock import MonotonicClock
from companion.core.console import BUZZ, Lamp
from companion.core.place import Place
from companion.core.signal import PLUG, Signal
from companion.devices.phones.phones import Phones
from tests.browser.with_chromium.chromium import LANDSCAPE, PORTRAIT, Chromium, Phone
from tests.browser.with_chromium.page import HERE, STORED, wait_for
from tests.browser.with_chromium.relay import Relay, port_of, through_relay

FIRST, SECOND = Place(0), Place(1)
KEPT = "JSON.stringify([localStorage, sessionStorage, location.href])"
FITS = """[...document.querySelectorAll("button, #lines")].every((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
        && (one.scrollWidth <= one.clientWidth + 1 || one.id === "seat");
})"""
PRESSES = 400 if os.environ.get("COMPANION_SOAK") else 30
SHOTS = Path(__file__).parents[3] / "build" / "browser"


@pytest.fixture
def phone(phones: Phones) -> Iterator[Phone]:
    with Phone(phones.invite([FIRST])[FIRST].address) as phone:
        yield phone.sits()


def keys(told: list[Signal]) -> str:
    return "".join(signal.control for signal in told if signal.control in "0123456789*#ABCD")


def buzzes(told: list[Signal]) -> list[bool]:
    return [signal.pressed for signal in told if signal.control == BUZZ and not signal.flags]


def test_touches_are_received_and_messages_shown(phones: Phones, told: list[Signal], phone: Phone) -> None:
    for key in "1234567890*#ABCD":
        phone.press(key)
    wait_for(lambda: keys(told) == "1234567890*#ABCD", "every key once and in order")
    told.clear()
    phone.down(BUZZ)
    wait_for(
        lambda: [signal.pressed for signal in told if signal.control == BUZZ and not signal.flags], "the buzzer"
    )
    phone.up()
    wait_for(lambda: any(signal.control == BUZZ and not signal.pressed for signal in told), "the buzzer is let go")
    phones.show(FIRST, Lamp.ON)
    phones.say(FIRST, "Your bid, Anna", "1 2 5 10 20", "", "12")
    wait_for(lambda: phone.lamp == "on" and phone.lines == ["Your bid, Anna", "1 2 5 10 20", "", "12"], "showing")
    assert phone.of("document.getElementById('seat').textContent") == "Seat 1"
    phone.photograph(SHOTS / "portrait.png")
    assert phone.complaints() == []


@pytest.mark.parametrize("size", [PORTRAIT, LANDSCAPE], ids=["portrait", "landscape"])
def test_name_is_requested_and_stored_on_the_phone(phones: Phones, size: tuple[int, int]) -> None:
    with Phone(phones.invite([FIRST])[FIRST].address, size) as phone:
        wait_for(lambda: phone.is_asked, "the question")
        phone.type_name("A" * 25)
        refused = "document.getElementById('refused').textContent"
        wait_for(lambda: str(phone.of(refused)).startswith("a name has up to 24 characters"), "the reason")
        phone.photograph(SHOTS / f"name-{size[0]}x{size[1]}.png")
        phone.driver.find_element("id", "name").clear()
        phone.driver.find_element("id", "name").send_keys("Zoë", Keys.ENTER)
        wait_for(lambda: phones.names == {FIRST: "Zoë"} and not phone.is_asked, "being named")
        phones.give_free(FIRST)
        wait_for(lambda: phone.state == "stranger", "the end")
        phone.driver.get("about:blank")
        phone.driver.get(phones.invite([FIRST])[FIRST].address)
        wait_for(lambda: phones.names == {FIRST: "Zoë"}, "the name that the phone has kept")
        assert not phone.is_asked
        phone.press("1")
        assert phone.complaints() == []


def test_table_code_joins_and_another_seat_is_chosen(phones: Phones, chromium: Chromium) -> None:
    phones.invite([FIRST, SECOND, Place(2)])
    code = phones.table_code
    assert code
    typed = code.address.partition("#")[0]
    with Phone(code.address, browser=chromium) as one, Phone(typed, browser=chromium) as two:
        one.sits()
        phones.wish(FIRST, free="2 3")
        one.driver.find_element("id", "seat").click()
        wait_for(lambda: one.of("document.getElementById('seats').children.length") == 3, "the free seats")
        one.photograph(SHOTS / "seats.png")
        one.driver.execute_script("document.querySelectorAll('#seats button')[2].click()")
        wait_for(lambda: phones.places == (Place(2),), "moving")
        wait_for(lambda: phones.names == {Place(2): "Zoë 1"}, "keeping the name")
        phones.invite([FIRST, SECOND])
        wait_for(lambda: two.state == "stranger", "no seat")
        two.photograph(SHOTS / "letters.png")
        two.driver.find_element("id", "letters").send_keys(code.letters.lower(), Keys.ENTER)
        two.sits()
        assert phones.places == (FIRST, Place(2))


def test_token_works_once_and_is_never_stored(phones: Phones) -> None:
    address = phones.invite([FIRST])[FIRST].address
    token = address.rpartition("#")[2]
    with Phone(address) as first, Phone(address) as second:
        wait_for(lambda: {first.state, second.state} == {"there", "stranger"}, "one of two")
        refused = first if first.state == "stranger" else second
        assert refused.notice.startswith("This code has been used")
        sits = second if refused is first else first
        kept = sits.of("JSON.stringify([localStorage, sessionStorage, location.href])")
        wait_for(
            lambda: token not in sits.of("JSON.stringify([localStorage, sessionStorage, location.href])"), kept
        )


def test_page_uses_the_tables_or_the_seats_language(phones: Phones) -> None:
    phones.language = "fr"
    address = phones.invite([FIRST])[FIRST].address
    with Phone(address.partition("#")[0]) as phone:
        wait_for(lambda: phone.notice == "Scanne le code sur l’écran de la table.", "a sentence of the page's code")
        assert phone.driver.title == "Le compagnon de table"
    with Phone(address) as phone:
        phones.wish(FIRST, language="en")
        phone.sits()
        wait_for(lambda: phone.driver.title == "The table companion", "its own language")
        assert phone.of("document.documentElement.lang") == "en"


def test_reload_returns_to_the_same_seat(phones: Phones, told: list[Signal], phone: Phone) -> None:
    phones.say(FIRST, "Your bid")
    phone.driver.back()
    assert phone.of("document.getElementById('keys') !== null")
    phone.press("7")
    phone.driver.refresh()
    phone.sits().press("8")
    wait_for(lambda: keys(told) == "78", "each key once")
    wait_for(lambda: phone.lines[0] == "Your bid", "the screen as before")
    assert FIRST not in phones.troubles


def test_offline_touches_arrive_after_reconnecting(phones: Phones, told: list[Signal]) -> None:
    address = phones.invite([FIRST])[FIRST].address
    with Relay(port_of(address)) as relay, Phone(through_relay(address)) as phone:
        phone.sits()
        phone.press("1")
        wait_for(lambda: keys(told) == "1", "the first key")
        relay.cut()
        wait_for(lambda: phone.state == "away" and FIRST in phones.troubles, "the network is away")
        for key in "234":
            phone.press(key)
        relay.mend()
        phone.sits()
        wait_for(lambda: keys(told) == "1234", "each key once and in order")


def test_second_tab_takes_the_seat_over(phones: Phones, phone: Phone) -> None:
    first = phone.driver.current_window_handle
    address = phone.driver.current_url
    phone.driver.switch_to.new_window("tab")
    phone.driver.get(address)
    phone.sits()
    phone.driver.switch_to.window(first)
    wait_for(lambda: phone.state == "elsewhere", "the first tab is told")
    assert phone.notice.startswith("Your seat is open in another tab")


def test_earlier_tab_can_take_its_seat_back(phones: Phones, told: list[Signal], phone: Phone) -> None:
    first, address = phone.driver.current_window_handle, phone.driver.current_url
    phone.driver.switch_to.new_window("tab")
    second = phone.driver.current_window_handle
    phone.driver.get(address)
    phone.sits().press("0")
    wait_for(lambda: keys(told) == "0", "a key of the second tab, behind all that its coming was told by")
    for tab, key in ((first, "1"), (second, "2"), (first, "3")):
        phone.driver.switch_to.window(tab)
        wait_for(lambda: phone.state == "elsewhere", "this tab is told")
        told.clear()
        for _ in range(3):
            phone._lay(100, 100)  # with several fingers
            phone.up()
        phone.sits().press(key)
        wait_for(lambda key=key: keys(told) == key, "a key of this tab")
        assert [signal.control for signal in told].count(PLUG) == 1, "it came once"


def test_duplicated_tab_loses_no_key(phones: Phones, told: list[Signal], phone: Phone) -> None:
    first, address = phone.driver.current_window_handle, phone.driver.current_url
    phone.press("1")
    wait_for(lambda: keys(told) == "1", "a key of the first tab")
    phone.driver.execute_script(f"window.open({address!r})")  # the new window copies the opener's storage
    wait_for(lambda: phone.state == "elsewhere", "the first tab is told")
    [second] = {*phone.driver.window_handles} - {first}
    phone.driver.switch_to.window(second)
    phone.sits()
    for key in "234":
        phone.press(key)
    wait_for(lambda: keys(told) == "1234", "keys of the second tab")
    phone.driver.switch_to.window(first)
    phone._lay(100, 100)
    phone.up()
    phone.sits()
    for key in "56":
        phone.press(key)
    wait_for(lambda: keys(told) == "123456", "each key once")


def test_same_tab_accepts_another_code(phones: Phones, phone: Phone) -> None:
    phones.give_free(FIRST)
    wait_for(lambda: phone.state == "stranger", "the page is told")
    phone.driver.get(phones.invite([FIRST])[FIRST].address)
    phone.sits()
    assert "#" not in phone.driver.current_url


def test_used_code_does_not_displace_a_phone(phones: Phones, told: list[Signal], phone: Phone) -> None:
    phone.driver.execute_script("window.before = true")
    phone.driver.get(f"{phones.addresses[0]}s#{'A' * 22}")
    wait_for(lambda: not phone.of("window.before"), "another code is tried")
    phone.sits().press("5")
    wait_for(lambda: keys(told) == "5", "the seat as before")


def test_page_says_the_table_ended_while_none_answers(told: list[Signal]) -> None:
    phones = Phones(HERE, told.append, MonotonicClock())
    phones.watch()
    address = phones.invite([FIRST])[FIRST].address
    with Relay(port_of(address)) as relay, Phone(through_relay(address)) as phone:
        phone.sits()
        phones.close()
        wait_for(lambda: phone.notice == "The table has stopped.", "the end")
        tried = phone.of("performance.now()")
        relay.cut()
        wait_for(lambda: phone.of("performance.now()") > tried + 2_500, "another try or two")
        assert phone.notice == "The table has stopped."


def test_covered_screen_shows_nothing_until_touched(phones: Phones, phone: Phone) -> None:
    phones.say(FIRST, "Your hand", "1 5 20")
    wait_for(lambda: phone.lines[0] == "Your hand", "the hand")
    shown = "getComputedStyle(document.getElementById('lines')).display !== 'none'"
    assert phone.of(shown)
    phone.driver.find_element("id", "cover").click()
    assert not phone.of(shown)
    phone.photograph(SHOTS / "covered.png")
    phone.driver.find_element("id", "screen").click()
    assert phone.of(shown)


def test_phone_without_site_data_gets_a_seat(phones: Phones, told: list[Signal]) -> None:
    address = phones.invite([FIRST])[FIRST].address
    with Chromium(keeps_nothing=True) as browser, Phone(address, browser=browser) as phone:
        assert phone.of(STORED) is False
        phone.sits().press("7")
        wait_for(lambda: keys(told) == "7", "a key")
        phone.driver.refresh()
        wait_for(lambda: phone.notice.startswith("This browser does not keep site data."), "the sentence")
        phone.photograph(SHOTS / "keeps-nothing.png")


@pytest.mark.parametrize("page", ["s", "table"])
def test_unsupported_browser_says_so(phones: Phones, page: str) -> None:
    with Phone("about:blank") as phone:
        phone.driver.execute_cdp_cmd("Network.enable", {})
        missing = ["*/page/link.js", "*/page/table.js"]  # as if its syntax were too new
        phone.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": missing})
        phone.driver.get(f"{phones.addresses[0]}{page}")
        shown = phone.driver.find_element("id", "old")
        wait_for(shown.is_displayed, "the sentence")
        assert shown.text.startswith("This page does not run in this browser.")
        phone.photograph(SHOTS / f"old-{page}.png")
        phone.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
        phone.driver.refresh()
        assert not phone.driver.find_element("id", "old").is_displayed()


def test_page_fits_in_both_orientations(phones: Phones, phone: Phone) -> None:
    phones.say(FIRST, "W" * 20, "W" * 20, "W" * 20, "W" * 20)
    wait_for(lambda: phone.lines[3] == "W" * 20, "the lines")
    assert phone.of(FITS)
    with Phone(phones.invite([SECOND])[SECOND].address, LANDSCAPE) as wide:
        wide.sits()
        phones.say(SECOND, "W" * 20, "W" * 20, "W" * 20, "W" * 20)
        wait_for(lambda: wide.lines[3] == "W" * 20, "the lines")
        assert wide.of(FITS)
        wide.photograph(SHOTS / "landscape.png")


@pytest.mark.parametrize("size", [(320, 568), (568, 320), (360, 640)], ids=["small", "small and lying", "usual"])
@pytest.mark.parametrize("letters_px", [16, 24])
def test_controls_fit_a_small_phone_with_large_text(phones: Phones, size: tuple[int, int], letters_px: int) -> None:
    phones.wish(FIRST, language="fr", text="large")
    with Phone(phones.invite([FIRST])[FIRST].address, size) as phone:
        phone.sits()
        phone.driver.execute_script(f"document.documentElement.style.fontSize = '{letters_px}px'")
        wait_for(lambda: "Place" in phone.of("document.getElementById('seat').textContent"), "its language")
        for _ in range(3):
            assert phone.of(FITS)
            phone.driver.find_element("id", "hand").click()


def test_javascript_modules_pass_their_tests() -> None:
    if not shutil.which("node"):
        pytest.skip("there is no node")
    done = subprocess.run(
        ["node", "--experimental-default-type=module", "--test", str(Path(__file__).parents[1])],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout

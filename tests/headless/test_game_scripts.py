"""Scripts of the other three games through the real command; each .txt has its .jsonl.

A script's name begins with its game: bc, bb or db.
"""

import json
import shlex
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from companion.cli.headless import Script
from companion.core.match import Match
from companion.core.move import Seat
from companion.games import all_games, load
from companion.games.boese_buben.rules.cards import card_text, owner
from companion.games.buro_crazy.rules.change import worth
from companion.match.new_match import new_match
from companion.match.virtual_table import VirtualTable
from companion.referee.journal import open_record
from tests.running import Here, companion

FOLDER = Path(__file__).parent
GAMES = {"bc": "buro_crazy", "bb": "boese_buben", "db": "de_et_boulanger"}
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.txt") if path.stem[:2] in GAMES)
NO_SIDE = "press 8, 6, 2 or 4 for your shop, A for your tiles"
OVER = {"bc-reports", "bc-points"}

Line = dict[str, Any]


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.txt").read_text()


def words_of(name: str) -> list[str]:
    first, _, _ = text_of(name).partition("\n")
    return ["headless", GAMES[name[:2]], *shlex.split(first.removeprefix("# options: "))]


def expected(name: str) -> list[Line]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


def of(lines: list[Line], kind: str, *keys: str) -> list[Any]:
    found = [tuple(line.get(key) for key in keys) for line in lines if line["kind"] == kind]
    return [values[0] for values in found] if len(keys) == 1 else found


def kinds(lines: list[Line]) -> list[str]:
    return [line["kind"] for line in lines if line["kind"] != "lamp"]


Run = Callable[..., str]


@pytest.fixture
def run(companion_here: Here) -> Run:

    def command(*words: object, script: str = "") -> str:
        done = companion_here(*words, stdin=script)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return command


@pytest.fixture
def seen(run: Run) -> Callable[..., list[Line]]:

    def lines(name: str, *more: object) -> list[Line]:
        return [json.loads(line) for line in run(*words_of(name), *more, script=text_of(name)).splitlines()]

    return lines


def refused(lines: list[Line], seat: int | None) -> list[str]:
    """Return the paragraph, or else the text, of each refusal; seat None is the house."""
    found = [line for line in lines if line["kind"] == "refused" and line.get("seat") == seat]
    return [line.get("rule", line["text"]) for line in found]


def played(name: str, until: str = "", **changed: Any) -> Match:
    """Play a script through the line that contains `until`, or to the end; return the match."""
    words = words_of(name)[2:]
    options: dict[str, str] = {}
    rulings: dict[str, Any] = {}
    for key, value in zip(words[::2], words[1::2], strict=True):
        if key == "--ruling":
            ruling, _, choice = value.partition("=")
            rulings[ruling] = int(choice) if choice.isdecimal() else choice
        options[key] = value
    game = load(GAMES[name[:2]])
    match = new_match(
        game,
        options["--seats"].split(","),
        rulings=game.rulings(**rulings | changed),
        deal=options.get("--deal", "pi"),
        seed=options.get("--seed"),
    )
    table = VirtualTable(match)
    table.start()
    script = Script(table, name)
    for line in text_of(name).splitlines():
        script.run([line])
        if until and until in line:
            break
    return match


# --- All scripts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCRIPTS)
def test_command_prints_the_expected_lines(name, run):
    assert run(*words_of(name), script=text_of(name)) == (FOLDER / f"{name}.jsonl").read_text()


@pytest.mark.parametrize("name", ["bc-pi", "bb-pi", "db-pi"])
def test_separate_process_prints_the_same_lines(name, tmp_path):
    done = companion(tmp_path, *words_of(name), stdin=text_of(name))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (FOLDER / f"{name}.jsonl").read_text()


@pytest.mark.parametrize("name", SCRIPTS)
def test_expected_output_ends_with_the_result(name):
    lines = expected(name)
    assert kinds(lines).index("result") == len(kinds(lines)) - 1
    assert lines[-1]["over"] is (name in OVER)


@pytest.mark.parametrize("name", SCRIPTS)
def test_journal_of_a_script_replays_and_resumes(name, run, tmp_path):
    path = tmp_path / "match.record"
    run(*words_of(name), "--journal", path, script=text_of(name))
    kept = [entry.evidence for entry in open_record(path, all_games()).match.entries]
    stamps = [evidence.t_ns for evidence in kept]
    assert None not in stamps
    assert stamps == sorted(stamps)
    keys = [evidence.key_move or 1 for evidence in kept]
    assert all(later in {1, earlier + 1} for earlier, later in pairwise([1, *keys]))
    told = run("replay", path)
    assert told
    again = run("headless", GAMES[name[:2]], "--journal", path, "--resume", script="0 wait\n")
    first, *_, last = map(json.loads, again.splitlines())
    assert (first["moves"], last["moves"]) == (expected(name)[-1]["moves"],) * 2


@pytest.mark.parametrize("name", ["bc", "bb", "db"])
def test_invalid_move_ends_the_script(name, tmp_path, companion_here):
    bad = {"bc": "table place 1 6", "bb": "table first 9", "db": "table start 7"}[name]
    done = companion_here("headless", GAMES[name], "--deal", "table", stdin=f"1 {bad}\n2 wait\n")
    assert done.returncode == 2
    assert "line 1" in done.stderr
    assert kinds([json.loads(line) for line in done.stdout.splitlines()]) == ["start"]


# --- Keys, undo and corrections ---------------------------------------------------------------------------


def test_bc_wrong_keys_are_reported_to_their_seat(seen):
    public = expected("bc-pi")
    assert of(public, "reveal", "bids")[0] == [[20], [5]]
    assert kinds(public)[5:9] == ["locked", "unlocked", "locked", "reveal"]
    # Only the seat that presses a wrong key hears of it.
    for seat, wrong in ((1, 6), (2, 1), (3, 0), (4, 1)):
        own = seen("bc-pi", "--as", seat)
        why = refused(own, seat)
        assert (len(why), "not accepted" in why) == (wrong, False)
        assert [line for line in own if line.get("seat") != seat or line["kind"] != "refused"] == public
    assert not [line for line in public if line["kind"] == "refused" and "seat" in line]


@pytest.mark.parametrize(
    ("name", "seat", "why"),
    [
        ("bc-table", 1, ["a coin decides; nobody bids now"]),
        (
            "bc-reports",
            2,
            [
                "1141 points: your hand has 157, and you get no card of the roof",
                "your points are in; the house can undo",
            ],
        ),
        ("bc-points", 1, ["999 points: you hold 152"]),
        (
            "bb-pi",
            1,
            ["it's Seat 2's turn", "it's Seat 2's turn", "you have no free card now"],
        ),
        (
            "bb-pi",
            2,
            [
                "9 is not a card: the cards are 0 to 6",
                "A is not a card: the cards are 0 to 6",
                "BB-R6",
                "it's Seat 1's turn",
                "BB-A13",
            ],
        ),
        ("bb-table", 2, ["BB-R31"]),
        (
            "bb-table",
            3,
            ["the match is paused", "BB-R32", "lane 3 is empty", "lane 3 has 1 card: nothing to reorder", "BB-R33"],
        ),
        ("bb-texts", 1, ["BB-R30", "an MC card must go to another seat"]),
        ("bb-texts", 2, ["you have no free card now"]),
        ("bb-e2", 1, ["BB-R7", "BB-R6", "BB-R6"]),
        ("db-pi", 1, [NO_SIDE, "tile 2 is already in your row", "DB-R10", "DB-R11", "DB-R10"]),
        ("db-pi", 2, ["seat 2 already has bakery S", "it's Seat 1's turn", "DB-R13"]),
        ("db-table", 1, ["that bakery is taken; free: N, S, W"]),
        ("db-table", 2, ["it's Seat 3's turn"] * 2),
        (
            "db-e1",
            1,
            ["DB-R10", "there is enough for 1 bread at most"],
        ),  # a third water on a full load; a second bread of 3 flour
    ],
)
def test_seat_reads_why_its_keys_are_refused(seen, name, seat, why):
    assert refused(seen(name, "--as", seat), seat) == why


def test_bc_correction_moves_a_figure():
    assert played("bc-table").view().board[16] == 1  # Ben's figure


def test_bc_buzzer_means_nothing_outside_the_duel():
    assert played("bc-pi", "seat 2 buzz").moves == played("bc-pi", "and opened again").moves


def test_bc_hands_follow_the_corrected_bid():
    # The hands are those of the corrected bid: 20 v 10, then 1 v 0.
    match = played("bc-pi")
    hands = [match.view(seat).hand for seat in range(4)]
    values = match.view().values
    assert [worth(hand, values) for hand in hands] == [152 - 20 - 1, 152, 152, 152 + 10 + 1]
    assert match.view().kitchen_points == 80 - 10 - 1


def test_bb_purchases_change_purse_and_hand():
    match = played("bb-pi")
    assert match.view(0).purse == 6 + 3 + 3 - 1
    assert match.view(1).purse == 0
    hands = [sorted(map(card_text, match.view(seat).hand)) for seat in (0, 1)]
    assert ["1" in hands[0], "2" in hands[0]] == [False, True]
    assert ["5" in hands[1], "6" in hands[1], "4" in hands[1]] == [True, True, False]


def test_bb_kostenlos_and_schiebung_work_by_keys():
    match = played("bb-texts")
    assert match.view().mc == (1, 1)
    assert [match.view(seat).purse for seat in (0, 1)] == [6 + 3 + 3, 6 - 1]


def test_bb_buzzer_declines_but_means_nothing_in_turns():
    match = played("bb-table", "declined")
    assert match.move_text(match.length) == "1 decline"
    before = played("bb-table", "seat 1 keys 4 A 4").length
    assert played("bb-table", "no meaning in a turn").length == before + 1


def test_db_undo_and_corrections_reach_the_expected_position():
    view = played("db-pi").view()
    assert (view.cash[0], view.loads[0].sous) == (7, 3)


def test_db_buzzer_only_requests_the_die_and_validates():
    asked = played("db-pi", "asks for the die")
    assert asked.move_text(asked.length) == "1 ready"
    at_the_fountain = played("db-pi", "to the fountain")
    assert played("db-pi", "has no meaning in a move").moves == at_the_fountain.moves
    baked = played("db-e1", "seat 1 buzz")
    assert baked.move_text(baked.length) == "1 validate"


# --- Worked examples: Büro Crazy --------------------------------------------------------------------------


def points(match: Match) -> tuple[list[int], int, int, int]:
    """Return the points of all hands, kitchen, stock and roof."""
    state, values = match.state, match.view().values
    hands = [worth(hand, values) for hand in state.hands]
    return hands, worth(state.kitchen, values), worth(state.stock, values), worth(state.roof, values)


def test_bc_e1_loser_gets_the_difference_in_points():
    match = played("bc-e1")
    assert points(match) == ([129, 171, 152, 152], 61, 452, 23)
    assert [sum(match.view(seat).hand) for seat in (0, 1)] == [17, 24]
    assert (match.view().kitchen_points, match.view().roof_cards) == (61, 3)


@pytest.mark.parametrize(
    ("rulings", "half", "cards", "after_the_tie", "at_the_end"),
    [
        ({}, 12, [5, 2, 2, 2, 1], (140, 24), (130, 143, 77, 34)),
        ({"tie_rounding": "down"}, 11, [5, 2, 2, 1, 1], (141, 22), (131, 144, 77, 32)),
        ({"change": "none"}, 12, [5, 2, 2, 2, 1], (140, 24), (130, 143, 77, 34)),
    ],
)
def test_bc_e3_tied_pair_pays_half_and_bids_again(seen, rulings, half, cards, after_the_tie, at_the_end):
    more = [word for key, value in rulings.items() for word in ("--ruling", f"{key}={value}")]
    public, own = seen("bc-e3", *more), seen("bc-e3", "--as", 1, *more)
    lost = sum(cards)
    assert of(public, "tie", "points", "half") == [(23, half)]
    assert of(public, "loss", "seat", "points", "due", "n") == [(seat, lost, half, len(cards)) for seat in (1, 2)]
    assert of(public, "swap", "given") == of(public, "lost_cards", "cards") == []
    assert of(own, "lost_cards", "seat", "cards") == [(1, cards)]
    assert of(own, "swap", "given", "taken", "pile") == []  # exact cards of the hand come first
    assert of(public, "duel", "pair", "attempt")[:2] == [("P1", 1), ("P1", 2)]
    assert of(public, "reveal", "totals") == [[23, 23], [10, 7]]
    assert of(public, "gain", "seat", "points") == [(2, 3)]
    hands, kitchen, _, roof = points(played("bc-e3", "+0 seat 2 keys 5 2 1 #", **rulings))
    assert (hands[:2], roof, kitchen) == ([after_the_tie[0]] * 2, after_the_tie[1], 80)
    hands, kitchen, _, roof = points(played("bc-e3", **rulings))
    assert (*hands[:2], kitchen, roof) == at_the_end
    assert sum(at_the_end) == 384


def test_bc_e4_half_of_a_five_is_paid_exactly(seen):
    for seat in (1, 2):
        own = seen("bc-e4", "--as", seat)
        assert of(own, "swap", "seat", "given", "taken", "pile") == []
        assert of(own, "lost_cards", "seat", "cards") == [(seat, [2, 1])]
    assert points(played("bc-e4")) == ([149, 149, 152, 152], 80, 452, 6)


@pytest.mark.parametrize(
    ("name", "held", "paid", "cards"),
    [
        ("bc-e6", 152, 10, [10]),
        ("bc-e6-seven", 7, 7, [5, 2]),
        ("bc-e6-twenty", 20, 10, [10]),
    ],
)
def test_bc_e6_single_figure_pays_to_move_up(seen, name, held, paid, cards):
    lines = expected(name)
    assert of(lines, "forfeit", "seat", "pair", "points") == [(3, "P8", paid)]
    assert of(lines, "up", "seat", "pair", "to")[-1] == (3, "P8", "G4")
    assert of(lines, "loss", "seat", "points", "due", "n") == [(3, paid, paid, len(cards))]
    own = seen(name, "--as", 3)
    assert of(own, "lost_cards", "cards") == [cards]
    changed = [([20], [10, 10])] if held == 20 else []
    assert of([line for line in own if line.get("payer") == "hand"], "swap", "given", "taken") == changed
    before, after = played(name, "+1 seat 4 keys 1 #"), played(name)
    assert points(before)[0][2] == held
    assert points(after)[0][2] == held - paid
    # The roof gets the forfeit and the 1 that seat 4 bid at P7; the kitchen pays for P7 only.
    gained = of(lines, "gain", "points")[-1]
    assert points(after)[3] == points(before)[3] + 1 + paid
    (floor,) = [line for line in lines if line["kind"] == "kitchen" and line["floor"] == "ground"]
    assert floor["points"] - floor["change"] == points(before)[1] - gained


def test_bc_e8_one_players_two_figures_need_no_duel():
    # Eight winners spent a point each, the kitchen paid the losers, and the stock took the surplus of 12. Nothing
    # else moved.
    match = played("bc-e8")
    assert points(match) == ([148, 154, 150, 156], 60, 464, 8)
    assert sorted(match.view().board[22:24]) == [-1, 0]


# --- Worked examples: Böse Buben --------------------------------------------------------------------------


def lane(match: Match, number: int) -> tuple[list[str], list[str]]:
    """Return a lane's track and penalty zone; `R6` is owner and card."""
    view = match.view()
    return tuple(
        [match.names[owner(card)][0] + card_text(card) for card in cards]
        for cards in (view.tracks[number - 1], view.zones[number - 1])
    )


def test_bb_e2_card_about_to_fall_still_blocks():
    assert lane(played("bb-e2", "+1 seat 1 keys 6 1"), 1) == (["B5", "R3", "R6"], ["R2"])
    assert lane(played("bb-e2"), 1) == (["R3", "R6", "B2"], ["R2", "B5"])


def test_bb_e3_race_and_bribery_change_purses_and_hands():
    match = played("bb-e3", "+1 seat 1 keys 6 1")
    assert lane(match, 1) == (["R4", "B5", "R6"], ["R0", "B1", "R2", "B3"])
    assert [match.view(seat).purse for seat in (0, 1)] == [9, 6]
    match = played("bb-e3")
    assert [match.view(seat).purse for seat in (0, 1)] == [9, 3]
    assert match.state.books.bank == 72
    assert (match.view().counts, match.view().out) == ((9, 11), 1)
    assert lane(match, 1) == (["R4", "B5", "R6"], [])


def test_bb_e4_forced_card_then_forced_skip(seen):
    before = played("bb-e4", "keys 3 3").view(0)
    assert sorted(map(card_text, before.hand)) == ["3", "4a"]
    assert all("3" in [card_text(card)[0] for card in track] for track in before.tracks)
    assert refused(seen("bb-e4", "--as", 1), 1)[:3] == ["BB-R6", "BB-R6", "BB-R7"]
    match = played("bb-e4")
    after = match.view(0)
    assert [card_text(card) for card in after.hand] == ["3"]
    assert all("3" in [card_text(card)[0] for card in track] for track in after.tracks)
    assert after.moves == ()
    assert match.to_act == (1,)  # it is Blue's turn again


# --- Worked examples: Dé et Boulanger ---------------------------------------------------------------------


def test_db_e1_north_baker_plays_a_round():
    assert played("db-e1", "seat 1 keys * A").view().loads[0] == (3, 2, 0, 1)  # full
    assert played("db-e1", "seat 1 keys B").view().cash[0] == 7
    assert played("db-e1").view().tiles[0] == (0, 1, 2, 4, 5)


# --- Secrets ----------------------------------------------------------------------------------------------

BIDS = {
    # One card; several, some taken back; none; and one key too many, which only its seat learns.
    "one": "seat 1 keys 1 #",
    "four": "seat 1 keys 4 4 * 5 3 3 2 #",
    "none": "seat 1 keys #",
    "refused": "seat 1 keys 5 5 5 5 5 #",
}
BEFORE_THE_REVEAL = "0 table place 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4\n1 {bid}\n1.5 seat 2 keys 3 3\n2 wait\n"
OPENED = "0 table place 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4\n1 {bid}\n1.2 seat 1 keys * 2 #\n1.5 house undo\n2 wait\n"
BC = ("headless", "buro_crazy", "--seats", "Anna,Ben,Cleo,Dan", "--seed", "secret")


def printed_and_kept(
    run: Run, path: Path, words: tuple[str, ...], script: str, audience: Seat | None
) -> tuple[str, str]:
    """Return what the command prints for an audience, and the `export` of the match."""
    seat = () if audience is None else ("--as", audience + 1)
    printed = run(*words, "--journal", path, *seat, script=script)
    return printed, run("export", path, *seat)


@pytest.mark.parametrize("script", [BEFORE_THE_REVEAL, OPENED])
@pytest.mark.parametrize("audience", [None, 1, 2, 3])
def test_bc_bid_is_hidden_from_others_until_reveal(run, tmp_path, script, audience):
    found = {
        printed_and_kept(run, tmp_path / name, BC, script.format(bid=bid), audience) for name, bid in BIDS.items()
    }
    assert len(found) == 1


def test_bc_bid_is_visible_to_its_own_seat(run, tmp_path):
    found = {
        name: printed_and_kept(run, tmp_path / name, BC, BEFORE_THE_REVEAL.format(bid=bid), 0)
        for name, bid in BIDS.items()
    }
    assert len({kept for _, kept in found.values()}) == len(BIDS)
    assert "1 commit 20 10 5 5 2" in found["four"][1]
    assert refused([json.loads(line) for line in found["refused"][0].splitlines()], 1) == ["20: only 4 in hand"]
    assert refused([json.loads(line) for line in found["one"][0].splitlines()], 1) == []


def test_bc_reveal_is_the_first_line_that_differs(run):
    script = BEFORE_THE_REVEAL.replace("2 wait", "2 seat 2 keys #\n3 wait")
    one, other = (run(*BC, script=script.format(bid=BIDS[name])).splitlines() for name in ("one", "four"))
    place = next(place for place, lines in enumerate(zip(one, other, strict=False)) if lines[0] != lines[1])
    assert json.loads(one[place])["kind"] == "reveal"
    assert json.loads(one[place])["totals"] == [1, 10]
    assert json.loads(other[place])["totals"] == [42, 10]


def test_bc_correction_of_a_locked_bid_reveals_nothing(run, tmp_path):
    script = BEFORE_THE_REVEAL.format(bid=BIDS["one"]).replace("2 wait", "2 amend 2 1 commit {}\n3 wait")
    found = {
        printed_and_kept(run, tmp_path / cards, BC, script.format(cards), None) for cards in ("none", "20 20 1")
    }
    assert len(found) == 1
    ((printed, kept),) = found
    assert '"was": "1 commit ??", "entry": "1 commit ??"' in printed
    assert "amend 2. 1 commit ??" in kept


def test_bc_report_is_hidden_until_the_last_report(run, tmp_path):
    script, _, _ = text_of("bc-reports").partition("+1 seat 3 keys 1 5 0 #")
    words = tuple(words_of("bc-reports"))
    other = script.replace("1 6 7 * 0 #", "1 6 7 * 1 #")
    assert other != script
    for audience, same in ((None, True), (1, True), (2, True), (0, False)):
        one = printed_and_kept(run, tmp_path / f"one {audience}", words, script, audience)
        two = printed_and_kept(run, tmp_path / f"two {audience}", words, other, audience)
        assert (one == two) is same


def test_bb_a13_refused_yes_is_reported_only_to_its_seat(run, tmp_path):
    more = "+0.5 house undo\n+0.5 seat 2 keys 0\n+0.5 seat 2 keys 3 3\n+0.5 house undo\n+1 wait\n"
    tries = text_of("bb-pi") + more
    leaves = tries.replace("seat 2 keys 1              # no money:", "wait                       # no money:")
    assert leaves != tries
    words = tuple(words_of("bb-pi"))
    for audience in (None, 0):
        one = printed_and_kept(run, tmp_path / f"tries {audience}", words, tries, audience)
        two = printed_and_kept(run, tmp_path / f"leaves {audience}", words, leaves, audience)
        assert one == two
    (one, kept), (two, other) = (
        printed_and_kept(run, tmp_path / name, words, script, 1) for name, script in (("t", tries), ("l", leaves))
    )
    assert one.count("not enough") == 1
    assert "not enough" not in two
    assert kept == other


def test_bb_no_purse_is_printed_during_a_match(seen):
    for audience in ((), ("--as", 1), ("--as", 2)):
        for name in ("bb-pi", "bb-table", "bb-e3", "bb-e4"):
            told = seen(name, *audience)
            assert not [line for line in told if "purses" in line or "purse" in line]

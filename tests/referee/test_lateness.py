"""The same evidence makes the same record, however late its reports arrive (docs/fairness.md)."""

import random

import pytest

from tests.referee.late_scripts import draw_script, play, recorded, says_nothing, without_spikes

SCRIPTS = 3_000


@pytest.mark.soak
def test_lateness_of_reports_changes_no_record(soak_count):
    compared = 0
    for seed in range(soak_count(SCRIPTS)):
        luck = random.Random(f"late {seed}")
        script = draw_script(luck)
        punctual = play(script, None)
        for _ in range(3):
            late = play(script, luck)
            if says_nothing(script, punctual, late):
                continue
            compared += 1
            assert recorded(late) == recorded(punctual), f"script {seed}"
    assert compared


@pytest.mark.soak
def test_spikes_change_no_record(soak_count):
    compared = 0
    for seed in range(soak_count(SCRIPTS)):
        luck = random.Random(f"spikes {seed}")
        script = draw_script(luck)
        quiet = play(without_spikes(script), None)
        noisy = play(script, luck)
        if script == without_spikes(script) or says_nothing(script, quiet, noisy):
            continue
        compared += 1
        assert recorded(noisy) == recorded(quiet), f"script {seed}"
    assert compared

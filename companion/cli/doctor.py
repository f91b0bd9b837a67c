"""`companion doctor`: checks the table and suggests repairs."""

import argparse
import sys

from companion.cli.arguments import table_config, wants_no_devices
from companion.cli.status import DONE, FAILED
from companion.club import checks
from companion.devices.findings import Machine
from companion.diagnostics import doctor
from companion.match.fairness import measuring


def main(arguments: argparse.Namespace) -> int:
    config, asks = table_config(arguments), not arguments.no_walk
    machine = Machine()
    if arguments.fairness:
        file = arguments.report or measuring.FILE
        return DONE if measuring.run(config, machine, sys.stdin, sys.stdout, file) else FAILED
    more = checks.look(config.club)
    is_well = doctor.run(
        config,
        machine,
        sys.stdout,
        walk=asks,
        jig=arguments.jig,
        virtual=wants_no_devices(arguments, machine) and not arguments.jig,
        more=more,
        report_file=arguments.report,
    )
    return DONE if is_well else FAILED

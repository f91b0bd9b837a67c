#!/bin/sh
# Creates the chip. Its lines rest high, as if pulled up; those of lamps and siren rest low, so that they are off
# while no program drives them.
set -eu
chip=/sys/kernel/config/gpio-sim/table
mkdir -p $chip/bank0
echo 28 >$chip/bank0/num_lines
echo pinctrl-bcm2711 >$chip/bank0/label
line=0
while [ $line -lt 28 ]; do
    mkdir $chip/bank0/line$line
    echo GPIO$line >$chip/bank0/line$line/name
    line=$((line + 1))
done
echo 1 >$chip/live

# The same name for the tests, independent of the chip's number.
ln -sfn "/sys/devices/platform/$(cat $chip/dev_name)/$(cat $chip/bank0/chip_name)" /run/lines
line=0
while [ $line -lt 28 ]; do
    case $line in
        5 | 6 | 12 | 13 | 18 | 19) echo pull-down >/run/lines/sim_gpio$line/pull ;;
        *) echo pull-up >/run/lines/sim_gpio$line/pull ;;
    esac
    line=$((line + 1))
done

#!/bin/sh
# Prints the ten test classes that took longest in the last build of each module, and the time of all of them.
set -eu
cd "$(dirname "$0")/.."
find . -path '*/target/*-reports/TEST-*.xml' -exec grep -h -m1 '<testsuite ' {} + |
  sed -n 's/.* name="\([^"]*\)" time="\([0-9.,]*\)".*/\2 \1/p' | tr -d , | LC_ALL=C sort -rn |
  awk '{ sum += $1 } NR <= 10 { slowest = slowest sprintf("\n  %6.1f s  %s", $1, $2) }
    END { printf "All test classes together took %.0f s. The slowest:%s\n", sum, slowest }'

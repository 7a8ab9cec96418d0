#!/usr/bin/env bash
# The expectations that take longer: larger parameters of the same programs.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_long_counts.sh
: "${HWCHECK:?}" "${SRC:?}"
exec "$SRC/tests/cli/expect.sh" --bench "$SRC/tests/programs/counts" \
    "$SRC/tests/programs/spin" "$SRC/tests/programs/real"

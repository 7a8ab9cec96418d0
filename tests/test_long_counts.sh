#!/usr/bin/env bash
# The expectations that take longer: larger parameters of the same programs.
#   HWCHECK=<binary> SRC=<project root> tests/test_long_counts.sh
: "${HWCHECK:?}" "${SRC:?}"
exec "$SRC/tests/expect.sh" --bench "$SRC/tests/programs/counts" \
    "$SRC/tests/programs/spin" "$SRC/tests/programs/real"

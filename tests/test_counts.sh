#!/usr/bin/env bash
# Numbers of executions: the litmus tests and the programs of known counts.
#   HWCHECK=<binary> SRC=<project root> tests/test_counts.sh
: "${HWCHECK:?}" "${SRC:?}"
exec "$SRC/tests/expect.sh" "$SRC/tests/programs/litmus" \
    "$SRC/tests/programs/counts" "$SRC/tests/programs/spin"

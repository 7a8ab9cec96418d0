#!/usr/bin/env bash
# Numbers of executions: the litmus tests and the programs of known counts.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_counts.sh
: "${HWCHECK:?}" "${SRC:?}"
exec "$SRC/tests/cli/expect.sh" "$SRC/tests/programs/litmus" \
    "$SRC/tests/programs/counts" "$SRC/tests/programs/spin"

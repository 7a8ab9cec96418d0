#!/usr/bin/env bash
# Each kind of violation: found, named, and placed at its line.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_violations.sh
: "${HWCHECK:?}" "${SRC:?}"
exec "$SRC/tests/cli/expect.sh" "$SRC/tests/programs/violations"

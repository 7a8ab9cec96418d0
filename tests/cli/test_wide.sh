#!/usr/bin/env bash
# Atomics of 16 bytes, in the source and on each machine (tests/programs/wide).
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_wide.sh
: "${HWCHECK:?}" "${SRC:?}"
exec "$SRC/tests/cli/expect.sh" "$SRC/tests/programs/wide"

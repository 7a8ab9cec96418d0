#!/usr/bin/env bash
# Locks, queues, stacks and other real code: the correct versions are sound,
# and each error planted in them is found.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_real.sh
: "${HWCHECK:?}" "${SRC:?}"
exec "$SRC/tests/cli/expect.sh" "$SRC/tests/programs/real"

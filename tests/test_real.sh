#!/usr/bin/env bash
# Locks, queues, stacks and other real code: the correct versions are sound,
# and each error planted in them is found.
#   HWCHECK=<binary> SRC=<project root> tests/test_real.sh
: "${HWCHECK:?}" "${SRC:?}"
exec "$SRC/tests/expect.sh" "$SRC/tests/programs/real"

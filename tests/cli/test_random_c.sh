#!/usr/bin/env bash
# Some random programs (tests/cli/random_c.sh).
#   HWCHECK=<binary> SRC=<root> RANDOM_C=<binary> tests/cli/test_random_c.sh
: "${HWCHECK:?}" "${SRC:?}" "${RANDOM_C:?}"
exec "$SRC/tests/cli/random_c.sh"

#!/usr/bin/env bash
# Some random programs (tests/random_c.sh).
#   HWCHECK=<binary> SRC=<root> RANDOM_C=<binary> tests/test_random_c.sh
: "${HWCHECK:?}" "${SRC:?}" "${RANDOM_C:?}"
exec "$SRC/tests/random_c.sh"

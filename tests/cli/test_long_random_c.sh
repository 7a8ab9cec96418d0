#!/usr/bin/env bash
# Many random programs (tests/cli/random_c.sh), 2,000 a target and compiler.
#   HWCHECK=<binary> SRC=<root> RANDOM_C=<binary> tests/cli/test_long_random_c.sh
: "${HWCHECK:?}" "${SRC:?}" "${RANDOM_C:?}"
N=2000 EVERY=1 SEED=1000 exec "$SRC/tests/cli/random_c.sh"

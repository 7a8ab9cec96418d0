#!/usr/bin/env bash
# As tests/cli/test_ordinary.sh, with all compilers and levels.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_long_ordinary.sh
: "${HWCHECK:?}" "${SRC:?}"
EVERY=1 exec "$SRC/tests/cli/ordinary.sh"

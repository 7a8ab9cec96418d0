#!/usr/bin/env bash
# As tests/test_ordinary.sh, with all compilers and levels.
#   HWCHECK=<binary> SRC=<project root> tests/test_long_ordinary.sh
: "${HWCHECK:?}" "${SRC:?}"
EVERY=1 exec "$SRC/tests/ordinary.sh"

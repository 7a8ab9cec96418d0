#!/usr/bin/env bash
# As tests/test_suite.sh, with all programs.
#   HWCHECK=<binary> SRC=<project root> tests/test_long_suite.sh
: "${HWCHECK:?}" "${SRC:?}"
EVERY=1 exec "$SRC/tests/test_suite.sh"

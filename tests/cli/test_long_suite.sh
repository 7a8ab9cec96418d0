#!/usr/bin/env bash
# As tests/cli/test_suite.sh, with all programs.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_long_suite.sh
: "${HWCHECK:?}" "${SRC:?}"
EVERY=1 exec "$SRC/tests/cli/test_suite.sh"

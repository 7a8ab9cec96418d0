#!/usr/bin/env bash
# What of C and its library programs may use.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_lang.sh
: "${HWCHECK:?}" "${SRC:?}"
exec "$SRC/tests/cli/expect.sh" "$SRC/tests/programs/lang"

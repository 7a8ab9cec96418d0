#!/usr/bin/env bash
# Ordinary programs with one compiler and level a target (tests/cli/ordinary.sh).
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_ordinary.sh
: "${HWCHECK:?}" "${SRC:?}"
exec "$SRC/tests/cli/ordinary.sh"
